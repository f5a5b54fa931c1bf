//! Texels over batches: [`crate::raster::sampler`] by lanes.
#![expect(clippy::cast_possible_truncation, reason = "values are limited before they are cut")]

use super::batch::{Batch, LANES, SIZE, groups, groups_mut};
use super::coordinates::Course;
use super::source::{Level, Place, Source};
use crate::arithmetic::simd::Simd;
use crate::color;
use crate::raster::level::Choice;
use crate::raster::sampler;
use crate::registers::texture::{PixelFormat, TexelFormat};
use crate::texture::{self, dxt, swizzle};

/// The bytes that levels lie in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    /// Main RAM.
    pub(super) ram: &'a [u8],
    /// VRAM in front of what is drawn into, from its start on.
    pub(super) low: &'a [u8],
    /// VRAM behind what is drawn into, and where that starts.
    pub(super) high: (&'a [u8], usize),
}

impl<'a> Bytes<'a> {
    fn of(&self, level: &'a Level) -> &'a [u8] {
        let piece = |bytes: &'a [u8], start: usize| bytes.get(start..start + level.bytes).unwrap_or(&[]);
        match &level.place {
            Place::Ram(start) => piece(self.ram, *start),
            Place::Vram(start) if start + level.bytes <= self.low.len() => piece(self.low, *start),
            Place::Vram(start) => match start.checked_sub(self.high.1) {
                Some(start) => piece(self.high.0, start),
                None => &[],
            },
            Place::Copy(bytes) => bytes,
        }
    }
}

/// Memory for steps in between.
#[derive(Clone, Debug)]
pub(super) struct Sampling {
    /// Where each of four texels stands: in nibbles, or in bytes; for blocks, block times 16 and the texel in it.
    places: [[u32; SIZE]; 4],
    texels: [[u32; SIZE]; 4],
    u: [i32; SIZE],
    v: [i32; SIZE],
    choices: Vec<Choice>,
}

impl Sampling {
    pub(super) fn new() -> Self {
        Self {
            places: [[0; SIZE]; 4],
            texels: [[0; SIZE]; 4],
            u: [0; SIZE],
            v: [0; SIZE],
            choices: Vec::new(),
        }
    }

    /// Filtered texels of a batch whose coordinates are there.
    pub(super) fn sample<S: Simd>(
        &mut self,
        simd: S,
        batch: &mut Batch,
        source: &Source,
        bytes: Bytes<'_>,
        course: &Course<'_>,
    ) {
        if let Some(choice) = course.choice() {
            let texels = self.choice(simd, batch, source, bytes, choice);
            batch.texel[..SIZE].copy_from_slice(&texels);
            return;
        }
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        choices.extend((0..batch.count).map(|lane| course.choice_at(&source.choice, batch, lane)));
        let mut lane = 0;
        while let Some(&choice) = choices.get(lane) {
            let seen = choices[..lane].contains(&choice);
            if !seen {
                let texels = self.choice(simd, batch, source, bytes, choice);
                for (to, (from, of)) in batch.texel.iter_mut().zip(texels.iter().zip(&choices)) {
                    if *of == choice {
                        *to = *from;
                    }
                }
            }
            lane += 1;
        }
        self.choices = choices;
    }

    /// The texels that all fragments would have under one choice.
    fn choice<S: Simd>(
        &mut self,
        simd: S,
        batch: &Batch,
        source: &Source,
        bytes: Bytes<'_>,
        choice: Choice,
    ) -> [u32; SIZE] {
        let mut texels = self.level(simd, batch, source, bytes, usize::from(choice.level), choice.linear);
        if choice.next > 0 {
            let next = usize::from(choice.level) + 1;
            let next = self.level(simd, batch, source, bytes, next, choice.linear);
            for (texel, next) in texels.iter_mut().zip(next) {
                let mixed = sampler::blend(texel.to_le_bytes(), next.to_le_bytes(), choice.next);
                *texel = u32::from_le_bytes(mixed);
            }
        }
        texels
    }

