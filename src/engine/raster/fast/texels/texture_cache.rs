//! The fast engine's texture cache decodes mip levels once for all draws. It has no counterpart in hardware.
//!
//! A level is decoded as soon as draws have fetched more texels than it has. After that, a single load gets two
//! neighbouring texels. For this, decoded levels have extra texels around them, wrapped or clamped, to keep
//! neighbours adjacent everywhere. Palettes are not applied, because reading a small table is cheaper than filling
//! new memory.
//!
//! # Invariants
//! The texels in a [`CachedLevel`] are the same as [`super::sampler`] fetches from memory. The cache never affects
//! results.

use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::texel_expansion::expand_row;
use super::texel_memory::TexelMemory;
use super::texture_state::{MipLevel, TexelStorage, TextureState};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::memory::{Version, Vram};
use crate::ge::never::OrNever;
use crate::ge::registers::texture::{TexelFormat, TextureWrap};
use crate::pipeline::texture::{MAX_LEVEL, Texture, dxt, swizzle};
use crate::raster::dispatch::threads::Threads;
use crate::raster::rules::lod::LodSelection;

/// The cached levels for a texture.
pub(crate) type CachedLevels<'a> = [Option<&'a CachedLevel>; MAX_LEVEL as usize + 1];

/// Cache slots for a texture's levels, counted from 1; 0 for levels not cached.
pub(crate) type LevelSlots = [u16; MAX_LEVEL as usize + 1];

/// How many bytes decoded texels may take.
const MAX_BYTES: usize = 16 << 20;
/// How many levels may be known.
const MAX_LEVELS: u16 = 4096;
/// Draws with fewer pixels bypass the cache.
const MIN_PIXELS: u64 = 64;
/// How many texels a thread decodes at a time, to let several threads share a big level. This takes about 10 µs.
const TEXELS_OF_PART: usize = 1 << 14;

/// A mip level that draws have used.
#[derive(Debug)]
pub(crate) struct CachedLevel {
    texture: Texture,
    version: Version,
    wrap: TextureWrap,
    /// How many texels were fetched from memory.
    fetches: AtomicU64,
    /// How many texels draws in the current pass will fetch, and that pass's number.
    expected: (u64, u64),
    state: DecodeState,
}

/// Tells how far decoding a level has come.
#[derive(Debug)]
enum DecodeState {
    /// Not used often enough so far.
    Undecoded,
    /// To be decoded before the current pass.
    Requested,
    Decoded(DecodedTexels),
}

/// Decoded texels, row by row. Row 0 is above the texture, and column 0 to its left.
#[derive(Debug)]
pub(crate) struct DecodedTexels {
    /// Texels per row.
    pub(crate) stride: u32,
    pub(crate) values: TexelData,
}

#[derive(Debug)]
pub(crate) enum TexelData {
    /// Indices with 4 or 8 bits into a palette table.
    Indices(Vec<u8>),
    Colors(Vec<u32>),
}

/// All known mip levels.
#[derive(Debug, Default)]
pub(crate) struct TextureCache {
    levels: Vec<CachedLevel>,
    slots: HashTable<u16>,
    hasher: DefaultHashBuilder,
    /// How many bytes all decoded texels take.
    bytes: usize,
    /// The current pass's number.
    pass: u64,
}

/// A level to be decoded.
#[derive(Debug)]
pub(crate) struct DecodeRequest<'l> {
    slot: u16,
    level: &'l MipLevel,
    texels: DecodedTexels,
}

/// Rows of a level to be decoded, so that several threads can share a level.
#[derive(Debug)]
struct DecodePart<'p> {
    level: &'p MipLevel,
    /// The first row, which begins a block of compressed texels.
    row: usize,
    rows: TexelRows<'p>,
}

