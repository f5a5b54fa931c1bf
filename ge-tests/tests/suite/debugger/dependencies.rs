//! Checks dependencies in recorded frames: a draw must be the writer of the bytes it changes, named writers must have
//! bytes, and the screen as a picture of memory must equal `render`'s picture.
//!
//! To run these tests, set `PSPGE_CORPUS`. Without it they print a message and pass.

use std::ops::Range;
use std::path::{Path, PathBuf};

use ge_tests::compare::differences;
use ge_tests::generate::Random;
use ge_tests::{frames, input};
use pspge::debug::memory::image::MemoryLayout;
use pspge::debug::passes::dependencies::{Dependencies, ReadKind};
use pspge::debug::passes::frame_graph::{FrameGraph, Node};
use pspge::debug::{EventNumber, Session, SessionOptions, Shot};
use pspge::ge::address::Address;
use pspge::ge::capture::Capture;
use pspge::pipeline::framebuffer::displayed;

/// How many draws to check in each dump, for the bytes they change.
const DRAWS: u32 = 3;

fn dumps() -> Vec<PathBuf> {
    frames::sampled_dumps(1).collect()
}

fn open(path: &Path) -> Capture {
    *input::frame_dump(&path.display().to_string(), &input::read(path)).0
}

/// A part of VRAM in which all bytes have the same last writer.
type Part = (Range<u32>, Option<EventNumber>);

/// Divides VRAM, in linear order, into parts by their last writers before an event.
fn writers(capture: &Capture, until: EventNumber) -> (Dependencies, Vec<Part>) {
    let found = Shot::new(capture.clone()).dependencies(Some(until));
    let mut writers = Vec::new();
    found.writers.visit(Address::vram(0), 2 << 20, found.memory.translation(), |part, writer| {
        writers.push((part, writer));
    });
    (found, writers)
}

#[test]
fn changed_bytes_count_for_their_draw() {
    let mut random = Random::new(23);
    for path in dumps() {
        let capture = open(&path);
        let mut session = Session::open(capture.clone(), SessionOptions::default());
        let count = u32::try_from(session.timeline().draws()).expect("few");
        for _ in 0..DRAWS {
            let draw =
                session.timeline().event_of_draw(random.below(count).into()).expect("it exists").number;
            session.seek(draw).expect("it exists");
            let before = session.memory().vram().to_vec();
            session.seek(draw.next()).expect("it exists");
            let (found, writers) = writers(&capture, draw.next());
            assert!(found.memory.vram() == session.memory().vram(), "the recorder draws as a session");
            let pass = found.passes.last().expect("a pass");
            let name = path.display();
            assert_eq!(pass.events[1], draw, "the last draw of the run so far in {name}");
            let mut parts = writers.iter();
            let mut part = parts.next();
            for at in differences(&before, session.memory().vram()) {
                while part.is_some_and(|(bytes, _)| bytes.end as usize <= at) {
                    part = parts.next();
                }
                let writer = part.and_then(|(_, writer)| *writer);
                assert_eq!(writer, Some(draw), "byte {at:#x} by event {draw} of {name}");
            }
        }
    }
}

/// Every edge must lead from an earlier event to a later event, and every pass must be on the graph.
#[test]
fn graphs_are_in_order() {
    for path in dumps() {
        let found = Shot::new(open(&path)).dependencies(None);
        let (graph, name) = (FrameGraph::new(&found), path.display());
        assert_eq!(found.limit_hit, None, "the whole of {name}");
        for edge in &graph.edges {
            let last = edge.readers.last().copied().unwrap_or(EventNumber(u32::MAX));
            assert!(edge.writers.iter().all(|writer| *writer < last), "an edge of {name}: {edge:?}");
            if let (Node::Pass(from), Node::Pass(to)) = (edge.from, edge.to) {
                assert!(from <= to, "an edge of {name}: {edge:?}");
            }
        }
        let draws: u64 = found.passes.iter().map(|pass| pass.draw_count()).sum();
        assert_eq!(draws, found.timeline.draws() as u64, "draws of the passes of {name}");
        let shown = graph.shown();
        assert!(found.passes.is_empty() || shown.len() > 1, "a pass reaches the screen in {name}");
    }
}

/// If a read names an event as a writer of VRAM, this event must still have bytes there just before the read.
#[test]
fn named_writers_have_bytes() {
    let mut checked = 0;
    for path in dumps() {
        let capture = open(&path);
        let found = Shot::new(capture.clone()).dependencies(None);
        let mut session = Session::open(capture.clone(), SessionOptions::default());
        let textures = found.reads.iter().filter(|read| read.kind == ReadKind::Texture);
        for read in textures.step_by(40).take(2) {
            let event = read.reader.expect("a draw");
            session.seek(event).expect("it exists");
            let (partial, writers) = writers(&capture, event);
            let total: u64 = read.writers.iter().map(|part| part.bytes).sum();
            let name = path.display();
            assert!(total > 0, "bytes are read by event {event} of {name}");
            for part in read.writers.iter().filter(|part| found.origins.get(part.writer.index()).is_some()) {
                let mut owned = writers.iter().filter(|(_, writer)| *writer == Some(part.writer));
                let in_ram = !read.address.is_vram();
                assert!(
                    in_ram || owned.any(|(bytes, _)| !bytes.is_empty()),
                    "event {} still owns bytes before {event} of {name}",
                    part.writer
                );
                checked += 1;
            }
            assert!(partial.memory.vram() == session.memory().vram(), "before event {event} of {name}");
        }
    }
    if !dumps().is_empty() {
        assert!(checked > 0, "a frame samples what it has drawn");
    }
}

#[test]
fn memory_shows_the_screen() {
    for path in dumps() {
        let session = Session::open(open(&path), SessionOptions::default());
        let Some(display) = session.replayed().display else { continue };
        let expected = displayed(display, session.memory(), 480, 272);
        let layout = MemoryLayout::new(display.address, display.format.into());
        let layout = MemoryLayout { size: [480, 272], stride: display.stride, ..layout };
        let mut shown = layout.picture(session.memory(), session.registers().clut()).into_rgba8();
        shown.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        assert!(shown == expected, "the screen of {}", path.display());
    }
}
