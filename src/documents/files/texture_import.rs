//! Describes a file after pictures were written into it as textures.

use std::collections::BTreeMap;

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::texture_index::TextureDraws;
use super::texture_index::stored::StoredTextures;
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::formats::Content;
use crate::ge::limits::{LimitHit, Limits};
use crate::import::textures::{fidelity, stored_textures};
use crate::import::{Fidelity, NewPicture};

/// A file with its new textures, and how closely each shows its picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureImportDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file written.
    pub output: String,
    /// The input file's size in bytes.
    pub input_bytes: u64,
    /// The written file's size in bytes. This is larger only if a packed part has grown.
    pub output_bytes: u64,
    /// How many bytes differ, counting those added, too.
    pub changed_bytes: u64,
    /// The pictures given, and after them other textures that look different now.
    pub pictures: Vec<ImportedPicture>,
    /// Notes on the input.
    pub notes: Vec<NoteInfo>,
}

impl Document for TextureImportDocument {
    const NAME: &'static str = "texture-import";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A file into which pictures were written as textures";
}

/// A texture with one of its palettes, and the picture for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedPicture {
    /// The name under which `textures` writes it.
    pub name: String,
    /// The picture's file; null if none was given.
    pub file: Option<String>,
    /// The texture's number in its file.
    pub index: u64,
    /// The palette's number; null without a palette.
    pub palette: Option<u64>,
    /// How the texture looks now.
    pub result: ImportResult,
    /// How many of the texture's pixels differ from the picture, or from the old texture if there is no picture.
    /// Colours in transparent pixels do not count.
    pub differing_pixels: u64,
    /// By how much they differ at most, from 0 to 255, in any channel.
    pub largest_difference: u8,
}

/// How a texture looks after the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ImportResult {
    /// The picture shows the texture as it was.
    Unchanged,
    /// The texture shows the picture.
    Exact,
    /// The texture shows the picture in the closest colours possible in this file.
    Nearest,
    /// The texture looks different, because it shares texels or a palette with another picture, or is a smaller
    /// level of it.
    Followed,
}

/// A content's textures by the names of their pictures, as `textures` writes them, to find where each picture
/// belongs.
#[derive(Clone, Debug, Default)]
pub struct NamedTextures {
    /// The textures, by picture name.
    pub textures: BTreeMap<String, NamedTexture>,
    /// The limit that left out textures, if any did.
    pub limit_hit: Option<LimitHit>,
}

/// A texture with one of its palettes.
#[derive(Clone, Debug)]
pub struct NamedTexture {
    /// The texture's number in its file.
    pub index: usize,
    /// The palette's number; `None` without a palette.
    pub palette: Option<u32>,
    /// How the texture looks.
    pub picture: RgbaImage,
}

impl NamedTextures {
    /// Lists a content's textures. `stem` is the file's name without an extension.
    #[must_use]
    pub fn of(content: Option<&Content>, stem: &str, limits: &Limits) -> Self {
        let mut named = Self::default();
        let Some((memory, textures)) = content.and_then(stored_textures) else { return named };
        let draws = TextureDraws::default();
        let mut stored = StoredTextures::new(memory, textures, &draws, false, limits);
        for texture in &mut stored {
            let index =
                texture.entry.index.and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
            let shown = NamedTexture { index, palette: texture.entry.palette, picture: texture.picture() };
            named.textures.insert(texture.picture_name(stem), shown);
        }
        named.limit_hit = stored.limit_hit();
        named
    }

    /// Makes the order to write a picture in place of a texture.
    #[must_use]
    pub fn new_picture(&self, name: &str, picture: RgbaImage) -> Option<NewPicture> {
        let NamedTexture { index, palette, .. } = self.textures.get(name)?;
        Some(NewPicture { texture: *index, palette: palette.unwrap_or(0), picture })
    }

    /// Judges all textures by their looks `after` pictures were written. `given` has the file and the picture for a
    /// name. Textures with a given picture come first.
    #[must_use]
    pub fn judge(&self, after: &Self, given: &BTreeMap<&str, (&str, &RgbaImage)>) -> Vec<ImportedPicture> {
        let judge = |(name, old): (&String, &NamedTexture)| {
            let new = after.textures.get(name).map_or(&old.picture, |shown| &shown.picture);
            let label = (&**name, old.index as u64, old.palette.map(u64::from));
            ImportedPicture::of(label, [&old.picture, new], given.get(&**name).copied())
        };
        let mut judged: Vec<ImportedPicture> = self.textures.iter().filter_map(judge).collect();
        judged.sort_by_key(|picture| picture.file.is_none());
        judged
    }
}

impl ImportedPicture {
    /// Judges a texture by its old picture, its new picture, and the picture given for it. Returns `None` if none
    /// was given and it looks as before.
    #[must_use]
    pub fn of(
        (name, index, palette): (&str, u64, Option<u64>),
        [old, new]: [&RgbaImage; 2],
        given: Option<(&str, &RgbaImage)>,
    ) -> Option<Self> {
        let same = Fidelity::default();
        let is_wanted = given.is_some_and(|(_, picture)| fidelity(old, picture) != same);
        let judged = fidelity(new, given.map_or(old, |(_, picture)| picture));
        let result = match (is_wanted, judged == same) {
            (true, true) => ImportResult::Exact,
            (true, false) => ImportResult::Nearest,
            (false, true) => ImportResult::Unchanged,
            (false, false) => ImportResult::Followed,
        };
        let is_listed = given.is_some() || result == ImportResult::Followed;
        is_listed.then(|| Self {
            name: name.to_owned(),
            file: given.map(|(file, _)| file.to_owned()),
            index,
            palette,
            result,
            differing_pixels: judged.differing_pixels,
            largest_difference: judged.largest_difference,
        })
    }
}

impl TextureImportDocument {
    /// Describes a file before and after the import.
    #[must_use]
    pub fn new(
        input: &str,
        output: &str,
        [before, after]: [&[u8]; 2],
        pictures: Vec<ImportedPicture>,
        notes: Vec<NoteInfo>,
    ) -> Self {
        let added = before.len().abs_diff(after.len());
        let differing = before.iter().zip(after).filter(|(before, after)| before != after).count();
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            output: output.to_owned(),
            input_bytes: before.len() as u64,
            output_bytes: after.len() as u64,
            changed_bytes: (differing + added) as u64,
            pictures,
            notes,
        }
    }
}
