//! Rows of texels as a rectangle's columns see them. They are gathered and, with linear filtering, blended with
//! their neighbours.
//!
//! A row is computed in chunks of eight columns, when pixels first need them. The two most recent rows are kept,
//! because neighbouring rows of pixels mostly need the same rows of texels.

use fearless_simd::{i32x8, u32x8};

use super::texel_filter::{self, SplitColors, fractions, split};
use super::texel_rows::TexelRows;
use crate::ge::arithmetic::simd::prelude::*;

/// How many columns there may be, because `computed` has a bit for each chunk.
pub(super) const MAX_COLUMNS: usize = 64 * CHUNK;
/// How many columns are computed together.
pub(super) const CHUNK: usize = 8;

/// Two rows of texels. This keeps their memory for reuse.
#[derive(Debug, Default)]
pub(super) struct FilteredRows {
    /// The last even and the last odd row of the texture.
    rows: [FilteredRow; 2],
    /// Texels in a row.
    texels: Vec<u32>,
}

#[derive(Debug, Default)]
struct FilteredRow {
    /// The row in the texture.
    number: i32,
    /// A bit for each chunk already computed.
    computed: u64,
    /// The colours. With linear filtering, only red and blue, with 16 bits each.
    low: Vec<u32>,
    /// With linear filtering, green and alpha.
    high: Vec<u32>,
}

/// A rectangle's columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelColumns<'a> {
    /// Positions in 1/16 texel, in whole chunks. They only rise or only fall.
    pub(crate) positions: &'a [[i32; CHUNK]],
    /// Whether each column shows the texel after that of the previous column.
    pub(crate) consecutive: bool,
    pub(crate) linear: bool,
}

impl FilteredRows {
    /// Forgets all rows and makes room for this many columns.
    pub(super) fn reset(&mut self, columns: usize) {
        // Runs are read in whole chunks, so there must be room for a chunk after the last column.
        let len = columns.next_multiple_of(CHUNK) + CHUNK;
        for row in &mut self.rows {
            row.computed = 0;
            if row.low.len() < len {
                row.low.resize(len, 0);
                row.high.resize(len, 0);
            }
        }
    }

    /// Computes a row of texels for a range of columns, as far as it is not there yet.
    #[inline(always)]
    fn compute<S: Simd>(
        &mut self,
        simd: S,
        texels: &TexelRows<'_>,
        columns: &TexelColumns<'_>,
        number: i32,
        (start, count): (usize, usize),
    ) {
        let Self { rows: [even, odd], texels: scratch } = self;
        let row = if number & 1 == 0 { even } else { odd };
        if row.number != number {
            (row.number, row.computed) = (number, 0);
        }
        let (first, end) = (start / CHUNK, (start + count).div_ceil(CHUNK));
        let needed = (u64::MAX >> (64 - (end - first).clamp(1, 64))) << first.min(63);
        let mut missing = needed & !row.computed;
        row.computed |= needed;
        while missing != 0 {
            let chunk = missing.trailing_zeros() as usize;
            let chunks = (missing >> chunk).trailing_ones() as usize;
            // The addition carries through a run of set bits from the lowest chunk on, and so clears them.
            missing &= missing.wrapping_add(1 << chunk);
            row.fill(simd, texels, columns, chunk..chunk + chunks, scratch);
        }
    }

    /// Samples a run of pixels without filtering.
    #[inline(always)]
    pub(crate) fn nearest<S: Simd>(
        &mut self,
        simd: S,
        texels: &TexelRows<'_>,
        columns: &TexelColumns<'_>,
        position: i32,
        (start, count): (usize, usize),
        out: &mut [u32],
    ) {
        let number = position >> 4;
        self.compute(simd, texels, columns, number, (start, count));
        let [even, odd] = &self.rows;
        let row = if number & 1 == 0 { even } else { odd };
        if let Some((colors, out)) = row.low.get(start..start + count).zip(out.get_mut(..count)) {
            out.copy_from_slice(colors);
        }
    }

