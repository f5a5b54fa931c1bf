//! Vertices and their numbers to primitives on the screen.
//!
//! Where vertices stand is found out first; what they look like only for those of primitives that are drawn. Draws for
//! which that does not do (through mode, vertices of an earlier draw, rectangles to be found) go a simpler way.

use arrayvec::ArrayVec;

use super::index_dedup::Distinct;
use super::workspace::{Buffers, Kept, Selection, Workspace};
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::registers::Registers;
use crate::ge::registers::transform::ShadeMode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::clip::clip_near;
use crate::pipeline::geometry::clip_test::{Fate, Judge, Verdict, decide};
use crate::pipeline::geometry::clip_vertex::ClipVertex;
use crate::pipeline::geometry::cull::Culling;
use crate::pipeline::geometry::outcode::Place;
use crate::pipeline::geometry::rectangle::Finder;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::viewport::Viewport;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::pipeline::vertex::Vertex;

/// Lowers the primitives of a draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lowering<'a, R> {
    registers: &'a Registers,
    primitive: PrimitiveType,
    viewport: Viewport<R>,
    culling: Culling,
    judge: Judge,
}

/// Of vertices that nothing needs.
const UNUSED: u32 = u32::MAX;

impl<'a, R: Real> Lowering<'a, R> {
    /// For a draw of these primitives.
    pub(super) fn new(registers: &'a Registers, primitive: PrimitiveType) -> Self {
        Self::with(registers, primitive, Culling::new(registers, R::ARITHMETIC))
    }

    /// For what patches become.
    pub(super) fn of_patches(registers: &'a Registers, primitive: PrimitiveType) -> Self {
        Self::with(registers, primitive, Culling::of_patches(registers, R::ARITHMETIC))
    }

    fn with(registers: &'a Registers, primitive: PrimitiveType, culling: Culling) -> Self {
        let viewport = Viewport::new(registers);
        let judge = Judge::new(&viewport, is_clippable(primitive));
        Self { registers, primitive, viewport, culling, judge }
    }

    pub(super) fn is_through(&self) -> bool {
        self.viewport.is_through()
    }

    pub(super) fn viewport(&self) -> &Viewport<R> {
        &self.viewport
    }

    /// Draws the primitives of vertices outside through mode that nobody left over.
    pub(super) fn drawn(
        &self,
        mut transform: Transform<R>,
        workspace: &mut Workspace,
        primitives: impl Iterator<Item = Assembled>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let Workspace { vertices, places, selection, buffers } = workspace;
        transform.skin_all(vertices);
        transform.place_all(&self.viewport, vertices, places);
        self.select(places, primitives, selection);
        if selection.is_empty() {
            return;
        }
        let mut used = Vec::with_capacity(selection.used.len());
        used.extend(selection.used.iter().filter_map(|&number| vertices.get(number as usize)));
        self.finish(&transform, selection, &used, places, buffers, out);
    }

    /// Which primitives are left, for where their vertices stand.
    pub(super) fn select(
        &self,
        places: &[Place],
        primitives: impl Iterator<Item = Assembled>,
        selection: &mut Selection,
    ) {
        let Selection { kept, used, slots } = selection;
        kept.clear();
        used.clear();
        slots.clear();
        slots.resize(places.len(), UNUSED);
        // There are hardly more primitives than vertices.
        let (least, most) = primitives.size_hint();
        kept.reserve(most.unwrap_or(least).min(places.len()));
        used.reserve(places.len());
        let place = |number: u32| places.get(number as usize).copied().unwrap_or_default();
        primitives.for_each(|assembled| {
            let numbers = &assembled.vertices;
            let verdict = self.judge.verdict(numbers.iter().map(|&number| place(number).standing));
            let drops = || match numbers[..] {
                [a, b, c] => {
                    let at = |number| [place(number).x, place(number).y];
                    self.culling.drops_at([at(a), at(b), at(c)], assembled.reversed)
                }
                _ => false,
            };
            if verdict == Verdict::Dropped || verdict == Verdict::Drawn && drops() {
                return;
            }
            for &number in numbers {
                if let Some(slot) = slots.get_mut(number as usize) {
                    *slot = 0;
                }
            }
            kept.push(Kept { clipped: verdict == Verdict::Clipped, assembled });
        });
        if kept.is_empty() {
            return;
        }
        for (number, slot) in (0..).zip(slots) {
            if *slot != UNUSED {
                *slot = u32::try_from(used.len()).unwrap_or(UNUSED);
                used.push(number);
            }
        }
    }

