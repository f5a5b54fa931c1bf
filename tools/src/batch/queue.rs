//! Works on tasks in several threads, and delivers their results in order.
//!
//! # Invariants
//! Only a bounded number of results waits for an earlier result: threads pause before a task too far ahead.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// How many unfinished tasks per thread may be under way. This is bounded because results can keep files open.
const AHEAD_PER_THREAD: usize = 8;

/// Runs `work` on every task in the given number of threads. Calls `finish` for each result on the calling thread,
/// in the order of the tasks.
///
/// # Errors
/// The first error from `finish`. Later tasks do not begin.
pub(crate) fn run_in_order<T: Sync, R: Send, E>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut finish: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return tasks.iter().try_for_each(|task| finish(task, work(task)));
    }
    let threads = threads.min(tasks.len());
    let (next, progress) = (AtomicUsize::new(0), Progress::default());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, progress, work) = (&next, &progress, &work);
            scope.spawn(move || {
                // A panicking thread never delivers its result, and the others would wait for it forever.
                let guard = StopOnPanic(progress);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(number) else { break };
                    if !progress.wait_until_near(number, threads.saturating_mul(AHEAD_PER_THREAD)) {
                        break;
                    }
                    // Sending fails when the run has ended and dropped the receiver.
                    if sender.send((number, work(task))).is_err() {
                        break;
                    }
                }
                drop(guard);
            });
        }
        // The loop below ends when every thread has dropped its sender, so the caller's own sender must go first.
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = tasks.iter().enumerate().peekable();
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some((number, task)) = wanted.peek()
                && let Some(result) = waiting.remove(number)
            {
                if let Err(error) = finish(task, result) {
                    progress.stop();
                    return Err(error);
                }
                progress.advance();
                wanted.next();
            }
        }
        Ok(())
    })
}

/// Tells threads how far results have been delivered.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    finished: usize,
    is_stopped: bool,
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `number` is less than `ahead` tasks from the first unfinished task. Returns false if the run has
    /// been stopped.
    fn wait_until_near(&self, number: usize, ahead: usize) -> bool {
        let is_far = |state: &mut State| !state.is_stopped && number.saturating_sub(state.finished) >= ahead;
        let state = self.changed.wait_while(self.state(), is_far);
        !state.unwrap_or_else(PoisonError::into_inner).is_stopped
    }

    fn advance(&self) {
        let mut state = self.state();
        state.finished = state.finished.saturating_add(1);
        self.changed.notify_all();
    }

    /// Lets no more tasks begin.
    fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the run if its thread panics.
struct StopOnPanic<'a>(&'a Progress);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let tasks: Vec<u64> = (0..200).collect();
        for threads in [0, 1, 2, 7] {
            let mut results = Vec::new();
            // Early tasks take longest, so that threads finish them out of order.
            let work = |task: &u64| (0..(200 - task) * 1000).fold(*task, |sum, _| std::hint::black_box(sum));
            let finished: Result<(), ()> = run_in_order(&tasks, threads, work, |task, result| {
                results.push((*task, result));
                Ok(())
            });
            assert_eq!(finished, Ok(()), "{threads} threads");
            assert!(results.iter().map(|(task, _)| task).eq(&tasks), "{threads} threads: in order");
            assert!(results.iter().all(|(task, result)| task == result), "{threads} threads: own result");
        }
    }

    #[test]
    fn slow_task_holds_back_the_others() {
        let tasks: Vec<usize> = (0..500).collect();
        let (threads, begun) = (3, AtomicUsize::new(0));
        let work = |task: &usize| {
            let number = begun.fetch_add(1, Ordering::SeqCst);
            if *task == 0 {
                // The others run until the bound stops them.
                while begun.load(Ordering::SeqCst) < threads * AHEAD_PER_THREAD {
                    std::thread::yield_now();
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
                assert_eq!(begun.load(Ordering::SeqCst), threads * AHEAD_PER_THREAD, "no task further ahead");
            }
            number
        };
        let mut count = 0;
        let finished: Result<(), ()> = run_in_order(&tasks, threads, work, |_, _| {
            count += 1;
            Ok(())
        });
        assert_eq!((finished, count), (Ok(()), 500), "all tasks");
    }

    #[test]
    fn panic_ends_the_run() {
        let tasks: Vec<usize> = (0..500).collect();
        let result = std::panic::catch_unwind(|| {
            let work = |task: &usize| assert!(*task != 4, "a panic of the test");
            run_in_order(&tasks, 3, work, |_, ()| Ok::<(), ()>(()))
        });
        assert!(result.is_err(), "the panic is passed on, without waiting for the result");
    }

    #[test]
    fn error_ends_the_run() {
        let tasks: Vec<u32> = (0..1000).collect();
        for threads in [1, 3] {
            let mut seen = 0;
            let result = run_in_order(
                &tasks,
                threads,
                |task| *task,
                |_, result| {
                    seen += 1;
                    if result == 5 { Err("full") } else { Ok(()) }
                },
            );
            assert_eq!((result, seen), (Err("full"), 6), "{threads} threads");
        }
    }
}
