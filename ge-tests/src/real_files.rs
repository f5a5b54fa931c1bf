//! Opens real files to compare their counts with those from an independent parser, damages copies of them, and writes
//! the reference page to show both, with the problems for which each format refuses a file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use pspge::documents::InfoDocument;
use pspge::formats::{self, FormatError, Problem, Refusal, Registry, Request, SHARED_REFUSALS};
use pspge::ge::limits::Limits;
use pspge::ge::registers::texture::{PixelFormat, TexelFormat};

use crate::damage::random_word;
use crate::generate::Random;
use crate::input;

/// Files made after a document here. They test the reader, but are no evidence for the format.
const FIXTURES: [&str; 2] = ["gim/check32x16.gim", "gmo/skinned-strip.gmo"];

/// Tells whether a file has a feature.
type HasFeature = fn(&InfoDocument) -> bool;

/// Features to look for in formats with few known real files: the format, the feature, and how to find it.
const FEATURES: &[(&str, &str, HasFeature)] = &[
    ("gim", "pixels 5650", |info| has_texels(info, TexelFormat::BGR5650)),
    ("gim", "pixels 5551", |info| has_texels(info, TexelFormat::ABGR5551)),
    ("gim", "pixels 4444", |info| has_texels(info, TexelFormat::ABGR4444)),
    ("gim", "pixels 8888", |info| has_texels(info, TexelFormat::ABGR8888)),
    ("gim", "pixels index4", |info| has_texels(info, TexelFormat::CLUT4)),
    ("gim", "pixels index8", |info| has_texels(info, TexelFormat::CLUT8)),
    ("gim", "pixels index16", |info| has_texels(info, TexelFormat::CLUT16)),
    ("gim", "pixels index32", |info| has_texels(info, TexelFormat::CLUT32)),
    ("gim", "pixels DXT1", |info| has_texels(info, TexelFormat::DXT1)),
    ("gim", "pixels DXT3", |info| has_texels(info, TexelFormat::DXT3)),
    ("gim", "pixels DXT5", |info| has_texels(info, TexelFormat::DXT5)),
    ("gim", "palette 5650", |info| has_colors(info, PixelFormat::BGR5650)),
    ("gim", "palette 5551", |info| has_colors(info, PixelFormat::ABGR5551)),
    ("gim", "palette 4444", |info| has_colors(info, PixelFormat::ABGR4444)),
    ("gim", "palette 8888", |info| has_colors(info, PixelFormat::ABGR8888)),
    ("gim", "linear order", |info| has(info, "linear", 1)),
    ("gim", "swizzled order", |info| has(info, "swizzled", 1)),
    ("gim", "levels", |info| has(info, "levels", 2)),
    ("gim", "frames", |info| has(info, "frames", 2)),
    ("gim", "planes", |info| has(info, "planes", 2)),
    ("gim", "several pictures", |info| has(info, "pictures", 2)),
    ("gim", "sequences", |info| has(info, "sequences", 1)),
    ("gim", "big-endian", |info| has(info, "big_endian", 1)),
    ("gmo", "lists", |info| has(info, "lists", 1)),
    ("gmo", "strips", |info| has(info, "strips", 1)),
    ("gmo", "fans", |info| has(info, "fans", 1)),
    ("gmo", "lines", |info| has(info, "lines", 1)),
    ("gmo", "splines", |info| has(info, "patches", 1)),
    ("gmo", "lists of indices", |info| has(info, "indexed", 1)),
    ("gmo", "skinned vertices", |info| has(info, "weights", 1)),
    ("gmo", "layers", |info| has(info, "layers", 1)),
    ("gmo", "motions", |info| has(info, "motions", 1)),
    ("gmo", "constant curves", |info| has(info, "curves_constant", 1)),
    ("gmo", "linear curves", |info| has(info, "curves_linear", 1)),
    ("gmo", "Hermite curves", |info| has(info, "curves_hermite", 1)),
    ("gmo", "cubic curves", |info| has(info, "curves_cubic", 1)),
    ("gmo", "spherical curves", |info| has(info, "curves_spherical", 1)),
    ("gmo", "half-float curves", |info| has(info, "curves_half", 1)),
    ("gmo", "morph frames", |info| has(info, "morph_frames", 2)),
    ("gmo", "several bones", |info| info.stored.as_ref().is_some_and(|stored| stored.bones > 1)),
    ("gmo", "several models", |info| has(info, "models", 2)),
    ("gmo", "textures", |info| info.textures.is_some_and(|textures| textures > 0)),
];

