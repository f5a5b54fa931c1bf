//! Draws pictures to show a draw in its frame, or overdraw.

use image::DynamicImage;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pspge::scene::{highlight, overdraw};
use pspge::{Asset, RunSpec};

use super::target::Target;
use super::{Args, frame};
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;

/// Runs an input and writes the picture these options ask for. A model's list includes its camera and clear, so that
/// draws have the same numbers as in `pspge draw`.
pub(super) fn draw(
    args: &Args,
    task: &Task,
    asset: &Asset,
    spec: &RunSpec,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let size = args.size();
    if asset.model().is_some() && size.width.max(size.height) > TILE_SIZE_MAX {
        let option = format!("--size {size}");
        let reason = format!(
            "the picture shows one framebuffer, which has at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels of a model"
        );
        return Err(Failure::inapplicable(&task.input, &option, reason));
    }
    let shot = asset.shot(spec).map_err(|error| Failure::asset(&task.input, &error))?;
    let (renderer, buffer) = (frame::renderer(args, &shot), args.buffer.of_frame());
    let failure = |error| frame::inapplicable(args, task, &error);
    let image = if let Some(draw) = args.highlight {
        let picture = highlight::render(&renderer, &shot.capture, buffer, draw).map_err(failure)?;
        session.notes.list.add_highlight(draw, &picture);
        picture.image
    } else {
        let picture = overdraw::render(&renderer, &shot.capture, buffer).map_err(failure)?;
        session.notes.list.add_overdraw(&picture);
        picture.image
    };
    session.notes.list.add_cut([image.width(), image.height()], args.wanted_size());
    target.write(&DynamicImage::ImageRgb8(image), session)
}
