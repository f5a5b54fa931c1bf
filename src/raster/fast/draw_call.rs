//! A draw, ready to be filled.

use super::pipeline_state::PipelineState;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;

/// The primitives of a draw with its registers and decoded state.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct DrawCall<'d> {
    pub(in crate::raster) registers: &'d Registers,
    pub(in crate::raster) state: &'d PipelineState,
    pub(in crate::raster) primitives: &'d [ScreenPrimitive],
    /// First row and end row of each primitive. Empty if not computed.
    pub(in crate::raster) rows: &'d [[i16; 2]],
    /// Upper bound of the pixels they cover.
    pub(in crate::raster) max_pixels: u64,
    /// Number of TEXFLUSH commands before the draw.
    pub(in crate::raster) texture_flushes: u64,
}
