//! Samples texels for batches. This is [`crate::raster::rules::sampler`] in lanes.

use arrayvec::ArrayVec;
use fearless_simd::{Bytes as _, i32x8, u32x8};

use super::lod_lanes::LodLanes;
use super::rectangle_texels::RectangleTexels;
use super::texcoords::TexcoordInterpolant;
use super::texel_filter::{blend_corners, blend_mip_levels};
use super::texel_memory::TexelMemory;
use super::texel_position::{Axis, to_texel_positions};
use super::texture_cache::{self, CachedLevel, TexelData};
use super::texture_state::{ClutTable, MipLevel, TextureState};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::{MAX_LEVEL, dxt, swizzle};
use crate::raster::fast::batch::{BATCH_SIZE, Batch, LANES, groups_mut, half_groups, half_groups_mut};
use crate::raster::rules::lod::{LodSelection, LodSelector};
#[cfg(doc)]
use crate::raster::rules::sampler;

/// Samples the texels for a batch. It owns the scratch memory for this.
#[derive(Clone, Debug)]
pub(crate) struct BatchSampler {
    levels: LevelSampler,
    /// Texels from the next mip level.
    next: [u32; BATCH_SIZE],
    lods: LodLanes,
    lod_group: LodGroup,
}

/// Fragments with the same mip level and filter. They are gathered, so that vectors can sample them together.
#[derive(Clone, Debug)]
struct LodGroup {
    lanes: ArrayVec<usize, BATCH_SIZE>,
    s: [f64; BATCH_SIZE],
    t: [f64; BATCH_SIZE],
    /// How much the next level weighs.
    fractions: [i32; BATCH_SIZE],
    texels: [u32; BATCH_SIZE],
}

/// Samples a single mip level. It owns the scratch memory for this.
#[derive(Clone, Debug)]
struct LevelSampler {
    /// An offset for each of the four texels, in nibbles or bytes. For compressed formats it is the block's offset
    /// in bytes times 16, plus the texel's number in the block. For decoded levels it is an index.
    offsets: [[u32; BATCH_SIZE]; 4],
    texels: [[u32; BATCH_SIZE]; 4],
    u: [i32; BATCH_SIZE],
    v: [i32; BATCH_SIZE],
    fetch_counts: FetchCounts,
}

/// For each level: how many texels were fetched from memory.
pub(super) type FetchCounts = [u64; MAX_LEVEL as usize + 1];

/// Texture coordinates for `count` fragments.
#[derive(Clone, Copy, Debug)]
struct TexcoordLanes<'a> {
    s: &'a [f64],
    t: &'a [f64],
    count: usize,
}

/// A draw's texture, and the memory from which to read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureBinding<'a> {
    pub(crate) texture: &'a TextureState,
    pub(crate) memory: TexelMemory<'a>,
    /// Mip levels in the texture cache, whether decoded or not.
    pub(crate) cached: &'a texture_cache::CachedLevels<'a>,
    /// The number format, which selects rules for positions and filters.
    pub(crate) arithmetic: Arithmetic,
}

impl BatchSampler {
    pub(crate) fn new() -> Self {
        let zeros = [0; BATCH_SIZE];
        Self {
            levels: LevelSampler {
                offsets: [zeros; 4],
                texels: [zeros; 4],
                u: [0; BATCH_SIZE],
                v: [0; BATCH_SIZE],
                fetch_counts: FetchCounts::default(),
            },
            next: zeros,
            lods: LodLanes::new(),
            lod_group: LodGroup {
                lanes: ArrayVec::new(),
                s: [0.0; BATCH_SIZE],
                t: [0.0; BATCH_SIZE],
                fractions: [0; BATCH_SIZE],
                texels: zeros,
            },
        }
    }

    /// Takes the fetch counts and resets them.
    pub(crate) fn take_fetch_counts(&mut self) -> FetchCounts {
        std::mem::take(&mut self.levels.fetch_counts)
    }

