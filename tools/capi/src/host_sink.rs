//! Passes draws on to the rasterizer, or drops them for a host that skips a frame.

use pspge::run::sink::{forward_flushes, forward_limits};
use pspge::{Draw, ImmediateDraw, Memory, Rasterizer, Sink};

/// An instance's rasterizer during a run.
#[derive(Debug)]
pub(crate) struct HostSink<'r> {
    pub(crate) raster: &'r mut Rasterizer,
    /// Whether draws reach the rasterizer.
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
