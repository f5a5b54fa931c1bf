//! Repeats a recorded run for some workers: the front end, and helpers that lower draws and fill jobs.
//!
//! The rules and numbers are the same as in the rasterizer's `lowering_queue`, `queue`, `fill_job` and `threads`, so
//! change them together. Times are in nanoseconds.

use std::collections::VecDeque;
use std::ops::Range;

use crate::hazards::{Hazards, overlap};
use crate::job::Job;
use crate::passes::{BegunDraws, LeastTimes, Pass};
use crate::work::{Action, DrawWork, Step, Way};
use crate::workers::Workers;

/// How many draws or primitives fill the queue. (Copied bytes are left out.)
const MAX_DRAWS: usize = 4096;
const MAX_PRIMITIVES: u64 = 1 << 15;
/// How much work must cost to be handed over.
const MIN_COST: u64 = 1 << 13;
/// How much work fills a batch of draws to lower, in vertices, for a single helper and for several. (Copied bytes are
/// left out.)
const MAX_WORK: u64 = 512;
const MAX_SHARED_WORK: u64 = 128;
/// If more batches wait for each helper, the front end lowers a batch itself.
const BATCHES_PER_HELPER: usize = 8;
/// If more batches wait, the first is submitted, even if it is not lowered yet.
const MAX_BATCHES: usize = 64;
/// This many workers are as good as any number, because passes have no more bands.
const MANY: usize = 64;

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// How long the run took.
    pub(crate) time: f64,
    /// How long each worker has work, the front end first.
    pub(crate) busy: Vec<f64>,
    /// The front end's time for its own work.
    front_end: f64,
    /// How long the front end waits for draws, or helps, because it needs bytes used by them.
    recalls: f64,
    /// How long it does so because the queue is full or the run ends.
    filling: f64,
    /// How long it waits for draws that others lower.
    lowering: f64,
}

impl Schedule {
    /// Returns how much of the time a worker has work, mean over all workers.
    pub(crate) fn mean_load(&self) -> f64 {
        self.busy.iter().sum::<f64>() / self.busy.len() as f64 / self.time
    }

    /// Names the activity that takes most of the front end's time, because this is the run's time.
    pub(crate) fn limit(&self) -> &'static str {
        let limits = [
            ("front end", self.front_end),
            ("recalls", self.recalls),
            ("filling", self.filling),
            ("lowering", self.lowering),
        ];
        limits.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |(name, _)| *name)
    }
}

/// Schedules a run for some workers, at least one. `wake` is the time to wake a sleeping worker.
pub(crate) fn simulate(steps: &[Step], workers: usize, wake: f64) -> Schedule {
    if workers <= 1 { alone(steps) } else { Simulation::new(steps, workers, wake).run(steps) }
}

/// Returns a run's time if any number of workers wake at once.
pub(crate) fn critical_path(steps: &[Step]) -> f64 {
    Simulation::new(steps, MANY, 0.0).run(steps).time
}

/// Schedules a run in which the front end draws each draw at once.
fn alone(steps: &[Step]) -> Schedule {
    let front_end = steps.iter().map(|step| step.front_end + lowering_time(step)).sum::<f64>();
    let filling = draws_of(steps).map(|draw| draw.fill.pass + draw.fill.whole).sum::<f64>();
    let time = front_end + filling;
    Schedule { time, busy: vec![time], front_end, recalls: 0.0, filling, lowering: 0.0 }
}

/// Returns how long a step lowers a draw.
pub(crate) fn lowering_time(step: &Step) -> f64 {
    match step.action {
        Action::Lower { time, .. } => time,
        _ => 0.0,
    }
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
    /// Full batches of draws to lower.
    waiting: VecDeque<Batch<'s>>,
    /// The last draws, not yet given to a helper.
    open: Batch<'s>,
    /// Whether the draw before waits. If so, its next steps come when it is submitted.
    last_waits: bool,
    /// The bytes in VRAM held by the depth cache.
    cached_depth: Range<usize>,
    front_end: f64,
    recalls: f64,
    filling: f64,
    lowering: f64,
}

