//! The transform unit's number systems.
//!
//! The hardware computes with 16 significant bits ([`Hf16`]), emulators in IEEE single. Every geometry stage is generic
//! over [`Real`] to work in both. Source: [HF16](crate::reference::ge::numbers#hf16), [single
//! arithmetic](crate::reference::ge::evidence#single-arithmetic).
//!
//! # Invariants
//! Operations run one at a time, in the order in which the stages write them: no fused multiply-add, no reassociation.
//! The same input gives the same bits on every machine.

pub(crate) mod chords;
mod hf16;
mod real;
pub(crate) mod round;
pub mod simd;

pub use hf16::Hf16;
pub use real::{Arithmetic, Real};
