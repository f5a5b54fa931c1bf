//! The rasterizer is the sink that draws into memory.
//!
//! Five rooms share the work. `front` lowers each draw, decodes its state and charges its cost. `texel_cache` finds out
//! whether the hardware's texture cache would show the draw other texels than memory has. `dispatch` fills draws with the
//! fast engine (`fast`), at once or on other threads. `rules` holds the value of every pixel; the reference there draws
//! what the fast engine cannot, and tests hold both to the same bytes. `fragments` tells what happened to fragments.
//!
//! A draw takes one of four ways: to the reference; to the fast engine with copies of texels (`front::own_target`); to the
//! fast engine at once, if there is a single thread; or to the queue.
//!
//! # Invariants
//! Memory after a draw depends only on the memory before, the registers and the vertices. To make this so,
//! all vertices are read before the first pixel is written.
//! Source: [coverage](crate::reference::ge::coverage), [interpolation](crate::reference::ge::interpolation),
//! [textures](crate::reference::ge::textures), [sampling](crate::reference::ge::sampling),
//! [pixels](crate::reference::ge::pixels).
//!
//! ```
//! # extern crate pspge_engine as pspge;
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
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::run::sink::Sink;
use dispatch::fill_job::RunningJob;
use dispatch::queue::{FlushReason, Queue};
use dispatch::threads::Threads;
use dispatch::vram_mirror::VramMirror;
use fast::{
    ClutTableCache, DrawMemory, DrawMode, FastEngine, PassLimits, PipelineState, PipelineStateCache,
    TexelCopies,
};
use fragments::fragment_record::StaleTexel;
use fragments::overdraw::OverdrawRecorder;
use fragments::pixel_watch::PixelWatch;
use front::lowered_primitives::LoweredPrimitives;
use front::lowering_queue::LoweringQueue;
use front::own_target::CopyPlan;
use front::pixel_budget::PixelBudget;
use front::submission::Way;
use rules::pixel_rect::PixelRect;
use texel_cache::cache_lines::TexelAccess;
use texel_cache::{Footprint, TexelCache};

#[doc(hidden)]
pub mod checkpoint;
mod dispatch;
mod fast;
mod fragments;
mod front;
mod options;
pub(crate) mod rules;
mod statistics;
pub(crate) mod texel_cache;

pub use fragments::fragment_record;
#[doc(hidden)]
pub use fragments::probe;
#[doc(hidden)]
pub use front::cost;
#[doc(hidden)]
pub use rules::{coverage, covered_rows, pixel_rect, region};
#[doc(hidden)]
pub use texel_cache::sampled_texels;

pub use fragments::draw_counter::DrawCounter;
pub use fragments::drawn_pixels::{DrawnPixels, PixelBounds};
pub use fragments::fragment_counts::{FragmentCounts, PixelFate};
pub use fragments::overdraw::OverdrawMap;
pub use fragments::pixel_watch::WatchedFragment;
pub use fragments::watched_pixel::WatchedPixel;
pub use front::sample_offset::SampleOffset;
pub use options::{Engine, RasterOptions};
pub use statistics::Statistics;

/// A sink that draws into memory. If it is dropped before a flush, memory stays whole, but may lack draws.
///
/// # Tracing
/// Opens a debug span `flush` if queued draws must be filled (fields `draws` and `reason`) and a debug span
/// `render_pass` for each render pass in the fast engine (fields `surface` and `draws`). At the trace level,
/// a span `band` covers the work of a thread in a pass (field `first_row`). An event `draw submitted` tells
/// the bounds of each draw for the fast engine, and `texels copied` tells which bytes of VRAM (`bytes`) the
/// front end reads for a draw.
#[derive(Debug, Default)]
pub struct Rasterizer {
    options: RasterOptions,
    statistics: Statistics,
    threads: Threads,
    /// Draws that are not lowered yet. Always empty with a single thread.
    waiting: LoweringQueue,
    /// Lowered draws that wait for a job. Always empty with a single thread.
    queue: Queue,
    /// Draws that other threads are filling. They hold the engine and VRAM for this.
    job: Option<RunningJob>,
    vram_mirror: VramMirror,
    /// While a job runs, this is an empty engine in place of the lent engine.
    fast: FastEngine,
    clut_tables: ClutTableCache,
    states: PipelineStateCache,
    copies: TexelCopies,
    /// The hardware's texture cache.
    texels: TexelCache,
    /// How often the cache was emptied.
    texture_flushes: u64,
    /// The number of the current draw, for the cache.
    draw_number: u64,
    /// Whether this draw reads texels from memory.
    uncached: bool,
    /// The last draw's stale texel, if it had any.
    stale: Option<StaleTexel>,
    budget: PixelBudget,
    watch: Option<Box<PixelWatch>>,
    /// How many fragments have written each pixel, if they are counted. The reference then draws everything.
    overdraw: Option<Box<OverdrawMap>>,
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

