//! `pspge draw`: everything about one draw.

use std::str::FromStr;

use pspge::debug::draw_report::DrawReportError;
use pspge::debug::{self, EventNumber, NoSuchEvent};
use pspge::documents::DrawReportDocument;
use pspge::documents::hashes::ContentHashes;
use pspge::ge::draw_set::DrawSet;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::frame::FrameArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, Outcome, Session, Task};
use crate::run;

mod text;
mod time;

/// Explain one draw: its vertices at each stage, the fate of each primitive, and the counts of its pixels
///
/// Vertices are shown as they are in memory, after skinning and morphing, in world, view and clip space, and on the
/// screen, with the colours after lighting. Each primitive is shown with its fate: culled, dropped, clipped, or the
/// numbers of its fragments that each test killed. The numbers of primitives are those of `pspge pixel`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    input: String,

    /// The draw, by the number that trace shows, or `event:E` by the number that state --events shows
    #[arg(value_name = "N|event:E")]
    draw: DrawName,

    #[command(flatten)]
    open: OpenOptions,

    /// Print all vertices, not only the first few
    #[arg(long, conflicts_with = "json")]
    vertices: bool,

    /// Print all primitives, not only the first few
    #[arg(long, conflicts_with = "json")]
    primitives: bool,

    /// Measure the time of the draw, too; it differs from run to run
    ///
    /// The fast engine draws it several times, with one thread and without kept texels, and the median is printed.
    #[arg(long)]
    time: bool,

    /// Print JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,
}

/// A draw, by its own number or by that of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawName {
    Draw(u64),
    Event(u32),
}

impl FromStr for DrawName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected the number of a draw, such as 12, or of an event, such as event:30";
        match text.strip_prefix("event:") {
            Some(event) => event.parse().map(Self::Event),
            None => text.strip_prefix("draw:").unwrap_or(text).parse().map(Self::Draw),
        }
        .map_err(|_| wrong)
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let inputs = BatchArgs { inputs: vec![args.input.clone()], ..BatchArgs::default() };
    batch::run(&Draw { args }, &inputs, console)
}

/// Prints a draw of an input.
struct Draw<'a> {
    args: &'a Args,
}

impl Job for Draw<'_> {
    fn done(&self) -> &'static str {
        "explained"
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
        let limits = args.open.limits();
        let mut run = args.frame.debug(capture, limits, session);
        let event = self.event(task, &run)?;
        let mut hashes = ContentHashes::new(&limits);
        let mut document = DrawReportDocument::new(&task.input, &mut run, event, &mut hashes)
            .map_err(|error| self.inapplicable(task, &error))?;
        if !document.is_complete {
            session.notes.add("limit", "the report is cut short by a limit (see --limits)".to_owned());
        }
        if args.time {
            document.time = time::measure(&mut run);
        }
        if args.json {
            // Those on the file, too.
            document.notes = session.notes.entries().to_vec();
            session.json(&document)?;
        } else {
            text::print(&mut session.out, &document, args.vertices, args.primitives)?;
        }
        Ok(Outcome::Done)
    }
}

impl Draw<'_> {
    /// Returns the event of the draw.
    fn event(&self, task: &Task, run: &debug::Session) -> Result<EventNumber, Failure> {
        let draw = match self.args.draw {
            DrawName::Event(event) => return Ok(EventNumber(event)),
            DrawName::Draw(draw) => draw,
        };
        match run.timeline().event_of_draw(draw) {
            Some(event) => Ok(event.number),
            None => {
                let draws = run.timeline().draws() as u64;
                run::check_draws(&task.input, "N", Some(&DrawSet::one(draw)), draws)?;
                let error = NoSuchEvent { event: run.end(), count: run.timeline().len() };
                Err(self.inapplicable(task, &error.into()))
            }
        }
    }

    fn inapplicable(&self, task: &Task, error: &DrawReportError) -> Failure {
        let option = match self.args.draw {
            DrawName::Draw(_) => "N".to_owned(),
            DrawName::Event(event) => format!("event:{event}"),
        };
        Failure::inapplicable(&task.input, &option, error)
    }
}
