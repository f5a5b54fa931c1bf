//! Describes a draw in a run.

use serde::{Deserialize, Serialize};

use super::state::State;
use crate::documents::hashes::ContentHashes;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
use crate::ge::float::Float;
use crate::ge::memory::Memory;
use crate::ge::registers::vertex::{IndexFormat, PrimitiveType, SplineEdge, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::geometry::patch::{Curve, Patch, PatchAxis};
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::texture::content_hash::ContentHash;
use crate::pipeline::vertex::VertexLayout;
use crate::run::trace::{DrawLine, ImmediateDrawLine};

/// A draw executed in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The draw's number in this run, from 0.
    pub draw: u64,
    /// Address of the PRIM, BEZIER, SPLINE or VAP command.
    pub address: Address,
    /// The command's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// Where this draw's vertices come from.
    pub kind: DrawKind,
    /// The primitive type; a continuation has the continued draw's type.
    pub primitive: PrimitiveType,
    /// Whether this continues an earlier draw's primitive.
    pub continues: bool,
    /// How many vertices this draw has, or control points for a patch.
    pub count: u64,
    /// How the control points form a patch; null for other draws.
    pub patch: Option<PatchInfo>,
    /// The vertex data in memory; null for a draw from registers.
    pub vertex_data: Option<VertexData>,
    /// The vertices for a draw from registers; empty for other draws.
    pub immediate: Vec<ImmediateVertexInfo>,
    /// How many pixels passed all tests; null if nothing was drawn.
    pub pixels: Option<u64>,
    /// The state for this draw; null if it was not asked for.
    pub state: Option<Box<State>>,
    /// The draw as a line of text.
    pub text: String,
}

impl Document for DrawDocument {
    const NAME: &'static str = "draw";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A draw of a run";
}

/// The kinds of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DrawKind {
    /// Vertices in memory: PRIM.
    Primitives,
    /// A Bezier patch.
    Bezier,
    /// A B-spline patch.
    Spline,
    /// Vertices in registers: VAP.
    Immediate,
}

impl DrawKind {
    /// Returns the kind of a draw with vertices in memory.
    #[must_use]
    pub fn of(draw: &Draw<'_>) -> Self {
        match draw.patch.map(|patch| patch.u.curve) {
            None => Self::Primitives,
            Some(Curve::Bezier) => Self::Bezier,
            Some(Curve::Spline(_)) => Self::Spline,
        }
    }
}

/// A patch's net of control points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatchInfo {
    /// How many control points there are in the u direction.
    pub u_count: u32,
    /// How many control points there are in the v direction.
    pub v_count: u32,
    /// Knots at the ends of the u direction; null for a Bezier patch.
    pub u_edge: Option<SplineEdge>,
    /// Knots at the ends of the v direction; null for a Bezier patch.
    pub v_edge: Option<SplineEdge>,
}

/// The vertex data read by a draw, without vertices taken over from an earlier draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexData {
    /// Address of vertex 0, from which indices count.
    pub address: Address,
    /// Bytes per vertex, all morph frames included.
    pub stride: u32,
    /// Address of the indices; null if vertices are taken in order.
    pub indices: Option<Address>,
    /// The smallest index used.
    pub first: u32,
    /// The largest index used.
    pub last: u32,
    /// Hash over these vertices' bytes, with gaps between used vertices included; null if a limit was reached.
    pub hash: Option<ContentHash>,
    /// Hash over the indices' bytes; null without indices, or if a limit was reached.
    pub index_hash: Option<ContentHash>,
}

/// A vertex given in registers, in screen space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImmediateVertexInfo {
    /// Column and row in pixels, and depth.
    pub position: [Float; 3],
    /// Texture coordinates s, t and q; texels and 1 in through mode.
    pub texture: [Float; 3],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// The secondary colour's red, green and blue.
    pub secondary: [u8; 3],
    /// Fog factor: 1 is no fog, 0 is full fog.
    pub fog: Float,
}

/// Describes a run's draws, for a trace.
#[derive(Debug)]
pub struct DrawDescriber<'a> {
    /// The input as the user named it.
    pub input: &'a str,
    /// The parts of memory that come from files, to give commands their file offsets.
    pub sources: &'a [Source],
    /// Whether to describe the state at each draw.
    pub with_state: bool,
    /// Hashes textures and vertices, and keeps the hashes from draw to draw.
    pub hashes: ContentHashes,
}

