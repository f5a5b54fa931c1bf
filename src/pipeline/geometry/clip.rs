//! Clips lines and triangles at the near plane.
//!
//! The hardware clips only against z = −w, and only if DEPTHCLAMPENABLE is 1. A primitive that leaves the
//! 4096×4096 screen space or the depth range otherwise is dropped whole.
//! Source: [near clipping](crate::reference::ge::clipping#near-clipping) (hardware tests
//! `clipping/guardband`, `clipping/homogeneous`).

use arrayvec::ArrayVec;

use super::clip_vertex::ClipVertex;
use super::outcode::is_inside_near;
use crate::ge::arithmetic::Real;

/// A clipped line or triangle. One plane leaves a triangle at most four corners.
pub(crate) type Polygon<R> = ArrayVec<ClipVertex<R>, 4>;

/// Clips a line or triangle at the near plane. Keeps the order of the corners, and with it the winding.
#[must_use]
pub(crate) fn clip_near<R: Real>(vertices: &[ClipVertex<R>]) -> Polygon<R> {
    let mut polygon = Polygon::new();
    let edge_count = if vertices.len() == 2 { 1 } else { vertices.len() };
    for (index, from) in vertices.iter().enumerate() {
        let to = &vertices[(index + 1) % vertices.len()];
        let from_inside = is_inside_near(from);
        if from_inside && !polygon.is_full() {
            polygon.push(*from);
        }
        if index < edge_count && from_inside != is_inside_near(to) && !polygon.is_full() {
            polygon.push(intersect_near(from, to));
        }
    }
    polygon
}

/// Intersects an edge with z = −w. Both directions of an edge return the same vertex.
fn intersect_near<R: Real>(from: &ClipVertex<R>, to: &ClipVertex<R>) -> ClipVertex<R> {
    let (inside, outside) = if is_inside_near(from) { (from, to) } else { (to, from) };
    let inside_distance = inside.position[2] + inside.position[3];
    let outside_distance = outside.position[2] + outside.position[3];
    let t = inside_distance * (inside_distance - outside_distance).reciprocal();
    let mix = |a: R, b: R| a + (b - a) * t;
    let mut position = [0, 1, 2, 3].map(|axis| mix(inside.position[axis], outside.position[axis]));
    // The vertex is on the plane by definition; rounding must not put it outside.
    position[2] = -position[3];
    ClipVertex {
        position,
        texture: [0, 1, 2].map(|axis| mix(inside.texture[axis], outside.texture[axis])),
        fog: mix(inside.fog, outside.fog),
        color: mix_bytes(inside.color, outside.color, t),
        secondary: mix_bytes(inside.secondary, outside.secondary, t),
    }
}

/// Interpolates colours by a factor truncated to 8 bits (assumed).
/// Source: [colours](crate::reference::ge::clipping#colours-and-fog).
fn mix_bytes<R: Real, const N: usize>(a: [u8; N], b: [u8; N], t: R) -> [u8; N] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the conversion saturates, and the result is clamped"
    )]
    let t = ((t.to_f32() * 256.0) as i32).clamp(0, 256);
    std::array::from_fn(|channel| {
        let (a, b) = (i32::from(a[channel]), i32::from(b[channel]));
        let mixed = (a * (256 - t) + b * t) >> 8;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(position: [f32; 4], red: u8) -> ClipVertex<f32> {
        ClipVertex { position, color: [red, 0, 0, 255], ..ClipVertex::default() }
    }

    #[test]
    fn clips_one_corner_to_quadrilateral() {
        let triangle = [
            vertex([0.0, 0.0, 0.0, 1.0], 0),
            vertex([4.0, 0.0, 0.0, 1.0], 0),
            vertex([0.0, 4.0, -3.0, 1.0], 200),
        ];
        let polygon = clip_near(&triangle);
        assert_eq!(polygon.len(), 4, "result is a quadrilateral");
        assert!(polygon.iter().all(is_inside_near), "all corners are inside");
        assert_eq!(polygon[2].position, [4.0 - 4.0 / 3.0, 4.0 / 3.0, -1.0, 1.0], "intersection at 1/3");
        assert_eq!(polygon[2].color[0], 66, "200 · 85/256, with the factor truncated to 8 bits");
    }

    #[test]
    fn clips_two_corners_to_triangle() {
        let triangle = [
            vertex([0.0, 0.0, 0.0, 1.0], 0),
            vertex([4.0, 0.0, -2.0, 1.0], 0),
            vertex([0.0, 4.0, -2.0, 1.0], 0),
        ];
        assert_eq!(clip_near(&triangle).len(), 3, "result is a smaller triangle");
    }

    #[test]
    fn clips_line_to_line() {
        let line = [vertex([0.0, 0.0, -3.0, 1.0], 0), vertex([4.0, 0.0, 1.0, 1.0], 0)];
        let clipped = clip_near(&line);
        assert_eq!(clipped.len(), 2, "two ends");
        assert_eq!(clipped[0].position, [2.0, 0.0, -1.0, 1.0], "the outside end moves to the plane");
    }
}