fn has(info: &InfoDocument, counter: &str, least: u64) -> bool {
    info.counters.get(counter).is_some_and(|count| *count >= least)
}

fn has_texels(info: &InfoDocument, format: TexelFormat) -> bool {
    info.texture_list.iter().any(|texture| texture.format == format)
}

fn has_colors(info: &InfoDocument, format: PixelFormat) -> bool {
    info.texture_list.iter().any(|texture| texture.palette_format == Some(format))
}

/// How many copies to damage for each file.
pub const COPIES: usize = 200;

/// Maps columns of published counts to the names used here. A column without an entry has the same name or is not
/// counted here.
const NAMES: &[(&str, &[&str])] = &[
    ("faces", &["triangles"]),
    ("prims", &["primitives", "draws"]),
    ("sections", &["sections", "meshes"]),
    ("second_list", &["second_pass_sections"]),
    ("size", &["size", "file_bytes"]),
    ("tris", &["triangles"]),
    ("tristrips", &["groups"]),
    ("verts", &["vertices"]),
];

/// A real file after opening it.
#[derive(Debug)]
pub struct RealFile {
    /// Folder and name.
    pub name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What this file holds, or why it is refused.
    pub opened: Result<InfoDocument, FormatError>,
    /// Counts from an independent parser, by column.
    pub published: BTreeMap<String, u64>,
    /// How often damaged copies are refused, by the problem's name.
    pub refused_copies: BTreeMap<String, usize>,
}

/// Reads the files in the folders of `models`, without companions.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn read(models: &Path) -> Vec<RealFile> {
    input::files_below(models)
        .iter()
        .filter(|path| !is_text(path))
        .map(|path| RealFile::read(models, path))
        .collect()
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["md", "tsv"].iter().any(|text| extension == *text))
}

impl RealFile {
    fn read(models: &Path, path: &Path) -> Self {
        let name = path.strip_prefix(models).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let bytes = input::read(path);
        let opened = formats::open(&Request::new(&name, &bytes));
        let opened = opened.map(|opened| InfoDocument::of_opened(&name, &bytes, &opened, &Limits::default()));
        Self { published: published(path), name, bytes, opened, refused_copies: BTreeMap::new() }
    }

    /// Tells whether a format in the registry recognises this file.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(&self.opened, Err(error) if matches!(error.kind, Problem::Unknown | Problem::Foreign(_)))
    }

    /// Lists published counts to compare with this project's own: column, published value, value here.
    #[must_use]
    pub fn compared(&self) -> Vec<(&str, u64, u64)> {
        let Ok(info) = &self.opened else { return Vec::new() };
        let here = counts(info);
        let find = |column: &String| {
            // The map's own table is counted here, and may have more textures than its models' tables.
            if info.format == "pmp" && column == "textures" {
                return None;
            }
            let same = [column.as_str()];
            let names =
                NAMES.iter().find(|(known, _)| known == column).map_or(same.as_slice(), |(_, names)| names);
            names.iter().find_map(|name| here.get(*name).copied())
        };
        self.published
            .iter()
            .filter_map(|(column, value)| Some((column.as_str(), *value, find(column)?)))
            .collect()
    }

    /// Damages a copy by replacing a word, which depends on the copy's number. In half of the copies this word is
    /// near the start, because headers are there.
    #[must_use]
    pub fn damaged(&self, number: usize) -> Vec<u8> {
        let mut random = Random::new(number as u64);
        let words = self.bytes.len() / 4;
        let near = if number.is_multiple_of(2) { words.min(256) } else { words };
        let at = random.below(u32::try_from(near.max(1)).unwrap_or(u32::MAX)) as usize * 4;
        let mut bytes = self.bytes.clone();
        if let Some(word) = bytes.get_mut(at..at + 4) {
            let old = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let new = match number % 5 {
                0 => 0,
                1 => u32::MAX,
                2 => random_word(number),
                3 => old ^ 1 << random.below(32),
                _ => old.wrapping_add(1),
            };
            word.copy_from_slice(&new.to_le_bytes());
        }
        bytes
    }
}

/// Reads a file's numbers from its row in `counts.tsv` in the same folder.
fn published(path: &Path) -> BTreeMap<String, u64> {
    let table = path.with_file_name("counts.tsv");
    let Ok(text) = std::fs::read_to_string(table) else { return BTreeMap::new() };
    let mut lines = text.lines().map(|line| line.split('\t'));
    let Some(columns) = lines.next() else { return BTreeMap::new() };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(row) = lines.find(|row| row.clone().next() == Some(&*name)) else { return BTreeMap::new() };
    columns.zip(row).filter_map(|(column, value)| Some((column.to_owned(), value.parse().ok()?))).collect()
}

