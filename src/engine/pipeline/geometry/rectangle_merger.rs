//! Merges triangles that form an axis-aligned rectangle of a single colour. Emulators do this to sample at pixel
//! centres. The hardware draws triangles.
//! Source: [PPSSPP](crate::reference::ge::evidence#ppsspp-differences).

use super::clip_vertex::ClipVertex;
use super::viewport::{Projected, Viewport};
use crate::ge::arithmetic::Real;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{ClearMode, Comparison, DepthTest};
use crate::ge::registers::vertex::PrimitiveType;

/// Differences of w up to this do not show in a texture.
const MAX_W_DIFFERENCE: f32 = 0.5 / 512.0;
/// Differences of the fog factor up to this do not show.
const MAX_FOG_DIFFERENCE: f32 = 0.5 / 255.0;

/// Merges a draw's triangles to rectangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RectangleMerger<'a, R> {
    viewport: &'a Viewport<R>,
    textured: bool,
    fogged: bool,
    /// Whether depth is neither compared nor written.
    ignores_depth: bool,
}

/// A rectangle's upper left and lower right vertices.
pub(crate) type RectangleCorners<R> = [ClipVertex<R>; 2];

impl<'a, R: Real> RectangleMerger<'a, R> {
    /// Creates the merger. It ignores differences that these registers make invisible.
    #[must_use]
    pub(crate) fn new(registers: &Registers, viewport: &'a Viewport<R>) -> Self {
        let clear: ClearMode = registers.get();
        let tests = registers.is_on(Opcode::ZTESTENABLE);
        let passes = registers.get::<DepthTest>().function == Comparison::ALWAYS;
        let ignores_depth = if clear.enabled {
            !clear.depth
        } else {
            !tests || passes && registers.is_on(Opcode::ZWRITEDISABLE)
        };
        Self {
            viewport,
            textured: registers.is_on(Opcode::TEXENABLE) && !clear.enabled,
            fogged: registers.is_on(Opcode::FOGENABLE) && !clear.enabled,
            ignores_depth,
        }
    }

    /// Merges the draw's first triangles. Returns the rectangles, and how many vertices they use. The remaining
    /// vertices form triangles as usual; in a strip, they follow the last two used ones.
    #[must_use]
    pub(crate) fn merge_leading(
        &self,
        primitive: PrimitiveType,
        vertices: &[ClipVertex<R>],
    ) -> (Vec<RectangleCorners<R>>, usize) {
        match primitive {
            PrimitiveType::TRIANGLE_STRIP if vertices.len() >= 4 && vertices.len().is_multiple_of(2) => {
                let pairs = vertices.windows(4).step_by(2);
                let merged: Vec<_> = pairs.map_while(|four| self.merge_strip(four)).collect();
                let used = if merged.is_empty() { 0 } else { 2 + 2 * merged.len() };
                (merged, used)
            }
            PrimitiveType::TRIANGLE_FAN if vertices.len() == 4 => {
                let merged: Vec<_> = self.merge_fan(vertices).into_iter().collect();
                let used = 4 * merged.len();
                (merged, used)
            }
            _ => (Vec::new(), 0),
        }
    }

    /// Merges two triangles from a list to a rectangle. Through mode only.
    #[must_use]
    pub(crate) fn merge_pair(&self, six: &[ClipVertex<R>]) -> Option<RectangleCorners<R>> {
        let projected = self.project_if_uniform(six)?;
        let corners = corners(&projected)?;
        // This merges only the order usual in programs, in which both triangles list the diagonal's corners.
        if !self.viewport.is_through() || corners != [3, 4] {
            return None;
        }
        let (at, texture) = (positions(&projected), textures(&projected));
        let same = |of: &dyn Fn(usize) -> f64, numbers: [usize; 3]| {
            of(numbers[0]) == of(numbers[1]) && of(numbers[0]) == of(numbers[2])
        };
        let is_axis_aligned = |value: &[[f64; 2]]| {
            same(&|i| value[i][0], [0, 3, 5])
                && same(&|i| value[i][0], [1, 2, 4])
                && same(&|i| value[i][1], [0, 1, 3])
                && same(&|i| value[i][1], [2, 4, 5])
        };
        let is_texture_aligned = || is_axis_aligned(&texture) && is_unrotated(&at, &texture, corners);
        (is_axis_aligned(&at) && (!self.textured || is_texture_aligned()))
            .then(|| corners.map(|corner| six[corner]))
    }