/// Where to store decoded rows, with an extra texel at both ends of each.
#[derive(Debug)]
enum TexelRows<'p> {
    Indices(&'p mut [u8]),
    Colors(&'p mut [u32]),
}

impl TextureCache {
    /// Begins a pass. This empties the cache if it is half full, and makes all slots invalid.
    pub(crate) fn begin_pass(&mut self) {
        self.pass += 1;
        if self.bytes > MAX_BYTES / 2 || self.levels.len() > usize::from(MAX_LEVELS / 2) {
            *self = Self { pass: self.pass, ..Self::default() };
        }
    }

    /// Looks up a texture's slots for a draw that covers at most `pixels` pixels. Appends a request for each level
    /// that is now worth decoding. If the draw `reads_rows`, it needs no decoded levels.
    pub(crate) fn look_up<'l>(
        &mut self,
        vram: &Vram,
        texture: &'l TextureState,
        (pixels, reads_rows): (u64, bool),
        requests: &mut Vec<DecodeRequest<'l>>,
    ) -> LevelSlots {
        let mut slots = LevelSlots::default();
        if pixels < MIN_PIXELS {
            return slots;
        }
        let constant = texture.lod.constant();
        for (number, level) in texture.levels.iter().enumerate() {
            let Some(slot) = self.slot(vram, level, texture.wrap) else { continue };
            slots[number] = slot + 1;
            let Some(cached) = self.levels.get_mut(usize::from(slot)) else { continue };
            let [width, height] = texel_size(level);
            let format = level.texture.format;
            let first = constant.map(|selection| usize::from(selection.level));
            let is_used = |selection: &LodSelection| {
                Some(number) == first || selection.fraction > 0 && number.checked_sub(1) == first
            };
            let expected = match constant.filter(is_used) {
                Some(_) if reads_rows && !format.is_compressed() => 0,
                // This assumes that half the pixels are covered. Each of them fetches four texels.
                Some(LodSelection { linear: true, .. }) => pixels * 2,
                Some(_) => pixels / 2,
                None => 0,
            };
            let before = if cached.expected.1 == self.pass { cached.expected.0 } else { 0 };
            cached.expected = (before.saturating_add(expected), self.pass);
            let fetches = cached.expected.0.saturating_add(*cached.fetches.get_mut());
            let is_worth_it = fetches >= (width * height) as u64;
            let bytes = (width + 2) * (height + 2) * if is_index(format) { 1 } else { size_of::<u32>() };
            if matches!(cached.state, DecodeState::Undecoded)
                && is_worth_it
                && self.bytes + bytes <= MAX_BYTES
            {
                self.bytes += bytes;
                cached.state = DecodeState::Requested;
                requests.push(DecodeRequest { slot, level, texels: DecodedTexels::new(level) });
            }
        }
        slots
    }

    /// Finds a level's slot, and adds the level if it is new. Returns `None` if the level cannot be cached.
    fn slot(&mut self, vram: &Vram, level: &MipLevel, wrap: TextureWrap) -> Option<u16> {
        if !can_be_decoded(level) {
            return None;
        }
        let texture = &level.texture;
        let version = match level.storage {
            TexelStorage::Ram(_) => level.ram_version?,
            TexelStorage::Vram(start) => vram.version(&(start..start + level.byte_len))?,
            TexelStorage::Copy(_) => return None,
        };
        let hash = |texture: &Texture| {
            let size = [texture.width_log2, texture.height_log2, texture.format.number()];
            self.hasher.hash_one((texture.address, size))
        };
        // Levels are kept without their palette, so it is not part of the key.
        let same = |cached: &CachedLevel| {
            Texture { palette: texture.palette, ..cached.texture } == *texture && cached.wrap == wrap
        };
        let levels = &self.levels;
        let found = self.slots.find(hash(texture), |slot| levels.get(usize::from(*slot)).is_some_and(same));
        if let Some(&slot) = found {
            let cached = self.levels.get_mut(usize::from(slot))?;
            if cached.version != version {
                // The level's memory was written, so its texels are out of date.
                if let DecodeState::Decoded(texels) = &cached.state {
                    self.bytes -= texels.byte_len();
                }
                *cached = CachedLevel::new(*texture, version, wrap);
            }
            return Some(slot);
        }
        let slot = u16::try_from(self.levels.len()).ok().filter(|slot| *slot < MAX_LEVELS)?;
        self.levels.push(CachedLevel::new(*texture, version, wrap));
        let levels = &self.levels;
        self.slots.insert_unique(hash(texture), slot, |slot| {
            levels.get(usize::from(*slot)).map_or(0, |cached| hash(&cached.texture))
        });
        Some(slot)
    }

    /// Decodes the requested levels.
    pub(crate) fn decode(
        &mut self,
        instructions: Instructions,
        threads: &Threads,
        memory: TexelMemory<'_>,
        requests: &mut Vec<DecodeRequest<'_>>,
    ) {
        let mut parts: Vec<_> = requests
            .iter_mut()
            .flat_map(|request| request.texels.parts(request.level, TEXELS_OF_PART))
            .collect();
        threads.for_each(&mut Vec::<()>::new(), parts.iter_mut(), |(), part| {
            let data = memory.of_level(part.level);
            dispatch!(instructions, simd => simd.vectorize(
                #[inline(always)]
                || decode_rows(simd, part, data),
            ));
        });
        for DecodeRequest { slot, level, mut texels } in requests.drain(..) {
            if let Some(cached) = self.levels.get_mut(usize::from(slot)) {
                texels.add_borders(level, cached.wrap);
                cached.state = DecodeState::Decoded(texels);
            }
        }
    }

    /// Looks up the levels in these slots.
    pub(crate) fn cached_levels(&self, slots: &LevelSlots) -> CachedLevels<'_> {
        let mut levels = CachedLevels::default();
        for (level, slot) in levels.iter_mut().zip(slots) {
            *level = usize::from(*slot).checked_sub(1).and_then(|slot| self.levels.get(slot));
        }
        levels
    }
}

