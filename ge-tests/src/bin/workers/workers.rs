//! Tracks the workers in a schedule: until when each has work, and until when it stays awake. Worker 0 is the front
//! end.
//!
//! The rules are the same as for `threads` in the rasterizer, so change them together. Times are in nanoseconds.

/// How long a helper looks for more work after a job, and after any work it finds meanwhile. If there are several,
/// each does so after any work.
const LINGER: f64 = 100_000.0;
/// How long the only helper looks for more work after a part of a pass, as its thread pool does.
const SPIN: f64 = 10_000.0;
/// How long an awake worker takes to begin work from another.
const NOTICE: f64 = 500.0;

/// All workers.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    workers: Vec<Worker>,
    /// How long it takes to wake a worker.
    wake: f64,
}

#[derive(Clone, Debug, Default)]
struct Worker {
    /// When this worker's work so far ends.
    free: f64,
    awake_until: f64,
    /// Whether this worker looks for more work after a job.
    lingers: bool,
    /// The total time of its work.
    busy: f64,
}

impl Workers {
    /// Creates workers that all sleep, except the front end. Waking a worker takes `wake`; if this is 0, an awake
    /// worker begins at once, too.
    pub(crate) fn new(count: usize, wake: f64) -> Self {
        let asleep = Worker { awake_until: -1.0, ..Worker::default() };
        Self { workers: vec![asleep; count], wake }
    }

    pub(crate) fn count(&self) -> usize {
        self.workers.len()
    }

    /// Returns each worker's time with work.
    pub(crate) fn busy(&self) -> Vec<f64> {
        self.workers.iter().map(|worker| worker.busy).collect()
    }

    /// Notes that a worker has worked for some time until `end`.
    pub(crate) fn work(&mut self, number: usize, time: f64, end: f64) {
        let has_others = self.count() > 2;
        let worker = &mut self.workers[number];
        worker.busy += time;
        worker.free = worker.free.max(end);
        worker.lingers = worker.lingers && end - time <= worker.awake_until || has_others;
        worker.awake_until = worker.awake_until.max(end + if worker.lingers { LINGER } else { SPIN });
    }

    /// Lets a worker look for more work for a while from `time` on.
    pub(crate) fn linger(&mut self, number: usize, time: f64) {
        let worker = &mut self.workers[number];
        (worker.lingers, worker.awake_until) = (true, time + LINGER);
    }

    /// Returns when a worker's work so far ends.
    pub(crate) fn free(&self, number: usize) -> f64 {
        self.workers[number].free
    }

    /// Returns when a worker begins work given at `time`.
    pub(crate) fn arrival(&self, number: usize, time: f64) -> f64 {
        let Worker { free, awake_until, .. } = self.workers[number];
        if time > awake_until { time + self.wake } else { free.max(time) + NOTICE.min(self.wake) }
    }

    /// Returns the helper that can begin first with work given at `time`, and when. This leaves out `apart_from`,
    /// which has other work.
    pub(crate) fn first_helper(&self, time: f64, apart_from: Option<usize>) -> Option<(usize, f64)> {
        self.helpers(time, apart_from).into_iter().next()
    }

    /// Returns all helpers except `apart_from`, and when they begin with work given at `time`, earliest first.
    pub(crate) fn helpers(&self, time: f64, apart_from: Option<usize>) -> Vec<(usize, f64)> {
        let mut helpers: Vec<(usize, f64)> = (1..self.count())
            .filter(|number| Some(*number) != apart_from)
            .map(|number| (number, self.arrival(number, time)))
            .collect();
        helpers.sort_by(|a, b| a.1.total_cmp(&b.1));
        helpers
    }

    /// Divides parts among the front end and its helpers: whoever is free first gets the next part. Returns the end.
    pub(crate) fn for_each(&mut self, parts: &[f64], start: f64) -> f64 {
        let mut team = self.helpers(start, None);
        team.truncate(parts.len().saturating_sub(1));
        let helper = team.first().map(|(_, arrival)| *arrival);
        team.insert(0, (0, start));
        let mut end = start;
        for part in parts {
            let Some(next) = team.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) else { return start };
            next.1 += part;
            end = end.max(next.1);
            self.work(next.0, *part, next.1);
        }
        // The front end is not a thread in the pool, so it waits until a pool thread has looked at the work.
        end.max(helper.unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_to_the_first_that_is_free() {
        let mut workers = Workers::new(3, 0.0);
        assert!((workers.for_each(&[4.0, 1.0, 1.0, 1.0, 1.0], 10.0) - 14.0).abs() < 1e-9, "in parallel");
        assert_eq!(workers.busy(), [4.0, 2.0, 2.0], "the caller takes the first");
        assert_eq!(workers.helpers(20.0, Some(1)), [(2, 20.0)], "the others");
    }

    #[test]
    fn sleeping_helpers_are_late() {
        let mut workers = Workers::new(2, 50_000.0);
        assert!((workers.for_each(&[10.0; 4], 0.0) - 50_000.0).abs() < 1e-9, "waits for a look");
        assert_eq!(workers.busy(), [40.0, 0.0], "and has done all by then");
        workers.linger(1, 0.0);
        assert!((workers.arrival(1, LINGER) - LINGER - NOTICE).abs() < 1e-9, "awake");
        assert!((workers.arrival(1, LINGER + 1.0) - LINGER - 50_001.0).abs() < 1e-9, "asleep");
        workers.work(1, 10.0, LINGER);
        assert!((workers.arrival(1, 2.0 * LINGER) - 2.0 * LINGER - NOTICE).abs() < 1e-9, "has found work");
        workers.work(1, 10.0, 4.0 * LINGER);
        assert!((workers.arrival(1, 5.0 * LINGER) - 5.0 * LINGER - 50_000.0).abs() < 1e-9, "was woken");
    }
}
