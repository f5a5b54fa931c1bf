//! The number systems of the transform unit.
//!
//! The hardware computes with 16 significant bits ([`Hf16`]); emulators compute in IEEE single. Every geometry
//! stage is generic over [`Real`] and works in both. Source: `ge-reference.md` §0, appendix A.
//!
//! # Invariants
//! Operations happen one at a time, in the order the stages write them: no fused multiply-add, no reassociation.
//! The same input gives the same bits on every machine.

mod hf16;
mod real;
mod round;
pub mod simd;

pub use hf16::Hf16;
pub use real::{Arithmetic, Real};
