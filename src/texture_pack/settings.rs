//! A pack's options and ranges, which decide which bytes to hash, and how.

use std::collections::HashMap;

use thiserror::Error;

use super::hash::HashKind;
use super::ini::{Ini, Line, LineProblem};
use super::key::Key;

/// The newest known version of `textures.ini`.
#[doc(hidden)]
pub const VERSION: u32 = 1;
/// How much of the bytes `reduceHash` leaves, for sizes without a part of their own.
const REDUCED: f32 = 0.5;
/// All sections.
const SECTIONS: [&str; 6] = ["options", "games", "hashes", "hashranges", "filtering", "reducehashranges"];

/// A filter to force on a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Filter {
    /// Take the nearest texel.
    Nearest,
    /// Blend four texels.
    Linear,
    /// Filter as the draw asks for.
    Auto,
}

/// Everything `textures.ini` says about hashes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Hashes texels.
    #[doc(hidden)]
    pub hash: HashKind,
    /// Whether names have no address.
    pub ignore_address: bool,
    /// Whether only the largest level is written.
    pub ignore_mipmap: bool,
    /// Whether to hash only a part of the bytes.
    pub reduce_hash: bool,
    /// How many blocks to leave out at the end of DXT1 textures, with 128x64 and with 128x128 texels.
    pub skipped_blocks: [u32; 2],
    /// Maps a texture's address, width and height to the width and height to hash instead.
    pub ranges: HashMap<(u32, [u32; 2]), [u32; 2]>,
    /// Maps a width and height to the part of the bytes to hash, above 0 and up to 1.
    pub reduced: HashMap<[u32; 2], f32>,
    /// Filters to force on textures.
    #[doc(hidden)]
    pub filters: HashMap<Key, Filter>,
}

/// Why a pack cannot be used at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// There is no hash function.
    #[error("[options] has no hash = quick, xxh32 or xxh64")]
    NoHash,
    /// The hash function is not known.
    #[error("line {line}: the hash '{name}' is none of quick, xxh32 and xxh64")]
    UnknownHash {
        /// The line.
        line: u32,
        /// Its name.
        name: String,
    },
}

