//! The order in which the hardware draws a primitive's pixels. It matters because it decides which lines the texture
//! cache holds.
//! Source: [walking order](crate::reference::ge::coverage#walking-order).

use std::ops::{ControlFlow, Range};

use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::rules::coverage::Triangle;
use crate::raster::rules::covered_rows::for_each_row;
use crate::raster::rules::interpolate::walks_left;
use crate::raster::rules::pixel_rect::PixelRect;

/// A primitive's covered pixels, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct PixelWalk {
    /// Rows with their columns, in drawing order.
    rows: Vec<(u32, Range<u32>)>,
    /// Whether this walk goes from right to left in each row.
    is_leftward: bool,
}

impl PixelWalk {
    /// Finds a primitive's pixels inside the scissor, and their order.
    pub(crate) fn new(primitive: &ScreenPrimitive, scissor: &PixelRect) -> Self {
        let mut rows = Vec::new();
        for_each_row(primitive, scissor, |y, columns| rows.push((y, columns)));
        let mut is_leftward = false;
        if let Shape::Triangle(vertices) = &primitive.shape
            && let Some(triangle) = Triangle::new(vertices, primitive.arithmetic)
        {
            is_leftward = walks_left(&triangle.positions);
            let is_upward = walks_up(&triangle.positions);
            // A coarse edge may split a row into two parts. These stay together, because the walk finishes a row
            // before it leaves it.
            if is_upward != is_leftward {
                let by_row = |row: &(u32, Range<u32>)| if is_upward { u32::MAX - row.0 } else { row.0 };
                rows.sort_by_key(|row| {
                    (by_row(row), if is_leftward { u32::MAX - row.1.start } else { row.1.start })
                });
            } else if is_upward {
                // If the walk goes up and left, a plain reversal is the right order for rows and for their parts.
                rows.reverse();
            }
        }
        Self { rows, is_leftward }
    }

    /// Iterates over the rows with their columns and pixels, in drawing order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &Range<u32>, impl Iterator<Item = u32>)> {
        let is_leftward = self.is_leftward;
        self.rows.iter().map(move |(y, columns)| {
            let Range { start, end } = *columns;
            (*y, columns, (start..end).map(move |x| if is_leftward { start + (end - 1 - x) } else { x }))
        })
    }

    /// Visits all pixels in drawing order, until `visit` breaks.
    pub(crate) fn forward<B>(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.rows.iter().try_for_each(|(y, columns)| row(*y, columns, self.is_leftward, &mut visit))
    }

    /// Visits all pixels in the opposite order, until `visit` breaks.
    pub(crate) fn backward<B>(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.rows.iter().rev().try_for_each(|(y, columns)| row(*y, columns, !self.is_leftward, &mut visit))
    }
}

fn row<B>(
    y: u32,
    columns: &Range<u32>,
    is_leftward: bool,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if is_leftward {
        columns.clone().rev().try_for_each(|x| visit(x, y))
    } else {
        columns.clone().try_for_each(|x| visit(x, y))
    }
}

/// Returns whether a triangle's rows run upwards. They start at an end of its long edge, which joins the highest and
/// the lowest vertex: at the end farther from the third vertex along x. Triangles with a level lower edge run
/// upwards too.
fn walks_up(positions: &[[i64; 2]; 3]) -> bool {
    let mut sorted = *positions;
    sorted.sort_by_key(|[x, y]| (*y, *x));
    let [top, middle, bottom] = sorted;
    if top[1] == middle[1] {
        return false;
    }
    middle[1] == bottom[1] || (bottom[0] - middle[0]).abs() > (top[0] - middle[0]).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::ScreenVertex;

    /// Returns a shape's first and last pixel.
    fn ends(shape: Shape) -> [(u32, u32); 2] {
        let (shade, arithmetic) = (ShadeMode::FLAT, Arithmetic::Hardware);
        let primitive = ScreenPrimitive { shape, shade, provoking: 0, through: true, arithmetic };
        let walk = PixelWalk::new(&primitive, &PixelRect { x: 0..64, y: 0..64 });
        let mut pixels = Vec::new();
        let all = walk.forward(|x, y| {
            pixels.push((x, y));
            ControlFlow::<()>::Continue(())
        });
        assert!(all.is_continue(), "nothing breaks");
        let mut backward = Vec::new();
        let _ = walk.backward(|x, y| {
            backward.push((x, y));
            ControlFlow::<()>::Continue(())
        });
        backward.reverse();
        assert_eq!(pixels, backward, "the same pixels in the opposite order");
        [pixels[0], pixels[pixels.len() - 1]]
    }

    fn vertex([x, y]: [i32; 2]) -> ScreenVertex {
        ScreenVertex { x: x * 16, y: y * 16, ..ScreenVertex::default() }
    }

    #[test]
    fn rectangles_run_down_and_to_the_right() {
        assert_eq!(
            ends(Shape::Rectangle([[9, 8], [1, 2]].map(vertex))),
            [(1, 2), (8, 7)],
            "whatever the corners"
        );
    }

    #[test]
    fn triangles_run_from_the_end_that_is_farther_from_the_middle_vertex() {
        let triangle = |corners: [[i32; 2]; 3]| ends(Shape::Triangle(corners.map(vertex)));
        assert_eq!(triangle([[0, 0], [8, 0], [0, 8]]), [(0, 0), (0, 6)], "level top: down");
        assert_eq!(triangle([[0, 0], [8, 8], [0, 8]]), [(0, 7), (0, 1)], "level bottom: up");
        let [first, last] = triangle([[0, 0], [16, 10], [8, 20]]);
        assert!(first.1 < last.1, "the top is farther: down");
        let [first, last] = triangle([[8, 0], [16, 10], [0, 20]]);
        assert!(first.1 > last.1, "the bottom is farther: up");
        let [first, _] = triangle([[40, 0], [0, 10], [40, 30]]);
        assert_eq!(first.0, 39, "the long edge is at the right: to the left");
    }
}
