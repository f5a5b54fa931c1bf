//! A vertex after decoding.

/// A vertex as decoded from memory, before morphing, skinning and transformation.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// let vertex = pspge::Vertex { position: [1.0, 2.0, 3.0], ..pspge::Vertex::default() };
/// assert_eq!(vertex.weights, [0.0; 8]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// The position in model units, or in pixels in through mode.
    pub position: [f32; 3],
    /// The normal in model space.
    pub normal: [f32; 3],
    /// Texture coordinates as fractions of the texture, or in texels in through mode.
    pub texcoord: [f32; 2],
    /// Red, green, blue, alpha, each 0 to 255.
    pub color: [u8; 4],
    /// Skinning weights; unused ones are 0.
    pub weights: [f32; 8],
}

/// The last texture coordinates and normal to be read. Vertices without them take these, even in later draws.
/// Source: [missing components](crate::reference::ge::vertices#missing-components) (hardware test
/// `texmtx/source`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastAttributes {
    /// The texture coordinates for vertices that have none.
    pub texcoord: [f32; 2],
    /// The normal for vertices that have none.
    pub normal: [f32; 3],
}
