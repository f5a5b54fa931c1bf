//! `pspge asm`: assembles text into a display list's bytes.

use std::path::{Path, PathBuf};

use pspge::asm::{self, AssemblyRequest, parse_integer};
use pspge::documents::AssemblyDocument;

use crate::batch;
use crate::input::files;
use crate::input::includes::DiskIncludes;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

/// Assemble a display list from text
///
/// The result covers all bytes from the lowest address in the text to the highest; gaps are filled with zeros.
/// `pspge disasm` is the inverse. All mistakes in the text are reported, each with its source line.
///
/// A text may include others (`.include "FILE"`), bytes (`.incbin`), PNG pictures as textures (`.texture`) and
/// built-in texts such as `.include <psp/init>`. The whole syntax is below, and `pspge reference` lists the commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Assembly text; `-` for standard input
    #[arg(value_name = "IN.ge", value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Output file; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Define a constant; without a value it is 1
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = definition)]
    define: Vec<(String, i64)>,

    /// Search this folder for included files that are not next to the text; may be repeated
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    include: Vec<PathBuf>,

    /// Write a listing of source lines with their addresses and bytes; `-` for standard output
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// Print entry, labels, constants and included files, or the errors, as JSON
    #[arg(long)]
    json: bool,
}

/// Parses `NAME` or `NAME=VALUE`.
fn definition(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let is_letter = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut parts = name.split('.');
    let is_word =
        |part: &str| part.chars().all(is_letter) && !part.starts_with(|char: char| char.is_ascii_digit());
    if !parts.all(|part| !part.is_empty() && is_word(part)) {
        return Err("expected NAME=VALUE, with a name of letters, digits and _".to_owned());
    }
    let value = parse_integer(value).map_err(|error| format!("the value: {}", error.kind))?;
    Ok((name.to_owned(), value))
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let is_stdout = |path: &Path| path == Path::new("-");
    let lists = args.list.as_deref().is_some_and(is_stdout);
    let count = usize::from(is_stdout(&args.output)) + usize::from(lists) + usize::from(args.json);
    if count > 1 {
        return Err(Failure::usage("only one of --output -, --list - and --json can use standard output"));
    }
    for folder in &args.include {
        std::fs::read_dir(folder).map_err(|error| Failure::file(folder.display(), &error))?;
    }
    batch::run_one(args, &args.input, console)?;
    if !is_stdout(&args.output) {
        let name = args.output.display();
        console.print_hint(format_args!("{name} has no header; other commands open it with --format list"));
    }
    Ok(())
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("assembled", "no assembly text") }
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let bytes = files::read(Path::new(&task.input))?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            Failure::asset(&task.input, &pspge::Error::NotText { offset: error.valid_up_to() })
        })?;
        let constants: Vec<(&str, i64)> =
            self.define.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let request = AssemblyRequest {
            files: &DiskIncludes { folders: self.include.clone() },
            constants: &constants,
            listing: self.list.is_some(),
            ..AssemblyRequest::new(&task.input, text)
        };
        let assembly =
            asm::assemble_with(&request).map_err(|errors| Failure::assembly(&task.input, &errors))?;
        let program = &assembly.program;
        let image = program.image().map_err(|error| Failure::input(&task.input, "too-large", None, error))?;
        session.write(&self.output, &image)?;
        if let (Some(path), Some(listing)) = (&self.list, &assembly.listing) {
            session.write(path, listing.to_string().as_bytes())?;
        }
        if self.json {
            session.json(&AssemblyDocument::new(&task.input, &assembly))?;
        }
        Ok(Outcome::Done)
    }
}
