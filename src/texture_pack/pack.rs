//! Reads a pack's options and file names, and decodes its pictures when a texture needs them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, ImageReader};
use thiserror::Error;

use super::dds;
use super::ini::Ini;
use super::key::Key;
use super::settings::{Problems, Settings, SettingsError, SettingsProblem};
use crate::ge::limits::Limits;

pub use super::picture::{PackPicture, PictureError};

/// The file with options and names.
#[doc(hidden)]
pub const INI: &str = "textures.ini";
/// The archive that PPSSPP reads instead of a folder, if it exists.
#[doc(hidden)]
pub const ARCHIVE: &str = "textures.zip";
/// File extensions with which PPSSPP finds pictures by name.
const ENDINGS: [&str; 4] = ["ktx2", "png", "dds", "zim"];

/// Gives access to a pack's files, in a folder, an archive or memory.
pub trait PackFiles: fmt::Debug + Send + Sync {
    /// Names the folder or archive for messages.
    fn name(&self) -> String;

    /// Whether this is an archive, which needs an ini.
    fn is_archive(&self) -> bool;

    /// Lists all files, sorted, with `/` between folders.
    fn names(&self) -> Vec<String>;

    /// Reads a file, or returns `None` if none has this name.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String>;
}

/// A texture pack, to look up replacement pictures by a texture's name.
#[derive(Clone, Debug)]
pub struct TexturePack {
    files: Arc<dyn PackFiles>,
    /// The settings that decide how textures are named.
    pub settings: Settings,
    /// The pictures for each name.
    pub entries: BTreeMap<Key, PackEntry>,
    /// Lines that do not count: file, line, reason.
    pub problems: Vec<(String, u32, SettingsProblem)>,
}

/// Two packs are equal if they share the same files in memory.
impl PartialEq for TexturePack {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.files, &other.files)
    }
}

/// The pictures for a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackEntry {
    /// A file for each level, the largest first. If the first is empty, the texture keeps its texels.
    pub files: Vec<String>,
    /// The line in the ini; `None` if the name comes from a file's own name.
    pub line: Option<u32>,
}

/// Why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    /// An ini has no usable options.
    #[error("{file}: {error}")]
    Settings {
        /// Path to the file.
        file: String,
        /// The reason.
        error: SettingsError,
    },
    /// There is no ini, and no picture named after a texture.
    #[error("{0}: no {INI} and no picture that is named after a texture")]
    Nothing(String),
    /// The pack names an ini for this game, but lacks it.
    #[error("{file}: {INI} names it for the game {game}, but it is missing")]
    NoOverride {
        /// Path to the missing file.
        file: String,
        /// The game's number.
        game: String,
    },
    /// A file cannot be read.
    #[error("{file}: {message}")]
    File {
        /// Path to the file.
        file: String,
        /// The reason.
        message: String,
    },
}

impl TexturePack {
    /// Reads the options and names. The game's number, such as `ULUS10000`, selects its own options if the pack has
    /// any.
    ///
    /// # Errors
    /// If there is nothing to use, or the ini has no known hash function.
    pub fn open(files: Arc<dyn PackFiles>, game: Option<&str>) -> Result<Self, PackError> {
        let mut pack =
            Self { files, settings: Settings::default(), entries: BTreeMap::new(), problems: Vec::new() };
        let mut names = pack.hash_named_files();
        match pack.ini(INI)? {
            None if names.is_empty() || pack.files.is_archive() => {
                return Err(PackError::Nothing(pack.files.name()));
            }
            None => pack.add(names, INI),
            Some(ini) => {
                pack.apply(&ini, INI, false, &mut names)?;
                let own = game.and_then(|game| Some((game, ini.get("games", game)?)));
                if let Some((game, line)) = own
                    && !matches!(&*line.value, "true" | "" | INI)
                {
                    let file = line.value.clone();
                    let missing = || PackError::NoOverride {
                        file: pack_path(&pack.files.name(), &file),
                        game: game.to_owned(),
                    };
                    let other = pack.ini(&file)?.ok_or_else(missing)?;
                    pack.apply(&other, &file, true, &mut HashMap::new())?;
                }
            }
        }
        Ok(pack)
    }

    fn ini(&self, name: &str) -> Result<Option<Ini>, PackError> {
        if is_outside(name) {
            return Ok(None);
        }
        let read = self.files.read(name);
        let error = |message| PackError::File { file: pack_path(&self.files.name(), name), message };
        Ok(read.map_err(error)?.map(|bytes| Ini::read(&bytes)))
    }

    /// Adds an ini's options and names to those read so far.
    fn apply(
        &mut self,
        ini: &Ini,
        file: &str,
        is_override: bool,
        names: &mut Names,
    ) -> Result<(), PackError> {
        let mut problems = Problems::new();
        let read = self.settings.read(ini, is_override, &mut problems);
        let path = pack_path(&self.files.name(), file);
        read.map_err(|error| PackError::Settings { file: path.clone(), error })?;
        for line in ini.section("hashes") {
            match Key::parse(&line.key) {
                None => problems.push((line.number, SettingsProblem::Name(line.key.clone()))),
                Some(_) if is_outside(&line.value) => {
                    problems.push((line.number, SettingsProblem::Outside(line.value.clone())));
                }
                Some((key, level)) => {
                    let name = line.value.replace('\\', "/");
                    names.entry(key).or_default().insert(level, (name, Some(line.number)));
                }
            }
        }
        self.add(std::mem::take(names), file);
        self.problems.extend(problems.into_iter().map(|(line, problem)| (path.clone(), line, problem)));
        Ok(())
    }

