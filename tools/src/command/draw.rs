//! `pspge draw`: tells everything about a draw.

use pspge::debug::Shot;
use pspge::documents::DrawReportDocument;
use pspge::documents::hashes::ContentHashes;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::event_name::EventName;
use crate::frame::{self, FrameArgs};
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::what_if::WhatIfArgs;

mod text;
mod time;

/// Explain one draw: its vertices at each stage, and the fates of its pixels
///
/// Vertices are shown as stored in memory, after skinning and morphing, in world, view and clip space, and on the
/// screen, with their colours after lighting. Each primitive is shown with its fate: culled, dropped, clipped, or
/// how many of its fragments each test killed. Primitives have the same numbers as in `pspge pixel`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// The draw, by the number that trace shows, or `event:E` by the number that state --events shows
    #[arg(value_name = "N|event:E")]
    draw: EventName,

    #[command(flatten)]
    open: OpenOptions,

    /// Print all vertices, not only the first few
    #[arg(long, conflicts_with = "json")]
    vertices: bool,

    /// Print all primitives, not only the first few
    #[arg(long, conflicts_with = "json")]
    primitives: bool,

    /// Measure the draw's time, too; it differs from run to run
    ///
    /// The fast engine draws it several times, with one thread and without kept texels, and the median is printed.
    #[arg(long)]
    time: bool,

    /// Print JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,

    #[command(flatten)]
    what_if: WhatIfArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &BatchArgs::only(&args.input), console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "explained";

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: Some(&self.what_if), json: self.json }
    }

    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let mut run = frame::debug(&shot, &mut session.notes);
        let option = match self.draw {
            EventName::Draw(_) => "N".to_owned(),
            name @ EventName::Event(_) => name.to_string(),
        };
        let event = self.draw.find(&task.input, &option, &run)?;
        let mut hashes = ContentHashes::new(&shot.limits);
        let mut document = DrawReportDocument::new(&task.input, &mut run, event, &mut hashes)
            .map_err(|error| Failure::inapplicable(&task.input, &option, error))?;
        if !document.is_complete {
            session.notes.list.add("limit", "the report is cut short by a limit (see --limits)".to_owned());
        }
        if self.time {
            document.time = time::measure(&mut run);
        }
        if self.json {
            // This adds notes on the file to notes on the run.
            document.notes = session.notes.list.entries().to_vec();
            session.json(&document)?;
        } else {
            text::print(&mut session.out, &document, self.vertices, self.primitives)?;
        }
        Ok(())
    }
}