    /// Returns how many primitives and pixels were drawn so far. With several threads this is complete only
    /// after [`Sink::flush`].
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the total `cost` of all draws, in pixels. With several threads this is complete only after
    /// [`Sink::flush`]. It may differ between engines; everything else that
    /// they compute is equal.
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
        self.submit_waiting(memory);
        self.draw_number = self.draw_number.wrapping_add(1);
        self.primitive_with(memory, registers, primitive, &self.options_for(false));
    }

    /// Returns the options for a draw, because the draw itself may ask for wireframe.
    fn options_for(&self, wireframe: bool) -> RasterOptions {
        RasterOptions { wireframe: self.options.wireframe || wireframe, ..self.options }
    }

    fn primitive_with(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        primitive: &ScreenPrimitive,
        options: &RasterOptions,
    ) {
        let mut lowered = self.queue.spare_primitives();
        lowered.push(primitive, options);
        lowered.compute_cost(registers, None);
        self.explain(memory, registers, primitive.into(), &lowered);
        self.draw_lowered(memory, registers, primitive.into(), lowered);
        self.count_draw(memory, VERTICES_OF_PRIMITIVE);
    }

    /// Charges the budget for a lowered draw. Then it draws the primitives that the budget allows, now or
    /// later.
    fn draw_lowered(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mode: DrawMode,
        mut lowered: LoweredPrimitives,
    ) {
        self.statistics.add(lowered.statistics());
        self.stale = None;
        if !lowered.primitives().is_empty() && !self.budget.is_exhausted() {
            self.texels.resume(memory);
            match self.engine() {
                Engine::Fast => {
                    if let Some(state) = self.pipeline_state(memory, registers, mode) {
                        return self.draw_with_state(memory, registers, state, lowered);
                    }
                }
                Engine::Reference => {
                    lowered.charge(&mut self.budget, 0, registers, None);
                    self.draw_by_reference(memory, registers, &lowered);
                }
            }
        }
        self.queue.recycle_primitives(lowered);
    }

    /// Returns the engine to draw with.
    const fn engine(&self) -> Engine {
        if self.overdraw.is_some() { Engine::Reference } else { self.options.engine }
    }

    /// Looks up the state of a draw. Returns `None` if its scissor is empty.
    fn pipeline_state(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mode: DrawMode,
    ) -> Option<Arc<PipelineState>> {
        if let Some(state) = self.states.look_up(memory, registers, mode) {
            return Some(state);
        }
        let mut state = PipelineState::new(memory, registers, mode, &mut self.clut_tables)?;
        if state.has_copies() && !state.samples_own_target() && !state.needs_reference() {
            self.copy_texels(memory, Arc::make_mut(&mut state));
        }
        self.states.keep(memory, registers, mode, &state);
        Some(state)
    }

    /// Copies a draw's texels if they cannot be read in place.
    fn copy_texels(&mut self, memory: &mut Memory, state: &mut PipelineState) {
        for bytes in state.copied_ranges() {
            tracing::trace!(target: "pspge::raster", ?bytes, "texels copied");
            if self.job.is_some() || self.queue.writes(&bytes) {
                self.complete_draws(memory, FlushReason::CopiedTexels);
            }
            self.fast.write_back_for(memory.ram_and_vram_mut().1, &bytes);
        }
        state.copy_texels(memory, &mut self.copies);
    }

    /// Draws with the fast engine, or with the reference if that is necessary.
    fn draw_with_state(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mut state: Arc<PipelineState>,
        mut lowered: LoweredPrimitives,
    ) {
        if state.needs_reference() {
            lowered.compute_cost(registers, Some(&state));
        }
        let mut plan = None;
        if state.samples_own_target() {
            let state = Arc::make_mut(&mut state);
            plan = CopyPlan::new(state, &lowered, memory.translation());
            if plan.is_none() {
                state.require_reference();
                lowered.compute_cost(registers, Some(state));
            }
        }
        // The texture cache may depend on bytes that this draw overwrites, so it must see them first.
        self.prepare_writes(memory, state.writes());
        if !state.needs_reference() && !self.sees_memory(memory, &state, &lowered) {
            Arc::make_mut(&mut state).require_reference();
            lowered.compute_cost(registers, Some(&state));
        }
        if state.samples_own_target() {
            // The draw may change lines of its texture that it does not use itself, so the cache must know.
            self.note_writes(memory, state.writes());
        }
        let copies = match plan {
            _ if state.needs_reference() => 0,
            Some(plan) => plan.cost,
            None => cost::of_texel_copy(state.copied_bytes()),
        };
        let followed = self.texels.take_pixels().saturating_mul(cost::FOLLOWED_FACTOR);
        let overhead = self.budget.submit(memory, &state).saturating_add(copies).saturating_add(followed);
        lowered.charge(&mut self.budget, overhead, registers, Some(&state));
        let way = match plan {
            _ if state.needs_reference() => Way::Reference,
            Some(_) => Way::Copies,
            None => Way::Pass,
        };
        front::submission::trace(&state, &lowered, way);
        if state.needs_reference() {
            // The reference works on memory itself, so earlier draws and cached depth have to be there first.
            self.complete_draws(memory, FlushReason::Reference);
            self.write_back(memory);
            self.draw_by_reference(memory, registers, &lowered);
        } else if plan.is_some() {
            self.draw_with_copies(memory, Arc::make_mut(&mut state), &lowered);
        } else if self.threads.count() > 1 {
            lowered.compute_rows();
            self.queue.push(state, lowered);
            self.hand_over(memory);
            return;
        } else if !lowered.primitives().is_empty() {
            if self.options.band_rows > 0 {
                lowered.compute_rows();
            }
            let call = std::iter::once(lowered.draw_call(&state));
            let memory = &mut DrawMemory::new(memory);
            let progress = self.fast.draw_pass(memory, &self.threads, call, PassLimits::NONE);
            self.statistics.pixels += progress.pixels;
        }
        self.queue.recycle_primitives(lowered);
    }

    fn draw_by_reference(&mut self, memory: &mut Memory, registers: &Registers, lowered: &LoweredPrimitives) {
        let access = &mut match self.uses_texel_cache() {
            true => self.texels.access(memory, self.draw_number),
            false => TexelAccess::Live,
        };
        let primitives = lowered.primitives().iter();
        self.statistics.pixels += if let Some(map) = &mut self.overdraw {
            let scissor = &PixelRect::scissor(registers);
            let recorder = &mut OverdrawRecorder::new(map, registers);
            let draw = |primitive| {
                rules::reference::draw_primitive_inside(
                    memory, registers, primitive, scissor, access, recorder,
                )
            };
            primitives.map(draw).sum::<u64>()
        } else {
            primitives
                .map(|primitive| rules::reference::draw_primitive(memory, registers, primitive, access))
                .sum::<u64>()
        };
        self.stale = self.texels.take_stale();
    }

    /// Counts a draw towards the budget's next checkpoint.
    fn count_draw(&mut self, memory: &mut Memory, vertices: u64) {
        if self.budget.at_checkpoint(vertices) {
            self.submit_waiting(memory);
            self.budget.checkpoint();
        }
    }
}

