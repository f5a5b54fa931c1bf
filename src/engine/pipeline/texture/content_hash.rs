//! Hashes textures and palettes by their stored bytes, to give equal textures the same name wherever they are in
//! memory.
//!
//! # Invariants
//! A hash depends on bytes alone: not on addresses, gaps between rows, or the machine. Textures with equal hashes
//! can differ in size and format, so compare these, too.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::pipeline::texture::content_hash::{self, ContentHash};
//! use pspge::{Memory, Opcode, Registers};
//!
//! let registers = Registers::with([(Opcode::TEXSIZE0, 0x0303), (Opcode::TEXFORMAT, 5)]);
//! let hash: ContentHash = content_hash::texture(&Memory::default(), &registers);
//! assert_eq!(hash, ContentHash::of(&[0; 64]), "8x8 texels of missing memory");
//! assert_eq!(hash.to_string().parse(), Ok(hash));
//! ```

use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;

use twox_hash::XxHash3_64;

use super::{MAX_LEVEL, StoredRows, Texture};
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::texture::{ClutFormat, PixelFormat, TexelFormat, TextureFormat, TextureMode};
use crate::ge::registers::{CLUT_BYTES, Registers};

/// A 64-bit hash over bytes: XXH3 with seed 0. This prints as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct ContentHash(pub u64);

impl ContentHash {
    /// Computes the hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(XxHash3_64::oneshot(bytes))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ContentHash {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContentHash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A 64-bit hash of bytes: XXH3 with seed 0, as 16 hexadecimal digits.",
            "pattern": "^[0-9a-f]{16}$"
        })
    }
}

impl FromStr for ContentHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = u64::from_str_radix(text, 16).ok().filter(|_| is_hash);
        value.map(Self).ok_or("expected 16 hexadecimal digits")
    }
}

/// Hashes the texture in the registers. This covers the stored texels in all levels, 0 to the highest in TEXMODE,
/// without the gaps between rows. Missing memory reads as 0.
///
/// This reads up to 8 MiB, see [`bytes`]. If a sink still has pending draws, flush them first, because they may
/// change the texture.
#[must_use]
pub fn texture(memory: &Memory, registers: &Registers) -> ContentHash {
    let mut hasher = XxHash3_64::with_seed(0);
    for level in levels(registers) {
        add(&mut hasher, memory, &level);
    }
    ContentHash(hasher.finish())
}

/// Hashes a single level's stored texels, without the gaps between rows.
#[must_use]
#[doc(hidden)]
pub fn level(memory: &Memory, level: &Texture) -> ContentHash {
    let mut hasher = XxHash3_64::with_seed(0);
    add(&mut hasher, memory, level);
    ContentHash(hasher.finish())
}

/// Returns how many bytes [`texture`] reads, to charge them against a limit.
#[must_use]
#[doc(hidden)]
pub fn bytes(registers: &Registers) -> u64 {
    levels(registers).map(|level| stored_bytes(&level)).sum()
}

/// Hashes the current texture's palette, or returns `None` if its texels are not palette indices.
///
/// This covers only the entries that texels can reach, in rising order. Shift, mask, start and an index's width
/// decide which these are. For this reason a palette of 16 colours has the same hash whatever follows it in palette
/// memory.
#[must_use]
pub fn palette(registers: &Registers) -> Option<ContentHash> {
    let index_bits = index_bits(registers.get::<TextureFormat>().format)?;
    let format = registers.get::<ClutFormat>().format;
    let mut reached = [false; ENTRIES_MAX];
    for level in levels(registers) {
        // The mask has 8 bits, so higher bits have no effect and 8 index bits reach every entry.
        let usable = index_bits.saturating_sub(u32::from(level.palette.shift)).min(8);
        for index in 0..1_u32 << usable {
            let texel = index.checked_shl(level.palette.shift.into()).unwrap_or(0);
            if let Some(entry) = reached.get_mut(usize::from(level.palette.entry(texel))) {
                *entry = true;
            }
        }
    }
    let colors = registers.clut();
    let mut hasher = XxHash3_64::with_seed(0);
    for (entry, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
        hasher.write(entry_bytes(colors, format, entry));
    }
    Some(ContentHash(hasher.finish()))
}