    /// Selects mip levels for the open segment, unless all draws with this texture have the same. Coordinates must
    /// be computed already.
    #[inline(always)]
    pub(crate) fn select_levels<S: Simd>(
        &mut self,
        simd: S,
        batch: &Batch,
        selector: &LodSelector,
        texcoords: &TexcoordInterpolant<'_>,
    ) {
        if selector.constant().is_some() {
            return;
        }
        match texcoords.selection() {
            Some(selection) => self.lods.set_all(batch.open_lanes(), selection),
            None => texcoords.select_per_fragment(simd, selector, batch, &mut self.lods),
        }
    }

    /// Samples texels for a batch. Coordinates must be computed and levels selected.
    pub(crate) fn sample<S: Simd>(&mut self, simd: S, batch: &mut Batch, binding: TextureBinding<'_>) {
        let count = batch.count;
        if let Some(LodSelection { level, linear, fraction }) = binding.texture.lod.constant() {
            let Batch { s, t, texel, .. } = batch;
            let coordinates = TexcoordLanes { s, t, count };
            self.levels.sample_level(simd, coordinates, binding, level.into(), linear, texel);
            if fraction > 0 {
                let next = usize::from(level) + 1;
                self.levels.sample_level(simd, coordinates, binding, next, linear, &mut self.next);
                blend_lanes(simd, texel, &self.next, count, &[fraction.into(); BATCH_SIZE]);
            }
            return;
        }
        if self.lods.is_uniform(count) {
            let (LodSelection { level, linear, .. }, _) = self.lods.group(0, 1);
            let Batch { s, t, texel, .. } = batch;
            let coordinates = TexcoordLanes { s, t, count };
            self.levels.sample_level(simd, coordinates, binding, level.into(), linear, texel);
            if let Some(fractions) = self.lods.fractions(count) {
                let next = usize::from(level) + 1;
                self.levels.sample_level(simd, coordinates, binding, next, linear, &mut self.next);
                blend_lanes(simd, texel, &self.next, count, fractions);
            }
            return;
        }
        // The rest is done in groups with the same level and filter. Each turn takes the first remaining fragment
        // and all others that match it.
        let mut remaining = u128::MAX >> (BATCH_SIZE - count.clamp(1, BATCH_SIZE));
        while remaining != 0 {
            let (selection, members) = self.lods.group(remaining.trailing_zeros() as usize, count);
            remaining &= !members;
            self.lod_group.gather(batch, members, &self.lods);
            let LodGroup { lanes, s, t, fractions, texels } = &mut self.lod_group;
            let LodSelection { level, linear, .. } = selection;
            let coordinates = TexcoordLanes { s, t, count: lanes.len() };
            self.levels.sample_level(simd, coordinates, binding, level.into(), linear, texels);
            if fractions.iter().take(lanes.len()).any(|fraction| *fraction > 0) {
                let next = usize::from(level) + 1;
                self.levels.sample_level(simd, coordinates, binding, next, linear, &mut self.next);
                blend_lanes(simd, texels, &self.next, lanes.len(), fractions);
            }
            for (lane, texel) in lanes.iter().zip(texels) {
                batch.texel[*lane] = *texel;
            }
        }
    }

    /// Samples texels for a rectangle's batch.
    pub(crate) fn sample_rectangle<S: Simd>(
        &mut self,
        simd: S,
        batch: &mut Batch,
        binding: TextureBinding<'_>,
        rectangle: &mut RectangleTexels<'_>,
    ) {
        let is_sampled = simd.vectorize(
            #[inline(always)]
            || rectangle.sample(simd, batch),
        );
        if is_sampled {
            return;
        }
        let LodSelection { level, linear, .. } = rectangle.selection;
        let LevelSampler { u, v, .. } = &mut self.levels;
        rectangle.positions(batch, u, v);
        let Batch { count, texel, .. } = batch;
        self.levels.sample_at_positions(simd, *count, binding, level.into(), linear, texel);
    }
}

