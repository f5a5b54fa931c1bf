//! The textures of an input, with the draws that use them.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::content_hash::ContentHash;

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
    /// The pictures that were written, the largest level first.
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
    /// Addresses that the palette was loaded from.
    pub palette_addresses: Vec<Address>,
    /// Whether draws of the run may have drawn some of the texels.
    pub rendered: bool,
    /// Whether all texels exist. Missing ones read as 0.
    pub mapped: bool,
    /// Numbers of the draws that use the texture with this palette.
    pub draws: Vec<u64>,
}
