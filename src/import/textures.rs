//! Writes pictures in place of a file's textures, and measures how close they come.

use std::collections::BTreeSet;

use image::RgbaImage;
use thiserror::Error;

use super::archived::Archived;
use super::bytes::FileBytes;
use super::pictures::{is_same, smaller_levels};
use super::planes::Planes;
use super::{blocks, colors, indexed};
use crate::formats::core::cursor::View;
use crate::formats::{self, Content, File, FileRole, Format, FormatError, Opened};
use crate::ge::memory::Memory;
use crate::model::ModelTexture;
use crate::model::storage::{LevelStorage, StoredOffset, TexelStorage, TextureStorage};

/// Change no more palettes together than this. Game files have up to 29, and each adds to every texel's colours.
const PALETTES_MAX: usize = 64;

/// A picture to write in place of a texture.
#[derive(Clone, Debug)]
pub struct NewPicture {
    /// [`ModelTexture::index`] of the texture to replace.
    pub texture: usize,
    /// Number of the palette with which the texture shows this picture.
    pub palette: u32,
    /// The picture, as large as [`ModelTexture::decode`] returns it.
    pub picture: RgbaImage,
}

/// How to write pictures.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportOptions {
    /// Whether to mix stored colours in alternating dots where a picture has colours in between.
    pub dither: bool,
}

/// Why pictures cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{problem}")]
pub struct ImportError {
    /// Index of the picture at fault; `None` for the file.
    pub picture: Option<usize>,
    /// The reason.
    pub problem: ImportProblem,
}

/// A reason why pictures cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ImportProblem {
    /// The file stores no textures: it is a frame dump, for example.
    #[error("{0} stores no textures")]
    NoTextures(&'static str),
    /// There is no such texture or palette.
    #[error("the file has no texture {texture} with a palette {palette}")]
    NoTexture {
        /// Index of the texture.
        texture: usize,
        /// Number of the palette.
        palette: u32,
    },
    /// Another picture is for the same texture and palette.
    #[error("another picture is for the same texture")]
    Twice,
    /// The picture has another size than the texture.
    #[error("the picture has {}x{} pixels, and the texture {}x{}", found[0], found[1], expected[0], expected[1])]
    Size {
        /// Width and height of the texture.
        expected: [u32; 2],
        /// Width and height of the picture.
        found: [u32; 2],
    },
    /// The texture is in a companion of this file.
    #[error("the texture is not in this file, but in a companion")]
    Companion,
    /// Too many palettes belong together.
    #[error("{0} palettes belong together, and at most {PALETTES_MAX} can be changed")]
    ManyPalettes(usize),
    /// The file does not store this texture as it is shown, so there is no place for a picture.
    #[error("the file does not store this texture as it is shown")]
    NotStored,
    /// A packed part cannot be unpacked or packed.
    #[error("{0}")]
    Format(Box<FormatError>),
}

impl ImportProblem {
    /// Returns a stable word for this kind of problem, so that programs can tell problems apart.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format(error) => error.code(),
            Self::NoTextures(_) => "nothing-to-do",
            Self::Size { .. } => "picture-size",
            Self::Companion => "texture-elsewhere",
            _ => "texture-not-stored",
        }
    }

    const fn of(self, picture: usize) -> ImportError {
        ImportError { picture: Some(picture), problem: self }
    }
}

/// How closely a texture shows the picture written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fidelity {
    /// How many pixels differ from the picture. Colours of transparent pixels do not count.
    pub differing_pixels: u64,
    /// By how much, in the channel that differs most.
    pub largest_difference: u8,
}

/// Compares a texture with the picture written to it.
#[must_use]
pub(crate) fn fidelity(shown: &RgbaImage, picture: &RgbaImage) -> Fidelity {
    let mut fidelity = Fidelity::default();
    for (one, other) in shown.pixels().zip(picture.pixels()).filter(|(one, other)| !is_same(one.0, other.0)) {
        let far = one.0.iter().zip(other.0).map(|(one, other)| one.abs_diff(other)).max();
        fidelity.differing_pixels += 1;
        fidelity.largest_difference = fidelity.largest_difference.max(far.unwrap_or(0));
    }
    fidelity
}

/// Returns a content's textures with the memory that holds them; `None` if it stores none.
#[must_use]
#[doc(hidden)]
pub fn stored_textures(content: &Content) -> Option<(&Memory, &[ModelTexture])> {
    match content {
        Content::Model(model) => Some((&model.memory, &model.textures)),
        Content::Textures(set) => Some((&set.memory, &set.textures)),
        _ => None,
    }
}

