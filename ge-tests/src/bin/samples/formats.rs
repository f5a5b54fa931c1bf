//! Writes the file formats. These modules know no sample.

pub(crate) mod bbs;
pub(crate) mod gim;
pub(crate) mod gmo;
pub(crate) mod mml2;
pub(crate) mod parkan;
pub(crate) mod pmdl;
pub(crate) mod pmo;
pub(crate) mod rco;
