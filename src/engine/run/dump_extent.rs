//! Computes which bytes in VRAM count as drawn for frame dumps. A replay keeps these bytes if a dump repeats them.
//!
//! A recording repeats textures in VRAM as the recorder saw them. If a replay has drawn there itself, its own
//! pixels are newer, so they stay. Which bytes count as drawn is a rule for this format, and differs from the GE:
//! the extent starts at the buffers' upper left corner whatever SCISSOR1 and REGION1 say, looks only at some draws'
//! vertices, takes depth rows in groups, and compares addresses without regard to VRAM's views. For the pixels that
//! a draw really reaches, see [`crate::raster`].
//!
//! # Invariants
//! The extent depends only on registers and vertices, so it is the same for every sink.
//! Source: [copies into VRAM](crate::reference::ge::frame_dumps#copies-into-vram).

use std::ops::Range;

use bitvec::vec::BitVec;

use crate::ge::address::{Address, Region, VRAM_SIZE};
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::Corner;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface, WrittenSurfaces};
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// How many bytes share a bit. Pairs are fine enough, because colours and depths have two or four bytes.
const PAIR: u32 = 2;
/// The row number's bits inside a depth group. If any row in a group is written, the whole group counts.
const DEPTH_ROW: u32 = 7;

/// The bytes in VRAM that draws may have written.
#[derive(Clone, Debug, Default)]
pub(super) struct DumpExtent {
    /// Offsets from the start of the view that an address selects. This counts depth as if it were stored in order.
    pairs: PairSet,
    /// The last draw's area, to skip draws that add nothing to it.
    last: Option<DrawnArea>,
}

/// The buffers that a draw writes, and the pixels it may reach in them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DrawnArea {
    surfaces: WrittenSurfaces,
    pixels: DumpBox,
}

impl DumpExtent {
    /// How many bytes this extent takes.
    pub(super) fn size(&self) -> usize {
        self.pairs.pairs.len() / 8
    }

    /// Adds a draw's pixels, from its buffers' start to the lower right corner of scissor and region. Known
    /// `bounds` limit this to the pixels inside them.
    pub(super) fn insert(&mut self, registers: &Registers, bounds: Option<DumpBox>) {
        let reached = DumpBox::reached(registers);
        let area = DrawnArea {
            surfaces: WrittenSurfaces::from_registers(registers),
            pixels: bounds.map_or(reached, |bounds| bounds.intersection(reached)),
        };
        // Most draws in a scene reach the same pixels, so this saves filling the same bits again.
        if self.last.as_ref() == Some(&area) {
            return;
        }
        if !area.pixels.is_empty() {
            if let Some(surface) = &area.surfaces.color {
                self.insert_color(surface, area.pixels);
            }
            if let Some(surface) = &area.surfaces.depth {
                self.insert_depth(surface, area.pixels);
            }
        }
        self.last = Some(area);
    }

    fn insert_color(&mut self, surface: &ColorSurface, pixels: DumpBox) {
        let [left, right] = pixels.columns;
        let bytes = (right + 1 - left) * color::bytes(surface.format);
        for row in pixels.rows[0]..=pixels.rows[1] {
            self.pairs.insert(surface.offset(left, row), bytes);
        }
    }

    /// Adds depth rows in whole groups.
    fn insert_depth(&mut self, surface: &DepthSurface, pixels: DumpBox) {
        let [first, last] = [pixels.rows[0] & !DEPTH_ROW, pixels.rows[1] | DEPTH_ROW];
        // This cannot overflow, because rows, columns and strides have about eleven bits.
        let values = (last - first) * surface.stride + surface.stride.max(pixels.columns[1] + 1);
        let start = surface.address + first * surface.stride * 2;
        self.pairs.insert(start, values * 2);
    }

    /// Passes the ranges that no draw has written to `out`, within the `length` bytes from `to` on and relative to
    /// `to`. Outside VRAM, this is the whole range.
    pub(super) fn undrawn(&self, to: Address, length: u32, out: &mut dyn FnMut(Range<u32>)) {
        let Region::Vram(_, start) = to.region() else { return out(0..length) };
        let mut at = 0;
        while at < length {
            let offset = start.saturating_add(at) % VRAM_SIZE;
            let count = (VRAM_SIZE - offset).min(length - at);
            self.pairs.gaps(offset..offset + count, &mut |range| out(at + range.start..at + range.end));
            at += count;
        }
    }
}

/// A rectangle of pixels in a buffer, first and last included. It is empty if a last number is below its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DumpBox {
    columns: [u32; 2],
    rows: [u32; 2],
}