/// Why a line or an option does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsProblem {
    /// The line cannot be read.
    #[error(transparent)]
    Line(#[from] LineProblem),
    /// The option is neither true nor false, or not a number.
    #[error("{0} cannot be '{1}'")]
    Value(String, String),
    /// The version is newer than any known version.
    #[error("the version {0} is not known, only up to {VERSION}")]
    Version(u32),
    /// The option needs another hash function.
    #[error("{0} does not count with the hash quick, only with xxh32 or xxh64")]
    NeedsHash(&'static str),
    /// A range is malformed.
    #[error("expected ADDRESS,WIDTH,HEIGHT = WIDTH,HEIGHT, such as 08b31020,512,512 = 480,272")]
    Range,
    /// A range is empty or larger than its texture.
    #[error("the range must have a width and a height up to those of the texture")]
    RangeSize,
    /// The part to hash is malformed.
    #[error("expected WIDTH,HEIGHT = PART, such as 512,512 = 0.5, with a part above 0 and up to 1")]
    Reduced,
    /// A filter is malformed.
    #[error("expected NAME = nearest, linear or auto")]
    Filter,
    /// A texture name has no digits.
    #[error("'{0}' is no name of a texture: expected up to 24 hexadecimal digits")]
    Name(String),
    /// A file is outside the pack.
    #[error("'{0}' is not inside the pack")]
    Outside(String),
    /// Level 0 is missing, or a level between others.
    #[error("{0} has no level {1}, so later levels do not count")]
    LevelMissing(Key, u32),
    /// A section or option is not known.
    #[error("{0} is not known")]
    Unknown(String),
}

pub(crate) type Problems = Vec<(u32, SettingsProblem)>;

impl Settings {
    /// Reads options and ranges. With `is_override`, this reads an ini for a single game, which changes only the
    /// options it names.
    ///
    /// # Errors
    /// If the hash function is missing or unknown.
    #[doc(hidden)]
    pub fn read(
        &mut self,
        ini: &Ini,
        is_override: bool,
        problems: &mut Problems,
    ) -> Result<(), SettingsError> {
        problems.extend(ini.problems.iter().map(|(line, problem)| (*line, problem.clone().into())));
        let hash = ini.get("options", "hash").ok_or(SettingsError::NoHash)?;
        match HashKind::from_name(&hash.value) {
            Some(kind) => self.hash = kind,
            None if is_override && hash.value.is_empty() => {}
            None => return Err(SettingsError::UnknownHash { line: hash.number, name: hash.value.clone() }),
        }
        for line in ini.section("options") {
            if ini.get("options", &line.key) == Some(line) {
                self.option(line, problems);
            }
        }
        for (is_on, name) in
            [(&mut self.reduce_hash, "reduceHash"), (&mut self.ignore_address, "ignoreAddress")]
        {
            if *is_on && self.hash == HashKind::Quick {
                *is_on = false;
                let line = ini.get("options", name).map_or(hash.number, |line| line.number);
                problems.push((line, SettingsProblem::NeedsHash(name)));
            }
        }
        let mut add = |line: &Line, read: Result<(), SettingsProblem>| {
            problems.extend(read.err().map(|problem| (line.number, problem)));
        };
        for line in ini.section("hashranges") {
            let range = range(line).map(|(key, range)| _ = self.ranges.entry(key).or_insert(range));
            add(line, range);
        }
        for line in ini.section("filtering") {
            add(line, filter(line).map(|(key, filter)| _ = self.filters.entry(key).or_insert(filter)));
        }
        for line in ini.section("reducehashranges") {
            add(line, reduced(line).map(|(size, part)| _ = self.reduced.entry(size).or_insert(part)));
        }
        for (number, name) in ini.sections() {
            if !SECTIONS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                problems.push((number, SettingsProblem::Unknown(format!("the section [{name}]"))));
            }
        }
        Ok(())
    }

    fn option(&mut self, line: &Line, problems: &mut Problems) {
        let Line { number, key, value } = line;
        let mut read = |to: &mut bool| {
            let is = |texts: [&str; 2]| texts.iter().any(|text| text.eq_ignore_ascii_case(value));
            match (is(["true", "1"]), is(["false", "0"])) {
                (false, false) => problems.push((*number, wrong_value(line))),
                (is_on, _) => *to = is_on,
            }
        };
        match key.to_ascii_lowercase().as_str() {
            "ignoreaddress" => read(&mut self.ignore_address),
            "ignoremipmap" => read(&mut self.ignore_mipmap),
            "reducehash" => read(&mut self.reduce_hash),
            // This option has no effect here, because a frame does not say which textures are videos.
            "video" => read(&mut false),
            "skiplastdxt1blocks128x64" => count(line, &mut self.skipped_blocks[0], problems),
            "skiplastdxt1blocks128x128" => count(line, &mut self.skipped_blocks[1], problems),
            "version" => {
                let mut version = VERSION;
                count(line, &mut version, problems);
                if version > VERSION {
                    problems.push((*number, SettingsProblem::Version(version)));
                }
            }
            "hash" => {}
            _ => problems.push((*number, SettingsProblem::Unknown(format!("the option {key}")))),
        }
    }

    /// Returns the width and height to hash instead of a texture's own, if it has a range.
    #[must_use]
    pub fn range(&self, address: u32, size: [u32; 2]) -> Option<[u32; 2]> {
        self.ranges.get(&(address, size)).copied()
    }

    /// Returns how much of a texture's bytes to hash, above 0 and up to 1.
    #[must_use]
    pub fn hashed_part(&self, size: [u32; 2]) -> f32 {
        if self.reduce_hash { self.reduced.get(&size).copied().unwrap_or(REDUCED) } else { 1.0 }
    }

    /// Returns the filter to force on a texture. A name with only zeros counts for all textures.
    #[must_use]
    #[doc(hidden)]
    pub fn filter(&self, key: Key) -> Option<Filter> {
        let names = key.names(self.ignore_address).chain([Key::default()]);
        names.filter_map(|name| self.filters.get(&name)).next().copied()
    }
}

fn wrong_value(line: &Line) -> SettingsProblem {
    SettingsProblem::Value(line.key.clone(), line.value.clone())
}

fn count(line: &Line, to: &mut u32, problems: &mut Problems) {
    match line.value.parse() {
        Ok(value) => *to = value,
        Err(_) => problems.push((line.number, wrong_value(line))),
    }
}

/// Splits a text at commas into numbers, decimal or hexadecimal after 0x.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let number = |text: &str| match text.trim() {
        text if text.starts_with("0x") || text.starts_with("0X") => {
            u32::from_str_radix(text.get(2..)?, 16).ok()
        }
        text => text.parse().ok(),
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(number).collect();
    numbers?.try_into().ok()
}

/// An address with width and height, and the width and height to hash instead.
type Range = ((u32, [u32; 2]), [u32; 2]);

