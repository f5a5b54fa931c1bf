//! Reads the file formats of Sony's PSP SDK, which many games use as they are: pictures (GIM) and models (GMO), and
//! the containers in which the PSP firmware (RCO, PTF) and games (AMD) keep them.
//! Source: [formats of the SDK](crate::reference::formats::psp_sdk).

mod amd;
mod gim;
mod gmo;
mod ptf;
mod rco;
mod resources;

pub use amd::{AmdProblem, FORMAT as AMD};
pub use gim::{FORMAT as GIM, GimProblem};
pub use gmo::{FORMAT as GMO, GmoProblem};
pub use ptf::FORMAT as PTF;
pub use rco::FORMAT as RCO;
pub use resources::ResourceProblem;