impl DrawDescriber<'_> {
    /// Describes a draw. Memory must hold the results of all earlier draws. If this draw is already done, `pixels`
    /// is how many it wrote.
    pub fn draw(&mut self, memory: &Memory, draw: &Draw<'_>, pixels: Option<u64>) -> DrawDocument {
        DrawDocument {
            schema: SchemaId::new(),
            input: self.input.to_owned(),
            draw: draw.number,
            address: draw.at,
            file_offset: self.file_offset(draw.at),
            kind: DrawKind::of(draw),
            primitive: draw.effective_primitive(),
            continues: draw.primitive == PrimitiveType::CONTINUE,
            count: draw.count.into(),
            patch: draw.patch.map(PatchInfo::from),
            vertex_data: Some(VertexData::of(memory, draw, &mut self.hashes)),
            immediate: Vec::new(),
            pixels,
            state: self.with_state.then(|| Box::new(State::of(memory, draw.registers, &mut self.hashes))),
            text: DrawLine::new(draw).to_string(),
        }
    }

    /// Describes a draw from registers, as [`Self::draw`] does.
    pub fn immediate(
        &mut self,
        memory: &Memory,
        draw: &ImmediateDraw<'_>,
        pixels: Option<u64>,
    ) -> DrawDocument {
        DrawDocument {
            schema: SchemaId::new(),
            input: self.input.to_owned(),
            draw: draw.number,
            address: draw.at,
            file_offset: self.file_offset(draw.at),
            kind: DrawKind::Immediate,
            primitive: draw.primitive,
            continues: false,
            count: draw.vertices.len() as u64,
            patch: None,
            vertex_data: None,
            immediate: draw.vertices.iter().map(ImmediateVertexInfo::from).collect(),
            pixels,
            state: self.with_state.then(|| Box::new(State::of(memory, draw.registers, &mut self.hashes))),
            text: ImmediateDrawLine::new(draw).to_string(),
        }
    }

    fn file_offset(&self, address: Address) -> Option<u64> {
        Some(source_of(self.sources, address)?.1)
    }
}

impl VertexData {
    /// Describes a draw's vertex data. Memory must hold the results of all earlier draws.
    #[must_use]
    pub fn of(memory: &Memory, draw: &Draw<'_>, hashes: &mut ContentHashes) -> Self {
        let vertex_type: VertexType = draw.registers.get();
        let stride = VertexLayout::new(vertex_type).bytes();
        let reader = draw.reader(memory);
        let is_indexed = vertex_type.index != IndexFormat::NONE;
        let last = draw.count.saturating_sub(1);
        let (first, last) = if is_indexed {
            let indices = (0..draw.count).map(|nth| reader.index(nth));
            let widest = |(first, last): (u32, u32), index: u32| (first.min(index), last.max(index));
            indices.fold((u32::MAX, 0), widest)
        } else {
            (0, last)
        };
        let first = first.min(last);
        let start = draw.vertices.offset(first.wrapping_mul(stride));
        let length = last.saturating_sub(first).saturating_add(1).saturating_mul(stride);
        let index_bytes = draw.count.saturating_mul(vertex_type.index.bytes());
        Self {
            address: draw.vertices,
            stride,
            indices: is_indexed.then_some(draw.indices),
            first,
            last,
            hash: hashes.range(memory, start, length),
            index_hash: if is_indexed { hashes.range(memory, draw.indices, index_bytes) } else { None },
        }
    }
}

impl From<Patch> for PatchInfo {
    fn from(patch: Patch) -> Self {
        let edge = |axis: PatchAxis| match axis.curve {
            Curve::Bezier => None,
            Curve::Spline(edge) => Some(edge),
        };
        Self {
            u_count: patch.u.points,
            v_count: patch.v.points,
            u_edge: edge(patch.u),
            v_edge: edge(patch.v),
        }
    }
}

impl From<&ScreenVertex> for ImmediateVertexInfo {
    #[expect(clippy::cast_precision_loss, reason = "positions from registers have 17 bits")]
    fn from(vertex: &ScreenVertex) -> Self {
        Self {
            position: Float::array([vertex.x as f32 / 16.0, vertex.y as f32 / 16.0, f32::from(vertex.z)]),
            texture: Float::array(vertex.texture),
            color: vertex.color,
            secondary: vertex.secondary,
            fog: Float(vertex.fog),
        }
    }
}
