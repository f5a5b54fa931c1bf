//! Damages frame dumps: truncates them, changes bytes, and adds invalid records. Each must give a picture or an error
//! in a single line with an offset, in bounded time and memory.
//!
//! To run most of these tests, set `PSPGE_CORPUS`; a dump for the others is generated here.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use ge_tests::damage::{assert_located, count_parallel, random_word};
use ge_tests::{corpus, frames, input};
use pspge::formats::ppdmp::{self, Dump, DumpWriter, RecordKind};
use pspge::formats::{self, Content, Request};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::{Limit, Limits};
use pspge::ge::memory::Memory;
use pspge::pipeline::framebuffer;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::Step;

/// Enough for the start of a frame, because errors show there, or during reading.
const LIMITS: Limits =
    Limits::none().with(Limit::Commands, 20_000).with(Limit::Vertices, 4_000).with_notes(100);

/// Lists all dumps in the corpus.
fn dumps() -> Vec<(String, PathBuf)> {
    ["hardware", "frames"].into_iter().filter_map(corpus::folder).flat_map(|f| frames::dumps(&f)).collect()
}

/// Opens a dump. If it is refused, checks the error and returns `None`.
fn open(name: &str, bytes: &[u8]) -> Option<(Capture, Arc<Dump>)> {
    match formats::open(&Request::new(name, bytes)) {
        Ok(opened) => {
            let Content::Frame { capture, recording, .. } = opened.content else {
                panic!("{name}: not a frame")
            };
            Some((*capture, recording.downcast().expect("a frame dump")))
        }
        Err(error) => {
            assert_located(name, &error, bytes.len());
            None
        }
    }
}

/// Draws the start of a frame.
fn draw(name: &str, mut capture: Capture) {
    let mut raster = Rasterizer::new(RasterOptions::default());
    // Damage may repeat the same large triangle many times, and more than 200 draws only cost time, so this stops the
    // run there.
    let mut watch = |_: &Memory, step: &Step<'_>| {
        if step.draws < 200 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let replayed = replay::run(&mut capture, Arithmetic::Hardware, &mut raster, &mut watch, &LIMITS);
    assert!(replayed.report.notes.len() <= LIMITS.notes, "{name}: within the limit of notes");
    if let Some(display) = replayed.display {
        let picture = framebuffer::displayed(display, &capture.memory, 480, 272);
        assert_eq!(picture.dimensions(), (480, 272), "{name}: size of the picture");
    }
}

#[test]
fn truncated_dumps_are_refused() {
    for (name, path) in dumps() {
        let bytes = input::read(&path);
        let steps = (1..60).map(|step| bytes.len() * step / 60);
        let lengths: Vec<usize> = (0..64).chain(steps).chain([bytes.len() - 1]).collect();
        let opened = count_parallel(lengths.len(), |number| open(&name, &bytes[..lengths[number]]).is_some());
        assert_eq!(opened, 0, "{name}: truncated dumps are refused");
        assert!(open(&name, &bytes).is_some(), "{name}: the whole dump opens");
    }
}

#[test]
fn changed_bytes_give_pictures_or_errors() {
    for (name, path) in dumps() {
        let bytes = input::read(&path);
        // Large frames take longer, so this makes fewer changes to them.
        let changes = if bytes.len() < 20_000 { 64 } else { 6 };
        count_parallel(changes, |number| {
            let seed = number * 4;
            let mut damaged = bytes.clone();
            // Make half of the changes in the header, before the records.
            let range = if number % 2 == 0 { bytes.len().min(48) } else { bytes.len() };
            let offset = random_word(seed) as usize % range;
            damaged[offset] ^= random_word(seed + 1).to_le_bytes()[0] | 1;
            let opened = open(&name, &damaged);
            let drawn = opened.is_some();
            if let Some((capture, _)) = opened {
                draw(&name, capture);
            }
            drawn
        });
    }
}

/// Changes a record, or a word in its payload.
fn damage(dump: &Dump, seed: usize) -> Dump {
    let mut damaged = dump.clone();
    let random = |number: usize| random_word(seed * 8 + number);
    let number = random(0) as usize % damaged.records.len().max(1);
    let value = [0, u32::MAX, random(1), random(1) % 64][random(2) as usize % 4];
    let record = damaged.records[number];
    match random(3) % 6 {
        0 => damaged.records[number].start = value,
        1 => damaged.records[number].length = value,
        2 => {
            let [code, ..] = random(4).to_le_bytes();
            damaged.records[number].kind = RecordKind::from_code(code % 32).unwrap_or(RecordKind::Registers);
        }
        3 => {
            damaged.records.remove(number);
        }
        _ => {
            let at = record.start as usize + random(4) as usize % (record.length.max(4) as usize) / 4 * 4;
            if let Some(word) = damaged.payload.get_mut(at..at + 4) {
                word.copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    damaged
}

/// Passes small dumps through a file; damages large dumps in memory only, because they take long to compress.
#[test]
fn changed_records_give_pictures_or_errors() {
    let mut drawn = 0;
    for (name, path) in dumps() {
        let bytes = input::read(&path);
        let (_, dump) = open(&name, &bytes).unwrap_or_else(|| panic!("{name}: opens"));
        let small = dump.payload.len() < 200_000;
        drawn += count_parallel(if small { 24 } else { 6 }, |seed| {
            let damaged = damage(&dump, seed);
            let capture = if small {
                open(&name, &damaged.to_bytes()).map(|(capture, _)| capture)
            } else {
                damaged.capture(&name).ok()
            };
            capture.is_some_and(|capture| {
                draw(&name, capture);
                true
            })
        });
    }
    assert!(drawn > 0 || corpus::folder("frames").is_none(), "some damaged dumps draw");
}

/// Tests data that decompresses to more than declared, and implausible declared sizes.
#[test]
fn decompression_is_bounded() {
    let mut writer = DumpWriter::new(*b"TEST00001");
    writer.push(RecordKind::Init, &vec![0; ppdmp::CONTEXT_BYTES as usize]);
    writer.push(RecordKind::Vertices, &vec![7; 1 << 20]);
    let bytes = writer.finish().to_bytes();
    assert!(open("whole", &bytes).is_some(), "the unchanged dump opens");
    // After magic, version, game and padding, a dump says how many records and how many payload bytes it has.
    for (offset, values) in [(24, [3, 1 << 21, u32::MAX]), (28, [0x800, 64 << 20, u32::MAX])] {
        for value in values {
            let mut damaged = bytes.clone();
            damaged[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
            assert!(open("other size", &damaged).is_none(), "at {offset}: {value:#x}");
        }
    }
    // A frame with run-length blocks: each expands four bytes to 128 KiB, all together to 256 KiB to 8 GiB.
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58];
    let block = |last: u32| (0x2_0000u32 << 3 | 1 << 1 | last).to_le_bytes();
    for _ in 0..0xFFFF {
        frame.extend_from_slice(&block(0)[..3]);
        frame.push(7);
    }
    frame.extend_from_slice(&block(1)[..3]);
    frame.push(7);
    // The payload follows the compressed records: its length and its bytes.
    let records = u32::from_le_bytes(bytes[32..36].try_into().expect("four bytes")) as usize;
    let mut bomb = bytes[..36 + records].to_vec();
    bomb.extend(u32::try_from(frame.len()).expect("small").to_le_bytes());
    bomb.extend(frame);
    assert!(open("bomb", &bomb).is_none(), "more than declared");
}
