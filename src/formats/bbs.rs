//! Files of Kingdom Hearts Birth by Sleep: models (PMO), maps (PMP), skeletons (BON), animations (PAM) and
//! containers (ARC). Textures are TIM2. Source: the format document on Birth by Sleep models.
//!
//! # Invariants
//! A model's vertices already are Graphics Engine vertices: they run from where they were in the file, and no list
//! changes them. `open` finds what belongs together; the other modules read one kind of file each.

mod arc;
mod bon;
mod euler;
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