/// A picture that differs from its texture.
struct Changed<'a> {
    /// The texture's place among all textures.
    number: usize,
    /// The picture's place among the given pictures.
    picture: usize,
    texture: &'a ModelTexture,
    storage: &'a TextureStorage,
    old: RgbaImage,
    new: &'a NewPicture,
}

/// Writes pictures in place of textures, and returns the file's new bytes. `opened` is the file's content, opened
/// from these bytes. Pictures equal to their textures change nothing. In an archive, the texture's file changes.
///
/// # Errors
/// If a picture fits no texture, or its texture is not stored in the file.
///
/// ```
/// use pspge::formats::{self, File, Request};
/// use pspge::import::{ImportOptions, NewPicture, import_textures};
///
/// let bytes = std::fs::read("tools/sample/swatches.tm2")?;
/// let opened = formats::open(&Request::new("swatches.tm2", &bytes))?;
/// let (memory, textures) = pspge::import::textures::stored_textures(&opened.content).expect("textures");
/// let picture = textures[0].decode(memory, 0);
/// let pictures = [NewPicture { texture: 0, palette: 0, picture }];
/// let file = File { name: "swatches.tm2", bytes: &bytes };
/// let same = import_textures(&opened, file, &pictures, ImportOptions::default())?;
/// assert!(same == bytes, "nothing has changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import_textures(
    opened: &Opened,
    file: File<'_>,
    pictures: &[NewPicture],
    options: ImportOptions,
) -> Result<Vec<u8>, ImportError> {
    let nothing = || ImportError { picture: None, problem: ImportProblem::NoTextures(opened.content.kind()) };
    let (memory, textures) = stored_textures(&opened.content).ok_or_else(nothing)?;
    let mut changed = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, new) in pictures.iter().enumerate() {
        if !seen.insert((new.texture, new.palette)) {
            return Err(ImportProblem::Twice.of(number));
        }
        changed.extend(check(memory, textures, (number, new)).map_err(|problem| problem.of(number))?);
    }
    if changed.is_empty() {
        return Ok(file.bytes.to_vec());
    }
    let (elsewhere, own): (Vec<_>, Vec<_>) =
        changed.into_iter().partition(|picture| picture.storage.is_companion);
    let source = Textures { memory, textures, options };
    let companion = || elsewhere.first().map(|picture| ImportProblem::Companion.of(picture.picture));
    let Some(name) = &opened.archived else {
        return companion().map_or_else(|| source.write(file.bytes, opened.format, &own), Err);
    };
    let mut archive = Archived::open(file).map_err(located)?;
    let mut files = vec![(name, own)];
    if let Some(problem) = companion() {
        files.push((only_companion(opened, &archive)?.ok_or(problem)?, elsewhere));
    }
    for (name, changed) in files.iter().filter(|(_, changed)| !changed.is_empty()) {
        let old = archive.unpack(name).map_err(located)?.unwrap_or_default();
        let format = formats::sniff(&old).unwrap_or(opened.format);
        let new = source.write(&old, format, changed)?;
        archive.replace(name, &old, new);
    }
    archive.finish().map_err(located)
}

fn located(error: FormatError) -> ImportError {
    ImportError { picture: None, problem: ImportProblem::Format(Box::new(error)) }
}

/// Returns the companion in the archive that has the textures, unless several may have them.
fn only_companion<'o>(opened: &'o Opened, archive: &Archived<'_>) -> Result<Option<&'o String>, ImportError> {
    let mut found = Vec::new();
    for companion in &opened.companions {
        let may_have = matches!(companion.role, FileRole::Textures | FileRole::Library(_));
        if may_have && archive.unpack(&companion.name).map_err(located)?.is_some() {
            found.push(&companion.name);
        }
    }
    Ok(if let [only] = found.as_slice() { Some(only) } else { None })
}

/// A content's textures, and how to change them.
#[derive(Clone, Copy, Debug)]
struct Textures<'a> {
    memory: &'a Memory,
    textures: &'a [ModelTexture],
    options: ImportOptions,
}

