//! `pspge passes`: shows a frame's render passes, and how they depend on each other.

use pspge::debug::Shot;
use pspge::documents::PassesDocument;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::frame::FrameArgs;
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

mod text;

/// List the render passes of a frame: targets, inputs, readers of each result
///
/// A pass is a run of draws to the same colour buffer (address, row length, format). It also ends before a draw that
/// uses another depth buffer, and after a block transfer or a copy by the CPU has read its result. For each pass,
/// the text shows its draws, buffers and clears, the textures, palettes and old values that come from other passes,
/// and the readers of its result. To find these, writers are followed byte by byte, through all views of VRAM, block
/// transfers and copies.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// List the frame's textures, palettes and buffers with their draws instead
    #[arg(long)]
    resources: bool,

    /// Print the graph of passes in the language DOT, which Graphviz draws
    #[arg(long, conflicts_with = "resources")]
    dot: bool,

    /// Print JSON: passes, resources, and the writers of all that each draw reads (see pspge schema)
    #[arg(long, conflicts_with_all = ["dot", "resources"])]
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
        let found = shot.dependencies(None);
        session.notes.list.add_report(&found.replayed.report);
        let mut document = PassesDocument::new(&task.input, &found);
        if self.json {
            // This adds notes on the file to notes on the run.
            document.notes = session.notes.list.entries().to_vec();
            session.json(&document)?;
        } else if self.dot {
            session.out.line(format_args!("{}", document.to_dot().trim_end()))?;
        } else if self.resources {
            text::print_resources(&mut session.out, &document)?;
        } else {
            text::print(&mut session.out, &document)?;
        }
        Ok(())
    }
}
