//! Texm: textures in Parkan: Iron Strategy and the first Parkan. Source:
//! [Texm textures](crate::reference::formats::parkan#texm-textures),
//! [as GE state](crate::reference::formats::parkan#as-ge-state).
//!
//! # Invariants
//! All levels in a texture from [`read`] are whole. Loaded textures fit the GE: formats it lacks become 8888, and
//! sides longer than 512 are reduced.

use std::borrow::Cow;

use thiserror::Error;
use zerocopy::little_endian::{I16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::options::DIRECT3D_TEXELS;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::formats::core::state_writer::word;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Hex;
use crate::ge::registers::texture::{
    PixelFormat, TexelFormat, TextureAddress, TextureBufferWidth, TextureMode, TextureSize,
};
use crate::model::storage::{
    AlphaStorage, ColorStorage, LevelStorage, PaletteStorage, StoredOffset, TextureStorage,
};
use crate::model::texture::{LARGEST, log2_up};
use crate::model::{FileNote, FileNoteKind, ModelTexture, TexturePalette, TextureSet};

mod texels;

use texels::Storage;

/// An error or warning for a Texm texture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TexmProblem {
    /// The magic is not `Texm`.
    #[error("not a Texm texture")]
    Magic,
    /// The width or height is 0.
    #[error("the texture has no texels: {width}x{height}")]
    Empty {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// The texture has no mip levels according to its header.
    #[error("the header says 0 levels; one is read")]
    NoLevels,
    /// The texel format is unknown.
    #[error("texel format {0} does not exist")]
    Storage(u32),
    /// The file ends before half of the largest mip level.
    #[error("level 0 needs {needed} bytes, the texture has {available} left")]
    Cut {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// The file ends inside a mip level.
    #[error(
        "level {level} needs {needed} bytes, the texture has {available} left; missing texels are black, and later levels left out"
    )]
    Level {
        /// The level's number.
        level: u32,
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// The bytes after the last level are not a page table.
    #[error("{0} bytes that are no page table follow the last level")]
    Tail(u64),
    /// The page table's length does not match its count.
    #[error("a table of {count} pages does not take {length} bytes")]
    Pages {
        /// How many pages the table's header counts.
        count: u32,
        /// Available bytes.
        length: u64,
    },
    /// Levels are larger than the GE supports.
    #[error("{width}x{height} is larger than 512x512; {0}", if *skipped > 0 {
        format!("the first {skipped} levels are left out")
    } else {
        "it is scaled down".to_owned()
    })]
    TooLarge {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// How many levels are skipped.
        skipped: usize,
    },
    /// A side is not a power of two.
    #[error("the sides are not powers of two; coordinates are scaled, and repeats show a gap")]
    NoPowerOfTwo,
    /// The palette is in another file, and was not given.
    #[error("the palette is in another file of the game; without it the texture is shown in grey")]
    NoPalette,
    /// The file given for the palette is no palette.
    #[error(
        "no palette: 256 colours take 768 bytes, or 1024 in files of the game, with a zero after each colour"
    )]
    Palette,
    /// All palette colours are transparent.
    #[error("all colours of the palette have alpha 0; they are taken as opaque")]
    NoAlpha,
}

impl FormatProblem for TexmProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a texture and is none"),
        Refusal::new("Empty", "the texture has no texels"),
        Refusal::new("Storage", "the texel format is not known, and its size fits no other"),
        Refusal::new("Cut", "less than half of the texels of the largest level are in the file"),
        Refusal::new("Palette", "the file that the user gives is no palette"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::TooLarge { .. } | Self::NoPowerOfTwo => FileNoteKind::NotExpressed,
            Self::NoAlpha => FileNoteKind::Guessed,
            Self::NoPalette => FileNoteKind::TextureMissing,
            Self::Level { .. } => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
        }
    }
}

