//! Draws of single texels through the texture cache, with both engines.

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::ShadeMode;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::{Engine, RasterOptions, Rasterizer};
use crate::run::sink::Sink;

/// Textures in main RAM, 4 KiB each, and another in VRAM.
const TEXTURES: [u32; 3] = [0x0880_0000, 0x0880_1000, 0x0880_2000];
const IN_VRAM: u32 = 0x0410_0000;

/// A rasterizer with its memory, and a target of 64 × 64 pixels at the start of VRAM.
struct Canvas {
    raster: Rasterizer,
    memory: Memory,
}

impl Canvas {
    fn new(engine: Engine, threads: u32) -> Self {
        let mut memory = Memory::default();
        for (number, start) in (1..).zip(TEXTURES) {
            memory.fill(Address::new(start), number, 0x1000);
        }
        memory.fill(Address::new(IN_VRAM), 9, 0x1000);
        Self {
            raster: Rasterizer::new(RasterOptions { engine, threads, ..RasterOptions::default() }),
            memory,
        }
    }

    /// Runs a test with every engine.
    fn with_each(test: impl Fn(&mut Self)) {
        for (engine, threads) in [(Engine::Reference, 1), (Engine::Fast, 1), (Engine::Fast, 3)] {
            test(&mut Self::new(engine, threads));
        }
    }

    /// Draws texels from (`u`, `v`) on, as many as pixels, to the upper left of the target.
    fn draw(&mut self, texture: u32, settings: &[(Opcode, u32)], [u, v]: [i16; 2], size: i16) {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::TEXENABLE, 1),
            (Opcode::TEXADDR0, texture & 0xFF_FFFF),
            (Opcode::TEXBUFWIDTH0, texture >> 8 & 0xFF_0000 | 32),
            (Opcode::TEXSIZE0, 5 | 5 << 8),
            (Opcode::TEXFORMAT, 3),
            (Opcode::TEXFUNC, 3),
        ];
        let registers = Registers::with(defaults.into_iter().chain(settings.iter().copied()));
        let corner = |at: i16| ScreenVertex {
            x: i32::from(at) * 16,
            y: i32::from(at) * 16,
            color: [7; 4],
            texture: [f32::from(u + at), f32::from(v + at), 1.0],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        };
        let primitive = ScreenPrimitive {
            shape: Shape::Rectangle([corner(0), corner(size)]),
            shade: ShadeMode::FLAT,
            provoking: 1,
            through: true,
            arithmetic: Arithmetic::Hardware,
        };
        self.raster.primitive(&mut self.memory, &registers, &primitive);
    }

    /// Draws a texel and returns its red.
    fn texel(&mut self, texture: u32, settings: &[(Opcode, u32)], at: [i16; 2]) -> u8 {
        self.draw(texture, settings, at, 1);
        self.raster.flush_for_read(&mut self.memory, Address::vram(0), 4);
        self.memory.read_u8(Address::vram(0))
    }
}

#[test]
fn another_texture_shows_the_lines_of_the_first() {
    Canvas::with_each(|canvas| {
        let [first, second, third] = TEXTURES;
        assert_eq!(canvas.texel(first, &[], [0, 0]), 1, "loaded");
        assert_eq!(canvas.texel(second, &[], [3, 7]), 1, "the same line");
        assert_eq!(canvas.texel(third, &[], [4, 0]), 3, "the next column");
        assert_eq!(canvas.texel(second, &[], [0, 8]), 2, "the next band");
        canvas.raster.flush_textures();
        assert_eq!(canvas.texel(second, &[], [0, 0]), 2, "flushed");
    });
}

#[test]
fn sets_depend_on_the_size_of_texels() {
    Canvas::with_each(|canvas| {
        let [first, second, _] = TEXTURES;
        let eight_bits = [(Opcode::TEXFORMAT, 5), (Opcode::CLUTFORMAT, 0xFF03)];
        let half = [(Opcode::TEXFORMAT, 0), (Opcode::TEXSIZE0, 6 | 5 << 8)];
        assert_eq!(canvas.texel(first, &[], [16, 0]), 1, "column 4 in set 4");
        assert_eq!(canvas.texel(second, &half, [32 + 1, 0]), 0x10, "column 4 in set 0: 0202 as 5650");
        assert_eq!(canvas.texel(first, &eight_bits, [0, 0]), 0, "a palette of zeros");
        assert_eq!(canvas.texel(second, &[], [16, 0]), 1, "still there");
    });
}

#[test]
fn compressed_texels_are_cached_as_8888() {
    Canvas::with_each(|canvas| {
        let [first, second, _] = TEXTURES;
        // Two white colours, and indices of the first.
        canvas.memory.write(Address::new(first), &[0, 0, 0, 0, 0xFF, 0xFF, 0, 0].repeat(16));
        let dxt = [(Opcode::TEXFORMAT, 8), (Opcode::TEXSIZE0, 0x0304)];
        assert_eq!(canvas.texel(first, &dxt, [0, 0]), 0xF8, "white");
        assert_eq!(canvas.texel(second, &[], [2, 5]), 0xF8, "4 by 8 texels of the same line");
        assert_eq!(canvas.texel(second, &[], [4, 0]), 2, "another line");
        assert_eq!(canvas.texel(first, &dxt, [5, 1]), 2, "and a compressed texture shows that");
    });
}

