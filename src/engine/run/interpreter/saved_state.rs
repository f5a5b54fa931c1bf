//! An interpreter's whole state as plain data, for a host to save with its own state and go on later.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::flow::FlowState;
use crate::ge::registers::saved::{SavedRegisters, SavedRegistersError};
use crate::pipeline::draw::CarriedVertex;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// The largest magnitude for immediate vertex positions, because these are differences of 16-bit numbers.
const POSITION_MAX: i32 = 0xFFFF;

/// All state that lists depend on in an [`Interpreter`](super::Interpreter), apart from memory: registers,
/// matrices, palette memory, list flow, and the state that draws leave for later draws. Floats are kept as bits, to
/// restore every value exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedState {
    pub(super) registers: SavedRegisters,
    pub(super) flow: FlowState,
    pub(super) last_texcoord: [u32; 2],
    pub(super) last_normal: [u32; 3],
    /// The sign of the normal that replaces (0, 0, 0).
    pub(super) zero_normal: i8,
    /// The primitive type for a CONTINUE.
    pub(super) primitive: u8,
    pub(super) is_reversed: bool,
    pub(super) vertices: ArrayVec<SavedVertex, 2>,
    /// The argument of the VAP that started the immediate primitive.
    pub(super) immediate_start: u32,
    pub(super) immediate_is_reversed: bool,
    pub(super) immediate_vertices: ArrayVec<SavedScreenVertex, 3>,
}

/// A vertex for a following CONTINUE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SavedVertex {
    position: [u32; 3],
    normal: [u32; 3],
    texcoord: [u32; 2],
    color: [u8; 4],
    weights: [u32; 8],
    registers: SavedRegisters,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SavedScreenVertex {
    pub(super) x: i32,
    y: i32,
    z: u16,
    color: [u8; 4],
    secondary: [u8; 3],
    texture: [u32; 3],
    reciprocal_w: u32,
    fog: u32,
}

/// Why a saved state is refused: no interpreter can have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedStateError {
    /// The registers have a wrong size or content.
    #[error(transparent)]
    Registers(#[from] SavedRegistersError),
    /// The sign of the normal for (0, 0, 0) is not −1, 0 or 1.
    #[error("the sign of the zero normal is {0}, not -1, 0 or 1")]
    ZeroNormal(i8),
    /// An immediate vertex lies outside the machine's coordinates.
    #[error("an immediate vertex is at {x}, {y}, outside the coordinates of the machine")]
    Position {
        /// The vertex's column in 1/16 pixel.
        x: i32,
        /// The vertex's row in 1/16 pixel.
        y: i32,
    },
}

impl SavedVertex {
    pub(super) fn new(carried: &CarriedVertex) -> Self {
        let Vertex { position, normal, texcoord, color, weights } = carried.vertex;
        Self {
            position: position.map(f32::to_bits),
            normal: normal.map(f32::to_bits),
            texcoord: texcoord.map(f32::to_bits),
            color,
            weights: weights.map(f32::to_bits),
            registers: SavedRegisters::new(&carried.registers),
        }
    }

    pub(super) fn restore(&self) -> Result<CarriedVertex, SavedRegistersError> {
        let vertex = Vertex {
            position: self.position.map(f32::from_bits),
            normal: self.normal.map(f32::from_bits),
            texcoord: self.texcoord.map(f32::from_bits),
            color: self.color,
            weights: self.weights.map(f32::from_bits),
        };
        Ok(CarriedVertex { vertex, registers: Arc::new(self.registers.restore()?) })
    }
}

impl SavedScreenVertex {
    pub(super) fn new(vertex: &ScreenVertex) -> Self {
        let ScreenVertex { x, y, z, color, secondary, texture, reciprocal_w, fog } = *vertex;
        Self {
            x,
            y,
            z,
            color,
            secondary,
            texture: texture.map(f32::to_bits),
            reciprocal_w: reciprocal_w.to_bits(),
            fog: fog.to_bits(),
        }
    }

    pub(super) fn restore(&self) -> Result<ScreenVertex, SavedStateError> {
        let Self { x, y, z, color, secondary, texture, reciprocal_w, fog } = *self;
        let possible = -POSITION_MAX..=POSITION_MAX;
        if !possible.contains(&x) || !possible.contains(&y) {
            return Err(SavedStateError::Position { x, y });
        }
        Ok(ScreenVertex {
            x,
            y,
            z,
            color,
            secondary,
            texture: texture.map(f32::from_bits),
            reciprocal_w: f32::from_bits(reciprocal_w),
            fog: f32::from_bits(fog),
        })
    }
}
