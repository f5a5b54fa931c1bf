//! A trial repeats a draw with other registers and write-protected buffers, to count its pixels.
//!
//! # Invariants
//! A trial changes no byte in memory.

use super::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::command::Command;
use crate::ge::limits::{Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::sink::Sink;

/// The bits in CLEARMODE to enable writes to colour, alpha and depth.
const CLEAR_WRITES: u32 = 0x700;

/// A rasterizer for trials, with a separate limit on pixels.
#[derive(Debug)]
pub(super) struct Trial {
    arithmetic: Arithmetic,
    limits: Limits,
    /// Created for the first trial; `None` before.
    raster: Option<Rasterizer>,
}

impl Trial {
    /// Creates a rasterizer whose trials may use [`Limits::pixels`] together.
    pub(super) const fn new(arithmetic: Arithmetic, limits: &Limits) -> Self {
        Self { arithmetic, limits: *limits, raster: None }
    }

    /// Counts a draw's pixels with these registers. Memory must hold all earlier draws.
    ///
    /// # Errors
    /// Returns the limit on pixels if this trial reaches it.
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
        let raster = self.raster.get_or_insert_with(|| {
            let options = RasterOptions { arithmetic: self.arithmetic, ..RasterOptions::default() };
            let mut raster = Rasterizer::new(options);
            raster.begin(memory, &self.limits);
            raster
        });
        let before = raster.statistics().pixels;
        subject.draw_with(&registers, memory, raster);
        raster.flush(memory);
        let pixels = raster.statistics().pixels.saturating_sub(before);
        let limit = self.limits.hit(Limit::Pixels);
        if raster.cost() < limit.value { Ok(pixels) } else { Err(limit) }
    }
}
