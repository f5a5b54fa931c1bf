//! Computes bone matrices from placements.
//! Source: [GMO bones](crate::reference::formats::psp_sdk#gmo-bones).
//!
//! # Invariants
//! The skeleton has a bone for each in the file, with its number as id. If any bone scales apart from its matrix,
//! each also has a child, whose matrix is used to draw parts: [`Rig::drawn`].

use super::raw::command;
use super::scene::{Bone, Placement, Rotation, ScaleKind, Scene, Target};
use crate::formats::core::euler::{EulerOrder, rotated_axes};
use crate::model::matrix::{Affine, IDENTITY, single};
use crate::model::skeleton::parents_first;
use crate::model::{Bone as ModelBone, Skeleton};

/// A model's bones, to compute their matrices.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    parents: Vec<Option<usize>>,
    /// Bone numbers, with parents before their children.
    order: Vec<usize>,
    names: Vec<Option<String>>,
    /// The placements at rest.
    pub(super) rest: Vec<Placement>,
    /// Whether any bone scales apart from its matrix.
    scales_apart: bool,
}

/// Numbers for x, y and z.
type Axes = [f64; 3];

fn times(one: Axes, other: Axes) -> Axes {
    let [x, y, z] = one;
    [x * other[0], y * other[1], z * other[2]]
}

impl Rig {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let bones = &scene.bones;
        let parents: Vec<Option<usize>> = bones.iter().map(|bone| bone.parent).collect();
        let is_apart = |bone: &Bone| bone.placement.scale_kind != ScaleKind::Matrix;
        let moves_apart = scene.motions.iter().flat_map(|motion| &motion.tracks).any(|track| {
            matches!(track.target, Target::Bone(_))
                && matches!(track.channel, command::SCALE2 | command::SCALE3)
        });
        Self {
            order: parents_first(&parents),
            parents,
            names: bones.iter().map(|bone| bone.name.clone()).collect(),
            rest: bones.iter().map(|bone| bone.placement).collect(),
            scales_apart: moves_apart || bones.iter().any(is_apart),
        }
    }

    /// Returns the id of the skeleton bone whose matrix draws this bone's parts.
    pub(super) fn drawn(&self, bone: usize) -> u32 {
        let number = if self.scales_apart { self.parents.len().saturating_add(bone) } else { bone };
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// Returns the skeleton at rest; `None` without bones.
    pub(super) fn skeleton(&self) -> Option<Skeleton> {
        let count = self.parents.len();
        if count == 0 {
            return None;
        }
        let locals = self.locals(&self.rest);
        let bone = |(index, local): (usize, Affine)| {
            let own = index.checked_rem(count).unwrap_or(0);
            let name = self.names.get(own).cloned().flatten();
            let (name, parent) = if index < count {
                (name, self.parents.get(own).copied().flatten())
            } else {
                (Some(format!("{} scaled", name.unwrap_or_default())), Some(own))
            };
            ModelBone { id: u32::try_from(index).unwrap_or(u32::MAX), name, parent, local }
        };
        Skeleton::new(locals.into_iter().enumerate().map(bone).collect())
    }

    /// Computes all bone matrices relative to their parents. If any bone scales apart, the matrices for drawing
    /// parts follow.
    pub(super) fn locals(&self, placements: &[Placement]) -> Vec<Affine> {
        let count = self.parents.len();
        let mut locals = vec![IDENTITY; count];
        let mut drawn = vec![IDENTITY; count];
        // The scale that each bone hands on to its children.
        let mut handed = vec![[1.0_f64; 3]; count];
        for &number in &self.order {
            let Some(placement) = placements.get(number) else { continue };
            let parent = self.parents.get(number).copied().flatten();
            let inherited = parent.and_then(|parent| handed.get(parent).copied()).unwrap_or([1.0; 3]);
            let of_parent = parent.and_then(|parent| placements.get(parent));
            let own = match of_parent {
                Some(parent) if parent.scale_kind == ScaleKind::Own => {
                    let [x, y, z] = parent.scale.map(f64::from);
                    let divided = |value: f64, by: f64| if by == 0.0 { value } else { value / by };
                    [divided(inherited[0], x), divided(inherited[1], y), divided(inherited[2], z)]
                }
                _ => inherited,
            };
            let scale = placement.scale.map(f64::from);
            let is_apart = placement.scale_kind != ScaleKind::Matrix && placement.matrix.is_none();
            let out = if is_apart { times(own, scale) } else { own };
            if let (Some(local), Some(drawn), Some(handed)) =
                (locals.get_mut(number), drawn.get_mut(number), handed.get_mut(number))
            {
                *local = matrix(placement, inherited);
                *drawn = scaled_around(out, placement.pivot.map(f64::from));
                *handed = out;
            }
        }
        if self.scales_apart {
            locals.extend(drawn);
        }
        locals
    }
}

