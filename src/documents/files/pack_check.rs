//! Tells which entries in a texture pack are used by frames, and which faults the pack has.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::limits::Limits;
use crate::ge::registers::texture::TexelFormat;
use crate::run::texture_uses::TextureUse;
use crate::texture_pack::key::Key;
use crate::texture_pack::pack::{INI, PackEntry, PictureError, TexturePack, hash_name};
use crate::texture_pack::uses::PackUses;

/// A texture pack, checked against frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackCheckDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The pack as the user named it.
    pub input: String,
    /// The frames, with the entries used by each.
    pub frames: Vec<CheckedFrame>,
    /// Entries not used by any frame.
    pub unmatched: Vec<UnmatchedEntry>,
    /// The pack's faults.
    pub findings: Vec<PackFinding>,
}

impl Document for PackCheckDocument {
    const NAME: &'static str = "pack-check";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Which entries of a texture pack frames use, and what is wrong with the pack";
}

/// A frame, and the entries used by its draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedFrame {
    /// The frame as the user named it.
    pub input: String,
    /// How many textures it has that a pack can replace, by their names.
    pub textures: u64,
    /// The textures with an entry.
    pub matches: Vec<PackMatch>,
    /// Notes on the frame and its run.
    pub notes: Vec<NoteInfo>,
}

/// A texture with an entry in the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackMatch {
    /// The texture's name.
    pub texture: String,
    /// The entry's name. Zeros in it match any texture, so it may be for several.
    pub entry: String,
    /// The entry's files, the largest level first; empty if the pack leaves this texture as it is.
    pub files: Vec<String>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// How texels are stored.
    pub format: TexelFormat,
    /// The draws that use this texture, by number.
    pub draws: Vec<u64>,
}

/// An entry not used by any frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnmatchedEntry {
    /// The entry's name.
    pub entry: String,
    /// Its files, the largest level first.
    pub files: Vec<String>,
    /// Its line in `textures.ini`; null if the entry is a file's name.
    pub line: Option<u32>,
}

/// A fault in a pack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackFinding {
    /// The rule that this breaks.
    pub rule: PackRule,
    /// The file in the pack, or the ini.
    pub file: String,
    /// The line in the ini, if known.
    pub line: Option<u32>,
    /// The fault as a sentence.
    pub message: String,
}

/// The rules for packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PackRule {
    /// A line in an ini does not count, or only partly.
    IniLine,
    /// An entry names a missing file.
    FileMissing,
    /// A picture is damaged, has the wrong size, or a format that is not read.
    PictureUnusable,
    /// A picture has no entry, and is not named after a texture.
    FileUnnamed,
    /// The texture has transparent texels, but the picture has no alpha channel.
    AlphaMissing,
    /// Two entries are for the same texture. Only the first counts.
    SameTexture,
    /// A file is for textures with different texels.
    SameFile,
}

impl PackRule {
    /// Returns this rule's name, as in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IniLine => "ini-line",
            Self::FileMissing => "file-missing",
            Self::PictureUnusable => "picture-unusable",
            Self::FileUnnamed => "file-unnamed",
            Self::AlphaMissing => "alpha-missing",
            Self::SameTexture => "same-texture",
            Self::SameFile => "same-file",
        }
    }
}

/// Collects facts about a pack from several frames, for a document.
#[derive(Debug, Default)]
pub struct PackChecker {
    frames: BTreeMap<usize, CheckedFrame>,
    entries: BTreeMap<Key, PackEntry>,
    matched: BTreeSet<Key>,
    findings: BTreeSet<PackFinding>,
    /// For each file, the textures that show it: their hashes and layouts, with a name for each.
    shown: BTreeMap<String, BTreeMap<(u64, u64, u32), Key>>,
    /// Files already read, and whether they have alpha; `None` for files that cannot be used.
    read: BTreeMap<String, Option<bool>>,
}

