//! Records a primitive's fate in the geometry stages, with the reason if it is not drawn.
//!
//! # Invariants
//! The stages that lower a draw fill the record themselves, so it cannot disagree with the picture. Without a
//! recorder this costs nothing, because the compiler removes the calls.

use arrayvec::ArrayVec;

pub use crate::pipeline::geometry::clip_test::DropReason;
pub use crate::pipeline::geometry::cull::CullReason;
pub use crate::pipeline::geometry::outcode::Outcode;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex};

/// A primitive on its way to the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrimitiveRecord {
    /// The primitive's number in the draw, from 0 in list order. In a patch the numbers run on from each sub-patch
    /// to the next.
    pub number: u32,
    /// How many primitives in the list this record replaces: 1, or 2 if single arithmetic has merged two triangles
    /// to a rectangle.
    pub merged: u32,
    /// The vertices' numbers in the draw. In a patch these run on from each sub-patch to the next.
    pub vertices: ArrayVec<u32, 6>,
    /// Whether the winding is reversed, as in every second triangle of a strip.
    pub reversed: bool,
    /// The range tests that drop the whole primitive; no flags if it passes.
    pub dropped: DropReason,
    /// Whether this primitive was clipped at the near plane.
    pub clipped: bool,
    /// The primitive itself, or up to two parts that remain after near clipping. This is empty if the primitive is
    /// dropped.
    pub parts: ArrayVec<PartRecord, 2>,
}

/// How a primitive, or a part left by clipping, ends in screen space.
#[derive(Clone, Debug, PartialEq)]
pub enum PartRecord {
    /// It goes to the rasterizer.
    Drawn(ScreenPrimitive),
    /// It is culled.
    Culled {
        /// Why this triangle is culled.
        reason: CullReason,
        /// The culled triangle's vertices.
        vertices: ArrayVec<ScreenVertex, 3>,
    },
    /// It is dropped because clipping left a vertex outside the 4096×4096 screen space.
    OutsideScreen(ArrayVec<ScreenVertex, 3>),
}

impl PartRecord {
    /// Creates the record for a primitive with these vertices.
    pub(super) fn new(vertices: &[ScreenVertex], built: Result<ScreenPrimitive, CullReason>) -> Self {
        match built {
            Ok(primitive) => Self::Drawn(primitive),
            Err(reason) => Self::Culled { reason, vertices: vertices.iter().copied().take(3).collect() },
        }
    }

    /// Returns the vertices, whatever their fate.
    #[must_use]
    pub fn vertices(&self) -> &[ScreenVertex] {
        match self {
            Self::Drawn(primitive) => primitive.vertices(),
            Self::Culled { vertices, .. } | Self::OutsideScreen(vertices) => vertices,
        }
    }

    /// Returns the primitive if it goes to the rasterizer.
    #[must_use]
    pub const fn drawn(&self) -> Option<&ScreenPrimitive> {
        match self {
            Self::Drawn(primitive) => Some(primitive),
            Self::Culled { .. } | Self::OutsideScreen(_) => None,
        }
    }
}

impl PrimitiveRecord {
    /// Lists the primitives that go to the rasterizer.
    pub fn drawn(&self) -> impl Iterator<Item = &ScreenPrimitive> {
        self.parts.iter().filter_map(PartRecord::drawn)
    }

    pub(super) fn push(&mut self, part: PartRecord) {
        // The near plane leaves at most two parts, so this always fits.
        let _ = self.parts.try_push(part);
    }
}

/// Listens to the stages while they lower a draw, to record what they decide.
pub(super) trait PrimitiveRecorder {
    /// Starts the next primitive, which replaces `merged` primitives in the list.
    fn begin(&mut self, vertices: &[u32], reversed: bool, merged: u32);

    /// Passes the current primitive's record to `edit`.
    fn record(&mut self, edit: impl FnOnce(&mut PrimitiveRecord));
}

/// Ignores everything, so that drawing does not pay for recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NoPrimitiveRecorder;

impl PrimitiveRecorder for NoPrimitiveRecorder {
    #[inline(always)]
    fn begin(&mut self, _: &[u32], _: bool, _: u32) {}

    #[inline(always)]
    fn record(&mut self, _: impl FnOnce(&mut PrimitiveRecord)) {}
}

/// Passes each record on when the next primitive begins, because only then it is complete.
pub(super) struct RecordCollector<'a> {
    out: &'a mut dyn FnMut(&PrimitiveRecord),
    current: Option<PrimitiveRecord>,
    next: u32,
    /// The current sub-patch's first vertex number, to number vertices across sub-patches.
    first_vertex: u32,
}

impl<'a> RecordCollector<'a> {
    pub(super) fn new(out: &'a mut dyn FnMut(&PrimitiveRecord)) -> Self {
        Self { out, current: None, next: 0, first_vertex: 0 }
    }

    /// Moves on to the next sub-patch. The current sub-patch has `count` vertices.
    pub(super) fn skip_vertices(&mut self, count: usize) {
        self.first_vertex = self.first_vertex.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Passes the last record on, because no primitive follows it.
    pub(super) fn finish(&mut self) {
        if let Some(record) = self.current.take() {
            (self.out)(&record);
        }
    }
}

impl PrimitiveRecorder for RecordCollector<'_> {
    fn begin(&mut self, vertices: &[u32], reversed: bool, merged: u32) {
        self.finish();
        let vertices = vertices.iter().take(6).map(|number| number.saturating_add(self.first_vertex));
        self.current = Some(PrimitiveRecord {
            number: self.next,
            merged,
            vertices: vertices.collect(),
            reversed,
            ..PrimitiveRecord::default()
        });
        self.next = self.next.saturating_add(merged);
    }

    fn record(&mut self, edit: impl FnOnce(&mut PrimitiveRecord)) {
        if let Some(record) = &mut self.current {
            edit(record);
        }
    }
}
