//! The rasterizer is the sink that draws into memory.
//!
//! Five rooms share the work. `front` lowers each draw, decodes its state and charges its cost. `texel_cache` finds
//! out whether the hardware's texture cache would show this draw other texels than memory holds. `dispatch` fills
//! draws with the fast engine (`fast`), at once or on other threads. `rules` defines every pixel's value; its
//! reference draws whatever the fast engine cannot, and tests hold both to the same bytes. `fragments` records each
//! fragment's fate for debuggers.
//!
//! ```text
//! PRIM → Interpreter → Draw → LoweredDraw, with its PipelineState → Dispatcher → RenderPass → Batch → bytes
//!        run           pipeline  front                              dispatch     fast
//! ```
//!
//! A draw takes one of four ways: to the reference; to the fast engine with copied texels (`front::own_target`); to
//! the fast engine at once, if there is a single thread; or to the queue.
//!
//! # Invariants
//! Memory after a draw depends only on the memory before, the registers and the vertices. To make this so, all
//! vertices are read before the first pixel is written.
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

use crate::ge::address::Address;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::run::sink::Sink;
use dispatch::dispatcher::Dispatcher;
use dispatch::queue::FlushReason;
use fast::FastEngine;
use fragments::fragment_record::StaleTexel;
use fragments::pixel_watch::PixelWatch;
use front::LoweredDraw;
use front::lowering_queue::LoweringQueue;
use front::pixel_budget::PixelBudget;
use front::states::States;
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

/// A sink that draws into memory. If dropped before a flush, this leaves memory whole, but may lose draws.
///
/// # Tracing
/// Opens a debug span `flush` if queued draws must be filled (fields `queued` and `reason`) and a debug span
/// `render_pass` for each render pass in the fast engine (fields `surface` and `draws`). At the trace level, a span
/// `band` covers a thread's work in a pass (field `first_row`), and `lower` its work on waiting draws (field
/// `work`). An event `draw submitted` tells the bounds and cost of each draw for the fast engine, and `texels
/// copied` tells which VRAM bytes (`bytes`) the front end reads for a draw.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Limits, RasterOptions, Rasterizer};
///
/// // A rasterizer is a sink: run any capture into it, then read the framebuffer from memory.
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let mut rasterizer = Rasterizer::new(RasterOptions::default());
/// let arithmetic = pspge::Arithmetic::Hardware;
/// let observer = &mut pspge::NullObserver;
/// pspge::replay(&mut capture, arithmetic, &mut rasterizer, observer, &Limits::default());
/// assert_eq!(rasterizer.statistics().primitives, 0);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Debug)]
pub struct Rasterizer {
    options: RasterOptions,
    /// Pixels here are only those drawn by the reference, because the dispatcher counts its own.
    statistics: Statistics,
    /// Draws not lowered yet. Always empty with a single thread.
    waiting: LoweringQueue,
    states: States,
    texels: TexelCache,
    /// How often the cache was emptied.
    texture_flushes: u64,
    /// The last draw's number.
    last_number: u64,
    /// The last draw's stale texel, if it had any.
    stale: Option<StaleTexel>,
    budget: PixelBudget,
    dispatcher: Box<dyn Dispatcher>,
    watch: Option<Box<PixelWatch>>,
    /// Counts how many fragments have written each pixel, if asked to. The reference then draws everything.
    overdraw: Option<Box<OverdrawMap>>,
}

impl Default for Rasterizer {
    fn default() -> Self {
        Self::new(RasterOptions::default())
    }
}

impl Rasterizer {
    /// Creates a rasterizer and starts its threads.
    #[must_use]
    pub fn new(options: RasterOptions) -> Self {
        let threads = match options.engine {
            Engine::Fast => options.threads as usize,
            Engine::Reference => 1,
        };
        let engine = FastEngine::new(options.instructions, options.band_rows);
        Self {
            options,
            statistics: Statistics::default(),
            waiting: LoweringQueue::default(),
            states: States::default(),
            texels: TexelCache::default(),
            texture_flushes: 0,
            last_number: 0,
            stale: None,
            budget: PixelBudget::default(),
            dispatcher: dispatch::new(engine, threads),
            watch: None,
            overdraw: None,
        }
    }

