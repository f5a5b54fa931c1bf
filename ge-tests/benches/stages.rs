//! Measures each stage's throughput on generated lists, and on whole frames if `PSPGE_CORPUS` is set.
//!
//!     cargo bench -p ge-tests --bench stages [-- NAME]
//!
//! Each stage is measured with several amounts of work, to find costs that grow faster than the work: then the
//! throughput falls as the work grows.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ge_tests::lists;
use pspge::formats::{self, Content, Request};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::ge::registers::vertex::PrimitiveType;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, NullSink};

/// The address for vertices.
const VERTICES: Address = Address::new(USER_RAM_BASE + 0x80_0000);
/// The address for texels.
const TEXELS: Address = Address::new(USER_RAM_BASE + 0x40_0000);
/// The most vertices in a draw.
const DRAW_VERTICES: usize = 0xFFFC;

/// Vertex type in through mode: 16-bit texture coordinates and positions, ABGR8888 colour.
const THROUGH_TYPE: u32 = 1 << 23 | 2 << 7 | 2 | 7 << 2;

/// A list to run, and the memory with its vertices and texels.
struct Program {
    memory: Memory,
    list: ListBuilder,
}

impl Program {
    fn new() -> Self {
        let mut list = ListBuilder::new(Address::new(USER_RAM_BASE));
        lists::screen(&mut list);
        list.set(Opcode::SHADEMODE, 1).address(Opcode::VADDR, VERTICES);
        let mut memory = Memory::default();
        let noise: Vec<u8> =
            (0..1_u32 << 20).map(|at| at.wrapping_mul(0x9E37_79B1).to_le_bytes()[3]).collect();
        memory.write(TEXELS, &noise);
        Self { memory, list }
    }

    fn set(mut self, settings: &[(Opcode, u32)]) -> Self {
        for (opcode, argument) in settings {
            self.list.set(*opcode, *argument);
        }
        self
    }

    fn transformed(mut self) -> Self {
        lists::transform(&mut self.list);
        self
    }

    /// Draws `count` vertices given as 16-bit words, in as few draws as possible.
    fn prim(mut self, vertex_type: u32, primitive: PrimitiveType, words: &[u16], count: usize) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory.write(VERTICES, &bytes);
        self.list.set(Opcode::VTYPE, vertex_type);
        let mut left = count;
        while left > 0 {
            let now = left.min(DRAW_VERTICES);
            self.list.prim(primitive, u16::try_from(now).unwrap_or(u16::MAX));
            left -= now;
        }
        self
    }

    /// Ends the list and stores it in memory.
    fn finished(mut self) -> Self {
        self.list.finish();
        self.list.store(&mut self.memory);
        self
    }

    /// Executes the list without drawing, to measure the interpreter alone.
    fn interpret(&mut self) {
        let mut engine = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let start = Address::new(USER_RAM_BASE);
        let mut limits = Limits::default();
        limits.commands = u64::MAX;
        let report = engine.run(&mut self.memory, start, &mut NullSink, &mut NullObserver, &limits);
        assert_eq!(report.ending, Ending::Finished, "the list runs to its end");
    }

    /// Draws the list. Counts the pixels that passed all tests.
    fn draw(&mut self) -> u64 {
        let mut raster = Rasterizer::new(RasterOptions::default());
        let mut engine = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let start = Address::new(USER_RAM_BASE);
        let mut limits = Limits::default();
        (limits.vertices, limits.pixels) = (u64::MAX, u64::MAX);
        let report = engine.run(&mut self.memory, start, &mut raster, &mut NullObserver, &limits);
        assert_eq!(report.ending, Ending::Finished, "the list runs to its end");
        raster.statistics().pixels
    }
}

/// Measures a program with `amount` units of work.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: impl Into<String>,
    amount: usize,
    mut program: Program,
) {
    group.throughput(Throughput::Elements(amount as u64));
    let id = BenchmarkId::new(name, amount);
    group.bench_function(id, |bencher| bencher.iter(|| black_box(program.draw())));
}

/// Measures commands that change state, without draws.
fn commands(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("commands");
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let mut program = Program::new();
        for at in 0..count / 4 {
            program.list.set(Opcode::MATERIALALPHA, at & 255).set(Opcode::BLENDENABLE, at & 1);
            program.list.float(Opcode::TEXSCALEU, 1.0).set(Opcode::NOP, 0);
        }
        let mut program = program.finished();
        group.throughput(Throughput::Elements(count.into()));
        let id = BenchmarkId::new("state", count);
        group.bench_function(id, |bencher| bencher.iter(|| program.interpret()));
    }
    group.finish();
}

