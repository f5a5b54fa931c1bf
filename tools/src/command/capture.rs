//! `pspge capture`: records frames from a running emulator.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::value_parser;
use pspge::documents::CaptureDocument;
use pspge::documents::schema_id::SchemaId;
use pspge::ge::capture::SCREEN;

use crate::emulator::{Address, Emulator, PORT_HELP, Screenshot};
use crate::input::options::seconds;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;
use crate::terminal::progress;
use crate::{batch, output};

/// Record frames of a game that runs in PPSSPP, as frame dumps
///
/// This asks the emulator's debugger for them over a WebSocket. Each dump is opened before it is written, to check
/// it, and a file gets its name only when it is complete.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address of the emulator's debugger: ws://HOST:PORT
    #[arg(value_name = "ADDRESS", long_help = address_help())]
    address: Address,

    /// Frame dump to write, or an existing folder; `-` for standard output [default: capture.ppdmp]
    ///
    /// Several frames are numbered: capture-0001.ppdmp and so on.
    #[arg(short, long, value_name = "OUT", default_value = "capture.ppdmp", hide_default_value = true)]
    output: PathBuf,

    /// How many frames to record
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u32).range(1..=9999))]
    frames: u32,

    /// Let the game show N frames between two recordings
    ///
    /// Recording takes a frame or two by itself, so recordings without a pause do not follow each other directly.
    #[arg(long, value_name = "N", default_value = "0")]
    every: u32,

    /// Also write the emulator's own picture of each frame, next to the dump: capture.png
    ///
    /// `pspge test` takes it as the dump's reference. The game runs slowly meanwhile, and stops for each picture, to
    /// show the recorded frame; versions of PPSSPP that cannot slow down may show a later frame, and a note says so.
    /// Set the emulator's rendering resolution to 1x, because pictures of another size cannot be compared.
    #[arg(long)]
    screenshot: bool,

    /// Print a JSON object for each frame (see pspge schema capture)
    #[arg(long)]
    json: bool,

    /// Longest time for each answer of the emulator, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: f64,
}

fn address_help() -> String {
    format!("Address of the emulator's debugger: ws://HOST:PORT\n\n{PORT_HELP}.")
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    if args.is_stdout() && (args.json || args.screenshot || args.frames > 1) {
        let problem = "--output -: only one frame, without --json and --screenshot, goes to standard output";
        return Err(Failure::usage(problem));
    }
    batch::run_one(args, &args.address.to_string(), console)
}

impl Args {
    fn is_stdout(&self) -> bool {
        self.output == Path::new("-")
    }

    fn path(&self, number: u32) -> PathBuf {
        let path = if self.output.is_dir() { self.output.join("capture.ppdmp") } else { self.output.clone() };
        if self.frames == 1 {
            return path;
        }
        let text = |part: Option<&std::ffi::OsStr>, other: &str| {
            part.map_or_else(|| other.to_owned(), |part| part.to_string_lossy().into_owned())
        };
        let (stem, extension) = (text(path.file_stem(), "capture"), text(path.extension(), "ppdmp"));
        path.with_file_name(format!("{stem}-{number:04}.{extension}"))
    }

    fn record(
        &self,
        task: &Task,
        number: u32,
        emulator: &mut Emulator,
        session: &mut Session,
    ) -> Result<(), Failure> {
        let (frame, screenshot) = if self.screenshot {
            let (frame, screenshot) = emulator.record_with_screenshot()?;
            (frame, Some(screenshot))
        } else {
            (emulator.record()?, None)
        };
        let mut notes = Notes::default();
        notes.list.add_file(frame.asset.notes());
        let path = self.path(number);
        session.write(&path, &frame.dump)?;
        let screenshot = match screenshot {
            Some(screenshot) => {
                let path = path.with_extension("png");
                session.write(&path, &screenshot.png)?;
                note_screenshot(&screenshot, &mut notes);
                Some(path.display().to_string())
            }
            None => None,
        };
        let document = CaptureDocument {
            schema: SchemaId::new(),
            input: task.input.clone(),
            output: path.display().to_string(),
            frame: number,
            screenshot,
            emulator: emulator.name.clone(),
            game: frame.asset.dump().and_then(pspge::formats::ppdmp::Dump::game),
            output_bytes: frame.dump.len() as u64,
            notes: notes.list.entries().to_vec(),
        };
        session.notes.add_all(notes);
        if self.json {
            return session.out.json(&document, self.frames == 1);
        }
        if self.is_stdout() {
            return Ok(());
        }
        let CaptureDocument { output, game, output_bytes, screenshot, .. } = document;
        let game = game.map(|game| format!("{game}, ")).unwrap_or_default();
        let screenshot = screenshot.map(|path| format!(", {path}")).unwrap_or_default();
        session.out.line(format_args!("{output}: {game}{output_bytes} bytes{screenshot}"))
    }
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("recorded", "nothing to record") }
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        if let Some(folder) = self.output.parent() {
            output::create_folder(folder)?;
        }
        let mut emulator = Emulator::connect(&self.address, Duration::from_secs_f64(self.timeout))?;
        let bar = progress::bar("frames", self.frames.into());
        for number in 1..=self.frames {
            if number > 1 {
                emulator.skip(self.every)?;
            }
            self.record(task, number, &mut emulator, session)?;
            bar.inc(1);
        }
        drop(bar);
        Ok(Outcome::Done)
    }
}

/// Notes why a picture may not be compared with its dump.
fn note_screenshot(screenshot: &Screenshot, notes: &mut Notes) {
    let Screenshot { size: [width, height], is_in_time, .. } = *screenshot;
    if !is_in_time {
        let message = "the emulator cannot be slowed down, so that its picture may be of a later frame";
        notes.list.add("screenshot-late", message);
    }
    if [width, height] != SCREEN {
        let message = format!(
            "the emulator's picture has {width}x{height} pixels, so that it cannot be compared; set its rendering resolution to 1x"
        );
        notes.list.add("screenshot-size", message);
    }
}