/// Every texture starts with this.
pub(super) const MAGIC: [u8; 4] = *b"Texm";
/// Every page table starts with this.
const PAGE: &[u8; 4] = b"Page";
/// Bytes in the header.
const HEADER: u64 = 32;
/// Bytes in a palette.
const PALETTE: u64 = 1024;
/// Notes describe no more pages than this, and only count the others.
const PAGES_LISTED: usize = 256;
/// The GE samples no more mip levels than this.
const LEVELS_MAX: usize = 8;

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    width: U32,
    height: U32,
    levels: U32,
    flags4: U32,
    flags5: U32,
    unknown: U32,
    format: U32,
}

/// A rectangle in a texture atlas, in texels of level 0.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Page {
    x: I16,
    width: I16,
    y: I16,
    height: I16,
}

/// A parsed and validated texture, ready to be loaded.
#[derive(Clone, Debug)]
pub(super) struct Texm<'a> {
    file: View<'a>,
    header: Header,
    storage: Storage,
    palette: Option<&'a [u8]>,
    levels: Vec<Level<'a>>,
    pages: &'a [Page],
    warnings: Warnings,
}

/// A mip level.
#[derive(Clone, Debug)]
struct Level<'a> {
    width: u32,
    height: u32,
    /// Where it starts in the texture.
    at: u64,
    texels: Cow<'a, [u8]>,
}

/// A texture in emulated memory, with its mip levels.
#[derive(Clone, Debug)]
pub(super) struct LoadedTexture {
    /// The first level and its GE state.
    pub(super) texture: ModelTexture,
    /// The other levels.
    levels: Vec<LoadedLevel>,
    /// Whether texels can be translucent.
    pub(super) has_alpha: bool,
    /// Warnings about this texture.
    pub(super) warnings: Warnings,
}

#[derive(Clone, Copy, Debug)]
struct LoadedLevel {
    address: Address,
    buffer_width: u16,
    size: TextureSize,
}

/// Recognises a texture by its magic.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Parses a texture.
///
/// # Errors
/// If it has no texels, or their format is unknown.
pub(super) fn read(file: View<'_>) -> Result<Texm<'_>, FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, TexmProblem::Magic));
    }
    let (mut width, mut height) = (header.width.get(), header.height.get());
    if width == 0 || height == 0 {
        return Err(file.error(4, TexmProblem::Empty { width, height }));
    }
    let mut warnings = Warnings::default();
    if header.levels.get() == 0 {
        warnings.push(file.error(12, TexmProblem::NoLevels));
    }
    let number = header.format.get();
    let storage = Storage::of(number).ok_or_else(|| file.error(28, TexmProblem::Storage(number)))?;
    let mut at = HEADER;
    let palette = if storage == Storage::Indexed { Some(file.slice(at, PALETTE)?) } else { None };
    if palette.is_some() {
        at = at.saturating_add(PALETTE);
    }
    let mut levels = Vec::new();
    for level in 0..header.levels.get().max(1) {
        let texels = u64::from(width).saturating_mul(height.into());
        let needed = texels.saturating_mul(storage.bytes());
        let available = file.len().saturating_sub(at);
        if available < needed {
            // Half a picture still shows something; less is refused.
            if level == 0 && available < needed / 2 {
                return Err(file.error(at, TexmProblem::Cut { needed, available }));
            }
            warnings.push(file.error(at, TexmProblem::Level { level, needed, available }));
            if level == 0 {
                let mut texels = file.slice(at, available)?.to_vec();
                texels.resize(usize::try_from(needed).unwrap_or(0), 0);
                levels.push(Level { width, height, at, texels: Cow::Owned(texels) });
            }
            at = file.len();
            break;
        }
        levels.push(Level { width, height, at, texels: Cow::Borrowed(file.slice(at, needed)?) });
        at = at.saturating_add(needed);
        (width, height) = ((width >> 1).max(1), (height >> 1).max(1));
    }
    let pages = read_pages(file, at, &mut warnings);
    Ok(Texm { file, header, storage, palette, levels, pages, warnings })
}

