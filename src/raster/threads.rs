//! The worker threads.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The caller's thread and an optional pool of workers.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads(Option<Arc<ThreadPool>>);

/// Number of chunks per thread into which items are divided.
const CHUNKS_PER_THREAD: usize = 16;

impl Threads {
    /// Creates a pool for `count` threads, including the caller's. If the system cannot create threads, the
    /// caller works alone.
    pub(super) fn new(count: usize) -> Self {
        if count <= 1 {
            return Self(None);
        }
        let pool =
            ThreadPoolBuilder::new().num_threads(count - 1).thread_name(|number| format!("ge {number}"));
        Self(pool.build().ok().map(Arc::new))
    }

    /// Returns the number of threads, including the caller's.
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.current_num_threads() + 1)
    }

    /// Calls `task` for each item, in no particular order. The caller works too, so a short job never waits
    /// for the workers to wake up.
    pub(super) fn for_each<T: Send>(&self, items: &mut [T], task: impl Fn(&mut T) + Send + Sync) {
        let Some(pool) = self.0.as_ref().filter(|_| items.len() > 1) else {
            items.iter_mut().for_each(task);
            return;
        };
        let workers = pool.current_num_threads().min(items.len() - 1);
        let chunks = items.chunks_mut(items.len().div_ceil(self.count() * CHUNKS_PER_THREAD));
        let chunks = Mutex::new(chunks);
        let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(chunk) = next() {
                chunk.iter_mut().for_each(&task);
            }
        };
        pool.in_place_scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|_| work());
            }
            work();
        });
    }
}
