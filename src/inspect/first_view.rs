//! Chooses the camera with which a page shows a model at first.

use crate::asset::View;
use crate::documents::InfoDocument;
use crate::documents::info::BoundsInfo;
use crate::model::Model;
use crate::model::matrix::transform;

use super::request::CameraSpec;

/// A model is flat if it is this many times wider and deeper than high.
const FLATNESS: f32 = 8.0;

/// Returns the camera that shows a flat model from above, because the usual one would see little of it. Returns `None` for
/// all other models.
pub(super) fn camera(model: &Model, info: &InfoDocument) -> Option<CameraSpec> {
    let [width, height, depth] = extents(model, info.bounds.as_ref()?);
    let is_flat = height * FLATNESS <= width.min(depth);
    let above = View::Top.camera();
    is_flat.then_some(CameraSpec { yaw: above.yaw, pitch: above.pitch, zoom: above.zoom })
}

/// Returns width, height and depth of the upright model.
fn extents(model: &Model, bounds: &BoundsInfo) -> [f32; 3] {
    let [min, max] = [bounds.min, bounds.max].map(|corner| corner.map(|coordinate| coordinate.0));
    let corner = |which: usize| {
        let raw: [f32; 3] =
            std::array::from_fn(|axis| (if which >> axis & 1 == 0 { min } else { max })[axis] as f32);
        model.up.upright().map_or(raw, |upright| transform(&upright, raw))
    };
    std::array::from_fn(|axis| {
        let along = (0..8).map(|which| corner(which)[axis]);
        let least = along.clone().fold(f32::INFINITY, f32::min);
        along.fold(f32::NEG_INFINITY, f32::max) - least
    })
}
