//! Describes a draw's primitives and what became of each.

use serde::{Deserialize, Serialize};

use super::vertices::OutcodeName;
use crate::debug::draw::primitive_fate::{DrawnPrimitive, PartOutcome, PrimitiveFate};
use crate::documents::events::draw::ImmediateVertexInfo;
use crate::pipeline::draw::primitive_record::PartRecord;
use crate::pipeline::draw::vertex_stages::VertexStages;
use crate::raster::FragmentCounts;

/// A primitive of a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrimitiveInfo {
    /// Number of the primitive in the draw, from 0, in the order of the list. The history of a pixel has the same
    /// numbers. A patch has the primitives of all its sub-patches, one after the other.
    pub number: u32,
    /// Number of primitives of the list that it takes the place of: 1, or 2 if single arithmetic has merged two
    /// triangles to a rectangle.
    pub merged: u32,
    /// Numbers of its vertices.
    pub vertices: Vec<u32>,
    /// Whether the winding is reversed, as in every second triangle of a strip.
    pub reversed: bool,
    /// The fate; of a clipped primitive, that of the part which came farthest.
    pub fate: PrimitiveFate,
    /// The fate with its reason, in a few words.
    pub reason: String,
    /// The range tests that drop it because all vertices fail them.
    pub dropped_by_all: Vec<OutcodeName>,
    /// The range tests that drop it because one vertex fails them.
    pub dropped_by_any: Vec<OutcodeName>,
    /// Whether it was clipped at the near plane.
    pub clipped: bool,
    /// The primitive in screen space, or the parts that near clipping left; empty if it was dropped.
    pub parts: Vec<PartInfo>,
    /// Its fragments by fate.
    pub fragments: FragmentCounts,
}

/// A primitive in screen space, or a part of a clipped one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartInfo {
    /// The vertices in screen space: one of a point, two of a line or of a rectangle, three of a triangle.
    pub vertices: Vec<ImmediateVertexInfo>,
    /// The fate.
    pub fate: PrimitiveFate,
    /// The fragments by fate.
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
