//! Defines the fuzz targets for `tools/fuzz`; to keep them working, the tests in `fuzz_targets` run them, too.
//!
//! # Invariants
//! Each target accepts any bytes and returns; a panic is a finding. Small [`Limits`] bound the work.

use pspge::asm::{self, Image};
use pspge::formats::ppdmp::{Dump, DumpWriter, RecordKind};
use pspge::formats::{self, File, Format, Request};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::{Limit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::Registers;
use pspge::raster::{Engine, RasterOptions, Rasterizer, Statistics};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

use crate::{exercise, exercise_debugger, exercise_inspector};

mod seeds;

pub use seeds::seeds;

/// A target: its name, and the function to call with each input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("open", open),
    ("replay", replay),
    ("list", list),
    ("assembler", assembler),
    ("sameness", sameness),
    ("export", export),
    ("debugger", debugger),
    ("inspector", inspector),
];

/// Where a list's vertices start.
const VERTEX_OFFSET: u32 = 0x4_0000;
/// How many bytes are for the list; the rest of the input is for vertices.
const LIST_BYTES: usize = 4096;
/// The longest list to disassemble and assemble, in bytes.
const MAX_ASSEMBLED_BYTES: usize = 0x1000;
/// Where the seeds' textures start.
const TEXEL_OFFSET: u32 = 0x2_0000;

/// Limits to keep an input to a few milliseconds, even with a fuzzer's instrumentation.
fn limits() -> Limits {
    Limits::default()
        .with(Limit::Commands, 2000)
        .with(Limit::Draws, 60)
        .with(Limit::Vertices, 1500)
        .with(Limit::PatchVertices, 1500)
        .with(Limit::Pixels, 100_000)
        .with(Limit::DecodedBytes, 2_000_000)
        .with(Limit::Memory, 1_000_000)
}

/// Opens the bytes in the recognised format, or in a format selected by the first byte. The upper bits of this byte
/// tell whether to pass half of the input as a companion file.
pub fn open(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let format = Format::all().nth(usize::from(first & 0x1F));
    let (input, other) = match first >> 5 {
        0..=3 => (rest, None),
        _ => {
            let (front, back) = rest.split_at(rest.len() / 2);
            (front, Some(File { name: "other", bytes: back }))
        }
    };
    let mut request = Request::new("input", input);
    request.limits = limits();
    request.format = format;
    request.textures = other;
    request.skeleton = other.filter(|_| first & 0x20 != 0);
    request.animations = other.filter(|_| first & 0x40 != 0);
    request.mesh_data = other.filter(|_| first & 0x60 == 0x60);
    if let Err(error) = formats::open(&request) {
        let message = error.to_string();
        assert_eq!(message.lines().count(), 1, "one line: {message}");
        let is_inside = |offset| offset <= bytes.len() as u64;
        assert!(error.offset.is_none_or(is_inside), "the offset is inside the file: {message}");
    }
}

/// Replays the bytes as records in a frame dump. A record is a type (1 byte), a length (2 bytes) and its payload.
pub fn replay(bytes: &[u8]) {
    let mut writer = DumpWriter::new(*b"FUZZ00001");
    let mut rest = bytes;
    while let Some((&[kind, low, high], after)) = rest.split_first_chunk::<3>() {
        let length = usize::from(u16::from_le_bytes([low, high])).min(after.len());
        let (payload, after) = after.split_at(length);
        if let Some(kind) = RecordKind::from_code(kind) {
            writer.push(kind, payload);
        }
        rest = after;
    }
    let dump: Dump = writer.finish();
    if let Ok(capture) = dump.capture("fuzz") {
        let _ = exercise::capture(&capture, &limits());
    }
}

