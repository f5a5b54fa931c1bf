//! The vertex transform's result.

/// A vertex in clip space, ready for clipping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ClipVertex<R> {
    /// Position x, y, z, w. In through mode this holds pixels, depth and 1.
    pub position: [R; 4],
    /// Texture coordinates s, t, q.
    pub texture: [R; 3],
    /// Fog factor, or 1 if fog is off. Hardware numbers are multiples of 1/256, at most 255/256 if fog is on.
    pub fog: R,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Secondary colour.
    pub secondary: [u8; 3],
}
