//! Compares the fast rasterizer with the reference: VRAM must end equal, byte for byte.
//!
//! To check recorded frames, set `PSPGE_CORPUS`. Without it this test prints a message and passes.

use std::path::Path;

use ge_tests::compare::first_difference;
use ge_tests::delayed::DelayedRasterizer;
use ge_tests::generate::{self, Random};
use ge_tests::random_list::{self, Kind, RandomList};
use ge_tests::worst::{self, WorstInput};
use ge_tests::{corpus, frames, input, long_checks};
use pspge::asm;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::arithmetic::simd::Instructions;
use pspge::ge::capture::Capture;
use pspge::ge::limits::{Limit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::ge::registers::transform::ShadeMode;
use pspge::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use pspge::raster::{Engine, RasterOptions, Rasterizer, Statistics};
use pspge::run::interpreter::Report;
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

/// Configurations that must draw the same: instruction set, threads, rows per band.
const CONFIGURATIONS: [(Instructions, u32, u32); 7] = [
    (Instructions::Best, 1, 0),
    (Instructions::Portable, 1, 0),
    (Instructions::Best, 1, 7),
    (Instructions::Best, 2, 0),
    (Instructions::Portable, 3, 16),
    (Instructions::Best, 4, 1),
    (Instructions::Best, 8, 0),
];

/// Applies a configuration to these options.
fn configured(
    options: RasterOptions,
    (instructions, threads, band_rows): (Instructions, u32, u32),
) -> RasterOptions {
    RasterOptions { instructions, threads, band_rows, ..options }
}

fn draw(capture: &Capture, options: RasterOptions) -> (Statistics, Vec<u8>) {
    let mut memory = capture.memory.clone();
    let mut raster = Rasterizer::new(options);
    let limits = Limits::default();
    replay::run_on(&mut memory, capture, options.arithmetic, &mut raster, &mut NullObserver, &limits);
    let drawn = memory.vram().to_vec();
    // This copies back only pages that count as changed, so any difference left is a change that was not recorded.
    memory.clone_from(&capture.memory);
    assert!(memory.vram() == capture.memory.vram(), "{options:?}: a change was not recorded");
    (raster.statistics(), drawn)
}

#[test]
fn engines_agree_on_recorded_frames() {
    let mut wrong = Vec::new();
    for folder in ["hardware", "frames"].into_iter().filter_map(corpus::folder) {
        for (number, path) in frames::dumps(&folder).into_values().enumerate() {
            let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(&path));
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                // Single precision has no rules of its own for pixels, so every other frame has to do, because the
                // reference takes most of the time.
                if arithmetic == Arithmetic::Single && number % 2 > 0 && !long_checks::are_wanted() {
                    continue;
                }
                let options = RasterOptions { arithmetic, ..RasterOptions::default() };
                let expected = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
                // Single precision has no rules of its own for threads and bands, either.
                let is_sampled = arithmetic == Arithmetic::Single && !long_checks::are_wanted();
                let configurations = if is_sampled { &CONFIGURATIONS[..4] } else { &CONFIGURATIONS[..] };
                for &configuration in configurations {
                    let found = draw(&capture, configured(options, configuration));
                    let first = first_difference(&expected.1, &found.1);
                    if first.is_some() || expected.0 != found.0 {
                        let differing = expected.1.iter().zip(&found.1).filter(|(a, b)| a != b).count();
                        wrong.push(format!(
                            "{} {arithmetic:?} {configuration:?}: {differing} bytes, the first at {first:x?}; {:?} \
                             instead of {:?}",
                            path.display(),
                            found.0,
                            expected.0
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "different from the reference:\n{}", wrong.join("\n"));
}

#[test]
fn delays_of_the_front_end_change_nothing() {
    let Some(folder) = corpus::folder("frames") else { return };
    for (seed, path) in (0..).zip(frames::dumps(&folder).into_values()) {
        let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(&path));
        let options = RasterOptions::default();
        let expected = draw(&capture, options);
        for threads in [2, 4] {
            let (mut capture, random) = (capture.clone(), Random::new(seed));
            let inner = Rasterizer::new(RasterOptions { threads, ..options });
            let mut raster = DelayedRasterizer { inner, random };
            let limits = Limits::default();
            replay::run(&mut capture, options.arithmetic, &mut raster, &mut NullObserver, &limits);
            let name = path.display();
            assert_eq!(raster.inner.statistics(), expected.0, "{name}, {threads} threads");
            assert!(capture.memory.vram() == expected.1, "{name}, {threads} threads: VRAM");
        }
    }
}

/// Makes random draws, several over each other, into VRAM filled with noise. Textures are in main RAM, in VRAM, or in
/// the framebuffer.
#[test]
fn engines_agree_on_random_draws() {
    const TEXTURES: [u32; 4] = [0x0880_0000, 0x0410_0000, 0x0400_2000, 0x0420_0000];
    let mut memory = Memory::default();
    let mut noise = Random::new(0);
    for start in [0x0880_0000, 0x0400_0000] {
        memory.write(Address::new(start), &noise.bytes(0x20_0000));
    }
    let mut pixels = 0;
    for seed in 1..long_checks::rounds(400) {
        let mut random = Random::new(seed);
        let through = random.once_in(2);
        let arithmetic = if random.once_in(2) { Arithmetic::Single } else { Arithmetic::Hardware };
        let draws: Vec<_> = (0..4)
            .map(|_| {
                let texture = TEXTURES[usize::from(random.once_in(3)) * random.below(4) as usize];
                let registers = generate::registers(&mut random, texture, through);
                let primitives: Vec<_> =
                    (0..3).map(|_| generate::primitive(&mut random, through, arithmetic)).collect();
                (registers, primitives)
            })
            .collect();
        let drawn = |options: RasterOptions| {
            let mut memory = memory.clone();
            let mut raster = Rasterizer::new(options);
            for (registers, primitives) in &draws {
                // The reference draws texels kept by the cache, so this usually empties it, to test the fast
                // rasterizer. `texture_cache.rs` tests kept texels.
                if seed % 8 > 0 {
                    raster.flush_textures();
                }
                for primitive in primitives {
                    raster.primitive(&mut memory, registers, primitive);
                }
            }
            raster.flush(&mut memory);
            (raster.statistics(), memory.vram().to_vec())
        };
        let options = RasterOptions { arithmetic, ..RasterOptions::default() };
        let expected = drawn(RasterOptions { engine: Engine::Reference, ..options });
        pixels += expected.0.pixels;
        for configuration in CONFIGURATIONS {
            let found = drawn(configured(options, configuration));
            let first = first_difference(&expected.1, &found.1);
            assert_eq!((first, expected.0), (None, found.0), "seed {seed}, {configuration:?}: {draws:?}");
        }
    }
    assert!(pixels > 100_000, "only {pixels} pixels passed the pixel tests");
}

/// Runs random lists of every kind from the matrices on, into VRAM filled with noise. Every kind draws in most lists.
#[test]
fn engines_agree_on_random_lists() {
    let lists = long_checks::rounds(30);
    let mut memory = Memory::default();
    let mut noise = Random::new(1);
    memory.write(random_list::TEXELS, &noise.bytes(0x1_0000));
    memory.write(Address::new(0x0400_0000), &noise.bytes(0x20_0000));
    for kind in Kind::ALL {
        let mut drawn = 0;
        for seed in 0..lists {
            let capture = RandomList::new(kind, seed).capture(memory.clone());
            let arithmetic = if seed % 4 == 3 { Arithmetic::Single } else { Arithmetic::Hardware };
            let options = RasterOptions { arithmetic, ..RasterOptions::default() };
            let expected = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
            drawn += u64::from(expected.0.pixels > 0);
            for configuration in [CONFIGURATIONS[0], CONFIGURATIONS[1], CONFIGURATIONS[5], CONFIGURATIONS[6]]
            {
                let found = draw(&capture, configured(options, configuration));
                let first = first_difference(&expected.1, &found.1);
                assert_eq!(
                    (first, expected.0),
                    (None, found.0),
                    "{kind:?}, seed {seed}, {arithmetic:?}, {configuration:?}"
                );
            }
        }
        assert!(2 * drawn > lists, "{kind:?}: only {drawn} of {lists} lists draw pixels");
    }
}

/// A step in a program that draws textured rectangles and accesses memory between them.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// Draws a texture into a rectangle of a target, given by two corners, between two rows. If the target has a
    /// depth buffer, writes depth, too.
    Draw { texture: Address, target: u32, depth: Option<u32>, corners: [[i16; 2]; 2], rows: [u32; 2] },
    /// Writes this value to all bytes.
    Write { start: Address, length: u32, value: u8 },
    /// Writes this value to all bytes that do not have it already.
    Replace { start: Address, length: u32, value: u8 },
    /// Reads bytes.
    Read { start: Address, length: u32 },
}

impl Access {
    /// Where textures of 4 KiB are. Four of them share a page in VRAM, so that some pages hold drawn and other bytes.
    const TEXTURES: u32 = 0x0411_0000;

    fn new(random: &mut Random) -> Self {
        let texture = Address::new(Self::TEXTURES + random.below(12) * 0x1000);
        let start = texture.offset(random.below(0xC00));
        let [length, value] = [random.below(0x800) + 1, random.below(2) * 99];
        match random.below(10) {
            // The second target, or its depth, has the third page of textures in its rows.
            0..5 => Self::Draw {
                texture,
                target: random.pick(&[0, 0, 0x11_8000]),
                depth: random.pick(&[None, None, Some(0x11_8000)]),
                corners: [(); 2].map(|()| [(); 2].map(|()| random.pick(&[0, 40, 90, 130, 190, 250]))),
                // Depth is cached between the rows of two draws, too.
                rows: random.pick(&[[0, 255], [0, 255], [0, 15], [64, 127]]),
            },
            5..7 => Self::Write { start, length, value: value.to_le_bytes()[0] },
            7..9 => Self::Replace { start, length, value: value.to_le_bytes()[0] },
            _ => Self::Read { start, length },
        }
    }

    /// Carries out this access. Adds any bytes it reads to `read`.
    fn perform(self, memory: &mut Memory, sink: &mut DelayedRasterizer, read: &mut Vec<u8>) {
        match self {
            Self::Draw { texture, target, depth, corners, rows } => {
                let registers = Registers::with([
                    (Opcode::VTYPE, 1 << 23),
                    (Opcode::FRAMEBUFPTR, target),
                    (Opcode::FRAMEBUFWIDTH, 256),
                    (Opcode::FRAMEBUFPIXFORMAT, 3),
                    (Opcode::SCISSOR1, rows[0] << 10),
                    (Opcode::SCISSOR2, 255 | rows[1] << 10),
                    (Opcode::REGION2, 255 | 255 << 10),
                    (Opcode::ZBUFPTR, depth.unwrap_or(0)),
                    (Opcode::ZBUFWIDTH, 256),
                    (Opcode::ZTEST, 1),
                    (Opcode::ZTESTENABLE, depth.is_some().into()),
                    (Opcode::TEXENABLE, 1),
                    (Opcode::TEXFORMAT, 3),
                    (Opcode::TEXSIZE0, 0x0505),
                    (Opcode::TEXADDR0, texture.get() & 0xFF_FFFF),
                    (Opcode::TEXBUFWIDTH0, 0x04_0020),
                ]);
                let corner = |[x, y]: [i16; 2]| ScreenVertex {
                    x: i32::from(x) * 16,
                    y: i32::from(y) * 16,
                    z: x.unsigned_abs(),
                    texture: [x.into(), y.into(), 1.0],
                    color: [255; 4],
                    ..ScreenVertex::default()
                };
                let primitive = ScreenPrimitive {
                    shape: Shape::Rectangle(corners.map(corner)),
                    shade: ShadeMode::FLAT,
                    provoking: 1,
                    through: true,
                    arithmetic: Arithmetic::Hardware,
                };
                sink.delay();
                sink.inner.primitive(memory, &registers, &primitive);
            }
            Self::Write { start, length, value } => {
                sink.flush_for_write(memory, start, length);
                memory.fill(start, value, length);
            }
            Self::Replace { start, length, value } => {
                let is_there = sink.flush_for_comparison(memory, start, length)
                    && memory
                        .slice(start, length as usize)
                        .is_some_and(|bytes| bytes.iter().all(|byte| *byte == value));
                if !is_there {
                    sink.flush_for_write(memory, start, length);
                    memory.fill(start, value, length);
                }
            }
            Self::Read { start, length } => {
                sink.flush_for_read(memory, start, length);
                let first = read.len();
                read.resize(first + length as usize, 0);
                memory.read(start, &mut read[first..]);
            }
        }
    }
}

/// Each draw must sample the bytes of its own time, and each read must see them, however far other threads have come.
#[test]
fn accesses_between_draws_keep_their_order() {
    let mut memory = Memory::default();
    memory.write(Address::new(0x0400_0000), &Random::new(2).bytes(0x20_0000));
    let (mut pixels, mut bytes_read) = (0, 0);
    for seed in 0..long_checks::rounds(60) {
        let mut random = Random::new(seed);
        let accesses: Vec<_> = (0..60).map(|_| Access::new(&mut random)).collect();
        let run = |options: RasterOptions| {
            let (mut memory, mut read) = (memory.clone(), Vec::new());
            let mut sink = DelayedRasterizer { inner: Rasterizer::new(options), random: Random::new(seed) };
            for access in &accesses {
                access.perform(&mut memory, &mut sink, &mut read);
            }
            sink.flush(&mut memory);
            (sink.inner.statistics(), sink.inner.cost(), read, memory)
        };
        let expected = run(RasterOptions::default());
        pixels += expected.0.pixels;
        bytes_read += expected.2.len();
        for threads in [2, 3, 8] {
            let found = run(RasterOptions { threads, ..RasterOptions::default() });
            let what = format!("seed {seed}, {threads} threads: {accesses:?}");
            assert_eq!((expected.0, expected.1), (found.0, found.1), "statistics and cost, {what}");
            assert!(expected.2 == found.2, "bytes read, {what}");
            let first = first_difference(expected.3.vram(), found.3.vram());
            assert_eq!(first, None, "VRAM, {what}");
        }
    }
    assert!(pixels > 1_600_000 && bytes_read > 33_000, "{pixels} pixels, {bytes_read} bytes");
}

/// A pixel budget must end a run at the same pixel for every number of threads: VRAM, report and cost are equal.
#[test]
fn pixel_budget_ends_at_same_pixel_for_all_configurations() {
    let run = |worst: &WorstInput, limits: &Limits, options: RasterOptions| {
        let mut capture = worst.capture();
        let mut raster = Rasterizer::new(options);
        let replayed = replay::run(&mut capture, options.arithmetic, &mut raster, &mut NullObserver, limits);
        let vram = capture.memory.vram().to_vec();
        (replayed.report, replayed.registers, vram, raster.statistics(), raster.cost())
    };
    let mut cut = 0;
    for worst in worst::lists() {
        for pixels in [900, 70_000, 700_000] {
            let limits = Limits::default()
                .with(Limit::Pixels, pixels)
                .with(Limit::Commands, 20_000)
                .with(Limit::Vertices, 200_000);
            let options = RasterOptions::default();
            let expected: (Report, Registers, _, _, u64) = run(&worst, &limits, options);
            let reached: Vec<_> = expected.0.notes.iter().filter_map(|note| note.limit_hit()).collect();
            assert_eq!(reached.len(), 1, "{}: one limit ends the run: {reached:?}", worst.name);
            cut += usize::from(reached[0].limit == Limit::Pixels);
            assert!(expected.4 <= pixels, "{}: {} of {pixels}", worst.name, expected.4);
            for &configuration in &CONFIGURATIONS[2..] {
                let found = run(&worst, &limits, configured(options, configuration));
                let what = format!("{}, {pixels} pixels, {configuration:?}", worst.name);
                assert_eq!(expected.0, found.0, "{what}: report");
                assert_eq!((expected.3, expected.4), (found.3, found.4), "{what}: statistics and cost");
                assert!(expected.1 == found.1, "{what}: registers");
                assert!(expected.2 == found.2, "{what}: VRAM");
            }
        }
    }
    assert!(cut > 40, "only {cut} runs ended at the pixel limit");
}

/// Samples a texture in VRAM several times, draws into it, and samples it again.
#[test]
fn engines_agree_on_textures_drawn_into() {
    let prelude = input::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/prelude.ge"));
    let prelude = String::from_utf8(prelude).expect("the prelude is text");
    let textured = "
        FRAMEBUFPTR 0 | TEXENABLE 1 | VADDR lo(picture)
        VTYPE texcoord=BITS16 color=ABGR8888 position=BITS16 through=1
    ";
    let show = "PRIM primitive=RECTANGLES count=2\n".repeat(4);
    let mut text = format!(
        "{prelude}
        TEXFORMAT ABGR8888 | TEXFUNC function=REPLACE use_alpha=1 | TEXSIZE0 width_log2=6 height_log2=6
        TEXADDR0 0x180000 | TEXBUFWIDTH0 width=64 high=4 | TEXFILTER minification=LINEAR magnify_linear=1
        BASE hi(picture)
        {textured} {show}"
    );
    for color in 0..3 {
        // Change other bytes in this texture each time.
        text += &format!(
            "
            FRAMEBUFPTR 0x180000 | FRAMEBUFWIDTH width=64 | TEXENABLE 0
            VTYPE color=ABGR8888 position=BITS16 through=1
            VADDR lo(fill{color})
            PRIM primitive=RECTANGLES count=2
            FRAMEBUFWIDTH width=512
            {textured} {show}"
        );
    }
    text += "
        FINISH | END
        .align 16
        picture:
            .s16 0 0 | .rgba #ffffffff | .s16 0 0 0 0
            .s16 64 64 | .rgba #ffffffff | .s16 128 128 0 0
    ";
    for (color, [left, right]) in [[0, 64], [10, 40], [30, 33]].into_iter().enumerate() {
        text += &format!(
            "
            fill{color}:
                .rgba #{:02x}8040ff | .s16 {left} 0 0 0
                .rgba #{:02x}8040ff | .s16 {right} 50 0 0
            ",
            80 * color,
            80 * color,
        );
    }
    let program = asm::assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let capture = program.capture();
    let options = RasterOptions::default();
    let expected = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
    assert!(expected.1[..128 * 4].iter().any(|byte| *byte != 0), "the picture is not empty");
    for configuration in CONFIGURATIONS {
        assert!(draw(&capture, configured(options, configuration)) == expected, "{configuration:?}");
    }
}

/// Changes a texture by block transfers while other threads still fill draws that sample it. Each draw has its own
/// columns and takes long, to be stopped in the middle.
#[test]
fn engines_agree_on_textures_changed_beside_draws() {
    const STRIPS: usize = 24;
    const WIDTH: usize = 20;
    const RECTANGLES: usize = 60;
    let prelude = input::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/prelude.ge"));
    let mut text = String::from_utf8(prelude).expect("the prelude is text");
    text += "
        TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXFUNC function=REPLACE use_alpha=1 | TEXSIZE0 width_log2=3 height_log2=3
        TEXADDR0 0x180000 | TEXBUFWIDTH0 width=8 high=4 | BASE hi(corners)
        VTYPE texcoord=BITS16 position=BITS16 through=1
        TRANSFERSRCW width=8 high=8 | TRANSFERSRCPOS x=0 y=0 | TRANSFERDST 0x180000 | TRANSFERDSTW width=8 high=4
        TRANSFERDSTPOS x=0 y=0 | TRANSFERSIZE x=7 y=7
    ";
    let (mut corners, mut texels) = (String::new(), String::new());
    for strip in 0..STRIPS {
        let [left, right] = [strip, strip + 1].map(|edge| edge * WIDTH);
        text += &format!(
            "TRANSFERSRC lo(texels{strip}) | TRANSFERSTART BITS32 | TEXSYNC | TEXFLUSH
            VADDR lo(corners{strip}) | PRIM primitive=RECTANGLES count={}\n",
            2 * RECTANGLES
        );
        let rectangle = format!(".s16 0 0 {left} 0 0 | .s16 8 8 {right} 272 0\n");
        corners += &format!("corners{strip}: {}", rectangle.repeat(RECTANGLES));
        texels +=
            &format!(".align 16\ntexels{strip}: {}", format!(".rgba #{:02x}8040ff\n", 10 * strip).repeat(64));
    }
    text += &format!("FINISH | END\n.align 16\ncorners:\n{corners}{texels}");
    let program = asm::assemble(&text).unwrap_or_else(|error| panic!("{error}"));
    let capture = program.capture();
    // Only draws that follow the hardware's texture cache are complete before their texels change.
    for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
        let options = RasterOptions { arithmetic, ..RasterOptions::default() };
        let expected = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
        let reds = (0..STRIPS).map(|strip| usize::from(expected.1[strip * WIDTH * 4]));
        assert!(reds.eq((0..STRIPS).map(|strip| 10 * strip)), "each strip has its texture");
        for configuration in CONFIGURATIONS {
            let found = draw(&capture, configured(options, configuration));
            assert!(found == expected, "{arithmetic:?}, {configuration:?}");
        }
    }
}
