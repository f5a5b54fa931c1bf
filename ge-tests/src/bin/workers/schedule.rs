//! Repeats a recorded run for some workers: the front end, and helpers that fill jobs.
//!
//! The rules and numbers are the same as in the rasterizer's `queue`, `fill_job` and `threads`. Times are in
//! nanoseconds.

use std::ops::Range;

use crate::hazards::Hazards;
use crate::passes::{LeastTimes, Pass};
use crate::work::{Action, DrawWork, Step, Way};
use crate::workers::Workers;

/// The queue is full with this many draws or primitives. (Copied bytes are left out.)
const MAX_DRAWS: usize = 4096;
const MAX_PRIMITIVES: u64 = 1 << 15;
/// Work is handed over if it costs at least this.
const MIN_COST: u64 = 1 << 13;
/// Limits the pixels in a job's pass.
const MAX_PASS_PIXELS: u64 = 1 << 14;
/// Time to wake a helper that sleeps, as measured on a virtual machine.
const WAKE: f64 = 50_000.0;
/// This many workers are as good as any number, because passes have no more bands.
const MANY: usize = 64;

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// The run's time.
    pub(crate) time: f64,
    /// How long each worker has work, the front end first.
    pub(crate) busy: Vec<f64>,
    /// The front end's time for its own work.
    front_end: f64,
    /// How long the front end waits for draws, or helps, because it needs bytes used by them.
    recalls: f64,
    /// The same, because the queue is full or the run ends.
    filling: f64,
}

impl Schedule {
    /// Returns how much of the time a worker has work, mean over all workers.
    pub(crate) fn mean_load(&self) -> f64 {
        self.busy.iter().sum::<f64>() / self.busy.len() as f64 / self.time
    }

    /// Names what takes most of the front end's time, which is the run's time.
    pub(crate) fn limit(&self) -> &'static str {
        if self.front_end >= self.recalls.max(self.filling) {
            "front end"
        } else if self.recalls >= self.filling {
            "recalls"
        } else {
            "filling"
        }
    }
}

/// Schedules a run for some workers, at least one.
pub(crate) fn simulate(steps: &[Step], workers: usize) -> Schedule {
    if workers <= 1 { alone(steps) } else { Simulation::new(steps, workers, WAKE).run(steps) }
}

/// Returns a run's time if any number of workers wake at once.
pub(crate) fn critical_path(steps: &[Step]) -> f64 {
    Simulation::new(steps, MANY, 0.0).run(steps).time
}

/// Schedules a run that draws each draw at once.
fn alone(steps: &[Step]) -> Schedule {
    let front_end = steps.iter().map(|step| step.front_end).sum::<f64>();
    let filling = draws_of(steps).map(|draw| draw.fill.pass + draw.fill.whole).sum::<f64>();
    let time = front_end + filling;
    Schedule { time, busy: vec![time], front_end, recalls: 0.0, filling }
}

fn draws_of(steps: &[Step]) -> impl Iterator<Item = &DrawWork> {
    steps.iter().filter_map(|step| match &step.action {
        Action::Draw(draw) => Some(&**draw),
        _ => None,
    })
}

/// Finds the times that no draw is below.
fn least_times(steps: &[Step]) -> LeastTimes {
    let least = |times: &mut dyn Iterator<Item = f64>| times.fold(f64::INFINITY, f64::min);
    let passes = || draws_of(steps).filter(|draw| draw.way == Way::Pass && !draw.fill.strips.is_empty());
    let pass = least(&mut passes().map(|draw| draw.fill.pass));
    let empty = least(&mut passes().flat_map(|draw| draw.fill.strips.iter().copied()));
    let finite = |time: f64| if time.is_finite() { time } else { 0.0 };
    LeastTimes { pass: finite(pass), empty: finite(empty) }
}

/// A run in progress.
#[derive(Debug)]
struct Simulation<'s> {
    least: LeastTimes,
    workers: Workers,
    clock: f64,
    hazards: Hazards,
    queue: Vec<&'s DrawWork>,
    job: Option<Job<'s>>,
    /// Bytes in VRAM held by the depth cache.
    cached_depth: Range<usize>,
    front_end: f64,
    recalls: f64,
    filling: f64,
}

