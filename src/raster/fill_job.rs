//! A fill job lets other threads fill queued draws while the front end goes on.
//!
//! The job owns everything that filling needs: the engine, VRAM, a share of main RAM and the lowered draws.
//! It fills render passes in order. If it is recalled, it stops before the next pass or group of bands, and
//! the front end fills the rest with all threads.
//!
//! # Invariants
//! Pixels do not depend on where a job stops. A job always comes back, even if it panics. In that case the
//! front end fills the rest itself and so panics in turn, but VRAM is in its place.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::fast::{DrawMemory, FastEngine, PassLimits};
use super::queue::QueuedDraw;
use super::threads::Threads;
use crate::ge::edram::Translation;
use crate::ge::memory::{Block, Vram};

/// Limit for the pixels in a render pass, so that a job can be recalled soon.
const MAX_PASS_PIXELS: u64 = 1 << 14;
/// How often a waiting thread looks at the flag before it sleeps. This takes about as long as such a pass.
const SPINS: u32 = 1 << 14;

/// Everything that is needed to fill draws.
#[derive(Debug)]
pub(super) struct FillResources {
    pub(super) engine: FastEngine,
    /// Main RAM.
    pub(super) ram: Arc<Block>,
    pub(super) vram: Vram,
    pub(super) translation: Translation,
}

/// Draws for other threads to fill.
#[derive(Debug)]
pub(super) struct FillJob {
    pub(super) resources: FillResources,
    pub(super) draws: Vec<QueuedDraw>,
    /// Number of draws that are filled already.
    pub(super) filled: usize,
    /// For a pass that was stopped in the middle: the number of its draws, and the next row to fill.
    pub(super) stopped: Option<(usize, usize)>,
    /// Number of pixels that passed all tests.
    pub(super) pixels: u64,
}

/// A job on which other threads work.
#[derive(Debug)]
pub(super) struct RunningJob(Arc<Handover>);

/// The place for handing a job back.
#[derive(Debug, Default)]
struct Handover {
    is_recalled: AtomicBool,
    is_back: AtomicBool,
    job: Mutex<Option<Box<FillJob>>>,
    arrival: Condvar,
}

impl FillJob {
    /// Starts a job on other threads.
    pub(super) fn start(threads: &Threads, resources: FillResources, draws: Vec<QueuedDraw>) -> RunningJob {
        let job = Box::new(Self { resources, draws, filled: 0, stopped: None, pixels: 0 });
        let handover = Arc::new(Handover::default());
        let (remote, helpers) = (Arc::clone(&handover), threads.helpers_only());
        threads.spawn(move || {
            let mut returning = ReturningJob { job: Some(job), handover: remote };
            let ReturningJob { job, handover } = &mut returning;
            if let Some(job) = job {
                job.fill(&helpers, &handover.is_recalled);
            }
        });
        RunningJob(handover)
    }

    /// Fills the draws until it is done or recalled.
    fn fill(&mut self, threads: &Threads, is_recalled: &AtomicBool) {
        let limits = PassLimits { max_pixels: MAX_PASS_PIXELS, first_row: 0, stop: Some(is_recalled) };
        while self.filled < self.draws.len() && !is_recalled.load(Ordering::Relaxed) {
            let calls = self.draws.iter().skip(self.filled).map(QueuedDraw::draw_call);
            let FillResources { engine, ram, vram, translation } = &mut self.resources;
            let mut memory = DrawMemory { ram, vram, translation: *translation };
            let progress = engine.draw_pass(&mut memory, threads, calls, limits);
            self.pixels += progress.pixels;
            if let Some(row) = progress.next_row {
                self.stopped = Some((progress.draws, row));
                return;
            }
            self.filled += progress.draws;
        }
    }
}

/// Hands its job back when it is dropped, and so also after a panic.
struct ReturningJob {
    job: Option<Box<FillJob>>,
    handover: Arc<Handover>,
}

impl Drop for ReturningJob {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            self.handover.hand_back(job);
        }
    }
}

impl Handover {
    fn hand_back(&self, job: Box<FillJob>) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        self.is_back.store(true, Ordering::Release);
        self.arrival.notify_one();
    }

    fn wait(&self) -> Box<FillJob> {
        // A recalled job comes back after its current pass, so this spins for about that long before it
        // sleeps.
        for _ in 0..SPINS {
            if self.is_back.load(Ordering::Acquire) {
                break;
            }
            std::hint::spin_loop();
        }
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match job.take() {
                Some(job) => return job,
                None => job = self.arrival.wait(job).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl RunningJob {
    /// Returns whether the job has ended. [`Self::finish`] then need not wait.
    pub(super) fn is_back(&self) -> bool {
        self.0.is_back.load(Ordering::Acquire)
    }

    /// Recalls the job and waits until it is back.
    pub(super) fn finish(self) -> Box<FillJob> {
        self.0.is_recalled.store(true, Ordering::Relaxed);
        self.0.wait()
    }
}

#[cfg(test)]
#[cfg(feature = "threads")]
mod tests {
    use super::*;
    use crate::ge::memory::Memory;

    /// VRAM comes back from a thread that panics, so that its owner can go on.
    #[test]
    fn jobs_come_back_from_a_panic() {
        let resources = FillResources {
            engine: FastEngine::default(),
            ram: Memory::default().shared_ram(),
            vram: Vram::placeholder(),
            translation: Translation::default(),
        };
        let job = Box::new(FillJob { resources, draws: Vec::new(), filled: 0, stopped: None, pixels: 7 });
        let handover = Arc::new(Handover::default());
        let remote = Arc::clone(&handover);
        Threads::new(2).spawn(move || {
            let _returning = ReturningJob { job: Some(job), handover: remote };
            panic!("a fault while it draws");
        });
        assert_eq!(handover.wait().pixels, 7, "the job");
    }
}