    fn level<S: Simd>(
        &mut self,
        simd: S,
        batch: &Batch,
        source: &Source,
        bytes: Bytes<'_>,
        number: usize,
        linear: bool,
    ) -> [u32; SIZE] {
        let Some(level) = source.levels.get(number) else { return [0; SIZE] };
        let data = bytes.of(level);
        let clamp = [source.wrap.clamp_s, source.wrap.clamp_t];
        let count = batch.count;
        simd.vectorize(
            #[inline(always)]
            || {
                fix(&batch.s, &mut self.u, count, level.scale[0], linear, level.last[0], clamp[0]);
                fix(&batch.t, &mut self.v, count, level.scale[1], linear, level.last[1], clamp[1]);
            },
        );
        let texels = if linear { 4 } else { 1 };
        simd.vectorize(
            #[inline(always)]
            || self.places(level, clamp, count, linear),
        );
        for corner in 0..texels {
            let (places, out) = (&self.places[corner][..count], &mut self.texels[corner]);
            simd.vectorize(
                #[inline(always)]
                || fetch(level, source, data, places, out),
            );
        }
        if !linear {
            return self.texels[0];
        }
        let mut out = [0; SIZE];
        simd.vectorize(
            #[inline(always)]
            || self.blend(&mut out, count),
        );
        out
    }

    /// Where texels stand.
    #[inline(always)]
    fn places(&mut self, level: &Level, clamp: [bool; 2], count: usize, linear: bool) {
        let count = count.div_ceil(LANES);
        let texture = &level.texture;
        let format = texture.format;
        let bits = texture::bits_per_texel(format);
        let row_bytes = texture.row_bytes;
        let inside = |at: i32, last: i32, clamp: bool| {
            (if clamp { at.max(0).min(last) } else { at & last }).cast_unsigned()
        };
        let corners: &[(i32, i32)] = if linear { &[(0, 0), (1, 0), (0, 1), (1, 1)] } else { &[(0, 0)] };
        let shift = if linear { 4 } else { 0 };
        for (&(right, below), places) in corners.iter().zip(&mut self.places) {
            let values = groups(&self.u, count).iter().zip(groups(&self.v, count));
            for (places, (u, v)) in groups_mut(places, count).iter_mut().zip(values) {
                macro_rules! each {
                    (|$u:ident, $v:ident| $place:expr) => {
                        for lane in 0..LANES {
                            let $u = inside((u[lane] >> shift) + right, level.last[0], clamp[0]);
                            let $v = inside((v[lane] >> shift) + below, level.last[1], clamp[1]);
                            places[lane] = $place;
                        }
                    };
                }
                // Bytes count from the row's start; nibbles twice.
                let units = if bits == 4 { 2 } else { 1 };
                let size = (bits / 8).max(1);
                if texture::is_compressed(format) {
                    let block = bits * dxt::BLOCK * dxt::BLOCK / 8;
                    each!(|u, v| {
                        let block = v / dxt::BLOCK * row_bytes + u / dxt::BLOCK * block;
                        (block << 4) | (v % dxt::BLOCK) << 2 | (u % dxt::BLOCK)
                    });
                } else if texture.swizzled {
                    each!(|u, v| {
                        let x = u * size;
                        let (wide, high) = (swizzle::BLOCK_WIDTH * units, swizzle::BLOCK_HEIGHT);
                        let block = v / high * (row_bytes * units * high) + x / wide * (wide * high);
                        block + v % high * wide + x % wide
                    });
                } else {
                    each!(|u, v| v * (row_bytes * units) + u * size);
                }
            }
        }
    }

