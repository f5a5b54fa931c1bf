//! Textures decoded once, for all draws that use them.
//!
//! Texels of a level that draws look at more often than it has texels are worth decoding: from then on neighbours are one
//! load. Rows have one texel more on either side, as the border of the texture shows it, so that neighbours in a row
//! always lie together. Palettes are left out: fresh memory costs more than looking at their tables.
//!
//! # Invariants
//! Texels of an [`Image`] are those that [`super::texel`] finds in memory. Which images there are has no influence on what
//! is drawn.

use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::source::{Level, Source};
use super::texel_memory::Bytes;
use crate::ge::color;
use crate::ge::memory::{Memory, Version};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::{self, MAX_LEVEL, Texture, dxt, swizzle};
use crate::raster::threads::Threads;

/// Images of a texture's levels, where there are any.
pub(super) type Levels<'a> = [Option<&'a Image>; MAX_LEVEL as usize + 1];

/// Where the images of a texture's levels are, counted from 1; 0 where there is none.
pub(super) type Places = [u16; MAX_LEVEL as usize + 1];

/// Bytes of texels that are kept decoded, at most.
const BYTES: usize = 16 << 20;
/// Levels that are known, at most.
const LEVELS: u16 = 4096;
/// Draws of fewer pixels take their texels from memory.
const PIXELS_MIN: u64 = 64;

/// A level of a texture that draws used.
#[derive(Debug)]
pub(super) struct Image {
    texture: Texture,
    version: Version,
    clamp: bool,
    /// How many texels were looked at, one by one.
    looks: AtomicU64,
    state: State,
}

/// How far an image came.
#[derive(Debug)]
enum State {
    /// Nobody asked for it often enough.
    Unknown,
    /// It is about to be decoded.
    Wanted,
    Decoded(Texels),
}

/// Texels row by row. Column 0 is the one left of the texture.
#[derive(Debug)]
pub(super) struct Texels {
    /// Texels from row to row.
    pub(super) stride: u32,
    pub(super) values: Values,
}

/// What texels are kept as.
#[derive(Debug)]
pub(super) enum Values {
    /// Raw indices into a table: 4 bits or 8.
    Indices(Vec<u8>),
    /// Colours.
    Colors(Vec<u32>),
}

/// What images are known.
#[derive(Debug, Default)]
pub(super) struct Images {
    known: Vec<Image>,
    places: HashTable<u16>,
    hasher: DefaultHashBuilder,
    /// Bytes of all images together.
    bytes: usize,
}

/// An image that shall be decoded.
#[derive(Debug)]
pub(super) struct Wanted<'l> {
    place: u16,
    level: &'l Level,
    texels: Option<Texels>,
}

impl Images {
    /// Forgets everything where that became too much. No places are known afterwards.
    pub(super) fn make_room(&mut self) {
        if self.bytes > BYTES / 2 || self.known.len() > usize::from(LEVELS / 2) {
            *self = Self::default();
        }
    }

