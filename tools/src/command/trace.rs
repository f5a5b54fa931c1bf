//! `pspge trace`: lists the commands or draws in a run.

use std::ops::ControlFlow;

use pspge::debug::Shot;
use pspge::documents::EndDocument;
use pspge::documents::draw::DrawDescriber;
use pspge::documents::draw_list::DescribedDraws;
use pspge::documents::hashes::ContentHashes;
use pspge::documents::note::NoteDocument;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::memory::Memory;
use pspge::run::interpreter::Ending;
use pspge::run::sink::{NullSink, Step};

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::command::disasm::Words;
use crate::frame::FrameArgs;
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::run;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::what_if::WhatIfArgs;

mod commands;
mod draws;
mod printer;
mod selection;

use commands::CommandPrinter;
use draws::DrawPrinter;
use printer::Printer;
use selection::Selection;

/// Print every executed command, in order
///
/// A line holds the address, the offset in the file (`-` for a word from no file), the word, the command's name and
/// argument, and the address it refers to.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// Print one line per draw instead
    #[arg(long)]
    draws: bool,

    /// Print the draws with the state at each draw
    #[arg(long)]
    registers: bool,

    /// Print only these draws, or the commands that lead to them: N, A-B, A-, -B, or a list of these
    #[arg(long, value_name = "DRAWS", allow_hyphen_values = true)]
    only: Option<DrawSet>,

    /// Stop after N commands, or after N draws if draws are printed
    #[arg(long, value_name = "N")]
    first: Option<u64>,

    /// The former name of --first
    #[arg(long, value_name = "N", hide = true, value_parser = former_limit)]
    limit: Option<u64>,

    /// The words in which to print commands
    ///
    /// `libgu` prints calls to the graphics library in the public pspsdk that send the executed commands, each in
    /// place of its first command; commands without a call are sent by sceGuSendCommandi.
    #[arg(long = "as", value_name = "WORDS", value_enum, default_value_t)]
    #[arg(hide_short_help = true, conflicts_with_all = ["draws", "registers", "json"])]
    words: Words,

    /// Print JSON, one document per line (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,

    #[command(flatten)]
    what_if: WhatIfArgs,
}

/// Refuses an option's former name, and names its successors.
fn former_limit(_: &str) -> Result<u64, &'static str> {
    Err("use --first N to print only the first N lines, or --limits NAME=VALUE to bound the work")
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &args.batch, console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "traced";

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: Some(&self.what_if), json: self.json }
    }

    fn run(&self, task: &Task, mut shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let sources = std::mem::take(&mut shot.capture.sources);
        if self.json {
            for note in session.notes.list.entries() {
                session.out.json(&NoteDocument::new(&task.input, note.clone()), false)?;
            }
        }
        let mut printer = Printer::new(&task.input, self.json, &mut session.out);
        let selection = Selection::new(self.only.as_ref(), self.first);
        let report = if self.draws || self.registers {
            let describer = DrawDescriber {
                input: &task.input,
                sources: &sources,
                with_state: self.registers,
                hashes: ContentHashes::new(&shot.limits),
            };
            let receiver = DrawPrinter { selection: &selection, printer: &mut printer };
            let mut sink = DescribedDraws { raster: shot.rasterizer(), describer, receiver };
            let mut end = |_: &Memory, step: &Step<'_>| {
                if selection.is_over(step.draws) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let report = shot.run_here(&mut sink, &mut end).report;
            let hit = sink.describer.hashes.limit_hit();
            report.notes.iter().for_each(|note| printer.note(note));
            if let Some(hit) = hit {
                session
                    .notes
                    .list
                    .add("limit", format!("hashes of textures and vertices are left out: {hit}"));
            }
            report
        } else {
            let mut observer = CommandPrinter::new(&selection, &mut printer, &sources, self.words);
            let report = shot.run_here(&mut NullSink, &mut observer).report;
            observer.finish();
            report
        };
        printer.finish()?;
        // `--only` can be checked only if the run was not stopped early. A stopped run had every draw asked for.
        if report.ending != Ending::Stopped {
            run::check_draws(&task.input, "--only", self.only.as_ref(), report.draws)?;
        }
        session.notes.list.add_report(&report);
        let end = EndDocument::new(&task.input, &report);
        if self.json {
            session.out.json(&end, false)?;
        } else {
            let EndDocument { commands, draws, .. } = end;
            let ending = ending(end.ending);
            session.out.line(format_args!("; {ending} after {commands} commands, {draws} draws"))?;
        }
        Ok(())
    }
}

/// Says in words how a run ended.
const fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "finished",
        Ending::Paused => "paused by a signal",
        Ending::Hung => "hung at a signal",
        Ending::HungAtPatch => "hung at a patch",
        Ending::Unmapped => "ran into unmapped memory",
        Ending::LimitReached => "a limit was reached",
        Ending::Stopped => "stopped",
        Ending::Stalled => "stalled",
    }
}
