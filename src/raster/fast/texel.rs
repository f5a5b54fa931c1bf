//! Texels over batches: [`crate::raster::sampler`] by lanes.
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are cut")]

use arrayvec::ArrayVec;
use fearless_simd::{Bytes as _, f64x4, i32x8, i64x4, mask64x4, u16x16, u32x8};

use super::batch::{Batch, LANES, SIZE, groups_mut};
use super::coordinates::Course;
use super::image::{self, Image, Values};
use super::source::{Level, Source};
use super::texel_memory::Bytes;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::{self, MAX_LEVEL, dxt, swizzle};
use crate::raster::level::Choice;
use crate::raster::sampler;

/// Memory for steps in between.
#[derive(Clone, Debug)]
pub(super) struct Sampling {
    steps: Steps,
    /// Texels of the next level.
    next: [u32; SIZE],
    choices: [Choice; SIZE],
    few: Few,
}

/// The fragments that share a choice of levels, moved together.
#[derive(Clone, Debug)]
struct Few {
    lanes: ArrayVec<usize, SIZE>,
    s: [f64; SIZE],
    t: [f64; SIZE],
    texels: [u32; SIZE],
}

/// Memory for the steps to the texels of one level.
#[derive(Clone, Debug)]
struct Steps {
    /// Where each of four texels stands: in nibbles, or in bytes; for blocks, block times 16 and the texel in it.
    places: [[u32; SIZE]; 4],
    texels: [[u32; SIZE]; 4],
    u: [i32; SIZE],
    v: [i32; SIZE],
    looks: Looks,
}

/// How many texels of each level were looked at in memory, one by one.
pub(super) type Looks = [u64; MAX_LEVEL as usize + 1];

/// Texture coordinates of so many fragments.
#[derive(Clone, Copy, Debug)]
struct Coordinates<'a> {
    s: &'a [f64],
    t: &'a [f64],
    count: usize,
}

/// The texture of a draw, and the bytes that it lies in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texels<'a> {
    pub(super) source: &'a Source,
    pub(super) bytes: Bytes<'a>,
    /// Levels that are decoded, or may be some time.
    pub(super) images: &'a image::Levels<'a>,
}

impl Sampling {
    pub(super) fn new() -> Self {
        let zeros = [0; SIZE];
        Self {
            steps: Steps {
                places: [zeros; 4],
                texels: [zeros; 4],
                u: [0; SIZE],
                v: [0; SIZE],
                looks: Looks::default(),
            },
            next: zeros,
            choices: [Choice::default(); SIZE],
            few: Few { lanes: ArrayVec::new(), s: [0.0; SIZE], t: [0.0; SIZE], texels: zeros },
        }
    }

    /// How many texels of each level were looked at in memory since this was last asked.
    pub(super) fn take_looks(&mut self) -> Looks {
        std::mem::take(&mut self.steps.looks)
    }

    /// Filtered texels of a batch whose coordinates are there.
    pub(super) fn sample<S: Simd>(
        &mut self,
        simd: S,
        batch: &mut Batch,
        texels: Texels<'_>,
        course: &Course<'_>,
    ) {
        if let Some(choice) = course.choice() {
            let Batch { s, t, count, texel, .. } = batch;
            let coordinates = Coordinates { s, t, count: *count };
            self.steps.level(simd, coordinates, texels, choice.level.into(), choice.linear, texel);
            if choice.next > 0 {
                let next = usize::from(choice.level) + 1;
                self.steps.level(simd, coordinates, texels, next, choice.linear, &mut self.next);
                for (texel, next) in texel.iter_mut().zip(&self.next) {
                    *texel = blend(*texel, *next, choice.next);
                }
            }
            return;
        }
        course.choices(simd, &texels.source.choice, batch, &mut self.choices);
        let mut open = u128::MAX >> (SIZE - batch.count.clamp(1, SIZE));
        while open != 0 {
            let choice = self.choices[open.trailing_zeros() as usize];
            open &= !self.gather(batch, choice);
            let Few { lanes, s, t, texels: found } = &mut self.few;
            let coordinates = Coordinates { s, t, count: lanes.len() };
            self.steps.level(simd, coordinates, texels, choice.level.into(), choice.linear, found);
            if lanes.iter().any(|lane| self.choices[*lane].next > 0) {
                let next = usize::from(choice.level) + 1;
                self.steps.level(simd, coordinates, texels, next, choice.linear, &mut self.next);
                for (lane, (texel, next)) in lanes.iter().zip(found.iter_mut().zip(&self.next)) {
                    *texel = blend(*texel, *next, self.choices[*lane].next);
                }
            }
            for (lane, texel) in lanes.iter().zip(found) {
                batch.texel[*lane] = *texel;
            }
        }
    }

