//! Draws pictures of models: a single picture, or a sequence.

use image::{DynamicImage, GrayImage, Luma};
use pspge::model::Model;
use pspge::scene::depth_range::DepthRange;
use pspge::scene::frame_range::FrameRangeError;
use pspge::scene::render::{ModelRenderer, Picture};
use pspge::scene::sequence::Sequence;

use super::target::{SequenceWriter, Target};
use super::values::Buffer;
use super::{Args, depth_note};
use crate::input::animation;
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::progress;

pub(super) fn draw(
    args: &Args,
    renderer: &ModelRenderer,
    model: &Model,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let setup = renderer.setup(model);
    let bar = progress::bar("tiles", setup.tiles().count() as u64);
    let mut picture = renderer.render_tiles(model, &setup, setup.tiles(), &mut |_| bar.inc(1));
    drop(bar);
    session.notes.list.add_run(&picture.notes);
    session.notes.list.add_unused(&renderer.overrides.unused(&picture.overridden));
    if args.normalize {
        let range = picture.depth_range();
        normalize(&mut picture, range);
        depth_note(range, session);
    }
    target.write(&image_of(args, picture), session)
}

/// Draws a sequence: animation frames, or a turn around the model.
pub(super) fn draw_sequence(
    args: &Args,
    task: &Task,
    renderer: &ModelRenderer,
    model: &mut Model,
    target: &Target,
    session: &mut Session,
) -> Result<(), Failure> {
    let sequence = sequence(args, task, model)?;
    // A first pass finds the depth range for the whole sequence, to make its pictures comparable.
    let mut range: Option<DepthRange> = None;
    if args.normalize {
        sequence.render(renderer, model, &mut |_, picture| {
            range = [range, picture.depth_range()].into_iter().flatten().reduce(DepthRange::union);
            Ok::<(), Failure>(())
        })?;
        depth_note(range, session);
    }
    let bar = progress::bar("pictures", sequence.len() as u64);
    let mut writer = SequenceWriter::new(target, sequence.len(), sequence.rate())?;
    let mut overridden = vec![0; renderer.overrides.all().len()];
    let drawn = sequence.render(renderer, model, &mut |index, mut picture| {
        session.notes.list.add_run(&picture.notes);
        for (sum, count) in overridden.iter_mut().zip(&picture.overridden) {
            *sum += count;
        }
        normalize(&mut picture, range);
        bar.inc(1);
        writer.add(sequence.number(index), &image_of(args, picture), session)
    });
    drop(bar);
    drawn?;
    session.notes.list.add_unused(&renderer.overrides.unused(&overridden));
    writer.finish(session)
}

fn sequence(args: &Args, task: &Task, model: &Model) -> Result<Sequence, Failure> {
    let (wanted, range) = match (&args.open.model.anim, &args.frames, args.turntable) {
        (_, None, Some(count)) => return Ok(Sequence::turntable(count)),
        (Some(wanted), Some(range), _) => (wanted, range),
        _ => return Err(Failure::usage("--frames needs --anim")),
    };
    let number = animation::find(wanted, &task.input, model)?;
    let sequence = Sequence::of_animation(model, number, range).map_err(|error| {
        let reason = match error {
            FrameRangeError::BeyondEnd { frames, .. } => {
                format!("animation {wanted} has {frames} frames, counted from 0")
            }
            other => other.to_string(),
        };
        Failure::inapplicable(&task.input, &format!("--frames {range}"), reason)
    })?;
    Ok(match args.turntable {
        Some(count) => sequence.during_turn(count),
        None => sequence,
    })
}

fn normalize(picture: &mut Picture, range: Option<DepthRange>) {
    if let Some(range) = range {
        range.normalize(&mut picture.depth);
    }
}

fn image_of(args: &Args, picture: Picture) -> DynamicImage {
    let colors = picture.colors;
    match args.buffer {
        Buffer::Depth => DynamicImage::ImageLuma16(picture.depth),
        Buffer::Stencil => {
            let alpha = |x, y| Luma([colors.get_pixel(x, y).0[3]]);
            DynamicImage::ImageLuma8(GrayImage::from_fn(colors.width(), colors.height(), alpha))
        }
        Buffer::Display | Buffer::Color if args.background.is_some_and(|background| background.has_alpha) => {
            DynamicImage::ImageRgba8(colors)
        }
        Buffer::Display | Buffer::Color => {
            DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(colors).into_rgb8())
        }
    }
}
