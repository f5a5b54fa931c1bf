//! One draw, ready to be filled.

use super::pipeline_state::Prepared;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;

/// The primitives of a draw, with its registers and what was found in them.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct Job<'j> {
    pub(in crate::raster) registers: &'j Registers,
    pub(in crate::raster) prepared: &'j Prepared,
    pub(in crate::raster) primitives: &'j [ScreenPrimitive],
    /// The first row of each primitive and the one behind its last; empty where nobody worked them out.
    pub(in crate::raster) rows: &'j [[i16; 2]],
    /// Pixels that they cover, at most.
    pub(in crate::raster) pixels: u64,
}
