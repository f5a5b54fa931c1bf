//! Rectangles of pixels: the scissor, and the pixels that a draw may cover.

use std::ops::Range;

use super::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::coverage::ScissorRect;

/// The largest column or row of a buffer, plus one.
const BUFFER_SIZE: i64 = 1024;

/// A rectangle of pixels of the screen, in columns and rows. It may be empty, and outside of every buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// Columns.
    pub x: Range<i64>,
    /// Rows.
    pub y: Range<i64>,
}

impl Area {
    /// Returns all pixels that a buffer can have.
    pub(super) const fn buffer() -> Self {
        Self { x: 0..BUFFER_SIZE, y: 0..BUFFER_SIZE }
    }

    /// Returns the pixels inside scissor and region.
    pub(super) fn scissor(registers: &Registers) -> Self {
        let ScissorRect { x, y } = ScissorRect::from_registers(registers);
        Self { x, y }
    }

    /// Returns the box around all primitives of a draw, before the scissor; `None` if no primitive is left.
    pub(super) fn around(subject: &Subject<'_>, memory: &Memory, arithmetic: Arithmetic) -> Option<Self> {
        let mut area: Option<Self> = None;
        subject.to_screen(memory, arithmetic, &mut |primitive| {
            let own = Self::of_primitive(primitive);
            area = Some(match area.take() {
                Some(known) => Self { x: join(&known.x, &own.x), y: join(&known.y, &own.y) },
                None => own,
            });
        });
        area
    }

    fn of_primitive(primitive: &ScreenPrimitive) -> Self {
        let vertices = primitive.vertices();
        let span = |positions: &mut dyn Iterator<Item = i32>| {
            let (low, high) =
                positions.fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at), high.max(at)));
            i64::from(low >> 4)..i64::from(high >> 4).saturating_add(1)
        };
        Self {
            x: span(&mut vertices.iter().map(|vertex| vertex.x)),
            y: span(&mut vertices.iter().map(|vertex| vertex.y)),
        }
    }

    /// Returns the pixels in both rectangles.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let common = |a: &Range<i64>, b: &Range<i64>| a.start.max(b.start)..a.end.min(b.end);
        Self { x: common(&self.x, &other.x), y: common(&self.y, &other.y) }
    }

    /// Returns whether it has no pixel.
    pub(super) fn is_empty(&self) -> bool {
        self.x.is_empty() || self.y.is_empty()
    }

    /// Returns columns and rows as unsigned ranges; empty if they are outside of the buffer.
    pub(super) fn in_buffer(&self) -> [Range<u32>; 2] {
        let inside = self.intersection(&Self::buffer());
        let unsigned = |range: Range<i64>| {
            let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(0));
            start..end
        };
        if inside.is_empty() { [0..0, 0..0] } else { [unsigned(inside.x), unsigned(inside.y)] }
    }
}

/// Returns the range from the lower start to the higher end.
fn join(a: &Range<i64>, b: &Range<i64>) -> Range<i64> {
    a.start.min(b.start)..a.end.max(b.end)
}
