//! `pspge textures`: writes textures as PNG, with an index to tell which draws use them.

use std::path::{Path, PathBuf};

use pspge::Asset;
use pspge::documents::texture_index::IndexedTexture;
use pspge::documents::{NoteDocument, TextureIndexDocument};
use pspge::formats::Content;
use pspge::ge::draw_set::DrawSet;
use pspge::texture_pack::hash::HashKind;

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, HEADING, OutputArgs};
use crate::command::render::Compression;
use crate::input::name::InputName;
use crate::input::options::FileOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::run::ArithmeticArg;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

mod drawn;
mod packed;
mod pictures;
mod stored;

use pictures::Pictures;
use stored::Stored;

/// Write textures as PNG, with an index of the draws that use them
///
/// From a model, a container or a texture file, this writes all textures. A picture is named after INPUT and the
/// texture's index; a texture with several palettes gives a picture for each.
///
/// From a frame dump or list, which is run, this writes each different texture used by its draws, with its palette,
/// as it is at the draw. This includes textures drawn by the run itself, whose alpha is the stencil. A picture's
/// name is made of hashes over texels and palette, to give the same texture the same name in every file.
///
/// `pspge import-textures` puts changed pictures back into a file that stores them.
///
/// With `--pack`, the pictures are named for PPSSPP's texture replacement, by address, palette and data, next to a
/// `textures.ini`: a texture pack, which `render --texture-pack` and PPSSPP read. Textures drawn by the run itself
/// are left out, as PPSSPP does.
///
/// The index, NAME_textures.json, tells hashes, addresses, format and draws for every picture (see pspge schema
/// texture-index).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    /// Folder for the pictures and the index, created if it is missing; several inputs get a folder each in it
    #[arg(short, long, value_name = "DIR", required_unless_present = "json")]
    output: Option<PathBuf>,

    /// Leave out inputs whose index exists
    #[arg(long, help_heading = HEADING, hide_short_help = true, requires = "output")]
    skip_existing: bool,

    /// Keep the folders in the inputs' names in the output folder
    #[arg(long, help_heading = HEADING, hide_short_help = true, requires = "output")]
    parents: bool,

    /// Print the index as JSON, too; without --output, no file is written
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    open: FileOptions,

    /// Write only textures that these draws use, by the numbers that trace shows: N, A-B, A-, -B, or a list of these
    #[arg(long, value_name = "DRAWS", allow_hyphen_values = true)]
    draws: Option<DrawSet>,

    /// Also write the smaller levels of textures, with the number of the level after the name: NAME_1.png
    #[arg(long)]
    levels: bool,

    /// Write a texture pack for PPSSPP, with this hash of texels: quick, xxh32 or xxh64 [default: quick]
    #[arg(long, value_name = "HASH", num_args = 0..=1, require_equals = true, default_missing_value = "quick")]
    #[arg(value_parser = hash_kind, conflicts_with = "levels")]
    pack: Option<HashKind>,

    /// Take the options and ranges of the pack from this textures.ini
    #[arg(long, value_name = "INI", requires = "pack", hide_short_help = true)]
    pack_options: Option<PathBuf>,

    /// Compression of the pictures [default: fast]
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true, requires = "output")]
    compression: Option<Compression>,

    /// Arithmetic in which a frame dump or list draws into its own textures [default: hardware]
    #[arg(long, value_enum)]
    arithmetic: Option<ArithmeticArg>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let Some(output) = &args.output else { return batch::run(args, &args.batch, console) };
    let output =
        OutputArgs { output: output.clone(), skip_existing: args.skip_existing, parents: args.parents };
    batch::run_into(args, &args.batch, &Destination::Folders(&output), console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        let done = if self.output.is_some() { "written" } else { "indexed" };
        JobInfo { prints_json: self.json, ..JobInfo::new(done, "no textures") }
    }

    fn last_file(&self, task: &Task) -> Option<PathBuf> {
        task.output.as_deref().map(|folder| index_of(folder, task))
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (asset, _) = self.open.open_textures(&task.input, None, &mut session.notes)?;
        self.check(task, &asset, session)?;
        let mut pictures = Pictures::new(self, task);
        let textures = match asset.content() {
            _ if self.pack.is_some() && asset.is_drawable() => {
                let (hash, options) = (self.pack.unwrap_or_default(), self.pack_options.as_deref());
                let settings = packed::settings(hash, options, &mut session.notes)?;
                packed::write(self, task, &asset, &settings, &mut pictures, session)?
            }
            Some(Content::Model(model)) => stored::of_model(self, task, model, &mut pictures, session)?,
            Some(Content::Textures(set)) => {
                let stored = Stored { memory: &set.memory, textures: &set.textures, draws: None };
                stored::write(self, task, stored, &mut pictures, session)?
            }
            _ if asset.is_drawable() => drawn::write(self, task, &asset, &mut pictures, session)?,
            _ => Vec::new(),
        };
        if textures.is_empty() {
            if self.json {
                // Without textures there is no index to hold the notes, so this prints them as documents of their
                // own.
                for note in session.notes.list.entries() {
                    session.out.json(&NoteDocument::new(&task.input, note.clone()), false)?;
                }
            }
            return Ok(Outcome::Nothing);
        }
        finish(self, task, textures, session)?;
        Ok(Outcome::Done)
    }
}

impl Args {
    /// Reports options that cannot apply to an input.
    fn check(&self, task: &Task, asset: &Asset, session: &mut Session) -> Result<(), Failure> {
        let Some(content) = asset.content() else { return Ok(()) };
        let kind = asset.kind();
        let is_model = matches!(content, Content::Model(_)) && self.pack.is_none();
        let is_stored = is_model || matches!(content, Content::Textures(_));
        let options = [
            ("--draws", self.draws.is_some() && matches!(content, Content::Textures(_)), "has no draws"),
            ("--pack", self.pack.is_some() && matches!(content, Content::Textures(_)), "has no draws"),
            ("--levels", self.levels && is_stored, "has one level of each texture"),
            ("--arithmetic", self.arithmetic.is_some() && is_stored, "draws into none of its textures"),
        ];
        for (option, is_given, reason) in options {
            if is_given {
                session.notes.ignore_option(&task.input, option, &format!("{kind} {reason}"))?;
            }
        }
        Ok(())
    }
}

fn hash_kind(text: &str) -> Result<HashKind, String> {
    let names = || HashKind::ALL.map(HashKind::name).join(", ");
    HashKind::from_name(text).ok_or_else(|| format!("expected one of {}", names()))
}

fn index_of(folder: &Path, task: &Task) -> PathBuf {
    folder.join(format!("{}_textures.json", InputName::parse(&task.input).stem()))
}

/// Writes the index after all pictures, so that an existing index means a finished input. Then prints the index, or
/// the file names.
fn finish(
    args: &Args,
    task: &Task,
    textures: Vec<IndexedTexture>,
    session: &mut Session,
) -> Result<(), Failure> {
    let index = TextureIndexDocument::new(&task.input, textures, session.notes.list.entries().to_vec());
    if let Some(folder) = &task.output {
        let path = index_of(folder, task);
        let mut text = serde_json::to_vec_pretty(&index)
            .map_err(|error| Failure::file_problem(path.display(), "input-output", error))?;
        text.push(b'\n');
        session.write(&path, &text)?;
    }
    if args.json {
        return session.json(&index);
    }
    for path in &session.written {
        session.out.line(format_args!("{}", path.display()))?;
    }
    Ok(())
}