/// Draws for a worker to lower together.
#[derive(Debug, Default)]
struct Batch<'s> {
    time: f64,
    work: u64,
    /// What the front end does to submit these draws.
    steps: Vec<&'s Step>,
    /// When this batch was given to the helpers.
    given: f64,
    /// When the worker that has taken this batch is done.
    ready: Option<f64>,
}

impl Batch<'_> {
    fn writes(&self, bytes: &Range<usize>) -> bool {
        let draws = self.steps.iter().filter_map(|step| match &step.action {
            Action::Draw(draw) => Some(draw),
            _ => None,
        });
        draws.flat_map(|draw| &draw.writes).any(|range| overlap(range, bytes))
    }
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
            waiting: VecDeque::new(),
            open: Batch::default(),
            last_waits: false,
            cached_depth: 0..0,
            front_end: 0.0,
            recalls: 0.0,
            filling: 0.0,
            lowering: 0.0,
        }
    }

    fn run(mut self, steps: &'s [Step]) -> Schedule {
        for step in steps {
            match &step.action {
                Action::Draw(_) | Action::CopyTexels(_) if self.last_waits => {
                    self.last_waits = matches!(step.action, Action::CopyTexels(_));
                    self.open.steps.push(step);
                }
                action => {
                    self.last_waits = false;
                    let max_work = if self.workers.count() > 2 { MAX_SHARED_WORK } else { MAX_WORK };
                    if self.open.work >= max_work {
                        self.start_batch();
                    }
                    self.work(step.front_end);
                    self.interpret(action);
                }
            }
        }
        self.submit_waiting();
        self.complete(Reason::Fill);
        let Self { clock: time, front_end, recalls, filling, lowering, .. } = self;
        Schedule { time, busy: self.workers.busy(), front_end, recalls, filling, lowering }
    }

    /// Lets the front end work for a while.
    fn work(&mut self, time: f64) {
        self.clock += time;
        self.front_end += time;
        self.workers.work(0, time, self.clock);
    }

    /// Lets the helpers do everything they begin until now: whatever can begin first.
    fn advance(&mut self) {
        loop {
            let job = self.job.as_ref().and_then(|job| job.next(&self.workers));
            let apart_from = job.and(self.job.as_ref()).map(Job::owner);
            let batch = self.waiting.iter_mut().find(|batch| batch.ready.is_none());
            let batch = batch.and_then(|batch| {
                let (helper, start) = self.workers.first_helper(batch.given, apart_from)?;
                Some((batch, helper, start))
            });
            match (job, batch) {
                (job, Some((batch, helper, start)))
                    if start <= self.clock && job.is_none_or(|job| start <= job) =>
                {
                    let end = start + batch.time;
                    batch.ready = Some(end);
                    self.workers.work(helper, batch.time, end);
                    self.workers.linger(helper, end);
                }
                (Some(start), _) if start <= self.clock => {
                    if let Some(job) = &mut self.job {
                        job.step(&mut self.workers, self.least);
                    }
                }
                _ => return,
            }
        }
    }

    /// Returns whether the job, if there is one, has ended by now.
    fn has_idle_job(&mut self) -> bool {
        self.advance();
        self.job.as_ref().is_none_or(|job| job.end().is_some_and(|end| end <= self.clock))
    }

    fn interpret(&mut self, action: &'s Action) {
        match action {
            Action::Lower { time, work } => {
                // With two threads, the only helper fills a job as long as a job runs, so the front end lowers this
                // draw itself.
                if self.workers.count() <= 2 && !self.has_idle_job() {
                    self.submit_waiting();
                    return self.work(*time);
                }
                self.last_waits = true;
                self.open.time += time;
                self.open.work += work;
            }
            Action::Read(bytes) | Action::Compare(bytes)
                if !self.waiting.iter().chain([&self.open]).any(|batch| batch.writes(bytes)) =>
            {
                self.act(action);
            }
            _ => {
                self.submit_waiting();
                self.act(action);
            }
        }
    }

    /// Gives the last draws to the helpers, and submits those lowered by now.
    fn start_batch(&mut self) {
        self.waiting.push_back(Batch { given: self.clock, ..std::mem::take(&mut self.open) });
        self.advance();
        let helpers = self.workers.count() - 1;
        if self.waiting.len() > BATCHES_PER_HELPER * helpers {
            self.lower_one();
        }
        while self.waiting.len() > MAX_BATCHES
            || self.waiting.front().is_some_and(|batch| batch.ready.is_some_and(|ready| ready <= self.clock))
        {
            self.submit_batch();
            self.advance();
        }
    }

    /// Lets the front end lower the first batch that nobody has taken. Returns `false` if there is none.
    fn lower_one(&mut self) -> bool {
        self.advance();
        let Some(batch) = self.waiting.iter_mut().find(|batch| batch.ready.is_none()) else { return false };
        let time = batch.time;
        batch.ready = Some(self.clock + time);
        self.work(time);
        true
    }

    /// Submits the first batch, as soon as it is lowered. Returns `false` if no draw waits.
    fn submit_batch(&mut self) -> bool {
        if self.waiting.is_empty() {
            if self.open.work == 0 {
                return false;
            }
            let batch = std::mem::take(&mut self.open);
            self.waiting.push_back(Batch { ready: Some(self.clock + batch.time), ..batch });
            self.work(self.waiting[0].time);
        }
        self.advance();
        // While a helper lowers this batch, the front end lowers the next.
        while self.waiting[0].ready.is_none_or(|ready| ready > self.clock) && self.lower_one() {}
        let Some(Batch { steps, ready, .. }) = self.waiting.pop_front() else { return false };
        let late = (ready.unwrap_or(self.clock) - self.clock).max(0.0);
        self.clock += late;
        self.lowering += late;
        for step in steps {
            self.work(step.front_end);
            self.act(&step.action);
        }
        true
    }

    fn submit_waiting(&mut self) {
        while self.submit_batch() {}
    }

    /// Does the same as the dispatcher for an action.
    fn act(&mut self, action: &'s Action) {
        match action {
            Action::Lower { .. } => {}
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
                self.fill(&[draw], None);
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
        if self.has_idle_job() {
            self.take_back();
            self.hazards.forget_taken();
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
            if let Some((owner, start)) = self.workers.first_helper(self.clock, None) {
                self.job = Some(Job::new(draws, owner, start));
            }
        }
    }

    /// Recalls the job. Returns the draws it left, and which of them are begun.
    fn take_back(&mut self) -> (Vec<&'s DrawWork>, Option<BegunDraws>) {
        self.advance();
        let Some(job) = self.job.take() else { return (Vec::new(), None) };
        self.clock = self.clock.max(job.stop(&mut self.workers));
        job.rest()
    }

    /// Fills all draws so far: those left by the job together with those in the queue. (Late writes are left out.)
    fn complete(&mut self, reason: Reason) {
        let start = self.clock;
        self.hazards.take();
        let (mut draws, begun) = self.take_back();
        draws.append(&mut self.queue);
        self.fill(&draws, begun);
        self.hazards.forget_taken();
        *(if reason == Reason::Recall { &mut self.recalls } else { &mut self.filling }) += self.clock - start;
    }

    /// Fills draws with all workers, or with the front end alone if they cost too little. The first draws can be
    /// begun.
    fn fill(&mut self, mut draws: &[&DrawWork], mut begun: Option<BegunDraws>) {
        let is_worth_others = draws.iter().map(|draw| draw.cost).sum::<u64>() >= MIN_COST;
        let workers = if is_worth_others { self.workers.count() } else { 1 };
        while !draws.is_empty() {
            let pass = Pass::first_of(draws, u64::MAX);
            // A stopped pass had its textures ready, so this overhead is smaller.
            let overhead = pass.overhead(begun, self.least);
            self.clock += overhead;
            self.workers.work(0, overhead, self.clock);
            let bands = pass.bands(begun, workers, None, self.least);
            let times: Vec<f64> = bands.iter().map(|(_, time)| *time).collect();
            self.clock = self.workers.for_each(&times, self.clock);
            let filled = pass.draws.len();
            draws = &draws[filled..];
            begun = begun.and_then(|begun| begun.after(filled));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::FillTime;

    const WAKE: f64 = 50_000.0;
    /// The bytes written by made-up draws.
    const TARGET: Range<usize> = 0..4;

    /// A draw after 34 µs by the front end that takes `fill` times as long to fill, evenly over all rows.
    fn draw(fill: f64) -> Step {
        let fill = FillTime { pass: 0.0, whole: 34_000.0 * fill, strips: vec![1000.0 * fill; 34] };
        let action = Action::Draw(Box::new(DrawWork::new(Way::Pass, 20_000, fill)));
        Step { front_end: 34_000.0, action }
    }

    /// Draws after a first draw without pixels, to make known how long a band without pixels takes.
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
        assert_eq!(simulate(&steps, 8, WAKE).limit(), "front end", "and is the limit");
        assert!((critical_path(&steps) - 34_000.0 * 200.0).abs() < 50_000.0, "the front end");
    }

    #[test]
    fn any_worker_lowers_draws() {
        // Each draw is a batch that takes 30 µs to lower, 1 µs to interpret, 1 µs to submit, and nothing to fill.
        let none = Action::Draw(Box::new(DrawWork::new(Way::Pass, 0, FillTime::default())));
        let draw = [
            Step { front_end: 1000.0, action: Action::Lower { time: 30_000.0, work: MAX_WORK } },
            Step { front_end: 1000.0, action: none },
        ];
        let steps: Vec<Step> = draw.iter().cycle().take(800).cloned().collect();
        let found = [2, 4, 8].map(|workers| speed_up(&steps, workers));
        let expected = [1.8..=2.0, 3.3..=4.0, 5.5..=8.0];
        for (found, expected) in found.iter().zip(expected) {
            assert!(expected.contains(found), "{found}: expected {expected:?}");
        }
        let schedule = simulate(&steps[..2], 8, WAKE);
        assert!((schedule.time - 32_000.0).abs() < 1.0, "a single draw does not wait: {}", schedule.time);
    }

    #[test]
    fn the_front_end_lowers_while_its_only_helper_fills() {
        let mut steps = draws(1.0, 0);
        let lower = |work| Step { front_end: 0.0, action: Action::Lower { time: 40_000.0, work } };
        // Batches for the helper to lower, between draws that it fills for a millisecond each.
        for _ in 0..50 {
            steps.extend([draw(30.0), lower(MAX_WORK)]);
        }
        let alone = alone(&steps).front_end;
        let [two, eight] = [2, 8].map(|workers| simulate(&steps, workers, WAKE));
        assert!(two.front_end > 0.9 * alone, "{} of {alone}", two.front_end);
        assert!(eight.front_end < 0.6 * alone, "{} of {alone}", eight.front_end);
    }

    #[test]
    fn many_workers_share_bands() {
        let steps = draws(50.0, 100);
        let found = [2, 4, 8].map(|workers| speed_up(&steps, workers));
        let expected = [1.9..=2.0, 3.3..=4.0, 6.0..=8.0];
        for (found, expected) in found.iter().zip(expected) {
            assert!(expected.contains(found), "{found}: expected {expected:?}");
        }
        assert_eq!(simulate(&steps, 8, WAKE).limit(), "filling", "the helpers are late");
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
        assert!(
            (schedule.time - 2.0 * 68_000.0).abs() < 1.0,
            "the front end fills them, too: {}",
            schedule.time
        );
    }

    #[test]
    fn all_work_is_done_once() {
        for recall in [Action::Read(TARGET), Action::Write(None), Action::VertexMemory] {
            let mut steps = Vec::new();
            for number in 0..300 {
                let action =
                    Action::Lower { time: (number % 11) as f64 * 1000.0, work: 16 + number % 13 * 20 };
                steps.push(Step { front_end: 100.0, action });
                steps.push(draw((number % 7) as f64));
                if number % 5 == 0 {
                    steps.push(Step { front_end: 10.0, action: recall.clone() });
                }
            }
            let work = alone(&steps).time;
            for workers in [2, 3, 4, 8] {
                let schedule = simulate(&steps, workers, WAKE);
                let busy: f64 = schedule.busy.iter().sum();
                assert!((busy / work - 1.0).abs() < 1e-6, "{recall:?}, {workers} workers: {busy} of {work}");
                assert!(schedule.time * workers as f64 >= busy, "no more than all the time");
                let parts = schedule.front_end + schedule.recalls + schedule.filling;
                assert!(parts <= schedule.time * 1.000_001, "parts of the time");
            }
        }
    }
}