/// Measures how long vertices take to decode and transform. All triangles are outside the screen, to leave out
/// drawing.
fn vertices(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vertices");
    // These positions are far above the screen in every layout.
    let words = vec![0x7F7F; 24 * DRAW_VERTICES];
    let lit = [Opcode::LIGHTINGENABLE, Opcode::LIGHTENABLE0, Opcode::LIGHTENABLE0.plus(1)].map(|on| (on, 1));
    let layouts = [
        ("bytes", 1 << 7 | 1 << 5 | 1, &[][..]),
        ("shorts", 2 << 7 | 2 << 5 | 2 | 7 << 2, &[][..]),
        ("floats", 3 << 7 | 3 << 5 | 3 | 7 << 2, &[][..]),
        ("weights", 2 << 7 | 2 << 5 | 2 | 1 << 9 | 3 << 14, &[][..]),
        ("lights", 2 << 7 | 2 << 5 | 2, &lit),
    ];
    for (name, layout, settings) in layouts {
        for count in [DRAW_VERTICES / 16, DRAW_VERTICES, 4 * DRAW_VERTICES] {
            let program = Program::new().transformed().set(settings);
            let program = program.set(&[(Opcode::SCISSOR2, 0), (Opcode::SCISSOR1, 0)]);
            let program = program.prim(layout, PrimitiveType::TRIANGLE_STRIP, &words, count).finished();
            measure(&mut group, name, count, program);
        }
    }
    group.finish();
}

/// Measures triangles in several sizes, to go from setup cost to pixel cost.
fn triangles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("triangles");
    for size in [2, 8, 32, 128] {
        for count in [1_024, 4_096, 16_384] {
            let words: Vec<u16> = (0..count)
                .flat_map(|number: u16| {
                    let (x, y) = (number % 61 * 6, number / 61 % 61 * 6);
                    let color = [number.wrapping_mul(0x1357), 0xFF80];
                    // Words: u, v, colour, position, and depth.
                    let corner = move |x, y| [x, y, color[0], color[1], x, y, number, 0];
                    [corner(x, y), corner(x + size, y), corner(x, y + size)]
                })
                .flatten()
                .collect();
            let per_draw: Vec<u16> = words.iter().copied().take(8 * DRAW_VERTICES).collect();
            let program = Program::new().prim(
                THROUGH_TYPE,
                PrimitiveType::TRIANGLES,
                &per_draw,
                3 * usize::from(count),
            );
            measure(&mut group, format!("legs of {size}"), count.into(), program.finished());
        }
    }
    group.finish();
}

/// Builds a program to cover the screen `count` times with two triangles.
fn layers(count: usize) -> Program {
    let corner = |x: u16, y: u16| [x, y, 0x4080 ^ x, 0x80C0 ^ y, x, y, 0x4000 + 16 * x, 0];
    let strip = [corner(0, 0), corner(512, 0), corner(0, 512), corner(512, 512)];
    let words: Vec<u16> = strip.into_iter().flatten().collect();
    let mut program = Program::new();
    for _ in 0..count {
        program.list.address(Opcode::VADDR, VERTICES);
        program = program.prim(THROUGH_TYPE, PrimitiveType::TRIANGLE_STRIP, &words, 4);
    }
    program
}

/// Builds the same program, with state to set before it.
fn layers_with(settings: &[(Opcode, u32)], count: usize) -> Program {
    let mut program = Program::new().set(settings);
    let drawn = layers(count);
    for word in &drawn.list.words()[Program::new().list.words().len()..] {
        program.list.push(pspge::ge::command::Command::from_word(*word));
    }
    program.memory = drawn.memory;
    program.finished()
}

const TEXTURE: [(Opcode, u32); 6] = [
    (Opcode::TEXENABLE, 1),
    (Opcode::TEXADDR0, TEXELS.get() & 0xFF_FFFF),
    (Opcode::TEXBUFWIDTH0, 256 | (TEXELS.get() >> 24) << 16),
    (Opcode::TEXSIZE0, 0x0808),
    (Opcode::TEXFORMAT, 3),
    (Opcode::TEXFUNC, 0x100),
];