/// Parses the page table after the last level, if any bytes follow. This does not change the picture.
fn read_pages<'a>(file: View<'a>, at: u64, warnings: &mut Warnings) -> &'a [Page] {
    let length = file.len().saturating_sub(at);
    if length == 0 {
        return &[];
    }
    let count =
        file.word(at.saturating_add(4)).ok().filter(|_| file.slice(at, 4).is_ok_and(|magic| magic == PAGE));
    let Some(count) = count else {
        warnings.push(file.error(at, TexmProblem::Tail(length)));
        return &[];
    };
    if u64::from(count).saturating_mul(8).saturating_add(8) != length {
        warnings.push(file.error(at.saturating_add(4), TexmProblem::Pages { count, length }));
    }
    let stored = u64::from(count).min(length.saturating_sub(8) / 8);
    file.array(at.saturating_add(8), stored).unwrap_or_default()
}

/// Converts a palette file to 256 colours for the GE. This may be a palette from the first Parkan, whose first 1,024
/// bytes are blue, green, red and 0 for each colour, or a raw palette: 768 bytes with red, green and blue.
pub(super) fn read_palette(file: View<'_>) -> Result<Vec<u8>, FormatError> {
    let bytes = file.bytes();
    let is_game = |colors: &&[u8]| colors.iter().skip(3).step_by(4).all(|unused| *unused == 0);
    match (bytes.get(..1024).filter(is_game), bytes.len()) {
        (Some(game), _) => Ok(game.as_chunks().0.iter().flat_map(|&[b, g, r, _]| [r, g, b, 0xFF]).collect()),
        (None, 768) => Ok(bytes.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 0xFF]).collect()),
        (None, _) => Err(file.error_of_whole(TexmProblem::Palette)),
    }
}

