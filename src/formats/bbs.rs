//! Files of Kingdom Hearts Birth by Sleep: models (PMO), maps (PMP), skeletons (BON), animations (PAM) and
//! containers (ARC). Textures are TIM2. Source: the format document on Birth by Sleep models.
//!
//! # Invariants
//! A model's vertices already are Graphics Engine vertices: they run from where they were in the file, and no list
//! changes them. `open` finds what belongs together; the other modules read one kind of file each.

pub(super) mod arc;
pub(super) mod bon;
mod euler;
pub(super) mod open;
pub(super) mod pam;
pub(super) mod pmo;
pub(super) mod pmp;
mod scroll;

pub use arc::ArcProblem;
pub use bon::BonProblem;
pub use pam::PamProblem;
pub use pmo::BbsPmoProblem;
pub use pmp::PmpProblem;

/// Text of a field that is filled up with zeros. Names are ASCII in all known files.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let (text, _) = field.split_at(end);
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
