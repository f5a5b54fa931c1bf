//! Reads files from Parkan: Iron Strategy: models (MSH), textures (Texm) and containers (NRes).
//! Source: [Parkan formats](crate::reference::formats::parkan).

mod msh;
mod nres;
mod open;
mod options;
mod texm;

pub use msh::MshProblem;
pub use nres::NresProblem;
pub use open::{MSH, NRES, TEXM};
pub use texm::TexmProblem;