impl Textures<'_> {
    /// Writes pictures for textures that are all in the same file.
    fn write(&self, file: &[u8], format: Format, changed: &[Changed<'_>]) -> Result<Vec<u8>, ImportError> {
        let is_companion = changed.first().is_some_and(|picture| picture.storage.is_companion);
        let is_here = |storage: &&TextureStorage| storage.is_companion == is_companion;
        let view = View::new(file, 0, format.name(), FileRole::Input);
        let packing = format.descriptor().packing.as_ref();
        let stored = self.textures.iter().filter_map(|texture| texture.storage.as_ref()).filter(is_here);
        let places = stored.flat_map(|storage| {
            let palettes = storage.palettes.iter().flatten().map(|palette| palette.at);
            storage.levels.iter().map(|level| level.at).chain(palettes)
        });
        let mut bytes = FileBytes::new(view, packing, places).map_err(located)?;
        let planes = Planes::of(self.textures, self.memory, is_companion);
        write(&mut bytes, planes, changed, self.options)?;
        bytes.finish(view, packing).map_err(located)
    }
}

/// Finds the texture for a picture. Returns `None` if they are equal already.
fn check<'a>(
    memory: &Memory,
    textures: &'a [ModelTexture],
    (picture, new): (usize, &'a NewPicture),
) -> Result<Option<Changed<'a>>, ImportProblem> {
    let missing = ImportProblem::NoTexture { texture: new.texture, palette: new.palette };
    let is_wanted = |(_, texture): &(usize, &ModelTexture)| texture.index == new.texture;
    let (number, texture) = textures.iter().enumerate().find(is_wanted).ok_or(missing.clone())?;
    if new.palette >= texture.palette.map_or(1, |palette| palette.count()) {
        return Err(missing);
    }
    let old = texture.decode(memory, new.palette);
    let [expected, found] = [&old, &new.picture].map(|picture| <[u32; 2]>::from(picture.dimensions()));
    if expected != found {
        return Err(ImportProblem::Size { expected, found });
    }
    if fidelity(&old, &new.picture) == Fidelity::default() {
        return Ok(None);
    }
    let storage = texture.storage.as_ref().ok_or(ImportProblem::NotStored)?;
    Ok(Some(Changed { number, picture, texture, storage, old, new }))
}

/// Writes all pictures that differ.
fn write(
    bytes: &mut FileBytes,
    mut planes: Planes,
    changed: &[Changed<'_>],
    options: ImportOptions,
) -> Result<(), ImportError> {
    for picture in changed {
        picture.check_place(bytes, &planes)?;
    }
    let given: BTreeSet<StoredOffset> =
        changed.iter().filter_map(|picture| picture.storage.levels.first()).map(|level| level.at).collect();
    // Smaller levels come second, because pictures given for them count more than those made from a larger level.
    for with_levels in [false, true] {
        for Changed { number, texture, storage, new, .. } in changed {
            if let TexelStorage::Index { .. } = storage.texels {
                planes.want((*number, texture), new.palette, &new.picture, with_levels);
                continue;
            }
            let pictures = smaller_levels(&new.picture, &storage.levels);
            let is_wanted = |(number, level): (usize, &LevelStorage)| {
                if with_levels { number > 0 && !given.contains(&level.at) } else { number == 0 }
            };
            let levels = storage.levels.iter().enumerate().zip(&pictures);
            for ((_, level), picture) in levels.filter(|(level, _)| is_wanted(*level)) {
                match &storage.texels {
                    TexelStorage::Color(storage) => {
                        colors::write(bytes, level, storage, picture, options.dither);
                    }
                    TexelStorage::Block(format) => blocks::write(bytes, level, *format, picture),
                    TexelStorage::Index { .. } => {}
                }
            }
        }
    }
    for group in planes.groups() {
        if group.palettes.len() > PALETTES_MAX {
            let problem = ImportProblem::ManyPalettes(group.palettes.len());
            return Err(ImportError { picture: None, problem });
        }
        indexed::write(bytes, &group, options.dither);
    }
    Ok(())
}

impl Changed<'_> {
    /// Checks that the old texels are where the storage says, because the new ones will go there.
    fn check_place(&self, bytes: &FileBytes, planes: &Planes) -> Result<(), ImportError> {
        let Self { number, picture, texture, storage, old, new } = self;
        let is_here = storage.levels.first().is_some_and(|first| match &storage.texels {
            TexelStorage::Index { .. } => planes.show(bytes, (*number, texture), new.palette, old),
            TexelStorage::Color(storage) => colors::are_those_of(bytes, first, storage, old),
            TexelStorage::Block(format) => blocks::are_those_of(bytes, first, *format, old),
        });
        if is_here { Ok(()) } else { Err(ImportProblem::NotStored.of(*picture)) }
    }
}

#[cfg(test)]
mod tests;