impl Sink for Rasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if self.can_lower_later(memory, draw) {
            self.lower_later(memory, draw);
        } else {
            self.draw_at_once(memory, draw);
        }
        self.count_draw(memory, vertex_count(draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.submit_waiting(memory);
        (self.draw_number, self.uncached) = (draw.number, draw.uncached);
        if let Some(primitive) = draw.to_screen(self.options.arithmetic) {
            self.primitive_with(memory, draw.registers, &primitive, &self.options_for(draw.wireframe));
        }
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.submit_waiting(memory);
        self.complete_draws(memory, FlushReason::Request);
        self.write_back(memory);
        self.texels.suspend(memory);
        self.budget.flush();
    }

    fn pause(&mut self, memory: &mut Memory) {
        self.submit_waiting(memory);
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        let Some(bytes) = fast::vram_bytes(start, length) else { return };
        self.submit_for_read(memory, &bytes);
        if self.queue.writes(&bytes) || self.job.is_some() && !self.vram_mirror.request_read(memory, &bytes) {
            self.complete_draws(memory, FlushReason::MemoryRead);
        }
        if self.job.is_none() {
            self.fast.write_back_for(memory.ram_and_vram_mut().1, &bytes);
        }
        self.budget.note_access(&bytes);
    }

    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        if let Some(bytes) = fast::vram_bytes(start, length) {
            self.submit_for_read(memory, &bytes);
            if self.can_write_late(memory, &bytes) && !self.vram_mirror.request_read(memory, &bytes) {
                self.budget.note_access(&bytes);
                return false;
            }
        }
        self.flush_for_read(memory, start, length);
        true
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.submit_waiting(memory);
        self.texels.resume(memory);
        self.prepare_write(memory, &Footprint::of_bytes(start, length, memory.translation()));
        match fast::vram_bytes(start, length) {
            Some(bytes) => {
                if !self.can_write_late(memory, &bytes) {
                    if self.job.is_some() || self.queue.uses(&bytes) {
                        self.complete_draws(memory, FlushReason::MemoryWrite);
                    }
                    self.fast.write_back_for(memory.ram_and_vram_mut().1, &bytes);
                }
                self.budget.note_access(&bytes);
            }
            // Queued draws may read textures anywhere outside VRAM, and no ranges are kept for that.
            None => self.complete_draws(memory, FlushReason::MemoryWrite),
        }
    }

    fn flush_textures(&mut self) {
        self.texture_flushes = self.texture_flushes.wrapping_add(1);
        if self.waiting.is_empty() {
            self.texels.flush();
        } else {
            self.waiting.follows_texflush = true;
        }
    }

    fn begin(&mut self, limits: &Limits) {
        self.budget.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }
}