    /// Returns how many primitives and pixels were drawn so far. With several threads this is complete only after
    /// [`Sink::flush`].
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let pixels = self.statistics.pixels + self.dispatcher.filler().pixels;
        Statistics { pixels, ..self.statistics }
    }

    /// Returns the total `cost` of all draws, in pixels. With several threads this is complete only after
    /// [`Sink::flush`]. Engines may charge differently; everything else they compute is equal.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.budget.spent()
    }

    /// Returns how many threads draw.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.dispatcher.filler().threads.count()
    }

    /// Completes draws, so that no other thread uses memory. Unlike after [`Sink::flush`], depth may still be
    /// missing in memory, and the texels of these draws must not change yet.
    pub fn settle(&mut self, memory: &mut Memory) {
        self.submit_waiting(memory);
        // Queued draws may read texels anywhere outside VRAM, so announcing a write there, though nobody writes,
        // completes them all.
        self.dispatcher.prepare_write(memory, None);
    }

    /// Draws a primitive with the state in `registers`. Memory shows it after [`Sink::flush`].
    pub fn primitive(&mut self, memory: &mut Memory, registers: &Registers, primitive: &ScreenPrimitive) {
        self.submit_waiting(memory);
        self.last_number = self.last_number.wrapping_add(1);
        self.primitive_with(memory, registers, primitive, self.options, false);
    }

    /// Returns a draw's options, because the draw itself may ask for wireframe.
    fn options_for(&self, wireframe: bool) -> RasterOptions {
        RasterOptions { wireframe: self.options.wireframe || wireframe, ..self.options }
    }

    fn primitive_with(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        primitive: &ScreenPrimitive,
        options: RasterOptions,
        uncached: bool,
    ) {
        let mut primitives = self.dispatcher.filler_mut().pool.take();
        primitives.push(primitive, &options);
        primitives.compute_cost(registers, None);
        let draw =
            LoweredDraw { registers, mode: primitive.into(), number: self.last_number, uncached, primitives };
        self.explain(memory, &draw);
        self.submit(memory, draw);
        self.count_draw(memory, VERTICES_OF_PRIMITIVE);
    }

    /// Counts a draw towards the budget's next checkpoint, and makes this checkpoint when it is due.
    fn count_draw(&mut self, memory: &mut Memory, vertices: u64) {
        if self.budget.at_checkpoint(vertices) {
            self.submit_waiting(memory);
            self.budget.checkpoint();
        }
    }
}

impl Sink for Rasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.last_number = draw.number;
        if !self.can_lower_later(draw) || !self.lower_later(memory, draw) {
            self.draw_at_once(memory, draw);
        }
        self.count_draw(memory, vertex_count(draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.submit_waiting(memory);
        self.last_number = draw.number;
        if let Some(primitive) = draw.to_screen(self.options.arithmetic) {
            let options = self.options_for(draw.wireframe);
            self.primitive_with(memory, draw.registers, &primitive, options, draw.uncached);
        }
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.submit_waiting(memory);
        self.dispatcher.complete(memory, FlushReason::Request);
        self.texels.suspend(memory);
        self.budget.flush();
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        let Some(bytes) = fast::vram_bytes(start, length) else { return };
        self.submit_for_read(memory, &bytes);
        self.dispatcher.prepare_read(memory, &bytes);
        self.budget.note_access(&bytes);
    }

    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        let Some(bytes) = fast::vram_bytes(start, length) else { return true };
        self.submit_for_read(memory, &bytes);
        let is_prepared = self.dispatcher.prepare_comparison(memory, &bytes);
        self.budget.note_access(&bytes);
        is_prepared
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.submit_waiting(memory);
        self.texels.resume(memory);
        self.prepare_write(memory, &Footprint::of_bytes(start, length, memory.translation()));
        let bytes = fast::vram_bytes(start, length);
        self.dispatcher.prepare_write(memory, bytes.as_ref());
        if let Some(bytes) = bytes {
            self.budget.note_access(&bytes);
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

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        // Earlier draws are charged to their own list's budget. Without a limit this makes no difference.
        if self.budget.is_limited() || PixelBudget::new(limits).is_limited() {
            self.submit_waiting(memory);
        }
        self.budget.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }
}

/// How many vertices to count for a single primitive: as many as any can have.
const VERTICES_OF_PRIMITIVE: u64 = 3;

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

    /// Draws without indices may inherit an earlier draw's index pointer. Only threads have a queue.
    #[test]
    #[cfg(feature = "threads")]
    fn only_indices_that_are_read_empty_the_queue() {
        for (index, filled) in [(0, 0), (1, 1)] {
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
            let pixels = rasterizer.statistics().pixels;
            assert_eq!(pixels, filled, "pixels before a flush, with index format {index}");
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