    fn merge_strip(&self, four: &[ClipVertex<R>]) -> Option<RectangleCorners<R>> {
        let projected = self.project_if_uniform(four)?;
        let corners = corners(&projected)?;
        let (at, texture) = (positions(&projected), textures(&projected));
        // The strip may run by columns or by rows.
        [[0, 1, 2, 3], [0, 2, 1, 3]]
            .into_iter()
            .find(|order| is_axis_aligned(&at, *order))
            .filter(|order| !self.textured || is_axis_aligned(&texture, *order))
            .map(|_| corners.map(|corner| four[corner]))
    }

    fn merge_fan(&self, four: &[ClipVertex<R>]) -> Option<RectangleCorners<R>> {
        let projected = self.project_if_uniform(four)?;
        let [top_left, bottom_right] = corners(&projected)?;
        let (at, texture) = (positions(&projected), textures(&projected));
        let others = (0..4).filter(|&corner| corner != top_left && corner != bottom_right);
        let [mut bottom_left, mut top_right] = [1, 1];
        for corner in others {
            if at[corner][0] <= at[top_left][0] && at[corner][1] >= at[top_left][1] {
                bottom_left = corner;
            }
            if at[corner][0] >= at[bottom_right][0] && at[corner][1] <= at[bottom_right][1] {
                top_right = corner;
            }
        }
        if top_left + bottom_right + bottom_left + top_right != 6 {
            return None;
        }
        let order = [top_left, bottom_left, top_right, bottom_right];
        let is_texture_aligned =
            || is_axis_aligned(&texture, order) && is_unrotated(&at, &texture, [top_left, bottom_right]);
        (is_axis_aligned(&at, order) && (!self.textured || is_texture_aligned()))
            .then(|| [four[top_left], four[bottom_right]])
    }

    /// Projects the vertices. Returns `None` if they differ in more than position and texture coordinates.
    fn project_if_uniform(&self, vertices: &[ClipVertex<R>]) -> Option<Vec<Projected>> {
        let first = vertices.first()?;
        let projected: Vec<_> = vertices.iter().map(|vertex| self.viewport.project(vertex)).collect();
        let depth = projected.first()?.vertex.z;
        let uniform = vertices.iter().zip(&projected).all(|(vertex, on_screen)| {
            vertex.color == first.color
                && (self.ignores_depth || on_screen.vertex.z == depth)
                && (self.viewport.is_through() || self.is_uniform_with(vertex, on_screen, first))
        });
        uniform.then_some(projected)
    }

    fn is_uniform_with(&self, vertex: &ClipVertex<R>, on_screen: &Projected, first: &ClipVertex<R>) -> bool {
        let near = |a: R, b: R, tolerance: f32| (a.to_f32() - b.to_f32()).abs() <= tolerance;
        let [_, _, z, w] = vertex.position;
        vertex.secondary == first.secondary
            && !on_screen.outside_screen
            && w >= R::ZERO
            && z >= -w
            && (!self.textured || near(w, first.position[3], MAX_W_DIFFERENCE))
            && (!self.textured || vertex.texture[2] == first.texture[2])
            && (!self.fogged || near(vertex.fog, first.fog, MAX_FOG_DIFFERENCE))
    }
}

/// Finds the last vertex with none above or to the left, and the last with none below or to the right.
fn corners(projected: &[Projected]) -> Option<[usize; 2]> {
    let at = positions(projected);
    let [mut first, mut last] = [0, 0];
    for (number, [x, y]) in at.iter().enumerate().skip(1) {
        if *x <= at[first][0] && *y <= at[first][1] {
            first = number;
        }
        if *x >= at[last][0] && *y >= at[last][1] {
            last = number;
        }
    }
    (first != last).then_some([first, last])
}

fn positions(projected: &[Projected]) -> Vec<[f64; 2]> {
    projected.iter().map(|vertex| [vertex.vertex.x, vertex.vertex.y].map(f64::from)).collect()
}

fn textures(projected: &[Projected]) -> Vec<[f64; 2]> {
    projected.iter().map(|Projected { vertex, .. }| [0, 1].map(|i| f64::from(vertex.texture[i]))).collect()
}

/// Whether a and b, and c and d, share a column, while a and c, and b and d, share a row.
fn is_axis_aligned(value: &[[f64; 2]], [a, b, c, d]: [usize; 4]) -> bool {
    value[a][0] == value[b][0]
        && value[a][1] == value[c][1]
        && value[c][0] == value[d][0]
        && value[b][1] == value[d][1]
}

