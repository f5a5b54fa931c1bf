//! Pictures of one draw in its frame, and of overdraw.

use image::DynamicImage;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::model::Model;
use pspge::raster::{PixelFate, RasterOptions};
use pspge::scene::frame::FrameRenderer;
use pspge::scene::highlight::{self, HighlightPicture, OTHER_FATES, WRITTEN};
use pspge::scene::overdraw::{self, OverdrawPicture};
use pspge::scene::render_target::TILE_SIZE_MAX;

use super::target::Target;
use super::{Args, frame, model};
use crate::failure::Failure;
use crate::job::{Session, Task};

/// Draws the list of a model, with its camera and the clear before it, as `pspge draw` numbers its draws.
pub(super) fn draw_model(
    args: &Args,
    task: &Task,
    model: &mut Model,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let size = args.size();
    if size.width > TILE_SIZE_MAX || size.height > TILE_SIZE_MAX {
        let option = format!("--size {size}");
        let reason = format!(
            "the picture shows one framebuffer, which has at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels of a model"
        );
        return Err(Failure::inapplicable(&task.input, &option, reason));
    }
    let renderer = model::renderer(args, task, model, session)?;
    let arithmetic = renderer.options.arithmetic;
    draw(args, task, (&renderer.capture(model), arithmetic), target, session)
}

/// Runs a list and writes the picture that the options ask for.
pub(super) fn draw(
    args: &Args,
    task: &Task,
    (capture, arithmetic): (&Capture, Arithmetic),
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let size = args.size();
    let options = RasterOptions { arithmetic, threads: session.threads, ..RasterOptions::default() };
    let renderer = FrameRenderer {
        size: [size.width, size.height],
        options,
        limits: args.open.limits(),
        stop: args.until,
        finds_depth_range: false,
    };
    let buffer = args.buffer.of_frame();
    let image = if let Some(draw) = args.highlight {
        let picture = highlight::render(&renderer, capture, buffer, draw)
            .map_err(|error| frame::inapplicable(args, task, &error))?;
        session.notes.add_report(&picture.run.report);
        session.notes.add_unused(&capture.overrides, &picture.run.report.overridden);
        note_highlight(draw, &picture, session);
        picture.image
    } else {
        let picture = overdraw::render(&renderer, capture, buffer)
            .map_err(|error| frame::inapplicable(args, task, &error))?;
        session.notes.add_report(&picture.run.report);
        session.notes.add_unused(&capture.overrides, &picture.run.report.overridden);
        note_overdraw(&picture, session);
        picture.image
    };
    let image = DynamicImage::ImageRgb8(image);
    frame::note_cut(args, &image, session);
    target.write(&image, session)
}

/// Tells how many pixels have each colour.
fn note_highlight(draw: u64, picture: &HighlightPicture, session: &mut Session) {
    if let Some(hit) = picture.limit_hit {
        session.notes.add("limit", format!("a part of draw {draw} is not shown: {hit}"));
    }
    let Some(bounds) = picture.bounds else {
        let target = pspge::ge::address::Address::vram(picture.target.address);
        let message = format!("draw {draw}, to the buffer at {target}, touches no pixel of the picture");
        session.notes.add("highlight", message);
        return;
    };
    let counts = picture.pixels.iter().map(|(fate, count)| {
        let other = OTHER_FATES.iter().find(|(known, ..)| known == fate);
        let ([red, green, blue], name) = match other {
            Some((_, color, name)) if *fate != PixelFate::Written => (*color, *name),
            _ => (WRITTEN, "written"),
        };
        format!("{count} {name} (#{red:02x}{green:02x}{blue:02x})")
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    session.notes.inform("highlight", format!("draw {draw} has pixels from {bounds}: {counts}"));
}

/// Tells the largest and the mean number of fragments, and the scale.
fn note_overdraw(picture: &OverdrawPicture, session: &mut Session) {
    let pixels = u64::from(picture.image.width()) * u64::from(picture.image.height());
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    let mean = if pixels == 0 { 0.0 } else { picture.fragments as f64 / pixels as f64 };
    let (largest, legend) = (picture.largest, overdraw::legend());
    let message =
        format!("at most {largest} fragments were written to a pixel, {mean:.2} on average; {legend}");
    session.notes.inform("overdraw", message);
}
