//! Skins vertices: combines up to eight bone matrices by each vertex's weights.
//!
//! The hardware adds up the products bone by bone. Emulators first sum the weighted matrices.
//! Source: [skinning](crate::reference::ge::vertices#skinning).

use arrayvec::ArrayVec;

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::math::{Affine, Vector3};
use crate::ge::arithmetic::simd::Simd;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::vertex::Vertex;

/// Several vertices' weights, bone by bone.
type Weights<R> = [Lanes<R>; 8];

/// A matrix per vertex, laid out as [`Affine`].
type AffineLanes<R> = [VectorLanes<R>; 4];

/// Several vertices' positions and normals.
type ModelVectors<R> = (VectorLanes<R>, VectorLanes<R>);

/// A draw's bones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skin<R> {
    bones: [Affine<R>; 8],
    count: usize,
    /// Whether the draw uses normals. If not, this leaves them as they are.
    normals: bool,
    /// Whether all bone elements are finite, so that products with weight 0 are zeros.
    is_finite: bool,
}

impl<R: Real> Skin<R> {
    /// Loads a draw's bones, or returns `None` if its vertices have no weights.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Option<Self> {
        let count = registers.get::<VertexType>().weights();
        (count > 0).then(|| {
            let bones = [0, 1, 2, 3, 4, 5, 6, 7].map(|bone| Affine::load_bone(registers, bone));
            Self::with_bones(bones, count)
        })
    }

    fn with_bones(bones: [Affine<R>; 8], count: usize) -> Self {
        let mut elements = bones.iter().take(count).flat_map(|bone| bone.0.as_flattened());
        let is_finite = elements.all(|element| element.to_f32().is_finite());
        Self { bones, count, normals: true, is_finite }
    }

    /// Leaves normals as they are, to save work for draws that do not use them.
    #[must_use]
    pub(crate) fn without_normals(self) -> Self {
        Self { normals: false, ..self }
    }

    /// Works as [`Self::apply`] does, for up to [`LANES`] vertices.
    #[inline(always)]
    #[must_use]
    pub(crate) fn apply_lanes(&self, vertices: &[&Vertex]) -> ModelVectors<R> {
        // Most vertices have few weights, and to gather unused ones takes as long as a bone.
        let weights: Weights<R> = match self.count {
            0 | 1 => gathered_weights::<R, 1>(vertices),
            2 => gathered_weights::<R, 2>(vertices),
            3 | 4 => gathered_weights::<R, 4>(vertices),
            _ => gathered_weights::<R, 8>(vertices),
        };
        let positions = lanes::gather(vertices, |vertex| vertex.position);
        let normals = lanes::gather(vertices, |vertex| vertex.normal);
        match (R::ARITHMETIC, self.normals) {
            (Arithmetic::Hardware, true) => self.sum_bones::<true>(&weights, &positions, &normals),
            (Arithmetic::Hardware, false) => self.sum_bones::<false>(&weights, &positions, &normals),
            (Arithmetic::Single, _) => {
                let matrix = self.blended(&weights);
                (transform_points_each(&matrix, &positions), transform_directions_each(&matrix, &normals))
            }
        }
    }

    /// Transforms positions, and normals if asked for, by all bones in the hardware's order, because rounding
    /// depends on it. Each element is weighted first. Then a single sum takes, bone by bone, the translation
    /// (positions only) and the products with x, y and z.
    #[inline(always)]
    fn sum_bones<const NORMALS: bool>(
        &self,
        weights: &Weights<R>,
        positions: &VectorLanes<R>,
        normals: &VectorLanes<R>,
    ) -> ModelVectors<R> {
        let mut position_sums = [[R::ZERO; LANES]; 3];
        let mut normal_sums = if NORMALS { [[R::ZERO; LANES]; 3] } else { *normals };
        let may_skip = self.is_finite && are_finite(positions) && (!NORMALS || are_finite(normals));
        let ([x, y, z], [normal_x, normal_y, normal_z]) = (positions, normals);
        for (bone, weights) in self.bones.iter().zip(weights).take(self.count) {
            // Products with weight 0 are zeros of either sign. They change no sum but -0, so this can skip the bone.
            let adds_zeros = weights.iter().fold(may_skip, |zeros, weight| zeros & (*weight == R::ZERO));
            if adds_zeros
                && !has_negative_zero(&position_sums)
                && (!NORMALS || !has_negative_zero(&normal_sums))
            {
                continue;
            }
            let [row_x, row_y, row_z, moved] = &bone.0;
            for axis in 0..3 {
                for lane in 0..LANES {
                    let weight = weights[lane];
                    let [to_x, to_y, to_z] =
                        [weight * row_x[axis], weight * row_y[axis], weight * row_z[axis]];
                    let mut sum = position_sums[axis][lane];
                    sum = sum + weight * moved[axis];
                    sum = sum + to_x * x[lane];
                    sum = sum + to_y * y[lane];
                    sum = sum + to_z * z[lane];
                    position_sums[axis][lane] = sum;
                    if NORMALS {
                        let mut sum = normal_sums[axis][lane];
                        sum = sum + to_x * normal_x[lane];
                        sum = sum + to_y * normal_y[lane];
                        sum = sum + to_z * normal_z[lane];
                        normal_sums[axis][lane] = sum;
                    }
                }
            }
        }
        (position_sums, normal_sums)
    }

    /// Sums the weighted bone matrices, as emulators do.
    #[inline(always)]
    fn blended(&self, weights: &Weights<R>) -> AffineLanes<R> {
        let mut sum = [[[R::ZERO; LANES]; 3]; 4];
        for (bone, weights) in self.bones.iter().zip(weights).take(self.count) {
            for (sum, element) in sum.as_flattened_mut().iter_mut().zip(bone.0.as_flattened()) {
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum = *sum + *element * *weight;
                }
            }
        }
        sum
    }

    /// Skins vertices in place.
    pub(crate) fn apply_all<S: Simd>(&self, simd: S, vertices: &mut [Vertex]) {
        for vertices in vertices.chunks_mut(LANES) {
            let (positions, normals) = simd.vectorize(
                #[inline(always)]
                || {
                    let vertices: ArrayVec<&Vertex, LANES> = vertices.iter().collect();
                    self.apply_lanes(&vertices)
                },
            );
            for (lane, vertex) in vertices.iter_mut().enumerate() {
                for axis in 0..3 {
                    vertex.position[axis] = positions[axis][lane].to_f32();
                    vertex.normal[axis] = normals[axis][lane].to_f32();
                }
            }
        }
    }

    /// Computes the skinned position and normal in model space. Weights are not normalised.
    #[must_use]
    pub(crate) fn apply(&self, vertex: &Vertex) -> (Vector3<R>, Vector3<R>) {
        let (positions, normals) = self.apply_lanes(&[vertex]);
        (lanes::extract(&positions, 0), lanes::extract(&normals, 0))
    }
}