    /// The images of a draw's texture that covers so many pixels at most; those to be decoded come to the wanted ones.
    pub(super) fn find<'l>(
        &mut self,
        memory: &Memory,
        source: &'l Source,
        pixels: u64,
        wanted: &mut Vec<Wanted<'l>>,
    ) -> Places {
        let mut places = Places::default();
        if pixels < PIXELS_MIN {
            return places;
        }
        let constant = source.choice.constant();
        for (number, level) in source.levels.iter().enumerate() {
            let Some(place) = self.place(memory, level, source.wrap.clamp_s) else { continue };
            places[number] = place + 1;
            let Some(image) = self.known.get_mut(usize::from(place)) else { continue };
            let expected = match constant {
                // Half of the pixels that may be covered are.
                Some(choice) if usize::from(choice.level) == number => {
                    if choice.linear {
                        pixels * 2
                    } else {
                        pixels / 2
                    }
                }
                _ => 0,
            };
            let [width, height] = size(level);
            let format = level.texture.format;
            let is_worth_it = *image.looks.get_mut() + expected >= (width * height) as u64;
            let bytes = (width + 2) * height * if is_index(format) { 1 } else { size_of::<u32>() };
            if matches!(image.state, State::Unknown) && is_worth_it && self.bytes + bytes <= BYTES {
                self.bytes += bytes;
                image.state = State::Wanted;
                wanted.push(Wanted { place, level, texels: None });
            }
        }
        places
    }

    /// Where a level's image is, or will be.
    fn place(&mut self, memory: &Memory, level: &Level, clamp: bool) -> Option<u16> {
        if !can_be_decoded(level) {
            return None;
        }
        let texture = &level.texture;
        let version = memory.version(texture.address, level.bytes)?;
        let hash = |texture: &Texture| {
            let size = [texture.width_log2, texture.height_log2, texture.format.number()];
            self.hasher.hash_one((texture.address, size))
        };
        // Palettes do not matter.
        let same = |image: &Image| {
            Texture { palette: texture.palette, ..image.texture } == *texture && image.clamp == clamp
        };
        let known = &self.known;
        let found = self.places.find(hash(texture), |place| known.get(usize::from(*place)).is_some_and(same));
        if let Some(&place) = found {
            let image = self.known.get_mut(usize::from(place))?;
            if image.version != version {
                // Somebody wrote there.
                if let State::Decoded(texels) = &image.state {
                    self.bytes -= texels.bytes();
                }
                *image = Image::new(*texture, version, clamp);
            }
            return Some(place);
        }
        let place = u16::try_from(self.known.len()).ok().filter(|place| *place < LEVELS)?;
        self.known.push(Image::new(*texture, version, clamp));
        let known = &self.known;
        self.places.insert_unique(hash(texture), place, |place| {
            known.get(usize::from(*place)).map_or(0, |image| hash(&image.texture))
        });
        Some(place)
    }

    /// Decodes the wanted images.
    pub(super) fn decode(&mut self, threads: &Threads, bytes: Bytes<'_>, wanted: &mut Vec<Wanted<'_>>) {
        let known = &self.known;
        threads.for_each(wanted, |wanted| {
            let clamp = known.get(usize::from(wanted.place)).is_some_and(|image| image.clamp);
            wanted.texels = Some(decode(wanted.level, bytes.of(wanted.level), clamp));
        });
        for Wanted { place, texels, .. } in wanted.drain(..) {
            if let Some((image, texels)) = self.known.get_mut(usize::from(place)).zip(texels) {
                image.state = State::Decoded(texels);
            }
        }
    }

    /// The images at places.
    pub(super) fn levels(&self, places: &Places) -> Levels<'_> {
        let mut levels = Levels::default();
        for (level, place) in levels.iter_mut().zip(places) {
            *level = usize::from(*place).checked_sub(1).and_then(|place| self.known.get(place));
        }
        levels
    }
}

impl Image {
    const fn new(texture: Texture, version: Version, clamp: bool) -> Self {
        Self { texture, version, clamp, looks: AtomicU64::new(0), state: State::Unknown }
    }

    /// Its texels, once it is decoded.
    pub(super) const fn texels(&self) -> Option<&Texels> {
        match &self.state {
            State::Decoded(texels) => Some(texels),
            State::Unknown | State::Wanted => None,
        }
    }

    /// Counts texels that were looked at one by one.
    pub(super) fn count(&self, looks: u64) {
        self.looks.fetch_add(looks, Ordering::Relaxed);
    }
}

/// Columns and rows.
fn size(level: &Level) -> [usize; 2] {
    level.last.map(|last| usize::try_from(last).unwrap_or(0) + 1)
}

impl Texels {
    const fn bytes(&self) -> usize {
        match &self.values {
            Values::Indices(values) => values.len(),
            Values::Colors(values) => values.len() * size_of::<u32>(),
        }
    }
}

/// Whether a level's texels follow from its bytes, with a table for indices.
fn can_be_decoded(level: &Level) -> bool {
    match level.texture.format {
        TexelFormat::CLUT4 | TexelFormat::CLUT8 => level.table.is_some(),
        TexelFormat::BGR5650 | TexelFormat::ABGR5551 | TexelFormat::ABGR4444 | TexelFormat::ABGR8888 => true,
        format => texture::is_compressed(format),
    }
}

/// Whether texels are kept as indices.
const fn is_index(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::CLUT4 | TexelFormat::CLUT8)
}

/// All texels of a level, with one more on either side of each row.
fn decode(level: &Level, data: &[u8], clamp: bool) -> Texels {
    let texture = &level.texture;
    let [width, height] = size(level);
    let stride = width + 2;
    let values = if is_index(texture.format) {
        let mut texels = vec![0; stride * height];
        for (row, out) in texels.chunks_exact_mut(stride).enumerate() {
            decode_indices(texture, data, row, &mut out[1..=width]);
        }
        add_borders(&mut texels, width, clamp);
        Values::Indices(texels)
    } else {
        let mut texels = vec![0; stride * height];
        if texture::is_compressed(texture.format) {
            for (row, out) in texels.chunks_mut(stride * dxt::BLOCK as usize).enumerate() {
                decode_blocks(texture, data, row, out, stride);
            }
        } else {
            for (row, out) in texels.chunks_exact_mut(stride).enumerate() {
                decode_colors(texture, data, row, &mut out[1..=width]);
            }
        }
        add_borders(&mut texels, width, clamp);
        Values::Colors(texels)
    };
    Texels { stride: u32::try_from(stride).unwrap_or(0), values }
}