impl PackChecker {
    /// Adds a pack with its settings for a frame's game. This reads the pictures to check them.
    pub fn add_pack(&mut self, pack: &TexturePack, limits: &Limits) {
        for (file, line, problem) in &pack.problems {
            self.find(PackRule::IniLine, file, Some(*line).filter(|line| *line > 0), problem.to_string());
        }
        for (key, entry) in &pack.entries {
            for file in entry.files.iter().filter(|file| !file.is_empty()) {
                self.read(pack, file, entry, limits);
            }
            if let Err((file, error @ PictureError::LevelSize { .. })) = pack.pictures(entry, limits) {
                self.find(PackRule::PictureUnusable, &file, entry.line, error.to_string());
            }
            self.entries.insert(*key, entry.clone());
        }
        let named: BTreeSet<&String> = pack.entries.values().flat_map(|entry| &entry.files).collect();
        for file in pack.files().names() {
            let is_picture = ["png", "dds", "ktx2", "zim", "jpg", "jpeg", "bmp", "tga", "gif", "webp"]
                .iter()
                .any(|known| {
                    file.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(known))
                });
            if is_picture && !named.contains(&file) && hash_name(&file).is_none() {
                let message = "no entry names the file, and it is not named after a texture".to_owned();
                self.find(PackRule::FileUnnamed, &file, None, message);
            }
        }
    }

    fn find(&mut self, rule: PackRule, file: &str, line: Option<u32>, message: String) {
        self.findings.insert(PackFinding { rule, file: file.to_owned(), line, message });
    }

    fn read(&mut self, pack: &TexturePack, file: &str, entry: &PackEntry, limits: &Limits) {
        if self.read.contains_key(file) {
            return;
        }
        let levels = pack.levels(file, limits);
        if let Err(error) = &levels {
            let rule = match error {
                PictureError::Missing => PackRule::FileMissing,
                _ => PackRule::PictureUnusable,
            };
            self.find(rule, file, entry.line, error.to_string());
        }
        let first = levels.ok().and_then(|levels| levels.into_iter().next());
        self.read.insert(file.to_owned(), first.map(|picture| picture.has_alpha));
    }

    /// Adds a frame's textures, by the frame's place among all.
    pub fn add_frame(
        &mut self,
        place: usize,
        input: &str,
        pack: &TexturePack,
        found: &PackUses,
        notes: Vec<NoteInfo>,
    ) {
        let mut names: BTreeSet<Key> = BTreeSet::new();
        let mut matches: Vec<PackMatch> = Vec::new();
        for found_use in found.uses.iter().filter(|found| !found.is_rendered) {
            let Some(texture) = found.textures.get(found_use.texture) else { continue };
            names.insert(found_use.key);
            let Some((name, entry)) = pack.entry(found_use.key) else { continue };
            self.matched.insert(name);
            self.compare(pack, (found_use.key, name), entry, texture);
            let draws = found_use.draws.ranges().iter().cloned().flatten();
            matches.push(PackMatch {
                texture: found_use.key.to_string(),
                entry: name.to_string(),
                files: entry.files.iter().take_while(|file| !file.is_empty()).cloned().collect(),
                width: texture.width,
                height: texture.height,
                format: texture.format,
                draws: draws.collect(),
            });
        }
        let textures = names.len() as u64;
        self.frames.insert(place, CheckedFrame { input: input.to_owned(), textures, matches, notes });
    }

    /// Looks for other entries for this texture, other textures with this file, and transparent texels that the
    /// picture lacks.
    fn compare(
        &mut self,
        pack: &TexturePack,
        (key, first): (Key, Key),
        entry: &PackEntry,
        texture: &TextureUse,
    ) {
        let names = key.names(pack.settings.ignore_address);
        for other in names.filter(|name| *name != first).collect::<BTreeSet<Key>>() {
            let Some(hidden) = pack.entries.get(&other) else { continue };
            let message = format!("{first} and {other} are for the texture {key}; the first counts");
            // An entry without a file keeps the texture; only its line in the ini can be named.
            let file = hidden.files.first().filter(|file| !file.is_empty()).map_or(INI, String::as_str);
            self.find(PackRule::SameTexture, file, hidden.line, message);
        }
        let Some(file) = entry.files.first().filter(|file| !file.is_empty()) else { return };
        let id = (texture.hash.0, texture.palette_hash.map_or(0, |hash| hash.0), texture.layout);
        self.shown.entry(file.clone()).or_default().entry(id).or_insert(key);
        let is_transparent =
            texture.pictures.first().is_some_and(|picture| picture.pixels().any(|pixel| pixel.0[3] < 255));
        if is_transparent && self.read.get(file) == Some(&Some(false)) {
            let message =
                format!("the texture {key} has transparent texels, but the picture has no alpha channel");
            self.find(PackRule::AlphaMissing, file, entry.line, message);
        }
    }

    /// Returns everything found. `input` is the pack's name.
    #[must_use]
    pub fn into_document(mut self, input: &str) -> PackCheckDocument {
        for (file, textures) in std::mem::take(&mut self.shown) {
            if textures.len() > 1 {
                let names: BTreeSet<String> = textures.values().map(Key::to_string).collect();
                let names: Vec<String> = names.into_iter().collect();
                let message =
                    format!("the file is for {} different textures: {}", textures.len(), names.join(", "));
                self.find(PackRule::SameFile, &file, None, message);
            }
        }
        let unmatched = self.entries.iter().filter(|(key, _)| !self.matched.contains(key));
        let unmatched = unmatched.map(|(key, entry)| UnmatchedEntry {
            entry: key.to_string(),
            files: entry.files.clone(),
            line: entry.line,
        });
        PackCheckDocument {
            schema: SchemaId::new(),
            input: input.to_owned(),
            unmatched: unmatched.collect(),
            frames: self.frames.into_values().collect(),
            findings: self.findings.into_iter().collect(),
        }
    }
}
