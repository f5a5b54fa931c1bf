//! Coverage tells which pixels a shape covers, by integer tests at sample points.
//!
//! # Invariants
//! Positions are in 1/16 pixel. Pixels are sampled at their centre, at 8/16 in both directions.
//! [`Arithmetic::Single`] samples triangles at 7/16, as emulators do. If triangles share an edge, they cover each
//! pixel along it exactly once. Only pixels inside the [`PixelRect`] are visited, so no shape takes more than 1024 ×
//! 1024 steps. Positions beyond ±2^24 saturate. This is an emulation limit, to keep edge functions inside 52 bits.
//! Source: [coverage](crate::reference::ge::coverage#sample-grid) (hardware tests `primitives/*`,
//! `triangle/triangle`).

use std::ops::{Range, RangeInclusive};

use super::grid::{PIXEL, intersect, position};
use super::line::Line;
use super::pixel_rect::PixelRect;
use super::rectangle;
use super::single::line::OrderedLine;
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// Calls `visit` for every pixel that `shape` covers inside `scissor`: row by row, or along the major axis for a
/// line.
pub fn for_each_pixel(
    shape: &Shape,
    arithmetic: Arithmetic,
    scissor: &PixelRect,
    mut visit: impl FnMut(u32, u32),
) {
    match shape {
        Shape::Point([vertex]) => {
            let [x, y] = position(vertex).map(|at| at >> 4);
            scissor.visit(x..x + 1, y..y + 1, visit);
        }
        Shape::Line(vertices) => match arithmetic {
            Arithmetic::Hardware => {
                let line = Line::new(vertices);
                scissor.visit_line(line.steep, line.range(), |major| line.minor(major), visit);
            }
            Arithmetic::Single => {
                let line = OrderedLine::new(vertices);
                scissor.visit_line(line.steep, line.range(), |major| Some(line.minor(major)), visit);
            }
        },
        Shape::Triangle(vertices) => {
            let Some(triangle) = Triangle::new(vertices, arithmetic) else { return };
            let [x, y] = triangle.bounds();
            scissor.visit(x, y, |x, y| {
                if triangle.covers(x, y) {
                    visit(x, y);
                }
            });
        }
        Shape::Rectangle(vertices) => {
            let [x, y] = rectangle::covered(vertices, arithmetic);
            scissor.visit(x, y, visit);
        }
    }
}

impl PixelRect {
    /// Visits a line's pixels, at most one for each step along the major axis.
    fn visit_line(
        &self,
        steep: bool,
        range: Range<i64>,
        minor: impl Fn(i64) -> Option<i64>,
        mut visit: impl FnMut(u32, u32),
    ) {
        let (across, along) = if steep { (&self.x, &self.y) } else { (&self.y, &self.x) };
        for major in intersect(&range, along) {
            if let Some(minor) = minor(major).filter(|minor| across.contains(minor)) {
                let (x, y) = if steep { (minor, major) } else { (major, minor) };
                visit_pixel(x, y, &mut visit);
            }
        }
    }

    fn visit(&self, x: Range<i64>, y: Range<i64>, mut visit: impl FnMut(u32, u32)) {
        for row in intersect(&y, &self.y) {
            for column in intersect(&x, &self.x) {
                visit_pixel(column, row, &mut visit);
            }
        }
    }
}

/// The smallest height in 1/16 pixel that makes a triangle tall: 3 times this is at least 2^17.
pub(crate) const TALL: i64 = (1 << 17) / 3 + 1;

/// A triangle with its edge functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triangle {
    /// Vertex positions in submission order, in 1/16 pixel.
    pub positions: [[i64; 2]; 3],
    /// Twice the area in squared 1/16 pixels, positive if the vertices run clockwise on the screen. Never 0.
    pub doubled_area: i64,
    /// Where in a pixel the sample lies on both axes, in 1/16 pixel.
    pub sample_offset: i64,
}

impl Triangle {
    /// Creates a triangle. Returns `None` if it has no area.
    #[must_use]
    pub(crate) fn new(vertices: &[ScreenVertex; 3], arithmetic: Arithmetic) -> Option<Self> {
        let positions = [position(&vertices[0]), position(&vertices[1]), position(&vertices[2])];
        let doubled_area = edge(positions[0], positions[1], positions[2]);
        (doubled_area != 0).then_some(Self {
            positions,
            doubled_area,
            sample_offset: sample_offset(arithmetic),
        })
    }

