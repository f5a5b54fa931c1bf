//! Counts the geometry in a run.

use crate::documents::note::NoteInfo;
use crate::export::{self, DrawFilter, FrameSpace};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::limits::Limits;
use crate::pipeline::bounds::Bounds;
use crate::run::decode::GeometrySink;
use crate::run::replay;
use crate::run::sink::NullObserver;

/// Counts and notes from a run. The geometry itself may be large, so it is not kept.
#[derive(Debug)]
pub(crate) struct RunCounts {
    pub(crate) draws: u64,
    pub(crate) vertices: u64,
    pub(crate) triangles: u64,
    pub(crate) commands: u64,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) notes: Vec<NoteInfo>,
}

impl RunCounts {
    pub(super) fn of(mut capture: Capture, limits: &Limits) -> Self {
        let mut sink = GeometrySink::new();
        let run = replay::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, limits);
        let draws = sink.draws();
        Self {
            draws: draws.len() as u64,
            vertices: draws.iter().map(|draw| draw.vertices.len() as u64).sum(),
            triangles: draws.iter().map(|draw| draw.triangles.len() as u64).sum(),
            commands: run.report.commands,
            bounds: sink.bounds(),
            notes: NoteInfo::of_report(&run.report),
        }
    }
}

/// Counts the meshes, vertices and triangles that exporting this run would give.
pub(super) fn exported(mut capture: Capture, limits: &Limits) -> [u64; 3] {
    let filter = DrawFilter { limits: *limits, ..DrawFilter::default() };
    let scene = export::frame_scene(&mut capture, "", &filter, FrameSpace::Automatic);
    [scene.meshes.len(), scene.vertex_count(), scene.triangle_count()].map(|count| count as u64)
}