impl DumpBox {
    /// Returns the pixels from the buffers' start to the corner of scissor and region.
    pub(super) fn reached(registers: &Registers) -> Self {
        let [scissor, region] =
            [Opcode::SCISSOR2, Opcode::REGION2].map(|corner| registers.view::<Corner>(corner));
        let last = |scissor: u16, region: u16| [0, u32::from(scissor.min(region))];
        Self { columns: last(scissor.x, region.x), rows: last(scissor.y, region.y) }
    }

    /// Counts columns and rows from the buffers' start to this box's corner.
    pub(super) const fn end(&self) -> [u32; 2] {
        [self.columns[1].saturating_add(1), self.rows[1].saturating_add(1)]
    }

    /// Returns the box around these positions in pixels, enlarged by a pixel on all sides. `None` if a position is
    /// NaN.
    fn around(positions: impl Iterator<Item = [f32; 2]>) -> Option<Self> {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for position in positions {
            for axis in 0..2 {
                if position[axis].is_nan() {
                    return None;
                }
                (low[axis], high[axis]) = (low[axis].min(position[axis]), high[axis].max(position[axis]));
            }
        }
        let sides = [0, 1].map(|axis| [pixel(low[axis] - 1.0), pixel(high[axis] + 1.0)]);
        Some(Self { columns: sides[0], rows: sides[1] })
    }

    fn intersection(self, other: Self) -> Self {
        let common = |a: [u32; 2], b: [u32; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        Self { columns: common(self.columns, other.columns), rows: common(self.rows, other.rows) }
    }

    const fn is_empty(&self) -> bool {
        self.columns[1] < self.columns[0] || self.rows[1] < self.rows[0]
    }
}

/// Returns the column or row for a position, moved inside the largest buffer if necessary. This can only enlarge a
/// box.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is 0 to 1023")]
fn pixel(position: f32) -> u32 {
    position.clamp(0.0, 1023.0) as u32
}

/// Returns a draw's box in through mode without indices; `None` for other draws, whose positions are unknown before
/// transformation.
pub(super) fn box_of_draw(memory: &Memory, draw: &Draw<'_>) -> Option<DumpBox> {
    let vertex_type: VertexType = draw.registers.get();
    let is_known =
        vertex_type.through && vertex_type.index == IndexFormat::NONE && draw.carried_vertices().is_empty();
    let position = |vertex: Vertex| [vertex.position[0], vertex.position[1]];
    is_known.then(|| DumpBox::around(draw.raw_vertices(memory).map(position))).flatten()
}

/// Returns an immediate primitive's box in through mode; `None` for others.
pub(super) fn box_of_immediate(draw: &ImmediateDraw<'_>) -> Option<DumpBox> {
    #[expect(clippy::cast_precision_loss, reason = "positions have 16 bits")]
    let position = |vertex: &ScreenVertex| [vertex.x, vertex.y].map(|at| at as f32 / 16.0);
    draw.is_through().then(|| DumpBox::around(draw.vertices.iter().map(position))).flatten()
}

/// A set of bytes in VRAM, stored in pairs.
#[derive(Clone, Debug, Default)]
struct PairSet {
    /// A bit per pair. This stays empty until the first insertion, to save memory.
    pairs: BitVec<u32>,
}

impl PairSet {
    /// Adds `length` bytes from an offset on. Offsets wrap at VRAM's end.
    fn insert(&mut self, start: u32, length: u32) {
        let (start, length) = (start % VRAM_SIZE, length.min(VRAM_SIZE));
        if length == 0 {
            return;
        }
        let end = start + length;
        self.insert_before_end(start..end.min(VRAM_SIZE));
        if end > VRAM_SIZE {
            self.insert_before_end(0..end - VRAM_SIZE);
        }
    }

    /// Adds bytes that do not wrap.
    fn insert_before_end(&mut self, bytes: Range<u32>) {
        let pairs = (bytes.start / PAIR) as usize..bytes.end.div_ceil(PAIR) as usize;
        if self.pairs.is_empty() {
            self.pairs = BitVec::repeat(false, (VRAM_SIZE / PAIR) as usize);
        }
        if let Some(pairs) = self.pairs.get_mut(pairs) {
            pairs.fill(true);
        }
    }