    /// Draws what is left. `used` are the vertices that are needed, in order, `places` those of all.
    pub(super) fn finish(
        &self,
        transform: &Transform<R>,
        selection: &Selection,
        used: &[&Vertex],
        places: &[Place],
        buffers: &mut Buffers,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let Buffers { places: used_places, screen } = buffers;
        used_places.clear();
        used_places.extend(selection.used.iter().filter_map(|&number| places.get(number as usize).copied()));
        screen.clear();
        transform.finish_all(used, used_places, screen);
        for Kept { assembled, clipped } in &selection.kept {
            let slots = assembled.vertices.iter().filter_map(|&number| selection.slots.get(number as usize));
            let slots: ArrayVec<usize, 3> = slots.map(|&slot| slot as usize).collect();
            if *clipped {
                let corners = slots.iter().filter_map(|&slot| used.get(slot));
                let corners: ArrayVec<_, 4> = corners.map(|vertex| transform.apply(vertex)).collect();
                self.clipped(corners, assembled.reversed, out);
                continue;
            }
            let corner = |slot: usize| screen.get(slot).copied().unwrap_or_default();
            let shape = match slots[..] {
                [a] => Shape::Point([corner(a)]),
                [a, b] if self.primitive == PrimitiveType::RECTANGLES => {
                    Shape::Rectangle([corner(a), corner(b)])
                }
                [a, b] => Shape::Line([corner(a), corner(b)]),
                [a, b, c] => Shape::Triangle([corner(a), corner(b), corner(c)]),
                _ => continue,
            };
            out(&self.culling.primitive(shape, false));
        }
    }

    /// Draws the primitives of all vertices of a draw, of which none is left over from another.
    pub(super) fn whole(
        &self,
        vertices: &[ClipVertex<R>],
        primitives: impl Iterator<Item = Assembled>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let drawn_vertices = if self.forms_rectangles() { self.rectangles(vertices, out) } else { 0 };
        // Of a strip, the last two vertices of its rectangles go on.
        let skipped = match self.primitive {
            PrimitiveType::TRIANGLES => drawn_vertices / 3,
            _ => drawn_vertices.saturating_sub(2),
        };
        self.any(vertices, primitives.skip(skipped), out);
    }

    /// Draws the primitives of any vertices.
    pub(super) fn any(
        &self,
        vertices: &[ClipVertex<R>],
        primitives: impl Iterator<Item = Assembled>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let projected: Vec<_> = vertices.iter().map(|vertex| self.viewport.project(vertex)).collect();
        for Assembled { vertices: numbers, reversed } in primitives {
            let corners = numbers.iter().map(|&number| number as usize);
            let standings = corners
                .clone()
                .filter_map(|number| Some(projected.get(number)?.outcode(vertices.get(number)?)));
            match self.judge.verdict(standings) {
                Verdict::Dropped => {}
                Verdict::Drawn => {
                    let corners = corners.filter_map(|number| projected.get(number));
                    let corners: ArrayVec<_, 3> = corners.map(|projected| projected.vertex).collect();
                    self.emit(self.primitive, &corners, reversed, out);
                }
                Verdict::Clipped => {
                    let corners = corners.filter_map(|number| vertices.get(number).copied());
                    self.clipped(corners.collect(), reversed, out);
                }
            }
        }
    }

    /// Whether emulators may draw triangles of this draw as rectangles.
    fn forms_rectangles(&self) -> bool {
        R::ARITHMETIC == Arithmetic::Single && self.culling.keeps_all()
    }