impl CachedLevel {
    const fn new(texture: Texture, version: Version, wrap: TextureWrap) -> Self {
        let fetches = AtomicU64::new(0);
        Self { texture, version, wrap, fetches, expected: (0, 0), state: DecodeState::Undecoded }
    }

    /// Returns the texels if they are decoded.
    pub(crate) const fn texels(&self) -> Option<&DecodedTexels> {
        match &self.state {
            DecodeState::Decoded(texels) => Some(texels),
            DecodeState::Undecoded | DecodeState::Requested => None,
        }
    }

    pub(crate) fn count_fetches(&self, fetches: u64) {
        self.fetches.fetch_add(fetches, Ordering::Relaxed);
    }
}

fn texel_size(level: &MipLevel) -> [usize; 2] {
    level.last.map(|last| usize::try_from(last).unwrap_or(0) + 1)
}

impl DecodedTexels {
    /// Returns memory for all of a level's texels, and for the extra texels around them.
    fn new(level: &MipLevel) -> Self {
        let [width, height] = texel_size(level);
        let (stride, rows) = (width + 2, height + 2);
        let values = if is_index(level.texture.format) {
            TexelData::Indices(vec![0; stride * rows])
        } else {
            TexelData::Colors(vec![0; stride * rows])
        };
        Self { stride: u32::try_from(stride).or_never("rows have at most 1,024 texels"), values }
    }

    /// Splits a level's rows into parts with about `texels` texels.
    fn parts<'p>(&'p mut self, level: &'p MipLevel, texels: usize) -> Vec<DecodePart<'p>> {
        let [width, height] = texel_size(level);
        let stride = width + 2;
        let inside = stride..stride * (height + 1);
        let rows_of_part = (texels / stride).next_multiple_of(dxt::BLOCK as usize).max(dxt::BLOCK as usize);
        let part = |(number, rows)| DecodePart { level, row: number * rows_of_part, rows };
        let len = rows_of_part * stride;
        match &mut self.values {
            TexelData::Indices(values) => {
                values[inside].chunks_mut(len).map(TexelRows::Indices).enumerate().map(part).collect()
            }
            TexelData::Colors(values) => {
                values[inside].chunks_mut(len).map(TexelRows::Colors).enumerate().map(part).collect()
            }
        }
    }

