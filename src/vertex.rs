//! Vertices in memory and decoded.
//!
//! # Invariants
//! A layout is computed once per draw. Decoding allocates nothing and never fails: bytes that do not exist read
//! as zero. Source: `ge-reference.md` §4.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::address::Address;
use crate::memory::Memory;
use crate::registers::Registers;
use crate::registers::vertex::{IndexFormat, VertexType};

mod decode;
mod layout;

pub use layout::{MAX_VERTEX_BYTES, VertexLayout};

/// A vertex as its bytes say, before any morphing, skinning or transformation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position: model units, or pixels in through mode.
    pub position: [f32; 3],
    /// Normal.
    pub normal: [f32; 3],
    /// Texture coordinates: fractions of the texture, or texels in through mode.
    pub texcoord: [f32; 2],
    /// Red, green, blue, alpha, each 0 to 255.
    pub color: [u8; 4],
    /// Skinning weights; those beyond the vertex's number are 0.
    pub weights: [f32; 8],
}

/// Texture coordinates and normal of the last vertex that had them: vertices without take these, even in later
/// draws. Source: `ge-reference.md` §4.3 (hardware test `texmtx/source`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastAttributes {
    /// Texture coordinates.
    pub texcoord: [f32; 2],
    /// Normal.
    pub normal: [f32; 3],
}

/// Reads vertices and indices of one draw.
#[derive(Clone, Copy, Debug)]
pub struct VertexReader<'a> {
    memory: &'a Memory,
    layout: VertexLayout,
    vertices: Address,
    indices: Address,
    index_format: IndexFormat,
    /// Colour of vertices without one.
    default_color: [u8; 4],
    last: LastAttributes,
}

impl<'a> VertexReader<'a> {
    /// A reader of the vertices at `vertices`, chosen by the indices at `indices` where the vertex type has some.
    #[must_use]
    pub fn new(
        memory: &'a Memory,
        registers: &Registers,
        vertices: Address,
        indices: Address,
        last: LastAttributes,
    ) -> Self {
        let vertex_type: VertexType = registers.get();
        let [red, green, blue] = registers.rgb(crate::opcode::Opcode::MATERIALAMBIENT);
        let alpha = registers.argument(crate::opcode::Opcode::MATERIALALPHA).to_le_bytes()[0];
        Self {
            memory,
            layout: VertexLayout::new(vertex_type),
            vertices,
            indices,
            index_format: vertex_type.index,
            default_color: [red, green, blue, alpha],
            last,
        }
    }

    /// The layout of the vertices.
    #[must_use]
    pub const fn layout(&self) -> &VertexLayout {
        &self.layout
    }

    /// Whether indices choose the vertices.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.index_format != IndexFormat::NONE
    }

    /// Which vertex the `nth` of the draw is.
    #[must_use]
    pub fn index(&self, nth: u32) -> u32 {
        let at = self.indices.offset(nth.wrapping_mul(self.index_format.bytes()));
        match self.index_format {
            IndexFormat::BITS8 => u32::from(self.memory.read_u8(at)),
            IndexFormat::BITS16 => u32::from(self.memory.read_u16(at)),
            IndexFormat::BITS32 => self.memory.read_u32(at),
            _ => nth,
        }
    }

    /// Where the `nth` vertex of the draw lies.
    #[must_use]
    pub fn address(&self, nth: u32) -> Address {
        self.vertices.offset(self.index(nth).wrapping_mul(self.layout.bytes()))
    }

    /// The first morph frame of the `nth` vertex of the draw.
    #[must_use]
    pub fn vertex(&self, nth: u32) -> Vertex {
        self.frames(nth, |frames| frames(0))
    }

    /// Gives `use_frames` a function that decodes the morph frames of the `nth` vertex of the draw.
    pub fn frames<T>(&self, nth: u32, use_frames: impl FnOnce(&dyn Fn(usize) -> Vertex) -> T) -> T {
        let address = self.address(nth);
        let bytes = self.layout.bytes() as usize;
        let mut copy;
        let vertex = match self.memory.slice(address, bytes) {
            Some(vertex) => vertex,
            None => {
                copy = [0; MAX_VERTEX_BYTES];
                let copy = copy.get_mut(..bytes).unwrap_or_default();
                self.memory.read(address, copy);
                copy
            }
        };
        use_frames(&|frame| {
            let start = frame.saturating_mul(self.layout.frame_bytes() as usize);
            decode::decode(&self.layout, vertex.get(start..).unwrap_or(&[]), self.default_color, self.last)
        })
    }
}