    /// Returns whether to apply the hardware's rules to this triangle.
    #[must_use]
    pub(crate) const fn is_hardware(&self) -> bool {
        self.sample_offset == sample_offset(Arithmetic::Hardware)
    }

    /// Computes the sample position in a pixel, in 1/16 pixel.
    #[must_use]
    pub(crate) const fn sample_position(&self, pixel: i64) -> i64 {
        pixel * PIXEL + self.sample_offset
    }

    /// Computes the three edge functions at a pixel's sample. To serve as barycentric weights for the vertices, they
    /// add up to |[`Self::doubled_area`]| and are positive inside.
    #[must_use]
    pub(crate) fn weights(&self, x: u32, y: u32) -> [i64; 3] {
        let at = [self.sample_position(i64::from(x)), self.sample_position(i64::from(y))];
        self.edges().map(|(from, to)| edge(from, to, at))
    }

    /// Computes the edge functions at a pixel, and their steps to its neighbours.
    #[inline]
    #[must_use]
    pub(crate) fn edge_stepper(&self, x: u32, y: u32) -> EdgeStepper {
        let [a, b, c] = self.positions;
        let at = [x, y].map(|pixel| self.sample_position(i64::from(pixel)));
        // Edges are taken in submission order here. If this is not clockwise, the sign turns all functions around.
        let sign = self.doubled_area.signum();
        let start = |from, to| sign * edge(from, to, at);
        let step = |difference: i64| sign * difference * PIXEL;
        EdgeStepper {
            start: [start(b, c), start(c, a), start(a, b)],
            right: [step(b[1] - c[1]), step(c[1] - a[1]), step(a[1] - b[1])],
            down: [step(c[0] - b[0]), step(a[0] - c[0]), step(b[0] - a[0])],
        }
    }

    /// Returns whether this triangle covers the pixel: its sample lies inside, or on a left or top edge, or the
    /// [`CoarseEdge`] adds it.
    /// Source: [fill rule](crate::reference::ge::coverage#fill-rule).
    #[must_use]
    pub(crate) fn covers(&self, x: u32, y: u32) -> bool {
        let coarse = self.coarse_edge();
        self.edges().into_iter().enumerate().all(|(number, edge)| {
            let judged = coarse.as_ref().filter(|coarse| coarse.number == number);
            let column = judged.map_or(x, |coarse| coarse.judged_column(x));
            self.is_inside(edge, column, y)
        })
    }

    /// Returns whether the pixel's sample lies inside all edges, without the rule for tall triangles. See
    /// [`Self::covers`].
    #[must_use]
    pub(crate) fn covers_exactly(&self, x: u32, y: u32) -> bool {
        self.edges().into_iter().all(|edge| self.is_inside(edge, x, y))
    }

    /// Returns whether the pixel's sample lies inside an edge, or on it if it is a left or top edge.
    fn is_inside(&self, (from, to): ([i64; 2], [i64; 2]), x: u32, y: u32) -> bool {
        let at = [x, y].map(|pixel| self.sample_position(i64::from(pixel)));
        // In clockwise order, left edges go up and top edges go right.
        let left_or_top = to[1] < from[1] || (to[1] == from[1] && to[0] > from[0]);
        let weight = edge(from, to, at);
        weight > 0 || (weight == 0 && left_or_top)
    }

    /// Lists the edge opposite to each vertex. All run clockwise on the screen.
    fn edges(&self) -> [([i64; 2], [i64; 2]); 3] {
        let [a, b, c] = self.positions;
        let edges = [(b, c), (c, a), (a, b)];
        if self.doubled_area > 0 { edges } else { edges.map(|(from, to)| (to, from)) }
    }

    /// Finds the pixels whose samples lie in `[first, end)`.
    const fn samples(&self, first: i64, end: i64) -> Range<i64> {
        // Adding this before the shift rounds up, to the first sample that is not before the start.
        let beyond = PIXEL - 1 - self.sample_offset;
        (first + beyond) >> 4..(end + beyond) >> 4
    }

    /// Computes the bounding box as columns and rows.
    #[must_use]
    pub(crate) fn bounds(&self) -> [Range<i64>; 2] {
        let [a, b, c] = self.positions;
        // A coarse edge may add pixels whose sample lies 1/16 to the left.
        let left = i64::from(self.is_tall());
        // Samples on the far edge count only if it is a left or top edge. The box includes them in any case, because
        // a test follows.
        let axis =
            |a: i64, b: i64, c: i64, before| self.samples(a.min(b).min(c) - before, a.max(b).max(c) + 1);
        [axis(a[0], b[0], c[0], left), axis(a[1], b[1], c[1], 0)]
    }

