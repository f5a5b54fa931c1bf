//! The draw tracker: notes the targets of a replay's draws, and passes the draws on.

use super::dump_extent::{DumpExtent, box_of_draw, box_of_immediate};
use crate::ge::memory::Memory;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::run::sink::Sink;
use crate::run::target_sizes::TargetSizes;

/// The targets of all draws so far.
#[derive(Clone, Debug)]
pub(super) struct DrawnTargets {
    /// The bytes that draws may have written; `None` if they are not needed.
    pub(super) drawn: Option<Box<DumpExtent>>,
    /// The colour buffer of the last draw.
    pub(super) target: Option<ColorSurface>,
    /// The sizes of all colour buffers.
    pub(super) sizes: TargetSizes,
}

impl DrawnTargets {
    /// Creates the state before the first draw.
    pub(super) fn new(tracks_bytes: bool) -> Self {
        Self { drawn: tracks_bytes.then(Box::default), target: None, sizes: TargetSizes::default() }
    }
}

/// A sink that notes the targets of draws and passes the draws on.
#[derive(Debug)]
pub(super) struct DrawTracker<'s, S> {
    sink: &'s mut S,
    pub(super) targets: &'s mut DrawnTargets,
}

impl<'s, S: Sink> DrawTracker<'s, S> {
    /// Creates a tracker that goes on from earlier draws.
    pub(super) const fn new(sink: &'s mut S, targets: &'s mut DrawnTargets) -> Self {
        Self { sink, targets }
    }
}

impl<S: Sink> Sink for DrawTracker<'_, S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let target = ColorSurface::from_registers(draw.registers);
        self.targets.target = Some(target);
        self.targets.sizes.insert(&target, draw.registers);
        if let Some(drawn) = &mut self.targets.drawn {
            drawn.insert(draw.registers, box_of_draw(memory, draw));
        }
        self.sink.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let target = ColorSurface::from_registers(draw.registers);
        self.targets.target = Some(target);
        self.targets.sizes.insert(&target, draw.registers);
        if let Some(drawn) = &mut self.targets.drawn {
            drawn.insert(draw.registers, box_of_immediate(draw));
        }
        self.sink.draw_immediate(memory, draw);
    }

    fn skip(&mut self, draw: &Draw<'_>) {
        self.sink.skip(draw);
    }

    fn skip_immediate(&mut self, draw: &ImmediateDraw<'_>) {
        self.sink.skip_immediate(draw);
    }

    crate::run::sink::forward_flushes!(sink);
    crate::run::sink::forward_limits!(sink);
}
