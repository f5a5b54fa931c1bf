//! The threads that fill draws, and how they share the work.

#[cfg(feature = "threads")]
use std::cell::Cell;
#[cfg(feature = "threads")]
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

#[cfg(feature = "threads")]
use super::loan::spin_until;

/// The caller's thread and, with the feature `threads`, helpers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    #[cfg(feature = "threads")]
    helpers: Option<Arc<rayon::ThreadPool>>,
    /// Whether the caller's thread is a helper itself.
    #[cfg(feature = "threads")]
    is_helper: bool,
    /// How many helpers look for more work before they sleep.
    #[cfg(feature = "threads")]
    lingering: Arc<AtomicUsize>,
}

#[cfg(feature = "threads")]
thread_local! {
    /// Whether this thread looks for more work before it sleeps.
    static IS_LINGERING: Cell<bool> = const { Cell::new(false) };
}

#[cfg(feature = "threads")]
impl Threads {
    /// How often a helper looks for more work before it sleeps: about 100 µs, because waking it would take as long.
    const LOOKS: u32 = 1 << 10;
    /// After this many looks, the system may give the core to another thread.
    const LOOKS_PER_YIELD: u32 = 1 << 5;

    /// Starts `count - 1` helpers. If the system has no threads to give, the caller's thread does all the work.
    pub(crate) fn new(count: usize) -> Self {
        if count <= 1 {
            return Self::default();
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count - 1)
            .thread_name(|number| format!("ge {number}"))
            // Work from `spawn` tells its caller by itself when it has ended. Without this handler, a panic would
            // end the process.
            .panic_handler(
                |_| tracing::error!(target: "pspge::raster::threads", "a thread that draws has panicked"),
            );
        Self { helpers: pool.build().ok().map(Arc::new), ..Self::default() }
    }

    /// Returns how many threads there are, including the caller's.
    pub(crate) fn count(&self) -> usize {
        self.helpers.as_ref().map_or(1, |pool| pool.current_num_threads() + usize::from(!self.is_helper))
    }

    /// Returns the helpers without the caller's thread, for a helper that divides its own work.
    pub(super) fn helpers_only(&self) -> Self {
        Self { is_helper: true, ..self.clone() }
    }

    /// Runs a function on a helper, or at once if there is no helper.
    pub(crate) fn spawn(&self, run: impl FnOnce() + Send + 'static) {
        let Some(pool) = &self.helpers else { return run() };
        pool.spawn(run);
        self.keep_awake(pool, 1);
    }

    /// Lets up to `more` further helpers look for work before they sleep.
    fn keep_awake(&self, pool: &rayon::ThreadPool, more: usize) {
        for _ in 0..more {
            if self.lingering.load(Ordering::Relaxed) >= pool.current_num_threads() {
                return;
            }
            self.lingering.fetch_add(1, Ordering::Relaxed);
            let lingering = Arc::clone(&self.lingering);
            pool.spawn(move || {
                // Work found here does not linger in turn, because calls would nest deeper and deeper.
                if !IS_LINGERING.replace(true) {
                    Self::linger();
                    IS_LINGERING.set(false);
                }
                lingering.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }

    /// Does others' work on this helper, until there was none for a while.
    fn linger() {
        let mut looks = 0;
        while looks < Self::LOOKS {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                looks = 0;
                continue;
            }
            looks += 1;
            if looks % Self::LOOKS_PER_YIELD == 0 {
                std::thread::yield_now();
            }
            std::hint::spin_loop();
        }
    }

    /// Calls `run` for each item, with scratch memory for the thread, created when first needed. Threads take the
    /// items one by one in order. The caller takes a share, to begin before the helpers are awake.
    pub(crate) fn for_each<S: Default + Send, T: Send>(
        &self,
        scratch: &mut Vec<S>,
        items: impl Iterator<Item = T> + Send,
        run: impl Fn(&mut S, T) + Send + Sync,
    ) {
        // The caller takes an item itself, so the last item, or none, is not worth waking a helper for.
        let most = items.size_hint().1.unwrap_or(usize::MAX);
        let (own, others) = scratch_for((self.count() - 1).min(most.saturating_sub(1)), scratch);
        let Some(pool) = self.helpers.as_ref().filter(|_| !others.is_empty()) else {
            items.for_each(|item| run(own, item));
            return;
        };
        let items = Mutex::new(items);
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = |scratch: &mut S| {
            while let Some(item) = next() {
                run(scratch, item);
            }
        };
        let working = AtomicUsize::new(others.len());
        // A single helper looks for more work after each job anyway.
        if pool.current_num_threads() > 1 {
            self.keep_awake(pool, others.len());
        }
        pool.in_place_scope(|scope| {
            for scratch in others {
                scope.spawn(|_| {
                    work(scratch);
                    working.fetch_sub(1, Ordering::Release);
                });
            }
            work(own);
            // The scope itself would sleep until the helpers are done, so wait for them here.
            spin_until(|| working.load(Ordering::Acquire) == 0);
        });
    }
}

/// Without this feature, the caller's thread does all the work.
#[cfg(not(feature = "threads"))]
impl Threads {
    pub(crate) fn new(_: usize) -> Self {
        Self::default()
    }

    pub(crate) fn count(&self) -> usize {
        1
    }

    pub(super) fn helpers_only(&self) -> Self {
        Self::default()
    }

    pub(crate) fn spawn(&self, run: impl FnOnce() + Send + 'static) {
        run();
    }

    pub(crate) fn for_each<S: Default + Send, T: Send>(
        &self,
        scratch: &mut Vec<S>,
        items: impl Iterator<Item = T> + Send,
        run: impl Fn(&mut S, T) + Send + Sync,
    ) {
        let (own, _) = scratch_for(0, scratch);
        items.for_each(|item| run(own, item));
    }
}

/// Returns scratch memory for the caller's thread and for helpers.
fn scratch_for<S: Default>(helpers: usize, scratch: &mut Vec<S>) -> (&mut S, &mut [S]) {
    if scratch.len() <= helpers {
        scratch.resize_with(helpers + 1, S::default);
    }
    let (own, others) = scratch.split_at_mut(1);
    (&mut own[0], &mut others[..helpers])
}
