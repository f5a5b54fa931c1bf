//! Poses a model by `--anim` and `--frame`.

use pspge::model::Model;
use pspge::model::pose::PoseError;

use super::options::ModelOptions;
use crate::terminal::failure::Failure;

/// Poses a model as the options say.
///
/// # Errors
/// If the model has no such animation, or the animation no such frame.
pub(super) fn pose(options: &ModelOptions, input: &str, model: &mut Model) -> Result<(), Failure> {
    let Some(wanted) = &options.anim else { return Ok(()) };
    let frame = options.frame.unwrap_or(0.0);
    model.pose_by(wanted, frame).map_err(|error| {
        let option = match error {
            PoseError::NoFrame { .. } => format!("--frame {frame}"),
            _ => format!("--anim {wanted}"),
        };
        Failure::inapplicable(input, &option, error)
    })
}

/// Finds an animation by name or number, and returns its index.
///
/// # Errors
/// If the model has no such animation.
pub(crate) fn find(wanted: &str, input: &str, model: &Model) -> Result<usize, Failure> {
    model
        .find_animation(wanted)
        .map_err(|error| Failure::inapplicable(input, &format!("--anim {wanted}"), error))
}
