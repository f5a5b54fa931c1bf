//! Describes vertices, morphing, patches, shading and culling.

use serde::{Deserialize, Serialize};

use crate::ge::float::Float;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::{
    Cull, CullFace, PatchDivision, PatchPrim, PatchPrimitive, Shade, ShadeMode,
};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, VertexType};
use crate::pipeline::vertex::VertexLayout;

/// The layout of vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexFormat {
    /// Whether positions are pixels, which are not transformed.
    pub through: bool,
    /// Storage of positions.
    pub position: ComponentFormat,
    /// Storage of normals.
    pub normal: ComponentFormat,
    /// Storage of colours.
    pub color: ColorFormat,
    /// Storage of texture coordinates.
    pub texcoord: ComponentFormat,
    /// Storage of weights.
    pub weight: ComponentFormat,
    /// Number of weights, 0 to 8.
    pub weights: u8,
    /// Number of morph frames, 1 to 8.
    pub morph_frames: u8,
    /// Width of indices.
    pub index: IndexFormat,
    /// Bytes of a vertex, all morph frames included.
    pub bytes: u32,
}

impl VertexFormat {
    /// Returns the layout.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let vertex: VertexType = registers.get();
        let small = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        Self {
            through: vertex.through,
            position: vertex.position,
            normal: vertex.normal,
            color: vertex.color,
            texcoord: vertex.texcoord,
            weight: vertex.weight,
            weights: small(vertex.weights()),
            morph_frames: small(vertex.morph_frames()),
            index: vertex.index,
            bytes: VertexLayout::new(vertex).bytes(),
        }
    }
}

/// Morphing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MorphState {
    /// The weights of the eight morph frames.
    pub weights: [Float; 8],
}

impl MorphState {
    /// Returns the weights.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let weight = |frame: u8| Float(registers.float(Opcode::MORPHWEIGHT0.plus(frame)));
        Self { weights: [0, 1, 2, 3, 4, 5, 6, 7].map(weight) }
    }
}

/// Shading of primitives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShadingState {
    /// Whether colours are interpolated.
    pub mode: ShadeMode,
    /// Whether lines are antialiased.
    pub antialias: bool,
}

impl ShadingState {
    /// Returns the state.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self { mode: registers.get::<Shade>().mode, antialias: registers.is_on(Opcode::ANTIALIASENABLE) }
    }
}

/// Face culling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CullingState {
    /// Whether faces are culled.
    pub enabled: bool,
    /// The faces that culling drops, by their winding on the screen.
    pub drop: CullFace,
}

impl CullingState {
    /// Returns the state.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self { enabled: registers.is_on(Opcode::CULLENABLE), drop: registers.get::<Cull>().drop }
    }
}

/// How patches are divided and drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatchState {
    /// Divisions in the u direction; 0 acts as 1.
    pub u_divisions: u8,
    /// Divisions in the v direction; 0 acts as 1.
    pub v_divisions: u8,
    /// The primitive to draw.
    pub primitive: PatchPrimitive,
    /// Whether generated normals are negated and front faces swapped.
    pub reversed: bool,
    /// Whether faces of patches are culled.
    pub cull: bool,
}

impl PatchState {
    /// Returns the state.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let division: PatchDivision = registers.get();
        Self {
            u_divisions: division.u,
            v_divisions: division.v,
            primitive: registers.get::<PatchPrim>().primitive,
            reversed: registers.is_on(Opcode::PATCHFACING),
            cull: registers.is_on(Opcode::PATCHCULLENABLE),
        }
    }
}
