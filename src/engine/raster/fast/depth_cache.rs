//! The depth cache holds part of the depth buffer in row order. It exists because VRAM stores depth in a permuted
//! [view](crate::reference::ge::memory#view-of-the-depth-buffer), which depends on the surface.
//!
//! # Invariants
//! Between [`DepthCache::load`] and [`DepthCache::write_back`] no other code accesses these bytes in VRAM.

use std::ops::Range;

use crate::ge::address::{VRAM_SIZE, VramView};
use crate::ge::edram::{self, Translation};
use crate::ge::never::OrNever;
use crate::pipeline::framebuffer::DepthSurface;
use crate::raster::dispatch::threads::Threads;

/// How many bytes the permutations keep together.
const UNIT: usize = edram::UNIT as usize;

/// Cached rows from a depth surface.
#[derive(Clone, Debug, Default)]
pub(super) struct DepthCache {
    held: DepthCacheModel,
    places: UnitPlaces,
    /// The values in the held range.
    values: Vec<u16>,
}

/// The range that a [`DepthCache`] holds. Without values, this also serves to compute costs.
#[derive(Clone, Debug, Default)]
pub(in crate::raster) struct DepthCacheModel {
    surface: Option<(DepthSurface, Translation)>,
    /// The bytes held in the depth view, as multiples of [`UNIT`].
    view_range: Range<usize>,
}

impl DepthCacheModel {
    /// Computes which bytes in linear VRAM the cache holds. The range is empty if there are none.
    pub(in crate::raster) fn vram_range(&self) -> Range<usize> {
        match self.surface {
            Some((_, translation)) if !self.view_range.is_empty() => {
                enclosing_blocks(&self.view_range, translation)
            }
            _ => 0..0,
        }
    }

    /// Works like [`DepthCache::load`]. Returns how many bytes this would move.
    pub(in crate::raster) fn load(
        &mut self,
        surface: DepthSurface,
        translation: Translation,
        rows: &Range<usize>,
        column_end: usize,
    ) -> u64 {
        let Some(after) = self.after_load(&surface, translation, rows, column_end) else { return 0 };
        let written_back = self.write_back();
        let moved = written_back + after.view_range.len() as u64;
        *self = after;
        moved
    }

    /// Works like [`DepthCache::write_back`]. Returns how many bytes this would move.
    pub(in crate::raster) fn write_back(&mut self) -> u64 {
        std::mem::take(self).view_range.len() as u64
    }

    /// Computes what the cache holds after it has loaded these rows, or returns `None` if it holds them already.
    fn after_load(
        &self,
        surface: &DepthSurface,
        translation: Translation,
        rows: &Range<usize>,
        column_end: usize,
    ) -> Option<Self> {
        let mut view_range = view_range_of(surface, rows, column_end);
        if self.surface == Some((*surface, translation)) {
            let held = &self.view_range;
            if view_range.start >= held.start && view_range.end <= held.end {
                return None;
            }
            // More rows of the same surface extend the range, to spare draws that alternate between rows from
            // loading them again.
            if !held.is_empty() {
                view_range = view_range.start.min(held.start)..view_range.end.max(held.end);
            }
        }
        Some(Self { surface: Some((*surface, translation)), view_range })
    }
}

/// Computes which bytes in the depth view hold these rows, rounded outwards to units.
fn view_range_of(surface: &DepthSurface, rows: &Range<usize>, column_end: usize) -> Range<usize> {
    let (address, stride) = (surface.address as usize, surface.stride as usize);
    let start = address + rows.start * stride * 2;
    let end = address + (rows.end.saturating_sub(1) * stride + column_end) * 2;
    start / UNIT * UNIT..end.next_multiple_of(UNIT)
}

impl DepthCache {
    /// Computes which bytes in linear VRAM may hold these rows.
    pub(super) fn vram_range_of(
        surface: &DepthSurface,
        translation: Translation,
        rows: &Range<usize>,
        column_end: usize,
    ) -> Range<usize> {
        enclosing_blocks(&view_range_of(surface, rows, column_end), translation)
    }

    /// Computes which bytes in linear VRAM the cache holds. The range is empty if there are none.
    pub(super) fn vram_range(&self) -> Range<usize> {
        self.held.vram_range()
    }

