//! Moves a frame's draws to the screen, as the Graphics Engine shows them.
//!
//! # Invariants
//! Positions are in pixels, with y up. The depth is from `-SCREEN_DEPTH` to 0, which is nearest.

use super::collector::{CollectedDraw, DrawMatrices};
use super::weld::{DrawVertices, FrameVertex};
use crate::ge::never::OrNever;
use crate::model::matrix::{Affine, single, transform};

/// How far draws outside through mode reach into the screen, in pixels.
pub(super) const SCREEN_DEPTH: f32 = 1000.0;

/// Takes the vertices out of a draw, as they appear on the screen. This cuts triangles at the near plane; in other
/// primitives, vertices behind it get no finite position. Also returns whether everything is in front of this plane.
pub(super) fn screen_vertices(
    draw: &mut CollectedDraw,
    matrices: &DrawMatrices,
    to_view: &Affine,
) -> (DrawVertices, bool) {
    let screen = Screen::new(matrices);
    let is_whole =
        draw.frames.iter().flat_map(|frame| &frame.vertices).all(|vertex| screen.distance(vertex) >= 0.0);
    if !is_whole {
        screen.cut(draw);
    }
    let mut direction = *to_view;
    direction[9..].fill(0.0);
    let frames = std::mem::take(&mut draw.frames).into_iter().map(|frame| {
        let place = |vertex: &FrameVertex| FrameVertex {
            position: screen.position(vertex),
            normal: transform(&direction, vertex.normal),
            ..*vertex
        };
        frame.vertices.iter().map(place).collect()
    });
    (DrawVertices { frames: frames.collect(), influences: Vec::new() }, is_whole)
}

/// Projects vertices in world space.
struct Screen<'a> {
    matrices: &'a DrawMatrices,
    /// 1 if depth grows towards the viewer, else -1.
    nearer: f64,
}

impl<'a> Screen<'a> {
    fn new(matrices: &'a DrawMatrices) -> Self {
        let projection = &matrices.projection;
        // With a perspective, depth falls with distance if this element is positive. Otherwise it grows.
        let nearer = if projection[11] != 0.0 && projection[14] > 0.0 { 1.0 } else { -1.0 };
        Self { matrices, nearer }
    }

    /// Returns how far a vertex is in front of the near plane, in clip space.
    fn distance(&self, vertex: &FrameVertex) -> f64 {
        let [.., z, w] = to_clip(self.matrices, vertex.position);
        w - self.nearer * z
    }

    fn position(&self, vertex: &FrameVertex) -> [f32; 3] {
        let [x, y, z, w] = to_clip(self.matrices, vertex.position);
        let w = if w > 0.0 { w } else { f64::NAN };
        let place = |axis: usize, value: f64| {
            let DrawMatrices { viewport, center, .. } = self.matrices;
            value / w * f64::from(viewport[axis]) + f64::from(center[axis])
        };
        let depth = (z / w * self.nearer).clamp(-1.0, 1.0);
        let position = [place(0, x), -place(1, y), (depth - 1.0) / 2.0 * f64::from(SCREEN_DEPTH)];
        position.map(single)
    }

    /// Cuts triangles at the near plane, and leaves out triangles behind it.
    fn cut(&self, draw: &mut CollectedDraw) {
        // A morph's frames would need different cuts.
        let [frame] = draw.frames.as_mut_slice() else { return };
        let vertices = &mut frame.vertices;
        let distances: Vec<f64> = vertices.iter().map(|vertex| self.distance(vertex)).collect();
        let distance = |index: u32| distances.get(index as usize).copied().unwrap_or(-1.0);
        let mut triangles = Vec::with_capacity(draw.shape.triangles.len());
        for triangle in std::mem::take(&mut draw.shape.triangles) {
            if triangle.iter().all(|index| distance(*index) >= 0.0) {
                triangles.push(triangle);
                continue;
            }
            let mut polygon: Vec<u32> = Vec::new();
            for (corner, a) in triangle.into_iter().enumerate() {
                let b = triangle[(corner + 1) % 3];
                if distance(a) >= 0.0 {
                    polygon.push(a);
                }
                if (distance(a) >= 0.0) != (distance(b) >= 0.0) {
                    let part = distance(a) / (distance(a) - distance(b));
                    if let (Some(a), Some(b)) = (vertices.get(a as usize), vertices.get(b as usize)) {
                        polygon.push(
                            u32::try_from(vertices.len()).or_never("limits bound the vertices of a draw"),
                        );
                        vertices.push(between(a, b, part));
                    }
                }
            }
            if let [first, rest @ ..] = polygon.as_slice() {
                triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
            }
        }
        draw.shape.triangles = triangles;
    }
}

/// Interpolates between two vertices.
fn between(a: &FrameVertex, b: &FrameVertex, part: f64) -> FrameVertex {
    fn mix(a: f32, b: f32, part: f64) -> f32 {
        single(f64::from(a) + (f64::from(b) - f64::from(a)) * part)
    }
    let mix3 = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|axis: usize| mix(a[axis], b[axis], part));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
    let byte = |channel: usize| (mix(a.color[channel].into(), b.color[channel].into(), part) + 0.5) as u8;
    FrameVertex {
        position: mix3(a.position, b.position),
        normal: mix3(a.normal, b.normal),
        texcoord: [0, 1].map(|axis: usize| mix(a.texcoord[axis], b.texcoord[axis], part)),
        color: [0, 1, 2, 3].map(byte),
    }
}

/// Projects a point in world space to clip space.
pub(super) fn to_clip(matrices: &DrawMatrices, world: [f32; 3]) -> [f64; 4] {
    let [x, y, z] = transform(&matrices.view, world).map(f64::from);
    let m = matrices.projection.map(f64::from);
    [0, 1, 2, 3].map(|j| x * m[j] + y * m[4 + j] + z * m[8 + j] + m[12 + j])
}
