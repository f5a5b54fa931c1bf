//! GIM: the picture format of Sony's PSP SDK.
//! Source: [GIM](crate::reference::formats::psp_sdk#gim-header).
//!
//! # Invariants
//! Pixels and palettes are copied unchanged if the Graphics Engine can read them. This is the usual case, because
//! the format uses the numbers of the GE registers. A damaged image is left out as long as another remains.

mod chunk;
mod image;
mod load;
mod lower;
mod problem;
mod raw;
mod read;
mod sequence;
mod state;
mod texels;

pub(super) use lower::{LoadedTexture, load_texture, load_textures};
pub use problem::GimProblem;
pub(super) use raw::Numbers;
pub(super) use read::sniff;

use crate::formats::core::content::Content;
use crate::formats::core::descriptor::Descriptor;
use crate::formats::core::error::FileRole;
use crate::formats::core::problem::FormatProblem;

/// Describes GIM pictures, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSP SDK picture",
    about: "A picture of Sony's PSP SDK, drawn as a texture on a rectangle.",
    sniff,
    magic: &raw::MAGIC,
    serves_as: Some(FileRole::Textures),
    is_drawable: true,
    open: |context| {
        let slice = context.slice;
        let gim = read::read(slice.view(FORMAT.name))?;
        Ok(Content::Model(Box::new(lower::lower(&gim, slice.name, context.options)?)).into())
    },
    refusals: GimProblem::REFUSALS,
    ..Descriptor::new("gim")
};

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
