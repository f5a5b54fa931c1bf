//! Runs the inspector on real frames: its pictures must be the same as those of `pspge render`, at the end and while
//! walking through a frame.

use ge_tests::{corpus, frames, input, sample};
use pspge::debug::EventNumber;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::inspect::answer::{Answer, InputAnswer, InputKind};
use pspge::inspect::request::{FileNumber, Moment, OtherFile, PartSpec, PictureSource, Request, RunRequest};
use pspge::inspect::{InspectError, InspectedFile, Inspector};

/// Returns a picture's colours at a moment, row by row, with its width.
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
        // Going backwards and forwards again must not change how a moment looks.
        let moments = [events.count / 2, events.count / 3, events.count / 2];
        let [first, _, again] = moments.map(|event| picture(&inspector, event, PictureSource::Color));
        assert!(first == again, "{name}: event {}", moments[0]);
        let covered: u64 = events.events.iter().map(|event| event.covered).sum();
        assert!(covered > 0 && events.events.iter().any(|event| event.pass.is_some()), "{name}: facts");
    }
}

/// Asks about a part of an open file.
fn part(inspector: &Inspector, part: PartSpec) -> Result<InputAnswer, InspectError> {
    let run = RunRequest { part: Some(part), ..RunRequest::default() };
    match inspector.answer(&Request::Part { run }, &[])?.0 {
        Answer::Input(input) => Ok(*input),
        other => panic!("the facts of a part, not {other:?}"),
    }
}

fn members(inspector: &Inspector, member: Option<&str>) -> Vec<(String, Option<String>, bool)> {
    let request = Request::Members { run: RunRequest::default(), member: member.map(str::to_owned) };
    let Ok((Answer::Members { members }, _)) = inspector.answer(&request, &[]) else { panic!("members") };
    members.into_iter().map(|row| (row.path, row.info.format, row.holds_members)).collect()
}

fn opened(name: &str, files: &[(&str, Vec<u8>)]) -> Inspector {
    let inspector = Inspector::new(Limits::default());
    let others =
        files[1..].iter().map(|(name, bytes)| OtherFile { name: (*name).to_owned(), length: bytes.len() });
    let request = Request::Open { input: 0, name: name.to_owned(), member: None, others: others.collect() };
    let bytes: Vec<u8> = files.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    inspector.answer(&request, &bytes).expect("the file opens");
    inspector
}

/// The listed paths choose members, and the file stays the same for the page.
#[test]
fn members_of_a_container_are_parts() {
    let inspector = opened("lampwing.pac", &[("lampwing.pac", sample::read("lampwing.pac"))]);
    let formats: Vec<_> =
        members(&inspector, None).into_iter().map(|(path, format, _)| (path, format)).collect();
    let expected = ["pmo", "ahi", "tmh", "mh-anim"].map(|format| Some(format.to_owned()));
    let paths = ["0", "1", "2", "3"].map(str::to_owned);
    assert_eq!(formats, paths.into_iter().zip(expected).collect::<Vec<_>>());
    assert_eq!(members(&inspector, Some("2")), [], "no container");
    let whole = part(&inspector, PartSpec::default()).expect("the file itself");
    let member = PartSpec { member: Some("2".to_owned()), ..PartSpec::default() };
    let textures = part(&inspector, member.clone()).expect("a file of textures");
    assert_eq!((whole.kind, textures.kind), (InputKind::Model, InputKind::Other));
    assert_eq!((whole.file, whole.hash), (textures.file, textures.hash), "the same file");
    assert_eq!((textures.name.as_str(), textures.part), ("lampwing.pac#2", member.clone()));
    let run = RunRequest { part: Some(member), ..RunRequest::default() };
    let stored = |texture, palette| {
        let request = Request::StoredTexture { run: run.clone(), texture, palette, max: None };
        inspector.answer(&request, &[])
    };
    let (Answer::Picture(picture), bytes) = stored(0, 0).expect("a texture") else { panic!("a picture") };
    assert_eq!((picture.width, picture.height, bytes.len()), (256, 128, 256 * 128 * 4));
    for (texture, palette, reason) in [(4, 0, "4 textures"), (0, 1, "1 palettes")] {
        let error = stored(texture, palette).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    }
    let error = inspector.answer(&Request::Events { run }, &[]).expect_err("it has no list");
    assert_eq!(error.info.code, "no-display-list", "{error}");
    let missing = PartSpec { member: Some("9".to_owned()), ..PartSpec::default() };
    assert!(part(&inspector, missing).is_err(), "there are four");
}

/// Alternatives change the run. If a model lacks them, they are refused in the command's words.
#[test]
fn alternatives_of_a_model_are_parts() {
    let inspector = opened("rover.rlb", &[("rover.rlb", sample::read("rover.rlb"))]);
    let vertices = |lod| {
        let alternative = PartSpec { lod: Some(lod), ..PartSpec::default() };
        let run = RunRequest { part: Some(alternative), ..RunRequest::default() };
        let Ok((Answer::Events(events), _)) = inspector.answer(&Request::Events { run }, &[]) else {
            panic!("events")
        };
        events.events.iter().filter_map(|event| event.vertices).sum::<u32>()
    };
    let [fine, coarse, again] = [0, 2, 0].map(vertices);
    assert!(fine > coarse && fine == again, "{fine} {coarse} {again}");
    let error = part(&inspector, PartSpec { lod: Some(7), ..PartSpec::default() }).expect_err("it has three");
    assert!(error.to_string().contains("levels of detail 0, 1, 2"), "{error}");
    let error = part(&inspector, PartSpec { hidden: true, ..PartSpec::default() }).expect_err("it has none");
    assert!(error.to_string().contains("no hidden parts"), "{error}");
}

/// The inspector gives a model's files back as they came, to write a page with them.
#[test]
fn files_are_given_back() {
    let files = [("lampwing.pmo", sample::read("lampwing.pmo")), ("skin.dat", sample::read("lampwing.tmh"))];
    let inspector = opened("lampwing.pmo", &files);
    let given = inspector.files(&RunRequest::default()).expect("the files");
    let expected: Vec<_> = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect();
    assert!(given.files == expected && given.member.is_none());
    let other = RunRequest { file: Some(FileNumber(9)), ..RunRequest::default() };
    assert_eq!(inspector.files(&other).expect_err("no such file").info.code, "file-gone");
}
