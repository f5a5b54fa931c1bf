//! `--anim` and `--frame`: the pose of a model.

use pspge::model::{Animation, Model};

use super::options::ModelOptions;
use crate::failure::Failure;

/// Poses a model as the options say.
///
/// # Errors
/// If the model has no such animation, or the animation no such frame.
pub(super) fn pose(options: &ModelOptions, input: &str, model: &mut Model) -> Result<(), Failure> {
    let Some(wanted) = &options.anim else { return Ok(()) };
    let number = find(wanted, input, model)?;
    let frame = options.frame.unwrap_or(0.0);
    let frames = model.animations.get(number).map_or(0, |animation| animation.frames);
    if frame < 0.0 || frame > f64::from(frames.saturating_sub(1)) {
        let reason = format!("animation {wanted} has {frames} frames, counted from 0");
        return Err(Failure::inapplicable(input, &format!("--frame {frame}"), reason));
    }
    model.animate(number, frame);
    Ok(())
}

/// Returns the index of an animation, given by name or number.
///
/// # Errors
/// If the model has no such animation.
pub(crate) fn find(wanted: &str, input: &str, model: &Model) -> Result<usize, Failure> {
    let by_name = model.animations.iter().position(|animation| animation.name.as_deref() == Some(wanted));
    let by_number = || wanted.parse().ok().filter(|&number| number < model.animations.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let reason = match model.animations.len() {
            0 => "the model has no animations".to_owned(),
            1 => format!("the model has 1 animation: {}", names_of(&model.animations)),
            count => format!("the model has {count} animations: {}", names_of(&model.animations)),
        };
        Failure::inapplicable(input, &format!("--anim {wanted}"), reason)
    })
}

/// Lists animations by number and name, the first few of many.
fn names_of(animations: &[Animation]) -> String {
    const MOST: usize = 12;
    let name = |(number, animation): (usize, &Animation)| match &animation.name {
        Some(name) => format!("{number} {name}"),
        None => number.to_string(),
    };
    let names: Vec<String> = animations.iter().enumerate().take(MOST).map(name).collect();
    let more = if animations.len() > MOST { ", ..." } else { "" };
    format!("{}{more}", names.join(", "))
}
