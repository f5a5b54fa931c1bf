//! `pspge state`: shows the state at an event in a run.

use pspge::debug::{self, EventNumber, Shot};
use pspge::documents::hashes::ContentHashes;
use pspge::documents::{StateDocument, TimelineDocument};

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::event_name::EventName;
use crate::frame::{self, FrameArgs};
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

pub(super) mod text;

/// Print the state at one event of a run
///
/// An event is a draw, a block transfer, or a CPU action in a frame dump. This shows the state before the event,
/// which registers have changed since the previous event, and which command or action wrote each of them last.
/// Without --event and --draw it shows the state at the end of the run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// The event, by the number that --events shows
    #[arg(long, value_name = "N")]
    event: Option<u32>,

    /// The event of this draw, by the number that trace shows
    #[arg(long, value_name = "N", conflicts_with = "event")]
    draw: Option<u64>,

    /// The state after the event instead: before the next one, or at the end
    #[arg(long)]
    after: bool,

    /// Print a list of all events instead
    #[arg(long, conflicts_with_all = ["event", "draw", "after"])]
    events: bool,

    /// Print JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &args.batch, console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "run";

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: None, json: self.json }
    }

    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let mut run = frame::debug(&shot, &mut session.notes);
        if self.events {
            return self.print_events(task, &run, session);
        }
        let event = self.event(task, &run)?;
        let mut hashes = ContentHashes::new(&shot.limits);
        let mut document = StateDocument::new(&task.input, &mut run, event, &mut hashes)
            .map_err(|error| Failure::inapplicable(&task.input, "--event", error))?;
        if let Some(hit) = hashes.limit_hit() {
            session.notes.list.add("limit", format!("hashes of textures are left out: {hit}"));
        }
        if self.json {
            // This adds notes on the file to notes on the run.
            document.notes = session.notes.list.entries().to_vec();
            session.json(&document)?;
        } else {
            text::print(&mut session.out, &document, run.registers())?;
        }
        Ok(())
    }
}

impl Args {
    /// Returns the event named by the arguments. Without any, this is the end of the run.
    fn event(&self, task: &Task, run: &debug::Session) -> Result<EventNumber, Failure> {
        let named = match (self.event, self.draw) {
            (Some(event), _) => EventName::Event(event).find(&task.input, "--event", run)?,
            (None, Some(draw)) => EventName::Draw(draw).find(&task.input, "--draw", run)?,
            (None, None) => return Ok(run.end()),
        };
        Ok(if self.after { named.next() } else { named })
    }

    fn print_events(&self, task: &Task, run: &debug::Session, session: &mut Session) -> Result<(), Failure> {
        if self.json {
            let notes = session.notes.list.entries().to_vec();
            session.json(&TimelineDocument { notes, ..TimelineDocument::new(&task.input, run) })?;
        } else {
            for event in run.timeline().events() {
                session.out.line(format_args!("{event}"))?;
            }
        }
        Ok(())
    }
}
