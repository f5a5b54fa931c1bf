//! Reads files of Sony's PSP SDK, which many games use as they are: pictures (GIM).
//! Source: [formats of the SDK](crate::reference::formats::psp_sdk).

mod gim;

pub use gim::{FORMAT as GIM, GimProblem};
