//! The rasterizer: the sink that draws into memory.
//!
//! `reference` defines the value of every pixel. Each pixel rule has one file here; `fast` has vector
//! versions, which tests hold equal to them. In the order of a draw: `coverage` with `line` and `rectangle` →
//! `interpolate`, `texcoords` → `lod`, `sampler`, `small_textures` → `pixel` with `region`,
//! `texture_function`, `fog`, `stencil`, `blend`, `dither` and `logic`. `single` holds the rules of emulators
//! for the same steps. The fast engine computes the same pixels in batches; with several threads, draws are
//! queued first.
//!
//! # Invariants
//! Memory after a draw depends only on the memory before, the registers and the vertices. All vertices of a
//! draw are read before its first pixel is written.
//! Source: [coverage](crate::reference::ge::coverage), [interpolation](crate::reference::ge::interpolation),
//! [textures](crate::reference::ge::textures), [sampling](crate::reference::ge::sampling),
//! [pixels](crate::reference::ge::pixels).
//!
//! ```
//! use pspge::{Engine, RasterOptions, Rasterizer};
//!
//! // The slow engine that defines every pixel; the fast one draws the same bytes.
//! let reference = Rasterizer::new(RasterOptions { engine: Engine::Reference, ..RasterOptions::default() });
//! assert_eq!(reference.statistics().pixels, 0);
//! ```

use std::sync::Arc;

use crate::ge::address::Address;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::run::sink::Sink;
use fast::{DrawMode, FastEngine, PipelineState};
use pixel_budget::PixelBudget;
use queue::{DrawState, FlushReason, LoweredPrimitives, Queue, QueuedDraw};
use small_textures::SmallTextureCache;
use threads::Threads;

pub(crate) mod blend;
pub(crate) mod cost;
pub(crate) mod coverage;
pub(crate) mod dither;
mod fast;
pub(crate) mod fog;
pub(crate) mod grid;
pub(crate) mod interpolate;
pub(crate) mod line;
pub(crate) mod lod;
pub(crate) mod lod_spans;
pub(crate) mod logic;
mod options;
pub(crate) mod pixel;
mod pixel_budget;
#[cfg(feature = "export")]
pub(crate) mod probe;
mod queue;
pub(crate) mod rectangle;
pub(crate) mod reference;
pub(crate) mod region;
pub(crate) mod sample_offset;
pub(crate) mod sampler;
pub(crate) mod setup_reciprocal;
pub(crate) mod single;
pub(crate) mod small_textures;
mod statistics;
pub(crate) mod stencil;
pub(crate) mod texcoords;
pub(crate) mod texture_function;
mod threads;
mod wireframe;

pub use options::{Engine, RasterOptions};
pub use sample_offset::SampleOffset;
pub use statistics::Statistics;

/// A sink that draws into memory.
///
/// # Tracing
/// Opens a debug span `flush` for each flush of the queue (fields `draws` and `reason`) and a debug span
/// `render_pass` for each render pass of the fast engine (fields `surface` and `draws`).
#[derive(Clone, Debug, Default)]
pub struct Rasterizer {
    options: RasterOptions,
    statistics: Statistics,
    threads: Threads,
    /// Draws not yet drawn; always empty with one thread.
    queue: Queue,
    /// Primitives of the current draw; empty between draws.
    lowered: LoweredPrimitives,
    fast: FastEngine,
    /// Texels kept by the reference engine; the fast one has its own.
    small_textures: SmallTextureCache,
    /// Number of TEXFLUSH commands so far.
    texture_flushes: u64,
    budget: PixelBudget,
}

impl Rasterizer {
    /// Creates a rasterizer.
    #[must_use]
    pub fn new(options: RasterOptions) -> Self {
        let threads = match options.engine {
            Engine::Fast => Threads::new(options.threads as usize),
            Engine::Reference => Threads::default(),
        };
        Self {
            options,
            threads,
            fast: FastEngine::new(options.instructions, options.band_rows),
            ..Self::default()
        }
    }