    /// Samples a run of pixels with linear filtering. This writes whole chunks.
    #[inline(always)]
    pub(crate) fn linear<S: Simd>(
        &mut self,
        simd: S,
        texels: &TexelRows<'_>,
        columns: &TexelColumns<'_>,
        position: i32,
        (start, count): (usize, usize),
        out: &mut [u32],
    ) {
        let (number, is_whole) = (position >> 4, position & 15 == 0);
        self.compute(simd, texels, columns, number, (start, count));
        if !is_whole {
            self.compute(simd, texels, columns, number + 1, (start, count));
        }
        let [even, odd] = &self.rows;
        let (above, below) = if number & 1 == 0 { (even, odd) } else { (odd, even) };
        let (out, _) = out.as_chunks_mut::<CHUNK>();
        let out = out.iter_mut().take(count.div_ceil(CHUNK));
        let above = above.chunks(start);
        // A position exactly on a row needs only this row.
        if is_whole {
            for (out, (low, high)) in out.zip(above) {
                texel_filter::join(load(simd, low, high)).store_array(out);
            }
            return;
        }
        let down = fractions(i32x8::splat(simd, position));
        for (out, (above, below)) in out.zip(above.zip(below.chunks(start))) {
            let (above, below) = (load(simd, above.0, above.1), load(simd, below.0, below.1));
            texel_filter::blend_packed(above, below, down).store_array(out);
        }
    }
}

/// Loads colours for a chunk.
#[inline(always)]
fn load<S: Simd>(simd: S, low: &[u32; CHUNK], high: &[u32; CHUNK]) -> SplitColors<S> {
    [u32x8::simd_from(simd, *low).bitcast(), u32x8::simd_from(simd, *high).bitcast()]
}

impl FilteredRow {
    /// Returns the channels from a column on, in chunks.
    #[inline(always)]
    fn chunks(&self, start: usize) -> impl Iterator<Item = (&[u32; CHUNK], &[u32; CHUNK])> {
        let low = self.low.get(start..).unwrap_or(&[]);
        let high = self.high.get(start..).unwrap_or(&[]);
        low.as_chunks().0.iter().zip(high.as_chunks().0)
    }

    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        simd: S,
        texels: &TexelRows<'_>,
        columns: &TexelColumns<'_>,
        chunks: std::ops::Range<usize>,
        scratch: &mut Vec<u32>,
    ) {
        let Some(positions) = columns.positions.get(chunks.clone()) else { return };
        let Some(([left, ..], [.., right])) = positions.first().zip(positions.last()) else { return };
        let (first, last) = ((*left).min(*right) >> 4, (*left).max(*right) >> 4);
        // Consecutive columns may end outside the rectangle, where positions are only padding. So the last texel is
        // counted.
        let last = if columns.consecutive {
            first + i32::try_from(positions.len() * CHUNK).unwrap_or(0) - 1
        } else {
            last
        };
        let count = usize::try_from(last - first + 2).unwrap_or(0);
        let texels = match texels.stored(self.number, first, count) {
            Some(stored) => stored,
            None => {
                if scratch.len() < count {
                    scratch.resize(count, 0);
                }
                let Some(scratch) = scratch.get_mut(..count) else { return };
                texels.expand(simd, self.number, first, scratch);
                scratch
            }
        };
        let (low, _) = self.low.as_chunks_mut::<CHUNK>();
        let (high, _) = self.high.as_chunks_mut::<CHUNK>();
        let Some((low, high)) = low.get_mut(chunks.clone()).zip(high.get_mut(chunks)) else { return };
        for (index, ((low, high), positions)) in low.iter_mut().zip(high).zip(positions).enumerate() {
            let at = i32x8::simd_from(simd, *positions);
            let [left, right] = if columns.consecutive {
                let start = index * CHUNK;
                let Some(nine) = texels.get(start..start + CHUNK + 1) else { return };
                let Some((left, right)) = nine.first_chunk().zip(nine.last_chunk()) else { return };
                [u32x8::simd_from(simd, *left), u32x8::simd_from(simd, *right)]
            } else {
                let mut offsets = [0; CHUNK];
                ((at >> 4_u32) - first).bitcast::<u32x8<S>>().store_array(&mut offsets);
                pairs(simd, texels, offsets)
            };
            if columns.linear {
                let [first, second] = texel_filter::blend(split(left), split(right), fractions(at));
                let (first, second): (u32x8<S>, u32x8<S>) = (first.bitcast(), second.bitcast());
                first.store_array(low);
                second.store_array(high);
            } else {
                left.store_array(low);
            }
        }
    }
}