    /// Blends four texels by sixteenths ([`sampler::bilinear`]): two channels at a time, 16 bits each.
    #[inline(always)]
    fn blend(&self, out: &mut [u32; SIZE], count: usize) {
        const CHANNELS: u32 = 0x00FF_00FF;
        let count = count.div_ceil(LANES);
        let [a, b, c, d] = self.texels.each_ref().map(|texels| groups(texels, count));
        let (u, v) = (groups(&self.u, count), groups(&self.v, count));
        for (group, out) in groups_mut(out, count).iter_mut().enumerate() {
            let (a, b, c, d) = (&a[group], &b[group], &c[group], &d[group]);
            for lane in 0..LANES {
                let right = u[group][lane].cast_unsigned() & 15;
                let down = v[group][lane].cast_unsigned() & 15;
                let mix = |shift: u32| {
                    let [a, b, c, d] =
                        [a[lane], b[lane], c[lane], d[lane]].map(|texel| texel >> shift & CHANNELS);
                    let (above, below) = (a * (16 - right) + b * right, c * (16 - right) + d * right);
                    above * (16 - down) + below * down
                };
                out[lane] = mix(0) >> 8 & CHANNELS | mix(8) & !CHANNELS;
            }
        }
    }
}

/// Coordinates in texels, or in sixteenths around texel centres; floored.
#[inline(always)]
fn fix(from: &[f64], to: &mut [i32; SIZE], count: usize, scale: f64, linear: bool, last: i32, clamp: bool) {
    /// Added to an integer it brings its bits down to the mantissa's end.
    const ALIGN: f64 = (1_u64 << 52) as f64 * 1.5;
    /// Beyond this the exact way is taken.
    const FAR: f64 = (1_u64 << 30) as f64;
    let convert = |value: f64| {
        let texels = value * scale;
        (if linear { (texels - 0.5) * 16.0 } else { texels }).floor()
    };
    let lanes = count.div_ceil(LANES);
    let mut near = [true; LANES];
    for (to, from) in groups_mut(to, lanes).iter_mut().zip(groups(from, lanes)) {
        for lane in 0..LANES {
            let value = convert(from[lane]);
            near[lane] &= value.abs() < FAR;
            to[lane] = ((value + ALIGN).to_bits() as u32).cast_signed();
        }
    }
    if near.iter().all(|near| *near) {
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
fn fetch(level: &Level, source: &Source, data: &[u8], places: &[u32], out: &mut [u32; SIZE]) {
    let byte = |at: u32| data.get(at as usize).copied().unwrap_or(0);
    let half = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u16::from_le_bytes(bytes.copied().unwrap_or([0; 2]))
    };
    let word = |at: u32| {
        let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
        u32::from_le_bytes(bytes.copied().unwrap_or([0; 4]))
    };
    let places_out = places.iter().zip(out.iter_mut());
    match (level.texture.format, &level.table) {
        (TexelFormat::CLUT4, Some(table)) => {
            for (place, out) in places_out {
                *out = table[usize::from(byte(place / 2) >> (4 * (place & 1)) & 15)];
            }
        }
        (TexelFormat::CLUT8, Some(table)) => {
            for (place, out) in places_out {
                *out = table[usize::from(byte(*place))];
            }
        }
        (TexelFormat::BGR5650, _) => {
            for (place, out) in places_out {
                *out = u32::from(half(*place));
            }
            unpack(out, places.len(), PixelFormat::BGR5650);
        }
        (TexelFormat::ABGR5551, _) => {
            for (place, out) in places_out {
                *out = u32::from(half(*place));
            }
            unpack(out, places.len(), PixelFormat::ABGR5551);
        }
        (TexelFormat::ABGR4444, _) => {
            for (place, out) in places_out {
                *out = u32::from(half(*place));
            }
            unpack(out, places.len(), PixelFormat::ABGR4444);
        }
        (TexelFormat::ABGR8888, _) => {
            for (place, out) in places_out {
                *out = word(*place);
            }
        }
        (TexelFormat::CLUT16 | TexelFormat::CLUT32, _) => {
            let Some(clut) = &source.clut else { return };
            let wide = level.texture.format == TexelFormat::CLUT32;
            for (place, out) in places_out {
                let bits = if wide { word(*place) } else { u32::from(half(*place)) };
                *out = u32::from_le_bytes(level.texture.palette.color(clut, bits));
            }
        }
        (format, _) => {
            // Neighbours mostly share a block.
            let (mut known, mut block) = (usize::MAX, dxt::Block::default());
            for (place, out) in places_out {
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

/// Stored bits to 8 bits a channel.
#[inline(always)]
fn unpack(texels: &mut [u32; SIZE], count: usize, format: PixelFormat) {
    for texels in groups_mut(texels, count.div_ceil(LANES)) {
        for texel in texels {
            *texel = u32::from_le_bytes(color::decode(format, *texel));
        }
    }
}