    /// Returns counts of the primitives and pixels drawn so far. With several threads they are complete after
    /// [`Sink::flush`].
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the total `cost` of all draws, in pixels. With several threads it is complete after
    /// [`Sink::flush`]. The engines may return different costs; everything else they compute is equal.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.budget.spent()
    }

    /// Returns the number of threads that draw.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Draws a primitive with the state in `registers`. Memory shows it after [`Sink::flush`].
    pub fn primitive(&mut self, memory: &mut Memory, registers: &Registers, primitive: &ScreenPrimitive) {
        if self.queues_draws() {
            self.queue_primitive(memory, Arc::new(registers.clone()), primitive);
        } else {
            self.lowered.push(primitive, &self.options);
            self.draw_lowered(memory, registers, primitive.into());
        }
        self.count_draw(memory, 3);
    }

    /// Checks whether draws are queued: only several threads need that.
    fn queues_draws(&self) -> bool {
        self.threads.count() > 1
    }

    /// Charges the budget for the lowered draw, draws the primitives it allows, and empties `lowered`.
    fn draw_lowered(&mut self, memory: &mut Memory, registers: &Registers, mode: DrawMode) {
        let (state, overhead) = match self.options.engine {
            Engine::Fast => self.pipeline_state(memory, registers, mode),
            Engine::Reference => (None, 0),
        };
        self.lowered.compute_cost(registers, state.as_deref());
        self.lowered.charge(&mut self.budget, overhead, registers, state.as_deref());
        self.statistics.add(self.lowered.statistics());
        self.statistics.pixels += match (self.options.engine, state) {
            (Engine::Fast, Some(state)) => {
                let call = self.lowered.draw_call(registers, &state, self.texture_flushes);
                self.fast.draw(memory, &self.threads, call.into_iter())
            }
            (Engine::Fast, None) => 0,
            (Engine::Reference, _) => {
                let (cache, flushes) = (&mut self.small_textures, self.texture_flushes);
                let draw =
                    |primitive| reference::draw_primitive(memory, registers, primitive, cache, flushes);
                self.lowered.primitives().iter().map(draw).sum()
            }
        };
        self.lowered.clear();
    }

    /// Looks up the state of a draw and the overhead to charge for it. Returns `None` if it draws no pixel:
    /// the budget is spent or the scissor is empty.
    fn pipeline_state(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mode: DrawMode,
    ) -> (Option<Box<PipelineState>>, u64) {
        if self.budget.is_exhausted() {
            return (None, 0);
        }
        let Some(mut state) = self.fast.pipeline_state(memory, registers, mode) else { return (None, 0) };
        if state.has_copies() && !self.queue.is_empty() {
            // Queued draws may still change the bytes that were copied.
            self.flush_queue(memory, FlushReason::CopiedTexels);
            if let Some(refreshed) = self.fast.pipeline_state(memory, registers, mode) {
                state = refreshed;
            }
        }
        let overhead = self.budget.submit(memory, &state);
        (Some(state), overhead)
    }

    fn queue_primitive(
        &mut self,
        memory: &mut Memory,
        registers: Arc<Registers>,
        primitive: &ScreenPrimitive,
    ) {
        let (state, overhead) = self.pipeline_state(memory, &registers, primitive.into());
        let has_copies = state.as_deref().is_some_and(PipelineState::has_copies);
        let draw_state = DrawState { state, overhead, texture_flushes: self.texture_flushes };
        self.queue.push_primitive(registers, draw_state, primitive, &self.options);
        if let Some(reason) = self.queue.flush_reason(has_copies, false) {
            self.flush_queue(memory, reason);
        }
    }

    /// Counts a draw towards the next checkpoint of the budget. At a checkpoint, draws the queue and updates
    /// the limit.
    fn count_draw(&mut self, memory: &mut Memory, vertices: u64) {
        if self.budget.at_checkpoint(vertices) {
            self.flush_queue(memory, FlushReason::Checkpoint);
            self.budget.checkpoint();
        }
    }

    /// Lowers and draws all queued draws, in a span with their number and the reason.
    fn flush_queue(&mut self, memory: &mut Memory, reason: FlushReason) {
        if self.queue.is_empty() {
            return;
        }
        let mut draws = self.queue.take_draws();
        let _span = tracing::debug_span!("flush", draws = draws.len(), ?reason).entered();
        let (shared, options, max_primitives) = (&*memory, &self.options, self.budget.max_primitives());
        self.threads.for_each(&mut draws, |draw| draw.lower(shared, options, max_primitives));
        for draw in &mut draws {
            draw.charge(&mut self.budget);
            self.statistics.add(draw.statistics());
        }
        let calls = draws.iter().filter_map(QueuedDraw::draw_call);
        self.statistics.pixels += self.fast.draw(memory, &self.threads, calls);
        self.queue.recycle(draws);
    }
}

