//! Lines that would show a texture other bytes than memory has. A draw that avoids them can read memory instead.

use super::cache_lines::{CacheLines, LinePlace, LineTag, ROW_BYTES, ROWS, cached_bits, set_of};
use super::footprint::line_counts;
use super::texel_bounds::sampled_bounds;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::{self, Texture, content_hash};
use crate::raster::fast::PipelineState;

/// Cached lines that a texture would find, although they differ from its bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspects {
    places: Vec<LinePlace>,
}

impl Suspects {
    /// Compares the lines that a draw with this state may find with memory.
    pub(super) fn of(lines: &CacheLines, memory: &Memory, state: &PipelineState) -> Self {
        let mut places = Vec::new();
        for (level, texture) in state.cache_levels() {
            places.extend(differing(lines, memory, level, texture));
        }
        Self { places }
    }

    /// Returns whether a draw with these registers may find a line that differs from memory.
    pub(super) fn of_registers(lines: &CacheLines, memory: &Memory, registers: &Registers) -> bool {
        texture::is_used(registers)
            && (0..)
                .zip(content_hash::levels(registers))
                .any(|(level, texture)| differing(lines, memory, level, &texture).next().is_some())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn contains(&self, place: LinePlace) -> bool {
        self.places.contains(&place)
    }

    /// Removes the lines no longer cached.
    pub(super) fn retain(&mut self, lines: &CacheLines) {
        self.places.retain(|place| lines.find(*place).is_some());
    }

    /// Returns whether a draw's primitives are sure to fetch none of these lines.
    pub(super) fn are_avoided(&self, state: &PipelineState, primitives: &[ScreenPrimitive]) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut levels = state.cache_levels();
        let (Some((_, texture)), None) = (levels.next(), levels.next()) else { return false };
        let texels = 8 * ROW_BYTES / cached_bits(texture);
        primitives.iter().all(|primitive| {
            let Some([columns, rows]) = sampled_bounds(state, texture, primitive) else { return false };
            let columns = columns.start() / texels..=columns.end() / texels;
            let bands = rows.start() / ROWS..=rows.end() / ROWS;
            let is_inside = |LineTag { column, band, .. }: LineTag| {
                columns.contains(&column.into()) && bands.contains(&band.into())
            };
            !self.places.iter().any(|place| is_inside(place.tag))
        })
    }
}

/// Iterates over the lines that a mip level may find, although they differ from its bytes.
fn differing(
    lines: &CacheLines,
    memory: &Memory,
    level: u8,
    texture: &Texture,
) -> impl Iterator<Item = LinePlace> {
    let [columns, bands] = line_counts(texture);
    lines.iter().filter_map(move |(set, line)| {
        let tag @ LineTag { column, band, .. } = line.tag;
        let is_found = tag.level == level
            && u32::from(column) < columns
            && u32::from(band) < bands
            && set == set_of(cached_bits(texture), column, band);
        (is_found && !line.is_current(memory, texture)).then_some(LinePlace { set, tag })
    })
}
