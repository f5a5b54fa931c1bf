//! Describes draws while they are drawn.

use super::draw::{DrawDescriber, DrawDocument};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::raster::Rasterizer;
use crate::run::sink::Sink;

/// Receives draws' descriptions, to print or collect them.
pub trait DrawReceiver {
    /// Returns whether to describe the draw with this number. Called once for each draw, in order.
    fn wants(&mut self, draw: u64) -> bool;

    /// Takes a draw's description, and its registers.
    fn receive(&mut self, draw: DrawDocument, registers: &Registers);
}

/// Draws, and describes the draws that its receiver wants, with how many pixels each wrote.
#[derive(Debug)]
pub struct DescribedDraws<'a, R> {
    /// The rasterizer.
    pub raster: Rasterizer,
    /// Describes the draws.
    pub describer: DrawDescriber<'a>,
    /// Takes the descriptions.
    pub receiver: R,
}

impl<R: DrawReceiver> DescribedDraws<'_, R> {
    /// Draws, and passes the description on with the pixel count. This comes last, because only drawing tells that
    /// count.
    fn finish(
        &mut self,
        document: Option<DrawDocument>,
        registers: &Registers,
        draw: impl FnOnce(&mut Rasterizer),
    ) {
        let before = self.raster.statistics().pixels;
        draw(&mut self.raster);
        let pixels = self.raster.statistics().pixels.saturating_sub(before);
        if let Some(document) = document {
            self.receiver.receive(DrawDocument { pixels: Some(pixels), ..document }, registers);
        }
    }
}

impl<R: DrawReceiver> Sink for DescribedDraws<'_, R> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let document = self.receiver.wants(draw.number).then(|| {
            // A hash has to see the bytes as this draw reads them: after all earlier draws, but before the draw
            // itself changes them.
            self.raster.flush(memory);
            self.describer.draw(memory, draw, None)
        });
        let draw = Draw { can_wait: false, ..*draw };
        self.finish(document, draw.registers, |raster| raster.draw(memory, &draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let document = self.receiver.wants(draw.number).then(|| {
            self.raster.flush(memory);
            self.describer.immediate(memory, draw, None)
        });
        self.finish(document, draw.registers, |raster| raster.draw_immediate(memory, draw));
    }

    crate::run::sink::forward_flushes!(raster);
    crate::run::sink::forward_limits!(raster);
}
