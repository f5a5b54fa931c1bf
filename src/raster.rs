//! The rasterizer: the sink that draws into memory.
//!
//! [`mod@reference`] is the oracle that says what each pixel becomes; the files beside it hold one idea each, in the
//! order of the flow: [`coverage`] → [`interpolate`], [`coordinates`] → [`distance`], [`level`], [`sampler`] → [`pixel`] with
//! [`texture_function`], [`fog`], [`stencil`], [`blend`], [`dither`] and [`logic`].
//!
//! # Invariants
//! What is in memory after a draw depends on memory before, registers and vertices only. A draw's vertices are read
//! before its first pixel is written.
//! Source: `ge-reference.md` §7 to §9.

use crate::address::Address;
use crate::arithmetic::Arithmetic;
use crate::arithmetic::simd::Instructions;
use crate::draw::{Draw, ImmediateDraw};
use crate::memory::Memory;
use crate::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::registers::Registers;
use crate::registers::transform::ShadeMode;
use crate::sink::Sink;
use fast::Fast;

pub mod blend;
pub mod coordinates;
pub mod coverage;
pub mod distance;
pub mod dither;
mod fast;
pub mod fog;
pub mod interpolate;
pub mod level;
pub mod logic;
pub mod pixel;
pub mod reference;
pub mod sampler;
pub mod stencil;
pub mod texture_function;

/// How to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterOptions {
    /// The number system that transforms vertices.
    pub arithmetic: Arithmetic,
    /// Triangles become their three edges.
    pub wireframe: bool,
    /// What draws pixels. All leave the same bytes.
    pub engine: Engine,
    /// The instruction set that the fast engine uses.
    pub instructions: Instructions,
}

/// What draws pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Many pixels at a time.
    #[default]
    Fast,
    /// The oracle, [`mod@reference`]: one pixel after the other.
    Reference,
}

/// What a rasterizer has drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Primitives that came out of clipping and culling, triangles included.
    pub primitives: u64,
    /// Triangles among them.
    pub triangles: u64,
    /// Pixels that passed all tests. Pixels drawn over one another count each time.
    pub pixels: u64,
}

/// Draws into memory what it is given.
#[derive(Clone, Debug, Default)]
pub struct Rasterizer {
    options: RasterOptions,
    statistics: Statistics,
    /// A draw's primitives; empty between draws.
    pending: Vec<ScreenPrimitive>,
    fast: Fast,
}

impl Rasterizer {
    /// A rasterizer that has drawn nothing yet.
    #[must_use]
    pub fn new(options: RasterOptions) -> Self {
        Self { options, fast: Fast::new(options.instructions), ..Self::default() }
    }

    /// What was drawn so far.
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Draws a primitive under the state of the registers. Memory shows it once [`Sink::sync`] was called.
    pub fn primitive(&mut self, memory: &mut Memory, registers: &Registers, primitive: &ScreenPrimitive) {
        self.add(primitive);
        self.fill(memory, registers);
    }

    /// Counts a primitive of a draw and puts it with those to be filled.
    fn add(&mut self, primitive: &ScreenPrimitive) {
        self.statistics.primitives += 1;
        if let Shape::Triangle([a, b, c]) = primitive.shape {
            self.statistics.triangles += 1;
            if self.options.wireframe {
                self.pending.extend([[a, b], [b, c], [c, a]].map(|ends| side(primitive, ends)));
                return;
            }
        }
        self.pending.push(*primitive);
    }

    /// Fills the primitives of a draw.
    fn fill(&mut self, memory: &mut Memory, registers: &Registers) {
        self.statistics.pixels += match self.options.engine {
            Engine::Fast => self.fast.draw(memory, registers, &self.pending),
            Engine::Reference => {
                let draw = |primitive| reference::draw_primitive(memory, registers, primitive);
                self.pending.iter().map(draw).sum()
            }
        };
        self.pending.clear();
    }
}

impl Sink for Rasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        draw.to_screen(memory, self.options.arithmetic, &mut |primitive| self.add(primitive));
        self.fill(memory, draw.registers);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if let Some(primitive) = draw.to_screen(self.options.arithmetic) {
            self.primitive(memory, draw.registers, &primitive);
        }
    }

    fn sync(&mut self, memory: &mut Memory) {
        self.fast.settle(memory);
    }

    fn sync_bytes(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.fast.settle_bytes(memory, start, length);
    }
}

/// One side of a triangle, in the colour that the triangle has there.
fn side(triangle: &ScreenPrimitive, ends: [ScreenVertex; 2]) -> ScreenPrimitive {
    let flat = triangle.flat_vertex();
    let shape = Shape::Line(ends.map(|mut end| {
        if triangle.shade == ShadeMode::FLAT {
            (end.color, end.secondary) = (flat.color, flat.secondary);
        }
        end
    }));
    ScreenPrimitive { shape, provoking: 1, ..*triangle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::framebuffer::ColorSurface;
    use crate::opcode::Opcode;

    fn triangle() -> ScreenPrimitive {
        let corner = |x, y, red| ScreenVertex {
            x: x * 16,
            y: y * 16,
            color: [red, 0, 0, 0],
            ..ScreenVertex::default()
        };
        ScreenPrimitive {
            shape: Shape::Triangle([corner(0, 0, 1), corner(20, 0, 2), corner(0, 20, 3)]),
            shade: ShadeMode::FLAT,
            provoking: 2,
            through: true,
            arithmetic: Arithmetic::Hardware,
        }
    }

    fn draw(options: RasterOptions) -> (Rasterizer, Memory, ColorSurface) {
        let mut registers = Registers::new();
        for (opcode, argument) in [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        let (mut rasterizer, mut memory) = (Rasterizer::new(options), Memory::default());
        rasterizer.primitive(&mut memory, &registers, &triangle());
        rasterizer.sync(&mut memory);
        (rasterizer, memory, ColorSurface::from_registers(&registers))
    }

    #[test]
    fn counts_what_it_draws() {
        let (rasterizer, memory, surface) = draw(RasterOptions::default());
        let statistics = Statistics { primitives: 1, triangles: 1, pixels: 190 };
        assert_eq!(rasterizer.statistics(), statistics, "20 × 19 / 2 centres are inside");
        assert_eq!(surface.read(&memory, 5, 5)[0], 3, "inside, in the flat colour");
    }

    #[test]
    fn wireframes_are_hollow() {
        let (_, memory, surface) = draw(RasterOptions { wireframe: true, ..RasterOptions::default() });
        for (x, y, red) in [(5, 5, 0), (10, 0, 3), (0, 10, 3), (10, 9, 3)] {
            assert_eq!(surface.read(&memory, x, y)[0], red, "pixel ({x}, {y})");
        }
    }
}
