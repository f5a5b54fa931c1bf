//! Bytes as inputs of everything: what the fuzz targets of `tools/fuzz` run, and the tests of `fuzz_targets`.
//!
//! # Invariants
//! Each target takes any bytes and only comes back; what panics is a finding. Work is bounded by small [`Limits`].

use pspge::asm::{self, Image};
use pspge::formats::ppdmp::{Dump, DumpWriter, RecordKind};
use pspge::formats::{self, File, Format, Request};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::{Limit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::ge::registers::Registers;
use pspge::raster::{Engine, RasterOptions, Rasterizer, Statistics};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

use crate::exercise;

mod seeds;

pub use seeds::seeds;

/// A target: its name and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("open", open),
    ("replay", replay),
    ("list", list),
    ("assembler", assembler),
    ("sameness", sameness),
    ("export", export),
];

/// Where a list's vertices lie.
const VERTICES: u32 = 0x4_0000;
/// Bytes of a list; what follows are vertices.
const LIST: usize = 4096;
/// Most bytes of a list that are disassembled and assembled.
const ASSEMBLED: usize = 0x1000;
/// Where the seeds' textures lie.
const TEXELS: u32 = 0x2_0000;

/// An input is to take a few milliseconds, even with everything that a fuzzer watches.
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

/// Opens bytes for what they are, or as the format that the first byte names, with themselves as companion.
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
        assert!(
            message.starts_with("at 0x") && message.lines().count() == 1,
            "a place and a line: {message}"
        );
    }
}

/// Replays bytes as the records of a frame dump: each a kind, a length, and as many bytes.
pub fn replay(bytes: &[u8]) {
    let mut writer = DumpWriter::new(*b"FUZZ00001");
    let mut rest = bytes;
    while let Some((&[kind, low, high], behind)) = rest.split_first_chunk::<3>() {
        let length = usize::from(u16::from_le_bytes([low, high])).min(behind.len());
        let (payload, behind) = behind.split_at(length);
        if let Some(kind) = RecordKind::from_code(kind) {
            writer.push(kind, payload);
        }
        rest = behind;
    }
    let dump: Dump = writer.finish();
    if let Ok(capture) = dump.capture("fuzz") {
        let _ = exercise::capture(&capture, &limits());
    }
}

/// A list, its vertices behind it, and both again in VRAM.
fn list_capture(bytes: &[u8]) -> Capture {
    let (list, vertices) = bytes.split_at(bytes.len().min(LIST));
    let mut memory = Memory::default();
    let start = Address::new(USER_RAM_BASE);
    memory.write(Address::vram(0x1_0000), bytes.get(..bytes.len().min(0x1_0000)).unwrap_or_default());
    memory.write(start, list);
    memory.write(start.offset(VERTICES), vertices);
    memory.write(start.offset(TEXELS), bytes.get(..bytes.len().min(0x1_0000)).unwrap_or_default());
    Capture { memory, registers: Registers::new(), start, sources: Vec::new(), events: Vec::new() }
}

/// Runs bytes as a list, through everything.
pub fn list(bytes: &[u8]) {
    let _ = exercise::capture(&list_capture(bytes), &limits());
}

/// Reads bytes as assembly, and as a list whose disassembly has to be the same list.
pub fn assembler(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(program) = asm::assemble(text)
        && let Ok(image) = program.image()
        && image.len() < ASSEMBLED
    {
        again(program.base(), &image);
    }
    again(Address::new(USER_RAM_BASE), bytes.get(..bytes.len().min(ASSEMBLED)).unwrap_or_default());
}

/// Disassembles and assembles.
fn again(base: Address, bytes: &[u8]) {
    for image in [Image::with_list(base, bytes, base), Image::new(base, bytes)] {
        let text = asm::disassemble(&image);
        let program = match asm::assemble(&text) {
            Ok(program) => program,
            Err(error) => panic!("the disassembly cannot be assembled: {error}\n{text}"),
        };
        assert_eq!(program.image().as_deref(), Ok(bytes), "the disassembly is another list:\n{text}");
    }
}

/// Draws bytes as a list with the reference and the fast rasterizer, and compares what they leave.
pub fn sameness(bytes: &[u8]) {
    let capture = list_capture(bytes);
    let arithmetic = if bytes.len().is_multiple_of(2) { Arithmetic::Hardware } else { Arithmetic::Single };
    let draw = |options: RasterOptions, limits: &Limits| -> (Statistics, Vec<u8>, bool) {
        let mut capture = capture.clone();
        let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..options });
        let report = replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, limits).report;
        // Block transfers are cut by the interpreter.
        let of_pixels = |note: &Note| note.reached().is_some_and(|reached| reached.limit == Limit::Pixels);
        let is_cut = raster.reached().is_some() || report.notes.iter().any(of_pixels);
        (raster.statistics(), capture.memory.vram().to_vec(), is_cut)
    };
    let limits = limits();
    let fast = draw(RasterOptions::default(), &limits);
    // Only the pixels that the budget allows for can be compared.
    let threaded = draw(RasterOptions { threads: 2, ..RasterOptions::default() }, &limits);
    assert_eq!((fast.0, fast.2), (threaded.0, threaded.2), "what several threads draw");
    assert!(fast.1 == threaded.1, "several threads leave other bytes");
    if !fast.2 {
        let reference = RasterOptions { engine: Engine::Reference, ..RasterOptions::default() };
        let reference = draw(reference, &limits.without(Limit::Pixels).with(Limit::Time, LONGEST_MS));
        assert_eq!(fast.0, reference.0, "what the reference draws");
        assert!(fast.1 == reference.1, "the reference leaves other bytes");
    }
}

/// The reference needs no more for what the budget allows for.
const LONGEST_MS: u64 = 60_000;

/// Does everything with bytes for what they are.
pub fn export(bytes: &[u8]) {
    let _ = exercise::file("input", bytes, &limits());
}