/// Measures the pixel stages, alone and together.
fn pixels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pixels");
    group.sample_size(30);
    let linear = (Opcode::TEXFILTER, 1 | 1 << 8);
    let blend = [(Opcode::BLENDENABLE, 1), (Opcode::BLENDMODE, 2 | 3 << 4)];
    let depth = [(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 1)];
    let stencil = [
        (Opcode::STENCILTESTENABLE, 1),
        (Opcode::STENCILTEST, 1 | 0xFF << 16),
        (Opcode::STENCILOP, 0x04_0404),
    ];
    let alpha = [(Opcode::ALPHATESTENABLE, 1), (Opcode::ALPHATEST, 6 | 0x40 << 8 | 0xFF << 16)];
    let narrow = [(Opcode::FRAMEBUFPIXFORMAT, 1), (Opcode::DITHERENABLE, 1), (Opcode::DITH0, 0xF8_2A71)];
    let logic = [(Opcode::LOGICOPENABLE, 1), (Opcode::LOGICOP, 6)];
    let clear = [(Opcode::CLEARMODE, 0x701)];
    let paths: Vec<(&str, Vec<(Opcode, u32)>)> = vec![
        ("clear", clear.to_vec()),
        ("colour", Vec::new()),
        ("nearest", TEXTURE.to_vec()),
        ("linear", [&TEXTURE[..], &[linear]].concat()),
        ("blend", blend.to_vec()),
        ("linear and blend", [&TEXTURE[..], &[linear], &blend].concat()),
        ("depth", depth.to_vec()),
        ("stencil", stencil.to_vec()),
        ("alpha test", [&TEXTURE[..], &alpha].concat()),
        ("logic", logic.to_vec()),
        ("16 bits and dither", narrow.to_vec()),
        ("everything", [&TEXTURE[..], &[linear], &blend, &depth, &stencil, &alpha, &narrow, &logic].concat()),
    ];
    for (name, settings) in paths {
        for count in [1, 4, 16] {
            measure(&mut group, name, count * 512 * 512, layers_with(&settings, count));
        }
    }
    group.finish();
}

/// Measures texture formats, with nearest and linear filters.
fn textures(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("textures");
    group.sample_size(30);
    let formats =
        ["5650", "5551", "4444", "8888", "CLUT4", "CLUT8", "CLUT16", "CLUT32", "DXT1", "DXT3", "DXT5"];
    for (number, name) in (0..).zip(formats) {
        for swizzled in [0, 1] {
            for filter in [0, 1 | 1 << 8] {
                let state = [
                    (Opcode::TEXFORMAT, number),
                    (Opcode::TEXMODE, swizzled),
                    (Opcode::TEXFILTER, filter),
                    (Opcode::CLUTFORMAT, 0xFF03),
                ];
                let settings = [&TEXTURE[..], &state].concat();
                let order = if swizzled == 1 { "swizzled" } else { "rows" };
                let filter = if filter == 0 { "nearest" } else { "linear" };
                measure(&mut group, format!("{name} {order} {filter}"), 512 * 512, layers_with(&settings, 1));
            }
        }
    }
    group.finish();
}

/// Measures frames from games.
fn frames(criterion: &mut Criterion) {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        eprintln!("frames: skipped, PSPGE_CORPUS is not set");
        return;
    };
    let mut group = criterion.benchmark_group("frames");
    group.sample_size(10);
    for (name, path) in ge_tests::frames::dumps(&std::path::Path::new(&corpus).join("frames")) {
        let bytes = std::fs::read(&path).expect("can be read");
        let opened = formats::open(&Request::new(&name, &bytes)).expect("is a frame dump");
        let Content::Frame { capture, .. } = opened.content else { panic!("{name}: not a frame dump") };
        for threads in [1, 2] {
            group.bench_function(BenchmarkId::new(&name, threads), |bencher| {
                let fresh = || {
                    (capture.clone(), Rasterizer::new(RasterOptions { threads, ..RasterOptions::default() }))
                };
                bencher.iter_batched(
                    fresh,
                    |(mut capture, mut raster)| {
                        let limits = Limits::default();
                        let arithmetic = Arithmetic::Hardware;
                        replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, &limits)
                    },
                    criterion::BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(stages, commands, vertices, triangles, pixels, textures, frames);
criterion_main!(stages);
