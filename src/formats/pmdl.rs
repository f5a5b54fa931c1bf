//! PMDL: models for the PSPL toolchain's runtime. Sub-types are `PAR0` (static), `PAR1` (rigged) and `PAR2`
//! (octree); draw formats are `_GEN` (general buffers), `__GX` (display lists for the GX graphics chip) and `_COL`
//! (collision meshes). Both byte orders and pointer sizes are supported.
//!
//! `read` validates the file, and converts every form to meshes whose draws are lists of vertex numbers. `groups`
//! splits meshes so that each group needs at most eight bone matrices, `visibility` arranges the box tests, and
//! `lower` writes vertices and lists. Coordinates stay in the file's space, with z up.
//! Source: [PMDL](crate::reference::formats::pmdl).

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
use super::core::problem::FormatProblem;

/// The format's descriptor.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSPL model",
    about: "A model of the PSPL toolchain: static, rigged or in an octree.",
    sniff: |bytes| bytes.starts_with(&raw::MAGIC),
    is_drawable: true,
    magic: &raw::MAGIC,
    open,
    refusals: PmdlProblem::REFUSALS,
    ..Descriptor::new("pmdl")
};

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let model = lower::lower(read::read(context.slice.view(FORMAT.name))?)?;
    Ok(Content::Model(Box::new(model)).into())
}
