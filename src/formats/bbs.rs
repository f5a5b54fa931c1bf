//! Files of Kingdom Hearts Birth by Sleep: models (PMO), maps (PMP), skeletons (BON), animations (PAM) and
//! containers (ARC). Textures are TIM2. Source: [the formats of Birth by
//! Sleep](crate::reference::formats::bbs).
//!
//! # Invariants
//! A model's vertices already are GE vertices: they are copied to memory and drawn unchanged. `open` finds
//! the files that belong together; each other module reads one kind of file.

mod arc;
mod bon;
mod open;
mod options;
mod pam;
mod pmo;
mod pmp;
mod scroll;
mod text;
mod tim2;

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
