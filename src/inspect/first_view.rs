//! Chooses the camera to show a model with at first.

use crate::asset::View;
use crate::documents::InfoDocument;
use crate::documents::info::BoundsInfo;
use crate::model::Model;
use crate::model::matrix::transform;
use crate::scene::camera::Camera;

use super::request::CameraSpec;

/// A model is flat if each of its other sides is this many times as long as the shortest.
const FLATNESS: f32 = 6.0;

/// Returns the camera that looks straight at a flat model: a map from above, a picture from the front. The usual
/// camera would show little of it. Returns `None` for all other models.
pub(super) fn camera(model: &Model, info: &InfoDocument) -> Option<CameraSpec> {
    let Camera { yaw, pitch, zoom } = view_of(extents(model, info.bounds.as_ref()?))?.camera();
    Some(CameraSpec { yaw, pitch, zoom })
}

/// Returns the side from which to look at a flat box with this width, height and depth.
fn view_of(sides: [f32; 3]) -> Option<View> {
    if !sides.into_iter().all(f32::is_finite) {
        return None;
    }
    let [width, height, depth] = sides;
    let is_flat = |thin: f32, one: f32, other: f32| thin * FLATNESS <= one.min(other) && one.min(other) > 0.0;
    if is_flat(height, width, depth) {
        Some(View::Top)
    } else if is_flat(depth, width, height) {
        Some(View::Front)
    } else {
        is_flat(width, height, depth).then_some(View::Left)
    }
}

/// Returns the upright model's width, height and depth.
fn extents(model: &Model, bounds: &BoundsInfo) -> [f32; 3] {
    let [min, max] = [&bounds.min, &bounds.max].map(|corner| corner.map(|coordinate| coordinate.0));
    // An upright model is only turned by right angles, so two opposite corners tell its sides.
    let [min, max] = [min, max].map(|raw| model.up.upright().map_or(raw, |upright| transform(&upright, raw)));
    std::array::from_fn(|axis| (max[axis] - min[axis]).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_boxes_are_looked_at_from_their_large_side() {
        for (sides, view) in [
            ([32.0, 0.0, 32.0], Some(View::Top)),
            ([60.0, 10.0, 80.0], Some(View::Top)),
            ([60.0, 11.0, 80.0], None),
            ([4.0, 3.0, 0.1], Some(View::Front)),
            ([0.1, 3.0, 4.0], Some(View::Left)),
            ([0.1, 3.0, 0.1], None),
            ([0.0; 3], None),
            ([f32::NEG_INFINITY; 3], None),
            ([f32::NAN, 0.0, 1.0], None),
        ] {
            assert_eq!(view_of(sides), view, "{sides:?}");
        }
    }
}
