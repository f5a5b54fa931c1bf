//! Skinning combines up to eight bone matrices by the weights of a vertex.
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

/// Weights for several vertices, bone by bone.
type Weights<R> = [Lanes<R>; 8];

/// A matrix per vertex, laid out as [`Affine`].
type AffineLanes<R> = [VectorLanes<R>; 4];

/// Whether to apply a matrix's translation: to positions, but not to normals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Translation {
    Added,
    Ignored,
}

/// The bones of a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skin<R> {
    bones: [Affine<R>; 8],
    count: usize,
}

impl<R: Real> Skin<R> {
    /// Loads the bones for a draw, or returns `None` if its vertices have no weights.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Option<Self> {
        let count = registers.get::<VertexType>().weights();
        (count > 0).then(|| Self {
            bones: [0, 1, 2, 3, 4, 5, 6, 7].map(|bone| Affine::load_bone(registers, bone)),
            count,
        })
    }

    /// Works as [`Self::apply`] does, for up to [`LANES`] vertices.
    #[inline(always)]
    #[must_use]
    pub(crate) fn apply_lanes(&self, vertices: &[&Vertex]) -> (VectorLanes<R>, VectorLanes<R>) {
        let weights: Weights<R> = lanes::gather(vertices, |vertex| vertex.weights);
        let positions = lanes::gather(vertices, |vertex| vertex.position);
        let normals = lanes::gather(vertices, |vertex| vertex.normal);
        match R::ARITHMETIC {
            Arithmetic::Hardware => (
                self.sum_bones(&weights, &positions, Translation::Added),
                self.sum_bones(&weights, &normals, Translation::Ignored),
            ),
            Arithmetic::Single => {
                let matrix = self.blended(&weights);
                (transform_points_each(&matrix, &positions), transform_directions_each(&matrix, &normals))
            }
        }
    }

    /// Transforms vectors by all bones in the hardware's order, because rounding depends on it. Each element
    /// is weighted first. Then a single sum takes, bone by bone, the translation and the products with x, y
    /// and z.
    #[inline(always)]
    fn sum_bones(
        &self,
        weights: &Weights<R>,
        [x, y, z]: &VectorLanes<R>,
        translation: Translation,
    ) -> VectorLanes<R> {
        let mut sums = [[R::ZERO; LANES]; 3];
        for (bone, weights) in self.bones.iter().zip(weights).take(self.count) {
            let [row_x, row_y, row_z, moved] = &bone.0;
            for (axis, sums) in sums.iter_mut().enumerate() {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let weight = weights[lane];
                    if translation == Translation::Added {
                        *sum = *sum + weight * moved[axis];
                    }
                    *sum = *sum + (weight * row_x[axis]) * x[lane];
                    *sum = *sum + (weight * row_y[axis]) * y[lane];
                    *sum = *sum + (weight * row_z[axis]) * z[lane];
                }
            }
        }
        sums
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
        Skin { bones, count: 2 }.apply(&vertex)
    }

    #[test]
    fn hardware_adds_bone_by_bone() {
        let (position, normal) = apply::<Hf16>();
        assert_eq!(position[0].to_f32(), 5.0, "the second bone is shifted out of the sum");
        assert_eq!(normal[0].to_f32(), 1.0, "also without translation");
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
        let skin = Skin { bones: [Affine(matrix); 8], count: 1 };
        let mut vertex = Vertex { position: [1.5, 0.0, 0.0], ..Vertex::default() };
        vertex.weights[0] = 1.5;
        let expected = number(1.5) * (number(1.5) * matrix[0][0]);
        assert_eq!(skin.apply(&vertex).0[0], expected, "weight · element, then · x");
    }
}
