//! Counts work, so that a host can compute how long the hardware would take.

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
    /// Vertices and control points of draws and of BBOX.
    pub vertices: u64,
    /// Block transfers.
    pub transfers: u64,
    /// Pixels moved by block transfers.
    pub transferred_pixels: u64,
    /// Primitives after clipping and culling, including triangles.
    pub primitives: u64,
    /// Triangles after clipping and culling.
    pub triangles: u64,
    /// Pixels that passed all tests.
    pub pixels: u64,
}

/// An instance's counts. The engine's own counts start anew with each list and each rasterizer, so this adds them up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountedWork {
    total: Counts,
    /// The part of `total` that comes from the current rasterizer.
    statistics: Statistics,
}

impl CountedWork {
    /// Adds the commands between two reports on the same list.
    pub(crate) fn add(&mut self, before: Option<&Report>, after: &Report) {
        let since = |count: fn(&Report) -> u64| count(after).saturating_sub(before.map_or(0, count));
        let total = &mut self.total;
        total.commands += since(|report| report.commands);
        total.draws += since(|report| report.draws);
        total.vertices += since(|report| report.vertices);
        total.transfers += since(|report| report.transfers);
        total.transferred_pixels += since(|report| report.transferred_pixels);
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

    /// Adds everything a flushed rasterizer has drawn since the last time.
    pub(crate) fn update(&mut self, raster: &Rasterizer) {
        let now = raster.statistics();
        self.total.primitives += now.primitives - self.statistics.primitives;
        self.total.triangles += now.triangles - self.statistics.triangles;
        self.total.pixels += now.pixels - self.statistics.pixels;
        self.statistics = now;
    }
}

/// Returns the counts. Draws of pspge_execute count after pspge_flush.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `counts` is valid for writes.
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
/// `instance` is null, or an instance that was created and not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_reset_counts(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.counts.update(&state.raster);
        state.counts.total = Counts::default();
        Ok(())
    })
}
