//! Counts work, to let a host compute how long the hardware would take.

use pspge::queue::Work;
use pspge::raster::Statistics;
use pspge::{Rasterizer, Report};

use crate::border::{call, output};
use crate::instance::Pspge;
use crate::status::Status;

/// Work done since the instance was created, or since pspge_reset_counts.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Commands executed.
    pub commands: u64,
    /// Draws: PRIM, BEZIER, SPLINE and completed immediate primitives.
    pub draws: u64,
    /// Vertices and control points, read for draws and for BBOX.
    pub vertices: u64,
    /// Block transfers.
    pub transfers: u64,
    /// Pixels moved by block transfers.
    pub transferred_pixels: u64,
    /// Bytes of these pixels, which have 2 or 4 each. The hardware's time depends on them.
    pub transferred_bytes: u64,
    /// Primitives after clipping and culling, including triangles.
    pub primitives: u64,
    /// Triangles after clipping and culling.
    pub triangles: u64,
    /// Pixels that passed all tests.
    pub pixels: u64,
}

/// A list's work since its start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListCounts {
    commands: u64,
    pub(crate) draws: u64,
    vertices: u64,
    pub(crate) vertex_cost: u64,
    pub(crate) patch_vertices: u64,
    transfers: u64,
    pub(crate) transferred_pixels: u64,
}

impl ListCounts {
    pub(crate) const fn of(report: &Report) -> Self {
        let Report { commands, draws, vertices, vertex_cost, patch_vertices, .. } = *report;
        let Report { transfers, transferred_pixels, .. } = *report;
        Self { commands, draws, vertices, vertex_cost, patch_vertices, transfers, transferred_pixels }
    }
}

/// An instance's counts. The engine counts from 0 again for each list and each rasterizer, so this adds them up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountedWork {
    total: Counts,
    /// The share of `total` that comes from the current rasterizer.
    statistics: Statistics,
}

impl CountedWork {
    /// Adds the work between two moments of the same list.
    pub(crate) const fn add(&mut self, before: &ListCounts, after: &ListCounts) {
        let total = &mut self.total;
        total.commands += after.commands.saturating_sub(before.commands);
        total.draws += after.draws.saturating_sub(before.draws);
        total.vertices += after.vertices.saturating_sub(before.vertices);
        total.transfers += after.transfers.saturating_sub(before.transfers);
        total.transferred_pixels += after.transferred_pixels.saturating_sub(before.transferred_pixels);
    }

    pub(crate) const fn add_transferred_bytes(&mut self, bytes: u64) {
        self.total.transferred_bytes += bytes;
    }

    /// Adds the work of lists in the queue.
    pub(crate) const fn add_work(&mut self, commands: u64, work: Work) {
        let total = &mut self.total;
        total.commands += commands;
        total.draws += work.draws;
        total.vertices += work.vertices;
        total.transfers += work.transfers;
        total.transferred_pixels += work.transferred_pixels;
    }

    /// Adds a rasterizer's counts before it is replaced.
    pub(crate) fn keep(&mut self, raster: &Rasterizer) {
        self.update(raster);
        self.statistics = Statistics::default();
    }

    /// Adds everything drawn by a flushed rasterizer since the last update.
    pub(crate) fn update(&mut self, raster: &Rasterizer) {
        let now = raster.statistics();
        self.total.primitives += now.primitives - self.statistics.primitives;
        self.total.triangles += now.triangles - self.statistics.triangles;
        self.total.pixels += now.pixels - self.statistics.pixels;
        self.statistics = now;
    }
}

/// Returns the counts. Primitives and pixels of pending draws count after pspge_flush.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `counts` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_counts(instance: *const Pspge, counts: *mut Counts) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let counts = unsafe { output("counts", counts) }?;
        state.counts.update(&state.raster);
        counts.write(state.counts.total);
        Ok(())
    })
}

/// Sets all counts to 0.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_reset_counts(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.counts.update(&state.raster);
        state.counts.total = Counts::default();
        Ok(())
    })
}
