//! The transform unit's number systems.
//!
//! The hardware computes with 16 significant bits ([`Hf16`]), emulators in IEEE single. Every geometry stage is
//! generic over [`Real`], to reproduce either result from the same code. Source:
//! [HF16](crate::reference::ge::numbers#hf16), [single
//! arithmetic](crate::reference::ge::evidence#single-arithmetic).
//!
//! # Invariants
//! Operations run in the order written in the stages, without fused multiply-add and without reassociation. This
//! gives the same bits for the same input on every machine.

pub(crate) mod chords;
mod hf16;
mod real;
pub(crate) mod round;
pub mod simd;

pub use hf16::Hf16;
pub use real::{Arithmetic, Real};
