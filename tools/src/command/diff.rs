//! `pspge diff`: finds the first event at which two runs differ.

use std::path::PathBuf;
use std::time::Duration;

use pspge::compare::{self, Tolerance};
use pspge::documents::diff::comparison::{Diff, DiffSide};

use self::side_options::SideOptions;
use self::sides::Shared;
use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::event_name::EventName;
use crate::frame::FrameArgs;
use crate::input::options::{OpenOptions, seconds};
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::renderer::command::RendererCommand;
use crate::renderer::search::Search;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

mod picture;
mod side_options;
mod sides;
mod text;

/// Groups options for another renderer, in the help.
const RENDERER: &str = "Another renderer";

/// Find the first event at which two runs differ, and say why
///
/// A and B are frame dumps, models or lists. Without B, A runs twice, with the options in --a and --b. Both run draw
/// by draw, block transfer by block transfer and copy by copy; after each event, all bytes changed by it are
/// compared. For the first event that differs, this shows all differences: registers with the commands that wrote
/// them, textures, vertices, primitives, pixels, and a pixel's history in both runs.
///
/// To compare two events instead, use --at in the options for both sides: --a '--at 3' --b '--at 57' shows how draw
/// 57 differs from draw 3.
///
/// To compare with another renderer, use --renderer: its pictures take the place of B. If the runs or the events
/// differ, the exit status is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "A", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    first: String,

    /// The other file [default: A]
    #[arg(value_name = "B", value_parser = crate::input::path_text::input_parser())]
    second: Option<String>,

    #[command(flatten)]
    open: OpenOptions,

    /// Options for the first run, as one argument: --set, --skip, --solo, --cache, --replace-texture, --arithmetic,
    /// --reference, --at, camera
    ///
    /// They are split into words as a shell does. --reference draws with the reference rasterizer. --at names a
    /// draw, or an event as event:N.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    a: Option<SideOptions>,

    /// Options of the second run
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    b: Option<SideOptions>,

    /// Compare with the pictures that this command draws, such as 'other {in} --last-draw {until} -o {out}', or psp://FOLDER
    ///
    /// {in} is a frame dump, {until} the last draw's number, from 0, {count} the number of draws, and {out} the
    /// picture to write: a PNG file, or another that `pspge compare` reads. Without {until} and {count}, the dump
    /// ends after that draw. A binary search finds a draw where the pictures begin to differ: they agree before it
    /// and differ after it.
    #[arg(long, help_heading = RENDERER, value_name = "CMD", conflicts_with_all = ["second", "b"])]
    renderer: Option<RendererCommand>,

    /// Largest difference of a channel that counts as equal: N, or R,G,B [default: 0]
    #[arg(long, help_heading = RENDERER, requires = "renderer", value_name = "N|R,G,B", hide_short_help = true)]
    tolerance: Option<Tolerance>,

    /// Longest time for each run of the renderer, in seconds
    #[arg(long, help_heading = RENDERER, requires = "renderer", value_name = "SECONDS", default_value = "60")]
    #[arg(hide_short_help = true, value_parser = seconds)]
    timeout: f64,

    /// Write a picture of the buffers after the event: A, the amplified difference, and B
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,

    /// Print the difference as JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,
}

impl Args {
    /// Returns the events named for both sides.
    fn events(&self) -> [Option<EventName>; 2] {
        [&self.a, &self.b].map(|side| side.as_ref().and_then(SideOptions::at))
    }

    /// Compares two runs, or an event in each.
    fn compare(&self, input: &str, sides: &[DiffSide; 2]) -> Result<Diff, Failure> {
        let [Some(a), Some(b)] = self.events() else { return Ok(Diff::of_runs(sides)) };
        let runs = sides.each_ref().map(|side| side.shot.session());
        let ([run_a, run_b], [_, side_b]) = (&runs, sides);
        let events = [a.find(input, "--a", run_a)?, b.find(&side_b.input, "--b", run_b)?];
        Diff::of_events(sides, runs, events).map_err(|error| Failure::inapplicable(input, "--at", error))
    }

