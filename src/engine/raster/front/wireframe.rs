//! Wireframe draws triangles as their three edges.

use crate::ge::registers::transform::ShadeMode;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// Makes a line from a triangle's edge, in the triangle's colours.
pub(super) fn edge_line(triangle: &ScreenPrimitive, ends: [ScreenVertex; 2]) -> ScreenPrimitive {
    let flat = triangle.flat_vertex();
    let shape = Shape::Line(ends.map(|mut end| {
        if triangle.shade == ShadeMode::FLAT {
            (end.color, end.secondary) = (flat.color, flat.secondary);
        }
        end
    }));
    ScreenPrimitive { shape, provoking: 1, ..*triangle }
}
