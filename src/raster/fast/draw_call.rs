//! One draw, ready to be filled.

use super::pipeline_state::PipelineState;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;

/// The primitives of a draw, with its registers and what was found in them.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct DrawCall<'d> {
    pub(in crate::raster) registers: &'d Registers,
    pub(in crate::raster) state: &'d PipelineState,
    pub(in crate::raster) primitives: &'d [ScreenPrimitive],
    /// The first row of each primitive and the one behind its last; empty where nobody worked them out.
    pub(in crate::raster) rows: &'d [[i16; 2]],
    /// Pixels that they cover, at most.
    pub(in crate::raster) max_pixels: u64,
}
