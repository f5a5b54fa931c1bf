//! `pspge trim`: writes a range of draws as a frame dump that replays alone.

use pspge::debug::trim::{self, TrimCounts, TrimError, TrimNote, TrimOptions, Trimmed};
use pspge::debug::{self, EventNumber, Shot};
use pspge::documents::TrimDocument;
use pspge::ge::draw_set::DrawSet;

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::frame::{self, FrameArgs};
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::frame_dump::{self, WrittenDump};
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::input::path_text;
use crate::job::{Session, Task};
use crate::run;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

/// Write a range of draws as a frame dump that replays alone to the same pixels
///
/// The dump starts with registers, palette and VRAM as they are before the first draw. Everything from the first
/// draw to the last is kept: draws, block transfers, and copies by the CPU. Calls and jumps are resolved. VRAM keeps
/// only the bytes read by the draws, and the pixels that they may touch; all others are 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
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
    frame_dump::check_output(&args.output, args.json)?;
    batch::run_into(args, &BatchArgs::only(&args.input), &Destination::Files(&args.output), console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "trimmed";

    fn suffix(&self) -> String {
        ".ppdmp".to_owned()
    }

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: None, json: self.json }
    }

    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let mut run = frame::debug(&shot, &mut session.notes);
        let draws = self.draws(task, &run)?;
        let event = |draw: u64| {
            let event = run.timeline().event_of_draw(draw).map(|event| event.number);
            event.unwrap_or(EventNumber(u32::MAX))
        };
        let events = event(draws.0)..=event(draws.1);
        let options = TrimOptions { whole_vram: self.whole_vram };
        let trimmed = trim::trim(&mut run, events, options).map_err(|error| failure(task, &error))?;
        let Trimmed { capture, counts, notes } = trimmed;
        for note in notes {
            session.notes.list.add(code(note), note.to_string());
        }
        let recorded = frame_dump::record(&task.input, shot.with_capture(capture), &mut session.notes)?;
        let report = |WrittenDump { output, bytes, notes }| TrimDocument {
            output,
            output_bytes: bytes,
            input_bytes: file_bytes(&task.input),
            notes,
            ..TrimDocument::new(&task.input, draws, &counts)
        };
        let print = |document: &_, session: &mut _| print(document, &counts, session);
        frame_dump::write(task, &recorded.dump.to_bytes(), self.json, session, report, print)
    }
}

impl Args {
    /// Returns the first and the last draw to keep.
    fn draws(&self, task: &Task, run: &debug::Session) -> Result<(u64, u64), Failure> {
        let (draws, count) = (&self.draws, run.timeline().draws() as u64);
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

/// Returns how large an input's file is, or `None` if it is no file.
fn file_bytes(input: &str) -> Option<u64> {
    let metadata = std::fs::metadata(path_text::path(InputName::parse(input).path)).ok()?;
    metadata.is_file().then_some(metadata.len())
}

const fn code(note: TrimNote) -> &'static str {
    match note {
        TrimNote::TextureCache => "texture-cache",
        _ => "carried-state",
    }
}

/// Describes why a run cannot be trimmed.
pub(super) fn failure(task: &Task, error: &TrimError) -> Failure {
    match error {
        TrimError::NoSuchEvent(error) => Failure::inapplicable(&task.input, "--draws", error),
        _ => Failure::input(&task.input, "too-large", None, error),
    }
}