    /// Moves the fragments together that share a level and a filter, and gives a bit for each.
    fn gather(&mut self, batch: &Batch, choice: Choice) -> u128 {
        let Few { lanes, s, t, .. } = &mut self.few;
        lanes.clear();
        let mut members = 0;
        for (lane, other) in self.choices.iter().enumerate().take(batch.count) {
            if (other.level, other.linear) == (choice.level, choice.linear) {
                members |= 1 << lane;
                s[lanes.len()] = batch.s[lane];
                t[lanes.len()] = batch.t[lane];
                lanes.push(lane);
            }
        }
        members
    }
}

impl Steps {
    /// The texels of one level, filtered.
    fn level<S: Simd>(
        &mut self,
        simd: S,
        coordinates: Coordinates<'_>,
        Texels { source, bytes, images }: Texels<'_>,
        number: usize,
        linear: bool,
        out: &mut [u32],
    ) {
        let Coordinates { s, t, count } = coordinates;
        let Some(level) = source.levels.get(number) else {
            out.fill(0);
            return;
        };
        let clamp = [source.wrap.clamp_s, source.wrap.clamp_t];
        let decoded = images.get(number).copied().flatten().and_then(Image::texels);
        simd.vectorize(
            #[inline(always)]
            || {
                let axis = |number: usize| Axis {
                    scale: level.scale[number],
                    last: level.last[number],
                    clamp: clamp[number],
                };
                fix(simd, &axis(0), linear, s, &mut self.u, count);
                fix(simd, &axis(1), linear, t, &mut self.v, count);
                match decoded {
                    Some(image) => self.places_decoded(simd, level, clamp, image.stride, count, linear),
                    None => self.places(simd, level, clamp, count, linear),
                }
            },
        );
        if let Some(image) = decoded {
            simd.vectorize(
                #[inline(always)]
                || match (&image.values, &level.table) {
                    (Values::Colors(colors), _) => {
                        self.look_up(simd, colors, |color| color, linear, count, out);
                    }
                    (Values::Indices(indices), Some(table)) => {
                        let color = |index: u8| table[usize::from(index)];
                        self.look_up(simd, indices, color, linear, count, out);
                    }
                    (Values::Indices(_), None) => out.fill(0),
                },
            );
            return;
        }
        let data = bytes.of(level);
        self.looks[number] += count as u64 * if linear { 4 } else { 1 };
        if !linear {
            simd.vectorize(
                #[inline(always)]
                || fetch(level, source, data, &self.places[0], count, out),
            );
            return;
        }
        for (places, out) in self.places.iter().zip(&mut self.texels) {
            simd.vectorize(
                #[inline(always)]
                || fetch(level, source, data, places, count, out),
            );
        }
        simd.vectorize(
            #[inline(always)]
            || {
                let groups = count.div_ceil(LANES);
                let corners = self.texels.each_ref().map(|texels| halves(texels, groups));
                blend_corners(simd, [&self.u, &self.v], count, out, |half| {
                    corners.map(|texels| u32x8::simd_from(simd, texels[half]))
                });
            },
        );
    }

    /// Where texels stand in an image: those on the left, of the row above and of the row below.
    #[inline(always)]
    fn places_decoded<S: Simd>(
        &mut self,
        simd: S,
        level: &Level,
        clamp: [bool; 2],
        stride: u32,
        count: usize,
        linear: bool,
    ) {
        let count = count.div_ceil(LANES);
        let [last_u, last_v] = level.last;
        let (shift, rows) = if linear { (4_u32, 2) } else { (0, 1) };
        // The column on the left of the texture is there, too.
        let first = if linear { -1 } else { 0 };
        let Self { places, u, v, .. } = self;
        for (half, (us, vs)) in halves(u, count).iter().zip(halves(v, count)).enumerate() {
            let us = i32x8::simd_from(simd, *us) >> shift;
            let vs = i32x8::simd_from(simd, *vs) >> shift;
            let column = if clamp[0] { us.max(first).min(last_u) } else { us & last_u };
            let column: u32x8<S> = (column + 1).bitcast();
            for (below, places) in (0..rows).zip(places.iter_mut()) {
                let row = inside(vs + below, last_v, clamp[1]) * stride;
                (column + row).store_array(&mut halves_mut(places, count)[half]);
            }
        }
    }