impl LodGroup {
    /// Gathers the fragments in the lanes of `members`.
    fn gather(&mut self, batch: &Batch, mut members: u128, lods: &LodLanes) {
        self.lanes.clear();
        while members != 0 {
            let lane = members.trailing_zeros() as usize;
            // This clears the lowest set bit.
            members &= members - 1;
            let to = self.lanes.len();
            (self.s[to], self.t[to]) = (batch.s[lane], batch.t[lane]);
            self.fractions[to] = lods.fraction(lane);
            self.lanes.push(lane);
        }
    }
}

impl LevelSampler {
    /// Samples and filters texels from a single level.
    fn sample_level<S: Simd>(
        &mut self,
        simd: S,
        coordinates: TexcoordLanes<'_>,
        binding: TextureBinding<'_>,
        number: usize,
        linear: bool,
        out: &mut [u32],
    ) {
        let TexcoordLanes { s, t, count } = coordinates;
        let TextureBinding { texture, arithmetic, .. } = binding;
        let Some(level) = texture.levels.get(number) else {
            out.fill(0);
            return;
        };
        let clamp = [texture.wrap.clamp_s, texture.wrap.clamp_t];
        simd.vectorize(
            #[inline(always)]
            || {
                let axis = |number: usize| Axis {
                    scale: level.scale[number],
                    last: level.last[number],
                    clamp: clamp[number],
                    arithmetic,
                };
                to_texel_positions(simd, &axis(0), linear, s, &mut self.u, count);
                to_texel_positions(simd, &axis(1), linear, t, &mut self.v, count);
            },
        );
        self.sample_at_positions(simd, count, binding, number, linear, out);
    }

    /// Samples and filters texels from a single level, at the positions in `u` and `v`.
    fn sample_at_positions<S: Simd>(
        &mut self,
        simd: S,
        count: usize,
        TextureBinding { texture, memory, cached, arithmetic }: TextureBinding<'_>,
        number: usize,
        linear: bool,
        out: &mut [u32],
    ) {
        let Some(level) = texture.levels.get(number) else { return };
        let clamp = [texture.wrap.clamp_s, texture.wrap.clamp_t];
        let decoded = cached.get(number).copied().flatten().and_then(CachedLevel::texels);
        simd.vectorize(
            #[inline(always)]
            || match decoded {
                Some(decoded) => {
                    self.compute_decoded_offsets(simd, level, clamp, decoded.stride, count, linear);
                }
                None => self.compute_offsets(simd, level, clamp, count, linear),
            },
        );
        if let Some(decoded) = decoded {
            simd.vectorize(
                #[inline(always)]
                || match (&decoded.values, &level.clut_table) {
                    (TexelData::Colors(colors), _) => {
                        self.fetch_decoded(
                            simd,
                            (colors, decoded.stride),
                            |color| color,
                            linear.then_some(arithmetic),
                            count,
                            out,
                        );
                    }
                    (TexelData::Indices(indices), Some(table)) => {
                        let table: &ClutTable = table;
                        let color = |index: u8| table[usize::from(index)];
                        let decoded = (indices.as_slice(), decoded.stride);
                        self.fetch_decoded(simd, decoded, color, linear.then_some(arithmetic), count, out);
                    }
                    (TexelData::Indices(_), None) => out.fill(0),
                },
            );
            return;
        }
        let data = memory.of_level(level);
        self.fetch_counts[number] += count as u64 * if linear { 4 } else { 1 };
        if !linear {
            simd.vectorize(
                #[inline(always)]
                || fetch_from_memory(level, texture, data, &self.offsets[0], count, out),
            );
            return;
        }
        for (offsets, out) in self.offsets.iter().zip(&mut self.texels) {
            simd.vectorize(
                #[inline(always)]
                || fetch_from_memory(level, texture, data, offsets, count, out),
            );
        }
        simd.vectorize(
            #[inline(always)]
            || {
                let groups = count.div_ceil(LANES);
                let corners = self.texels.each_ref().map(|texels| half_groups(texels, groups));
                blend_corners(simd, [&self.u, &self.v], count, arithmetic, out, |half| {
                    corners.map(|texels| u32x8::simd_from(simd, texels[half]))
                });
            },
        );
    }

