//! Tracks the workers in a schedule: until when each has work, and until when it stays awake. Worker 0 is the front
//! end.
//!
//! The rules are the same as for `threads` in the rasterizer. Times are in nanoseconds.

/// How long a helper looks for more work after a job, and after any work that it finds meanwhile.
const LINGER: f64 = 100_000.0;
/// How long a helper looks for more work after a part of a pass, as its thread pool does.
const SPIN: f64 = 10_000.0;
/// How long it takes a worker that is awake to begin work from another.
const NOTICE: f64 = 500.0;

/// All workers.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    workers: Vec<Worker>,
    /// Time to wake a worker.
    wake: f64,
}

#[derive(Clone, Debug, Default)]
struct Worker {
    /// When its work so far ends.
    free: f64,
    awake_until: f64,
    /// It looks for more work after a job.
    lingers: bool,
    /// Sum over its work.
    busy: f64,
}

impl Workers {
    /// Creates workers that all sleep, except the front end. Waking a worker takes `wake`; if this is 0, a worker that
    /// is awake begins at once, too.
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
        let worker = &mut self.workers[number];
        worker.busy += time;
        worker.free = worker.free.max(end);
        worker.lingers &= end - time <= worker.awake_until;
        worker.awake_until = worker.awake_until.max(end + if worker.lingers { LINGER } else { SPIN });
    }

    /// Lets a worker look for more work for a while from `time` on.
    pub(crate) fn linger(&mut self, number: usize, time: f64) {
        let worker = &mut self.workers[number];
        (worker.lingers, worker.awake_until) = (true, time + LINGER);
    }

    /// Returns when a worker begins work that it is given at `time`.
    pub(crate) fn arrival(&self, number: usize, time: f64) -> f64 {
        let Worker { free, awake_until, .. } = self.workers[number];
        if time > awake_until { time + self.wake } else { free.max(time) + NOTICE.min(self.wake) }
    }

    /// Returns the helper that can begin first.
    pub(crate) fn first_helper(&self, time: f64) -> usize {
        let arrivals = (1..self.count()).map(|number| (number, self.arrival(number, time)));
        arrivals.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(number, _)| number)
    }

    /// Takes the helpers from another simulation, which left the front end out.
    pub(crate) fn replace_helpers(&mut self, other: Self) {
        for (worker, other) in self.workers.iter_mut().zip(other.workers).skip(1) {
            *worker = other;
        }
    }

    /// Divides parts among workers: whoever is free first gets the next part. The caller begins at `start`; if it is
    /// not the front end, the front end has other work. Returns the end.
    pub(crate) fn for_each(&mut self, caller: usize, parts: &[f64], start: f64) -> f64 {
        let first = usize::from(caller != 0);
        let mut others: Vec<(usize, f64)> = (first..self.count())
            .filter(|number| *number != caller)
            .map(|number| (number, self.arrival(number, start)))
            .collect();
        others.sort_by(|a, b| a.1.total_cmp(&b.1));
        others.truncate(parts.len().saturating_sub(1));
        let helper = others.first().map(|(_, arrival)| *arrival);
        let mut team = others;
        team.insert(0, (caller, start));
        let mut end = start;
        for part in parts {
            let Some(next) = team.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) else { return start };
            next.1 += part;
            end = end.max(next.1);
            self.work(next.0, *part, next.1);
        }
        // The front end is not a thread in the pool: it waits until a pool thread has looked at the work.
        if caller == 0 { end.max(helper.unwrap_or(end)) } else { end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_to_the_first_that_is_free() {
        let mut workers = Workers::new(3, 0.0);
        assert!((workers.for_each(0, &[4.0, 1.0, 1.0, 1.0, 1.0], 10.0) - 14.0).abs() < 1e-9, "in parallel");
        assert_eq!(workers.busy(), [4.0, 2.0, 2.0], "the caller takes the first");
        assert!((workers.for_each(1, &[5.0, 5.0], 20.0) - 25.0).abs() < 1e-9, "helpers alone");
        assert_eq!(workers.busy(), [4.0, 7.0, 7.0], "the front end has other work");
    }

    #[test]
    fn sleeping_helpers_are_late() {
        let mut workers = Workers::new(2, 50_000.0);
        assert!((workers.for_each(0, &[10.0; 4], 0.0) - 50_000.0).abs() < 1e-9, "waits for a look");
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
