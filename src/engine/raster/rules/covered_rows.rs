//! Finds the columns that a primitive covers in each row without a test for every pixel.
//!
//! # Invariants
//! The pixels are the same as those from [`for_each_pixel`].

use std::ops::Range;

use super::coverage::{EdgeStepper, Triangle, edge_column, for_each_pixel};
use super::grid::intersect;
use super::pixel_rect::PixelRect;
use super::rectangle;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};

/// Passes the covered columns of each row inside the scissor to `visit`. A line or a triangle may pass a row in
/// several parts.
pub fn for_each_row(
    primitive: &ScreenPrimitive,
    scissor: &PixelRect,
    mut visit: impl FnMut(u32, Range<u32>),
) {
    let arithmetic = primitive.arithmetic;
    match &primitive.shape {
        Shape::Point(_) | Shape::Line(_) => {
            for_each_pixel(&primitive.shape, arithmetic, scissor, |x, y| visit(y, x..x + 1));
        }
        Shape::Rectangle(vertices) => {
            let [x, y] = rectangle::covered(vertices, arithmetic);
            let Some(columns) = pixels(&intersect(&x, &scissor.x)) else { return };
            for row in pixels(&intersect(&y, &scissor.y)).unwrap_or_default() {
                visit(row, columns.clone());
            }
        }
        Shape::Triangle(vertices) => {
            let Some(triangle) = Triangle::new(vertices, arithmetic) else { return };
            let [x, y] = triangle.bounds();
            let columns = pixels(&intersect(&x, &scissor.x));
            let (Some(columns), Some(rows)) = (columns, pixels(&intersect(&y, &scissor.y))) else { return };
            let stepper = triangle.edge_stepper(columns.start, rows.start);
            let width = columns.end - columns.start;
            let coarse = triangle.coarse_edge();
            for row in rows.clone() {
                let inside = columns_inside(&stepper, row - rows.start, width);
                let exact = columns.start + inside.start..columns.start + inside.end;
                let parts = match &coarse {
                    Some(edge) => edge.parts(&triangle, row, exact),
                    None => [exact, 0..0],
                };
                // Edges are solved for the columns inside the scissor only, but a coarse edge may add a column
                // outside.
                for part in parts {
                    let inside = part.start.max(columns.start)..part.end.min(columns.end);
                    if !inside.is_empty() {
                        visit(row, inside);
                    }
                }
            }
        }
    }
}

/// Converts a range of columns or rows. Returns `None` if it is empty.
fn pixels(range: &Range<i64>) -> Option<Range<u32>> {
    let range = u32::try_from(range.start).ok()?..u32::try_from(range.end).ok()?;
    (!range.is_empty()).then_some(range)
}

/// Returns the columns inside all edges in a row. They are relative to the stepper's pixel.
fn columns_inside(stepper: &EdgeStepper, row: u32, width: u32) -> Range<u32> {
    let (mut first, mut end) = (0, i64::from(width));
    for ((start, right), down) in stepper.start.iter().zip(stepper.right).zip(stepper.down) {
        let start = start + i64::from(row) * down;
        match right {
            // A horizontal edge accepts a row as a whole. If it is a top edge, pixels on it are inside.
            0 if start < i64::from(down <= 0) => return 0..0,
            0 => {}
            1.. => first = first.max(edge_column(start, right)),
            _ => end = end.min(edge_column(start, right) + 1),
        }
    }
    // If edges exclude all columns, the end may lie before the beginning. Then the range is empty.
    let column = |at: i64| u32::try_from(at.clamp(0, i64::from(width))).unwrap_or(0);
    column(first)..column(end).max(column(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::ScreenVertex;

    #[test]
    fn rows_have_the_pixels_of_the_coverage_rules() {
        let scissor = PixelRect { x: 3..40, y: 2..33 };
        let mut seed = 7_u32;
        let mut random = |size: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(seed >> 8).unwrap_or(0) % size
        };
        let mut covered = 0;
        for round in 0..6000 {
            let size = 40 << (round % 12);
            let mut corner = || ScreenVertex {
                x: random(size) - size / 3,
                y: (random(size) - size / 3) & if round % 5 == 0 { -16 } else { -1 },
                ..ScreenVertex::default()
            };
            let shape = match round % 7 {
                0 => Shape::Point([corner()]),
                1 => Shape::Line([corner(), corner()]),
                2 => Shape::Rectangle([corner(), corner()]),
                _ => Shape::Triangle([corner(), corner(), corner()]),
            };
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                let shade = ShadeMode::GOURAUD;
                let primitive = ScreenPrimitive { shape, shade, provoking: 0, through: true, arithmetic };
                let (mut rows, mut expected) = (Vec::new(), Vec::new());
                for_each_row(&primitive, &scissor, |y, columns| rows.extend(columns.map(|x| (x, y))));
                for_each_pixel(&shape, arithmetic, &scissor, |x, y| expected.push((x, y)));
                assert_eq!(rows, expected, "round {round}: {shape:?}");
                covered += rows.len();
            }
        }
        assert!(covered > 100_000, "{covered} pixels");
    }
}
