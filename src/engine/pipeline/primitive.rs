//! Screen primitives, the interface between the geometry stages and a rasterizer.
//! Source: [raster grid](crate::reference::ge::transform#raster-grid),
//! [coverage](crate::reference::ge::coverage).

use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::transform::ShadeMode;

/// A transformed vertex in framebuffer coordinates.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::ScreenVertex;
///
/// // The centre of the pixel at column 2, row 1, in 1/16 pixel.
/// let vertex = ScreenVertex { x: 2 * 16 + 8, y: 16 + 8, ..ScreenVertex::default() };
/// assert_eq!(vertex.x / 16, 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenVertex {
    /// The column in 1/16 pixel, with OFFSETX already subtracted.
    pub x: i32,
    /// The row in 1/16 pixel, with OFFSETY already subtracted.
    pub y: i32,
    /// Depth, 0 to 65535.
    pub z: u16,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// The secondary colour, to add after texturing.
    pub secondary: [u8; 3],
    /// Texture coordinates s, t and q. In through mode s and t are texels in level 0 and q is 1. Otherwise s/q and
    /// t/q are fractions of the texture's size.
    pub texture: [f32; 3],
    /// 1/w, which scales s, t and q to interpolate them in perspective; 1 in through mode.
    pub reciprocal_w: f32,
    /// The fog factor: the 8-bit coefficient / 256, or 1 if fog is off. In single arithmetic this is not yet cut to
    /// 8 bits: 1 and above = no fog, 0 and below = full fog.
    pub fog: f32,
}

/// The shape for a rasterizer to fill.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{ScreenVertex, Shape};
///
/// let shape = Shape::Line([ScreenVertex::default(); 2]);
/// assert!(matches!(shape, Shape::Line(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A single pixel.
    Point([ScreenVertex; 1]),
    /// A line between two vertices.
    Line([ScreenVertex; 2]),
    /// A triangle.
    Triangle([ScreenVertex; 3]),
    /// A rectangle between two opposite corners.
    Rectangle([ScreenVertex; 2]),
}

/// A primitive after assembly, clipping and culling. This carries the state for its rasterizer, so that the
/// rasterizer need not look it up.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// /// Returns the number of vertices of a primitive on the screen.
/// fn count(primitive: &pspge::ScreenPrimitive) -> usize {
///     primitive.vertices().len()
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPrimitive {
    /// The shape, with its vertices in list order.
    pub shape: Shape,
    /// Gouraud shading, or flat shading with the colour of [`Self::flat_vertex`].
    pub shade: ShadeMode,
    /// The provoking vertex's index. A flat primitive takes this vertex's colour.
    pub provoking: u8,
    /// Whether positions were given in pixels. MINZ, MAXZ, fog and secondary colour do not apply then.
    pub through: bool,
    /// The number format whose rules a rasterizer must fill this primitive by.
    pub arithmetic: Arithmetic,
}

impl ScreenPrimitive {
    /// Returns the vertices, whatever the shape.
    #[must_use]
    pub fn vertices(&self) -> &[ScreenVertex] {
        match &self.shape {
            Shape::Point(vertices) => vertices,
            Shape::Line(vertices) | Shape::Rectangle(vertices) => vertices,
            Shape::Triangle(vertices) => vertices,
        }
    }

    /// Returns the provoking vertex, for its colour in flat shading.
    #[must_use]
    pub fn flat_vertex(&self) -> ScreenVertex {
        self.vertices().get(usize::from(self.provoking)).copied().unwrap_or_default()
    }
}
