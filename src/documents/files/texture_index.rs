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

/// An input's textures, with the files written and the draws that use each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureIndexDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Each distinct texture, with an entry for each of its palettes.
    pub textures: Vec<IndexedTexture>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for TextureIndexDocument {
    const NAME: &'static str = "texture-index";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The textures of an input and the draws that use them";
}

/// A texture with a palette.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexedTexture {
    /// The texture's number in its file; null if it comes from a frame or a list.
    pub index: Option<u64>,
    /// The texture's name, if its file has one.
    pub name: Option<String>,
    /// The pictures written next to the index, by file name, the largest level first.
    pub files: Vec<String>,
    /// Hash over the stored texels in all levels.
    pub hash: ContentHash,
    /// Hash over the palette entries in reach of texels; null without a palette.
    pub palette_hash: Option<ContentHash>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
    /// How many levels it has.
    pub levels: u32,
    /// Addresses of the first texel. The same texels may be in several places.
    pub addresses: Vec<Address>,
    /// The first texel's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// Which of the texture's palettes this is; null without a palette or outside a texture file.
    pub palette: Option<u32>,
    /// How the palette's colours are stored.
    pub palette_format: Option<PixelFormat>,
    /// How texels select palette entries; null without a palette.
    pub palette_mapping: Option<PaletteMapping>,
    /// All addresses from which the palette was loaded.
    pub palette_addresses: Vec<Address>,
    /// Whether draws in this run may have drawn some texels.
    pub rendered: bool,
    /// Whether all texels exist. Missing texels read as 0.
    pub mapped: bool,
    /// The draws that use this texture with this palette, by number. A model's draws are counted as by
    /// `pspge trace`; texture files have no draws.
    pub draws: Vec<u64>,
}

/// How the texels in level 0 select entries from palette memory: shifted, then masked, then combined with the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteMapping {
    /// How far a texel's bits are shifted to the right.
    pub shift: u8,
    /// The mask applied after the shift.
    pub mask: u8,
    /// The first entry, combined with the index by OR.
    pub start: u16,
}