/// Whether texture coordinates increase in the same direction as positions on both axes.
fn is_unrotated(at: &[[f64; 2]], texture: &[[f64; 2]], [from, to]: [usize; 2]) -> bool {
    [0, 1].into_iter().all(|axis| at[from][axis] < at[to][axis] && texture[from][axis] < texture[to][axis])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        Registers::with([(Opcode::VTYPE, 1 << 23)].into_iter().chain(settings.iter().copied()))
    }

    /// Returns vertices at columns and rows 0 and 1 of a grid, with these numbers as texture coordinates.
    fn vertices(corners: &[(u8, u8)]) -> Vec<ClipVertex<f32>> {
        let vertex = |&(x, y): &(u8, u8)| {
            let [x, y] = [x, y].map(f32::from);
            ClipVertex {
                position: [x * 20.0, y * 10.0, 0.0, 1.0],
                texture: [x, y, 1.0],
                ..ClipVertex::default()
            }
        };
        corners.iter().map(vertex).collect()
    }

    fn merged(primitive: PrimitiveType, corners: &[(u8, u8)]) -> (usize, usize) {
        let registers = registers(&[(Opcode::TEXENABLE, 1)]);
        let viewport = Viewport::new(&registers);
        let (merged, used) =
            RectangleMerger::new(&registers, &viewport).merge_leading(primitive, &vertices(corners));
        (merged.len(), used)
    }

    #[test]
    fn merges_strips_by_columns_or_rows() {
        let strip = |corners: &[(u8, u8)]| merged(PrimitiveType::TRIANGLE_STRIP, corners);
        assert_eq!(strip(&[(0, 0), (0, 1), (1, 0), (1, 1)]), (1, 4), "columns");
        assert_eq!(strip(&[(0, 0), (1, 0), (0, 1), (1, 1)]), (1, 4), "rows");
        let three = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)];
        assert_eq!(strip(&three), (2, 6), "two adjacent ones");
        let skewed = [(0, 0), (0, 1), (1, 0), (1, 1), (3, 0), (2, 1)];
        assert_eq!(strip(&skewed), (1, 4), "up to the first skewed one");
        assert_eq!(strip(&[(0, 0), (0, 1), (1, 0), (2, 1)]), (0, 0), "a trapezium");
        assert_eq!(strip(&[(0, 0), (0, 1), (1, 0)]), (0, 0), "a triangle");
    }

    #[test]
    fn merges_fans_and_triangle_pairs() {
        let fan = |corners: &[(u8, u8)]| merged(PrimitiveType::TRIANGLE_FAN, corners);
        assert_eq!(fan(&[(0, 0), (1, 0), (1, 1), (0, 1)]), (1, 4), "clockwise");
        assert_eq!(fan(&[(0, 0), (0, 1), (1, 1), (1, 0)]), (1, 4), "counter-clockwise");
        assert_eq!(fan(&[(0, 0), (1, 0), (2, 1), (0, 1)]), (0, 0), "a trapezium");
        let registers = registers(&[]);
        let viewport = Viewport::new(&registers);
        let merger = RectangleMerger::new(&registers, &viewport);
        let pair = [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)];
        let corners = merger.merge_pair(&vertices(&pair)).expect("a rectangle");
        assert_eq!(corners.map(|corner| corner.texture[..2].to_vec()), [[0.0, 0.0], [1.0, 1.0]], "corners");
        let other = [(0, 0), (1, 0), (0, 1), (1, 0), (1, 1), (0, 1)];
        assert!(merger.merge_pair(&vertices(&other)).is_none(), "divided along the other diagonal");
    }

    #[test]
    fn requires_uniform_corners() {
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let find = |settings: &[(Opcode, u32)], change: fn(&mut ClipVertex<f32>)| {
            let mut vertices = vertices(&corners);
            change(&mut vertices[2]);
            let registers = registers(settings);
            let viewport = Viewport::new(&registers);
            RectangleMerger::new(&registers, &viewport)
                .merge_leading(PrimitiveType::TRIANGLE_STRIP, &vertices)
                .1
                == 4
        };
        assert!(!find(&[], |vertex| vertex.color[3] = 1), "alpha differs");
        assert!(!find(&[(Opcode::ZTESTENABLE, 1)], |vertex| vertex.position[2] = 5.0), "depth differs");
        assert!(find(&[], |vertex| vertex.position[2] = 5.0), "depth is ignored without depth test");
        assert!(find(&[], |vertex| vertex.texture[0] = 7.0), "coordinates are ignored without texture");
        assert!(!find(&[(Opcode::TEXENABLE, 1)], |vertex| vertex.texture[0] = 7.0), "skewed texture");
    }
}
