//! `pspge check-pack`: tells which entries in a texture pack frames use, and which mistakes the pack has.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pspge::documents::PackCheckDocument;
use pspge::documents::pack_check::{PackChecker, PackFinding, PackMatch, PackRule, UnmatchedEntry};
use pspge::texture_pack::uses;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::frame::FrameArgs;
use crate::input::options::OpenOptions;
use crate::input::texture_pack;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::output::Output;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

/// Tell which entries of a texture pack frames use, and what is wrong with the pack
///
/// A pack is a folder with `textures.ini`, or its ZIP archive, as PPSSPP reads it. This lists for each frame the
/// textures with an entry, and the draws that use them; then the entries that no frame uses.
///
/// Findings are lines in `textures.ini` that do not count, files that are missing or that no entry names, pictures
/// that are damaged, of a wrong size or in a format other than PNG and DDS, pictures without an alpha channel for
/// textures with transparent texels, second entries for a texture, and files for several different textures. With
/// findings, the exit status is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The texture pack: a folder, or a ZIP archive
    #[arg(value_name = "PACK")]
    pack: PathBuf,

    #[command(flatten)]
    batch: BatchArgs,

    /// Print JSON (see pspge schema pack-check)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    open: OpenOptions,

    #[command(flatten)]
    frame: FrameArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let check = Check { args, checker: Mutex::default() };
    let limits = args.open.limits();
    let pack = texture_pack::open(&args.pack, None, &limits)?;
    check.checker.lock().unwrap_or_else(PoisonError::into_inner).add_pack(&pack, &limits);
    let result = batch::run(&check, &args.batch, console);
    let checker = check.checker.into_inner().unwrap_or_else(PoisonError::into_inner);
    let document = checker.into_document(&args.pack.display().to_string());
    let mut out = Output::new();
    if args.json {
        out.json(&document, true)?;
    } else {
        print(&mut out, &document)?;
    }
    out.finish()?;
    result?;
    if document.findings.is_empty() { Ok(()) } else { Err(Failure::Reported) }
}

/// Looks for a pack's entries in frames.
struct Check<'a> {
    args: &'a Args,
    checker: Mutex<PackChecker>,
}

impl Job for Check<'_> {
    fn info(&self) -> JobInfo {
        JobInfo {
            names_input: true,
            prints_json: self.args.json,
            ..JobInfo::new("checked", "no display list")
        }
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        let (asset, _) = args.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        let limits = args.open.limits();
        let game = texture_pack::game(&asset);
        let pack = texture_pack::open(&args.pack, game.as_deref(), &limits)?;
        let spec = args.frame.spec(limits).threads(session.threads);
        let mut shot = args.frame.shot(&asset, &task.input, &spec, &mut session.notes)?;
        let found = uses::find(&mut shot.capture, &pack.settings, shot.raster, &shot.limits);
        session.notes.list.add_report(&found.report);
        let notes = session.notes.list.entries().to_vec();
        let mut checker = self.checker.lock().unwrap_or_else(PoisonError::into_inner);
        checker.add_pack(&pack, &limits);
        checker.add_frame(task.number, &task.input, &pack, &found, notes);
        Ok(Outcome::Done)
    }
}

/// Prints a document for people.
fn print(out: &mut Output, document: &PackCheckDocument) -> Result<(), Failure> {
    for frame in &document.frames {
        let (count, all) = (frame.matches.len(), frame.textures);
        out.line(format_args!("{}: {count} entries for {all} textures", frame.input))?;
        for PackMatch { texture, entry, files, width, height, format, draws } in &frame.matches {
            let file = files.first().map_or("as it is", String::as_str);
            let by = if texture == entry { String::new() } else { format!(" by {entry}") };
            let draws = match draws.as_slice() {
                [draw] => format!("draw {draw}"),
                draws => format!("{} draws from {}", draws.len(), draws.first().copied().unwrap_or(0)),
            };
            out.line(format_args!("  {texture}{by}: {file}, {width}x{height} {format}, {draws}"))?;
        }
    }
    if !document.unmatched.is_empty() {
        out.line(format_args!("entries without a texture: {}", document.unmatched.len()))?;
    }
    for UnmatchedEntry { entry, files, .. } in &document.unmatched {
        out.line(format_args!("  {entry}: {}", files.first().map_or("", String::as_str)))?;
    }
    for PackFinding { rule, file, line, message } in &document.findings {
        let text = match line {
            // Other findings are about a file named by this line.
            Some(line) if *rule == PackRule::IniLine => format!("{file}:{line}: {message}"),
            Some(line) => format!("{file}: {message} (line {line} of the ini)"),
            None => format!("{file}: {message}"),
        };
        out.line(format_args!("{}: {text}", rule.name()))?;
    }
    if document.findings.is_empty() {
        out.line(format_args!("{}: no findings", document.input))?;
    }
    Ok(())
}
