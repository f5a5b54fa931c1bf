//! The sample offset selects the point in a pixel at which primitives are sampled.
//!
//! The hardware samples each pixel's centre. If a list is drawn several times, at points that divide the pixel
//! evenly, the pictures together form a larger picture. For this, all primitives move opposite to the offset.
//! Buffers, textures and transfers keep their size, so effects between them work in each pass.

use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// Position units per pixel.
const PIXEL: u32 = 16;
/// Difference in 1/16 pixel that counts as no difference, because games place transformed menus only this
/// accurately.
const TOLERANCE: u32 = 2;

/// How far the sampled point is from a pixel's centre: columns to the right and rows down, in 1/16 pixel.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::raster::SampleOffset;
///
/// let offsets: Vec<SampleOffset> = SampleOffset::grid(2).collect();
/// assert_eq!(offsets.first(), Some(&SampleOffset::new(-4, -4)));
/// assert_eq!(offsets.len(), 4);
/// assert_eq!(SampleOffset::grid(3).count(), 0, "a third of a pixel is no multiple of 1/16");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SampleOffset {
    columns: i8,
    rows: i8,
}

impl SampleOffset {
    /// The pixel's centre, as on the hardware.
    pub const NONE: Self = Self { columns: 0, rows: 0 };

    /// Creates an offset. Numbers outside -8 to 7 are clamped, because they would lead to another pixel.
    #[must_use]
    pub fn new(columns: i8, rows: i8) -> Self {
        let [columns, rows] = [columns, rows].map(|offset| offset.clamp(-8, 7));
        Self { columns, rows }
    }

    /// Returns the offsets that divide a pixel into `scale`×`scale` equal parts, row by row. The centres of these
    /// parts must be on the raster grid, so this is empty for scales other than 1, 2, 4 and 8.
    pub fn grid(scale: u32) -> impl Iterator<Item = Self> {
        let scale = i8::try_from(scale).ok().filter(|scale| [1, 2, 4, 8].contains(scale)).unwrap_or(0);
        let offset = move |part: i8| (2 * part + 1 - scale) * (8 / scale);
        (0..scale).flat_map(move |row| (0..scale).map(move |column| Self::new(offset(column), offset(row))))
    }

    /// Returns the first offset from [`Self::grid`], or the pixel's centre if there is none.
    #[must_use]
    pub fn first(scale: u32) -> Self {
        Self::grid(scale).next().unwrap_or(Self::NONE)
    }

    /// Moves a primitive to have pixels show this offset at their centres.
    ///
    /// Flat rectangles of whole pixels stay. These are pictures in menus, letters, clears and copies of buffers.
    /// Between the hardware's pixels they would show texels from beyond their edges, and blur.
    pub(crate) fn shift(self, primitive: &ScreenPrimitive) -> ScreenPrimitive {
        if is_flat(&primitive.shape) {
            return *primitive;
        }
        let shift = |vertex: ScreenVertex| ScreenVertex {
            x: vertex.x.saturating_sub(self.columns.into()),
            y: vertex.y.saturating_sub(self.rows.into()),
            ..vertex
        };
        let shape = match primitive.shape {
            Shape::Point(vertices) => Shape::Point(vertices.map(shift)),
            Shape::Line(vertices) => Shape::Line(vertices.map(shift)),
            Shape::Triangle(vertices) => Shape::Triangle(vertices.map(shift)),
            Shape::Rectangle(vertices) => Shape::Rectangle(vertices.map(shift)),
        };
        ScreenPrimitive { shape, ..*primitive }
    }
}

/// Returns whether a shape is a flat rectangle of whole pixels, or half such a rectangle.
fn is_flat(shape: &Shape) -> bool {
    match shape {
        Shape::Rectangle([a, b]) => is_without_perspective(&[a, b]) && has_whole_size(a, b),
        Shape::Triangle([a, b, c]) if is_without_perspective(&[a, b, c]) => {
            // The corner at the right angle is level with another corner, and above or below the third.
            [[a, b, c], [b, c, a], [c, a, b]].into_iter().any(|[corner, first, second]| {
                let is_right = |level: &ScreenVertex, upright: &ScreenVertex| {
                    is_near(level.y, corner.y) && is_near(upright.x, corner.x)
                };
                (is_right(first, second) || is_right(second, first)) && has_whole_size(first, second)
            })
        }
        Shape::Point(_) | Shape::Line(_) | Shape::Triangle(_) => false,
    }
}

