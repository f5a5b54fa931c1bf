//! Describes a file into which pictures were written as textures.

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

/// A file with other textures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureImportDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file that was written.
    pub output: String,
    /// Bytes of the input file.
    pub input_bytes: u64,
    /// Bytes of the file that was written. They are more only if a packed part has grown.
    pub output_bytes: u64,
    /// How many bytes differ, with those that were added.
    pub changed_bytes: u64,
    /// The pictures that were given, and after them other textures that look otherwise now.
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
    /// The file of the picture; null if none was given.
    pub file: Option<String>,
    /// Number of the texture in its file.
    pub index: u64,
    /// Number of the palette; null without a palette.
    pub palette: Option<u64>,
    /// What became of it.
    pub result: ImportResult,
    /// How many pixels of the texture differ from the picture, or from the old texture if there is no picture. Colours of
    /// transparent pixels do not count.
    pub differing_pixels: u64,
    /// By how much, from 0 to 255, in the channel that differs most.
    pub largest_difference: u8,
}

/// What became of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ImportResult {
    /// The picture shows the texture as it was.
    Unchanged,
    /// The texture shows the picture.
    Exact,
    /// The texture shows the picture in colours that the file can store.
    Nearest,
    /// The texture looks otherwise, because it shares texels or a palette with another picture, or is a smaller level of it.
    Followed,
}

/// The textures of a content by the names of their pictures, as `textures` writes them.
#[derive(Clone, Debug, Default)]
pub struct NamedTextures {
    /// The textures.
    pub textures: BTreeMap<String, NamedTexture>,
    /// The limit that left out textures, if one did.
    pub limit_hit: Option<LimitHit>,
}

/// A texture with one of its palettes.
#[derive(Clone, Debug)]
pub struct NamedTexture {
    /// Number of the texture in its file.
    pub index: usize,
    /// Number of the palette; `None` without a palette.
    pub palette: Option<u32>,
    /// The picture that it shows.
    pub picture: RgbaImage,
}

impl NamedTextures {
    /// Lists the textures of a content. `stem` is the name of its file without an extension.
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

    /// Judges all textures by how they look `after` pictures were written. `given` has the file and the picture for a name.
    /// Those that were given come first.
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
    /// Judges a texture by its old picture, its new one, and the picture that was given for it. Returns `None` if nobody
    /// gave one and it looks as before.
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
    /// Describes a file before and after.
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