    /// Opens the second run: B, or A once more with other options.
    fn open_second(
        &self,
        task: &Task,
        shared: &Shared<'_>,
        session: &mut Session,
    ) -> Result<DiffSide, Failure> {
        let input = self.second.as_deref().unwrap_or(&task.input);
        let mut notes = Notes::of_batch();
        let side = shared.side(input, &self.b.clone().unwrap_or_default(), &mut notes)?;
        if input != task.input {
            // If A is opened again, its notes are known already.
            session.notes.add_all_of(input, notes);
        }
        let problem = "B holds no display list";
        side.ok_or_else(|| Failure::input(input, "nothing-to-do", None, problem))
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    if args.second.is_none() && args.a.is_none() && args.b.is_none() && args.renderer.is_none() {
        return Err(Failure::usage("nothing to compare with: give B, --a or --b, or --renderer"));
    }
    if args.renderer.is_some() && args.a.as_ref().is_some_and(SideOptions::has_changes) {
        return Err(Failure::usage(
            "--a and --renderer: a frame dump cannot hold changes of registers and draws",
        ));
    }
    if args.events().iter().flatten().count() == 1 {
        let problem = "--at names two events to compare: give it in the options of both sides, --a and --b";
        return Err(Failure::usage(problem));
    }
    if args.second.as_deref() == Some("-") && args.first == "-" {
        return Err(Failure::usage("A and B are both standard input"));
    }
    if let Some(output) = &args.output
        && output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("png"))
    {
        let problem = format_args!("--output {}: the extension must be .png", output.display());
        return Err(Failure::usage(problem));
    }
    let inputs = BatchArgs::only(&args.first);
    batch::run(args, &inputs, console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("compared", "no display list") }
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let shared = Shared { open: &self.open, frame: &self.frame };
        let own_options = self.a.clone().unwrap_or_default();
        let Some(first) = shared.side(&task.input, &own_options, &mut session.notes)? else {
            return Ok(Outcome::Nothing);
        };
        let (diff, pictures) = match &self.renderer {
            Some(command) => {
                let search = Search {
                    input: &task.input,
                    side: &first,
                    command,
                    tolerance: self.tolerance,
                    timeout: Duration::from_secs_f64(self.timeout),
                };
                let found = search.run(&mut session.notes)?;
                let difference = found
                    .as_ref()
                    .map(|found| compare::pictures(&found.pictures[0], &found.pictures[1], &found.options))
                    .transpose()
                    .map_err(|error| Failure::inapplicable(&task.input, "--renderer", error))?;
                let draw = found.as_ref().map(|found| found.draw).zip(difference.as_ref());
                // A dump cut after this draw shows the draw's own buffer, not the frame's screen.
                let shows_target = !command.takes_draw();
                let diff = Diff::of_pictures(&first, command.text(), draw, shows_target);
                (diff, found.map(|found| found.pictures))
            }
            None => {
                let sides = [first, self.open_second(task, &shared, session)?];
                let diff = self.compare(&task.input, &sides)?;
                let pictures = diff.pictures.clone().map(picture::of_images).transpose()?;
                (diff, pictures)
            }
        };
        let Diff { mut document, histories, .. } = diff;
        for history in histories.iter().flatten() {
            session.notes.list.add_gaps(history);
        }
        for note in std::mem::take(&mut document.notes) {
            session.notes.list.push(note);
        }
        if let (Some(output), true) = (&self.output, document.is_different) {
            match &pictures {
                Some(pictures) => {
                    session.write(output, &picture::side_by_side(pictures)?)?;
                    document.output = Some(output.display().to_string());
                }
                None => session.notes.list.add("picture-left-out", "the event has no colour buffer to show"),
            }
        }
        document.notes = session.notes.list.entries().to_vec();
        if self.json {
            session.json(&document)?;
        } else {
            text::print(&mut session.out, &document, &histories)?;
        }
        Ok(if document.is_different { Outcome::Different } else { Outcome::Done })
    }
}