    /// Passes byte ranges outside the set to `out`, relative to the first byte.
    fn gaps(&self, bytes: Range<u32>, out: &mut dyn FnMut(Range<u32>)) {
        let length = bytes.end - bytes.start;
        let first = bytes.start / PAIR;
        let pairs = first as usize..bytes.end.div_ceil(PAIR) as usize;
        let Some(mut rest) = self.pairs.get(pairs) else { return out(0..length) };
        // The range may begin or end inside a pair, so both ends are cut to it.
        let byte_of = |left: usize| {
            let end = u32::try_from(left).unwrap_or(u32::MAX).saturating_mul(PAIR);
            (bytes.end.next_multiple_of(PAIR) - end).clamp(bytes.start, bytes.end) - bytes.start
        };
        while !rest.is_empty() {
            let before = rest.len();
            rest = rest.get(rest.leading_zeros()..).unwrap_or_default();
            if rest.len() < before {
                out(byte_of(before)..byte_of(rest.len()));
            }
            rest = rest.get(rest.leading_ones()..).unwrap_or_default();
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Registers for a 16-bit colour buffer at 0x1000 and a depth buffer at 0x8000, both with 64 pixels a row.
    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        let defaults = [
            (Opcode::FRAMEBUFPTR, 0x1000),
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::ZBUFPTR, 0x8000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 9 | 3 << 10),
            (Opcode::REGION2, 19 | 1 << 10),
        ];
        Registers::with(defaults.into_iter().chain(settings.iter().copied()))
    }

    /// Lists ranges of drawn bytes from an address on.
    fn drawn(extent: &DumpExtent, from: u32, length: usize) -> Vec<Range<usize>> {
        let mut new = vec![1; length];
        let size = u32::try_from(length).expect("small");
        extent.undrawn(Address::new(from), size, &mut |range| {
            new[range.start as usize..range.end as usize].fill(0);
        });
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for at in (0..length).filter(|at| new[*at] == 1) {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }

    #[test]
    fn draws_reach_corner_of_scissor_and_region() {
        let mut extent = DumpExtent::default();
        extent.insert(&registers(&[(Opcode::SCISSOR1, 5 | 1 << 10)]), None);
        assert_eq!(drawn(&extent, 0x0400_1000, 0x200), [0..20, 128..148], "ten pixels of two rows");
        assert_eq!(drawn(&extent, 0x0400_1003, 0x100), [0..17, 125..145], "from an odd address");
        assert_eq!(drawn(&extent, 0x0400_8000, 0x8000), [], "no depth");
        assert_eq!(drawn(&extent, 0x0880_1000, 0x100), [], "not in VRAM");
    }

    #[test]
    fn boxes_limit_the_extent() {
        let bounds = DumpBox::around([[4.5, -3.0], [2.0, 0.9]].into_iter());
        assert_eq!(bounds, Some(DumpBox { columns: [1, 5], rows: [0, 1] }), "one pixel larger");
        let mut extent = DumpExtent::default();
        extent.insert(&registers(&[]), bounds);
        assert_eq!(drawn(&extent, 0x0400_1000, 0x200), [2..12, 130..140], "columns 1 to 5");
        let mut extent = DumpExtent::default();
        extent.insert(&registers(&[]), DumpBox::around([[500.0, 0.0]].into_iter()));
        assert_eq!(drawn(&extent, 0x0400_1000, 0x400), [], "right of the scissor");
        assert_eq!(DumpBox::around([[0.0, f32::NAN]].into_iter()), None, "no number");
    }

    #[test]
    fn depth_counts_in_groups_of_eight_rows() {
        for format in [1, 3] {
            let mut extent = DumpExtent::default();
            let settings = [(Opcode::CLEARMODE, 0x401), (Opcode::FRAMEBUFPIXFORMAT, format)];
            extent.insert(&registers(&settings), None);
            for view in [0x0400_0000, 0x0420_0000, 0x0440_0000, 0x0460_0000] {
                let in_order = drawn(&extent, view + 0x8000, 0x1000);
                let rows = 0..8 * 128;
                assert_eq!(in_order, [rows], "format {format}, view {view:#x}: the view does not matter");
            }
            assert_eq!(drawn(&extent, 0x0400_1000, 0x200), [], "colour is not cleared");
        }
    }

    #[test]
    fn sets_wrap_at_the_end_of_vram() {
        let mut set = PairSet::default();
        let missing = |set: &PairSet| {
            let mut missing = 0;
            set.gaps(0..VRAM_SIZE, &mut |range| missing += range.end - range.start);
            missing
        };
        set.insert(VRAM_SIZE - 4, 8);
        assert_eq!(missing(&set), VRAM_SIZE - 8, "two pairs at each end");
        set.insert(7, 2 * VRAM_SIZE);
        assert_eq!(missing(&set), 0, "everything");
    }
}
