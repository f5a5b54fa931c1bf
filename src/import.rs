//! The way back: writes changed pictures into the files that hold them as textures, and changed geometry into models.
//!
//! # Invariants
//! Only bytes of texels and palettes change, and only those of pictures that differ from the file. What is not changed
//! comes out as it went in, to the byte. A packed part with changed texels is packed again. Of a model, only groups with changed
//! triangles are written.
//!
//! # Method
//! A reader of [`crate::formats`] tells for each texture how the file stores it
//! ([`crate::model::storage::TextureStorage`]). One writer inverts this for all formats:
//!
//! * Colours are rounded to the nearest that the file can store.
//! * Blocks of compressed textures are compressed anew if a texel in them changes.
//! * Indices keep their palette if it has all colours, or take the place of colours that are no longer used. Else the
//!   palette is made anew, for all textures and palettes that belong together.
//! * Smaller levels are made anew from the first: averages of the stored values, because the Graphics Engine filters
//!   stored values, too. Texels count by their alpha.

mod archived;
mod blocks;
mod bytes;
mod color;
mod colors;
mod dither;
mod gltf;
mod indexed;
mod matrix;
pub mod models;
mod pictures;
mod place;
mod planes;
mod quantize;
pub mod textures;

pub use crate::formats::core::geometry::{
    GeometryError, GeometryProblem, GroupChange, WrittenGroup, WrittenModel,
};
pub use models::{import_model, mesh_data_path};
pub use textures::{Fidelity, ImportError, ImportOptions, ImportProblem, NewPicture, import_textures};
