//! Memory that pictures of all assets reuse.
//!
//! # Invariants
//! * Each picture that is drawn at the same time has memory of its own.
//! * What is kept does not grow with the number of assets or pictures.

use std::sync::{Mutex, PoisonError};

use pspge::scene::frame_scratch::FrameScratch;

/// The most memories that are kept. Each takes 2 MiB of VRAM, and the main RAM that runs have used.
const KEPT_MAX: usize = 4;

/// Memory of finished pictures, the latest last.
static KEPT: Mutex<Vec<FrameScratch>> = Mutex::new(Vec::new());

/// Draws in the memory of the latest finished picture: another picture of the same asset copies only the bytes that it has
/// changed.
pub(crate) fn with<R>(draw: impl FnOnce(&mut FrameScratch) -> R) -> R {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut scratch = kept().pop().unwrap_or_default();
    let result = draw(&mut scratch);
    let mut kept = kept();
    if kept.len() < KEPT_MAX {
        kept.push(scratch);
    }
    result
}
