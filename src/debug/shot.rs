//! Answers questions about a run: a list with its edits, and how to execute it.
//!
//! Each question adds a method in its own room: [`Shot::session`], [`Shot::history`], [`Shot::dependencies`]. All
//! use the same list, arithmetic and limits, so that their answers fit together.
//!
//! ```
//! use pspge::debug::Shot;
//!
//! let list = "FRAMEBUFWIDTH width=64 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(v) | VADDR lo(v)
//!     VTYPE position=BITS16 through=1 | PRIM primitive=RECTANGLES count=2 | FINISH | END | v: .s16 0 0 0 8 8 0";
//! let shot = Shot::new(pspge::asm::assemble(list)?.capture());
//! assert_eq!(shot.session().timeline().draws(), 1);
//! assert_eq!(shot.history(None, [3, 4])?.entries.len(), 1);
//! assert_eq!(shot.dependencies(None).passes.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::session::{Session, SessionOptions};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::limits::Limits;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay::{self, Replayed};
use crate::run::sink::Sink;
use crate::run::watch::Watch;

/// A run to ask questions about. Its list does not change, so that each question starts at the same moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shot {
    /// The list with its edits, as it is before the run.
    pub capture: Capture,
    /// Options for the rasterizer, including the arithmetic for vertex transforms.
    pub raster: RasterOptions,
    /// Limits for each run. A run's record takes at most another [`Limits::memory`] bytes.
    pub limits: Limits,
}

impl Shot {
    /// Creates a run for a list, with default options.
    #[must_use]
    pub fn new(capture: Capture) -> Self {
        Self { capture, raster: RasterOptions::default(), limits: Limits::default() }
    }

    /// Runs another list in the same way.
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// Draws with these options.
    #[must_use]
    pub const fn with_raster(mut self, raster: RasterOptions) -> Self {
        self.raster = raster;
        self
    }

    /// Runs within these limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the arithmetic for transform and rasterizer.
    #[must_use]
    pub const fn arithmetic(&self) -> Arithmetic {
        self.raster.arithmetic
    }

    /// Creates a rasterizer for this run. It draws with a single thread, so that a draw's results are known right
    /// after it.
    #[must_use]
    pub fn rasterizer(&self) -> Rasterizer {
        Rasterizer::new(RasterOptions { threads: 1, ..self.raster })
    }

    /// Runs the list once, to open a session that can go to any event.
    #[must_use]
    pub fn session(&self) -> Session {
        let Self { capture, raster, limits } = self;
        let options = SessionOptions { raster: *raster, limits: *limits, ..SessionOptions::default() };
        Session::open(capture.clone(), options)
    }

    /// Runs the list into a sink, in [`Self::capture`]'s memory, which has the results afterwards.
    pub fn run_here<S: Sink>(&mut self, sink: &mut S, watch: &mut impl Watch<S>) -> Replayed {
        replay::run(&mut self.capture, self.raster.arithmetic, sink, watch, &self.limits)
    }
}