    /// Computes indices into a decoded level. With linear filtering, each leads to the upper left texel.
    #[inline(always)]
    fn compute_decoded_offsets<S: Simd>(
        &mut self,
        simd: S,
        level: &MipLevel,
        clamp: [bool; 2],
        stride: u32,
        count: usize,
        linear: bool,
    ) {
        let count = count.div_ceil(LANES);
        let [last_u, last_v] = level.last;
        // Decoded levels include the row above the texture and the column to the left, so −1 needs no wrapping.
        let first = if linear { -1 } else { 0 };
        let Self { offsets: [offsets, ..], u, v, .. } = self;
        let inside = |at: i32x8<S>, last: i32, clamp: bool| {
            let at = at >> 4_u32;
            if clamp { at.max(first).min(last) } else { at & last }
        };
        let offsets = half_groups_mut(offsets, count).iter_mut();
        for (offsets, (us, vs)) in offsets.zip(half_groups(u, count).iter().zip(half_groups(v, count))) {
            let column = inside(i32x8::simd_from(simd, *us), last_u, clamp[0]);
            let row = inside(i32x8::simd_from(simd, *vs), last_v, clamp[1]);
            ((row + 1) * stride.cast_signed() + (column + 1)).bitcast::<u32x8<S>>().store_array(offsets);
        }
    }

    /// Fetches texels from a decoded level. If `linear` is set, it filters them by these rules.
    #[inline(always)]
    fn fetch_decoded<S: Simd, T: Copy + Default>(
        &mut self,
        simd: S,
        (decoded, stride): (&[T], u32),
        color: impl Fn(T) -> u32,
        linear: Option<Arithmetic>,
        count: usize,
        out: &mut [u32],
    ) {
        let Self { offsets: [offsets, ..], texels, u, v, .. } = self;
        let Some(arithmetic) = linear else {
            let texel = |offset: u32| decoded.get(offset as usize).copied().unwrap_or_default();
            fetch_each(offsets, count, out, |offset| color(texel(offset)));
            return;
        };
        let stride = stride as usize;
        let (quads, _) = texels.as_flattened_mut().as_chunks_mut::<4>();
        let count_inside = count.min(BATCH_SIZE);
        for (offset, quad) in offsets[..count_inside].iter().zip(&mut quads[..count_inside]) {
            let offset = *offset as usize;
            // Each row is followed by the row below, so an offset larger by the stride leads there. All offsets are
            // inside the level.
            if let Some(texels) = decoded.get(offset..offset + stride + 2) {
                let (above, below) = ([texels[0], texels[1]], [texels[stride], texels[stride + 1]]);
                *quad = [color(above[0]), color(above[1]), color(below[0]), color(below[1])];
            }
        }
        let (quads, _) = texels.as_flattened().as_chunks::<32>();
        blend_corners(simd, [u, v], count, arithmetic, out, |half| {
            let (pairs, _) = quads[half].as_chunks::<8>();
            let (a, b) = (u32x8::simd_from(simd, pairs[0]), u32x8::simd_from(simd, pairs[1]));
            let (c, d) = (u32x8::simd_from(simd, pairs[2]), u32x8::simd_from(simd, pairs[3]));
            // First the left texels for four fragments, above and below in turn, then the right texels.
            let left = (simd.unzip_low_u32x8(a, b), simd.unzip_low_u32x8(c, d));
            let right = (simd.unzip_high_u32x8(a, b), simd.unzip_high_u32x8(c, d));
            [
                simd.unzip_low_u32x8(left.0, left.1),
                simd.unzip_low_u32x8(right.0, right.1),
                simd.unzip_high_u32x8(left.0, left.1),
                simd.unzip_high_u32x8(right.0, right.1),
            ]
        });
    }

