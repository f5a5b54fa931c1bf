//! Runs two lists side by side, up to their first difference.

pub mod first_difference;
mod lockstep;
pub mod pixel_difference;
