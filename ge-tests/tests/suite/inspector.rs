//! Runs the inspector on real frames: its pictures must be the same as those of `pspge render`, at the end and while
//! walking through a frame.

use ge_tests::{corpus, frames, input};
use pspge::debug::EventNumber;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::inspect::answer::Answer;
use pspge::inspect::request::{Moment, PictureSource, Request, RunRequest};
use pspge::inspect::{InspectedFile, Inspector};

/// Returns the colours in a picture at a moment, row by row, with its width.
fn picture(inspector: &Inspector, event: u32, source: PictureSource) -> (u32, Vec<u8>) {
    let at = Moment { event: EventNumber(event), after: false };
    let request = Request::Picture { run: RunRequest::default(), at: Some(at), source, max: None };
    let (answer, bytes) = inspector.answer(&request, &[]).expect("a picture");
    let Answer::Picture(picture) = answer else { panic!("the answer to this request") };
    (picture.width, bytes)
}

#[test]
fn pictures_are_those_of_render() {
    let Some(folder) = corpus::folder("frames") else { return };
    for (name, path) in frames::dumps(&folder) {
        let bytes = input::read(&path);
        let inspector = Inspector::new(Limits::default());
        let file = InspectedFile::open(&pspge::Request::new(&name, &bytes)).expect("a dump");
        inspector.set_file(0, file);
        let request = Request::Events { run: RunRequest::default() };
        let Ok((Answer::Events(events), _)) = inspector.answer(&request, &[]) else {
            panic!("{name}: events")
        };
        let (width, seen) = picture(&inspector, events.count, PictureSource::Screen);
        let expected = frames::draw(&path, Arithmetic::Hardware);
        for (x, y, pixel) in expected.enumerate_pixels() {
            let start = (y * width + x) as usize * 4;
            assert_eq!(seen.get(start..start + 3), Some(&pixel.0[..]), "{name}: pixel {x},{y}");
        }
        // Backwards and forwards again: every moment looks as it did.
        let moments = [events.count / 2, events.count / 3, events.count / 2];
        let [first, _, again] = moments.map(|event| picture(&inspector, event, PictureSource::Color));
        assert!(first == again, "{name}: event {}", moments[0]);
        let covered: u64 = events.events.iter().map(|event| event.covered).sum();
        assert!(covered > 0 && events.events.iter().any(|event| event.pass.is_some()), "{name}: facts");
    }
}
