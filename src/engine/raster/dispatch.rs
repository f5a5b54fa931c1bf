//! A dispatcher takes lowered draws in order and fills them.
//!
//! With a single thread, [`AtOnce`] fills each draw when it arrives. With several, [`Queued`] lets draws wait in a
//! [`queue`]. To let the front end go on meanwhile, it lends engine and VRAM to helpers ([`threads`]), which fill
//! queued draws in a [`fill_job`]. A [`vram_mirror`] stands in for VRAM while this is lent.
//!
//! # Invariants
//! Memory after [`complete`](Dispatcher::complete) does not depend on the dispatcher. Before other code reads or
//! writes bytes that draws use, it calls one of the other methods to say so.

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

/// Creates the dispatcher to suit this many threads.
pub(crate) fn new(engine: FastEngine, threads: usize) -> Box<dyn Dispatcher> {
    let filler = Filler::new(engine, threads);
    match filler.threads.count() {
        1 => Box::new(AtOnce { filler }),
        _ => Box::new(Queued::new(filler)),
    }
}