#[test]
fn lines_are_replaced_in_the_order_of_their_last_use() {
    Canvas::with_each(|canvas| {
        let [first, second, _] = TEXTURES;
        let wide = [(Opcode::TEXSIZE0, 7 | 3 << 8), (Opcode::TEXBUFWIDTH0, 0x08_0080)];
        // Columns 0, 8, 16 and 24 share a set.
        for column in [0, 32, 64, 96, 0] {
            assert_eq!(canvas.texel(first, &wide, [column, 0]), 1, "column {column}");
        }
        assert_eq!(canvas.texel(second, &[(Opcode::TEXSIZE0, 0x0303)], [0, 0]), 1, "used last");
        assert_eq!(canvas.texel(second, &[], [0, 16]), 2, "band 2 is in the same set");
        assert_eq!(canvas.texel(second, &wide, [96, 0]), 1, "not the oldest");
        assert_eq!(canvas.texel(second, &wide, [32, 0]), 2, "the oldest was replaced");
    });
}

#[test]
fn writes_do_not_reach_lines() {
    Canvas::with_each(|canvas| {
        let start = Address::new(TEXTURES[0]);
        assert_eq!(canvas.texel(TEXTURES[0], &[], [0, 0]), 1, "loaded");
        canvas.raster.flush_for_write(&mut canvas.memory, start, 64);
        canvas.memory.fill(start, 5, 64);
        assert_eq!(canvas.texel(TEXTURES[0], &[], [1, 0]), 1, "an announced write");
        assert_eq!(canvas.texel(TEXTURES[0], &[], [4, 0]), 5, "in a line that was not loaded");
        canvas.raster.flush(&mut canvas.memory);
        canvas.memory.fill(start, 6, 64);
        // Nothing was drawn since the last flush, so the bytes of that time count.
        canvas.raster.flush(&mut canvas.memory);
        assert_eq!(canvas.texel(TEXTURES[0], &[], [4, 0]), 5, "after a flush of the sink, anybody may write");
        assert_eq!(canvas.texel(TEXTURES[0], &[], [8, 0]), 6, "the third line");
        canvas.raster.flush_textures();
        assert_eq!(canvas.texel(TEXTURES[0], &[], [0, 0]), 6, "flushed");
    });
}

#[test]
fn drawing_does_not_reach_lines() {
    Canvas::with_each(|canvas| {
        let target = [(Opcode::FRAMEBUFPTR, 0x10_0000), (Opcode::FRAMEBUFWIDTH, 32), (Opcode::TEXENABLE, 0)];
        canvas.draw(IN_VRAM, &[], [0, 0], 4);
        canvas.draw(IN_VRAM, &target, [0, 0], 16);
        assert_eq!(canvas.texel(IN_VRAM, &[], [0, 0]), 9, "before the draw");
        assert_eq!(canvas.texel(IN_VRAM, &[], [4, 0]), 7, "loaded after it");
        let view = IN_VRAM + 0x20_0000;
        assert_eq!(canvas.texel(view, &[], [0, 0]), 9, "a view of VRAM is another address");
        canvas.raster.flush_textures();
        assert_eq!(canvas.texel(IN_VRAM, &[], [0, 0]), 7, "flushed");
    });
}

/// Copies pixels a row down: each row reads the row above, which this draw has written.
#[test]
fn a_draw_sees_its_own_rows_in_lines_that_it_loads_late() {
    Canvas::with_each(|canvas| {
        let below_the_first = (Opcode::SCISSOR1, 1 << 10);
        let own = [(Opcode::TEXBUFWIDTH0, 0x04_0040), (Opcode::TEXSIZE0, 6 | 6 << 8), below_the_first];
        for row in 0..16_u8 {
            let start = Address::vram(u32::from(row) * 256);
            canvas.memory.fill(start, row + 1, 256);
        }
        canvas.draw(0x0400_0000, &own, [0, -1], 32);
        canvas.raster.flush(&mut canvas.memory);
        let row = |canvas: &Canvas, y: u32| canvas.memory.read_u8(Address::vram(y * 256 + 8 * 4));
        assert_eq!(row(canvas, 1), 1, "the row above");
        assert_eq!(row(canvas, 7), 7, "of the first band, as loaded at its start");
        assert_eq!(row(canvas, 8), 8, "the last row of that band");
        assert_eq!(row(canvas, 9), 8, "the second band is loaded after its first row is drawn");
        assert_eq!(row(canvas, 10), 10, "its other rows are as before");
    });
}
