//! Passes draws on to the rasterizer, or leaves them out for a host that skips a frame.

use pspge::run::sink::{forward_flushes, forward_limits};
use pspge::{Draw, ImmediateDraw, Memory, Rasterizer, Sink};

/// The rasterizer of an instance, for a run.
#[derive(Debug)]
pub(crate) struct HostSink<'r> {
    pub(crate) raster: &'r mut Rasterizer,
    /// Whether draws are drawn.
    pub(crate) draws: bool,
}

impl Sink for HostSink<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if self.draws {
            self.raster.draw(memory, draw);
        }
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if self.draws {
            self.raster.draw_immediate(memory, draw);
        }
    }

    forward_flushes!(raster);
    forward_limits!(raster);
}
