//! Computes a skeleton's matrices from each bone's scale, rotation and translation, at rest and in animations.
//!
//! # Invariants
//! Angles turn around x, then y, then z. Scales pass from parents to children along each bone's own axes, so that a
//! turned bone below a scaled bone does not shear. A bone without turn and scale keeps its translation bit for bit.
//! Source: [poses](crate::reference::formats::pmo#poses).

use crate::formats::core::euler::{EulerOrder, Transform, rotated_axes};
use crate::model::matrix::{Affine, translation};

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
    let mut products: Vec<Option<[f64; 3]>> = vec![None; own.len()];
    let mut path = Vec::new();
    // Parents may come later in the file: walk up to the first known product, then multiply on the way back.
    for start in 0..own.len() {
        let mut at = Some(start);
        while let Some(index) = at.filter(|&index| products.get(index).is_some_and(Option::is_none)) {
            path.push(index);
            at = parents.get(index).copied().flatten();
        }
        while let Some(index) = path.pop() {
            let parent = parents.get(index).copied().flatten();
            let above = parent.and_then(|parent| products.get(parent).copied().flatten()).unwrap_or([1.0; 3]);
            let scale = own.get(index).map_or([1.0; 3], |transform| transform.scale.map(f64::from));
            if let Some(product) = products.get_mut(index) {
                *product = Some(multiply(above, scale));
            }
        }
    }
    products.into_iter().map(|product| product.unwrap_or([1.0; 3])).collect()
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
        #[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
        let value = value as f32;
        *element = value;
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
