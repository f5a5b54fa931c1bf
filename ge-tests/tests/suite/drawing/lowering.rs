//! Checks draws lowered by any thread, some time later: they must draw the same as at once.

use ge_tests::compare::first_difference;
use ge_tests::delayed::DelayedRasterizer;
use ge_tests::generate::Random;
use ge_tests::long_checks;
use pspge::ge::address::{Address, USER_RAM_BASE, VRAM_BASE};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::{Limit, Limits};
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::{Matrix, Registers};
use pspge::raster::{RasterOptions, Rasterizer, Statistics};
use pspge::run::interpreter::{Ending, Interpreter, Report};
use pspge::run::sink::{NullObserver, Sink};

const LIST: Address = Address::new(USER_RAM_BASE);
/// Where vertices and indices are, in RAM.
const VERTICES: u32 = USER_RAM_BASE + 0x4_0000;
const VERTEX_BYTES: u32 = 0x4000;
/// Where transfers copy from.
const SOURCE: u32 = USER_RAM_BASE + 0x6_0000;
/// Texels or vertices in VRAM, where draws also write.
const DRAWN_OVER: u32 = 0x04_0000;
const STEPS: usize = 900;

/// Builds a list of draws, and of commands that change a draw's inputs. Most draws follow each other directly, to let
/// many wait at the same time.
fn list(random: &mut Random) -> ListBuilder {
    let mut list = ListBuilder::new(LIST);
    for (opcode, argument) in [
        (Opcode::FRAMEBUFWIDTH, 256),
        (Opcode::FRAMEBUFPIXFORMAT, 3),
        (Opcode::ZBUFPTR, 0x08_0000),
        (Opcode::ZBUFWIDTH, 256),
        (Opcode::ZTEST, 7),
        (Opcode::SCISSOR2, 127 | 99 << 10),
        (Opcode::REGION2, 127 | 99 << 10),
        (Opcode::TEXFORMAT, 3),
        (Opcode::TEXSIZE0, 0x0505),
        (Opcode::TEXBUFWIDTH0, 0x08_0020),
        (Opcode::PATCHDIVISION, 0x0202),
        (Opcode::TRANSFERSRCW, 0x08_0100),
        (Opcode::TRANSFERDSTW, 0x08_0100),
        (Opcode::OFFSETX, (2048 - 64) << 4),
        (Opcode::OFFSETY, (2048 - 50) << 4),
        (Opcode::VTYPE, VERTEX_TYPES[0]),
    ] {
        list.set(opcode, argument);
    }
    for (scale, value, center, at) in [
        (Opcode::VIEWPORTXSCALE, 64.0, Opcode::VIEWPORTXCENTER, 2048.0),
        (Opcode::VIEWPORTYSCALE, -50.0, Opcode::VIEWPORTYCENTER, 2048.0),
        (Opcode::VIEWPORTZSCALE, 32_767.0, Opcode::VIEWPORTZCENTER, 32_767.0),
    ] {
        list.float(scale, value).float(center, at);
    }
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let projection = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    list.matrix(Matrix::World, 0, &identity).matrix(Matrix::View, 0, &identity);
    list.matrix(Matrix::Projection, 0, &projection);
    for _ in 0..STEPS {
        step(&mut list, random);
    }
    list.finish();
    list
}

/// Positions with 8 or 16 bits, transformed or not, some with colours, texture coordinates, normals or indices.
const VERTEX_TYPES: [u32; 6] = [0x0000_0080, 0x0080_011D, 0x0000_009D, 0x0000_1122, 0x0080_0902, 0x0000_00A1];

