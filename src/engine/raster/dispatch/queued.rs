//! With several threads, draws wait in a queue, and other threads fill them while the front end goes on.

use std::ops::Range;
use std::sync::Arc;

use super::dispatcher::Dispatcher;
use super::fill_job::{FillJob, FillResources, RunningJob};
use super::filler::Filler;
use super::queue::{FlushReason, Queue, QueuedDraw, is_worth_other_threads};
use super::vram_mirror::VramMirror;
use crate::ge::memory::Memory;
use crate::raster::fast::{BegunDraws, DrawCall, DrawMemory, PassLimits, PipelineState};
use crate::raster::front::lowered_primitives::LoweredPrimitives;

/// Draws to fill. The first may already be begun.
#[derive(Debug, Default)]
struct LeftDraws {
    draws: Vec<QueuedDraw>,
    begun: Option<BegunDraws>,
}

/// Fills draws on several threads, as soon as this pays or somebody needs their pixels.
#[derive(Debug)]
pub(super) struct Queued {
    filler: Filler,
    queue: Queue,
    /// Draws that other threads are filling. They hold the engine and VRAM for this.
    job: Option<RunningJob>,
    vram_mirror: VramMirror,
}

impl Queued {
    pub(super) fn new(filler: Filler) -> Self {
        Self { filler, queue: Queue::default(), job: None, vram_mirror: VramMirror::default() }
    }

    /// Hands queued draws to other threads if this pays, so that the front end can go on.
    fn hand_over(&mut self, memory: &mut Memory) {
        if self.job.as_ref().is_some_and(RunningJob::is_back) {
            // A job that has ended leaves draws only if it failed.
            let left = self.take_back_job(memory);
            self.fill_draws(memory, left);
            self.queue.forget_taken();
        }
        if self.queue.is_full() {
            self.fill_all(memory, FlushReason::Full);
        } else if self.job.is_none() && self.queue.is_worth_handing_over() {
            self.start_job(memory);
        }
    }

    /// Lends engine and VRAM to other threads to fill the queued draws.
    fn start_job(&mut self, memory: &mut Memory) {
        let draws = self.queue.take_draws();
        // VRAM lacks the depth cache's bytes until they are written back, so they count as bytes that may change.
        self.queue.note_write(self.filler.engine.cached_depth());
        let (vram, place) = self.vram_mirror.lend(memory, |bytes| self.queue.writes(bytes));
        let resources = FillResources {
            engine: std::mem::take(&mut self.filler.engine),
            ram: memory.shared_ram(),
            translation: memory.translation(),
            vram,
        };
        self.job = Some(FillJob::start(&self.filler.threads, resources, draws, place));
    }

    /// Recalls the job, to have VRAM with all late writes in memory, and returns the draws that this job left.
    fn take_back_job(&mut self, memory: &mut Memory) -> LeftDraws {
        let Some(job) = self.job.take() else { return LeftDraws::default() };
        let FillJob { resources, mut draws, filled, begun, pixels } = *job.finish();
        self.filler.engine = resources.engine;
        self.vram_mirror.give_back(memory, resources.vram);
        self.filler.pixels += pixels;
        draws.drain(..filled).for_each(|draw| self.filler.pool.put(draw.lowered));
        let mut left = LeftDraws { draws, begun };
        // None of these draws writes those bytes, so the order matters only to draws that read them.
        if self.vram_mirror.late_writes().iter().any(|bytes| self.queue.is_used_by_taken(bytes)) {
            self.fill_draws(memory, std::mem::take(&mut left));
        }
        // The depth cache may still hold bytes between the rows of draws, so it goes first.
        for bytes in self.vram_mirror.late_writes() {
            self.filler.write_back_for(memory, bytes);
        }
        self.vram_mirror.write_late(memory);
        left
    }

    /// Fills draws with all threads, or with this thread alone if they cost too little to wake others. Returns
    /// whether others helped.
    fn fill_draws(&mut self, memory: &mut Memory, LeftDraws { draws, mut begun }: LeftDraws) -> bool {
        let mut memory = DrawMemory::new(memory);
        let cost = draws.iter().fold(0_u64, |sum, draw| sum.saturating_add(draw.lowered.cost()));
        let has_helpers = is_worth_other_threads(cost);
        let mut rest = &draws[..];
        while !rest.is_empty() {
            let calls = rest.iter().map(QueuedDraw::draw_call);
            let limits = PassLimits { begun, ..PassLimits::NONE };
            let filled = self.filler.fill_pass(&mut memory, calls, limits, has_helpers).draws.max(1);
            rest = rest.get(filled..).unwrap_or(&[]);
            begun = begun.and_then(|begun| begun.after(filled));
        }
        self.recycle(draws);
        has_helpers
    }

    /// Fills all draws so far, inside a span that tells the reason. Returns whether helpers are still awake.
    fn fill_all(&mut self, memory: &mut Memory, reason: FlushReason) -> bool {
        if self.job.is_none() && self.queue.is_empty() {
            return false;
        }
        let had_job = self.job.is_some();
        let _span = tracing::debug_span!(target: "pspge::raster::dispatch", "flush", queued = self.queue.len(), ?reason).entered();
        // The draws the job left and the queued draws go together, so that threads wait for each other only at the
        // end.
        let mut left = self.take_back_job(memory);
        let mut queued = self.queue.take_draws();
        left.draws.append(&mut queued);
        self.queue.recycle(queued);
        let has_helpers = self.fill_draws(memory, left);
        self.queue.forget_taken();
        had_job || has_helpers
    }

