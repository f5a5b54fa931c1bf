//! A fill job lets other threads fill queued draws while the front end goes on.
//!
//! This job owns everything it needs to fill draws: the engine, VRAM, a share of main RAM and the lowered draws. It
//! fills render passes in order. If recalled, it stops before the next pass or group of bands, and the front end
//! fills the rest with all threads.
//!
//! # Invariants
//! Pixels do not depend on where a job stops. A job always comes back, even if it panics. In that case the front end
//! fills the rest itself and so panics in turn, but VRAM is in its place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::loan::{Loan, Return};
use super::queue::QueuedDraw;
use super::threads::Threads;
use crate::ge::edram::Translation;
use crate::ge::memory::{Block, Vram, VramReturn};
use crate::raster::fast::{BegunDraws, DrawMemory, FastEngine, PassLimits};

/// Limits each thread's pixels in a render pass, to let a job be recalled soon.
const MAX_PASS_PIXELS: u64 = 1 << 14;

/// Everything needed to fill draws.
#[derive(Debug)]
pub(crate) struct FillResources {
    pub(crate) engine: FastEngine,
    pub(crate) ram: Arc<Block>,
    pub(crate) vram: Vram,
    pub(crate) translation: Translation,
}

#[derive(Debug)]
pub(crate) struct FillJob {
    pub(super) resources: FillResources,
    pub(crate) draws: Vec<QueuedDraw>,
    /// How many draws are filled already.
    pub(crate) filled: usize,
    /// The draws after them, if their pass was stopped in the middle.
    pub(super) begun: Option<BegunDraws>,
    /// How many pixels passed all tests.
    pub(crate) pixels: u64,
}

/// A job on which other threads work. If this is dropped, the draws left are lost, but memory gets VRAM back.
#[derive(Debug)]
pub(crate) struct RunningJob {
    is_recalled: Arc<AtomicBool>,
    place: Arc<Return<Box<FillJob>>>,
    /// Where to leave VRAM. `None` once the job is back.
    vram_place: Option<VramReturn>,
}

impl FillJob {
    /// Starts a job on other threads.
    pub(crate) fn start(
        threads: &Threads,
        resources: FillResources,
        draws: Vec<QueuedDraw>,
        vram_place: VramReturn,
    ) -> RunningJob {
        let job = Box::new(Self { resources, draws, filled: 0, begun: None, pixels: 0 });
        let running =
            RunningJob { is_recalled: Arc::default(), place: Arc::default(), vram_place: Some(vram_place) };
        let (loan, is_recalled) =
            (Loan::new(job, Arc::clone(&running.place)), Arc::clone(&running.is_recalled));
        let helpers = threads.helpers_only();
        threads.spawn(move || loan.lend(|job| job.fill(&helpers, &is_recalled)));
        running
    }

    /// Fills the draws until it is done or recalled.
    fn fill(&mut self, threads: &Threads, is_recalled: &AtomicBool) {
        let max_pixels = MAX_PASS_PIXELS.saturating_mul(threads.count() as u64);
        let limits = PassLimits { max_pixels, begun: None, stop: Some(is_recalled) };
        while self.filled < self.draws.len() && !is_recalled.load(Ordering::Relaxed) {
            let calls = self.draws.iter().skip(self.filled).map(QueuedDraw::draw_call);
            let FillResources { engine, ram, vram, translation } = &mut self.resources;
            let mut memory = DrawMemory { ram, vram, translation: *translation };
            let progress = engine.draw_pass(&mut memory, threads, calls, limits);
            self.pixels += progress.pixels;
            self.begun = progress.begun;
            if self.begun.is_some() {
                return;
            }
            self.filled += progress.draws;
        }
    }
}

impl RunningJob {
    /// Returns whether the job has ended. [`Self::finish`] then need not wait.
    pub(crate) fn is_back(&self) -> bool {
        self.place.is_back()
    }

    /// Recalls the job and waits for its return.
    pub(crate) fn finish(mut self) -> Box<FillJob> {
        self.vram_place = None;
        self.recall()
    }

    fn recall(&self) -> Box<FillJob> {
        self.is_recalled.store(true, Ordering::Relaxed);
        self.place.wait()
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        if let Some(place) = self.vram_place.take() {
            place.leave(self.recall().resources.vram);
        }
    }
}