/// What the border shows on either side.
fn add_borders<T: Copy>(texels: &mut [T], width: usize, clamp: bool) {
    for row in texels.chunks_exact_mut(width + 2) {
        (row[0], row[width + 1]) = if clamp { (row[1], row[width]) } else { (row[width], row[1]) };
    }
}

/// Four rows of compressed texels.
fn decode_blocks(texture: &Texture, data: &[u8], row: usize, out: &mut [u32], stride: usize) {
    let bytes = (texture::bits_per_texel(texture.format) * dxt::BLOCK * dxt::BLOCK / 8) as usize;
    let blocks = data.get(row * texture.row_bytes as usize..).unwrap_or(&[]);
    for column in (0..stride - 2).step_by(dxt::BLOCK as usize) {
        let block = blocks.get(column / dxt::BLOCK as usize * bytes..).unwrap_or(&[]);
        let long = || block.first_chunk().copied().unwrap_or([0; 16]);
        let block = match texture.format {
            TexelFormat::DXT1 => dxt::Block::dxt1(block.first_chunk().copied().unwrap_or([0; 8])),
            TexelFormat::DXT3 => dxt::Block::dxt3(long()),
            _ => dxt::Block::dxt5(long()),
        };
        for (y, out) in (0..).zip(out.chunks_exact_mut(stride)) {
            let last = (column + dxt::BLOCK as usize).min(stride - 2);
            for (x, out) in (0..).zip(&mut out[1 + column..=last]) {
                *out = u32::from_le_bytes(block.texel(x, y));
            }
        }
    }
}

/// The bytes of a row that is not compressed, 16 at a time: a row of a swizzled block, or as many bytes of others.
fn pieces<'d>(texture: &'d Texture, data: &'d [u8], row: usize) -> impl Iterator<Item = [u8; 16]> + use<'d> {
    let row = u32::try_from(row).unwrap_or(0);
    (0..).step_by(swizzle::BLOCK_WIDTH as usize).map(move |x| {
        let start = if texture.swizzled {
            swizzle::offset(x, row, texture.row_bytes)
        } else {
            row * texture.row_bytes + x
        };
        let bytes = data.get(start as usize..).unwrap_or(&[]);
        bytes.first_chunk().copied().unwrap_or_else(|| cut(bytes))
    })
}

/// A row of indices.
fn decode_indices(texture: &Texture, data: &[u8], row: usize, out: &mut [u8]) {
    let pieces = pieces(texture, data, row);
    if texture.format == TexelFormat::CLUT8 {
        for (out, bytes) in out.chunks_mut(16).zip(pieces) {
            let count = out.len();
            out.copy_from_slice(&bytes[..count]);
        }
    } else {
        for (out, bytes) in out.chunks_mut(32).zip(pieces) {
            let (pairs, rest) = out.as_chunks_mut();
            for (pair, byte) in pairs.iter_mut().zip(bytes) {
                *pair = [byte & 15, byte >> 4];
            }
            if let [last] = rest {
                *last = bytes[0] & 15;
            }
        }
    }
}

/// A row of colours.
fn decode_colors(texture: &Texture, data: &[u8], row: usize, out: &mut [u32]) {
    let pieces = pieces(texture, data, row);
    let format = match texture.format {
        TexelFormat::BGR5650 => PixelFormat::BGR5650,
        TexelFormat::ABGR5551 => PixelFormat::ABGR5551,
        TexelFormat::ABGR4444 => PixelFormat::ABGR4444,
        _ => {
            for (out, bytes) in out.chunks_mut(4).zip(pieces) {
                for (out, word) in out.iter_mut().zip(bytes.as_chunks().0) {
                    *out = u32::from_le_bytes(*word);
                }
            }
            return;
        }
    };
    for (out, bytes) in out.chunks_mut(8).zip(pieces) {
        for (out, half) in out.iter_mut().zip(bytes.as_chunks().0) {
            *out = u32::from_le_bytes(color::decode(format, u16::from_le_bytes(*half).into()));
        }
    }
}