/// Draws for helpers to fill.
#[derive(Debug)]
struct Job<'s> {
    draws: Vec<&'s DrawWork>,
    /// Points at which the job can be stopped, by time. At the last point it is complete.
    stops: Vec<Stop>,
}

/// A point at which a job can be stopped.
#[derive(Clone, Debug)]
struct Stop {
    time: f64,
    /// How many draws are filled.
    filled: usize,
    /// For a pass stopped in the middle: how many draws it has, and its next row.
    pass: Option<(usize, usize)>,
    /// The workers at this time.
    workers: Workers,
}

/// Why all draws are completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Recall,
    Fill,
}

impl<'s> Simulation<'s> {
    fn new(steps: &[Step], workers: usize, wake: f64) -> Self {
        Self {
            least: least_times(steps),
            workers: Workers::new(workers, wake),
            clock: 0.0,
            hazards: Hazards::default(),
            queue: Vec::new(),
            job: None,
            cached_depth: 0..0,
            front_end: 0.0,
            recalls: 0.0,
            filling: 0.0,
        }
    }

    fn run(mut self, steps: &'s [Step]) -> Schedule {
        for step in steps {
            self.clock += step.front_end;
            self.front_end += step.front_end;
            self.workers.work(0, step.front_end, self.clock);
            self.act(&step.action);
        }
        self.complete(Reason::Fill);
        let Self { clock: time, front_end, recalls, filling, .. } = self;
        Schedule { time, busy: self.workers.busy(), front_end, recalls, filling }
    }

    fn act(&mut self, action: &'s Action) {
        match action {
            Action::Draw(draw) => self.submit(draw),
            Action::Read(bytes) => {
                if self.hazards.writes(bytes) || self.job.is_some() && !self.hazards.can_read(bytes) {
                    self.complete(Reason::Recall);
                }
            }
            Action::Compare(bytes) => {
                let can_write_late = self.can_write_late(bytes);
                if self.hazards.writes(bytes) || self.job.is_some() && !self.hazards.can_read(bytes) {
                    if can_write_late {
                        self.hazards.write_late(bytes.clone());
                    } else {
                        self.complete(Reason::Recall);
                    }
                }
            }
            Action::CopyTexels(bytes) => {
                if self.job.is_some() || self.hazards.writes(bytes) {
                    self.complete(Reason::Recall);
                }
            }
            Action::Write(Some(bytes)) => {
                if self.can_write_late(bytes) {
                    self.hazards.write_late(bytes.clone());
                } else if self.job.is_some() || self.hazards.uses(bytes) {
                    self.complete(Reason::Recall);
                }
            }
            Action::Write(None) | Action::VertexMemory => self.complete(Reason::Recall),
            Action::Flush => self.complete(Reason::Fill),
        }
    }

    fn can_write_late(&self, bytes: &Range<usize>) -> bool {
        self.job.is_some() && self.hazards.permits_late_write(bytes)
    }

    fn submit(&mut self, draw: &'s DrawWork) {
        if draw.depth.is_some() {
            self.cached_depth = draw.writes.last().cloned().unwrap_or_default();
        }
        match draw.way {
            Way::Alone => self.complete(Reason::Recall),
            Way::Copies => {
                self.complete(Reason::Recall);
                let start = self.clock;
                self.fill(&[draw], 0);
                self.recalls += self.clock - start;
            }
            Way::Pass => {
                self.hazards.push(draw);
                self.queue.push(draw);
                self.hand_over();
            }
        }
    }

    /// Starts a job if this pays, and notices if a job has ended.
    fn hand_over(&mut self) {
        let end = self.job.as_ref().and_then(|job| job.stops.last()).map(|stop| stop.time);
        if end.is_some_and(|end| end <= self.clock) {
            self.take_back();
        }
        let is_full = self.queue.len() >= MAX_DRAWS
            || self.queue.iter().map(|draw| draw.primitives).sum::<u64>() >= MAX_PRIMITIVES;
        if is_full {
            self.complete(Reason::Fill);
        } else if self.job.is_none() && self.queue.iter().map(|draw| draw.cost).sum::<u64>() >= MIN_COST {
            self.hazards.take();
            self.hazards.note_write(self.cached_depth.clone());
            self.hazards.lend();
            let draws = std::mem::take(&mut self.queue);
            self.job = Some(self.start(draws));
        }
    }

