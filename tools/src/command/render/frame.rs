//! Pictures of frame dumps and display lists.

use image::DynamicImage;
use pspge::ge::capture::Capture;
use pspge::raster::RasterOptions;
use pspge::scene::frame::{FrameError, FramePicture, FrameRenderer, without_alpha};

use super::target::Target;
use super::values::{Buffer, Size};
use super::{Args, depth_note};
use crate::failure::Failure;
use crate::job::{Session, Task};
use crate::progress;

/// Runs a list and writes one of its buffers.
pub(super) fn draw(
    args: &Args,
    task: &Task,
    capture: &Capture,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let size = args.size();
    let options = RasterOptions {
        arithmetic: args.arithmetic.map(Into::into).unwrap_or_default(),
        threads: session.threads,
        ..RasterOptions::default()
    };
    let renderer = FrameRenderer {
        size: [size.width, size.height],
        options,
        limits: args.open.limits(),
        stop: args.until,
        finds_depth_range: args.normalize,
    };
    let bar = progress::bar("runs", renderer.run_count().into());
    let drawn =
        renderer.render(capture, &[args.buffer.of_frame()], &mut |runs| bar.set_position(runs.into()));
    bar.finish_and_clear();
    let FramePicture { mut images, depth_range, is_unset, run, .. } =
        drawn.map_err(|error| inapplicable(args, task, &error))?;
    session.notes.add_report(&run.report);
    session.notes.add_unused(&capture.overrides, &run.report.overridden);
    if is_unset {
        let message = "the list sets up no such buffer (its rows have 0 pixels), so the picture is empty";
        session.notes.add("buffer-unset", message);
    }
    let Some(mut image) = images.pop() else { return Ok(()) };
    note_cut(args, &image, session);
    if args.normalize {
        if let (Some(range), DynamicImage::ImageLuma16(depth)) = (depth_range, &mut image) {
            range.normalize(depth);
        }
        depth_note(depth_range, session);
    }
    target.write(&without_alpha(image), session)
}

/// Notes that a picture is smaller than the user asked for.
pub(super) fn note_cut(args: &Args, image: &DynamicImage, session: &mut Session) {
    let drawn = Size { width: image.width(), height: image.height() };
    if let Some(size) = args.size.filter(|size| *size != drawn) {
        let message =
            format!("the picture has {drawn} instead of {size} pixels, as far as the buffer reaches");
        session.notes.add("picture-cut", message);
    }
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
