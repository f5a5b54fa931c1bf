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

/// How vertices lie in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexFormat {
    /// Whether positions are pixels, which are not transformed.
    pub through: bool,
    /// How positions are stored.
    pub position: ComponentFormat,
    /// How normals are stored.
    pub normal: ComponentFormat,
    /// How colours are stored.
    pub color: ColorFormat,
    /// How texture coordinates are stored.
    pub texcoord: ComponentFormat,
    /// How weights are stored.
    pub weight: ComponentFormat,
    /// How many weights a vertex has, 0 to 8.
    pub weights: u8,
    /// How many morph frames a vertex has, 1 to 8.
    pub morph_frames: u8,
    /// How wide indices are.
    pub index: IndexFormat,
    /// Bytes per vertex, all morph frames included.
    pub bytes: u32,
}

impl VertexFormat {
    /// Returns the layout set by the registers.
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

/// How morph frames are mixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MorphState {
    /// The weights for the eight morph frames.
    pub weights: [Float; 8],
}

impl MorphState {
    /// Returns the weights set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let weight = |frame: u8| Float(registers.float(Opcode::MORPHWEIGHT0.plus(frame)));
        Self { weights: [0, 1, 2, 3, 4, 5, 6, 7].map(weight) }
    }
}

/// How primitives are shaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShadingState {
    /// Whether colours are interpolated.
    pub mode: ShadeMode,
    /// Whether lines are antialiased.
    pub antialias: bool,
}

impl ShadingState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self { mode: registers.get::<Shade>().mode, antialias: registers.is_on(Opcode::ANTIALIASENABLE) }
    }
}

/// Which faces are culled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CullingState {
    /// Whether faces are culled.
    pub enabled: bool,
    /// The faces to drop, by their winding on the screen.
    pub drop: CullFace,
}

impl CullingState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self { enabled: registers.is_on(Opcode::CULLENABLE), drop: registers.get::<Cull>().drop }
    }
}

/// How patches are divided and drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatchState {
    /// How many divisions there are in the u direction; 0 acts as 1.
    pub u_divisions: u8,
    /// How many divisions there are in the v direction; 0 acts as 1.
    pub v_divisions: u8,
    /// The primitive drawn between the generated points.
    pub primitive: PatchPrimitive,
    /// Whether generated normals are negated and front faces swapped.
    pub reversed: bool,
    /// Whether patch faces are culled.
    pub cull: bool,
}

impl PatchState {
    /// Returns the state set by the registers.
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
