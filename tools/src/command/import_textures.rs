//! `pspge import-textures`: writes changed pictures back as textures.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{ImageFormat, ImageReader, RgbaImage};
use pspge::Asset;
use pspge::documents::TextureImportDocument;
use pspge::documents::texture_import::{ImportResult, ImportedPicture, NamedTextures};
use pspge::formats::File;
use pspge::import::textures::stored_textures;
use pspge::import::{ImportError, ImportOptions, ImportProblem, import_textures};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::input::frame_dump::check_output;
use crate::input::name::InputName;
use crate::input::options::FileOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Pictures larger than this are no textures. This is far more than the largest texture.
const SIDE_MAX: u32 = 4096;

/// Write changed pictures back as the textures of a file
///
/// The pictures are those written by `pspge textures`, found by their names. A texture keeps its size, format, texel
/// order and palette address. Unchanged pictures change no byte, and neither does anything else in the file.
/// Textures in members of containers, in packed parts and in files in a ZIP archive are written there.
///
/// If a palette lacks colours for a picture, they replace unused colours. If there are too many, the palette is
/// chosen anew, together with all pictures that share it. A texture's smaller levels are made from the picture,
/// unless pictures are given for them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with textures; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Pictures named after textures as `textures` does, or folders of them, where files with other names are left alone
    #[arg(value_name = "PNG", required = true)]
    pictures: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Mix stored colours by dots where a picture has others
    #[arg(long)]
    dither: bool,

    /// Print how each picture fared as JSON (see pspge schema texture-import)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    open: FileOptions,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    check_output(&args.output, args.json)?;
    batch::run_into(args, &BatchArgs::only(&args.input), &Destination::Files(&args.output), console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("written", "no textures") }
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (asset, bytes) = self.open.open_textures(&task.input, None, &mut session.notes)?;
        let Some(opened) = asset.opened().filter(|opened| stored_textures(&opened.content).is_some()) else {
            let problem = ImportProblem::NoTextures(asset.kind());
            return Err(Failure::input(&task.input, "nothing-to-do", None, problem));
        };
        let before = shown(self, task, &asset, session);
        if before.textures.is_empty() {
            return Ok(Outcome::Nothing);
        }
        let found = find(&self.pictures, &before, &task.input)?;
        let mut files = Vec::new();
        let mut pictures = Vec::new();
        for (name, path) in &found {
            pictures.extend(before.new_picture(name, decode(path)?));
            files.push(path.display().to_string());
        }
        let file = File { name: InputName::parse(&task.input).path, bytes: &bytes };
        let after = import_textures(opened, file, &pictures, ImportOptions { dither: self.dither }).map_err(
            |error| failure(task, &files, opened.companions.iter().map(|file| &*file.name), &error),
        )?;
        // Reading the result again shows how the pictures look in the file.
        let (again, _) = self.open.open_textures(&task.input, Some(after.clone()), &mut Notes::default())?;
        let shown = shown(self, task, &again, session);
        let given: BTreeMap<&str, (&str, &RgbaImage)> = found
            .keys()
            .zip(files.iter().zip(&pictures))
            .map(|(name, (file, picture))| (&**name, (&**file, &picture.picture)))
            .collect();
        let judged = before.judge(&shown, &given);
        finish(self, task, [&bytes, &after], judged, session)?;
        Ok(Outcome::Done)
    }
}

/// Lists an input's textures by their pictures' names.
fn shown(args: &Args, task: &Task, asset: &Asset, session: &mut Session) -> NamedTextures {
    let stem = InputName::parse(&task.input).stem();
    let shown = NamedTextures::of(asset.content(), &stem, &args.open.limits());
    if let Some(hit) = shown.limit_hit {
        session.notes.list.add_limit(hit);
    }
    shown
}

