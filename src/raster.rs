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

use std::sync::Arc;

use crate::ge::address::Address;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::run::sink::Sink;
use fast::{Fast, Prepared};
use meter::Meter;
use queue::{Lowered, Queue, Waiting};
use threads::Threads;

pub mod blend;
pub mod coordinates;
pub mod cost;
pub mod coverage;
pub mod distance;
pub mod dither;
mod fast;
pub mod fog;
pub mod interpolate;
pub mod level;
pub mod logic;
mod meter;
mod options;
pub mod pixel;
mod queue;
pub mod reference;
pub mod sampler;
mod statistics;
pub mod stencil;
pub mod texture_function;
mod threads;
mod wireframe;

pub use options::{Engine, RasterOptions};
pub use statistics::Statistics;

/// Draws into memory what it is given.
#[derive(Clone, Debug, Default)]
pub struct Rasterizer {
    options: RasterOptions,
    statistics: Statistics,
    threads: Threads,
    /// Draws that wait for more of them.
    queue: Queue,
    /// A draw's primitives; empty between draws.
    lowered: Lowered,
    fast: Fast,
    meter: Meter,
}

impl Rasterizer {
    /// A rasterizer that has drawn nothing yet.
    #[must_use]
    pub fn new(options: RasterOptions) -> Self {
        let threads = match options.engine {
            Engine::Fast => Threads::new(options.threads as usize),
            Engine::Reference => Threads::default(),
        };
        Self { options, threads, fast: Fast::new(options.instructions, options.band_rows), ..Self::default() }
    }

    /// What was drawn so far; with several threads, up to the last [`Sink::flush`].
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What it cost ([`cost`]), in pixels; with several threads, up to the last [`Sink::flush`]. Engines differ in that,
    /// and in nothing else.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.meter.spent()
    }

    /// How many threads draw.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Draws a primitive under the state of the registers. Memory shows it once [`Sink::flush`] was called.
    pub fn primitive(&mut self, memory: &mut Memory, registers: &Registers, primitive: &ScreenPrimitive) {
        if self.waits() {
            self.wait_primitive(memory, Arc::new(registers.clone()), primitive);
        } else {
            self.lowered.add(primitive, &self.options);
            self.fill(memory, registers, primitive.through);
        }
        self.count(memory, 3);
    }

    /// Whether draws wait for one another.
    fn waits(&self) -> bool {
        self.threads.count() > 1
    }

    /// Fills the primitives of a draw, as many as the budget allows.
    fn fill(&mut self, memory: &mut Memory, registers: &Registers, through: bool) {
        let (prepared, beside) = match self.options.engine {
            Engine::Fast => self.prepare(memory, registers, through),
            Engine::Reference => (None, 0),
        };
        self.lowered.find_cost(registers, prepared.as_deref());
        self.lowered.pay(&mut self.meter, beside, registers, prepared.as_deref());
        self.statistics.add(self.lowered.statistics());
        self.statistics.pixels += match (self.options.engine, prepared) {
            (Engine::Fast, Some(prepared)) => {
                let job = self.lowered.job(registers, &prepared);
                self.fast.draw(memory, &self.threads, job.into_iter())
            }
            (Engine::Fast, None) => 0,
            (Engine::Reference, _) => {
                let draw = |primitive| reference::draw_primitive(memory, registers, primitive);
                self.lowered.primitives().iter().map(draw).sum()
            }
        };
        self.lowered.clear();
    }

    /// Looks up the registers of a draw, and what it costs beside its primitives. Nothing where nothing will be drawn.
    fn prepare(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        through: bool,
    ) -> (Option<Box<Prepared>>, u64) {
        if self.meter.is_empty() {
            return (None, 0);
        }
        let Some(mut prepared) = self.fast.prepare(memory, registers, through) else { return (None, 0) };
        if prepared.has_copies() && !self.queue.is_empty() {
            // What was copied may still change.
            self.draw_waiting(memory);
            if let Some(again) = self.fast.prepare(memory, registers, through) {
                prepared = again;
            }
        }
        let beside = self.meter.submit(memory, &prepared);
        (Some(prepared), beside)
    }

    fn wait_primitive(
        &mut self,
        memory: &mut Memory,
        registers: Arc<Registers>,
        primitive: &ScreenPrimitive,
    ) {
        let (prepared, beside) = self.prepare(memory, &registers, primitive.through);
        let has_copies = prepared.as_deref().is_some_and(Prepared::has_copies);
        self.queue.push_primitive(registers, prepared, beside, primitive, &self.options);
        if has_copies || self.queue.is_full() {
            self.draw_waiting(memory);
        }
    }

    /// Now and then, says whether the budget is spent.
    fn count(&mut self, memory: &mut Memory, vertices: u64) {
        if self.meter.counts(vertices) {
            self.draw_waiting(memory);
            self.meter.say();
        }
    }

    /// Draws what waits.
    fn draw_waiting(&mut self, memory: &mut Memory) {
        if self.queue.is_empty() {
            return;
        }
        let mut waiting = self.queue.take();
        let (shown, options, most) = (&*memory, &self.options, self.meter.most_primitives());
        self.threads.for_each(&mut waiting, |draw| draw.lower(shown, options, most));
        for draw in &mut waiting {
            draw.pay(&mut self.meter);
            self.statistics.add(draw.statistics());
        }
        let jobs = waiting.iter().filter_map(Waiting::job);
        self.statistics.pixels += self.fast.draw(memory, &self.threads, jobs);
        self.queue.give_back(waiting);
    }
}

impl Sink for Rasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let through = draw.registers.get::<VertexType>().through;
        if self.waits() {
            let (prepared, beside) = self.prepare(memory, draw.registers, through);
            let has_copies = prepared.as_deref().is_some_and(Prepared::has_copies);
            self.queue.push(draw, prepared, beside);
            // What is drawn, or the CPU, may change vertices in VRAM.
            let reads_vram = draw.vertices.is_vram() || draw.indices.is_vram();
            if has_copies || reads_vram || self.queue.is_full() {
                self.draw_waiting(memory);
            }
        } else {
            self.lowered.draw(memory, draw, &self.options, self.meter.most_primitives());
            self.fill(memory, draw.registers, through);
        }
        self.count(memory, queue::vertices(draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let Some(primitive) = draw.to_screen(self.options.arithmetic) else { return };
        if self.waits() {
            self.wait_primitive(memory, Arc::clone(draw.registers), &primitive);
            self.count(memory, 3);
        } else {
            self.primitive(memory, draw.registers, &primitive);
        }
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.draw_waiting(memory);
        self.fast.settle(memory);
        self.meter.settle();
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        let Some(bytes) = fast::vram_bytes(start, length) else { return };
        if self.queue.writes(&bytes) {
            self.draw_waiting(memory);
        }
        self.fast.settle_bytes(memory, &bytes);
        self.meter.look(&bytes);
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        match fast::vram_bytes(start, length) {
            Some(bytes) => {
                if self.queue.writes(&bytes) || self.queue.reads(&bytes) {
                    self.draw_waiting(memory);
                }
                self.fast.settle_bytes(memory, &bytes);
                self.meter.look(&bytes);
            }
            // Vertices and textures lie somewhere there.
            None => self.draw_waiting(memory),
        }
    }

    fn begin(&mut self, limits: &Limits) {
        self.meter.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.meter.limit_hit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::framebuffer::ColorSurface;
    use crate::pipeline::primitive::{ScreenVertex, Shape};

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
        rasterizer.flush(&mut memory);
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