    /// Returns whether the hardware judges an edge coarsely, because this triangle is tall.
    #[inline(always)]
    fn is_tall(&self) -> bool {
        let [[_, a], [_, b], [_, c]] = self.positions;
        a.max(b).max(c) - a.min(b).min(c) >= TALL && self.is_hardware()
    }

    /// Returns the edge to judge in groups of pixels. Only tall triangles have such an edge.
    #[inline(always)]
    #[must_use]
    pub(crate) fn coarse_edge(&self) -> Option<CoarseEdge> {
        if self.is_tall() { self.edge_of_full_height() } else { None }
    }

    /// Returns the edge that spans the full height. If there are two, this is the left edge.
    #[cold]
    fn edge_of_full_height(&self) -> Option<CoarseEdge> {
        let edges = self.edges();
        let height = |(from, to): ([i64; 2], [i64; 2])| (from[1] - to[1]).abs();
        let full = edges.into_iter().map(height).max()?;
        let candidates = || edges.into_iter().enumerate().filter(|(_, edge)| height(*edge) == full);
        let is_left = |(_, (from, to)): &(usize, ([i64; 2], [i64; 2]))| to[1] < from[1];
        let chosen = candidates().find(is_left).or_else(|| candidates().next())?;
        let columns = self.positions.map(|[x, _]| x);
        let (first, last) =
            columns.iter().fold((i64::MAX, i64::MIN), |(first, last), &x| (first.min(x), last.max(x)));
        Some(CoarseEdge { number: chosen.0, is_left: is_left(&chosen), extent: first..=last })
    }
}

/// The rule for tall triangles, in words.
pub const TALL_TRIANGLES: &str = "in groups of four pixels, the one farthest outside the edge of full height takes \
                                         the decision of the nearest, if its column lies between the vertices";

/// Returns whether a primitive is a triangle with a coarse edge.
#[must_use]
pub fn is_tall(primitive: &ScreenPrimitive) -> bool {
    match &primitive.shape {
        Shape::Triangle(vertices) => Triangle::new(vertices, primitive.arithmetic)
            .is_some_and(|triangle| triangle.coarse_edge().is_some()),
        _ => false,
    }
}

/// The edge that spans a tall triangle's full height. The hardware judges it in aligned groups of four pixels: the
/// pixel farthest from the inside takes the decision of the nearest. So a triangle may cover a pixel up to three
/// pixels outside this edge, apart from the others in its row.
/// Source: [tall triangles](crate::reference::ge::coverage#tall-triangles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoarseEdge {
    /// Number of the opposite vertex.
    number: usize,
    /// Whether the inside is on the right.
    is_left: bool,
    /// The triangle's columns, in 1/16 pixel. Only a pixel inside them, at 9/16, takes another pixel's decision.
    extent: RangeInclusive<i64>,
}

impl CoarseEdge {
    /// The last pixel's number in a group.
    const LAST: u32 = 3;

    /// Returns the column that decides for a pixel.
    fn judged_column(&self, x: u32) -> u32 {
        let (far, near) =
            if self.is_left { (x & !Self::LAST, x | Self::LAST) } else { (x | Self::LAST, x & !Self::LAST) };
        if x == far && self.extent.contains(&(i64::from(x) * PIXEL + 9)) { near } else { x }
    }

    /// Finds the pixel that this edge adds to a row of the triangle, if there is one. Its sample is outside the
    /// triangle.
    #[must_use]
    pub(crate) fn added(&self, triangle: &Triangle, y: u32) -> Option<u32> {
        let EdgeStepper { start, right, .. } = triangle.edge_stepper(0, y);
        let inside = edge_column(*start.get(self.number)?, *right.get(self.number)?);
        let last = i64::from(Self::LAST);
        let x = if self.is_left { inside & !last } else { inside | last };
        // A column already inside needs no addition.
        let added = u32::try_from(x).ok().filter(|_| x != inside)?;
        triangle.covers(added, y).then_some(added)
    }

