//! Texel sampling for batches: [`crate::raster::sampler`] in lanes.

use arrayvec::ArrayVec;
use fearless_simd::{Bytes as _, i32x8, u16x16, u32x8};

use super::batch::{BATCH_SIZE, Batch, LANES, groups_mut, half_groups, half_groups_mut};
use super::rectangle_texels::RectangleTexels;
use super::texcoords::TexcoordInterpolant;
use super::texel_memory::TexelMemory;
use super::texel_position::{Axis, to_texel_positions};
use super::texture_cache::{self, CachedLevel, TexelData};
use super::texture_state::{MipLevel, TextureState};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::{self, MAX_LEVEL, dxt, swizzle};
use crate::raster::lod::LodSelection;
use crate::raster::sampler;

/// Samples the texels of a batch; owns the scratch memory for it.
#[derive(Clone, Debug)]
pub(super) struct BatchSampler {
    levels: LevelSampler,
    /// Texels of the next mip level.
    next: [u32; BATCH_SIZE],
    selections: [LodSelection; BATCH_SIZE],
    lod_group: LodGroup,
}

/// Fragments with the same mip level and filter, gathered to be sampled together.
#[derive(Clone, Debug)]
struct LodGroup {
    lanes: ArrayVec<usize, BATCH_SIZE>,
    s: [f64; BATCH_SIZE],
    t: [f64; BATCH_SIZE],
    texels: [u32; BATCH_SIZE],
}

/// Samples one mip level; owns the scratch memory for it.
#[derive(Clone, Debug)]
struct LevelSampler {
    /// Offset of each of the four texels: in nibbles or bytes; for compressed formats, the byte offset of the
    /// block times 16 plus the texel's number in it; for decoded levels, an index.
    offsets: [[u32; BATCH_SIZE]; 4],
    texels: [[u32; BATCH_SIZE]; 4],
    u: [i32; BATCH_SIZE],
    v: [i32; BATCH_SIZE],
    fetch_counts: FetchCounts,
}

/// Number of texels of each level that were fetched from memory.
pub(super) type FetchCounts = [u64; MAX_LEVEL as usize + 1];

/// Texture coordinates of `count` fragments.
#[derive(Clone, Copy, Debug)]
struct TexcoordLanes<'a> {
    s: &'a [f64],
    t: &'a [f64],
    count: usize,
}

/// A draw's texture and the memory that it is read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureBinding<'a> {
    pub(super) texture: &'a TextureState,
    pub(super) memory: TexelMemory<'a>,
    /// Mip levels in the texture cache, decoded or not.
    pub(super) cached: &'a texture_cache::CachedLevels<'a>,
    /// The rules for positions and filters.
    pub(super) arithmetic: Arithmetic,
}

impl BatchSampler {
    pub(super) fn new() -> Self {
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
            selections: [LodSelection::default(); BATCH_SIZE],
            lod_group: LodGroup {
                lanes: ArrayVec::new(),
                s: [0.0; BATCH_SIZE],
                t: [0.0; BATCH_SIZE],
                texels: zeros,
            },
        }
    }

    /// Takes the fetch counts and resets them.
    pub(super) fn take_fetch_counts(&mut self) -> FetchCounts {
        std::mem::take(&mut self.levels.fetch_counts)
    }

    /// Samples the texels of a batch whose coordinates are computed.
    pub(super) fn sample<S: Simd>(
        &mut self,
        simd: S,
        batch: &mut Batch,
        binding: TextureBinding<'_>,
        texcoords: &TexcoordInterpolant<'_>,
    ) {
        if let Some(selection) = texcoords.selection() {
            let Batch { s, t, count, texel, .. } = batch;
            let coordinates = TexcoordLanes { s, t, count: *count };
            self.levels.sample_level(
                simd,
                coordinates,
                binding,
                selection.level.into(),
                selection.linear,
                texel,
            );
            if selection.fraction > 0 {
                let next = usize::from(selection.level) + 1;
                self.levels.sample_level(simd, coordinates, binding, next, selection.linear, &mut self.next);
                for (texel, next) in texel.iter_mut().zip(&self.next) {
                    *texel = blend_levels(*texel, *next, selection.fraction);
                }
            }
            return;
        }
        texcoords.select_per_fragment(simd, &binding.texture.lod, batch, &mut self.selections);
        let mut remaining = u128::MAX >> (BATCH_SIZE - batch.count.clamp(1, BATCH_SIZE));
        while remaining != 0 {
            let selection = self.selections[remaining.trailing_zeros() as usize];
            remaining &= !self.gather(batch, selection);
            let LodGroup { lanes, s, t, texels: found } = &mut self.lod_group;
            let coordinates = TexcoordLanes { s, t, count: lanes.len() };
            self.levels.sample_level(
                simd,
                coordinates,
                binding,
                selection.level.into(),
                selection.linear,
                found,
            );
            if lanes.iter().any(|lane| self.selections[*lane].fraction > 0) {
                let next = usize::from(selection.level) + 1;
                self.levels.sample_level(simd, coordinates, binding, next, selection.linear, &mut self.next);
                for (lane, (texel, next)) in lanes.iter().zip(found.iter_mut().zip(&self.next)) {
                    *texel = blend_levels(*texel, *next, self.selections[*lane].fraction);
                }
            }
            for (lane, texel) in lanes.iter().zip(found) {
                batch.texel[*lane] = *texel;
            }
        }
    }

    /// Samples the texels of a batch of a rectangle.
    pub(super) fn sample_rectangle<S: Simd>(
        &mut self,
        simd: S,
        batch: &mut Batch,
        binding: TextureBinding<'_>,
        rectangle: &RectangleTexels<'_>,
    ) {
        let LodSelection { level, linear, .. } = rectangle.selection;
        let LevelSampler { u, v, .. } = &mut self.levels;
        rectangle.positions(batch, u, v);
        let Batch { count, texel, .. } = batch;
        self.levels.sample_at_positions(simd, *count, binding, level.into(), linear, texel);
    }

    /// Gathers the fragments with the level and filter of `selection`. Returns a bit for each of their lanes.
    fn gather(&mut self, batch: &Batch, selection: LodSelection) -> u128 {
        let LodGroup { lanes, s, t, .. } = &mut self.lod_group;
        lanes.clear();
        let mut members = 0;
        for (lane, other) in self.selections.iter().enumerate().take(batch.count) {
            if (other.level, other.linear) == (selection.level, selection.linear) {
                members |= 1 << lane;
                s[lanes.len()] = batch.s[lane];
                t[lanes.len()] = batch.t[lane];
                lanes.push(lane);
            }
        }
        members
    }
}