    /// Fills the extra texels around a level.
    fn add_borders(&mut self, level: &MipLevel, wrap: TextureWrap) {
        match &mut self.values {
            TexelData::Indices(values) => add_borders(values, texel_size(level), wrap),
            TexelData::Colors(values) => add_borders(values, texel_size(level), wrap),
        }
    }

    const fn byte_len(&self) -> usize {
        match &self.values {
            TexelData::Indices(values) => values.len(),
            TexelData::Colors(values) => values.len() * size_of::<u32>(),
        }
    }
}

/// Checks whether a level's bytes determine its texels or, with a table, its indices.
fn can_be_decoded(level: &MipLevel) -> bool {
    match level.texture.format {
        TexelFormat::CLUT4 | TexelFormat::CLUT8 => level.clut_table.is_some(),
        TexelFormat::BGR5650 | TexelFormat::ABGR5551 | TexelFormat::ABGR4444 | TexelFormat::ABGR8888 => true,
        format => format.is_compressed(),
    }
}

/// Checks whether texels are stored as indices.
const fn is_index(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::CLUT4 | TexelFormat::CLUT8)
}

/// Decodes rows of a level, whose bytes are `data`.
#[inline(always)]
fn decode_rows<S: Simd>(simd: S, part: &mut DecodePart<'_>, data: &[u8]) {
    let DecodePart { level, row: first, rows } = part;
    let texture = &level.texture;
    let [width, _] = texel_size(level);
    let stride = width + 2;
    match rows {
        TexelRows::Indices(rows) => {
            for (row, out) in (*first..).zip(rows.chunks_exact_mut(stride)) {
                decode_indices(texture, data, row, &mut out[1..=width]);
            }
        }
        TexelRows::Colors(rows) if texture.format.is_compressed() => {
            let first = *first / dxt::BLOCK as usize;
            for (row, out) in (first..).zip(rows.chunks_mut(stride * dxt::BLOCK as usize)) {
                decode_blocks(texture, data, row, out, stride);
            }
        }
        TexelRows::Colors(rows) => {
            for (row, out) in (*first..).zip(rows.chunks_exact_mut(stride)) {
                expand_row(simd, texture, None, data, row, 0, &mut out[1..=width]);
            }
        }
    }
}

/// Fills the extra texels around a level.
fn add_borders<T: Copy>(texels: &mut [T], [width, height]: [usize; 2], wrap: TextureWrap) {
    let stride = width + 2;
    for row in texels.chunks_exact_mut(stride) {
        (row[0], row[width + 1]) = if wrap.clamp_s { (row[1], row[width]) } else { (row[width], row[1]) };
    }
    // Columns come first, so that copied rows include the corners.
    let (above, below) = if wrap.clamp_t { (1, height) } else { (height, 1) };
    texels.copy_within(above * stride..(above + 1) * stride, 0);
    texels.copy_within(below * stride..(below + 1) * stride, (height + 1) * stride);
}

/// Decodes four rows of compressed texels.
fn decode_blocks(texture: &Texture, data: &[u8], row: usize, out: &mut [u32], stride: usize) {
    let bytes = texture.format.block_bytes() as usize;
    let blocks = data.get(row * texture.row_bytes as usize..).unwrap_or(&[]);
    for column in (0..stride - 2).step_by(dxt::BLOCK as usize) {
        let block = blocks.get(column / dxt::BLOCK as usize * bytes..).unwrap_or(&[]);
        let block16 = || block.first_chunk().copied().unwrap_or([0; 16]);
        let block = match texture.format {
            TexelFormat::DXT1 => dxt::Block::dxt1(block.first_chunk().copied().unwrap_or([0; 8])),
            TexelFormat::DXT3 => dxt::Block::dxt3(block16()),
            _ => dxt::Block::dxt5(block16()),
        };
        for (y, out) in (0..).zip(out.chunks_exact_mut(stride)) {
            let last = (column + dxt::BLOCK as usize).min(stride - 2);
            for (x, out) in (0..).zip(&mut out[1 + column..=last]) {
                *out = u32::from_le_bytes(block.texel(x, y));
            }
        }
    }
}