    /// Returns the columns that the triangle covers in a row, as two parts from left to right. `exact` holds those
    /// whose samples lie inside.
    #[must_use]
    pub(crate) fn parts(&self, triangle: &Triangle, y: u32, exact: Range<u32>) -> [Range<u32>; 2] {
        let added = self.added(triangle, y).map_or(0..0, |x| x..x + 1);
        if self.is_left { [added, exact] } else { [exact, added] }
    }
}

/// Returns the column at which an edge begins or ends in a row: the first column inside a left edge, the last inside
/// a right edge. The edge must not be horizontal. `start` is the edge function at column 0, `right` its step.
pub(crate) const fn edge_column(start: i64, right: i64) -> i64 {
    // A sample exactly on a left edge is inside, but on a right edge it is not.
    if right > 0 { -start.div_euclid(right) } else { (start - 1).div_euclid(-right) }
}

/// [`Triangle::weights`] at a pixel, with steps to its neighbours, to avoid computing them anew for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeStepper {
    /// Values at the pixel.
    pub start: [i64; 3],
    /// Step to the next pixel on the right.
    pub right: [i64; 3],
    /// Step to the next pixel below.
    pub down: [i64; 3],
}

/// Selects where to sample a pixel: the offset on both axes, in 1/16 pixel.
const fn sample_offset(arithmetic: Arithmetic) -> i64 {
    match arithmetic {
        Arithmetic::Hardware => PIXEL / 2,
        // Source: reference/ge/evidence.md#single-arithmetic.
        Arithmetic::Single => PIXEL / 2 - 1,
    }
}

