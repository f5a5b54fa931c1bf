//! Simulates a fill job: a helper fills draws in passes, and others help with the bands.
//!
//! The rules and numbers are the same as for `fill_job` in the rasterizer, so change them together. Times are in
//! nanoseconds.

use std::collections::VecDeque;
use std::ops::Range;

use crate::passes::{BegunDraws, LeastTimes, Pass};
use crate::work::DrawWork;
use crate::workers::Workers;

/// How many pixels a job's pass may have for each helper.
const MAX_PASS_PIXELS: u64 = 1 << 14;

/// Draws for helpers to fill. This moves on step by step, to let the helpers do other work between its bands.
#[derive(Debug)]
pub(crate) struct Job<'s> {
    draws: Vec<&'s DrawWork>,
    /// How many draws are filled so far.
    filled: usize,
    /// The helper that has taken this job.
    owner: usize,
    /// When the job's next pass begins, or when the job has ended.
    time: f64,
    pass: Option<OpenPass>,
}

/// The pass being filled.
#[derive(Debug)]
struct OpenPass {
    draws: usize,
    /// The bands that nobody has taken yet, with their times.
    bands: VecDeque<(Range<usize>, f64)>,
    /// Who helps, and when each is done with the bands taken so far.
    team: Vec<(usize, f64)>,
    /// When the bands so far are filled.
    end: f64,
}

impl OpenPass {
    /// Returns who takes the next band, by its place in the team, and when.
    fn next(&self, workers: &Workers) -> (usize, f64) {
        let starts = self.team.iter().map(|(worker, time)| time.max(workers.free(*worker)));
        let first = starts.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        first.expect("the owner is in the team")
    }
}

impl<'s> Job<'s> {
    /// Lets a helper begin with a job.
    pub(crate) fn new(draws: Vec<&'s DrawWork>, owner: usize, start: f64) -> Self {
        Self { draws, filled: 0, owner, time: start, pass: None }
    }

    pub(crate) fn owner(&self) -> usize {
        self.owner
    }

    /// Returns when the next step begins, or `None` if all draws are filled.
    pub(crate) fn next(&self, workers: &Workers) -> Option<f64> {
        match &self.pass {
            Some(pass) => Some(pass.next(workers).1),
            None => (self.filled < self.draws.len()).then_some(self.time),
        }
    }

    /// Returns when all draws are filled, if this is known.
    pub(crate) fn end(&self) -> Option<f64> {
        (self.pass.is_none() && self.filled == self.draws.len()).then_some(self.time)
    }

    /// Begins a pass, or lets a helper fill a band.
    pub(crate) fn step(&mut self, workers: &mut Workers, least: LeastTimes) {
        let Some(pass) = &mut self.pass else { return self.begin_pass(workers, least) };
        let (at, start) = pass.next(workers);
        if let Some((_, time)) = pass.bands.pop_front() {
            let (worker, free) = &mut pass.team[at];
            *free = start + time;
            pass.end = pass.end.max(*free);
            workers.work(*worker, time, *free);
        }
        if pass.bands.is_empty() {
            self.filled += pass.draws;
            self.time = pass.end;
            self.pass = None;
            if self.filled == self.draws.len() {
                workers.linger(self.owner, self.time);
            }
        }
    }

    fn begin_pass(&mut self, workers: &mut Workers, least: LeastTimes) {
        let helpers = workers.count() - 1;
        let max_pixels = MAX_PASS_PIXELS * helpers as u64;
        let pass = Pass::first_of(&self.draws[self.filled..], max_pixels);
        let overhead = pass.overhead(None, least);
        self.time += overhead;
        workers.work(self.owner, overhead, self.time);
        let bands: VecDeque<_> = pass.bands(None, helpers, Some(max_pixels), least).into();
        let mut team = workers.helpers(self.time, Some(self.owner));
        team.truncate(bands.len().saturating_sub(1));
        team.insert(0, (self.owner, self.time));
        self.pass = Some(OpenPass { draws: pass.draws.len(), bands, team, end: self.time });
    }

    /// Returns when everybody filling a band now has stopped. The owner then looks for more work.
    pub(crate) fn stop(&self, workers: &mut Workers) -> f64 {
        let time = self.pass.as_ref().map_or(self.time, |pass| pass.end);
        workers.linger(self.owner, time);
        time
    }

    /// Returns the draws left to fill, and which of them are begun because their pass was stopped in the middle.
    pub(crate) fn rest(mut self) -> (Vec<&'s DrawWork>, Option<BegunDraws>) {
        let begun = self.pass.and_then(|pass| {
            let (rows, _) = pass.bands.front()?;
            Some(BegunDraws { count: pass.draws, next_row: rows.start })
        });
        (self.draws.split_off(self.filled), begun)
    }
}
