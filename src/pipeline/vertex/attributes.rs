//! A decoded vertex.

/// A vertex as decoded from memory, before morphing, skinning and transformation.
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
    /// Skinning weights; unused ones are 0.
    pub weights: [f32; 8],
}

/// Texture coordinates and normal of the last vertex that had them. Vertices without them take these, even in
/// later draws.
/// Source: [missing components](crate::reference::ge::vertices#missing-components) (hardware test
/// `texmtx/source`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastAttributes {
    /// Texture coordinates.
    pub texcoord: [f32; 2],
    /// Normal.
    pub normal: [f32; 3],
}