impl Texm<'_> {
    /// Loads the texture into emulated memory as texture number `index`. This uses `palette` if the texture has none
    /// itself.
    pub(super) fn load(
        &self,
        index: usize,
        name: Option<String>,
        palette: Option<&[u8]>,
        options: ParseOptions<'_>,
        loader: &mut Loader,
    ) -> Result<LoadedTexture, FormatError> {
        let mut warnings = self.warnings.clone();
        let is_direct3d = options.has(DIRECT3D_TEXELS);
        // Levels too large for the GE are skipped. If no level fits, the last is scaled down.
        let fits = |level: &&Level<'_>| level.width.max(level.height) <= LARGEST.into();
        let skipped = self.levels.iter().take_while(|level| !fits(level)).count();
        let usable = self.levels.get(skipped..).filter(|levels| !levels.is_empty());
        if skipped > 0 {
            let (width, height) = (self.header.width.get(), self.header.height.get());
            let skipped = if usable.is_some() { skipped } else { 0 };
            warnings.push(self.file.error(4, TexmProblem::TooLarge { width, height, skipped }));
        }
        let palette = match (self.palette, self.storage) {
            (Some(colors), _) => Some(self.palette(colors, &mut warnings)),
            (None, Storage::Bare) => Some(palette.map_or_else(
                || {
                    warnings.push(self.file.error(28, TexmProblem::NoPalette));
                    (0..=u8::MAX).flat_map(|grey| [grey, grey, grey, 0xFF]).collect()
                },
                <[u8]>::to_vec,
            )),
            (None, _) => None,
        };
        let images: Vec<texels::LevelImage> = match (usable, self.levels.last()) {
            (Some(levels), _) => {
                let convert = |level: &Level<'_>| {
                    texels::convert(self.storage, &level.texels, [level.width, level.height], is_direct3d)
                };
                levels.iter().take(LEVELS_MAX).map(convert).collect()
            }
            (None, Some(last)) => {
                let size = [last.width, last.height];
                let colors = palette.as_deref().unwrap_or_default();
                vec![texels::downscale(self.storage, &last.texels, size, colors, is_direct3d)]
            }
            (None, None) => Vec::new(),
        };
        let has_alpha = match &palette {
            Some(colors) => colors.iter().skip(3).step_by(4).any(|alpha| *alpha != 0xFF),
            None => self.storage.has_alpha(),
        };
        let first = self.levels.get(skipped).or(self.levels.last());
        let file_offset = first.map_or(0, |level| self.file.file_offset(level.at));
        let format = images.first().map_or(TexelFormat::ABGR8888, |image| image.format);
        let palette = match palette.filter(|_| format == TexelFormat::CLUT8) {
            Some(colors) => Some(TexturePalette {
                format: PixelFormat::ABGR8888,
                colors: 256,
                size: 256,
                address: loader.store(self.file, HEADER, &colors)?,
                shift: 0,
                mask: 0xFF,
            }),
            None => None,
        };
        let mut levels = Vec::new();
        for image in &images {
            let (buffer_width, bytes) = image.padded();
            let size = TextureSize { width_log2: log2_up(image.width), height_log2: log2_up(image.height) };
            levels.push(LoadedLevel { address: loader.store(self.file, 0, &bytes)?, buffer_width, size });
        }
        let [width, height] = images.first().map_or([1; 2], |image| [image.width, image.height]);
        if !width.is_power_of_two() || !height.is_power_of_two() {
            warnings.push(self.file.error(4, TexmProblem::NoPowerOfTwo));
        }
        let base = levels.first().copied();
        let texture = ModelTexture {
            index,
            name,
            width,
            height,
            format,
            swizzled: false,
            buffer_width: base.map_or(16, |level| level.buffer_width),
            address: base.map_or(Address::new(0), |level| level.address),
            file_offset,
            palette,
            // A texture that is too large does not show its first level, so a picture of it cannot be written there.
            storage: Some(self.storage(is_direct3d)).filter(|_| skipped == 0),
        };
        let levels = levels.into_iter().skip(1).collect();
        Ok(LoadedTexture { texture, levels, has_alpha, warnings })
    }

    /// Tells where the file holds texels and palette, to write others there.
    fn storage(&self, is_direct3d: bool) -> TextureStorage {
        let at = |offset: u64| StoredOffset::plain(self.file.file_offset(offset));
        let level = |level: &Level<'_>| LevelStorage {
            at: at(level.at),
            width: level.width,
            height: level.height,
            row_bytes: u64::from(level.width)
                .saturating_mul(self.storage.bytes())
                .try_into()
                .unwrap_or(u32::MAX),
            swizzled: false,
        };
        let palette = self.palette.map(|colors| {
            let alpha = if is_transparent(colors) { AlphaStorage::Ignored } else { AlphaStorage::Plain };
            let color = ColorStorage { alpha, ..ColorStorage::of(PixelFormat::ABGR8888) };
            PaletteStorage { at: at(HEADER), colors: 256, color, is_permuted: false }
        });
        TextureStorage {
            is_companion: self.file.role() != FileRole::Input,
            texels: self.storage.stored(is_direct3d),
            levels: self.levels.iter().map(level).collect(),
            palettes: vec![palette],
        }
    }

    /// Copies the palette's colours, whose order is the GE's. If all have alpha 0, this makes them opaque.
    fn palette(&self, colors: &[u8], warnings: &mut Warnings) -> Vec<u8> {
        let mut colors = colors.to_vec();
        if is_transparent(&colors) {
            warnings.push(self.file.error(HEADER, TexmProblem::NoAlpha));
            colors.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 0xFF);
        }
        colors
    }

    /// Describes the texture's levels, flags and pages, and adds the warnings from loading it as `name`.
    pub(super) fn notes_of(&self, loaded: &LoadedTexture, name: &str) -> impl Iterator<Item = FileNote> {
        let part = format!("texture {name}");
        self.notes().into_iter().chain(loaded.warnings.notes()).map(move |note| note.in_part(&part))
    }

    /// Describes the texture's levels, flags and pages.
    fn notes(&self) -> Vec<FileNote> {
        let note = |at: u64, message| {
            FileNote::new(FileNoteKind::UnknownField, message).at(self.file.file_offset(at))
        };
        let mut notes = Vec::new();
        if self.levels.len() > 1 {
            notes.push(note(12, format!("{} levels of detail", self.levels.len())));
        }
        let Header { flags4, flags5, unknown, .. } = self.header;
        if [flags4, flags5, unknown].iter().any(|flags| flags.get() != 0) {
            notes.push(note(16, format!("flags {flags4:#x}, {flags5:#x}, {unknown:#x}")));
        }
        let first = self.file.len().saturating_sub((self.pages.len() as u64).saturating_mul(8));
        for ((number, page), at) in self.pages.iter().enumerate().zip((first..).step_by(8)).take(PAGES_LISTED)
        {
            let Page { x, width, y, height } = page;
            notes.push(note(at, format!("page {number} is {width}x{height} at {x}, {y}")));
        }
        if let Some(more) = self.pages.len().checked_sub(PAGES_LISTED).filter(|&more| more > 0) {
            notes.push(FileNote::new(FileNoteKind::MoreNotes, format!("{more} more pages")));
        }
        notes
    }
}

