//! Makes a reduction's trials: each replays a candidate and looks at the kept pixels.

use std::sync::Arc;

use super::fault::Fault;
use super::kept_pixels::KeptPixels;
use crate::debug::trim::excerpt::Excerpt;
use crate::ge::limits::{Limit, Limits};
use crate::ge::memory::Memory;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::Ending;
use crate::run::replay;
use crate::run::sink::NullObserver;

/// The stages of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceStage {
    /// Removes draws, block transfers and CPU actions.
    Events,
    /// Removes register writes.
    Commands,
    /// Resets registers in the start state.
    Registers,
    /// Removes vertices from draws.
    Vertices,
    /// Sets bytes in memory to 0.
    Bytes,
}

impl ReduceStage {
    /// Returns a plural name for the elements that this stage removes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Commands => "commands",
            Self::Registers => "registers",
            Self::Vertices => "vertices",
            Self::Bytes => "bytes",
        }
    }
}

/// How far a reduction has come, after a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceProgress {
    /// The current stage.
    pub stage: ReduceStage,
    /// How many trials there were so far.
    pub trials: u32,
}

/// Decides which candidates stay.
pub(super) enum Check<'a> {
    /// These pixels must have the same bits.
    Pixels(&'a KeptPixels),
    /// This fault must remain.
    Fault(&'a mut dyn Fault),
}

/// The trials so far.
pub(super) struct Trials<'a> {
    check: Check<'a>,
    pub(super) raster: RasterOptions,
    pub(super) limits: Limits,
    pub(super) stage: ReduceStage,
    pub(super) count: u32,
    /// Make at most this many trials.
    max: u32,
    progress: &'a mut dyn FnMut(ReduceProgress),
}

impl<'a> Trials<'a> {
    /// Starts to count trials.
    pub(super) fn new(
        check: Check<'a>,
        raster: RasterOptions,
        limits: &Limits,
        max: u32,
        progress: &'a mut dyn FnMut(ReduceProgress),
    ) -> Self {
        // The lists are small, and a single thread draws such a list faster.
        let raster = RasterOptions { threads: 1, ..raster };
        let limits = limits.without(Limit::Time);
        Self { check, raster, limits, stage: ReduceStage::Events, count: 0, max, progress }
    }

    /// Returns whether no trials are left.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.count >= self.max
    }

    /// Returns whether a candidate passes the check; `None` if no trials are left.
    pub(super) fn holds(&mut self, candidate: &Excerpt) -> Option<bool> {
        self.holds_with(candidate, Memory::clone(&candidate.memory))
    }

    /// Returns whether a candidate with other memory passes the check; `None` if no trials are left.
    pub(super) fn holds_with(&mut self, candidate: &Excerpt, memory: Memory) -> Option<bool> {
        if self.is_exhausted() {
            return None;
        }
        self.count = self.count.saturating_add(1);
        (self.progress)(ReduceProgress { stage: self.stage, trials: self.count });
        let Some(mut capture) = candidate.to_capture_with(memory) else { return Some(false) };
        let holds = match &mut self.check {
            Check::Pixels(kept) => {
                let mut raster = Rasterizer::new(self.raster);
                let arithmetic = self.raster.arithmetic;
                let run = replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, &self.limits);
                Some(run.report.ending == Ending::Finished && kept.first_lost(&capture.memory).is_none())
            }
            Check::Fault(fault) => fault.remains(&capture),
        };
        if holds.is_none() {
            self.max = self.count;
        }
        holds
    }

    /// Replaces an excerpt by a candidate if this passes the check. Returns whether it does.
    pub(super) fn try_replace(&mut self, excerpt: &mut Excerpt, candidate: Excerpt) -> bool {
        let holds = self.holds(&candidate) == Some(true);
        if holds {
            *excerpt = candidate;
        }
        holds
    }

    /// Copies an excerpt's memory, to change it for a trial.
    pub(super) fn memory_of(excerpt: &Excerpt) -> Memory {
        Memory::clone(Arc::as_ref(&excerpt.memory))
    }
}