    /// Adds names. Levels count from 0 up to the first missing number.
    fn add(&mut self, names: Names, file: &str) {
        for (key, levels) in names {
            let line = levels.values().find_map(|(_, line)| *line);
            let count = (0..).zip(levels.keys()).take_while(|(expected, level)| expected == *level).count();
            if count < levels.len() {
                let missing = u32::try_from(count).unwrap_or(u32::MAX);
                let path = pack_path(&self.files.name(), file);
                self.problems.push((path, line.unwrap_or(0), SettingsProblem::LevelMissing(key, missing)));
            }
            let files = levels.into_values().take(count).map(|(name, _)| name).collect();
            self.entries.insert(key, PackEntry { files, line });
        }
        self.problems.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    }

    /// Finds pictures outside folders that are named after textures.
    fn hash_named_files(&self) -> Names {
        let mut names = Names::new();
        for name in self.files.names() {
            if let Some((key, level)) = hash_name(&name) {
                names.entry(key).or_default().insert(level, (name, None));
            }
        }
        names
    }

    /// Looks up a texture. Returns its entry, with the name under which the pack holds it.
    #[must_use]
    pub fn entry(&self, key: Key) -> Option<(Key, &PackEntry)> {
        key.names(self.settings.ignore_address).find_map(|name| Some((name, self.entries.get(&name)?)))
    }

    /// Returns the pack's files, to read pictures from.
    #[must_use]
    pub fn files(&self) -> &dyn PackFiles {
        &*self.files
    }

    /// Reads a picture: PNG, or DDS with its levels, the largest first.
    ///
    /// # Errors
    /// If it is missing, damaged, or in another format.
    pub fn levels(&self, file: &str, limits: &Limits) -> Result<Vec<PackPicture>, PictureError> {
        let bytes = self.files.read(file).map_err(PictureError::Damaged)?.ok_or(PictureError::Missing)?;
        if bytes.starts_with(dds::MAGIC) {
            return dds::read(&bytes, limits);
        }
        if let Some((_, format)) = UNSUPPORTED.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return Err(PictureError::Format(format));
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
        let mut most = image::Limits::default();
        most.max_alloc = Some(limits.decoded_bytes);
        reader.limits(most);
        let picture = reader.decode().map_err(|error| PictureError::Damaged(error.to_string()))?;
        Ok(vec![PackPicture { has_alpha: picture.color().has_alpha(), pixels: picture.into_rgba8() }])
    }

    /// Reads an entry's pictures, the largest level first. As in PPSSPP, levels end at the first missing file, a DDS
    /// file with levels brings all of them, and an entry whose first file is empty has none.
    ///
    /// # Errors
    /// If the first picture is missing, or any cannot be used. Each error comes with its file.
    pub fn pictures(
        &self,
        entry: &PackEntry,
        limits: &Limits,
    ) -> Result<Vec<PackPicture>, (String, PictureError)> {
        let mut pictures: Vec<PackPicture> = Vec::new();
        for (level, file) in entry.files.iter().enumerate().take_while(|(_, file)| !file.is_empty()) {
            let mut found = match self.levels(file, limits) {
                Err(PictureError::Missing) if level > 0 => break,
                found => found.map_err(|error| (file.clone(), error))?,
            };
            if level == 0 && found.len() > 1 {
                return Ok(found);
            }
            let picture = found.swap_remove(0);
            if let Some(first) = pictures.first() {
                let (width, height) = first.pixels.dimensions();
                let half =
                    |side: u32| side.checked_shr(u32::try_from(level).unwrap_or(32)).unwrap_or(0).max(1);
                let (expected, (x, y)) = ([half(width), half(height)], picture.pixels.dimensions());
                if expected != [x, y] {
                    return Err((file.clone(), PictureError::LevelSize { level, size: [x, y], expected }));
                }
            }
            pictures.push(picture);
        }
        Ok(pictures)
    }
}

/// For each name its levels, with file and line.
type Names = HashMap<Key, BTreeMap<u32, (String, Option<u32>)>>;

/// Picture formats that PPSSPP reads and this library does not, by their first bytes.
const UNSUPPORTED: [(&[u8], &str); 3] = [(b"\xABKTX", "KTX2"), (b"ZIMG", "ZIM"), (b"sB", "Basis Universal")];

/// Parses a picture's file name, if the picture is outside folders and named after a texture: 24 digits, and perhaps
/// `_` with a level in 1 or 2 digits.
#[must_use]
pub(crate) fn hash_name(name: &str) -> Option<(Key, u32)> {
    let (stem, ending) = name.rsplit_once('.')?;
    let is_name = match stem.len() {
        24 => true,
        26 | 27 => stem.as_bytes().get(24) == Some(&b'_'),
        _ => false,
    };
    let is_picture = ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending));
    (is_name && is_picture).then(|| Key::parse(stem)).flatten()
}

fn pack_path(pack: &str, file: &str) -> String {
    format!("{pack}/{file}")
}

/// Returns whether a name leads out of the pack, where its files must not reach.
fn is_outside(name: &str) -> bool {
    name.starts_with(['/', '\\']) || name.contains(':') || name.split(['/', '\\']).any(|part| part == "..")
}
