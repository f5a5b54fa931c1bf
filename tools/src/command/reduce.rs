//! `pspge reduce`: cuts a run down to the draws and bytes some pixels need, and writes it as a frame dump.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use pspge::compare::{self, Tolerance};
use pspge::debug::Shot;
use pspge::debug::pixel::target::{PixelTargetError, TargetName};
use pspge::debug::reduce::{self, KeptArea, ReduceError, ReduceProgress, Reduced, TRIALS};
use pspge::documents::ReductionDocument;
use pspge::documents::reduction::RunSize;
use pspge::formats::{self, Content, Request};
use pspge::ge::capture::SCREEN;
use pspge::image::{self, RgbaImage};
use pspge::pipeline::framebuffer::{self, ColorSurface};
use pspge::run::sink::NullObserver;

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::frame::FrameArgs;
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::files;
use crate::input::frame_dump::{self, WrittenDump};
use crate::input::name::InputName;
use crate::input::options::{OpenOptions, seconds};
use crate::job::{Session, Task};
use crate::renderer::command::RendererCommand;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::progress;

mod other_renderer;

use other_renderer::{FIXED_RUNS, OtherOptions, OtherRenderer};

/// Remove what some pixels do not depend on, and write the rest as a frame dump
///
/// Draws, block transfers and CPU actions are removed first, then commands, registers, vertices and bytes. Each
/// trial replays the rest; a part that changes a kept pixel stays. The dump is read again and replayed before the
/// command ends. The result is the same each time.
///
/// To cut down another renderer's fault, use --renderer: a removal stays if this renderer is still wrong, that is,
/// if its picture of the rest still differs from pspge's in a pixel that differed at first.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Pixels that keep their value: pixel:X,Y, region:X,Y,WxH, or diff:OTHER
    ///
    /// `diff:OTHER` keeps all pixels on the screen that differ from another picture, or from anything that can be
    /// drawn.
    #[arg(long, value_name = "PIXELS", required_unless_present = "renderer")]
    keep: Option<Keep>,

    #[command(flatten)]
    output: OutputArgs,

    /// Buffer of the pixels: ADDRESS or ADDRESS,STRIDE,FORMAT [default: the framebuffer shown at the end]
    #[arg(long, value_name = "TARGET")]
    target: Option<TargetName>,

    /// Keep a fault of the renderer that this command runs, such as 'other {in} -o {out}'
    ///
    /// {in} is a frame dump and {out} the picture to write: a PNG file, or another that `pspge compare` reads;
    /// {until} is the last draw's number, from 0, and {count} the number of draws. Of the pixels that differ at
    /// first, limited to --keep if given, at least one still has to differ after each removal, by any amount beyond
    /// the tolerance. Its values may change.
    ///
    /// If the renderer fails on the whole run, this is the fault: it still has to fail in the same way, with the
    /// same exit status, or by taking too long. If it fails on a part only, this part does not count as wrong.
    ///
    /// The whole run and the result are drawn twice, to notice a renderer that draws differently when it is run
    /// again. Trials include these runs.
    #[arg(long, help_heading = RENDERER, value_name = "CMD", conflicts_with = "target")]
    renderer: Option<RendererCommand>,

    /// Largest difference of a channel that counts as equal: N, or R,G,B [default: 0]
    #[arg(long, help_heading = RENDERER, requires = "renderer", value_name = "N|R,G,B", hide_short_help = true)]
    tolerance: Option<Tolerance>,

    /// Longest time for each run of the renderer, in seconds
    #[arg(long, help_heading = RENDERER, requires = "renderer", value_name = "SECONDS", default_value = "60")]
    #[arg(hide_short_help = true, value_parser = seconds)]
    timeout: f64,

    /// Largest number of trials
    #[arg(long, value_name = "N", default_value_t = TRIALS)]
    trials: u32,

    #[command(flatten)]
    open: OpenOptions,

    /// Print the sizes before and after as JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,
}

/// Groups options for another renderer, in the help.
const RENDERER: &str = "Another renderer";
/// Prints at most this many events; JSON has them all.
const PRINTED: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Keep {
    Area(KeptArea),
    /// Keeps pixels that differ from this input's.
    Difference(String),
}

