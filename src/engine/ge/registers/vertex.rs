//! Registers for vertices and primitives. Source: [commands](crate::reference::ge::commands#flow-and-drawing),
//! [VTYPE](crate::reference::ge::vertices#vtype), [curves](crate::reference::ge::curves).

use super::field::{codes, register};
use crate::ge::address::Address;

codes! {
    /// The primitive for PRIM to draw. Source: [PRIM](crate::reference::ge::lists#prim).
    PrimitiveType: 3 bits {
        /// Single pixels.
        POINTS = 0,
        /// Separate lines.
        LINES = 1,
        /// A connected line.
        LINE_STRIP = 2,
        /// Separate triangles.
        TRIANGLES = 3,
        /// A triangle strip.
        TRIANGLE_STRIP = 4,
        /// A triangle fan.
        TRIANGLE_FAN = 5,
        /// Axis-parallel rectangles from two corners each ("sprites").
        RECTANGLES = 6,
        /// More vertices, to continue the previous PRIM's primitive.
        CONTINUE = 7,
    }
}

codes! {
    /// How a position, a normal, a texture coordinate or a weight is stored.
    ComponentFormat: 2 bits {
        /// The component is absent.
        NONE = 0,
        /// 8 bits: signed for positions and normals, unsigned for the rest.
        BITS8 = 1,
        /// 16 bits: signed for positions and normals, unsigned for the rest.
        BITS16 = 2,
        /// IEEE single.
        FLOAT = 3,
    }
}

codes! {
    /// How a vertex colour is stored.
    ColorFormat: 3 bits {
        /// The vertex has no colour.
        NONE = 0,
        /// 5 bits red, 6 green, 5 blue.
        BGR5650 = 4,
        /// 5 bits each, 1 bit alpha.
        ABGR5551 = 5,
        /// 4 bits each.
        ABGR4444 = 6,
        /// 8 bits each.
        ABGR8888 = 7,
    }
}

codes! {
    /// How wide an index is.
    IndexFormat: 2 bits {
        /// Vertices are taken in order.
        NONE = 0,
        /// 8 bits.
        BITS8 = 1,
        /// 16 bits.
        BITS16 = 2,
        /// 32 bits.
        BITS32 = 3,
    }
}

codes! {
    /// How to lay out a spline's knot vector at its ends.
    #[doc(hidden)]
    SplineEdge: 2 bits {
        /// Open at both ends.
        OPEN = 0,
        /// The first control point is interpolated.
        CLOSE_START = 1,
        /// The last control point is interpolated.
        CLOSE_END = 2,
        /// Both are.
        CLOSE = 3,
    }
}

register! {
    /// A draw.
    #[doc(hidden)]
    Prim = PRIM {
        /// The primitive to draw.
        primitive: PrimitiveType = 16..=18,
        /// Number of vertices.
        count: u16 = 0..=15,
    }
}

register! {
    /// A Bezier patch.
    #[doc(hidden)]
    Bezier = BEZIER {
        /// Control points in the u direction.
        u_count: u8 = 0..=7,
        /// Control points in the v direction.
        v_count: u8 = 8..=15,
    }
}

register! {
    /// A B-spline patch.
    #[doc(hidden)]
    Spline = SPLINE {
        /// Control points in the u direction.
        u_count: u8 = 0..=7,
        /// Control points in the v direction.
        v_count: u8 = 8..=15,
        /// Knots at the ends of the u direction.
        u_edge: SplineEdge = 16..=17,
        /// Knots at the ends of the v direction.
        v_edge: SplineEdge = 18..=19,
    }
}

register! {
    /// A bounding-box test.
    #[doc(hidden)]
    BoundingBox = BBOX {
        /// Number of vertices.
        count: u16 = 0..=15,
    }
}

register! {
    /// A vertex's layout.
    VertexType = VTYPE {
        /// Texture coordinates, two per vertex, unsigned.
        texcoord: ComponentFormat = 0..=1,
        /// Colour.
        color: ColorFormat = 2..=4,
        /// Normal, three per vertex.
        normal: ComponentFormat = 5..=6,
        /// Position, three per vertex.
        position: ComponentFormat = 7..=8,
        /// Skinning weights, unsigned.
        weight: ComponentFormat = 9..=10,
        /// Whether there are indices, and how wide they are.
        index: IndexFormat = 11..=12,
        /// How many weights there are, less one; ignored if the vertex has no weights.
        weight_count: u8 = 14..=16,
        /// How many morph frames there are, less one.
        morph_count: u8 = 18..=20,
        /// Through mode: positions are pixels and need no transform.
        through: bool = 23..=23,
    }
}

impl VertexType {
    /// Returns how many weights a vertex with this layout has, 0 to 8.
    #[must_use]
    pub fn weights(self) -> usize {
        if self.weight == ComponentFormat::NONE { 0 } else { usize::from(self.weight_count) + 1 }
    }

    /// Returns how many morph frames a vertex with this layout has, 1 to 8.
    #[must_use]
    pub fn morph_frames(self) -> usize {
        usize::from(self.morph_count) + 1
    }

    /// Returns whether a draw reads VRAM for vertices or indices at these addresses, so that earlier draws must be
    /// complete. Without indices their pointer does not count, because it may belong to an earlier draw.
    #[must_use]
    pub const fn reads_vram(self, vertices: Address, indices: Address) -> bool {
        vertices.is_vram() || self.index.bytes() > 0 && indices.is_vram()
    }
}

impl IndexFormat {
    /// Returns how many bytes an index takes, or 0 if vertices are taken in order.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::BITS8 => 1,
            Self::BITS16 => 2,
            Self::BITS32 => 4,
            _ => 0,
        }
    }
}

impl ComponentFormat {
    /// Returns how many bytes each number takes, or 0 if this component is absent.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::BITS8 => 1,
            Self::BITS16 => 2,
            Self::FLOAT => 4,
            _ => 0,
        }
    }
}

impl ColorFormat {
    /// Returns how many bytes a colour takes, or 0 if it is absent or has one of the three invalid codes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::BGR5650 | Self::ABGR5551 | Self::ABGR4444 => 2,
            Self::ABGR8888 => 4,
            _ => 0,
        }
    }
}
