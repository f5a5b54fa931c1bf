//! This part of the rasterizer hands queued draws to other threads. It also completes them before other code
//! needs their pixels.

use std::ops::Range;

use super::Rasterizer;
use super::fast::{DrawMemory, PassLimits, PipelineState};
use super::fill_job::{FillJob, FillResources, RunningJob};
use super::lowered_primitives::LoweredPrimitives;
use super::queue::{FlushReason, QueuedDraw, is_worth_other_threads};
use super::threads::Threads;
use super::vram_mirror::VramMirror;
use crate::ge::memory::Memory;

impl Rasterizer {
    /// Hands queued draws to other threads if this pays, so that the front end can go on.
    pub(super) fn hand_over(&mut self, memory: &mut Memory) {
        if self.job.as_ref().is_some_and(RunningJob::is_back) {
            self.take_back_job(memory);
        }
        if self.queue.is_full() {
            self.complete_draws(memory, FlushReason::Full);
        } else if self.job.is_none() && self.queue.is_worth_handing_over() {
            self.start_job(memory);
        }
    }

    /// Lends engine and VRAM to other threads to fill the queued draws.
    fn start_job(&mut self, memory: &mut Memory) {
        let draws = self.queue.take_draws();
        // Until the depth cache is written back, VRAM lacks its bytes. So they count as bytes that may
        // change.
        self.queue.note_write(self.fast.cached_depth());
        let resources = FillResources {
            engine: std::mem::take(&mut self.fast),
            ram: memory.shared_ram(),
            translation: memory.translation(),
            vram: self.vram_mirror.lend(memory, |bytes| self.queue.writes(bytes)),
        };
        self.job = Some(FillJob::start(&self.threads, resources, draws));
    }

    /// Recalls the job and fills the draws that it left.
    fn take_back_job(&mut self, memory: &mut Memory) {
        let Some(job) = self.job.take() else { return };
        let FillJob { resources, draws, mut filled, stopped, pixels } = *job.finish();
        self.fast = resources.engine;
        self.vram_mirror.give_back(memory, resources.vram);
        self.statistics.pixels += pixels;
        // The stopped pass continues at its next row; the draws after it begin at their first.
        if let Some((count, first_row)) = stopped {
            let limits = PassLimits { first_row, ..PassLimits::NONE };
            let rest = draws.get(filled..filled + count).unwrap_or(&[]);
            self.fill_draws(memory, rest, limits);
            filled += count;
        }
        self.fill_draws(memory, draws.get(filled..).unwrap_or(&[]), PassLimits::NONE);
        self.queue.recycle(draws);
        // All draws before these late writes are filled. But the depth cache may still hold bytes between the
        // rows of draws, so it goes first.
        for bytes in self.vram_mirror.late_writes() {
            self.fast.write_back_for(memory.ram_and_vram_mut().1, bytes);
        }
        self.vram_mirror.write_late(memory);
        // A caller may have taken further draws out of the queue, but it fills them before anything reads
        // VRAM.
        self.queue.forget_taken();
    }

    /// Fills draws with all threads, or with this one alone if they cost too little to wake others. The limits must not
    /// stop it.
    fn fill_draws(&mut self, memory: &mut Memory, mut draws: &[QueuedDraw], limits: PassLimits<'_>) {
        let mut memory = DrawMemory::new(memory);
        let cost = draws.iter().fold(0_u64, |sum, draw| sum.saturating_add(draw.lowered.cost()));
        let threads = if is_worth_other_threads(cost) { self.threads.clone() } else { Threads::default() };
        while !draws.is_empty() {
            let calls = draws.iter().map(QueuedDraw::draw_call);
            let progress = self.fast.draw_pass(&mut memory, &threads, calls, limits);
            self.statistics.pixels += progress.pixels;
            draws = draws.get(progress.draws.max(1)..).unwrap_or(&[]);
        }
    }

    /// Draws primitives that sample bytes of their target, but none that they write. They sample a copy of
    /// the texture.
    pub(super) fn draw_with_copies(
        &mut self,
        memory: &mut Memory,
        state: &mut PipelineState,
        lowered: &LoweredPrimitives,
    ) {
        self.complete_draws(memory, FlushReason::CopiedTexels);
        self.copy_texels(memory, state);
        let call = std::iter::once(lowered.draw_call(state));
        let memory = &mut DrawMemory::new(memory);
        let progress = self.fast.draw_pass(memory, &self.threads, call, PassLimits::NONE);
        self.statistics.pixels += progress.pixels;
    }

    /// Fills all draws so far, inside a span that tells the reason.
    pub(super) fn complete_draws(&mut self, memory: &mut Memory, reason: FlushReason) {
        if self.job.is_none() && self.queue.is_empty() {
            return;
        }
        let draws = self.queue.take_draws();
        let _span =
            tracing::debug_span!(target: "pspge::raster::handover", "flush", draws = draws.len(), ?reason)
                .entered();
        self.take_back_job(memory);
        self.fill_draws(memory, &draws, PassLimits::NONE);
        self.queue.recycle(draws);
        self.queue.forget_taken();
    }

    /// Checks whether bytes of VRAM can be written while a job holds VRAM. They reach it when the job is
    /// back.
    pub(super) fn can_write_late(&self, memory: &Memory, bytes: &Range<usize>) -> bool {
        self.job.is_some() && self.queue.permits_late_write(bytes) && VramMirror::has_room(memory)
    }

    /// Writes the depth cache back. This requires that no job is running.
    pub(super) fn write_back(&mut self, memory: &mut Memory) {
        self.fast.write_back(memory.ram_and_vram_mut().1);
    }
}
