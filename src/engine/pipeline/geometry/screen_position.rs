//! Screen positions, computed before attributes, because many vertices then need no attributes.

use super::lanes::LANES;
use super::outcode::Outcode;

/// A vertex's screen position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ScreenPosition {
    /// Column in 1/16 pixel, with OFFSETX already subtracted. Undefined if outside the screen space.
    pub(crate) x: i32,
    /// Row in 1/16 pixel, with OFFSETY already subtracted. Undefined if outside the screen space.
    pub(crate) y: i32,
    /// Depth, 0 to 65535.
    pub(crate) z: u16,
    /// 1/w.
    pub(crate) reciprocal_w: f32,
}

/// Screen positions and outcodes for several vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenPositionLanes {
    /// As [`ScreenPosition::x`].
    pub(super) x: [i32; LANES],
    /// As [`ScreenPosition::y`].
    pub(super) y: [i32; LANES],
    /// As [`ScreenPosition::z`], in the low 16 bits. The high bits are unspecified.
    pub(super) z: [u32; LANES],
    /// As [`ScreenPosition::reciprocal_w`].
    pub(super) reciprocal_w: [f32; LANES],
    pub(super) outcodes: [Outcode; LANES],
}

/// Screen positions and outcodes for any number of vertices. The arrays are separate, so that loops can use lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScreenPositions {
    count: usize,
    x: Vec<i32>,
    y: Vec<i32>,
    z: Vec<u32>,
    reciprocal_w: Vec<f32>,
    outcodes: Vec<Outcode>,
}

/// How many vertices a strip needs to form [`LANES`] triangles: two more than triangles.
pub(crate) const STRIP_VERTICES: usize = LANES + 2;

/// Columns, rows and outcodes for consecutive triangles in a strip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StripGroup<'p> {
    pub(crate) x: &'p [i32; STRIP_VERTICES],
    pub(crate) y: &'p [i32; STRIP_VERTICES],
    pub(crate) outcodes: &'p [Outcode; STRIP_VERTICES],
}

impl ScreenPositions {
    /// Replaces all positions by those for `count` vertices.
    pub(crate) fn set(&mut self, count: usize, groups: impl Iterator<Item = ScreenPositionLanes>) {
        self.clear();
        for group in groups {
            self.x.extend_from_slice(&group.x);
            self.y.extend_from_slice(&group.y);
            self.z.extend_from_slice(&group.z);
            self.reciprocal_w.extend_from_slice(&group.reciprocal_w);
            self.outcodes.extend_from_slice(&group.outcodes);
        }
        self.count = count.min(self.x.len());
        self.pad();
    }

    /// Gathers a strip: replaces all positions by those in `others` with these numbers. This copies only columns,
    /// rows and outcodes, because strip tests need no more.
    pub(crate) fn set_strip(&mut self, others: &Self, numbers: &[u32]) {
        self.clear();
        self.count = numbers.len();
        let length = self.count.next_multiple_of(LANES);
        self.x.resize(length, 0);
        self.y.resize(length, 0);
        self.outcodes.resize(length, Outcode::empty());
        let places = self.x.iter_mut().zip(&mut self.y).zip(&mut self.outcodes);
        for (((x, y), outcode), &number) in places.zip(numbers) {
            [*x, *y] = others.place(number);
            *outcode = others.outcode(number);
        }
        self.pad();
    }

    fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
        self.z.clear();
        self.reciprocal_w.clear();
        self.outcodes.clear();
    }

    /// Makes the last group as long as the others, because triangles reach into the next group.
    fn pad(&mut self) {
        const MORE: usize = STRIP_VERTICES - LANES;
        self.x.extend_from_slice(&[0; MORE]);
        self.y.extend_from_slice(&[0; MORE]);
        self.outcodes.extend_from_slice(&[Outcode::empty(); MORE]);
    }

    #[must_use]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns how many positions fit without allocation.
    #[must_use]
    pub(crate) const fn capacity(&self) -> usize {
        self.x.capacity()
    }

    /// Returns a vertex's screen position, or `None` if the vertex does not exist.
    #[inline]
    #[must_use]
    pub(crate) fn get(&self, number: u32) -> Option<ScreenPosition> {
        let number = number as usize;
        let [low, high, ..] = self.z.get(number)?.to_le_bytes();
        let (x, y) = (*self.x.get(number)?, *self.y.get(number)?);
        let reciprocal_w = *self.reciprocal_w.get(number)?;
        Some(ScreenPosition { x, y, z: u16::from_le_bytes([low, high]), reciprocal_w })
    }

    /// Returns a vertex's outcode, or no flags if the vertex does not exist.
    #[inline]
    #[must_use]
    pub(crate) fn outcode(&self, number: u32) -> Outcode {
        self.outcodes.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns a vertex's column and row in 1/16 pixel, or 0 if the vertex does not exist.
    #[inline]
    #[must_use]
    pub(crate) fn place(&self, number: u32) -> [i32; 2] {
        match (self.x.get(number as usize), self.y.get(number as usize)) {
            (Some(x), Some(y)) => [*x, *y],
            _ => [0; 2],
        }
    }

    /// Iterates over the vertices as a strip, in groups of [`LANES`] triangles, each with its first triangle's
    /// number. Triangles past the strip's end are unspecified.
    pub(crate) fn strip_groups(&self) -> impl Iterator<Item = (usize, StripGroup<'_>)> {
        (0..self.count.saturating_sub(2)).step_by(LANES).filter_map(|first| {
            let x = self.x.get(first..)?.first_chunk()?;
            let y = self.y.get(first..)?.first_chunk()?;
            let outcodes = self.outcodes.get(first..)?.first_chunk()?;
            Some((first, StripGroup { x, y, outcodes }))
        })
    }
}
