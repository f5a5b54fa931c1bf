//! Names the texture in the registers, by hashing the same bytes as PPSSPP.

use super::key::Key;
use super::settings::Settings;
use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{ClutFormat, TexelFormat, TextureAddress, TextureSize};

/// From this height on, draws in through mode decide how many rows are hashed.
pub(super) const TALL: u32 = 512;
/// The fewest rows to hash for such a texture.
pub(super) const ROWS_MIN: u16 = 272;

/// Everything that decides a texture's name, apart from its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HashedTexture {
    pub(super) address: Address,
    pub(super) size: [u32; 2],
    /// How many rows draws have used so far; 0 if unknown.
    pub(super) rows_seen: u16,
    format: TexelFormat,
    /// Texels from a row to the next.
    row: u32,
    /// The name's lower half.
    palette: u32,
}

impl HashedTexture {
    /// Describes the texture in the registers. `palette` is the hash over palette memory.
    pub(super) fn new(registers: &Registers, palette: u32) -> Self {
        let size: TextureSize = registers.view(Opcode::TEXSIZE0);
        let number = registers.argument(Opcode::TEXFORMAT) & 15;
        let format = match TexelFormat::from_number(u8::try_from(number).unwrap_or(0)) {
            // Unknown formats count as the first.
            _ if number > u32::from(TexelFormat::DXT5.number()) => TexelFormat::BGR5650,
            format => format,
        };
        let size_word = registers.argument(Opcode::TEXSIZE0) & 0xF0F;
        let palette = if format.is_indexed() {
            palette ^ (u32::from(Opcode::CLUTFORMAT.code()) << 24 | registers.argument(Opcode::CLUTFORMAT))
        } else {
            0
        };
        Self {
            address: TextureAddress::of_level(registers, 0),
            size: [size.width_log2, size.height_log2].map(|log2| 1 << (log2 & 15)),
            rows_seen: 0,
            format,
            row: row(format, registers.argument(Opcode::TEXBUFWIDTH0)),
            palette: palette ^ size_word,
        }
    }

    /// Returns whether draws decide how many rows are hashed.
    pub(super) const fn is_tall(&self) -> bool {
        self.size[1] >= TALL
    }

    /// Identifies the textures that share a row count: all with palettes at the same address.
    pub(super) fn rows_key(&self) -> u64 {
        let low = if self.format.is_indexed() { 0 } else { self.palette };
        u64::from(self.address.get()) << 32 | u64::from(low)
    }

    /// Returns the width and height to hash.
    fn hashed_size(&self, settings: &Settings) -> [u32; 2] {
        let [width, height] = self.size;
        let rows = u32::from(self.rows_seen);
        let used = if height == TALL && rows < TALL && rows != 0 { rows } else { height };
        settings.range(self.address.get(), self.size).unwrap_or([width, used])
    }

    /// Returns which bytes to hash from the address on, as rows with a stride between them.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "PPSSPP computes with floats and cuts; memory has fewer than 2^24 bytes for any row"
    )]
    pub(super) fn extent(&self, settings: &Settings) -> Extent {
        let [width, height] = self.hashed_size(settings);
        let bits = self.format.bits();
        let part = settings.hashed_part([width, height]);
        let reduced = |bytes: u32| (bytes as f32 * part) as u32;
        if self.row > width {
            let bytes = reduced(bits.saturating_mul(width) / 8);
            return Extent { rows: height, bytes, stride: bits * self.row / 8 };
        }
        // Without gaps, the bytes are in one piece.
        let texels = self.row.saturating_mul(height).saturating_add(width - self.row);
        let mut bytes = reduced(bits.saturating_mul(texels) / 8);
        for (skipped, size) in settings.skipped_blocks.iter().zip([[128, 64], [128, 128]]) {
            if self.format == TexelFormat::DXT1 && [width, height] == size {
                bytes = bytes.saturating_sub(skipped.saturating_mul(8));
            }
        }
        Extent { rows: 1, bytes, stride: 0 }
    }

    /// Hashes the texture. The data hash is 0 for bytes in one piece that reach outside memory.
    pub(super) fn key(&self, memory: &Memory, settings: &Settings) -> Key {
        let Extent { rows, bytes, stride } = self.extent(settings);
        let mut copy = Vec::new();
        let mut row_hash = |start: Address| {
            let hash = |bytes: &[u8]| settings.hash.hash(bytes, start.get());
            memory.slice(start, bytes as usize).map_or_else(
                || {
                    copy.resize(bytes as usize, 0);
                    memory.read(start, &mut copy);
                    hash(&copy)
                },
                hash,
            )
        };
        let data = match stride {
            0 if !memory.is_mapped(self.address, bytes) => 0,
            0 => row_hash(self.address),
            _ => (0..rows).fold(0_u32, |sum, row| {
                sum.wrapping_mul(11) ^ row_hash(self.address.offset(row.wrapping_mul(stride)))
            }),
        };
        let texture = u64::from(self.address.get()) << 32 | u64::from(self.palette);
        let key = Key { texture, data };
        if settings.ignore_address { key.without_address() } else { key }
    }
}