/// Computes a bone's matrix without a separate scale. `inherited` stretches its translation.
fn matrix(placement: &Placement, inherited: Axes) -> Affine {
    if let Some(matrix) = placement.matrix {
        return matrix;
    }
    let axes = match placement.rotation {
        Rotation::XFirst(angles) => rotated_axes(angles, EulerOrder::X_FIRST),
        Rotation::ZFirst(angles) => rotated_axes(angles, EulerOrder::Z_X_Y),
        Rotation::Quaternion(quaternion) => quaternion_axes(quaternion.map(f64::from)),
    };
    let factors = if placement.scale_kind == ScaleKind::Matrix { placement.scale } else { [1.0; 3] };
    let mut columns = axes;
    for (column, factor) in columns.iter_mut().zip(factors) {
        *column = column.map(|value| value * f64::from(factor));
    }
    // Turn around the pivot, so that it stays in place.
    let pivot = placement.pivot.map(f64::from);
    let mut turned = [0.0; 3];
    for (column, amount) in columns.iter().zip(pivot) {
        for (sum, value) in turned.iter_mut().zip(column) {
            *sum += value * amount;
        }
    }
    let mut place = placement.translation.map(f64::from);
    for (value, pivot) in place.iter_mut().zip(pivot) {
        *value += pivot;
    }
    let place = times(place, inherited);
    let [x, y, z] = columns.map(|column| column.map(single));
    let mut out = [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], 0.0, 0.0, 0.0];
    for (value, (place, turned)) in out.iter_mut().skip(9).zip(place.into_iter().zip(turned)) {
        *value = single(place - turned);
    }
    out
}

/// Computes a scale around a point.
fn scaled_around(scale: Axes, point: Axes) -> Affine {
    let [x, y, z] = scale.map(single);
    let moved = times(scale, point);
    let mut out = [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0];
    for (value, (point, moved)) in out.iter_mut().skip(9).zip(point.into_iter().zip(moved)) {
        *value = single(point - moved);
    }
    out
}

