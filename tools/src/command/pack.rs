//! `pspge pack`: writes a frame dump from anything that can be drawn.

use std::str::FromStr;

use pspge::formats::ppdmp::Dump;
use pspge::ge::arithmetic::Arithmetic;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pspge::{Asset, RunSpec};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::camera::CameraArgs;
use crate::command::render::{Background, Size};
use crate::input::frame_dump;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

/// Write INPUT as a PPSSPP frame dump that draws the same picture
///
/// A model has the same camera, background and size as in `render`. A frame dump is converted to the newest version.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    open: OpenOptions,

    #[command(flatten)]
    camera: CameraArgs,

    /// Background colour of a model, in hexadecimal [default: 303840]
    #[arg(long, value_name = "RRGGBB")]
    background: Option<Opaque>,

    /// Picture size of a model, up to 512x512 [default: 480x272]; players show the first 480x272 pixels
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
}

/// A background colour without alpha, because screens show none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Opaque(Background);

impl FromStr for Opaque {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let background = text.parse().ok().filter(|background: &Background| !background.has_alpha);
        background.map(Self).ok_or("expected six hexadecimal digits, such as ff8000")
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    if let Some(Size { width, height }) = args.size
        && width.max(height) > TILE_SIZE_MAX
    {
        let problem = format!(
            "--size {width}x{height}: a dump holds at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels and their depth"
        );
        return Err(Failure::usage(problem));
    }
    batch::run_into(args, &args.batch, &Destination::Files(&args.output), console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo::new("packed", "nothing to draw")
    }

    fn suffix(&self) -> String {
        ".ppdmp".to_owned()
    }

    fn members(&self, input: &str) -> Result<Vec<String>, Failure> {
        self.open.members(input)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (asset, _) = self.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        if asset.model().is_none() {
            self.check_not_model(task, asset.kind(), session)?;
        }
        let dump = match asset.dump() {
            Some(dump) => dump.upgraded(),
            None => record(self, task, &asset, session)?,
        };
        let Some(output) = &task.output else { return Ok(Outcome::Nothing) };
        session.write(output, &dump.to_bytes())?;
        Ok(Outcome::Done)
    }
}

impl Args {
    /// Reports given options that need a model.
    fn check_not_model(&self, task: &Task, kind: &str, session: &mut Session) -> Result<(), Failure> {
        let reason = format!("{kind} is not a model");
        let others = [self.background.map(|_| "--background"), self.size.map(|_| "--size")];
        for option in self.camera.given().chain(others.into_iter().flatten()) {
            session.notes.ignore_option(&task.input, option, &reason)?;
        }
        Ok(())
    }
}

/// Records the list that `render` draws its picture with.
fn record(args: &Args, task: &Task, asset: &Asset, session: &mut Session) -> Result<Dump, Failure> {
    let Size { width, height } = args.size.unwrap_or(Size::SCREEN);
    let is_beyond = width > Size::SCREEN.width || height > Size::SCREEN.height;
    if is_beyond && asset.model().is_some() {
        let message = format!("players show the first {} of {width}x{height} pixels", Size::SCREEN);
        session.notes.list.add("beyond-screen", message);
    }
    let Opaque(Background { color, .. }) = args.background.unwrap_or(Opaque(Background::default()));
    let spec = RunSpec::default()
        .camera(args.camera.camera())
        .size(width, height)
        .background(color)
        .with_arithmetic(Arithmetic::Hardware)
        .limits(args.open.limits());
    let shot = asset.shot(&spec).map_err(|error| Failure::asset(&task.input, &error))?;
    if !shot.capture.events.is_empty() {
        let problem = "recordings of this format cannot be written as frame dumps";
        return Err(Failure::input(&task.input, "not-packable", None, problem));
    }
    let recorded = frame_dump::record(&task.input, shot, &mut session.notes)?;
    session.notes.list.add_report(&recorded.replayed.report);
    Ok(recorded.dump)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_of_dumps_have_no_alpha() {
        assert_eq!("ff8000".parse::<Opaque>().map(|Opaque(found)| found.color), Ok([255, 128, 0, 255]));
        for wrong in ["ff8000ff", "ff80", "gg8000"] {
            assert!(wrong.parse::<Opaque>().is_err(), "{wrong}");
        }
    }
}
