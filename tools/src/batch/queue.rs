//! A queue of tasks for several threads, with results in the order of the tasks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Runs `work` on every task with the given number of threads, and `finish` on each result, in the order of the tasks,
/// on the calling thread.
///
/// # Errors
/// The first error of `finish`. Tasks that have not begun are then left out.
pub(super) fn run_in_order<T: Sync, R: Send, E>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut finish: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return tasks.iter().try_for_each(|task| finish(task, work(task)));
    }
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Bounded, so that threads do not run far ahead of a slow reader of the results.
        let (sender, receiver) = mpsc::sync_channel(threads);
        for _ in 0..threads.min(tasks.len()) {
            let sender = sender.clone();
            let (next, is_stopped, work) = (&next, &is_stopped, &work);
            scope.spawn(move || {
                while !is_stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(number) else { break };
                    // Without a receiver, the run has ended.
                    if sender.send((number, work(task))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = tasks.iter().enumerate().peekable();
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some((number, task)) = wanted.peek()
                && let Some(result) = waiting.remove(number)
            {
                if let Err(error) = finish(task, result) {
                    is_stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                wanted.next();
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let tasks: Vec<u64> = (0..200).collect();
        for threads in [0, 1, 2, 7] {
            let mut results = Vec::new();
            // Early tasks take longest.
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