impl FromStr for Keep {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected pixel:X,Y, region:X,Y,WxH or diff:OTHER, such as pixel:240,136";
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong);
        let pair = |text: &str, separator: char| -> Result<[u32; 2], Self::Err> {
            let (first, second) = text.split_once(separator).ok_or(wrong)?;
            Ok([number(first)?, number(second)?])
        };
        match text.split_once(':').ok_or(wrong)? {
            ("pixel", pixel) => Ok(Self::Area(KeptArea::Pixel(pair(pixel, ',')?))),
            ("region", region) => {
                let (corner, size) = region.rsplit_once(',').ok_or(wrong)?;
                Ok(Self::Area(KeptArea::Region(pair(corner, ',')?, pair(size, 'x')?)))
            }
            ("diff", other) if !other.is_empty() => Ok(Self::Difference(other.to_owned())),
            _ => Err(wrong),
        }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    frame_dump::check_output(&args.output, args.json)?;
    if args.target.is_some() && matches!(args.keep, Some(Keep::Difference(_))) {
        return Err(Failure::usage("--target and --keep diff: pictures show the screen"));
    }
    if args.renderer.is_some() && args.trials <= FIXED_RUNS {
        let problem = format_args!(
            "--trials {}: with --renderer, {FIXED_RUNS} of them look at the run and the result",
            args.trials
        );
        return Err(Failure::usage(problem));
    }
    batch::run_into(args, &BatchArgs::only(&args.input), &Destination::Files(&args.output), console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "reduced";

    fn suffix(&self) -> String {
        ".ppdmp".to_owned()
    }

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: None, json: self.json }
    }

    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let area = match &self.keep {
            Some(Keep::Area(area)) => Some(area.clone()),
            Some(Keep::Difference(other)) => Some(KeptArea::List(self.difference(other, &shot, session)?)),
            None => None,
        };
        let mut other = match &self.renderer {
            Some(command) => Some(self.other_renderer(task, command, &shot, area.clone())?),
            None => None,
        };
        let bar = progress::bar("events", self.trials.into());
        let mut progress = |progress: ReduceProgress| {
            bar.set_message(progress.stage.name());
            bar.set_position(progress.trials.into());
        };
        let reduced = match (&mut other, &area) {
            (Some(other), _) => {
                let max = self.trials.saturating_sub(FIXED_RUNS);
                reduce::reduce_fault(shot.clone(), other, max, &mut progress)
            }
            (None, Some(area)) => reduce::reduce(shot.clone(), self.target, area, self.trials, &mut progress),
            (None, None) => Err(ReduceError::NoPixels),
        };
        drop(bar);
        if let Some(failure) = other.as_mut().and_then(OtherRenderer::take_failure) {
            return Err(failure);
        }
        let reduced = reduced.map_err(|error| self.failure(task, &error))?;
        if reduced.is_unfinished {
            let message = format!("all {} trials were used: more may remain than is needed", self.trials);
            session.notes.list.add("trials", message);
        }
        let small = shot.clone().with_capture(reduced.capture.clone());
        let recorded = frame_dump::record(&task.input, small, &mut session.notes)?;
        let bytes = recorded.dump.to_bytes();
        let renderer = match &mut other {
            Some(other) => Some(other.verify(&bytes, &mut session.notes)?),
            None => {
                verify(task, shot, &bytes, &reduced)?;
                None
            }
        };
        let report = |WrittenDump { output, bytes, notes }| ReductionDocument {
            output,
            output_bytes: bytes,
            notes,
            renderer,
            ..ReductionDocument::new(&task.input, &reduced)
        };
        frame_dump::write(task, &bytes, self.json, session, report, print)
    }
}

/// Reads the dump again and checks that it still draws the kept pixels, in a run like `shot`'s.
fn verify(task: &Task, shot: Shot, bytes: &[u8], reduced: &Reduced) -> Result<(), Failure> {
    let opened = formats::open(&Request::new("reduced", bytes));
    let Ok(Content::Frame { capture, .. }) = opened.map(|opened| opened.content) else {
        let problem = "the reduced run cannot be read again";
        return Err(Failure::input(&task.input, "not-packable", None, problem));
    };
    let mut again = shot.with_capture(*capture);
    again.run_here(&mut again.rasterizer(), &mut NullObserver);
    match reduced.kept.first_lost(&again.capture.memory) {
        None => Ok(()),
        Some([x, y]) => {
            let problem = format_args!("as a frame dump, the reduced run loses pixel {x},{y}");
            Err(Failure::input(&task.input, "not-packable", None, problem))
        }
    }
}

/// Returns the screen as this run leaves it.
fn screen(mut shot: Shot) -> RgbaImage {
    let replayed = shot.run_here(&mut shot.rasterizer(), &mut NullObserver);
    let [width, height] = SCREEN;
    let memory = &shot.capture.memory;
    match replayed.display {
        Some(display) => framebuffer::displayed(display, memory, width, height),
        None => ColorSurface::from_registers(&replayed.registers).to_rgba(memory, width, height),
    }
}