/// The bytes to hash: `rows` times `bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) rows: u32,
    pub(super) bytes: u32,
    /// Bytes from a row to the next; 0 if the bytes are in one piece.
    pub(super) stride: u32,
}

impl Extent {
    /// Returns how many bytes the rows cover, with their gaps.
    pub(super) fn length(self) -> u32 {
        self.rows.saturating_sub(1).saturating_mul(self.stride).saturating_add(self.bytes)
    }
}

/// Returns how many bytes of palette memory to hash: the last load's, plus as many as the start skips, but no more
/// than the largest load.
pub(super) fn palette_bytes(registers: &Registers, last: u32, largest: u32) -> u32 {
    let palette: ClutFormat = registers.get();
    last.saturating_add((u32::from(palette.start) << 4) * color::bytes(palette.format)).min(largest)
}

/// Returns how many texels lie from a row to the next, rounded down to whole 16 bytes, but at least 16 bytes. For
/// compressed textures this is not rounded, only replaced if 0.
const fn row(format: TexelFormat, register: u32) -> u32 {
    let texels = register & 0x7FF;
    let least = 128 / format.bits();
    let rounded = if format.is_compressed() { texels } else { texels / least * least };
    if rounded == 0 { least } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture_pack::hash::HashKind;

    const AT: Address = Address::new(0x0880_1000);

    fn registers(format: TexelFormat, row: u32, size: u32) -> Registers {
        Registers::with([
            (Opcode::TEXADDR0, 0x80_1000),
            (Opcode::TEXBUFWIDTH0, 0x08_0000 | row),
            (Opcode::TEXSIZE0, size),
            (Opcode::TEXFORMAT, u32::from(format.number())),
            (Opcode::CLUTFORMAT, 0xFF03),
        ])
    }

    fn settings(text: &str) -> Settings {
        let mut settings = Settings::default();
        let ini = crate::texture_pack::ini::Ini::read(text.as_bytes());
        settings.read(&ini, false, &mut Vec::new()).expect("settings");
        settings
    }

    fn memory() -> Memory {
        let mut memory = Memory::default();
        let bytes: Vec<u8> =
            (0..0x2000_u32).flat_map(|number| number.wrapping_mul(0x9E37_79B1).to_le_bytes()).collect();
        memory.write(AT, &bytes);
        memory
    }

    fn bytes(start: u32, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        memory().read(AT.offset(start), &mut bytes);
        bytes
    }

    #[test]
    fn names_have_address_palette_and_size() {
        let settings = settings("[options]\nhash = xxh32");
        let xxh32 = |bytes: &[u8]| HashKind::Xxh32.hash(bytes, 0);
        let key = HashedTexture::new(&registers(TexelFormat::CLUT4, 32, 0x0304), 0x1234_5678);
        let key = key.key(&memory(), &settings);
        assert_eq!(key.address(), 0x0880_1000);
        assert_eq!(key.palette(), 0x1234_5678 ^ 0xC500_FF03 ^ 0x0304, "palette, CLUTFORMAT and size");
        // Rows with 32 texels hold 16: each 8-byte row is hashed by itself, 16 bytes apart.
        let rows = (0..8).fold(0_u32, |sum, row| sum.wrapping_mul(11) ^ xxh32(&bytes(row * 16, 8)));
        assert_eq!(key.data, rows, "rows with gaps");
        let key = HashedTexture::new(&registers(TexelFormat::CLUT8, 16, 0x0304), 1).key(&memory(), &settings);
        assert_eq!(key.data, xxh32(&bytes(0, 128)), "one piece");
        let key = HashedTexture::new(&registers(TexelFormat::BGR5650, 8, 0x0304), 1);
        let key = key.key(&memory(), &settings);
        assert_eq!(key.data, xxh32(&bytes(0, (8 * 8 + 8) * 2)), "rows that overlap, and the end of the last");
        assert_eq!(key.palette(), 0x0304, "colours have no palette");
        let key = HashedTexture::new(&registers(TexelFormat::DXT1, 0, 0x0202), 1).key(&memory(), &settings);
        let rows = (0..4).fold(0_u32, |sum, row| sum.wrapping_mul(11) ^ xxh32(&bytes(row * 16, 2)));
        assert_eq!(key.data, rows, "blocks count as rows of texels");
    }

    #[test]
    fn ranges_and_parts_decide_the_bytes() {
        let xxh64 = |bytes: &[u8]| HashKind::Xxh64.hash(bytes, 0);
        let texture = HashedTexture::new(&registers(TexelFormat::CLUT8, 16, 0x0304), 7);
        let key = |text: &str| texture.key(&memory(), &settings(&format!("[options]\nhash = xxh64\n{text}")));
        assert_eq!(key("reduceHash = true").data, xxh64(&bytes(0, 64)), "the half");
        let part = "reduceHash = true\n[reducehashranges]\n16,8 = 0.3";
        assert_eq!(key(part).data, xxh64(&bytes(0, 38)), "38.4 bytes, cut");
        assert_eq!(key("[hashranges]\n08801000,16,8 = 16,3").data, xxh64(&bytes(0, 48)), "three rows");
        let narrow = (0..3).fold(0_u32, |sum, row| sum.wrapping_mul(11) ^ xxh64(&bytes(row * 16, 5)));
        assert_eq!(key("[hashranges]\n0x08801000,16,8 = 5,3").data, narrow, "five columns of three rows");
        let other = key("ignoreAddress = true");
        assert_eq!((other.address(), other.data), (0, key("").data), "no address");
    }

    #[test]
    fn tall_textures_are_hashed_as_far_as_they_are_used() {
        let mut texture = HashedTexture::new(&registers(TexelFormat::CLUT8, 16, 0x0904), 7);
        let extent = |texture: &HashedTexture, text: &str| {
            texture.extent(&settings(&format!("[options]\nhash = quick\n{text}"))).bytes
        };
        assert_eq!(extent(&texture, ""), 16 * 512, "unknown");
        texture.rows_seen = 300;
        assert_eq!(extent(&texture, ""), 16 * 300, "used rows");
        assert_eq!(extent(&texture, "[hashranges]\n08801000,16,512 = 16,8"), 16 * 8, "a range counts first");
        texture.size = [16, 1024];
        assert_eq!(extent(&texture, ""), 16 * 1024, "only with 512 rows");
        let blocks = HashedTexture::new(&registers(TexelFormat::DXT1, 128, 0x0607), 0);
        assert_eq!(extent(&blocks, "skipLastDXT1Blocks128x64 = 3"), 128 * 64 / 2 - 24, "the last blocks");
    }

    #[test]
    fn missing_memory_has_no_hash() {
        let texture = HashedTexture {
            address: Address::new(0x0100_0000),
            ..HashedTexture::new(&registers(TexelFormat::CLUT8, 16, 0x0304), 7)
        };
        assert_eq!(texture.key(&memory(), &Settings::default()).data, 0);
    }

    #[test]
    fn palettes_are_hashed_as_far_as_they_are_loaded() {
        let bytes = |format, last, largest| {
            palette_bytes(&Registers::with([(Opcode::CLUTFORMAT, format)]), last, largest)
        };
        assert_eq!(bytes(0xFF03, 64, 1024), 64, "the last load");
        assert_eq!(bytes(0x1_FF03, 64, 1024), 64 + 16 * 4, "and what the start skips");
        assert_eq!(bytes(0x1_FF01, 64, 1024), 64 + 16 * 2, "of 16 bits");
        assert_eq!(bytes(0x4_FF03, 64, 96), 96, "as far as any load came");
    }
}