/// Returns a description's counts by name.
fn counts(info: &InfoDocument) -> BTreeMap<&str, u64> {
    let mut counts: BTreeMap<&str, u64> =
        info.counters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let stored = info.stored.as_ref();
    for (name, value) in [
        ("meshes", info.meshes),
        ("groups", info.groups),
        ("draws", info.draws),
        ("materials", info.materials),
        ("textures", info.textures),
        ("animations", info.animations),
        ("file_bytes", Some(info.file_bytes)),
        ("vertices", stored.map(|stored| stored.vertices)),
        ("triangles", stored.map(|stored| stored.triangles)),
        ("bones", stored.map(|stored| stored.bones)),
    ] {
        if let Some(value) = value {
            counts.entry(name).or_insert(value);
        }
    }
    counts
}

/// Returns the name of a problem's variant.
#[must_use]
pub fn problem_name(problem: &Problem) -> String {
    let text = match problem {
        Problem::LooksLike { problem, .. } => return problem_name(problem),
        problem => format!("{problem:?}"),
    };
    let text = text.strip_prefix("Format(").unwrap_or(&text);
    text.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// Returns the page's path.
#[must_use]
pub fn page_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/engine/reference/formats/conformance.md")
}

/// Writes the page from all files' results.
#[must_use]
pub fn page(files: &[RealFile]) -> String {
    let mut text = String::from(
        "# Real files and refusals\n\n\
        This page is written by a test: `INSTA_UPDATE=always PSPGE_CORPUS=... cargo test --test suite real_files`. Without \
        `INSTA_UPDATE` the test checks that it is up to date.\n\n\
        A reader refuses a file only if nothing sensible can be drawn, because the games and their tools open files with \
        odd headers, too. Everything else becomes a note.\n\n## Files\n\n\
        Each file was written by a game or by a tool of other people. Its counts are compared with those of an independent \
        parser, and all that are named here are equal. Of each file, ",
    );
    let _ = writeln!(
        text,
        "{COPIES} copies with one damaged word were opened, too, half of them damaged in the first KiB.\n\n\
        | file | format | equal counts | notes | refused copies |\n| --- | --- | --- | ---: | --- |"
    );
    for file in files.iter().filter(|file| file.is_known()) {
        let (format, notes) = match &file.opened {
            Ok(info) => (info.format.clone(), info.notes.len().to_string()),
            Err(error) => (error.format.unwrap_or("unknown").to_owned(), format!("refused: {error}")),
        };
        let equal: Vec<&str> = file.compared().into_iter().map(|(column, ..)| column).collect();
        let refused = file.refused_copies.iter().map(|(problem, count)| format!("{count} {problem}"));
        let refused = refused.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {} | {format} | {} | {notes} | {refused} |", file.name, equal.join(", "));
    }
    text.push_str(
        "\n## Features\n\nOf these formats few real files are known. A feature that none of them has is read as its page says, \
        tested on files of this project only, and unproved.\n\n| format | feature | proved by |\n| --- | --- | --- |\n",
    );
    for (format, feature, is_in) in FEATURES {
        let proves = |file: &&RealFile| {
            let info = file.opened.as_ref().ok().filter(|info| info.format == *format);
            info.is_some_and(is_in) && !FIXTURES.contains(&file.name.as_str())
        };
        let files: Vec<&str> = files.iter().filter(proves).map(|file| file.name.as_str()).collect();
        let proved = match files.as_slice() {
            [] => "unproved".to_owned(),
            [one] => (*one).to_owned(),
            [one, rest @ ..] => format!("{one} and {} more", rest.len()),
        };
        let _ = writeln!(text, "| {format} | {feature} | {proved} |");
    }
    text.push_str("\n## Refusals of every format\n\n");
    refusals(&mut text, SHARED_REFUSALS);
    for format in Registry::standard().formats() {
        let descriptor = format.descriptor();
        if !descriptor.refusals.is_empty() {
            let _ = writeln!(text, "\n## Refusals of {}\n", format.name());
            refusals(&mut text, descriptor.refusals);
        }
    }
    text
}

/// Writes a table with problems.
fn refusals(text: &mut String, table: &[Refusal]) {
    text.push_str("| problem | why nothing sensible can be drawn | real file |\n| --- | --- | --- |\n");
    for Refusal { problem, reason, known_file } in table {
        let _ = writeln!(text, "| {problem} | {reason} | {known_file} |");
    }
}
