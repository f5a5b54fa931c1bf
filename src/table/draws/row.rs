//! Describes a draw with its vertices, its results, and the state at it.

use crate::documents::draw::{DrawKind, PatchInfo, VertexData};
use crate::documents::hashes::ContentHashes;
use crate::documents::state::State;
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
use crate::ge::memory::Memory;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::raster::Statistics;

/// An executed draw.
#[derive(Clone, Debug)]
pub(in crate::table) struct DrawRow {
    pub(super) number: u64,
    pub(super) address: Address,
    pub(super) file_offset: Option<u64>,
    pub(super) kind: DrawKind,
    pub(super) primitive: PrimitiveType,
    pub(super) continues: bool,
    pub(super) count: u64,
    pub(super) patch: Option<PatchInfo>,
    pub(super) vertex_data: Option<VertexData>,
    pub(super) geometry: GeometryCounts,
    pub(super) drawn: Statistics,
    pub(super) state: State,
}

/// Counts from a draw's decoded geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::table) struct GeometryCounts {
    /// Distinct vertices.
    pub(in crate::table) vertices: u64,
    /// Triangles.
    pub(in crate::table) triangles: u64,
    /// Lines and rectangles.
    pub(in crate::table) pairs: u64,
    /// Points.
    pub(in crate::table) points: u64,
}

impl GeometryCounts {
    /// Adds another draw's counts.
    pub(in crate::table) const fn add(&mut self, other: Self) {
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.triangles = self.triangles.saturating_add(other.triangles);
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.points = self.points.saturating_add(other.points);
    }
}

impl DrawRow {
    /// Describes a draw before its results are known; [`Self::finish`] adds them. All earlier draws must be complete
    /// in memory, because this reads it to compute hashes.
    pub(in crate::table) fn new(
        memory: &Memory,
        draw: &Draw<'_>,
        sources: &[Source],
        hashes: &mut ContentHashes,
    ) -> Self {
        Self {
            number: draw.number,
            address: draw.at,
            file_offset: source_of(sources, draw.at).map(|(_, offset)| offset),
            kind: DrawKind::of(draw),
            primitive: draw.effective_primitive(),
            continues: draw.primitive == PrimitiveType::CONTINUE,
            count: draw.count.into(),
            patch: draw.patch.map(PatchInfo::from),
            vertex_data: Some(VertexData::of(memory, draw, hashes)),
            geometry: GeometryCounts::default(),
            drawn: Statistics::default(),
            state: State::of_topics(memory, draw.registers, hashes),
        }
    }

    /// Describes a draw from registers, as [`Self::new`] does.
    pub(in crate::table) fn of_immediate(
        memory: &Memory,
        draw: &ImmediateDraw<'_>,
        sources: &[Source],
        hashes: &mut ContentHashes,
    ) -> Self {
        Self {
            number: draw.number,
            address: draw.at,
            file_offset: source_of(sources, draw.at).map(|(_, offset)| offset),
            kind: DrawKind::Immediate,
            primitive: draw.primitive,
            continues: false,
            count: draw.vertices.len() as u64,
            patch: None,
            vertex_data: None,
            geometry: GeometryCounts::default(),
            drawn: Statistics::default(),
            state: State::of_topics(memory, draw.registers, hashes),
        }
    }

    /// Adds the results: the decoded geometry, and the drawn primitives and pixels.
    pub(in crate::table) fn finish(self, geometry: GeometryCounts, drawn: Statistics) -> Self {
        Self { geometry, drawn, ..self }
    }
}
