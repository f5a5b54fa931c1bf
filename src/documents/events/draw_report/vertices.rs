//! Describes a draw's vertices, from memory to the screen.

use serde::{Deserialize, Serialize};

use crate::ge::address::Address;
use crate::ge::float::Float;
use crate::pipeline::draw::primitive_record::Outcode;
use crate::pipeline::draw::vertex_stages::{SourceVertex, VertexStages};
use crate::pipeline::vertex::Vertex;

/// A vertex or control point as it is in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceVertexInfo {
    /// The vertex's number in the draw, from 0.
    pub number: u32,
    /// Its index in the vertex data; null if an earlier draw left it for this draw.
    pub index: Option<u32>,
    /// Its first byte's address; null if an earlier draw left it for this draw.
    pub address: Option<Address>,
    /// The decoded components for each morph frame, or for a single frame without morphing. Missing components have
    /// the values used by the draw instead.
    pub frames: Vec<VertexInfo>,
    /// The vertex after morphing and skinning.
    pub model: VertexInfo,
}

/// A vertex's components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexInfo {
    /// Position x, y, z: in through mode column and row in pixels, and depth.
    pub position: [Float; 3],
    /// Normal.
    pub normal: [Float; 3],
    /// Texture coordinates u, v.
    pub texcoord: [Float; 2],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Weights for the bones; unused weights are 0.
    pub weights: [Float; 8],
}

/// A vertex on its way to the screen, stage by stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexStagesInfo {
    /// The vertex's number, from 0.
    pub number: u32,
    /// The vertex in model space, after morphing and skinning or after tessellation; null if it was given in
    /// registers.
    pub model: Option<VertexInfo>,
    /// Position in world space; null in through mode and for a draw from registers.
    pub world: Option<[Float; 3]>,
    /// Position in view space; null in the same cases.
    pub view: Option<[Float; 3]>,
    /// Position in clip space, x, y, z and w; null in the same cases.
    pub clip: Option<[Float; 4]>,
    /// Column and row on the raster grid, in 1/16 pixel.
    pub grid: [i32; 2],
    /// Column and row in pixels.
    pub pixel: [Float; 2],
    /// Depth as compared and stored.
    pub depth: u16,
    /// 1/w; 1 in through mode.
    pub reciprocal_w: Float,
    /// Red, green, blue and alpha after lighting.
    pub color: [u8; 4],
    /// The secondary colour's red, green and blue, after lighting.
    pub secondary: [u8; 3],
    /// Fog factor: 1 is no fog, 0 is full fog.
    pub fog: Float,
    /// Texture coordinates s, t and q, generated or transformed; texels and 1 in through mode.
    pub texture: [Float; 3],
    /// The range tests failed by this vertex.
    pub outcode: Vec<OutcodeName>,
}

/// The range tests on a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcodeName {
    /// −x > w.
    Left,
    /// x > w.
    Right,
    /// y > w.
    Top,
    /// −y > w.
    Bottom,
    /// −z > w, or z or w is NaN: outside the near plane.
    Near,
    /// z > w: outside the far plane.
    Far,
    /// w is 0 or negative.
    WNotPositive,
    /// Outside the 4096×4096 screen space, or NaN.
    OutsideScreen,
    /// Depth outside 0 to 65535 before clamping.
    OutsideDepth,
}

impl OutcodeName {
    /// Lists the tests in an outcode.
    #[must_use]
    pub fn list(outcode: Outcode) -> Vec<Self> {
        let screen = Outcode::OUTSIDE_SCREEN.union(Outcode::OUTSIDE_SCREEN_IN_FRONT);
        let names = [
            (Outcode::LEFT, Self::Left),
            (Outcode::RIGHT, Self::Right),
            (Outcode::TOP, Self::Top),
            (Outcode::BOTTOM, Self::Bottom),
            (Outcode::NEAR, Self::Near),
            (Outcode::FAR, Self::Far),
            (Outcode::W_NOT_POSITIVE, Self::WNotPositive),
            (screen, Self::OutsideScreen),
            (Outcode::OUTSIDE_DEPTH, Self::OutsideDepth),
        ];
        let failed = names.into_iter().filter(|(flag, _)| outcode.intersects(*flag));
        failed.map(|(_, name)| name).collect()
    }
}

impl From<&Vertex> for VertexInfo {
    fn from(vertex: &Vertex) -> Self {
        Self {
            position: Float::array(vertex.position),
            normal: Float::array(vertex.normal),
            texcoord: Float::array(vertex.texcoord),
            color: vertex.color,
            weights: Float::array(vertex.weights),
        }
    }
}

impl From<(u32, &SourceVertex)> for SourceVertexInfo {
    fn from((number, vertex): (u32, &SourceVertex)) -> Self {
        Self {
            number,
            index: vertex.place.map(|(index, _)| index),
            address: vertex.place.map(|(_, address)| address),
            frames: vertex.frames.iter().map(VertexInfo::from).collect(),
            model: (&vertex.model).into(),
        }
    }
}

impl From<(u32, &VertexStages)> for VertexStagesInfo {
    #[expect(
        clippy::cast_precision_loss,
        reason = "positions on the screen have 17 bits, others are for people"
    )]
    fn from((number, stages): (u32, &VertexStages)) -> Self {
        let screen = &stages.screen;
        Self {
            number,
            model: stages.model.as_ref().map(VertexInfo::from),
            world: stages.spaces.map(|spaces| Float::array(spaces.world)),
            view: stages.spaces.map(|spaces| Float::array(spaces.view)),
            clip: stages.spaces.map(|spaces| Float::array(spaces.clip)),
            grid: [screen.x, screen.y],
            pixel: [screen.x, screen.y].map(|at| Float(at as f32 / 16.0)),
            depth: screen.z,
            reciprocal_w: Float(screen.reciprocal_w),
            color: screen.color,
            secondary: screen.secondary,
            fog: Float(screen.fog),
            texture: Float::array(screen.texture),
            outcode: OutcodeName::list(stages.outcode),
        }
    }
}
