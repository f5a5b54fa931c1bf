//! `pspge trim`: writes a range of draws as a frame dump that replays alone.

use std::path::Path;

use pspge::debug::trim::{self, TrimCounts, TrimError, TrimNote, TrimOptions, Trimmed};
use pspge::debug::{self, EventNumber};
use pspge::documents::TrimDocument;
use pspge::export::recorder;
use pspge::ge::draw_set::DrawSet;

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::command::pack::GAME_ID;
use crate::console::Console;
use crate::failure::Failure;
use crate::frame::FrameArgs;
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::job::{Job, Outcome, Session, Task};
use crate::run;

/// Write a range of draws as a PPSSPP frame dump that replays alone to the same pixels
///
/// Registers, palette and VRAM before the first draw are the start of the dump. Everything from the first draw to the
/// last is kept: draws, block transfers, and copies by the CPU. Calls and jumps are resolved. Of VRAM, only the bytes are
/// kept that the draws read, and those of the pixels that they may touch; the others are 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    input: String,

    /// The draws to keep, by the numbers that trace shows: N, A-B, A- or -B
    #[arg(long, value_name = "DRAWS", allow_hyphen_values = true)]
    draws: DrawSet,

    #[command(flatten)]
    output: OutputArgs,

    /// Keep all of VRAM, so that players show the picture around the draws, too
    #[arg(long)]
    whole_vram: bool,

    #[command(flatten)]
    open: OpenOptions,

    /// Print the sizes before and after as JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    if args.draws.ranges().len() != 1 {
        return Err(Failure::usage(format_args!("--draws {}: expected one range of draws", args.draws)));
    }
    if args.json && args.output.is_stdout() {
        return Err(Failure::usage("--json and --output -: both would go to standard output"));
    }
    let inputs = BatchArgs { inputs: vec![args.input.clone()], ..BatchArgs::default() };
    batch::run_into(&Trim { args }, &inputs, &Destination::Files(&args.output), console)
}

/// Trims an input.
struct Trim<'a> {
    args: &'a Args,
}

impl Job for Trim<'_> {
    fn done(&self) -> &'static str {
        "trimmed"
    }

    fn nothing(&self) -> &'static str {
        "no display list"
    }

    fn suffix(&self) -> String {
        ".ppdmp".to_owned()
    }

    fn prints_json(&self) -> bool {
        self.args.json
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        let Some(capture) = args.frame.open(&args.open, task, session)? else {
            return Ok(Outcome::Nothing);
        };
        let arithmetic = args.frame.arithmetic();
        let limits = args.open.limits();
        let mut run = args.frame.debug(capture, limits, session);
        let draws = self.draws(task, &run)?;
        let event = |draw: u64| {
            let event = run.timeline().event_of_draw(draw).map(|event| event.number);
            event.unwrap_or(EventNumber(u32::MAX))
        };
        let events = event(draws.0)..=event(draws.1);
        let options = TrimOptions { whole_vram: args.whole_vram };
        let trimmed = trim::trim(&mut run, events, options).map_err(|error| failure(task, &error))?;
        let Trimmed { capture, counts, notes } = trimmed;
        for note in notes {
            session.notes.add(code(note), note.to_string());
        }
        let Some(recorded) = recorder::record(capture, GAME_ID, arithmetic, &limits) else {
            let problem = "the draws use more data than a frame dump can hold";
            return Err(Failure::input(&task.input, "too-large", None, problem));
        };
        if let Some(hit) = recorded.limit_hit {
            session.notes.add_limit(hit);
        }
        let Some(output) = &task.output else { return Ok(Outcome::Nothing) };
        let bytes = recorded.dump.to_bytes();
        session.write(output, &bytes)?;
        let document = TrimDocument {
            output: output.display().to_string(),
            output_bytes: bytes.len() as u64,
            input_bytes: file_bytes(&task.input),
            notes: session.notes.entries().to_vec(),
            ..TrimDocument::new(&task.input, draws, &counts)
        };
        if args.json {
            session.json(&document)?;
        } else if output != Path::new("-") {
            print(&document, &counts, session)?;
        }
        Ok(Outcome::Done)
    }
}

impl Trim<'_> {
    /// Returns the first and the last draw to keep.
    fn draws(&self, task: &Task, run: &debug::Session) -> Result<(u64, u64), Failure> {
        let (draws, count) = (&self.args.draws, run.timeline().draws() as u64);
        run::check_draws(&task.input, "--draws", Some(draws), count)?;
        let last = count.saturating_sub(1);
        Ok((draws.min(), draws.max().map_or(last, |max| max.min(last))))
    }
}

fn print(document: &TrimDocument, counts: &TrimCounts, session: &mut Session) -> Result<(), Failure> {
    let TrimDocument { output, first_draw, last_draw, output_bytes, input_bytes, .. } = document;
    let TrimCounts { draws, transfers, actions, commands, run_draws, run_commands, vram_bytes, .. } = counts;
    session.out.line(format_args!("{output}: draws {first_draw} to {last_draw}"))?;
    session.out.line(format_args!("  draws: {draws} of {run_draws}"))?;
    session.out.line(format_args!("  block transfers: {transfers}, actions of the CPU: {actions}"))?;
    session.out.line(format_args!("  commands: {commands} of {run_commands}"))?;
    session.out.line(format_args!("  bytes of VRAM at the start: {vram_bytes}"))?;
    match input_bytes {
        Some(before) => {
            session.out.line(format_args!("  bytes of the file: {output_bytes}, before {before}"))
        }
        None => session.out.line(format_args!("  bytes of the file: {output_bytes}")),
    }
}

/// Returns the bytes of the file of an input; `None` if it is no file.
fn file_bytes(input: &str) -> Option<u64> {
    let metadata = std::fs::metadata(InputName::parse(input).path).ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// Returns the code of a note.
const fn code(note: TrimNote) -> &'static str {
    match note {
        TrimNote::TextureCache => "texture-cache",
        _ => "carried-state",
    }
}

/// Returns the failure of a run that cannot be trimmed.
pub(super) fn failure(task: &Task, error: &TrimError) -> Failure {
    match error {
        TrimError::NoSuchEvent(error) => Failure::inapplicable(&task.input, "--draws", error),
        _ => Failure::input(&task.input, "too-large", None, error),
    }
}