    /// Computes offsets. Each is the sum of a row's part and a column's part.
    #[inline(always)]
    fn compute_offsets<S: Simd>(
        &mut self,
        simd: S,
        level: &MipLevel,
        clamp: [bool; 2],
        count: usize,
        linear: bool,
    ) {
        let count = count.div_ceil(LANES);
        let texture = &level.texture;
        let bits = texture.format.bits();
        let row_bytes = texture.row_bytes;
        let [last_u, last_v] = level.last;
        let neighbours = if linear { 2 } else { 1 };
        let Self { offsets, u, v, .. } = self;
        macro_rules! each {
            (|$u:ident| $column:expr, |$v:ident| $row:expr) => {
                for (half, (us, vs)) in half_groups(u, count).iter().zip(half_groups(v, count)).enumerate() {
                    let us = i32x8::simd_from(simd, *us) >> 4_u32;
                    let vs = i32x8::simd_from(simd, *vs) >> 4_u32;
                    for below in 0..neighbours {
                        let $v = wrap_or_clamp(vs + below, last_v, clamp[1]);
                        let row: u32x8<S> = $row;
                        for right in 0..neighbours {
                            let $u = wrap_or_clamp(us + right, last_u, clamp[0]);
                            let column: u32x8<S> = $column;
                            let corner = (2 * below + right) as usize;
                            (column + row)
                                .store_array(&mut half_groups_mut(&mut offsets[corner], count)[half]);
                        }
                    }
                }
            };
        }
        // Row offsets are in bytes, or in nibbles if texels have 4 bits. So this doubles them there.
        let twice = u32::from(bits == 4);
        let size = (bits / 8).max(1).ilog2();
        if texture.format.is_compressed() {
            // Block offsets leave four bits free for the texel's number in its block.
            let block = (bits * dxt::BLOCK * dxt::BLOCK / 8).ilog2() + 4;
            let row = row_bytes << 4;
            each!(|u| ((u >> 2_u32) << block) + (u & 3_u32), |v| (v >> 2_u32) * row + ((v & 3_u32) << 2_u32));
        } else if texture.swizzled {
            let (wide, high) = (swizzle::BLOCK_WIDTH.ilog2() + twice, swizzle::BLOCK_HEIGHT);
            let block_row = (row_bytes << twice) * high;
            let high = high.ilog2();
            let inner = (1_u32 << wide) - 1;
            each!(
                |u| {
                    let x = u << size;
                    ((x & !inner) << high) + (x & inner)
                },
                |v| (v >> high) * block_row + ((v & ((1_u32 << high) - 1)) << wide)
            );
        } else {
            let row_units = row_bytes << twice;
            each!(|u| u << size, |v| v * row_units);
        }
    }
}

/// Blends texels from two levels.
fn blend_lanes<S: Simd>(
    simd: S,
    texels: &mut [u32],
    next: &[u32; BATCH_SIZE],
    count: usize,
    fractions: &[i32],
) {
    simd.vectorize(
        #[inline(always)]
        || blend_mip_levels(simd, texels, next, count, fractions),
    );
}

/// Wraps or clamps texel positions, as [`sampler::wrap_or_clamp`] does.
#[inline(always)]
fn wrap_or_clamp<S: Simd>(at: i32x8<S>, last: i32, clamp: bool) -> u32x8<S> {
    let at = if clamp { at.max(0_i32).min(last) } else { at & last };
    at.bitcast()
}