/// Computes the axes of a quaternion's rotation. The quaternion (x, y, z, w) is normalised first.
fn quaternion_axes(quaternion: [f64; 4]) -> [[f64; 3]; 3] {
    let length = libm::sqrt(quaternion.iter().map(|value| value * value).sum());
    if length == 0.0 || !length.is_finite() {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let [x, y, z, w] = quaternion.map(|value| value / length);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::matrix::{then, transform};

    fn placement(scale: [f32; 3], scale_kind: ScaleKind) -> Placement {
        Placement { translation: [0.0, 1.0, 0.0], scale, scale_kind, ..Placement::default() }
    }

    fn rig(placements: &[(Option<usize>, Placement)]) -> Rig {
        let bone = |(parent, placement): &(Option<usize>, Placement)| Bone {
            parent: *parent,
            placement: *placement,
            ..Bone::default()
        };
        Rig::of(&Scene { bones: placements.iter().map(bone).collect(), ..Scene::default() })
    }

    /// Returns the place of the point (1, 1, 1) in each bone's drawn parts.
    fn corners(rig: &Rig) -> Vec<[f32; 3]> {
        let skeleton = rig.skeleton().expect("bones");
        let world = skeleton.world(&skeleton.rest());
        (0..rig.parents.len())
            .map(|bone| {
                let index = skeleton.index_of(rig.drawn(bone)).expect("an id");
                transform(&world[index], [1.0, 1.0, 1.0])
            })
            .collect()
    }

    #[test]
    fn scales_are_inherited_with_the_matrix_or_apart() {
        let chain = |kind| {
            let two = placement([2.0, 3.0, 1.0], kind);
            rig(&[(None, two), (Some(0), placement([1.0; 3], ScaleKind::Matrix)), (Some(1), two)])
        };
        let with_matrix = corners(&chain(ScaleKind::Matrix));
        assert_eq!(with_matrix, [[2.0, 4.0, 1.0], [2.0, 7.0, 1.0], [4.0, 16.0, 1.0]], "with the matrix");
        // Children move by their parent's scale, and take on its size.
        let apart = corners(&chain(ScaleKind::Apart));
        assert_eq!(apart, [[2.0, 4.0, 1.0], [2.0, 7.0, 1.0], [4.0, 16.0, 1.0]], "apart");
        // Their own size leaves out the parent's scale.
        let own = corners(&chain(ScaleKind::Own));
        assert_eq!(own, [[2.0, 4.0, 1.0], [1.0, 5.0, 1.0], [2.0, 8.0, 1.0]], "divided out");
    }

    #[test]
    fn scales_apart_do_not_shear() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let parent = placement([2.0, 1.0, 1.0], ScaleKind::Apart);
        let child = Placement {
            translation: [1.0, 0.0, 0.0],
            rotation: Rotation::XFirst([0.0, 0.0, quarter]),
            ..Placement::default()
        };
        let rig = rig(&[(None, parent), (Some(0), child)]);
        let [_, corner] = corners(&rig)[..] else { panic!("two bones") };
        // The child is moved to (2, 1, 0), stretched along its own x, and turned.
        for (found, expected) in corner.into_iter().zip([1.0, 3.0, 1.0]) {
            assert!((found - expected).abs() < 1e-6, "{corner:?}");
        }
    }

    #[test]
    fn rotations_agree() {
        // A quarter turn around y, then another around z, as angles and as a quaternion.
        let quarter = std::f32::consts::FRAC_PI_2;
        let turned = |rotation| matrix(&Placement { rotation, ..Placement::default() }, [1.0; 3]);
        let angles = turned(Rotation::XFirst([0.0, quarter, quarter]));
        let quaternion = turned(Rotation::Quaternion([-0.5, 0.5, 0.5, 0.5]));
        for (one, other) in angles.iter().zip(quaternion) {
            assert!((one - other).abs() < 1e-6, "{angles:?} {quaternion:?}");
        }
        // Z first, then x, then y is the product of single turns.
        let single = |rotation: [f32; 3]| turned(Rotation::XFirst(rotation));
        let product =
            then(&then(&single([0.0, 0.0, 0.3]), &single([0.5, 0.0, 0.0])), &single([0.0, 0.7, 0.0]));
        let found = turned(Rotation::ZFirst([0.5, 0.7, 0.3]));
        for (one, other) in found.iter().zip(product) {
            assert!((one - other).abs() < 1e-6, "{found:?} {product:?}");
        }
    }

    #[test]
    fn pivots_stay_in_place() {
        let turned = Placement {
            rotation: Rotation::XFirst([0.0, 0.0, 1.0]),
            scale: [2.0; 3],
            pivot: [3.0, 4.0, 5.0],
            ..Placement::default()
        };
        let found = transform(&matrix(&turned, [1.0; 3]), turned.pivot);
        for (found, expected) in found.into_iter().zip(turned.pivot) {
            assert!((found - expected).abs() < 1e-5, "{found:?}");
        }
    }
}