/// Gathers the first `N` weights; the others are 0.
#[inline(always)]
fn gathered_weights<R: Real, const N: usize>(vertices: &[&Vertex]) -> Weights<R> {
    let mut weights = [[R::ZERO; LANES]; 8];
    let first = lanes::gather::<_, R, N>(vertices, |vertex| {
        vertex.weights.first_chunk().copied().unwrap_or([0.0; N])
    });
    for (out, first) in weights.iter_mut().zip(first) {
        *out = first;
    }
    weights
}

#[inline(always)]
fn are_finite<R: Real>(vectors: &VectorLanes<R>) -> bool {
    vectors.as_flattened().iter().fold(true, |finite, number| finite & number.to_f32().is_finite())
}

#[inline(always)]
fn has_negative_zero<R: Real>(vectors: &VectorLanes<R>) -> bool {
    let negative_zero = (-0.0_f32).to_bits();
    vectors
        .as_flattened()
        .iter()
        .fold(false, |found, number| found | (number.to_f32().to_bits() == negative_zero))
}

/// Transforms each direction by its own matrix.
#[inline(always)]
fn transform_directions_each<R: Real>(
    [row_x, row_y, row_z, _]: &AffineLanes<R>,
    [x, y, z]: &VectorLanes<R>,
) -> VectorLanes<R> {
    let mut out = [[R::ZERO; LANES]; 3];
    for (j, out) in out.iter_mut().enumerate() {
        for (lane, out) in out.iter_mut().enumerate() {
            *out = (x[lane] * row_x[j][lane] + y[lane] * row_y[j][lane]) + z[lane] * row_z[j][lane];
        }
    }
    out
}