/// The bytes that are there, and zeros.
fn cut(bytes: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    let count = bytes.len().min(out.len());
    out[..count].copy_from_slice(&bytes[..count]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::raster::fast::source::Tables;
    use crate::raster::sampler;

    const PLACES: [Address; 2] = [Address::new(0x0890_0000), Address::vram(0x4_0000)];

    /// Bytes that look like nothing, and a palette of the same.
    fn scene() -> (Memory, Registers) {
        let (mut memory, mut registers) = (Memory::default(), Registers::new());
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_le_bytes()[3]
        };
        let bytes: Vec<u8> = (0..0x2_0000).map(|_| random()).collect();
        PLACES.iter().for_each(|place| memory.write(*place, &bytes));
        registers.clut_mut().iter_mut().for_each(|byte| *byte = random());
        (memory, registers)
    }

    fn source(memory: &Memory, registers: &Registers) -> Source {
        Source::new(memory, registers, false, &mut Tables::default())
    }

    fn bytes(memory: &Memory) -> Bytes<'_> {
        Bytes {
            ram: memory.slice(Address::new(0x0800_0000), 64 << 20).expect("all of RAM"),
            low: memory.vram(),
            high: (&[], 0),
        }
    }

    #[test]
    fn texels_are_those_of_memory() {
        let (memory, mut registers) = scene();
        for (format, place, swizzled, size, clamp) in cases() {
            for (opcode, argument) in [
                (Opcode::TEXADDR0, place.get() & 0xFF_FFFF),
                (Opcode::TEXBUFWIDTH0, (place.get() >> 24) << 16 | 1 << size[0].max(4)),
                (Opcode::TEXSIZE0, size[0] | size[1] << 8),
                (Opcode::TEXMODE, swizzled),
                (Opcode::TEXFORMAT, format),
                (Opcode::CLUTFORMAT, 0xFF03),
                (Opcode::TEXWRAP, clamp),
            ] {
                registers.write(Command::new(opcode, argument));
            }
            let source = source(&memory, &registers);
            let level = &source.levels[0];
            assert!(can_be_decoded(level), "format {format}");
            let image = decode(level, bytes(&memory).of(level), clamp == 1);
            let [width, height] = size.map(|log2| 1_i64 << log2);
            assert_eq!(i64::from(image.stride), width + 2, "both borders");
            for v in 0..height {
                for u in -1..=width {
                    let at = usize::try_from(v * (width + 2) + u + 1).expect("not negative");
                    let found = match &image.values {
                        Values::Colors(colors) => colors[at],
                        Values::Indices(indices) => {
                            level.table.as_ref().expect("a palette")[usize::from(indices[at])]
                        }
                    };
                    let u = sampler::edge(u, level.texture.width(), clamp == 1);
                    let row = u32::try_from(v).expect("not negative");
                    let expected = level.texture.texel(&memory, registers.clut(), u, row);
                    assert_eq!(
                        found.to_le_bytes(),
                        expected,
                        "format {format}, swizzled {swizzled}, size {size:?}, clamp {clamp}: ({u}, {v})"
                    );
                }
            }
        }
    }

    /// All formats that become images, in RAM and VRAM, swizzled or not, of several sizes, repeated and clamped.
    fn cases() -> impl Iterator<Item = (u32, Address, u32, [u32; 2], u32)> {
        let sizes = [[0, 0], [0, 3], [1, 1], [2, 2], [3, 1], [4, 4], [6, 5], [7, 3]];
        let formats = [0, 1, 2, 3, 4, 5, 8, 9, 10];
        formats.into_iter().flat_map(move |format| {
            PLACES.into_iter().flat_map(move |place| {
                (0..2).flat_map(move |swizzled| {
                    sizes
                        .into_iter()
                        .flat_map(move |size| [0, 0x1].map(|clamp| (format, place, swizzled, size, clamp)))
                })
            })
        })
    }

    #[test]
    fn only_what_pays_is_decoded_and_changes_are_seen() {
        let (mut memory, mut registers) = scene();
        for (opcode, argument) in [
            (Opcode::TEXADDR0, 0x90_0000),
            (Opcode::TEXBUFWIDTH0, 0x08_0010),
            (Opcode::TEXSIZE0, 4 | 4 << 8),
            (Opcode::TEXFORMAT, 5),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        let source = source(&memory, &registers);
        let (mut images, threads) = (Images::default(), Threads::default());
        let mut find = |memory: &Memory, pixels: u64| {
            let mut wanted = Vec::new();
            let places = images.find(memory, &source, pixels, &mut wanted);
            let new = wanted.len();
            images.decode(&threads, bytes(memory), &mut wanted);
            let [image, ..] = images.levels(&places);
            if let Some(image) = image {
                image.count(pixels / 2);
            }
            (new, image.is_some_and(|image| image.texels().is_some()))
        };
        assert_eq!(find(&memory, PIXELS_MIN - 1), (0, false), "too few pixels to look for it");
        assert_eq!(find(&memory, 256), (0, false), "fewer than it has texels");
        assert_eq!(find(&memory, 256), (1, true), "as many, with those before");
        assert_eq!(find(&memory, 256), (0, true), "it stays");
        memory.write_u8(Address::new(0x0890_0010), 1);
        memory.write_u8(Address::new(0x0890_0010), 2);
        assert_eq!(find(&memory, 256), (0, false), "its bytes changed");
        assert_eq!(find(&memory, 512), (1, true), "decoded again");
        assert_eq!(find(&memory.clone(), 100), (0, false), "another memory");
        assert_eq!(images.bytes, 0, "nothing is kept for it");
    }
}