/// Returns whether vertices have no perspective, because they are in through mode or their projection has none, as
/// in menus.
fn is_without_perspective(vertices: &[&ScreenVertex]) -> bool {
    vertices.iter().all(|vertex| vertex.reciprocal_w == 1.0)
}

/// Returns whether the box between two corners has a whole number of pixels in width and height, and is not empty.
fn has_whole_size(a: &ScreenVertex, b: &ScreenVertex) -> bool {
    [[a.x, b.x], [a.y, b.y]].into_iter().all(|[from, to]| {
        let size = from.abs_diff(to);
        let whole = (size + PIXEL / 2) / PIXEL * PIXEL;
        whole > 0 && size.abs_diff(whole) <= TOLERANCE
    })
}

fn is_near(a: i32, b: i32) -> bool {
    a.abs_diff(b) <= TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;

    fn shifted(shape: Shape) -> Shape {
        let primitive = ScreenPrimitive {
            shape,
            shade: ShadeMode::FLAT,
            provoking: 0,
            through: true,
            arithmetic: Arithmetic::Hardware,
        };
        SampleOffset::new(4, -4).shift(&primitive).shape
    }

    fn at<const N: usize>(corners: [[i32; 2]; N]) -> [ScreenVertex; N] {
        corners.map(|[x, y]| ScreenVertex { x, y, reciprocal_w: 1.0, ..ScreenVertex::default() })
    }

    #[test]
    fn offsets_are_the_centres_of_equal_parts() {
        let columns = |scale| -> Vec<i8> {
            SampleOffset::grid(scale).take(scale as usize).map(|offset| offset.columns).collect()
        };
        assert_eq!(columns(1), [0], "the centre");
        assert_eq!(columns(2), [-4, 4], "halves");
        assert_eq!(columns(4), [-6, -2, 2, 6], "quarters");
        assert_eq!(columns(8), [-7, -5, -3, -1, 1, 3, 5, 7], "eighths");
        let rows: Vec<i8> = SampleOffset::grid(2).map(|offset| offset.rows).collect();
        assert_eq!(rows, [-4, -4, 4, 4], "row by row");
        for scale in [0, 3, 16, u32::MAX] {
            assert_eq!(SampleOffset::grid(scale).count(), 0, "{scale}");
            assert_eq!(SampleOffset::first(scale), SampleOffset::NONE, "{scale}");
        }
    }

    #[test]
    fn primitives_move_against_the_offset() {
        assert_eq!(shifted(Shape::Point(at([[32, 32]]))), Shape::Point(at([[28, 36]])), "a point");
        assert_eq!(
            shifted(Shape::Line(at([[0, 0], [32, 0]]))),
            Shape::Line(at([[-4, 4], [28, 4]])),
            "a line"
        );
        let diagonal = [[0, 0], [64, 32], [16, 64]];
        assert_eq!(
            shifted(Shape::Triangle(at(diagonal))),
            Shape::Triangle(at(diagonal.map(|[x, y]| [x - 4, y + 4]))),
            "a triangle, although its corners are on whole pixels"
        );
        let uneven = [[8, 0], [48, 32]];
        let moved = uneven.map(|[x, y]| [x - 4, y + 4]);
        assert_eq!(
            shifted(Shape::Rectangle(at(uneven))),
            Shape::Rectangle(at(moved)),
            "two and a half pixels"
        );
        let distant = at([[0, 0], [64, 32]]).map(|corner| ScreenVertex { reciprocal_w: 0.5, ..corner });
        assert_ne!(shifted(Shape::Rectangle(distant)), Shape::Rectangle(distant), "in perspective");
    }

    #[test]
    fn flat_rectangles_of_whole_pixels_stay() {
        for corners in [[[0, 0], [64, 32]], [[65, 17], [1, 1]], [[5, 6], [68, 39]]] {
            let shape = Shape::Rectangle(at(corners));
            assert_eq!(shifted(shape), shape, "{corners:?}");
        }
        for corners in [[[0, 0], [64, 1], [0, 32]], [[64, 0], [0, 32], [64, 32]]] {
            let half = Shape::Triangle(at(corners));
            assert_eq!(shifted(half), half, "a half of one");
        }
        for corners in [[[0, 0], [64, 0], [32, 0]], [[0, 0], [64, 0], [32, 32]]] {
            let other = Shape::Triangle(at(corners));
            assert_ne!(shifted(other), other, "no half of one: {corners:?}");
        }
    }
}