/// Transforms each point by its own matrix.
#[inline(always)]
fn transform_points_each<R: Real>(matrix: &AffineLanes<R>, points: &VectorLanes<R>) -> VectorLanes<R> {
    let mut out = transform_directions_each(matrix, points);
    for (out, translation) in out.as_flattened_mut().iter_mut().zip(matrix[3].as_flattened()) {
        *out = *out + *translation;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;

    /// Two bones with weight 1 that scale x by 1 and by 3 · 2^-17, with translations 4 and 2^-16.
    fn apply<R: Real>() -> (Vector3<R>, Vector3<R>) {
        let bone = |scale: f32, translation: f32| {
            let mut matrix = [[R::ZERO; 3]; 4];
            matrix[0][0] = R::from_f32(scale);
            matrix[3][0] = R::from_f32(translation);
            Affine(matrix)
        };
        let mut bones = [bone(0.0, 0.0); 8];
        bones[0] = bone(1.0, 4.0);
        bones[1] = bone(3.0 / 131_072.0, 1.0 / 65_536.0);
        let mut vertex = Vertex { position: [1.0, 0.0, 0.0], normal: [1.0, 0.0, 0.0], ..Vertex::default() };
        vertex.weights[..2].copy_from_slice(&[1.0, 1.0]);
        Skin::with_bones(bones, 2).apply(&vertex)
    }

    #[test]
    fn hardware_adds_bone_by_bone() {
        let (position, normal) = apply::<Hf16>();
        assert_eq!(position[0].to_f32(), 5.0, "the second bone is shifted out of the sum");
        assert_eq!(normal[0].to_f32(), 1.0, "also without translation");
    }

    /// Vertices whose second bone has weight 0, next to one with another weight, so that the bone is not skipped.
    #[test]
    fn bones_without_weight_add_nothing() {
        let number = Hf16::from_f32;
        for element in [0.75, -3.0, -0.0, f32::INFINITY, f32::NAN] {
            let mut bones = [Affine([[number(0.0); 3]; 4]); 8];
            bones[0] = Affine(
                [[1.0, -0.0, 2.0], [0.0; 3], [-1.0, 0.0, 0.0], [1.0e-38, -0.0, 0.0]]
                    .map(|row| row.map(number)),
            );
            bones[1] = Affine([[number(element); 3]; 4]);
            let skin = Skin::with_bones(bones, 2);
            for x in [1.0, -0.0, f32::INFINITY, -1.0e-38] {
                let vertex = |weight: f32| Vertex {
                    position: [x, 0.0, -1.0],
                    normal: [-0.0, x, 0.0],
                    weights: [1.0, weight, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                    ..Vertex::default()
                };
                let bits = |(position, normal): &ModelVectors<Hf16>| {
                    let numbers =
                        [position, normal].map(|vectors| vectors.map(|lanes| lanes[0].to_f32().to_bits()));
                    // The bits of NaN depend on the order of operands.
                    numbers
                        .map(|vector| vector.map(|bits| if f32::from_bits(bits).is_nan() { 0 } else { bits }))
                };
                for zero in [0.0, -0.0] {
                    let (alone, weighted) = (vertex(zero), vertex(0.5));
                    let expected = bits(&skin.apply_lanes(&[&alone, &weighted]));
                    assert_eq!(bits(&skin.apply_lanes(&[&alone])), expected, "{element} · {zero} · {x}");
                    let positions = skin.without_normals().apply_lanes(&[&alone]).0;
                    assert_eq!(bits(&(positions, positions))[0], expected[0], "without normals");
                }
            }
        }
    }

    #[test]
    fn emulators_blend_matrices() {
        let (position, normal) = apply::<f32>();
        assert_eq!(normal[0], 1.0 + 3.0 / 131_072.0, "1 · (1 + 3 · 2^-17)");
        assert_eq!(position[0], 5.0 + 5.0 / 131_072.0, "all bits of a single");
    }

    #[test]
    fn elements_are_weighted_first() {
        let number = Hf16::from_f32;
        let mut matrix = [[Hf16::ZERO; 3]; 4];
        // 1 + 2^-15 times 1.5 is cut to 1.5 + 2^-15; that times 1.5 is 2.25 + 2^-14, cut to 2.25.
        matrix[0][0] = number(1.0 + 2.0_f32.powi(-15));
        let skin = Skin::with_bones([Affine(matrix); 8], 1);
        let mut vertex = Vertex { position: [1.5, 0.0, 0.0], ..Vertex::default() };
        vertex.weights[0] = 1.5;
        let expected = number(1.5) * (number(1.5) * matrix[0][0]);
        assert_eq!(skin.apply(&vertex).0[0], expected, "weight · element, then · x");
    }
}
