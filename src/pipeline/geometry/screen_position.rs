//! Screen positions of vertices, computed before their attributes.

use super::lanes::LANES;
use super::outcode::Outcode;

/// The screen position of a vertex.
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

/// The screen positions and outcodes of several vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenPositionLanes {
    /// As [`ScreenPosition::x`].
    pub(super) x: [i32; LANES],
    /// As [`ScreenPosition::y`].
    pub(super) y: [i32; LANES],
    /// As [`ScreenPosition::z`], in the low 16 bits. The others are unspecified.
    pub(super) z: [u32; LANES],
    /// As [`ScreenPosition::reciprocal_w`].
    pub(super) reciprocal_w: [f32; LANES],
    /// The outcodes.
    pub(super) outcodes: [Outcode; LANES],
}

/// The screen positions and outcodes of any number of vertices, in lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScreenPositions {
    groups: Vec<ScreenPositionLanes>,
    count: usize,
}

impl ScreenPositions {
    /// Replaces all positions by those of `count` vertices.
    pub(super) fn set(&mut self, count: usize, groups: impl Iterator<Item = ScreenPositionLanes>) {
        self.groups.clear();
        self.groups.extend(groups);
        self.count = count.min(self.groups.len() * LANES);
    }

    /// Returns the number of positions.
    #[must_use]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns the number of positions that the memory can hold.
    #[must_use]
    pub(crate) const fn capacity(&self) -> usize {
        self.groups.capacity() * LANES
    }

    #[inline]
    fn lane(&self, number: u32) -> Option<(&ScreenPositionLanes, usize)> {
        let number = number as usize;
        let group = self.groups.get(number / LANES).filter(|_| number < self.count)?;
        Some((group, number % LANES))
    }

    /// Returns the position of a vertex.
    #[inline]
    #[must_use]
    pub(crate) fn get(&self, number: u32) -> Option<ScreenPosition> {
        let (group, lane) = self.lane(number)?;
        let ScreenPositionLanes { x, y, z, reciprocal_w, .. } = group;
        let [low, high, ..] = z[lane].to_le_bytes();
        let z = u16::from_le_bytes([low, high]);
        Some(ScreenPosition { x: x[lane], y: y[lane], z, reciprocal_w: reciprocal_w[lane] })
    }

    /// Returns the outcode of a vertex; none set for one that does not exist.
    #[inline]
    #[must_use]
    pub(crate) fn outcode(&self, number: u32) -> Outcode {
        self.lane(number).map_or(Outcode::empty(), |(group, lane)| group.outcodes[lane])
    }

    /// Returns column and row of a vertex, in 1/16 pixel; 0 for one that does not exist.
    #[inline]
    #[must_use]
    pub(crate) fn place(&self, number: u32) -> [i32; 2] {
        self.lane(number).map_or([0; 2], |(group, lane)| [group.x[lane], group.y[lane]])
    }
}