/// Edge function: positive if `at` lies to the right of the edge from `from` to `to`, y pointing down.
const fn edge(from: [i64; 2], to: [i64; 2], at: [i64; 2]) -> i64 {
    (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
}

/// Visits a pixel inside a [`PixelRect`]. Such pixels are never negative, so the conversion succeeds.
fn visit_pixel(x: i64, y: i64, visit: &mut impl FnMut(u32, u32)) {
    if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) {
        visit(x, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    const SCISSOR: PixelRect = PixelRect { x: 0..1024, y: 0..1024 };

    fn vertex(x: i32, y: i32) -> ScreenVertex {
        ScreenVertex { x, y, ..ScreenVertex::default() }
    }

    fn pixels(shape: &Shape, scissor: &PixelRect) -> Vec<(u32, u32)> {
        let mut pixels = Vec::new();
        for_each_pixel(shape, Arithmetic::Hardware, scissor, |x, y| pixels.push((x, y)));
        pixels
    }

    #[test]
    fn area_is_scissor_and_region() {
        let mut registers = Registers::new();
        for (opcode, argument) in [
            (Opcode::SCISSOR1, 10 | 20 << 10),
            (Opcode::SCISSOR2, 479 | 271 << 10),
            (Opcode::REGION2, 99 | 1023 << 10),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        assert_eq!(PixelRect::scissor(&registers), PixelRect { x: 10..100, y: 20..272 }, "inclusive corners");
    }

    #[test]
    fn points_floor_positions() {
        assert_eq!(pixels(&Shape::Point([vertex(31, 16)]), &SCISSOR), [(1, 1)], "31/16 is in pixel 1");
        assert_eq!(pixels(&Shape::Point([vertex(-1, 16)]), &SCISSOR), [], "left of the scissor");
    }

    #[test]
    fn rectangles_are_half_open() {
        let mut expected = pixels(&Shape::Rectangle([vertex(8, 8), vertex(40, 24)]), &SCISSOR);
        assert_eq!(expected, [(0, 0), (1, 0)], "centres on the end are outside");
        expected.sort_unstable();
        let mut turned = pixels(&Shape::Rectangle([vertex(40, 8), vertex(8, 24)]), &SCISSOR);
        turned.sort_unstable();
        assert_eq!(turned, expected, "orientation does not matter");
        let huge = Shape::Rectangle([vertex(i32::MIN, i32::MIN), vertex(i32::MAX, i32::MAX)]);
        assert_eq!(pixels(&huge, &PixelRect { x: 3..5, y: 7..8 }), [(3, 7), (4, 7)], "clips huge rectangles");
    }

    #[test]
    fn triangles_include_left_and_top_edges() {
        let square = |a, b, c| pixels(&Shape::Triangle([a, b, c]), &SCISSOR);
        // Edges run through pixel centres.
        let upper = square(vertex(8, 8), vertex(40, 8), vertex(8, 40));
        assert_eq!(upper, [(0, 0), (1, 0), (0, 1)], "includes top and left edges, not the diagonal");
        let lower = square(vertex(8, 40), vertex(40, 8), vertex(40, 40));
        assert_eq!(lower, [(1, 1)], "includes the diagonal, a left edge here, not right and bottom edges");
        assert_eq!(square(vertex(8, 8), vertex(40, 8), vertex(72, 8)), [], "no area");
    }

    /// A fan around a point covers each inner pixel once, in either winding.
    #[test]
    fn shared_edges_are_covered_once() {
        let mut seed = 12345u32;
        let mut random = |end: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from((seed >> 8) % end).unwrap_or(0)
        };
        for round in 0..100 {
            let middle = vertex(100 + random(300), 100 + random(300));
            let border = [
                vertex(0, random(100)),
                vertex(random(500), 0),
                vertex(500, random(100)),
                vertex(500, 400 + random(100)),
                vertex(random(500), 500),
                vertex(0, 400 + random(100)),
            ];
            let mut count = [[0u8; 40]; 40];
            for i in 0..border.len() {
                let (mut a, mut b) = (border[i], border[(i + 1) % border.len()]);
                if round % 2 == 1 {
                    (a, b) = (b, a);
                }
                for (x, y) in pixels(&Shape::Triangle([middle, a, b]), &SCISSOR) {
                    count[y as usize][x as usize] += 1;
                }
            }
            assert!(count.iter().flatten().all(|&count| count <= 1), "round {round}: covered twice");
            // All border vertices lie outside the square from 100 to 400.
            let inside = count[8..24].iter().flat_map(|row| &row[8..24]);
            assert!(inside.into_iter().all(|&count| count == 1), "round {round}: hole");
        }
    }

    /// [Tall triangles](crate::reference::ge::coverage#tall-triangles). The long edge runs from x = 40/16 to 160/16,
    /// and passes row 0 at 112/16.
    #[test]
    fn tall_triangles_have_a_coarse_edge() {
        let row = |corners: [[i32; 2]; 3], columns: Range<u32>| {
            let corners = corners.map(|[x, y]| vertex(x, y));
            let triangle = Triangle::new(&corners, Arithmetic::Hardware).expect("it has an area");
            columns.map(|x| (triangle.covers_exactly(x, 0), triangle.covers(x, 0))).collect::<Vec<_>>()
        };
        let (none, added, exact) = ((false, false), (false, true), (true, true));
        let left = |top, bottom| row([[40, top], [160, bottom], [1600, 0]], 3..9);
        assert_eq!(
            left(-30_000, 20_000),
            [none, added, none, none, exact, exact],
            "the first pixel of the group"
        );
        assert_eq!(left(-3000, 2000), [none, none, none, none, exact, exact], "a lower triangle");
        let leaning = |left, right| row([[left, -30_000], [right, 20_000], [-1600, 0]], 3..9);
        assert_eq!(leaning(10, 130), [exact, exact, none, none, added, none], "the last pixel of the group");
        assert_eq!(
            leaning(77, 90),
            [exact, exact, none, none, none, none],
            "9/16 of it is right of the triangle"
        );
        assert_eq!(leaning(60, 180), [exact, exact, exact, exact, exact, none], "the group ends inside");
        let single = [[40, -30_000], [160, 20_000], [1600, 0]].map(|[x, y]| vertex(x, y));
        let single = Triangle::new(&single, Arithmetic::Single).expect("it has an area");
        assert_eq!(single.coarse_edge(), None, "emulators judge all edges alike");
    }

    #[test]
    fn single_arithmetic_samples_at_7_16() {
        let corners = [vertex(8, 8), vertex(40, 8), vertex(8, 40)];
        let mut covered = Vec::new();
        let shape = Shape::Triangle(corners);
        for_each_pixel(&shape, Arithmetic::Single, &SCISSOR, |x, y| covered.push((x, y)));
        assert_eq!(covered, [(1, 1)], "8/16 lies on both edges, 7/16 outside of them");
    }

    #[test]
    fn weights_add_up() {
        let vertices = [vertex(-70_000, 5), vertex(i32::MAX, -3), vertex(12, 88_888)];
        let triangle = Triangle::new(&vertices, Arithmetic::Hardware).expect("it has an area");
        let sum: i64 = triangle.weights(1000, 3).into_iter().sum();
        assert_eq!(sum, triangle.doubled_area.abs(), "at any pixel");
    }
}
