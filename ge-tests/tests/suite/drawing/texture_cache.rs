//! Checks the texture cache: both engines must draw the same, with any number of threads, whatever changes between
//! draws.

use ge_tests::compare::first_difference;
use ge_tests::generate::{self, Random};
use ge_tests::long_checks;
use pspge::asm;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::command::Command;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::pipeline::primitive::ScreenPrimitive;
use pspge::raster::{Engine, RasterOptions, Rasterizer, Statistics};
use pspge::run::interpreter::{Interpreter, Limits};
use pspge::run::sink::{NullObserver, Sink};

/// Where textures are: in main RAM, in VRAM, in a depth view of it, and in the targets.
const TEXTURES: [u32; 6] = [0x0880_0000, 0x0880_0800, 0x0410_0000, 0x0470_0000, 0x0400_2000, 0x0400_0000];
/// Where draws go: the second target holds textures.
const TARGETS: [u32; 3] = [0, 0, 0x10_0000];

/// A step in a program.
#[derive(Clone, Debug)]
enum Step {
    Draw {
        registers: Box<Registers>,
        primitives: Vec<ScreenPrimitive>,
    },
    FlushTextures,
    /// Writes bytes and tells the sink.
    Write {
        start: Address,
        length: u32,
        value: u8,
    },
    /// Writes bytes after a flush, because from then on anybody may write.
    Flush {
        start: Address,
        length: u32,
        value: u8,
    },
}

impl Step {
    fn new(random: &mut Random, through: bool, arithmetic: Arithmetic) -> Self {
        let start = Address::new(random.pick(&TEXTURES)).offset(random.below(0x1000));
        let length = random.below(0x400) + 1;
        let value = random.bits().to_le_bytes()[0];
        match random.below(12) {
            0 => Self::FlushTextures,
            1 | 2 => Self::Write { start, length, value },
            3 => Self::Flush { start, length, value },
            _ => {
                let texture = random.pick(&TEXTURES);
                let mut registers = generate::registers(random, texture, through);
                let mut set = |opcode, argument| registers.write(Command::new(opcode, argument));
                set(Opcode::TEXENABLE, 1);
                set(Opcode::FRAMEBUFPTR, random.pick(&TARGETS));
                if !random.once_in(8) {
                    set(Opcode::CLEARMODE, 0);
                }
                // Textures are small, to leave cache lines for the next draws.
                for level in 0..=7 {
                    set(Opcode::TEXSIZE0.plus(level), random.below(6) | random.below(6) << 8);
                }
                let count = random.below(3) + 1;
                let primitives =
                    (0..count).map(|_| generate::primitive(random, through, arithmetic)).collect();
                Self::Draw { registers: Box::new(registers), primitives }
            }
        }
    }

    fn perform(&self, memory: &mut Memory, raster: &mut Rasterizer) {
        match self {
            Self::Draw { registers, primitives } => {
                for primitive in primitives {
                    raster.primitive(memory, registers, primitive);
                }
            }
            Self::FlushTextures => raster.flush_textures(),
            Self::Write { start, length, value } => {
                raster.flush_for_write(memory, *start, *length);
                memory.fill(*start, *value, *length);
            }
            Self::Flush { start, length, value } => {
                raster.flush(memory);
                memory.fill(*start, *value, *length);
            }
        }
    }
}

/// Runs a program. Returns the statistics, VRAM, and how many draws had stale texels.
fn run(memory: &Memory, steps: &[Step], options: RasterOptions) -> (Statistics, Vec<u8>, usize) {
    let (mut memory, mut raster) = (memory.clone(), Rasterizer::new(options));
    let mut stale = 0;
    for step in steps {
        step.perform(&mut memory, &mut raster);
        stale += usize::from(raster.stale_texel().is_some());
    }
    raster.flush(&mut memory);
    (raster.statistics(), memory.vram().to_vec(), stale)
}