    /// Keeps the buffers of filled draws for reuse.
    fn recycle(&mut self, mut filled: Vec<QueuedDraw>) {
        filled.drain(..).for_each(|draw| self.filler.pool.put(draw.lowered));
        self.queue.recycle(filled);
    }

    /// Checks whether VRAM bytes can be written while a job holds VRAM. They reach it when the job is back.
    fn can_write_late(&self, memory: &Memory, bytes: &Range<usize>) -> bool {
        self.job.is_some() && self.queue.permits_late_write(bytes) && VramMirror::has_room(memory)
    }
}

impl Dispatcher for Queued {
    fn submit(&mut self, memory: &mut Memory, state: Arc<PipelineState>, mut lowered: LoweredPrimitives) {
        lowered.compute_rows();
        self.queue.push(state, lowered);
        self.hand_over(memory);
    }

    fn fill_now(&mut self, memory: &mut Memory, call: DrawCall<'_>) {
        self.fill_all(memory, FlushReason::CopiedTexels);
        self.filler.fill_draw(memory, call);
    }

    fn complete(&mut self, memory: &mut Memory, reason: FlushReason) {
        let are_awake = self.fill_all(memory, reason);
        self.filler.write_back(memory, are_awake);
    }

    fn settle(&mut self, memory: &mut Memory, bytes: &Range<usize>, reason: FlushReason) {
        if self.job.is_some() || self.queue.writes(bytes) {
            self.fill_all(memory, reason);
        }
        self.filler.write_back_for(memory, bytes);
    }

    fn prepare_read(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        if self.queue.writes(bytes) || self.job.is_some() && !self.vram_mirror.request_read(memory, bytes) {
            self.fill_all(memory, FlushReason::MemoryRead);
        }
        if self.job.is_none() {
            self.filler.write_back_for(memory, bytes);
        }
    }

    fn prepare_comparison(&mut self, memory: &mut Memory, bytes: &Range<usize>) -> bool {
        if self.can_write_late(memory, bytes) && !self.vram_mirror.request_read(memory, bytes) {
            return false;
        }
        self.prepare_read(memory, bytes);
        true
    }

    fn prepare_write(&mut self, memory: &mut Memory, bytes: Option<&Range<usize>>) {
        // Queued draws may read textures anywhere outside VRAM, and no ranges are kept for that.
        let Some(bytes) = bytes else {
            self.fill_all(memory, FlushReason::MemoryWrite);
            return;
        };
        if !self.can_write_late(memory, bytes) {
            if self.job.is_some() || self.queue.uses(bytes) {
                self.fill_all(memory, FlushReason::MemoryWrite);
            }
            self.filler.write_back_for(memory, bytes);
        }
    }

    fn has_free_helper(&self) -> bool {
        // With two threads, the only helper fills a job as long as this runs.
        self.filler.threads.count() > 2 || self.job.as_ref().is_none_or(RunningJob::is_back)
    }

    fn filler(&self) -> &Filler {
        &self.filler
    }

    fn filler_mut(&mut self) -> &mut Filler {
        &mut self.filler
    }
}

#[cfg(test)]
#[cfg(feature = "threads")]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
    use crate::raster::{RasterOptions, Rasterizer};
    use crate::run::sink::Sink;

    /// A rasterizer dropped while others draw for it leaves memory whole, with everything written meanwhile.
    #[test]
    fn a_dropped_rasterizer_leaves_vram_in_memory() {
        let registers = Registers::with([
            (Opcode::FRAMEBUFWIDTH, 512),
            (Opcode::SCISSOR2, 479 | 271 << 10),
            (Opcode::REGION2, 479 | 271 << 10),
        ]);
        let corner = |x, y| ScreenVertex { x: x * 16, y: y * 16, color: [255; 4], ..ScreenVertex::default() };
        let triangle = ScreenPrimitive {
            shape: Shape::Triangle([corner(0, 0), corner(480, 0), corner(0, 272)]),
            shade: ShadeMode::FLAT,
            provoking: 2,
            through: true,
            arithmetic: Arithmetic::Hardware,
        };
        let (before, late) = (Address::vram(0x18_0000), Address::vram(0x18_0100));
        for pause in [0, 200] {
            let mut memory = Memory::default();
            memory.write_u32(before, 0x0403_0201);
            let mut raster = Rasterizer::new(RasterOptions { threads: 2, ..RasterOptions::default() });
            while !memory.is_in_use() {
                raster.primitive(&mut memory, &registers, &triangle);
            }
            raster.flush_for_write(&mut memory, late, 4);
            memory.write_u32(late, 7);
            assert!(memory.is_in_use(), "the write did not end the job");
            std::thread::sleep(std::time::Duration::from_micros(pause));
            drop(raster);
            assert!(!memory.is_in_use(), "nobody draws");
            assert_eq!(
                (memory.read_u32(before), memory.read_u32(late)),
                (0x0403_0201, 7),
                "all bytes are there"
            );
            memory.write_u32(late, 8);
            let mut other = Rasterizer::new(RasterOptions { threads: 2, ..RasterOptions::default() });
            other.primitive(&mut memory, &registers, &triangle);
            other.flush(&mut memory);
            assert_eq!(
                (memory.read_u32(Address::vram(0)), memory.read_u32(late)),
                (0xFFFF_FFFF, 8),
                "it goes on"
            );
        }
    }
}
