//! The model file formats, for readers and writers of such files.
#![doc = include_str!("formats/README.md")]

#[doc = include_str!("formats/bbs.md")]
pub mod bbs {}

#[doc = include_str!("formats/conformance.md")]
pub mod conformance {}

#[doc = include_str!("formats/mml2.md")]
pub mod mml2 {}

#[doc = include_str!("formats/parkan.md")]
pub mod parkan {}

#[doc = include_str!("formats/pmdl.md")]
pub mod pmdl {}

#[doc = include_str!("formats/pmo.md")]
pub mod pmo {}

#[doc = include_str!("formats/psp_sdk.md")]
pub mod psp_sdk {}
