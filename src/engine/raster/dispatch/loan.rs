//! Lends an item to another thread for some work, and gets it back in any case.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How often a waiting thread looks before it sleeps: 20 to 50 µs, about as long as waking a thread takes. It must
/// not spin for longer, because if other programs keep the cores busy, the other thread may need this thread's core.
const SPINS: u32 = 1 << 10;

/// Waits until `is_done`, but for [`SPINS`] looks at most.
pub(super) fn spin_until(is_done: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if is_done() {
            break;
        }
        std::hint::spin_loop();
    }
}

/// Where an item lent to another thread comes back.
#[derive(Debug)]
pub(crate) struct Return<T> {
    is_back: AtomicBool,
    item: Mutex<Option<T>>,
    arrival: Condvar,
}

impl<T> Default for Return<T> {
    fn default() -> Self {
        Self { is_back: AtomicBool::new(false), item: Mutex::new(None), arrival: Condvar::new() }
    }
}

impl<T> Return<T> {
    /// Returns whether the item is back. [`Self::wait`] then need not wait.
    pub(crate) fn is_back(&self) -> bool {
        self.is_back.load(Ordering::Acquire)
    }

    /// Waits until the item is back. This spins at first, because waking from sleep takes long.
    pub(crate) fn wait(&self) -> T {
        spin_until(|| self.is_back());
        let mut item = self.item.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match item.take() {
                Some(item) => return item,
                None => item = self.arrival.wait(item).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self, item: T) {
        *self.item.lock().unwrap_or_else(PoisonError::into_inner) = Some(item);
        self.is_back.store(true, Ordering::Release);
        self.arrival.notify_one();
    }
}

/// A lent item, which goes back when this is dropped, so that even a panic returns it.
#[derive(Debug)]
pub(crate) struct Loan<T> {
    item: Option<T>,
    place: Arc<Return<T>>,
}

impl<T> Loan<T> {
    /// Lends an item, to be given back to `place`.
    pub(crate) const fn new(item: T, place: Arc<Return<T>>) -> Self {
        Self { item: Some(item), place }
    }

    /// Lets `work` use the item, then gives it back.
    pub(crate) fn lend(mut self, work: impl FnOnce(&mut T)) {
        if let Some(item) = &mut self.item {
            work(item);
        }
    }
}

impl<T> Drop for Loan<T> {
    fn drop(&mut self) {
        if let Some(item) = self.item.take() {
            self.place.give_back(item);
        }
    }
}

#[cfg(test)]
#[cfg(feature = "threads")]
mod tests {
    use super::*;
    use crate::raster::dispatch::threads::Threads;

    /// A panic in the borrowing thread gives the item back, so that its owner can go on.
    #[test]
    fn comes_back_from_a_panic() {
        let place = Arc::new(Return::default());
        let loan = Loan::new(7, Arc::clone(&place));
        Threads::new(2).spawn(move || loan.lend(|_| panic!("a fault while it draws")));
        assert_eq!(place.wait(), 7, "the item");
    }
}
