//! The interface to both sub-patch evaluators, and the settings that both need.

use std::fmt::Debug;

use super::positions::PatchPositions;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{MapMode, TextureMap};
use crate::ge::registers::transform::PatchDivision;
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

/// A sub-patch in its evaluator's arithmetic.
pub(super) trait Surface: Debug {
    /// Returns the 4×4 control points' positions.
    fn control_positions(&self) -> [[Vector3<f32>; 4]; 4];

    /// Computes all vertex positions and stores them in `out`.
    fn positions(&self, out: &mut PatchPositions);

    /// Computes the vertices with these numbers, which must ascend, and appends them to `out`. `positions` come
    /// from [`Self::positions`].
    fn vertices(&self, numbers: &[u32], positions: &PatchPositions, out: &mut Vec<Vertex>);
}

/// The settings to tessellate all sub-patches in a draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tessellation {
    /// How many quads lie along u and v, 1 to 127.
    pub(super) quads: [u32; 2],
    /// Whether to generate texture coordinates, because the control points have none.
    pub(super) generates_texcoords: bool,
    /// Whether normals have a reader: the lights, a generator for texture coordinates, or an export of vertices
    /// that have normals.
    pub(super) needs_normals: bool,
    /// PATCHFACING: negates the generated normals and reverses the winding.
    pub(super) facing: bool,
}

impl Tessellation {
    pub(super) fn new(registers: &Registers) -> Self {
        let division: PatchDivision = registers.get();
        let vertex_type: VertexType = registers.get();
        Self {
            quads: [division.u, division.v].map(|quads| u32::from(quads.max(1))),
            generates_texcoords: vertex_type.texcoord == ComponentFormat::NONE,
            needs_normals: vertex_type.normal != ComponentFormat::NONE
                || registers.is_on(Opcode::LIGHTINGENABLE)
                || matches!(registers.get::<TextureMap>().mode, MapMode::MATRIX | MapMode::ENVIRONMENT),
            facing: registers.is_on(Opcode::PATCHFACING),
        }
    }

    /// Returns how many vertices lie along u and v.
    pub(super) fn vertices(&self) -> [u32; 2] {
        self.quads.map(|quads| quads + 1)
    }
}