/// The vertices to count for a single primitive: as many as any can have.
const VERTICES_OF_PRIMITIVE: u64 = 3;

/// Counts a draw's vertices.
fn vertex_count(draw: &Draw<'_>) -> u64 {
    match draw.patch {
        Some(patch) => u64::from(patch.vertex_count(draw.registers)),
        None => u64::from(draw.total()),
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

    /// The index pointer of draws without indices may be that of an earlier draw.
    #[test]
    fn only_indices_that_are_read_empty_the_queue() {
        for (index, queued) in [(0, 2), (1, 1)] {
            let vertex_type = Command::new(Opcode::VTYPE, 2 << 7 | 1 << 23 | index << 11);
            let mut registers = Registers::with([
                (Opcode::FRAMEBUFWIDTH, 64),
                (Opcode::SCISSOR2, 63 | 63 << 10),
                (Opcode::REGION2, 63 | 63 << 10),
            ]);
            registers.write(vertex_type);
            let mut rasterizer = Rasterizer::new(RasterOptions { threads: 2, ..RasterOptions::default() });
            let mut memory = Memory::default();
            for number in 0..2 {
                let draw = Draw {
                    registers: &registers,
                    at: Address::default(),
                    number,
                    primitive: crate::ge::registers::vertex::PrimitiveType::POINTS,
                    patch: None,
                    count: 1,
                    vertices: Address::new(0x0880_0000),
                    indices: Address::vram(0x1000),
                    carried: &Default::default(),
                    wireframe: false,
                    uncached: false,
                    can_wait: false,
                };
                Sink::draw(&mut rasterizer, &mut memory, &draw);
            }
            let count = rasterizer.queue.take_draws().len();
            assert_eq!(count, queued, "draws with index format {index}");
        }
    }

    #[test]
    fn wireframe_draws_only_edges() {
        let (_, memory, surface) = draw(RasterOptions { wireframe: true, ..RasterOptions::default() });
        for (x, y, red) in [(5, 5, 0), (10, 0, 3), (0, 10, 3), (10, 9, 3)] {
            assert_eq!(surface.read(&memory, x, y)[0], red, "pixel ({x}, {y})");
        }
    }
}