    /// Whether the draw begins with triangles that form a rectangle. Not for through mode.
    pub(super) fn may_find_rectangles(
        &self,
        transform: &Transform<R>,
        vertices: &[Vertex],
        distinct: Option<&Distinct>,
    ) -> bool {
        if !self.forms_rectangles()
            || !matches!(self.primitive, PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN)
        {
            return false;
        }
        let count = distinct.map_or(vertices.len(), |distinct| distinct.places.len());
        let number = |nth: usize| match distinct {
            Some(distinct) => distinct.places.get(nth).map(|&place| place as usize),
            None => Some(nth),
        };
        let first: ArrayVec<ClipVertex<R>, 4> = (0..count.min(4))
            .filter_map(|nth| vertices.get(number(nth)?))
            .map(|vertex| transform.apply(vertex))
            .collect();
        let whole = self.primitive == PrimitiveType::TRIANGLE_STRIP || count == 4;
        whole && !Finder::new(self.registers, &self.viewport).find(self.primitive, &first).0.is_empty()
    }

    /// Draws the rectangles that the triangles at the draw's start form, and tells how many vertices that took.
    fn rectangles(&self, vertices: &[ClipVertex<R>], out: &mut dyn FnMut(&ScreenPrimitive)) -> usize {
        let finder = Finder::new(self.registers, &self.viewport);
        if self.primitive == PrimitiveType::TRIANGLES {
            if !self.is_through() || vertices.is_empty() || !vertices.len().is_multiple_of(6) {
                return 0;
            }
            for six in vertices.chunks_exact(6) {
                match finder.of_pair(six) {
                    Some(corners) => self.one(PrimitiveType::RECTANGLES, &corners, out),
                    None => {
                        for three in six.chunks_exact(3) {
                            self.one(self.primitive, three, out);
                        }
                    }
                }
            }
            return vertices.len();
        }
        let (found, used) = finder.find(self.primitive, vertices);
        for corners in found {
            self.one(PrimitiveType::RECTANGLES, &corners, out);
        }
        used
    }

    /// One primitive by itself.
    fn one(
        &self,
        primitive: PrimitiveType,
        corners: &[ClipVertex<R>],
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        match decide(&self.viewport, corners, is_clippable(primitive)) {
            Fate::Dropped => {}
            Fate::Drawn(vertices) => self.emit(primitive, &vertices, false, out),
            Fate::Clipped(polygon) => self.clipped(polygon, false, out),
        }
    }

    /// What is left of a line or triangle in front of the near plane.
    fn clipped(
        &self,
        mut polygon: ArrayVec<ClipVertex<R>, 4>,
        reversed: bool,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        if self.culling.shade() == ShadeMode::FLAT {
            // Cutting must not change which corner gives the colour.
            let last = *polygon.last().unwrap_or(&ClipVertex::default());
            for vertex in &mut polygon {
                (vertex.color, vertex.secondary) = (last.color, last.secondary);
            }
        }
        let polygon = clip_near(&polygon);
        let projected: ArrayVec<_, 4> = polygon.iter().map(|vertex| self.viewport.project(vertex)).collect();
        let on_screen = |corners: &[usize]| {
            corners.iter().all(|&corner| projected.get(corner).is_some_and(|p| !p.outside_screen))
        };
        let pieces: &[&[usize]] = match projected.len() {
            2 => &[&[0, 1]],
            3 => &[&[0, 1, 2]],
            4 => &[&[0, 1, 2], &[0, 2, 3]],
            _ => &[],
        };
        for piece in pieces.iter().filter(|piece| on_screen(piece)) {
            let vertices: ArrayVec<ScreenVertex, 3> =
                piece.iter().filter_map(|&corner| projected.get(corner)).map(|p| p.vertex).collect();
            self.emit(self.primitive, &vertices, reversed, out);
        }
    }

    fn emit(
        &self,
        primitive: PrimitiveType,
        vertices: &[ScreenVertex],
        reversed: bool,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        if let Some(primitive) = self.culling.keep(primitive, vertices, reversed, self.is_through()) {
            out(&primitive);
        }
    }
}

/// Triangles and lines are cut at the near plane.
fn is_clippable(primitive: PrimitiveType) -> bool {
    !matches!(primitive, PrimitiveType::POINTS | PrimitiveType::RECTANGLES)
}