fn find(paths: &[PathBuf], shown: &NamedTextures, input: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut add = |path: PathBuf| {
        let name = stem(&path);
        if let Some(other) = found.get(&name) {
            let problem = format!("{} is for the same texture of {input}", other.display());
            return Err(Failure::input(&path.display().to_string(), "same-texture", None, problem));
        }
        found.insert(name, path);
        Ok(())
    };
    for path in paths {
        let label = path.display().to_string();
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| Failure::file(&label, &error))?;
            let all: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
            let mut own = all.map_err(|error| Failure::file(&label, &error))?;
            own.retain(|path| {
                let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
                is_png && shown.textures.contains_key(&stem(path))
            });
            own.sort();
            if own.is_empty() {
                let problem =
                    format!("no picture in it is named after a texture of {input}: {}", names(shown));
                return Err(Failure::input(&label, "no-texture", None, problem));
            }
            own.into_iter().try_for_each(&mut add)?;
        } else if shown.textures.contains_key(&stem(path)) {
            add(path.clone())?;
        } else {
            // If this file does not exist, the user most likely misspelt its name.
            crate::input::files::read(path)?;
            let problem = format!("no texture of {input} has this name: {}", names(shown));
            return Err(Failure::input(&label, "no-texture", None, problem));
        }
    }
    Ok(found)
}

/// Lists some picture names.
fn names(NamedTextures { textures, .. }: &NamedTextures) -> String {
    const LISTED: usize = 4;
    let mut names: Vec<String> = textures.keys().take(LISTED).map(|name| format!("{name}.png")).collect();
    if textures.len() > LISTED {
        names.push(format!("and {} more", textures.len() - LISTED));
    }
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) }
}

fn decode(path: &Path) -> Result<RgbaImage, Failure> {
    let label = path.display().to_string();
    let bytes = crate::input::files::read(path)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(SIDE_MAX), Some(SIDE_MAX));
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| Failure::input(&label, "not-a-picture", None, error))?;
    Ok(picture.into_rgba8())
}

/// Explains why pictures cannot be written.
fn failure<'a>(
    task: &Task,
    files: &[String],
    companions: impl Iterator<Item = &'a str>,
    error: &ImportError,
) -> Failure {
    let file = error.picture.and_then(|picture| files.get(picture)).unwrap_or(&task.input);
    match &error.problem {
        ImportProblem::Format(error) => Failure::format(&task.input, error),
        ImportProblem::Companion => {
            // In an archive, a companion is a member.
            let path = InputName::parse(&task.input).path;
            let in_archive =
                |name: &str| Some(format!("{path}#{}", name.strip_prefix(path)?.strip_prefix('/')?));
            let named = companions.map(|name| in_archive(name).unwrap_or_else(|| name.to_owned()));
            let companions: Vec<String> = named.collect();
            let problem = format!("{error}: give {} as INPUT", companions.join(" or "));
            Failure::input(file, error.problem.code(), None, problem)
        }
        problem => Failure::input(file, problem.code(), None, error),
    }
}

/// Writes the file, and prints how the pictures fared.
fn finish(
    args: &Args,
    task: &Task,
    [before, after]: [&[u8]; 2],
    pictures: Vec<ImportedPicture>,
    session: &mut Session,
) -> Result<(), Failure> {
    let Some(path) = &task.output else { return Ok(()) };
    session.write(path, after)?;
    let output = path.display().to_string();
    let notes = session.notes.list.entries().to_vec();
    let document = TextureImportDocument::new(&task.input, &output, [before, after], pictures, notes);
    if args.json {
        return session.json(&document);
    }
    // The file itself may be on standard output.
    if args.output.is_stdout() {
        return Ok(());
    }
    let changed =
        document.pictures.iter().filter(|picture| picture.result != ImportResult::Unchanged).count();
    let (bytes, count) = (document.changed_bytes, document.pictures.len());
    session
        .out
        .line(format_args!("{output}: {changed} of {count} pictures changed, {bytes} bytes differ"))?;
    for ImportedPicture { name, result, differing_pixels, largest_difference, .. } in &document.pictures {
        let off = format!("{differing_pixels} pixels differ, by {largest_difference} at most");
        match result {
            ImportResult::Unchanged => session.out.line(format_args!("  {name}: unchanged"))?,
            ImportResult::Exact => session.out.line(format_args!("  {name}: exact"))?,
            ImportResult::Nearest => session.out.line(format_args!("  {name}: nearest colours, {off}"))?,
            ImportResult::Followed => {
                session.out.line(format_args!("  {name}: follows another picture, {off}"))?;
            }
        }
    }
    Ok(())
}
