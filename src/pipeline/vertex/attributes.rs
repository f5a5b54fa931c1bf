//! A decoded vertex.

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