/// How many entries palette memory has if each has 16 bits.
const ENTRIES_MAX: usize = CLUT_BYTES / 2;

fn entry_bytes(colors: &[u8; CLUT_BYTES], format: PixelFormat, entry: usize) -> &[u8] {
    let size = color::bytes(format) as usize;
    let start = entry * size;
    colors.get(start..start + size).unwrap_or_default()
}

/// Returns how many bits a palette index has in this format, or `None` if texels are colours.
const fn index_bits(format: TexelFormat) -> Option<u32> {
    match format {
        TexelFormat::CLUT4 => Some(4),
        TexelFormat::CLUT8 => Some(8),
        TexelFormat::CLUT16 => Some(16),
        TexelFormat::CLUT32 => Some(32),
        _ => None,
    }
}

/// Returns the levels of the texture in the registers, largest first.
#[doc(hidden)]
pub fn levels(registers: &Registers) -> impl Iterator<Item = Texture> + '_ {
    let highest = registers.get::<TextureMode>().max_level.min(MAX_LEVEL);
    (0..=highest).map(|level| Texture::from_registers(registers, level))
}

fn stored_bytes(level: &Texture) -> u64 {
    let rows = level.stored_rows();
    u64::from(rows.count) * u64::from(rows.bytes)
}

fn add(hasher: &mut XxHash3_64, memory: &Memory, level: &Texture) {
    let StoredRows { count, bytes, stride } = level.stored_rows();
    let mut copy = Vec::new();
    for row in 0..count {
        let start = level.address.offset(row.wrapping_mul(stride));
        match memory.slice(start, bytes as usize) {
            Some(texels) => hasher.write(texels),
            // This row crosses a gap in memory or a permuted view, so no slice covers it.
            None => {
                copy.resize(bytes as usize, 0);
                memory.read(start, &mut copy);
                hasher.write(&copy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::opcode::Opcode;

    /// Registers for an 8-bit texture with 16×8 texels at `address` and rows of `width` bytes.
    fn registers(address: u32, width: u32, swizzled: u32) -> Registers {
        Registers::with([
            (Opcode::TEXADDR0, address),
            (Opcode::TEXBUFWIDTH0, 0x08_0000 | width),
            (Opcode::TEXSIZE0, 0x0304),
            (Opcode::TEXMODE, swizzled),
            (Opcode::TEXFORMAT, 5),
            (Opcode::CLUTFORMAT, 0xFF03),
        ])
    }

    /// Stores the texels 0, 1, 2 …, in rows `stride` bytes apart, with other bytes between the rows.
    fn stored(address: u32, stride: u32, gap: u8) -> Memory {
        let mut memory = Memory::default();
        let start = Address::new(0x0800_0000 | address);
        memory.fill(start, gap, 8 * stride);
        for (row, first) in (0..8).zip((0_u8..128).step_by(16)) {
            let texels: Vec<u8> = (first..first + 16).collect();
            memory.write(start.offset(row * stride), &texels);
        }
        memory
    }

    #[test]
    fn depends_on_texels_alone() {
        let expected = ContentHash::of(&(0..128).collect::<Vec<u8>>());
        for (address, width, gap) in [(0x80_0000, 16, 0), (0x90_0010, 64, 7), (0x90_0010, 64, 9)] {
            let memory = stored(address, width, gap);
            assert_eq!(texture(&memory, &registers(address, width, 0)), expected, "rows of {width} bytes");
        }
        let mut memory = stored(0x80_0000, 16, 0);
        memory.write_u8(Address::new(0x0880_007F), 0);
        assert_ne!(texture(&memory, &registers(0x80_0000, 16, 0)), expected, "the last texel differs");
        let swizzled = texture(&stored(0x80_0000, 16, 0), &registers(0x80_0000, 16, 1));
        assert_eq!(swizzled, expected, "one swizzled block has its bytes in order");
    }

    #[test]
    fn levels_follow_one_another() {
        let memory = stored(0x80_0000, 16, 0);
        let mut registers = registers(0x80_0000, 16, 0x01_0000);
        for (opcode, argument) in [(Opcode::TEXADDR1, 0x80_0000), (Opcode::TEXBUFWIDTH1, 0x08_0010)] {
            registers.write(crate::ge::command::Command::new(opcode, argument));
        }
        let both: Vec<u8> = (0..128).chain([0]).collect();
        assert_eq!(texture(&memory, &registers), ContentHash::of(&both), "the second level is one texel");
        assert_eq!(bytes(&registers), 129, "bytes that are read");
        assert_eq!(levels(&registers).count(), 2, "levels");
    }

    #[test]
    fn missing_and_permuted_memory_is_read_like_any_other() {
        let mut memory = Memory::default();
        let unmapped = Registers::with([(Opcode::TEXSIZE0, 0x0304), (Opcode::TEXFORMAT, 5)]);
        assert_eq!(texture(&memory, &unmapped), ContentHash::of(&[0; 128]), "missing memory is 0");
        let view = Address::new(0x0420_0000);
        let texels: Vec<u8> = (0..128).collect();
        memory.write(view, &texels);
        let mut permuted = registers(0x20_0000, 16, 0);
        permuted.write(crate::ge::command::Command::new(Opcode::TEXBUFWIDTH0, 0x04_0010));
        assert_eq!(texture(&memory, &permuted), ContentHash::of(&texels), "a permuted view");
    }

    #[test]
    fn palettes_count_only_reachable_entries() {
        let mut registers = Registers::with([(Opcode::TEXFORMAT, 4), (Opcode::CLUTFORMAT, 0xFF03)]);
        for (entry, byte) in registers.clut_mut().iter_mut().enumerate() {
            *byte = entry.to_le_bytes()[0];
        }
        let expected = ContentHash::of(&(0..64).collect::<Vec<u8>>());
        assert_eq!(palette(&registers), Some(expected), "16 colours of 4 bytes");
        registers.clut_mut()[64..].fill(0xEE);
        assert_eq!(palette(&registers), Some(expected), "colours after them do not count");
        registers.write(crate::ge::command::Command::new(Opcode::CLUTFORMAT, 0x1_FF03));
        assert_eq!(palette(&registers), Some(ContentHash::of(&[0xEE; 64])), "entries 16 to 31");
        registers.write(crate::ge::command::Command::new(Opcode::CLUTFORMAT, 0x0003));
        assert_eq!(palette(&registers), Some(ContentHash::of(&[0, 1, 2, 3])), "a mask of 0 leaves one entry");
        registers.write(crate::ge::command::Command::new(Opcode::TEXFORMAT, 3));
        assert_eq!(palette(&registers), None, "texels are colours");
        for format in [6, 7] {
            registers.write(crate::ge::command::Command::new(Opcode::TEXFORMAT, format));
            registers.write(crate::ge::command::Command::new(Opcode::CLUTFORMAT, 0xFF7F));
            assert!(palette(&registers).is_some(), "the largest shift");
        }
    }

    #[test]
    fn text_reads_back() {
        let hash = ContentHash(0x0123_4567_89AB_CDEF);
        assert_eq!(hash.to_string(), "0123456789abcdef", "leading zeros are kept");
        assert_eq!("0123456789abcdef".parse(), Ok(hash), "and read");
        for wrong in ["", "123", "+123456789abcdef", "0123456789abcdeg", "00123456789abcdef"] {
            assert!(wrong.parse::<ContentHash>().is_err(), "{wrong}");
        }
    }
}