/// Fetches texels at their offsets. Bytes outside the level's memory read as 0, but this should never happen.
#[inline(always)]
fn fetch_from_memory(
    level: &MipLevel,
    texture: &TextureState,
    data: &[u8],
    offsets: &[u32; BATCH_SIZE],
    count: usize,
    out: &mut [u32],
) {
    let byte = |at: u32| data.get(at as usize).copied().unwrap_or(0);
    // Texels are aligned, so they never straddle such chunks.
    let ((halves, _), (words, _)) = (data.as_chunks(), data.as_chunks());
    let half = |at: u32| u16::from_le_bytes(halves.get(at as usize / 2).copied().unwrap_or([0; 2]));
    let word = |at: u32| u32::from_le_bytes(words.get(at as usize / 4).copied().unwrap_or([0; 4]));
    match (level.texture.format, &level.clut_table) {
        (TexelFormat::CLUT4, Some(table)) => fetch_each(offsets, count, out, |offset| {
            table[usize::from(byte(offset >> 1)) | (offset as usize & 1) << 8]
        }),
        (TexelFormat::CLUT8, Some(table)) => {
            fetch_each(offsets, count, out, |offset| table[usize::from(byte(offset))]);
        }
        (TexelFormat::BGR5650, _) => {
            fetch_each(offsets, count, out, |offset| u32::from(half(offset)));
            unpack(out, count, PixelFormat::BGR5650);
        }
        (TexelFormat::ABGR5551, _) => {
            fetch_each(offsets, count, out, |offset| u32::from(half(offset)));
            unpack(out, count, PixelFormat::ABGR5551);
        }
        (TexelFormat::ABGR4444, _) => {
            fetch_each(offsets, count, out, |offset| u32::from(half(offset)));
            unpack(out, count, PixelFormat::ABGR4444);
        }
        (TexelFormat::ABGR8888, _) => fetch_each(offsets, count, out, word),
        (TexelFormat::CLUT16 | TexelFormat::CLUT32, _) => {
            let Some(clut) = &texture.clut else { return };
            let wide = level.texture.format == TexelFormat::CLUT32;
            fetch_each(offsets, count, out, |offset| {
                let bits = if wide { word(offset) } else { u32::from(half(offset)) };
                u32::from_le_bytes(level.texture.palette.color(clut, bits))
            });
        }
        (format, _) => {
            // Neighbouring fragments usually share a block, so the last decoded block is kept.
            let (mut known, mut block) = (usize::MAX, dxt::Block::default());
            for (offset, out) in offsets.iter().zip(out.iter_mut()).take(count) {
                let (start, x, y) = ((offset >> 4) as usize, offset & 3, offset >> 2 & 3);
                if start != known {
                    let bytes = data.get(start..).unwrap_or(&[]);
                    let block16 = || bytes.first_chunk().copied().unwrap_or([0; 16]);
                    block = match format {
                        TexelFormat::DXT1 => dxt::Block::dxt1(bytes.first_chunk().copied().unwrap_or([0; 8])),
                        TexelFormat::DXT3 => dxt::Block::dxt3(block16()),
                        TexelFormat::DXT5 => dxt::Block::dxt5(block16()),
                        _ => dxt::Block::default(),
                    };
                    known = start;
                }
                *out = u32::from_le_bytes(block.texel(x, y));
            }
        }
    }
}

/// Fetches a texel for each offset. It does four at a time.
#[inline(always)]
fn fetch_each(offsets: &[u32; BATCH_SIZE], count: usize, out: &mut [u32], texel: impl Fn(u32) -> u32) {
    let ((offsets, _), (out, _)) = (offsets.as_chunks::<4>(), out.as_chunks_mut::<4>());
    for (offsets, out) in offsets.iter().zip(out).take(count.div_ceil(4)) {
        *out = [texel(offsets[0]), texel(offsets[1]), texel(offsets[2]), texel(offsets[3])];
    }
}

/// Expands packed texels to 8 bits for each channel.
#[inline(always)]
fn unpack(texels: &mut [u32], count: usize, format: PixelFormat) {
    for texels in groups_mut(texels, count.div_ceil(LANES)) {
        for texel in texels {
            *texel = u32::from_le_bytes(color::decode(format, *texel));
        }
    }
}