    /// Simulates a job that begins now and is not recalled.
    fn start(&self, draws: Vec<&'s DrawWork>) -> Job<'s> {
        let mut workers = self.workers.clone();
        let owner = workers.first_helper(self.clock);
        let mut time = workers.arrival(owner, self.clock);
        let (mut stops, mut filled) = (Vec::new(), 0);
        let helpers = workers.count() - 1;
        let stop =
            |time, filled, pass, workers: &Workers| Stop { time, filled, pass, workers: workers.clone() };
        while filled < draws.len() {
            stops.push(stop(time, filled, None, &workers));
            let pass = Pass::first_of(&draws[filled..], MAX_PASS_PIXELS);
            let overhead = pass.overhead(self.least);
            time += overhead;
            workers.work(owner, overhead, time);
            let bands = pass.bands(0, helpers, Some(MAX_PASS_PIXELS), self.least);
            // Each helper takes a band, and the job can be stopped only before the helpers take their next
            // bands.
            for bands in bands.chunks(helpers) {
                let next = bands.first().map_or(0, |(rows, _)| rows.start);
                stops.push(stop(time, filled, Some((pass.draws.len(), next)), &workers));
                let times: Vec<f64> = bands.iter().map(|(_, time)| *time).collect();
                time = workers.for_each(owner, &times, time);
            }
            filled += pass.draws.len();
        }
        workers.linger(owner, time);
        stops.push(stop(time, filled, None, &workers));
        Job { draws, stops }
    }

    /// Recalls the job and fills the draws left by it.
    fn take_back(&mut self) {
        let Some(Job { draws, mut stops }) = self.job.take() else { return };
        let last = stops.len() - 1;
        let at = stops.iter().position(|stop| stop.time >= self.clock).unwrap_or(last);
        let Stop { time, mut filled, pass, workers } = stops.swap_remove(at);
        // The front end has gone on while the helpers worked.
        self.workers.replace_helpers(workers);
        self.clock = self.clock.max(time);
        if let Some((count, row)) = pass {
            self.fill(&draws[filled..filled + count], row);
            filled += count;
        }
        self.fill(&draws[filled..], 0);
        self.hazards.forget_taken();
    }

    /// Fills all draws so far.
    fn complete(&mut self, reason: Reason) {
        let start = self.clock;
        let queue = std::mem::take(&mut self.queue);
        self.hazards.take();
        self.take_back();
        self.fill(&queue, 0);
        self.hazards.forget_taken();
        *(if reason == Reason::Recall { &mut self.recalls } else { &mut self.filling }) += self.clock - start;
    }

    /// Fills draws with all workers. The first pass begins at `first_row`.
    fn fill(&mut self, mut draws: &[&DrawWork], mut first_row: usize) {
        while !draws.is_empty() {
            let pass = Pass::first_of(draws, u64::MAX);
            // A stopped pass has its textures ready.
            let overhead = if first_row > 0 { self.least.pass } else { pass.overhead(self.least) };
            self.clock += overhead;
            self.workers.work(0, overhead, self.clock);
            let bands = pass.bands(first_row, self.workers.count(), None, self.least);
            let times: Vec<f64> = bands.iter().map(|(_, time)| *time).collect();
            self.clock = self.workers.for_each(0, &times, self.clock);
            draws = &draws[pass.draws.len()..];
            first_row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::FillTime;

    /// Made-up draws write these bytes.
    const TARGET: Range<usize> = 0..4;

    /// A draw after 34 µs by the front end that takes `fill` times as long to fill, evenly over all rows.
    fn draw(fill: f64) -> Step {
        let fill = FillTime { pass: 0.0, whole: 34_000.0 * fill, strips: vec![1000.0 * fill; 34] };
        let action = Action::Draw(Box::new(DrawWork::new(Way::Pass, 20_000, fill)));
        Step { front_end: 34_000.0, action }
    }

    /// Draws after one without pixels, so that the time for a band without pixels is known.
    fn draws(fill: f64, count: usize) -> Vec<Step> {
        let none = FillTime { strips: vec![0.0; 34], ..FillTime::default() };
        let none = Action::Draw(Box::new(DrawWork::new(Way::Pass, 0, none)));
        let mut steps = vec![Step { front_end: 0.0, action: none }];
        steps.resize(count + 1, draw(fill));
        steps
    }

    fn speed_up(steps: &[Step], workers: usize) -> f64 {
        alone(steps).time / Simulation::new(steps, workers, 0.0).run(steps).time
    }

    #[test]
    fn front_end_and_helper_work_at_once() {
        let steps = draws(1.0, 200);
        let found = speed_up(&steps, 2);
        assert!((1.9..=2.0).contains(&found), "half each: {found}");
        assert!((speed_up(&steps, 8) - 2.0).abs() < 0.02, "the front end alone takes half of the time");
        assert_eq!(simulate(&steps, 8).limit(), "front end", "and is the limit");
        assert!((critical_path(&steps) - 34_000.0 * 200.0).abs() < 50_000.0, "the front end");
    }

    #[test]
    fn many_workers_share_bands() {
        let steps = draws(50.0, 100);
        let found = [2, 4, 8].map(|workers| speed_up(&steps, workers));
        let expected = [1.9..=2.0, 3.3..=4.0, 6.0..=8.0];
        for (found, expected) in found.iter().zip(expected) {
            assert!(expected.contains(found), "{found}: expected {expected:?}");
        }
        assert_eq!(simulate(&steps, 8).limit(), "filling", "the helpers are late");
    }

    #[test]
    fn reads_of_targets_stop_the_front_end() {
        let mut steps = draws(1.0, 0);
        for _ in 0..100 {
            steps.push(draw(1.0));
            steps.push(Step { front_end: 0.0, action: Action::Read(TARGET) });
        }
        let schedule = Simulation::new(&steps, 8, 0.0).run(&steps);
        let least = 100.0 * (34_000.0 + 34_000.0 / 8.0);
        assert!(schedule.time >= least, "front end and bands take turns: {} < {least}", schedule.time);
        assert!(schedule.recalls > 0.0, "recalls");
        let free = Action::Read(0x10_0000..0x10_0004);
        for step in steps.iter_mut().filter(|step| step.action == Action::Read(TARGET)) {
            step.action = free.clone();
        }
        assert!(speed_up(&steps, 2) > 1.9, "other bytes are read from the mirror");
        for step in steps.iter_mut().filter(|step| step.action == free) {
            step.action = Action::Write(Some(0x10_0000..0x10_0004));
        }
        assert!(speed_up(&steps, 2) > 1.9, "they are written later");
        let late = Action::Write(Some(0x10_0000..0x10_0004));
        for step in steps.iter_mut().filter(|step| step.action == late) {
            step.action = Action::Write(Some(TARGET));
        }
        assert!(speed_up(&steps, 2) < 1.9, "a write to the target needs VRAM back");
    }

    #[test]
    fn cheap_draws_are_not_handed_over() {
        let mut steps = draws(1.0, 2);
        for step in &mut steps {
            let Action::Draw(draw) = &mut step.action else { panic!("a draw") };
            draw.cost = MIN_COST / 4;
        }
        let schedule = Simulation::new(&steps, 2, 0.0).run(&steps);
        // One of both threads fills three of six bands, 138 of 272 rows.
        let bands = 68_000.0 * 138.0 / 272.0;
        assert!((schedule.time - 68_000.0 - bands).abs() < 1.0, "bands at the end: {}", schedule.time);
    }

    #[test]
    fn all_work_is_done_once() {
        for recall in [Action::Read(TARGET), Action::Write(None), Action::VertexMemory] {
            let mut steps = Vec::new();
            for number in 0..300 {
                steps.push(draw(f64::from(number % 7)));
                if number % 5 == 0 {
                    steps.push(Step { front_end: 10.0, action: recall.clone() });
                }
            }
            let work = alone(&steps).time;
            for workers in [2, 3, 4, 8] {
                let schedule = simulate(&steps, workers);
                let busy: f64 = schedule.busy.iter().sum();
                assert!((busy / work - 1.0).abs() < 1e-6, "{recall:?}, {workers} workers: {busy} of {work}");
                assert!(schedule.time * workers as f64 >= busy, "no more than all the time");
                let parts = schedule.front_end + schedule.recalls + schedule.filling;
                assert!(parts <= schedule.time * 1.000_001, "parts of the time");
            }
        }
    }
}
