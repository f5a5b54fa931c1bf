//! Skinning: up to eight bone matrices, summed by the weights of the vertex.
//! Source: [skinning](crate::reference::ge::vertices#skinning).

use arrayvec::ArrayVec;

use super::lanes::{self, LANES, Lanes};
use super::math::{Affine, Vector3};
use crate::ge::arithmetic::Real;
use crate::ge::arithmetic::simd::Simd;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::vertex::Vertex;

/// The bones of a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skin<R> {
    bones: [Affine<R>; 8],
    count: usize,
}

impl<R: Real> Skin<R> {
    /// Loads the bones of a draw, or returns `None` if its vertices have no weights.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Option<Self> {
        let count = registers.get::<VertexType>().weights();
        (count > 0).then(|| Self {
            bones: [0, 1, 2, 3, 4, 5, 6, 7].map(|bone| Affine::load_bone(registers, bone)),
            count,
        })
    }

    /// Works as [`Self::apply`], for up to [`LANES`] vertices.
    #[inline(always)]
    #[must_use]
    pub(crate) fn apply_lanes(&self, vertices: &[&Vertex]) -> ([Lanes<R>; 3], [Lanes<R>; 3]) {
        let weights: [Lanes<R>; 8] = lanes::gather(vertices, |vertex| vertex.weights);
        let mut sum = [[[R::ZERO; LANES]; 3]; 4];
        for (bone, weights) in self.bones.iter().zip(&weights).take(self.count) {
            for (sum, element) in sum.as_flattened_mut().iter_mut().zip(bone.0.as_flattened()) {
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum = *sum + *element * *weight;
                }
            }
        }
        let positions = lanes::gather(vertices, |vertex| vertex.position);
        let normals = lanes::gather(vertices, |vertex| vertex.normal);
        (lanes::transform_points_each(&sum, &positions), lanes::transform_directions_each(&sum, &normals))
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