impl Sink for Rasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let through = draw.registers.get::<VertexType>().through;
        let mode = DrawMode { through, arithmetic: self.options.arithmetic };
        if self.queues_draws() {
            let (state, overhead) = self.pipeline_state(memory, draw.registers, mode);
            let has_copies = state.as_deref().is_some_and(PipelineState::has_copies);
            let draw_state = DrawState { state, overhead, texture_flushes: self.texture_flushes };
            self.queue.push(draw, draw_state);
            // Later draws, or the CPU, may change vertices in VRAM.
            let reads_vram = draw.vertices.is_vram() || draw.indices.is_vram();
            if let Some(reason) = self.queue.flush_reason(has_copies, reads_vram) {
                self.flush_queue(memory, reason);
            }
        } else {
            self.lowered.lower(memory, draw, &self.options, self.budget.max_primitives());
            self.draw_lowered(memory, draw.registers, mode);
        }
        self.count_draw(memory, queue::vertex_count(draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let Some(primitive) = draw.to_screen(self.options.arithmetic) else { return };
        if self.queues_draws() {
            self.queue_primitive(memory, Arc::clone(draw.registers), &primitive);
            self.count_draw(memory, 3);
        } else {
            self.primitive(memory, draw.registers, &primitive);
        }
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.flush_queue(memory, FlushReason::Request);
        self.fast.write_back(memory);
        self.budget.flush();
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        let Some(bytes) = fast::vram_bytes(start, length) else { return };
        if self.queue.writes(&bytes) {
            self.flush_queue(memory, FlushReason::MemoryRead);
        }
        self.fast.write_back_for(memory, &bytes);
        self.budget.note_access(&bytes);
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        match fast::vram_bytes(start, length) {
            Some(bytes) => {
                if self.queue.writes(&bytes) || self.queue.reads(&bytes) {
                    self.flush_queue(memory, FlushReason::MemoryWrite);
                }
                self.fast.write_back_for(memory, &bytes);
                self.budget.note_access(&bytes);
            }
            // Vertices and textures may be anywhere outside VRAM.
            None => self.flush_queue(memory, FlushReason::MemoryWrite),
        }
    }

    fn flush_textures(&mut self) {
        self.texture_flushes += 1;
    }

    fn begin(&mut self, limits: &Limits) {
        self.budget.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
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
    fn counts_primitives_and_pixels() {
        let (rasterizer, memory, surface) = draw(RasterOptions::default());
        let statistics = Statistics { primitives: 1, triangles: 1, pixels: 190 };
        assert_eq!(rasterizer.statistics(), statistics, "20 × 19 / 2 centres are inside");
        assert_eq!(surface.read(&memory, 5, 5)[0], 3, "inside, in the flat colour");
    }

    #[test]
    fn wireframe_draws_only_edges() {
        let (_, memory, surface) = draw(RasterOptions { wireframe: true, ..RasterOptions::default() });
        for (x, y, red) in [(5, 5, 0), (10, 0, 3), (0, 10, 3), (10, 9, 3)] {
            assert_eq!(surface.read(&memory, x, y)[0], red, "pixel ({x}, {y})");
        }
    }
}