/// Iterates over the bytes in an uncompressed row, 16 at a time. These are rows of swizzled blocks, or consecutive
/// bytes.
fn row_chunks<'d>(
    texture: &'d Texture,
    data: &'d [u8],
    row: usize,
) -> impl Iterator<Item = [u8; 16]> + use<'d> {
    let row = u32::try_from(row).unwrap_or(0);
    (0..).step_by(swizzle::BLOCK_WIDTH as usize).map(move |x| {
        let start = if texture.swizzled {
            swizzle::offset(x, row, texture.row_bytes)
        } else {
            row * texture.row_bytes + x
        };
        let bytes = data.get(start as usize..).unwrap_or(&[]);
        bytes.first_chunk().copied().unwrap_or_else(|| zero_padded(bytes))
    })
}

/// Decodes a row of indices.
fn decode_indices(texture: &Texture, data: &[u8], row: usize, out: &mut [u8]) {
    let chunks = row_chunks(texture, data, row);
    if texture.format == TexelFormat::CLUT8 {
        for (out, bytes) in out.chunks_mut(16).zip(chunks) {
            let count = out.len();
            out.copy_from_slice(&bytes[..count]);
        }
    } else {
        for (out, bytes) in out.chunks_mut(32).zip(chunks) {
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

/// Copies the first bytes and pads them with zeros.
fn zero_padded(bytes: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    let count = bytes.len().min(out.len());
    out[..count].copy_from_slice(&bytes[..count]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::simd::portable;
    use crate::ge::command::Command;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::raster::fast::texels::texture_state::ClutTableCache;
    use crate::raster::rules::sampler;

    const ADDRESSES: [Address; 2] = [Address::new(0x0890_0000), Address::vram(0x4_0000)];

    /// Random bytes and a random palette.
    fn scene() -> (Memory, Registers) {
        let (mut memory, mut registers) = (Memory::default(), Registers::new());
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_le_bytes()[3]
        };
        let bytes: Vec<u8> = (0..0x2_0000).map(|_| random()).collect();
        ADDRESSES.iter().for_each(|slot| memory.write(*slot, &bytes));
        registers.clut_mut().iter_mut().for_each(|byte| *byte = random());
        (memory, registers)
    }

    fn texture_state(memory: &Memory, registers: &Registers) -> TextureState {
        TextureState::new(memory, registers, false, &mut ClutTableCache::default())
    }

    fn texel_memory(memory: &Memory) -> TexelMemory<'_> {
        TexelMemory {
            ram: memory.slice(Address::new(0x0800_0000), 64 << 20).expect("all of RAM"),
            low: memory.vram(),
            high: (&[], 0),
        }
    }

    #[test]
    fn decoded_texels_match_memory() {
        let (memory, mut registers) = scene();
        for (format, slot, swizzled, size, clamp) in cases() {
            for (opcode, argument) in [
                (Opcode::TEXADDR0, slot.get() & 0xFF_FFFF),
                (Opcode::TEXBUFWIDTH0, (slot.get() >> 24) << 16 | 1 << size[0].max(4)),
                (Opcode::TEXSIZE0, size[0] | size[1] << 8),
                (Opcode::TEXMODE, swizzled),
                (Opcode::TEXFORMAT, format),
                (Opcode::CLUTFORMAT, 0xFF03),
                (Opcode::TEXWRAP, clamp),
            ] {
                registers.write(Command::new(opcode, argument));
            }
            let texture = texture_state(&memory, &registers);
            let level = &texture.levels[0];
            assert!(can_be_decoded(level), "format {format}");
            let mut cached = DecodedTexels::new(level);
            for mut part in cached.parts(level, 64) {
                decode_rows(portable(), &mut part, texel_memory(&memory).of_level(level));
            }
            cached.add_borders(level, texture.wrap);
            let [width, height] = size.map(|log2| 1_i64 << log2);
            assert_eq!(i64::from(cached.stride), width + 2, "an extra texel at both ends");
            for v in -1..=height {
                for u in -1..=width {
                    let at = usize::try_from((v + 1) * (width + 2) + u + 1).expect("not negative");
                    let found = match &cached.values {
                        TexelData::Colors(colors) => colors[at],
                        TexelData::Indices(indices) => {
                            level.clut_table.as_ref().expect("a palette")[usize::from(indices[at])]
                        }
                    };
                    let u = sampler::wrap_or_clamp(u, level.texture.width(), texture.wrap.clamp_s);
                    let row = sampler::wrap_or_clamp(v, level.texture.height(), texture.wrap.clamp_t);
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

    /// All formats that can be cached, in RAM and VRAM, swizzled and linear, in several sizes, wrapped and clamped.
    fn cases() -> impl Iterator<Item = (u32, Address, u32, [u32; 2], u32)> {
        let sizes = [[0, 0], [0, 3], [1, 1], [2, 2], [3, 1], [4, 4], [6, 5], [7, 3]];
        let formats = [0, 1, 2, 3, 4, 5, 8, 9, 10];
        formats.into_iter().flat_map(move |format| {
            ADDRESSES.into_iter().flat_map(move |slot| {
                (0..2).flat_map(move |swizzled| {
                    sizes.into_iter().flat_map(move |size| {
                        [0, 0x1, 0x100].map(|clamp| (format, slot, swizzled, size, clamp))
                    })
                })
            })
        })
    }

    #[test]
    fn decodes_after_enough_fetches_and_again_after_writes() {
        let (mut memory, mut registers) = scene();
        for (opcode, argument) in [
            (Opcode::TEXADDR0, 0x90_0000),
            (Opcode::TEXBUFWIDTH0, 0x08_0010),
            (Opcode::TEXSIZE0, 4 | 4 << 8),
            (Opcode::TEXFORMAT, 5),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        let (mut cache, threads) = (TextureCache::default(), Threads::default());
        let (vram, registers) = (Vram::placeholder(), registers);
        let mut find = |memory: &Memory, pixels: u64| {
            let texture = texture_state(memory, &registers);
            let mut requests = Vec::new();
            cache.begin_pass();
            let slots = cache.look_up(&vram, &texture, (pixels, false), &mut requests);
            let new = requests.len();
            cache.decode(Instructions::Best, &threads, texel_memory(memory), &mut requests);
            let [cached, ..] = cache.cached_levels(&slots);
            if let Some(cached) = cached {
                cached.count_fetches(pixels / 2);
            }
            (new, cached.is_some_and(|cached| cached.texels().is_some()))
        };
        assert_eq!(find(&memory, MIN_PIXELS - 1), (0, false), "too few pixels for the cache");
        assert_eq!(find(&memory, 256), (0, false), "fewer fetches than texels");
        assert_eq!(find(&memory, 256), (1, true), "as many fetches as texels");
        assert_eq!(find(&memory, 256), (0, true), "stays decoded");
        memory.write_u8(Address::new(0x0890_0010), 1);
        memory.write_u8(Address::new(0x0890_0010), 2);
        assert_eq!(find(&memory, 256), (0, false), "its bytes changed");
        assert_eq!(find(&memory, 512), (1, true), "decoded again");
        assert_eq!(find(&memory.clone(), 100), (0, false), "another memory");
        assert_eq!(cache.bytes, 0, "no texels are kept for it");
    }
}