fn step(list: &mut ListBuilder, random: &mut Random) {
    let place = |random: &mut Random| Address::new(VERTICES + random.below(VERTEX_BYTES / 4) * 4);
    match random.below(40) {
        0..16 => _ = list.set(Opcode::PRIM, random.below(7) << 16 | (1 + random.below(12))),
        16..18 => _ = list.set(Opcode::PRIM, 7 << 16 | random.below(6)),
        18 => _ = list.set(Opcode::BEZIER, 4 | 4 << 8),
        19..22 => _ = list.address(Opcode::VADDR, place(random)),
        22 => _ = list.address(Opcode::IADDR, place(random)),
        23..25 => _ = list.set(Opcode::VTYPE, random.pick(&VERTEX_TYPES)),
        25 => {
            let at: [f32; 3] = [(); 3].map(|()| random.float(-0.5, 0.5));
            list.matrix(Matrix::World, 9, &at);
        }
        26..28 => _ = list.set(Opcode::MATERIALAMBIENT, random.bits() & 0xFF_FFFF),
        28..31 => _ = list.set(Opcode::TEXFLUSH, 0),
        31 => _ = list.set(Opcode::TEXENABLE, random.below(2)),
        32 => {
            let at = random.pick(&[DRAWN_OVER, 0, SOURCE]);
            list.set(Opcode::TEXADDR0, at & 0xFF_FFFF);
        }
        33 => _ = list.set(Opcode::FRAMEBUFPTR, random.pick(&[0, 0, DRAWN_OVER])),
        34 => _ = list.set(Opcode::ZTESTENABLE, random.below(2)),
        35 if random.once_in(4) => _ = list.address(Opcode::VADDR, Address::vram(DRAWN_OVER)),
        36 if random.once_in(3) => {
            let to = random.pick(&[VERTICES, VRAM_BASE + DRAWN_OVER, VRAM_BASE]);
            list.set(Opcode::TRANSFERSRC, SOURCE & 0xFF_FFFF).set(Opcode::TRANSFERDST, to & 0xFF_FFFF);
            list.set(Opcode::TRANSFERSRCW, (SOURCE >> 8) & 0xFF_0000 | 256);
            list.set(Opcode::TRANSFERDSTW, (to >> 8) & 0xFF_0000 | 256);
            list.set(Opcode::TRANSFERSRCPOS, random.below(64) << 10);
            list.set(Opcode::TRANSFERSIZE, 127 | random.below(8) << 10).set(Opcode::TRANSFERSTART, 1);
        }
        37 => _ = list.set(Opcode::VCV, random.bits() & 0xFF_FFFF).set(Opcode::VAP, random.below(7) << 8),
        _ => {}
    }
}

/// Everything to compare after a run.
#[derive(Debug, PartialEq)]
struct Shown {
    reports: Vec<Report>,
    statistics: Statistics,
    cost: u64,
}

/// Runs a list in pieces. Between them the host writes vertices while draws are pending.
fn run(seed: u64, threads: u32) -> (Shown, Memory) {
    let mut random = Random::new(seed);
    let mut memory = Memory::default();
    let list = list(&mut random);
    list.store(&mut memory);
    memory.write(Address::new(VERTICES), &random.bytes(VERTEX_BYTES as usize + 0x1000));
    memory.write(Address::new(SOURCE), &random.bytes(0x2_0000));
    memory.write(Address::new(VRAM_BASE), &random.bytes(0x10_0000));
    let mut limits = Limits::default();
    if seed % 3 == 2 {
        limits = limits.with(Limit::Pixels, u64::from(random.below(1_000_000)));
    }
    let options = RasterOptions { threads, ..RasterOptions::default() };
    let mut sink = DelayedRasterizer { inner: Rasterizer::new(options), random: Random::new(seed) };
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    interpreter.start(LIST);
    interpreter.begin(&mut memory, &mut sink, &limits);
    let mut reports = Vec::new();
    let mut stall = LIST;
    loop {
        stall = stall.offset(4 + 4 * random.below(600));
        let is_inside = stall.get() < list.here().get() && seed % 2 == 1;
        interpreter.set_stall(is_inside.then_some(stall));
        let report = interpreter.resume_unflushed(&mut memory, &mut sink, &mut NullObserver, &limits);
        let is_stalled = report.ending == Ending::Stalled;
        reports.push(report);
        if !is_stalled {
            break;
        }
        let bytes = random.bytes(64);
        memory.write(Address::new(VERTICES + random.below(VERTEX_BYTES)), &bytes);
    }
    sink.flush(&mut memory);
    let DelayedRasterizer { inner, .. } = sink;
    (Shown { reports, statistics: inner.statistics(), cost: inner.cost() }, memory)
}

#[test]
fn any_thread_lowers_the_same() {
    let mut pixels = 0;
    for seed in 0..long_checks::rounds(24) {
        let expected = run(seed, 1);
        pixels += expected.0.statistics.pixels;
        for threads in [2, 3, 8] {
            let found = run(seed, threads);
            let what = format!("list {seed}, {threads} threads");
            assert_eq!(found.0, expected.0, "{what}");
            let first = first_difference(expected.1.vram(), found.1.vram());
            assert_eq!(first, None, "VRAM, {what}");
        }
    }
    assert!(pixels > 330_000, "{pixels} pixels");
}
