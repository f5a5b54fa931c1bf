//! A draw, ready to be filled.

use super::pipeline_state::PipelineState;
use crate::pipeline::primitive::ScreenPrimitive;

/// A draw's primitives and its decoded state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawCall<'d> {
    pub(in crate::raster) state: &'d PipelineState,
    pub(in crate::raster) primitives: &'d [ScreenPrimitive],
    /// First row and end row for each primitive. Empty if not computed.
    pub(in crate::raster) rows: &'d [[i16; 2]],
    /// Upper bound for the pixels they cover.
    pub(in crate::raster) max_pixels: u64,
}
