//! A dispatcher takes lowered draws in their order and fills them.
//!
//! With a single thread, [`AtOnce`] fills each draw when it arrives. With several, [`Queued`] lets draws wait in a
//! [`queue`]. To let the front end go on meanwhile, it lends engine and VRAM to helpers ([`threads`]), which fill queued
//! draws in a [`fill_job`]. A [`vram_mirror`] takes the place of VRAM as long as it is lent.
//!
//! # Invariants
//! Memory after [`complete`](Dispatcher::complete) does not depend on the dispatcher. Before other code reads or writes bytes that
//! draws have to do with, it says so by one of the other methods.

use at_once::AtOnce;
use dispatcher::Dispatcher;
use filler::Filler;
use queued::Queued;

use super::fast::FastEngine;

mod at_once;
pub(crate) mod dispatcher;
mod fill_job;
mod filler;
pub(crate) mod loan;
pub(crate) mod queue;
mod queued;
pub(crate) mod threads;
mod vram_mirror;

/// Creates the dispatcher for a number of threads.
pub(crate) fn new(engine: FastEngine, threads: usize) -> Box<dyn Dispatcher> {
    let filler = Filler::new(engine, threads);
    match filler.threads.count() {
        1 => Box::new(AtOnce { filler }),
        _ => Box::new(Queued::new(filler)),
    }
}
