//! Describes a draw's primitives, and what became of each.

use serde::{Deserialize, Serialize};

use super::vertices::OutcodeName;
use crate::debug::draw::primitive_fate::{DrawnPrimitive, PartOutcome, PrimitiveFate};
use crate::documents::events::draw::ImmediateVertexInfo;
use crate::pipeline::draw::primitive_record::PartRecord;
use crate::pipeline::draw::vertex_stages::VertexStages;
use crate::raster::FragmentCounts;

/// A primitive in a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrimitiveInfo {
    /// The primitive's number in the draw, from 0, in the list's order. A pixel's history has the same numbers. A
    /// patch has the primitives of all its sub-patches in turn.
    pub number: u32,
    /// How many of the list's primitives it stands for: 1, or 2 if single arithmetic has merged two triangles to a
    /// rectangle.
    pub merged: u32,
    /// Its vertices, by number.
    pub vertices: Vec<u32>,
    /// Whether the winding is reversed, as in every second triangle of a strip.
    pub reversed: bool,
    /// Its fate; for a clipped primitive, the fate of the part that came farthest.
    pub fate: PrimitiveFate,
    /// Why it met this fate, in a few words.
    pub reason: String,
    /// The range tests that drop it because all vertices fail them.
    pub dropped_by_all: Vec<OutcodeName>,
    /// The range tests that drop it because at least one vertex fails them.
    pub dropped_by_any: Vec<OutcodeName>,
    /// Whether it was clipped at the near plane.
    pub clipped: bool,
    /// The primitive in screen space, or the parts left by near clipping; empty if it was dropped.
    pub parts: Vec<PartInfo>,
    /// How many of its fragments met each fate.
    pub fragments: FragmentCounts,
}

/// A primitive in screen space, or a clipped primitive's part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartInfo {
    /// Its vertices in screen space: one for a point, two for a line or a rectangle, three for a triangle.
    pub vertices: Vec<ImmediateVertexInfo>,
    /// Its fate.
    pub fate: PrimitiveFate,
    /// How many of its fragments met each fate.
    pub fragments: FragmentCounts,
}

impl PrimitiveInfo {
    /// Describes a primitive with these vertices.
    #[must_use]
    pub fn new(primitive: &DrawnPrimitive, vertices: &[VertexStages]) -> Self {
        let record = &primitive.record;
        let parts = record.parts.iter().zip(&primitive.outcomes);
        Self {
            number: record.number,
            merged: record.merged,
            vertices: record.vertices.to_vec(),
            reversed: record.reversed,
            fate: primitive.fate(),
            reason: primitive.reason(vertices),
            dropped_by_all: OutcodeName::list(record.dropped.all),
            dropped_by_any: OutcodeName::list(record.dropped.any),
            clipped: record.clipped,
            parts: parts.map(PartInfo::from).collect(),
            fragments: primitive.counts(),
        }
    }
}

impl From<(&PartRecord, &PartOutcome)> for PartInfo {
    fn from((part, outcome): (&PartRecord, &PartOutcome)) -> Self {
        Self {
            vertices: part.vertices().iter().map(ImmediateVertexInfo::from).collect(),
            fate: outcome.fate,
            fragments: outcome.counts,
        }
    }
}