impl LoadedTexture {
    /// Returns commands to select the texture with its levels, and to load its palette.
    pub(super) fn commands(&self) -> Vec<Command> {
        let max_level = u8::try_from(self.levels.len()).unwrap_or(0);
        let mut commands = Vec::new();
        for command in self.texture.commands(0) {
            match command.opcode() {
                Opcode::TEXMODE => {
                    let mode = TextureMode { swizzled: false, palette_per_level: false, max_level };
                    commands.push(word(mode));
                }
                // The flush must come after the addresses of all levels.
                Opcode::TEXFLUSH => {
                    for (level, number) in self.levels.iter().zip(1..) {
                        let address = level.address.get();
                        let width =
                            TextureBufferWidth { width: level.buffer_width, high: Hex(address >> 24) };
                        commands.extend([
                            TextureAddress { address: Hex(address) }.to(Opcode::TEXADDR0.plus(number)),
                            width.to(Opcode::TEXBUFWIDTH0.plus(number)),
                            level.size.to(Opcode::TEXSIZE0.plus(number)),
                        ]);
                    }
                    commands.push(command);
                }
                _ => commands.push(command),
            }
        }
        commands
    }

    /// Returns whether this texture has more than one level.
    pub(super) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }
}

/// Returns whether all colours have alpha 0.
fn is_transparent(colors: &[u8]) -> bool {
    colors.iter().skip(3).step_by(4).all(|alpha| *alpha == 0)
}

/// Notes a texture that cannot be read.
pub(super) fn unread(error: &FormatError, name: &str) -> FileNote {
    let note = FileNote::from(error);
    FileNote { kind: FileNoteKind::LeftOut, ..note }.in_part(&format!("texture {name}"))
}

/// Loads the textures from `files`. A texture that cannot be read or no longer fits into memory is skipped with a
/// note.
pub(super) fn texture_set<'a>(
    files: impl Iterator<Item = (Option<String>, View<'a>)>,
    palette: Option<&[u8]>,
    options: ParseOptions<'_>,
) -> Result<TextureSet, FormatError> {
    let mut loader = Loader::new();
    let (mut textures, mut notes, mut left_out) = (Vec::new(), Vec::new(), 0_usize);
    let mut unreadable = None;
    for (name, file) in files {
        let label = name.clone().unwrap_or_else(|| textures.len().to_string());
        let texm = match read(file) {
            Ok(texm) => texm,
            Err(error) => {
                notes.push(unread(&error, &label));
                unreadable.get_or_insert(error);
                continue;
            }
        };
        match texm.load(textures.len(), name, palette, options, &mut loader) {
            Ok(loaded) => {
                notes.extend(texm.notes_of(&loaded, &label));
                textures.push(loaded.texture);
            }
            Err(FormatError { kind: Problem::OutOfMemory(_), .. }) => {
                left_out = left_out.saturating_add(1);
            }
            Err(error) => return Err(error),
        }
    }
    // If there is no texture at all, the first error says more than an empty set would.
    if let Some(error) = unreadable
        && textures.is_empty()
        && left_out == 0
    {
        return Err(error);
    }
    if left_out > 0 {
        let message = format!(
            "{left_out} more textures do not fit into the machine's memory; open them one by one, as members"
        );
        notes.push(FileNote::new(FileNoteKind::LeftOut, message));
    }
    let (memory, sources) = loader.finish();
    Ok(TextureSet { memory, sources, textures, notes })
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests;
