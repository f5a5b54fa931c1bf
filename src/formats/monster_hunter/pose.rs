//! Computes a skeleton's matrices from each bone's scale, rotation and translation, at rest and in animations.
//!
//! # Invariants
//! Angles turn around x, then y, then z. Scales pass from parents to children along each bone's own axes, so that a
//! turned bone below a scaled bone does not shear. A bone without turn and scale keeps its translation bit for bit.
//! Source: [poses](crate::reference::formats::pmo#poses).

use crate::formats::core::euler::{EulerOrder, Transform, rotated_axes};
use crate::model::matrix::{Affine, single, translation};
use crate::model::skeleton::parents_first;

/// Computes each bone's matrix relative to its parent. `parents` holds bone indices and must have no cycle.
pub(super) fn locals(parents: &[Option<usize>], own: &[Transform]) -> Vec<Affine> {
    let scales = scale_products(parents, own);
    let inherited = |parent: &Option<usize>| parent.and_then(|parent| scales.get(parent)).copied();
    own.iter()
        .zip(parents)
        .map(|(transform, parent)| local(transform, inherited(parent).unwrap_or([1.0; 3])))
        .collect()
}

/// Multiplies each bone's scale with those of all its parents.
fn scale_products(parents: &[Option<usize>], own: &[Transform]) -> Vec<[f64; 3]> {
    let mut products = vec![[1.0; 3]; own.len()];
    for index in parents_first(parents) {
        let parent = parents.get(index).copied().flatten();
        let above = parent.and_then(|parent| products.get(parent).copied()).unwrap_or([1.0; 3]);
        if let (Some(product), Some(transform)) = (products.get_mut(index), own.get(index)) {
            *product = multiply(above, transform.scale.map(f64::from));
        }
    }
    products
}

/// Computes a bone's matrix if its parents scale by `inherited`. It applies the inherited and the own scale,
/// rotates, undoes the inherited scale, and translates, in this order.
fn local(transform: &Transform, inherited: [f64; 3]) -> Affine {
    let mut matrix = translation(transform.translation);
    if inherited == [1.0; 3] && transform.scale == [1.0; 3] && transform.rotation == [0.0; 3] {
        return matrix;
    }
    let scale = multiply(inherited, transform.scale.map(f64::from));
    let axes = rotated_axes(transform.rotation, EulerOrder::X_FIRST);
    // If the parents flatten an axis, it stays flat whatever the factor is.
    let undo = inherited.map(|factor| if factor == 0.0 { 1.0 } else { 1.0 / factor });
    let columns = axes.into_iter().zip(scale).flat_map(|(axis, factor)| {
        let scaled = axis.map(|value| value * factor);
        multiply(scaled, undo)
    });
    for (element, value) in matrix.iter_mut().zip(columns) {
        *element = single(value);
    }
    matrix
}

fn multiply([x, y, z]: [f64; 3], [by_x, by_y, by_z]: [f64; 3]) -> [f64; 3] {
    [x * by_x, y * by_y, z * by_z]
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::matrix::{then, transform};

    const QUARTER: f32 = std::f32::consts::FRAC_PI_2;

    #[test]
    fn scales_do_not_shear_turned_children() {
        let parent = Transform { scale: [3.0, 1.0, 1.0], ..Transform::IDENTITY };
        let child =
            Transform { translation: [2.0, 0.0, 0.0], rotation: [0.0, 0.0, QUARTER], scale: [1.0, 2.0, 1.0] };
        // The parent comes later in the file.
        let matrices = locals(&[Some(1), None], &[child, parent]);
        let world = then(&matrices[0], &matrices[1]);
        // The parent moves the child by 3 * 2. The child's x axis points up and is three times as long, as the
        // parent's.
        for (point, expected) in [
            ([0.0, 0.0, 0.0], [6.0, 0.0, 0.0]),
            ([1.0, 0.0, 0.0], [6.0, 3.0, 0.0]),
            ([0.0, 1.0, 0.0], [4.0, 0.0, 0.0]),
        ] {
            let found = transform(&world, point);
            let is_close =
                found.iter().zip(expected).all(|(one, other): (&f32, f32)| (one - other).abs() < 1e-5);
            assert!(is_close, "{point:?} goes to {found:?}, not to {expected:?}");
        }
    }

    #[test]
    fn translations_stay_exact_and_zero_scales_finite() {
        let moved = Transform { translation: [0.1, 0.2, 0.3], ..Transform::IDENTITY };
        assert_eq!(locals(&[None], &[moved]), [translation([0.1, 0.2, 0.3])], "bit for bit");
        let flat = Transform { scale: [0.0; 3], ..Transform::IDENTITY };
        let matrices = locals(&[None, Some(0)], &[flat, moved]);
        assert!(matrices.as_flattened().iter().all(|element| element.is_finite()), "{matrices:?}");
    }
}