/// Loads texels and their right neighbours.
#[inline(always)]
fn pairs<S: Simd>(simd: S, texels: &[u32], offsets: [u32; CHUNK]) -> [u32x8<S>; 2] {
    let pair = |offset: u32| -> [u32; 2] {
        let offset = offset as usize;
        let pair = texels.get(offset..offset + 2).and_then(<[u32]>::first_chunk::<2>);
        pair.copied().unwrap_or_default()
    };
    let four = |[a, b, c, d]: [u32; 4]| {
        let [a, b, c, d] = [a, b, c, d].map(pair);
        u32x8::simd_from(simd, [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]])
    };
    let [a, b, c, d, e, f, g, h] = offsets;
    let (first, second) = (four([a, b, c, d]), four([e, f, g, h]));
    [simd.unzip_low_u32x8(first, second), simd.unzip_high_u32x8(first, second)]
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

    #[test]
    fn runs_match_texels_filtered_one_by_one() {
        let mut seed = 11_u32;
        let mut random = |end: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 8) % end).cast_signed()
        };
        let mut memory = Memory::default();
        let bytes: Vec<u8> = (0..32 * 32 * 4).map(|_| random(256).to_le_bytes()[0]).collect();
        memory.write(Address::vram(0), &bytes);
        let mut filtered = FilteredRows::default();
        for wrap in [0, 0x1, 0x100, 0x101] {
            let registers = Registers::with([
                (Opcode::TEXBUFWIDTH0, 0x04_0020),
                (Opcode::TEXSIZE0, 0x0505),
                (Opcode::TEXFORMAT, 3),
                (Opcode::TEXWRAP, wrap),
            ]);
            let texture = TextureState::new(&memory, &registers, false, &mut ClutTableCache::default());
            let level = &texture.levels[0];
            let texels = TexelRows::new(level, texture.wrap, None, memory.vram()).expect("plain rows");
            let texel = |u: i32, v: i32| {
                let u = sampler::wrap_or_clamp(u.into(), 32, texture.wrap.clamp_s);
                let v = sampler::wrap_or_clamp(v.into(), 32, texture.wrap.clamp_t);
                level.texture.texel(&memory, registers.clut(), u, v)
            };
            for round in 0..60 {
                let (start, step) = (random(1200) - 300, [16, 7, 31, -16, -5, 0][round % 6]);
                let width = random(90) + 1;
                let mut positions: Vec<i32> = (0..width).map(|column| start + column * step).collect();
                let last = positions[positions.len() - 1];
                positions.resize(positions.len().next_multiple_of(CHUNK), last);
                let linear = random(3) > 0;
                let columns =
                    TexelColumns { positions: positions.as_chunks().0, consecutive: step == 16, linear };
                filtered.reset(positions.len());
                for row in 0..30 {
                    let position = (row * 9 + random(3) * 16) & if random(4) == 0 { !15 } else { -1 };
                    let first = random(width.cast_unsigned());
                    let count = random((width - first).min(32).cast_unsigned()) + 1;
                    let run = [first, count].map(|at| usize::try_from(at).expect("not negative"));
                    let mut out = [0; 64];
                    if linear {
                        filtered.linear(portable(), &texels, &columns, position, run.into(), &mut out);
                    } else {
                        filtered.nearest(portable(), &texels, &columns, position, run.into(), &mut out);
                    }
                    for (at, found) in positions[run[0]..][..run[1]].iter().zip(out) {
                        let (u, v) = (at >> 4, position >> 4);
                        let [right, down] = [at & 15, position & 15].map(|at| at.to_le_bytes()[0]);
                        let corners = [texel(u, v), texel(u + 1, v), texel(u, v + 1), texel(u + 1, v + 1)];
                        let expected =
                            if linear { sampler::bilinear(corners, right, down) } else { corners[0] };
                        let case = format!("wrap {wrap:#x}, step {step}, linear {linear}");
                        assert_eq!(found.to_le_bytes(), expected, "{case}: ({at}, {position})");
                    }
                }
            }
        }
    }
}
