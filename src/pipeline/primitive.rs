//! Primitives on the screen: what the geometry stages hand to a rasterizer.
//! Source: `ge-reference.md` §5.2, §7.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::transform::ShadeMode;

/// A vertex after transformation, in framebuffer coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenVertex {
    /// Column in 1/16 pixel, after OFFSETX was subtracted.
    pub x: i32,
    /// Row in 1/16 pixel, after OFFSETY was subtracted.
    pub y: i32,
    /// Depth, 0 to 65535.
    pub z: u16,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Secondary colour, added after texturing.
    pub secondary: [u8; 3],
    /// Texture coordinates s, t and q. In through mode s and t are texels of level 0 and q is 1; else s and t are
    /// fractions of the texture's size after division by q.
    pub texture: [f32; 3],
    /// 1/w, by which s, t and q are multiplied for perspective-correct interpolation; 1 in through mode.
    pub reciprocal_w: f32,
    /// Fog factor before conversion to 8 bits, 0 (all fog) to 1 (none); 1 where there is no fog.
    pub fog: f32,
}

/// What to fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// One pixel.
    Point([ScreenVertex; 1]),
    /// A line.
    Line([ScreenVertex; 2]),
    /// A triangle.
    Triangle([ScreenVertex; 3]),
    /// A rectangle between two corners.
    Rectangle([ScreenVertex; 2]),
}

/// A primitive on the screen: assembled, clipped, culled, with the state that need not be looked up again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPrimitive {
    /// What to fill, with its vertices in the order the list gave them.
    pub shape: Shape,
    /// Gouraud, or flat in the colour of [`Self::flat_vertex`].
    pub shade: ShadeMode,
    /// Which vertex gives the colour of a flat primitive.
    pub provoking: u8,
    /// Positions were given in pixels: MINZ, MAXZ, fog and secondary colour do not apply.
    pub through: bool,
    /// Whose rules fill it.
    pub arithmetic: Arithmetic,
}

impl ScreenPrimitive {
    /// The primitive's vertices.
    #[must_use]
    pub fn vertices(&self) -> &[ScreenVertex] {
        match &self.shape {
            Shape::Point(vertices) => vertices,
            Shape::Line(vertices) | Shape::Rectangle(vertices) => vertices,
            Shape::Triangle(vertices) => vertices,
        }
    }

    /// The vertex whose colour a flat primitive shows.
    #[must_use]
    pub fn flat_vertex(&self) -> ScreenVertex {
        self.vertices().get(usize::from(self.provoking)).copied().unwrap_or_default()
    }
}
