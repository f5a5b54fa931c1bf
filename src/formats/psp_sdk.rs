//! Reads files of Sony's PSP SDK, which many games use as they are: pictures (GIM) and models (GMO).
//! Source: [formats of the SDK](crate::reference::formats::psp_sdk).

mod gim;
mod gmo;

pub use gim::{FORMAT as GIM, GimProblem};
pub use gmo::{FORMAT as GMO, GmoProblem};
