//! Memory for drawing, reused by all assets to save time.
//!
//! # Invariants
//! * Each picture drawn at the same time has memory of its own.
//! * However many assets and pictures there are, only a fixed amount is kept.

use std::sync::{Mutex, PoisonError};

use pspge::scene::frame_scratch::FrameScratch;

/// How many memories are kept at most. Each takes 2 MiB of VRAM, and the main RAM used by its runs.
const KEPT_MAX: usize = 4;

/// Memory that finished pictures left, the latest last.
static KEPT: Mutex<Vec<FrameScratch>> = Mutex::new(Vec::new());

/// Draws in the memory that the latest finished picture left. For another picture of the same asset, only the bytes
/// changed by drawing need to be copied again.
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
