//! Draws pictures of frame dumps and display lists.

use image::DynamicImage;
use pspge::debug::Shot;
use pspge::scene::frame::{FrameError, FramePicture, FrameRenderer, without_alpha};

use super::target::Target;
use super::values::{Buffer, Size};
use super::{Args, depth_note};
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::progress;

pub(super) fn renderer(args: &Args, shot: &Shot) -> FrameRenderer {
    let Size { width, height } = args.size();
    FrameRenderer {
        size: [width, height],
        options: shot.raster,
        limits: shot.limits,
        stop: args.until,
        finds_depth_range: args.normalize,
    }
}

/// Runs a list, and writes the buffer the user asks for.
pub(super) fn draw(
    args: &Args,
    task: &Task,
    shot: &Shot,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let renderer = renderer(args, shot);
    let bar = progress::bar("runs", renderer.run_count().into());
    let buffers = [args.buffer.of_frame()];
    let drawn = renderer.render(&shot.capture, &buffers, &mut |runs| bar.set_position(runs.into()));
    drop(bar);
    let FramePicture { mut images, depth_range, is_unset, run, .. } =
        drawn.map_err(|error| inapplicable(args, task, &error))?;
    session.notes.list.add_report(&run.report);
    if is_unset {
        session.notes.list.add_unset();
    }
    let Some(mut image) = images.pop() else { return Ok(()) };
    session.notes.list.add_cut([image.width(), image.height()], args.wanted_size());
    if args.normalize {
        if let (Some(range), DynamicImage::ImageLuma16(depth)) = (depth_range, &mut image) {
            range.normalize(depth);
        }
        depth_note(depth_range, session);
    }
    target.write(&without_alpha(image), session)
}

pub(super) fn inapplicable(args: &Args, task: &Task, error: &FrameError) -> Failure {
    let option = match (error, args.until) {
        (FrameError::NoSuchEnd { .. }, Some(until)) => format!("--until {until}"),
        (FrameError::NoSuchDraw { draw, .. }, _) => format!("--highlight {draw}"),
        _ => match args.buffer {
            Buffer::Depth => format!("--size {} of the depth buffer", args.size()),
            Buffer::Display | Buffer::Color | Buffer::Stencil => format!("--size {}", args.size()),
        },
    };
    Failure::inapplicable(&task.input, &option, error)
}
