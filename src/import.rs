//! The way back: puts changed pictures into the files that hold them as textures, and changed geometry into models.
//!
//! # Invariants
//! Only bytes of texels and palettes change, and only for pictures that differ from the file. Everything else comes
//! out as it went in, to the byte. A packed part with changed texels is packed again. In a model, only groups with
//! changed triangles are written.
//!
//! # Method
//! A reader in [`crate::formats`] tells for each texture how the file stores it
//! ([`crate::model::storage::TextureStorage`]). This is enough for a single writer to serve all formats:
//!
//! * Colours are rounded to the nearest colour the file can store.
//! * Blocks in compressed textures are compressed again if a texel in them changes.
//! * Indices keep their palette if it has all colours, or if the new colours fit in place of unused ones. Otherwise
//!   the palette is chosen again, for all textures and palettes that belong together.
//! * Smaller levels are made from the first again. They average stored values, because the Graphics Engine filters
//!   stored values, too. Texels count by their alpha.

mod archived;
mod blocks;
mod bytes;
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
