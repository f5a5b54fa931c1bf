//! The threads that draw.

use std::sync::Arc;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// One thread, the caller's, or several of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// So many threads. Where the system has none to give, the caller's does everything.
    pub(super) fn new(count: usize) -> Self {
        if count <= 1 {
            return Self(None);
        }
        let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(|number| format!("ge {number}"));
        Self(pool.build().ok().map(Arc::new))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Does something for each item, in no particular order.
    pub(super) fn for_each<T: Send>(&self, items: &mut [T], run: impl Fn(&mut T) + Send + Sync) {
        match &self.0 {
            Some(pool) if items.len() > 1 => {
                pool.install(|| items.par_iter_mut().with_max_len(1).for_each(run));
            }
            _ => items.iter_mut().for_each(run),
        }
    }
}
