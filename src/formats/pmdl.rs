//! PMDL: the models of the PSPL toolchain's runtime, in all their forms: `PAR0` static, `PAR1` rigged, `PAR2` in an
//! octree; `_GEN` general buffers, `__GX` display lists of another console's graphics chip, `_COL` collision meshes;
//! both byte orders and pointer sizes.
//!
//! `read` checks the file and brings all forms to one: meshes whose draws are corners of vertices. `groups` cuts
//! these to what one list can draw with eight bone matrices, `visibility` says what is tested before what, `lower`
//! writes vertices and lists. Coordinates stay the file's, with z up. Source: the format document on PMDL.

mod actions;
mod bones;
mod context;
mod curve;
mod general;
mod geometry;
mod groups;
mod gx;
mod lower;
mod model;
mod octree;
mod problem;
mod raw;
mod read;
mod rig;
mod visibility;

pub use problem::PmdlProblem;

use super::core::content::Content;
use super::core::descriptor::{Contents, Descriptor, OpenContext};
use super::core::error::FormatError;

/// Models.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSPL model",
    about: "A model of the PSPL toolchain: static, rigged or in an octree.",
    sniff: |bytes| bytes.starts_with(&raw::MAGIC),
    open,
    ..Descriptor::new("pmdl")
};

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let model = lower::lower(read::read(context.slice.view(FORMAT.name))?)?;
    Ok(Content::Model(Box::new(model)).into())
}
