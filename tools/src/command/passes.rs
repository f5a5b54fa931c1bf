//! `pspge passes`: the render passes of a frame, and which of them reads results of which.

use pspge::debug::passes::dependency_recorder::{self, DependencyOptions};
use pspge::documents::PassesDocument;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::frame::FrameArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, Outcome, Session, Task};

mod text;

/// List the render passes of a frame: targets, inputs, and who reads each result
///
/// A pass is a run of draws to the same colour buffer (address, row length, format). It also ends before a draw that uses
/// another depth buffer, and after a block transfer or a copy by the CPU has read its result. For each pass, the text
/// tells its draws, buffers and clears, the textures, palettes and old values that come from other passes, and who reads
/// the result. Writers are followed byte by byte, through all views of VRAM, block transfers and copies.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// List the textures, palettes and buffers of the frame with their draws instead
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
    batch::run(&Passes { args }, &args.batch, console)
}

/// Prints the passes of an input.
struct Passes<'a> {
    args: &'a Args,
}

impl Job for Passes<'_> {
    fn done(&self) -> &'static str {
        "run"
    }

    fn nothing(&self) -> &'static str {
        "no display list"
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
        let options = DependencyOptions { arithmetic, limits: args.open.limits(), until: None };
        let found = dependency_recorder::record(capture, &options);
        session.notes.add_report(&found.replayed.report);
        let mut document = PassesDocument::new(&task.input, &found);
        if args.json {
            // Those on the file, too.
            document.notes = session.notes.entries().to_vec();
            session.json(&document)?;
        } else if args.dot {
            session.out.line(format_args!("{}", document.to_dot().trim_end()))?;
        } else if args.resources {
            text::print_resources(&mut session.out, &document)?;
        } else {
            text::print(&mut session.out, &document)?;
        }
        Ok(Outcome::Done)
    }
}