    /// Loads rows and gives access to their values, from column 0 of the first row on.
    pub(super) fn load(
        &mut self,
        vram: &mut [u8],
        surface: &DepthSurface,
        translation: Translation,
        rows: &Range<usize>,
        column_end: usize,
    ) -> &mut [u16] {
        if let Some(after) = self.held.after_load(surface, translation, rows, column_end) {
            self.write_back(vram, &Threads::default());
            self.places.select(surface.view, translation);
            let loaded = &after.view_range;
            self.values.resize(loaded.len() / 2, 0);
            let (vram, _) = vram.as_chunks::<UNIT>();
            let blocks = vram[enclosing_blocks(loaded, translation).start / UNIT..].chunks(self.places.len());
            let (mut values, _) = self.values.as_chunks_mut::<{ UNIT / 2 }>();
            for (places, block) in self.places.of_blocks(loaded).zip(blocks) {
                let units = values.split_off_mut(..places.len()).or_never("values for the whole range");
                for (values, place) in units.iter_mut().zip(places) {
                    let (bytes, _) = block[*place as usize].as_chunks();
                    // As a whole, because the compiler then moves vectors.
                    *values = std::array::from_fn(|column| u16::from_le_bytes(bytes[column]));
                }
            }
            self.held = after;
        }
        let first = surface.address as usize + rows.start * surface.stride as usize * 2;
        self.values.get_mut((first - self.held.view_range.start) / 2..).unwrap_or(&mut [])
    }

    /// Writes all values back to VRAM and empties the cache.
    pub(super) fn write_back(&mut self, vram: &mut [u8], threads: &Threads) {
        let DepthCacheModel { surface, view_range } = std::mem::take(&mut self.held);
        let Some((_, translation)) = surface else { return };
        let (vram, _) = vram.as_chunks_mut::<UNIT>();
        let first = enclosing_blocks(&view_range, translation).start / UNIT;
        let blocks = vram[first..].chunks_mut(self.places.len());
        let (mut values, _) = self.values.as_chunks::<{ UNIT / 2 }>();
        let parts = self.places.of_blocks(&view_range).zip(blocks).map(|(places, block)| {
            (values.split_off(..places.len()).or_never("values for the whole range"), places, block)
        });
        threads.for_each(&mut Vec::<()>::new(), parts, |(), (values, places, block)| {
            for (values, place) in values.iter().zip(places) {
                block[*place as usize].copy_from_slice(values.map(u16::to_le_bytes).as_flattened());
            }
        });
    }
}

/// Finds the blocks around a range in a depth view. These are enough, because the permutations move bytes only
/// within blocks.
pub(in crate::raster) fn enclosing_blocks(view: &Range<usize>, translation: Translation) -> Range<usize> {
    let block = block_of(translation);
    view.start / block * block..view.end.next_multiple_of(block)
}

/// Returns how many bytes a block has. The permutations change address bits up to three above the mode's bit. In
/// mode 0 they reach bit 10.
fn block_of(translation: Translation) -> usize {
    (translation.mode() as usize).max(0x80) << 4
}

/// Where a depth view's units are in linear VRAM. All blocks have the same order, so a table for a single block
/// spares computing each place.
#[derive(Clone, Debug, Default)]
struct UnitPlaces {
    order: Option<(VramView, Translation)>,
    /// Each unit's place in a block, in units from the block's start on.
    in_block: Vec<u32>,
}

impl UnitPlaces {
    /// Selects the order of a view.
    fn select(&mut self, view: VramView, translation: Translation) {
        if self.order != Some((view, translation)) {
            self.order = Some((view, translation));
            let units = (0..VRAM_SIZE).step_by(UNIT).take(block_of(translation) / UNIT);
            self.in_block.clear();
            self.in_block.extend(units.map(|unit| translation.to_linear(view, unit) / edram::UNIT));
        }
    }

    /// Returns how many units a block has.
    fn len(&self) -> usize {
        self.in_block.len()
    }

    /// Splits a range of the view at the ends of blocks, and returns where each part's units go. VRAM's blocks have
    /// the same order as those of the view.
    fn of_blocks(&self, view: &Range<usize>) -> impl Iterator<Item = &[u32]> {
        let (mut unit, end) = (view.start / UNIT, view.end / UNIT);
        std::iter::from_fn(move || {
            let first = unit % self.len();
            let count = (self.len() - first).min(end - unit);
            unit += count;
            (count > 0).then(|| &self.in_block[first..first + count])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_where_their_view_has_them() {
        let modes =
            [0, 0x200, 0x400, 0x800, 0x1000].map(|mode| Translation::from_mode(mode).expect("a mode"));
        let mut places = UnitPlaces::default();
        for translation in modes.into_iter().chain([Translation::Linear]) {
            for view in [VramView::Linear, VramView::Depth16, VramView::Depth32] {
                places.select(view, translation);
                // Parts of the first and of the last block.
                let units = 5..VRAM_SIZE / edram::UNIT - 3;
                let range = units.start as usize * UNIT..units.end as usize * UNIT;
                let places = (0..)
                    .step_by(places.len())
                    .zip(places.of_blocks(&range))
                    .flat_map(|(start, places)| places.iter().map(move |place| start + place));
                let expected =
                    units.map(|unit| translation.to_linear(view, unit * edram::UNIT) / edram::UNIT);
                assert!(places.eq(expected), "{translation:?} {view:?}");
            }
        }
    }
}
