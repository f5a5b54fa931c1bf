//! A rasterizer with random delays, to test that pixels do not depend on which thread comes first.

use std::thread;
use std::time::Duration;

use pspge::ge::address::Address;
use pspge::ge::memory::Memory;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::Rasterizer;
use pspge::run::sink::Sink;

use crate::generate::Random;

/// A rasterizer with random delays in its front end, so that other threads are sometimes ahead of it and sometimes
/// late.
#[derive(Debug)]
pub struct DelayedRasterizer {
    /// The rasterizer to draw with.
    pub inner: Rasterizer,
    /// Decides when to delay, and for how long.
    pub random: Random,
}

impl DelayedRasterizer {
    /// Sleeps for up to half a millisecond, in every sixteenth call on average.
    pub fn delay(&mut self) {
        if self.random.once_in(16) {
            thread::sleep(Duration::from_micros(self.random.below(500).into()));
        }
    }
}

impl Sink for DelayedRasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.delay();
        self.inner.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.delay();
        self.inner.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.delay();
        self.inner.flush(memory);
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.delay();
        self.inner.flush_for_read(memory, start, length);
    }

    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        self.delay();
        self.inner.flush_for_comparison(memory, start, length)
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.delay();
        self.inner.flush_for_write(memory, start, length);
    }

    fn flush_textures(&mut self) {
        self.inner.flush_textures();
    }

    pspge::run::sink::forward_limits!(inner);
}