impl LevelSampler {
    /// Samples and filters texels of one level.
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

    /// Samples and filters the texels of one level at the positions in `u` and `v`.
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
                            colors,
                            |color| color,
                            linear.then_some(arithmetic),
                            count,
                            out,
                        );
                    }
                    (TexelData::Indices(indices), Some(table)) => {
                        let color = |index: u8| table[usize::from(index)];
                        self.fetch_decoded(simd, indices, color, linear.then_some(arithmetic), count, out);
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

    /// Computes indices into a decoded level. With linear filtering, these are the left texels of the upper
    /// and the lower row.
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
        let rows = if linear { 2 } else { 1 };
        // Decoded rows include the column left of the texture.
        let first = if linear { -1 } else { 0 };
        let Self { offsets, u, v, .. } = self;
        for (half, (us, vs)) in half_groups(u, count).iter().zip(half_groups(v, count)).enumerate() {
            let us = i32x8::simd_from(simd, *us) >> 4_u32;
            let vs = i32x8::simd_from(simd, *vs) >> 4_u32;
            let column = if clamp[0] { us.max(first).min(last_u) } else { us & last_u };
            let column: u32x8<S> = (column + 1).bitcast();
            for (below, offsets) in (0..rows).zip(offsets.iter_mut()) {
                let row = wrap_or_clamp(vs + below, last_v, clamp[1]) * stride;
                (column + row).store_array(&mut half_groups_mut(offsets, count)[half]);
            }
        }
    }

    /// Fetches texels of a decoded level, and filters them if `linear` says by which rule.
    #[inline(always)]
    fn fetch_decoded<S: Simd, T: Copy + Default>(
        &mut self,
        simd: S,
        decoded: &[T],
        color: impl Fn(T) -> u32,
        linear: Option<Arithmetic>,
        count: usize,
        out: &mut [u32],
    ) {
        let Self { offsets, texels, u, v, .. } = self;
        let Some(arithmetic) = linear else {
            let texel = |offset: u32| decoded.get(offset as usize).copied().unwrap_or_default();
            fetch_each(&offsets[0], count, out, |offset| color(texel(offset)));
            return;
        };
        let pair = |offset: u32| -> [u32; 2] {
            let offset = offset as usize;
            let texels = decoded.get(offset..offset + 2).and_then(<[T]>::first_chunk::<2>);
            texels.copied().unwrap_or_default().map(&color)
        };
        let (above, below) = texels.as_flattened_mut().split_at_mut(2 * BATCH_SIZE);
        for (offsets, pairs) in offsets.iter().zip([&mut *above, &mut *below]) {
            let ((offsets, _), (pairs, _)) = (offsets.as_chunks::<4>(), pairs.as_chunks_mut::<8>());
            for (offsets, pairs) in offsets.iter().zip(pairs).take(count.div_ceil(4)) {
                let [a, b, c, d] = offsets.map(pair);
                *pairs = [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]];
            }
        }
        let ((above, _), (below, _)) = (above.as_chunks::<16>(), below.as_chunks::<16>());
        blend_corners(simd, [u, v], count, arithmetic, out, |half| {
            let columns = |pairs: &[u32; 16]| {
                let (pairs, _) = pairs.as_chunks::<8>();
                let (first, second) = (u32x8::simd_from(simd, pairs[0]), u32x8::simd_from(simd, pairs[1]));
                [simd.unzip_low_u32x8(first, second), simd.unzip_high_u32x8(first, second)]
            };
            let ([a, b], [c, d]) = (columns(&above[half]), columns(&below[half]));
            [a, b, c, d]
        });
    }

    /// Computes offsets: the sum of a row part and a column part.
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
        let bits = texture::bits_per_texel(texture.format);
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
        // Row offsets are in bytes, or in nibbles for 4-bit texels.
        let twice = u32::from(bits == 4);
        let size = (bits / 8).max(1).ilog2();
        if texture::is_compressed(texture.format) {
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

/// Blends four texels by sixteenths, as [`sampler::bilinear`] or [`sampler::emulated_bilinear`] does, two
/// channels of 16 bits at a time. `u` and `v` hold the fractions; `corners` loads the texels of half a group.
#[inline(always)]
fn blend_corners<S: Simd>(
    simd: S,
    [u, v]: [&[i32; BATCH_SIZE]; 2],
    count: usize,
    arithmetic: Arithmetic,
    out: &mut [u32],
    corners: impl Fn(usize) -> [u32x8<S>; 4],
) {
    let count = count.div_ceil(LANES);
    let (u, v) = (half_groups(u, count), half_groups(v, count));
    // 16 a + (b − a) n equals (16 − n) a + n b. The difference may wrap; the sum wraps back.
    let mix = |a: u16x16<S>, b: u16x16<S>, sixteenths: u16x16<S>| (a << 4_u32) + (b - a) * sixteenths;
    for (half, out) in half_groups_mut(out, count).iter_mut().enumerate() {
        let [a, b, c, d] = corners(half).map(|texels| -> u16x16<S> { texels.bitcast() });
        // The same fraction for both channels of a 32-bit lane.
        let both = |fixed: &[i32; 8]| -> u16x16<S> {
            let sixteenths = i32x8::simd_from(simd, *fixed) & 15;
            (sixteenths | sixteenths << 16_u32).bitcast()
        };
        let (right, down) = (both(&u[half]), both(&v[half]));
        let even = |texels: u16x16<S>| texels & 255_u16;
        let odd = |texels: u16x16<S>| texels >> 8_u32;
        let texels = match arithmetic {
            Arithmetic::Hardware => {
                let step = |a: u16x16<S>, b: u16x16<S>, sixteenths: u16x16<S>| mix(a, b, sixteenths) >> 4_u32;
                let low = step(step(even(a), even(b), right), step(even(c), even(d), right), down);
                let high = mix(step(odd(a), odd(b), right), step(odd(c), odd(d), right), down);
                low | (high << 4_u32) & 0xFF00_u16
            }
            Arithmetic::Single => {
                let low = mix(mix(even(a), even(b), right), mix(even(c), even(d), right), down);
                let high = mix(mix(odd(a), odd(b), right), mix(odd(c), odd(d), right), down);
                low >> 8_u32 | high & 0xFF00_u16
            }
        };
        let texels: u32x8<S> = texels.bitcast();
        texels.store_array(out);
    }
}

/// Wraps or clamps texel positions, as [`sampler::wrap_or_clamp`] does.
#[inline(always)]
fn wrap_or_clamp<S: Simd>(at: i32x8<S>, last: i32, clamp: bool) -> u32x8<S> {
    let at = if clamp { at.max(0_i32).min(last) } else { at & last };
    at.bitcast()
}

/// Blends the texels of two levels.
fn blend_levels(texel: u32, next: u32, share: u8) -> u32 {
    u32::from_le_bytes(sampler::blend_levels(texel.to_le_bytes(), next.to_le_bytes(), share))
}

/// Fetches texels at their offsets. Bytes outside the memory of the level read as 0, which should never
/// happen.
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
    let half = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u16::from_le_bytes(bytes.copied().unwrap_or([0; 2]))
    };
    let word = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u32::from_le_bytes(bytes.copied().unwrap_or([0; 4]))
    };
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
            // Neighbouring fragments usually share a block.
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

/// Fetches a texel per offset, four offsets at a time.
#[inline(always)]
fn fetch_each(offsets: &[u32; BATCH_SIZE], count: usize, out: &mut [u32], texel: impl Fn(u32) -> u32) {
    let ((offsets, _), (out, _)) = (offsets.as_chunks::<4>(), out.as_chunks_mut::<4>());
    for (offsets, out) in offsets.iter().zip(out).take(count.div_ceil(4)) {
        *out = [texel(offsets[0]), texel(offsets[1]), texel(offsets[2]), texel(offsets[3])];
    }
}

/// Expands packed texels to 8 bits per channel.
#[inline(always)]
fn unpack(texels: &mut [u32], count: usize, format: PixelFormat) {
    for texels in groups_mut(texels, count.div_ceil(LANES)) {
        for texel in texels {
            *texel = u32::from_le_bytes(color::decode(format, *texel));
        }
    }
}