impl Args {
    /// Lists the screen's pixels that differ from another input's.
    fn difference(&self, other: &str, shot: &Shot, session: &mut Session) -> Result<Vec<[u32; 2]>, Failure> {
        let InputName { path, member } = InputName::parse(other);
        let bytes = files::read(Path::new(path))?;
        let picture = if member.is_none() && compare::is_picture(path, &bytes) {
            let read = image::load_from_memory(&bytes);
            read.map_err(|error| Failure::input(other, "damaged", None, error))?.into_rgba8()
        } else {
            let mut notes = session.notes.empty_for_same();
            let (asset, _) = self.open.open(other, Some(bytes), &mut notes)?;
            let spec = self.frame.spec(shot.limits).threads(shot.raster.threads);
            screen(self.frame.shot(&asset, other, &spec, &mut notes)?)
        };
        let own = screen(shot.clone());
        let differs = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| {
            // Only pixels in both pictures can differ, and only in colour, because a screen shows no alpha.
            let other = picture.get_pixel_checked(x, y)?;
            (other.0[..3] != pixel.0[..3]).then_some([x, y])
        };
        let pixels: Vec<[u32; 2]> = own.enumerate_pixels().filter_map(differs).collect();
        if pixels.is_empty() {
            let reason = format_args!("no pixel differs from {other}");
            return Err(Failure::inapplicable(&self.input, "--keep", reason));
        }
        Ok(pixels)
    }

    fn other_renderer<'a>(
        &'a self,
        task: &'a Task,
        command: &'a RendererCommand,
        shot: &Shot,
        area: Option<KeptArea>,
    ) -> Result<OtherRenderer<'a>, Failure> {
        let timeout = Duration::from_secs_f64(self.timeout);
        OtherRenderer::new(
            &task.input,
            shot,
            OtherOptions { command, tolerance: self.tolerance, timeout, area },
        )
    }

    fn failure(&self, task: &Task, error: &ReduceError) -> Failure {
        match error {
            ReduceError::Target(error) => {
                let is_outside = matches!(error, PixelTargetError::Outside { .. });
                let option = if self.target.is_none() || is_outside { "--keep" } else { "--target" };
                Failure::inapplicable(&task.input, option, error)
            }
            ReduceError::Trim(error) => super::trim::failure(task, error),
            ReduceError::NoFault => {
                let of_kept = if self.keep.is_some() { " in the pixels to keep" } else { "" };
                let reason = format_args!("both renderers draw the same{of_kept}");
                Failure::inapplicable(&task.input, "--renderer", reason)
            }
            ReduceError::NotRepeated if self.renderer.is_some() => {
                let program = self.renderer.as_ref().map_or("", RendererCommand::program);
                let problem = "draws differently when run again: a third run does not have the fault";
                Failure::file_problem(program, "renderer", problem)
            }
            ReduceError::NoPixels => Failure::inapplicable(&task.input, "--keep", error),
            _ => Failure::input(&task.input, "not-packable", None, error),
        }
    }
}

/// Picks a count from a run's sizes.
type Count = fn(&RunSize) -> u64;

fn print(document: &ReductionDocument, session: &mut Session) -> Result<(), Failure> {
    let ReductionDocument { output, output_bytes, pixels, x, y, value, trials, before, after, .. } = document;
    let ReductionDocument { events, start_registers, renderer, .. } = document;
    let [red, green, blue, alpha] = value.color;
    let value = format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}");
    let kept = match (renderer, pixels) {
        (Some(renderer), _) => renderer.text.clone(),
        (None, 1) => format!("pixel {x},{y} is {value}"),
        (None, _) => format!("{pixels} pixels from {x},{y} on"),
    };
    session.out.line(format_args!("{output}: {output_bytes} bytes after {trials} trials; {kept}"))?;
    let rows: [(&str, Count); 6] = [
        ("draws", |size| size.draws),
        ("block transfers", |size| size.transfers),
        ("actions of the CPU", |size| size.actions),
        ("commands", |size| size.commands),
        ("registers at the start", |size| size.registers),
        ("bytes of memory", |size| size.bytes),
    ];
    for (name, count) in rows {
        session.out.line(format_args!("  {name}: {} of {}", count(after), count(before)))?;
    }
    for event in events.iter().take(PRINTED) {
        session.out.line(format_args!("  {}", event.text))?;
    }
    if let Some(more) = events.len().checked_sub(PRINTED).filter(|more| *more > 0) {
        session.out.line(format_args!("  and {more} more events (--json lists them)"))?;
    }
    let names = start_registers.join(", ");
    session
        .out
        .line(format_args!("  start: {}", if names.is_empty() { "all registers are 0" } else { &names }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_named_in_three_ways() {
        let area = |text: &str| match text.parse() {
            Ok(Keep::Area(area)) => Some(area),
            _ => None,
        };
        assert_eq!(area("pixel:3,4"), Some(KeptArea::Pixel([3, 4])), "a pixel");
        assert_eq!(area("region:1,2,30x40"), Some(KeptArea::Region([1, 2], [30, 40])), "a region");
        assert_eq!("diff:a:b.png".parse(), Ok(Keep::Difference("a:b.png".to_owned())), "a difference");
        for wrong in ["", "3,4", "pixel:3", "pixel:3,-4", "region:1,2", "region:1,2,3,4", "diff:", "all:1"] {
            assert!(wrong.parse::<Keep>().is_err(), "{wrong}");
        }
    }
}
