//! Writes Parkan's formats.

pub(crate) mod msh;
pub(crate) mod nres;
pub(crate) mod texm;