    /// Texels of an image.
    #[inline(always)]
    fn look_up<S: Simd, T: Copy + Default>(
        &mut self,
        simd: S,
        image: &[T],
        color: impl Fn(T) -> u32,
        linear: bool,
        count: usize,
        out: &mut [u32],
    ) {
        let Self { places, texels, u, v, .. } = self;
        if !linear {
            let texel = |place: u32| image.get(place as usize).copied().unwrap_or_default();
            each_place(&places[0], count, out, |place| color(texel(place)));
            return;
        }
        let pair = |place: u32| -> [u32; 2] {
            let place = place as usize;
            let texels = image.get(place..place + 2).and_then(<[T]>::first_chunk::<2>);
            texels.copied().unwrap_or_default().map(&color)
        };
        let (above, below) = texels.as_flattened_mut().split_at_mut(2 * SIZE);
        for (places, pairs) in places.iter().zip([&mut *above, &mut *below]) {
            let ((places, _), (pairs, _)) = (places.as_chunks::<4>(), pairs.as_chunks_mut::<8>());
            for (places, pairs) in places.iter().zip(pairs).take(count.div_ceil(4)) {
                let [a, b, c, d] = places.map(pair);
                *pairs = [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]];
            }
        }
        let ((above, _), (below, _)) = (above.as_chunks::<16>(), below.as_chunks::<16>());
        blend_corners(simd, [u, v], count, out, |half| {
            let columns = |pairs: &[u32; 16]| {
                let (pairs, _) = pairs.as_chunks::<8>();
                let (first, second) = (u32x8::simd_from(simd, pairs[0]), u32x8::simd_from(simd, pairs[1]));
                [simd.unzip_low_u32x8(first, second), simd.unzip_high_u32x8(first, second)]
            };
            let ([a, b], [c, d]) = (columns(&above[half]), columns(&below[half]));
            [a, b, c, d]
        });
    }

    /// Where texels stand: what the row adds, plus what the column adds.
    #[inline(always)]
    fn places<S: Simd>(&mut self, simd: S, level: &Level, clamp: [bool; 2], count: usize, linear: bool) {
        let count = count.div_ceil(LANES);
        let texture = &level.texture;
        let bits = texture::bits_per_texel(texture.format);
        let row_bytes = texture.row_bytes;
        let [last_u, last_v] = level.last;
        let (shift, neighbours) = if linear { (4_u32, 2) } else { (0, 1) };
        let Self { places, u, v, .. } = self;
        macro_rules! each {
            (|$u:ident| $column:expr, |$v:ident| $row:expr) => {
                for (half, (us, vs)) in halves(u, count).iter().zip(halves(v, count)).enumerate() {
                    let us = i32x8::simd_from(simd, *us) >> shift;
                    let vs = i32x8::simd_from(simd, *vs) >> shift;
                    for below in 0..neighbours {
                        let $v = inside(vs + below, last_v, clamp[1]);
                        let row: u32x8<S> = $row;
                        for right in 0..neighbours {
                            let $u = inside(us + right, last_u, clamp[0]);
                            let column: u32x8<S> = $column;
                            let corner = (2 * below + right) as usize;
                            (column + row).store_array(&mut halves_mut(&mut places[corner], count)[half]);
                        }
                    }
                }
            };
        }
        // Bytes count from the row's start; nibbles twice.
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

/// Blends four texels by sixteenths ([`sampler::bilinear`]): two channels at a time, 16 bits each. Fractions of places
/// come first, then the corners of each half of a group.
#[inline(always)]
fn blend_corners<S: Simd>(
    simd: S,
    [u, v]: [&[i32; SIZE]; 2],
    count: usize,
    out: &mut [u32],
    corners: impl Fn(usize) -> [u32x8<S>; 4],
) {
    let count = count.div_ceil(LANES);
    let (u, v) = (halves(u, count), halves(v, count));
    // 16 a + (b − a) n is (16 − n) a + n b for both channels at once; what wraps comes back.
    let mix = |a: u16x16<S>, b: u16x16<S>, sixteenths: u16x16<S>| (a << 4_u32) + (b - a) * sixteenths;
    for (half, out) in halves_mut(out, count).iter_mut().enumerate() {
        let [a, b, c, d] = corners(half).map(|texels| -> u16x16<S> { texels.bitcast() });
        // The same sixteenths for both channels of a word.
        let both = |fixed: &[i32; 8]| -> u16x16<S> {
            let sixteenths = i32x8::simd_from(simd, *fixed) & 15;
            (sixteenths | sixteenths << 16_u32).bitcast()
        };
        let (right, down) = (both(&u[half]), both(&v[half]));
        let even = |texels: u16x16<S>| texels & 255_u16;
        let odd = |texels: u16x16<S>| texels >> 8_u32;
        let low = mix(mix(even(a), even(b), right), mix(even(c), even(d), right), down);
        let high = mix(mix(odd(a), odd(b), right), mix(odd(c), odd(d), right), down);
        let texels: u32x8<S> = (low >> 8_u32 | high & 0xFF00_u16).bitcast();
        texels.store_array(out);
    }
}

/// Half a group of lanes at a time.
#[inline(always)]
fn halves<T>(lanes: &[T], count: usize) -> &[[T; 8]] {
    let (halves, _) = lanes.as_chunks::<8>();
    &halves[..(2 * count).min(halves.len())]
}

#[inline(always)]
fn halves_mut<T>(lanes: &mut [T], count: usize) -> &mut [[T; 8]] {
    let (halves, _) = lanes.as_chunks_mut::<8>();
    let count = (2 * count).min(halves.len());
    &mut halves[..count]
}

/// The texels that stand for those that may lie outside ([`sampler::edge`]).
#[inline(always)]
fn inside<S: Simd>(at: i32x8<S>, last: i32, clamp: bool) -> u32x8<S> {
    let at = if clamp { at.max(0_i32).min(last) } else { at & last };
    at.bitcast()
}

/// Blends the texels of two levels.
fn blend(texel: u32, next: u32, share: u8) -> u32 {
    u32::from_le_bytes(sampler::blend(texel.to_le_bytes(), next.to_le_bytes(), share))
}

/// Added to an integer it brings its bits down to the mantissa's end.
const ALIGN: f64 = (1_u64 << 52) as f64 * 1.5;
/// Beyond this the exact way is taken.
const FAR: f64 = (1_u64 << 30) as f64;

/// Coordinates in texels, or in sixteenths around texel centres; floored.
#[inline(always)]
fn floored<S: Simd>(simd: S, from: &[f64; 4], scale: f64, linear: bool) -> f64x4<S> {
    let texels = f64x4::simd_from(simd, *from) * scale;
    if linear { ((texels - 0.5) * 16.0).floor() } else { texels.floor() }
}

/// One direction of a level.
struct Axis {
    /// Texels for one unit of the coordinates.
    scale: f64,
    /// The last texel.
    last: i32,
    clamp: bool,
}

/// The same as integers.
#[inline(always)]
fn fix<S: Simd>(
    simd: S,
    &Axis { scale, last, clamp }: &Axis,
    linear: bool,
    from: &[f64],
    to: &mut [i32; SIZE],
    count: usize,
) {
    let lanes = count.div_ceil(LANES);
    let mut near = mask64x4::splat(simd, true);
    for (to, from) in halves_mut(to, lanes).iter_mut().zip(halves(from, lanes)) {
        let (quarters, _) = from.as_chunks::<4>();
        let first = floored(simd, &quarters[0], scale, linear);
        let second = floored(simd, &quarters[1], scale, linear);
        near &= first.abs().simd_lt(FAR) & second.abs().simd_lt(FAR);
        let (first, second): (i64x4<S>, i64x4<S>) = ((first + ALIGN).bitcast(), (second + ALIGN).bitcast());
        simd.narrow_i64x4(first, second).store_array(to);
    }
    if near.all_true() {
        return;
    }
    for (to, from) in to.iter_mut().zip(from).take(count) {
        let texels = from * scale;
        let last = i64::from(last);
        *to = if linear {
            let fixed = sampler::floor((texels - 0.5) * 16.0);
            let (texel, fraction) = (fixed >> 4, fixed & 15);
            let texel = if clamp { texel.clamp(-2, last + 1) } else { texel & last };
            (texel << 4 | fraction) as i32
        } else {
            let texel = sampler::floor(texels);
            (if clamp { texel.clamp(0, last) } else { texel & last }) as i32
        };
    }
}

/// Texels at their places. Bytes that are not there read as 0, though none should be missing.
#[inline(always)]
fn fetch(level: &Level, source: &Source, data: &[u8], places: &[u32; SIZE], count: usize, out: &mut [u32]) {
    let byte = |at: u32| data.get(at as usize).copied().unwrap_or(0);
    let half = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u16::from_le_bytes(bytes.copied().unwrap_or([0; 2]))
    };
    let word = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u32::from_le_bytes(bytes.copied().unwrap_or([0; 4]))
    };
    match (level.texture.format, &level.table) {
        (TexelFormat::CLUT4, Some(table)) => each_place(places, count, out, |place| {
            table[usize::from(byte(place >> 1)) | (place as usize & 1) << 8]
        }),
        (TexelFormat::CLUT8, Some(table)) => {
            each_place(places, count, out, |place| table[usize::from(byte(place))]);
        }
        (TexelFormat::BGR5650, _) => {
            each_place(places, count, out, |place| u32::from(half(place)));
            unpack(out, count, PixelFormat::BGR5650);
        }
        (TexelFormat::ABGR5551, _) => {
            each_place(places, count, out, |place| u32::from(half(place)));
            unpack(out, count, PixelFormat::ABGR5551);
        }
        (TexelFormat::ABGR4444, _) => {
            each_place(places, count, out, |place| u32::from(half(place)));
            unpack(out, count, PixelFormat::ABGR4444);
        }
        (TexelFormat::ABGR8888, _) => each_place(places, count, out, word),
        (TexelFormat::CLUT16 | TexelFormat::CLUT32, _) => {
            let Some(clut) = &source.clut else { return };
            let wide = level.texture.format == TexelFormat::CLUT32;
            each_place(places, count, out, |place| {
                let bits = if wide { word(place) } else { u32::from(half(place)) };
                u32::from_le_bytes(level.texture.palette.color(clut, bits))
            });
        }
        (format, _) => {
            // Neighbours mostly share a block.
            let (mut known, mut block) = (usize::MAX, dxt::Block::default());
            for (place, out) in places.iter().zip(out.iter_mut()).take(count) {
                let (start, x, y) = ((place >> 4) as usize, place & 3, place >> 2 & 3);
                if start != known {
                    let bytes = data.get(start..).unwrap_or(&[]);
                    let long = || bytes.first_chunk().copied().unwrap_or([0; 16]);
                    block = match format {
                        TexelFormat::DXT1 => dxt::Block::dxt1(bytes.first_chunk().copied().unwrap_or([0; 8])),
                        TexelFormat::DXT3 => dxt::Block::dxt3(long()),
                        TexelFormat::DXT5 => dxt::Block::dxt5(long()),
                        _ => dxt::Block::default(),
                    };
                    known = start;
                }
                *out = u32::from_le_bytes(block.texel(x, y));
            }
        }
    }
}

/// The texel at each place, four places at a time.
#[inline(always)]
fn each_place(places: &[u32; SIZE], count: usize, out: &mut [u32], texel: impl Fn(u32) -> u32) {
    let ((places, _), (out, _)) = (places.as_chunks::<4>(), out.as_chunks_mut::<4>());
    for (places, out) in places.iter().zip(out).take(count.div_ceil(4)) {
        *out = [texel(places[0]), texel(places[1]), texel(places[2]), texel(places[3])];
    }
}

/// Stored bits to 8 bits a channel.
#[inline(always)]
fn unpack(texels: &mut [u32], count: usize, format: PixelFormat) {
    for texels in groups_mut(texels, count.div_ceil(LANES)) {
        for texel in texels {
            *texel = u32::from_le_bytes(color::decode(format, *texel));
        }
    }
}
