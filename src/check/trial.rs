//! Trials: a draw is repeated with other registers and write-protected buffers, to count its pixels.
//!
//! # Invariants
//! A trial changes no byte of memory.

use super::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::command::Command;
use crate::ge::limits::{Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::sink::Sink;

/// The bits of CLEARMODE that enable writes of colour, alpha and depth.
const CLEAR_WRITES: u32 = 0x700;

/// A rasterizer for trials, with a limit of pixels of its own.
#[derive(Debug)]
pub(super) struct Trial {
    raster: Rasterizer,
    limit: LimitHit,
}

impl Trial {
    /// Creates a rasterizer for trials within [`Limits::pixels`].
    pub(super) fn new(arithmetic: Arithmetic, limits: &Limits) -> Self {
        let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
        raster.begin(limits);
        Self { raster, limit: limits.hit(Limit::Pixels) }
    }

    /// Counts the pixels that a draw covers with other registers. Memory must hold all earlier draws.
    ///
    /// # Errors
    /// The limit of pixels, if it is reached.
    pub(super) fn pixels(
        &mut self,
        subject: Subject<'_>,
        mut registers: Registers,
        memory: &mut Memory,
    ) -> Result<u64, LimitHit> {
        for (opcode, argument) in [
            (Opcode::MASKRGB, 0xFF_FFFF),
            (Opcode::MASKALPHA, 0xFF),
            (Opcode::ZWRITEDISABLE, 1),
            (Opcode::CLEARMODE, registers.argument(Opcode::CLEARMODE) & !CLEAR_WRITES),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        let before = self.raster.statistics().pixels;
        subject.draw_with(&registers, memory, &mut self.raster);
        self.raster.flush(memory);
        let pixels = self.raster.statistics().pixels.saturating_sub(before);
        if self.raster.cost() < self.limit.value { Ok(pixels) } else { Err(self.limit) }
    }
}
