//! Describes an input's textures, with the draws that use them.

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::content_hash::ContentHash;

mod build;
mod drawn;
mod draws;
pub mod stored;

pub use drawn::drawn_textures;
pub use draws::TextureDraws;

/// The textures of an input, with the files that were written and the draws that use them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureIndexDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Each distinct texture with each of its palettes.
    pub textures: Vec<IndexedTexture>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for TextureIndexDocument {
    const NAME: &'static str = "texture-index";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The textures of an input and the draws that use them";
}

/// A texture with one of its palettes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexedTexture {
    /// Number of the texture in its file; null if it comes from a frame or a list.
    pub index: Option<u64>,
    /// Name of the texture, if its file has one.
    pub name: Option<String>,
    /// Names of the pictures that were written next to the index, the largest level first.
    pub files: Vec<String>,
    /// Hash of the stored texels of all levels.
    pub hash: ContentHash,
    /// Hash of the palette entries that texels can reach; null without a palette.
    pub palette_hash: Option<ContentHash>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Storage of texels.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
    /// Number of levels.
    pub levels: u32,
    /// Addresses of the first texel. The same texels may be at several.
    pub addresses: Vec<Address>,
    /// Offset of the first texel in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// Number of the palette among those of the texture; null without a palette or outside a file of textures.
    pub palette: Option<u32>,
    /// Storage of the colours of the palette.
    pub palette_format: Option<PixelFormat>,
    /// How texels select entries of palette memory; null without a palette.
    pub palette_mapping: Option<PaletteMapping>,
    /// Addresses that the palette was loaded from.
    pub palette_addresses: Vec<Address>,
    /// Whether draws of the run may have drawn some of the texels.
    pub rendered: bool,
    /// Whether all texels exist. Missing ones read as 0.
    pub mapped: bool,
    /// Numbers of the draws that use the texture with this palette. Those of a model are as `pspge trace` counts them;
    /// files of textures have no draws.
    pub draws: Vec<u64>,
}

/// How the texels of level 0 select entries of palette memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteMapping {
    /// Right shift of a texel's bits.
    pub shift: u8,
    /// Mask after the shift.
    pub mask: u8,
    /// First entry, combined with the index by OR.
    pub start: u16,
}