/// Builds a capture for a list and its vertices, with a copy of both in VRAM.
fn list_capture(bytes: &[u8]) -> Capture {
    let (list, vertices) = bytes.split_at(bytes.len().min(LIST_BYTES));
    let mut memory = Memory::default();
    let start = Address::new(USER_RAM_BASE);
    memory.write(Address::vram(0x1_0000), bytes.get(..bytes.len().min(0x1_0000)).unwrap_or_default());
    memory.write(start, list);
    memory.write(start.offset(VERTEX_OFFSET), vertices);
    memory.write(start.offset(TEXEL_OFFSET), bytes.get(..bytes.len().min(0x1_0000)).unwrap_or_default());
    Capture {
        memory,
        registers: Registers::new(),
        start,
        stall: None,
        sources: Vec::new(),
        events: Vec::new(),
        overrides: Overrides::default(),
    }
}

/// Runs the bytes as a list and does everything with it.
pub fn list(bytes: &[u8]) {
    let _ = exercise::capture(&list_capture(bytes), &limits());
}

/// Assembles the bytes as text, and checks that disassembling the list and assembling it again gives the same bytes.
pub fn assembler(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(program) = asm::assemble(text)
        && let Ok(image) = program.image()
        && image.len() < MAX_ASSEMBLED_BYTES
    {
        round_trip(program.base(), &image);
    }
    round_trip(
        Address::new(USER_RAM_BASE),
        bytes.get(..bytes.len().min(MAX_ASSEMBLED_BYTES)).unwrap_or_default(),
    );
}

/// Checks that bytes survive being disassembled and assembled.
fn round_trip(base: Address, bytes: &[u8]) {
    for image in [Image::with_list(base, bytes, base), Image::new(base, bytes)] {
        let text = asm::disassemble(&image);
        let program = match asm::assemble(&text) {
            Ok(program) => program,
            Err(error) => panic!("the disassembly does not assemble: {error}\n{text}"),
        };
        assert_eq!(
            program.image().as_deref(),
            Ok(bytes),
            "the disassembly assembles to another list:\n{text}"
        );
    }
}

/// Draws the bytes as a list with the reference and the fast rasterizer, to compare VRAM and statistics.
pub fn sameness(bytes: &[u8]) {
    let capture = list_capture(bytes);
    let arithmetic = if bytes.len().is_multiple_of(2) { Arithmetic::Hardware } else { Arithmetic::Single };
    let draw = |options: RasterOptions, limits: &Limits| -> (Statistics, Vec<u8>, bool) {
        let mut capture = capture.clone();
        let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..options });
        let report = replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, limits).report;
        // The interpreter cuts block transfers, so its notes have to be checked, too.
        let of_pixels = |note: &Note| note.limit_hit().is_some_and(|reached| reached.limit == Limit::Pixels);
        let is_cut = raster.limit_hit().is_some() || report.notes.iter().any(of_pixels);
        (raster.statistics(), capture.memory.vram().to_vec(), is_cut)
    };
    let limits = limits();
    let fast = draw(RasterOptions::default(), &limits);
    // If the budget cut this run, the reference draws other pixels, so only the thread counts are compared.
    let threaded = draw(RasterOptions { threads: 2, ..RasterOptions::default() }, &limits);
    assert_eq!((fast.0, fast.2), (threaded.0, threaded.2), "statistics of several threads");
    assert!(fast.1 == threaded.1, "VRAM of several threads");
    if !fast.2 {
        let reference = RasterOptions { engine: Engine::Reference, ..RasterOptions::default() };
        let reference =
            draw(reference, &limits.without(Limit::Pixels).with(Limit::Time, REFERENCE_TIME_LIMIT_MS));
        assert_eq!(fast.0, reference.0, "statistics of the reference");
        assert!(fast.1 == reference.1, "VRAM of the reference");
    }
}

/// How long the reference may draw: ample time for all pixels within the budget.
const REFERENCE_TIME_LIMIT_MS: u64 = 60_000;

/// Opens the bytes and does everything with the content.
pub fn export(bytes: &[u8]) {
    let _ = exercise::file("input", bytes, &limits());
}

/// Runs the bytes as a list and looks at the run with the debugger.
pub fn debugger(bytes: &[u8]) {
    exercise_debugger::capture(&list_capture(bytes), &limits());
}

/// Opens the bytes in the inspector and asks it everything, and sends them as a message, too.
pub fn inspector(bytes: &[u8]) {
    exercise_inspector::file(bytes, limits());
}