fn range(line: &Line) -> Result<Range, SettingsProblem> {
    let (address, size) = line.key.split_once(',').ok_or(SettingsProblem::Range)?;
    let address = address.trim().trim_start_matches("0x").trim_start_matches("0X");
    let address = u32::from_str_radix(address, 16).map_err(|_| SettingsProblem::Range)?;
    let size: [u32; 2] = numbers(size).ok_or(SettingsProblem::Range)?;
    let to: [u32; 2] = numbers(&line.value).ok_or(SettingsProblem::Range)?;
    let fits = to.iter().zip(size).all(|(to, from)| (1..=from).contains(to));
    if fits { Ok(((address, size), to)) } else { Err(SettingsProblem::RangeSize) }
}

fn reduced(line: &Line) -> Result<([u32; 2], f32), SettingsProblem> {
    let part = line.value.parse().ok().filter(|part| *part > 0.0 && *part <= 1.0);
    Ok((numbers(&line.key).ok_or(SettingsProblem::Reduced)?, part.ok_or(SettingsProblem::Reduced)?))
}

fn filter(line: &Line) -> Result<(Key, Filter), SettingsProblem> {
    let (key, _) = Key::parse(&line.key).ok_or_else(|| SettingsProblem::Name(line.key.clone()))?;
    let filter = match line.value.to_ascii_lowercase().as_str() {
        "nearest" => Filter::Nearest,
        "linear" => Filter::Linear,
        "auto" => Filter::Auto,
        _ => return Err(SettingsProblem::Filter),
    };
    Ok((key, filter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Settings, Vec<String>) {
        let (mut settings, mut problems) = (Settings::default(), Vec::new());
        settings.read(&Ini::read(text.as_bytes()), false, &mut problems).expect("settings");
        let problem = |(line, problem): (u32, SettingsProblem)| format!("{line}: {problem}");
        (settings, problems.into_iter().map(problem).collect())
    }

    #[test]
    fn options_and_ranges_are_read() {
        let (settings, problems) = read(
            "[options]\nversion = 1\nhash = XXH32 # fast\nIGNOREADDRESS = 1\nreduceHash = true\n\
             skipLastDXT1Blocks128x64 = 2\n[hashranges]\n08b31020,512,512 = 480,272\n0x09000000,0x100,64 = 1,64\n\
             [reducehashranges]\n512,512=0.25\n[filtering]\n12 = nearest\n000000000000000000000000 = Auto\n",
        );
        assert_eq!(problems, [""; 0], "none");
        assert!(settings.ignore_address && settings.reduce_hash && !settings.ignore_mipmap, "options");
        assert_eq!((settings.hash, settings.skipped_blocks), (HashKind::Xxh32, [2, 0]), "the others");
        assert_eq!(settings.range(0x08B3_1020, [512, 512]), Some([480, 272]), "without 0x");
        assert_eq!(settings.range(0x0900_0000, [256, 64]), Some([1, 64]), "with 0x");
        assert_eq!(settings.range(0x0900_0000, [256, 32]), None, "another size");
        assert_eq!((settings.hashed_part([512, 512]), settings.hashed_part([8, 8])), (0.25, 0.5), "parts");
        assert_eq!(settings.filter(Key { texture: 0x12, data: 7 }), Some(Filter::Nearest), "by the palette");
        assert_eq!(settings.filter(Key { texture: 0x13, data: 7 }), Some(Filter::Auto), "all others");
    }

    #[test]
    fn problems_name_their_lines() {
        let (settings, problems) = read(
            "[options]\nhash = quick\nhash = xxh64\nreduceHash = true\nignoreAddress = 1\nvideo = maybe\nversion = 2\n\
             colour = red\n[hashranges]\n1,2 = 3\n1,2,2 = 3,1\n1,2,2 = 0,1\n[filtering]\nx = auto\n1 = best\n\
             [reducehashranges]\n1,1 = 0\n1,1 = nan\n[filter]\n",
        );
        assert_eq!(settings.hash, HashKind::Quick, "the first line of a key counts");
        let lines: Vec<&str> = problems.iter().filter_map(|text| text.split(':').next()).collect();
        let expected = ["6", "7", "8", "4", "5", "10", "11", "12", "14", "15", "17", "18", "19"];
        assert_eq!(lines, expected, "{problems:#?}");
        for (text, expected) in [
            ("", SettingsError::NoHash),
            ("[options]\nhash = md5", SettingsError::UnknownHash { line: 2, name: "md5".to_owned() }),
        ] {
            let ini = Ini::read(text.as_bytes());
            assert_eq!(Settings::default().read(&ini, false, &mut Vec::new()), Err(expected), "{text}");
        }
    }
}
