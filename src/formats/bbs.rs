//! Files from Kingdom Hearts Birth by Sleep: models (PMO), maps (PMP), skeletons (BON), animations (PAM) and
//! containers (ARC). Textures are TIM2. Source: [the formats of Birth by Sleep](crate::reference::formats::bbs).
//!
//! # Invariants
//! A model's vertices already are GE vertices, so they are copied to memory and drawn unchanged. `open` finds the
//! files to read together; each other module reads a single kind.

mod arc;
mod bon;
mod open;
mod options;
mod pam;
mod pmo;
mod pmp;
mod scroll;
pub(in crate::formats) mod tim2;

pub use arc::ArcProblem;
pub use bon::BonProblem;
pub use open::{ARC, BON, PAM, PMO, PMP, TIM2};
pub use pam::PamProblem;
pub use pmo::BbsPmoProblem;
pub use pmp::PmpProblem;
pub use tim2::Tim2Problem;

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
