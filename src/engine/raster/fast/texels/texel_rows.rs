//! Reads rows of texels as colours. Part of a mip level's row is expanded at once, from memory or from the texture
//! cache.

use super::texel_expansion::{expand_row, has_plain_rows};
use super::texture_cache::{CachedLevel, DecodedTexels, TexelData};
use super::texture_state::MipLevel;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::texture::TextureWrap;

/// A mip level's rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelRows<'a> {
    level: &'a MipLevel,
    source: Source<'a>,
    wrap: TextureWrap,
}

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Decoded(&'a DecodedTexels),
    Memory(&'a [u8]),
}

impl<'a> TexelRows<'a> {
    /// Prepares to read a level. Returns `None` if its rows cannot be read alone.
    pub(crate) fn new(
        level: &'a MipLevel,
        wrap: TextureWrap,
        cached: Option<&'a CachedLevel>,
        data: &'a [u8],
    ) -> Option<Self> {
        let source = match cached.and_then(CachedLevel::texels) {
            Some(texels) => Source::Decoded(texels),
            None if has_plain_rows(level.texture.format) => Source::Memory(data),
            None => return None,
        };
        Some(Self { level, source, wrap })
    }

    /// Returns the colours of texels if they are stored as colours. Positions are the same as for [`Self::expand`].
    #[inline(always)]
    pub(crate) fn stored(&self, row: i32, first: i32, count: usize) -> Option<&'a [u32]> {
        let Source::Decoded(DecodedTexels { stride, values: TexelData::Colors(colors) }) = self.source else {
            return None;
        };
        // There are extra texels around the texture, so all indices are larger by 1.
        let (first, stride) = (usize::try_from(first + 1).ok()?, *stride as usize);
        if first + count > stride {
            return None;
        }
        let start = (1 + self.row(row)) * stride + first;
        colors.get(start..start + count)
    }

    /// Writes the colours of consecutive texels in a row. The row and the first texel may be outside the texture.
    #[inline(always)]
    pub(super) fn expand<S: Simd>(&self, simd: S, row: i32, first: i32, out: &mut [u32]) {
        let row = self.row(row);
        let last = self.level.last[0];
        let to_index = |texel: i32| usize::try_from(texel).unwrap_or(0);
        if self.wrap.clamp_s {
            let (left, rest) = out.split_at_mut(to_index(-first).min(out.len()));
            let start = to_index(first).min(to_index(last));
            let (inside, right) = rest.split_at_mut((to_index(last + 1) - start).min(rest.len()));
            self.segment(simd, row, start, inside);
            for (texel, border) in [(0, left), (to_index(last), right)] {
                if !border.is_empty() {
                    let mut color = [0];
                    self.segment(simd, row, texel, &mut color);
                    border.fill(color[0]);
                }
            }
            return;
        }
        let (mut start, mut out) = (to_index(first & last), out);
        while !out.is_empty() {
            let (inside, rest) = out.split_at_mut((to_index(last + 1) - start).min(out.len()));
            self.segment(simd, row, start, inside);
            (start, out) = (0, rest);
        }
    }

    /// Wraps or clamps a row.
    #[inline(always)]
    fn row(&self, row: i32) -> usize {
        let last = self.level.last[1];
        let row = if self.wrap.clamp_t { row.clamp(0, last) } else { row & last };
        usize::try_from(row).unwrap_or(0)
    }

    /// Writes the colours of texels inside the texture.
    #[inline(always)]
    fn segment<S: Simd>(&self, simd: S, row: usize, start: usize, out: &mut [u32]) {
        let MipLevel { texture, clut_table, .. } = self.level;
        match self.source {
            Source::Memory(data) => expand_row(simd, texture, clut_table.as_deref(), data, row, start, out),
            Source::Decoded(DecodedTexels { stride, values }) => {
                let start = (1 + row) * *stride as usize + 1 + start;
                let range = start..start + out.len();
                match (values, clut_table) {
                    (TexelData::Colors(colors), _) => {
                        if let Some(colors) = colors.get(range) {
                            out.copy_from_slice(colors);
                        }
                    }
                    (TexelData::Indices(indices), Some(table)) => {
                        for (out, index) in out.iter_mut().zip(indices.get(range).unwrap_or(&[])) {
                            *out = table[usize::from(*index)];
                        }
                    }
                    (TexelData::Indices(_), None) => out.fill(0),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::simd::portable;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::raster::fast::texels::texture_state::{ClutTableCache, TextureState};
    use crate::raster::rules::sampler;

    /// Formats with plain rows.
    const FORMATS: [u32; 6] = [0, 1, 2, 3, 4, 5];

    #[test]
    fn expanded_texels_match_memory() {
        let (mut memory, mut registers) = (Memory::default(), Registers::new());
        let mut seed = 3_u32;
        let mut random = |end: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % end
        };
        let bytes: Vec<u8> = (0..0x1_0000).map(|_| random(256).to_le_bytes()[0]).collect();
        memory.write(Address::vram(0), &bytes);
        registers.clut_mut().iter_mut().for_each(|byte| *byte = random(256).to_le_bytes()[0]);
        for round in 0..600 {
            let [format, swizzled, wrap] = [FORMATS[round % 6], random(2), random(2) | random(2) << 8];
            let size = [random(7), random(5)];
            for (opcode, argument) in [
                (Opcode::TEXADDR0, 0),
                (Opcode::TEXBUFWIDTH0, 0x04_0000 | 1 << size[0].max(5)),
                (Opcode::TEXSIZE0, size[0] | size[1] << 8),
                (Opcode::TEXMODE, swizzled),
                (Opcode::TEXFORMAT, format),
                (Opcode::CLUTFORMAT, 0xFF03),
                (Opcode::TEXWRAP, wrap),
            ] {
                registers.write(crate::ge::command::Command::new(opcode, argument));
            }
            let texture = TextureState::new(&memory, &registers, false, &mut ClutTableCache::default());
            let level = &texture.levels[0];
            let rows = TexelRows::new(level, texture.wrap, None, memory.vram()).expect("plain rows");
            let (row, first) = (random(80).cast_signed() - 30, random(200).cast_signed() - 100);
            let mut out = vec![1; random(150) as usize];
            rows.expand(portable(), row, first, &mut out);
            for (u, found) in (i64::from(first)..).zip(out) {
                let u = sampler::wrap_or_clamp(u, level.texture.width(), texture.wrap.clamp_s);
                let v = sampler::wrap_or_clamp(row.into(), level.texture.height(), texture.wrap.clamp_t);
                let expected = level.texture.texel(&memory, registers.clut(), u, v);
                assert_eq!(found.to_le_bytes(), expected, "round {round}: texel ({u}, {v}) of {level:?}");
            }
        }
    }
}