#[test]
fn engines_agree_on_random_programs() {
    let mut memory = Memory::default();
    let mut noise = Random::new(3);
    for start in [0x0880_0000, 0x0400_0000] {
        memory.write(Address::new(start), &noise.bytes(0x20_0000));
    }
    let (mut pixels, mut stale) = (0, 0);
    for seed in 0..long_checks::rounds(120) {
        let mut random = Random::new(seed);
        let through = random.once_in(2);
        let arithmetic = if seed % 8 == 7 { Arithmetic::Single } else { Arithmetic::Hardware };
        let steps: Vec<_> = (0..14).map(|_| Step::new(&mut random, through, arithmetic)).collect();
        let options = RasterOptions { arithmetic, ..RasterOptions::default() };
        let expected = run(&memory, &steps, RasterOptions { engine: Engine::Reference, ..options });
        pixels += expected.0.pixels;
        for threads in [1, 2, 3, 8] {
            let found = run(&memory, &steps, RasterOptions { threads, ..options });
            stale += found.2;
            let first = first_difference(&expected.1, &found.1);
            assert_eq!(
                (first, expected.0, expected.2),
                (None, found.0, found.2),
                "seed {seed}, {threads} threads: {steps:#?}"
            );
        }
    }
    assert!(pixels > 16_000 && stale > 130, "{pixels} pixels, {stale} draws with stale texels");
}

/// State to draw sprites with 16 by 8 pixels, with the cache empty.
const SPRITES: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    TEXENABLE 1 | TEXSIZE0 width_log2=4 height_log2=3 | TEXFUNC function=REPLACE
    BASE hi(corners) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners) | TEXFLUSH";

/// Corners for sprites at columns 0, 20 and 40.
const CORNERS: &str = "
    .align 16
    corners:
        .s16 0 0 0 0 0 | .s16 16 8 16 8 0
        .s16 0 0 20 0 0 | .s16 16 8 36 8 0
        .s16 0 0 40 0 0 | .s16 16 8 56 8 0";

/// Draws sprites with both engines, and checks how red some pixels in the first row are.
fn assert_red<const N: usize>(draws: &str, columns: [u32; N], expected: [u8; N], why: &str) {
    let text = format!("{SPRITES}\n{draws}\n{CORNERS}");
    let capture = asm::assemble(&text).unwrap_or_else(|error| panic!("{error}")).capture();
    for engine in [Engine::Reference, Engine::Fast] {
        let mut memory = capture.memory.clone();
        let mut raster = Rasterizer::new(RasterOptions { engine, ..RasterOptions::default() });
        let mut interpreter = Interpreter::new(capture.registers.clone(), Arithmetic::Hardware);
        let limits = Limits::default();
        interpreter.run(&mut memory, capture.start, &mut raster, &mut NullObserver, &limits);
        let red = |x: u32| memory.read_u8(Address::vram(x * 4));
        assert_eq!(columns.map(red), expected, "{engine:?}: {why}");
    }
}

#[test]
fn a_list_without_texflush_shows_old_texels() {
    let draws = "
    TEXFORMAT format=ABGR8888 | TEXBUFWIDTH0 width=16 high=hi(first)
    TEXADDR0 lo(first) | PRIM primitive=RECTANGLES count=2
    TEXADDR0 lo(second) | PRIM primitive=RECTANGLES count=2
    TEXADDR0 lo(third) | TEXFLUSH | PRIM primitive=RECTANGLES count=2
    FINISH | END
    .align 16
    first:  .fill 512 0x40
    second: .fill 512 0x80
    third:  .fill 512 0xC0";
    assert_red(draws, [3, 23, 43], [0x40, 0x40, 0xC0], "the second one needs TEXFLUSH");
}

/// Compressed blocks are cached as 32-bit texels, so a texture in that format finds them.
#[test]
fn decoded_blocks_are_found_by_32_bit_textures() {
    let draws = "
    TEXFORMAT format=DXT1 | TEXBUFWIDTH0 width=16 high=hi(white) | TEXADDR0 lo(white)
    PRIM primitive=RECTANGLES count=2
    TEXFORMAT format=ABGR8888 | TEXADDR0 lo(grey) | PRIM primitive=RECTANGLES count=2
    TEXFLUSH | PRIM primitive=RECTANGLES count=2
    FINISH | END
    .align 16
    white:
        .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0
        .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0 | .u32 0 | .u16 0xffff 0
    grey: .fill 512 0x40";
    assert_red(draws, [3, 23, 43], [0xF8, 0xF8, 0x40], "the second one finds the blocks of the first");
}
