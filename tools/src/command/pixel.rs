//! `pspge pixel`: tells a pixel's history, with a verdict.

use std::str::FromStr;

use pspge::debug::Shot;
use pspge::debug::pixel::target::{PixelTargetError, TargetName};
use pspge::documents::PixelDocument;
use pspge::ge::draw_set::DrawSet;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::frame::FrameArgs;
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::run;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::what_if::WhatIfArgs;

/// Explain the colour of a pixel: everything that touched it, in order, and why
///
/// Each draw that covers the pixel is shown with its primitive, the interpolated values, the texels with weights and
/// addresses, the texture function, fog, the operands and results of all tests, blending, and the pixel before and
/// after. Block transfers and CPU copies that cover the pixel are shown, too. The last line is the verdict.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Column and row in the buffer, from 0 in the upper left corner
    #[arg(value_name = "X,Y")]
    pixel: PixelPosition,

    #[command(flatten)]
    open: OpenOptions,

    /// Buffer of the pixel: ADDRESS or ADDRESS,STRIDE,FORMAT [default: the framebuffer shown at the end]
    ///
    /// STRIDE is the number of pixels from a row to the next, FORMAT is BGR5650, ABGR5551, ABGR4444 or ABGR8888.
    /// Without them, this takes both from the last draw to a colour buffer at ADDRESS. An address below 0x200000 is
    /// an offset in VRAM.
    #[arg(long, value_name = "TARGET")]
    target: Option<TargetName>,

    /// Show only these draws and the transfers and copies before each: N, A-B, A-, -B, or a list of these
    #[arg(long, value_name = "DRAWS", allow_hyphen_values = true)]
    draws: Option<DrawSet>,

    /// Print the history as JSON (see pspge schema)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,

    #[command(flatten)]
    what_if: WhatIfArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PixelPosition([u32; 2]);

impl FromStr for PixelPosition {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected X,Y, such as 240,136";
        let (x, y) = text.split_once(',').ok_or(wrong)?;
        let number = |text: &str| text.trim().parse().map_err(|_| wrong);
        Ok(Self([number(x)?, number(y)?]))
    }
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
        let PixelPosition(position) = self.pixel;
        let wrong = |error: PixelTargetError| {
            let is_outside = matches!(error, PixelTargetError::Outside { .. });
            let option = if self.target.is_none() || is_outside { "X,Y" } else { "--target" };
            Failure::inapplicable(&task.input, option, error)
        };
        let mut history = shot.history(self.target, position).map_err(wrong)?;
        run::check_draws(&task.input, "--draws", self.draws.as_ref(), history.report.draws)?;
        session.notes.list.add_report(&history.report);
        session.notes.list.add_gaps(&history);
        if let Some(draws) = &self.draws {
            history.shown = draws.clone();
        }
        if self.json {
            session.json(&PixelDocument::new(&task.input, &history, &shot.capture.sources))?;
        } else {
            session.out.line(format_args!("{history}"))?;
        }
        Ok(())
    }
}
