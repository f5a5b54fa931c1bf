//! A texture cache line holds 16 bytes from each of 8 rows, or 4 × 8 decoded texels if the texture is compressed.
//! Source: [cache layout](crate::reference::ge::textures#cache-layout).

use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::registers::CLUT_BYTES;
use crate::pipeline::texture::{Texture, swizzle};
use crate::raster::fragments::fragment_record::StaleTexel;

/// Rows in a line.
pub(crate) const ROWS: u32 = 8;
/// Bytes in each row.
pub(crate) const ROW_BYTES: u32 = 16;
/// Bytes in a line.
const BYTES: usize = (ROWS * ROW_BYTES) as usize;

/// Identifies a line within its set. It leaves out the texture's address, width, format and swizzling, so TEXFLUSH
/// is needed to tell such textures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineTag {
    /// Mip level.
    pub(crate) level: u8,
    /// Column, counted in 16 bytes.
    pub(crate) column: u8,
    /// Band, counted in 8 rows.
    pub(crate) band: u8,
}

/// The set for a line, 0 to 15, and its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinePlace {
    pub(crate) set: u8,
    pub(crate) tag: LineTag,
}

/// Returns how many bits a texel has in the cache. Compressed texels are cached after decoding.
pub(crate) const fn cached_bits(texture: &Texture) -> u32 {
    if texture.format.is_compressed() { 32 } else { texture.format.bits() }
}

impl LinePlace {
    /// Returns the place for texel (`u`, `v`) in a mip level. Both are below 512.
    pub(crate) const fn of_texel(texture: &Texture, level: u8, [u, v]: [u32; 2]) -> Self {
        let bits = cached_bits(texture);
        let [column, ..] = (u * bits / (8 * ROW_BYTES)).to_le_bytes();
        let [band, ..] = (v / ROWS).to_le_bytes();
        Self { set: set_of(bits, column, band), tag: LineTag { level, column, band } }
    }
}

/// Returns the set for a line whose texels have this many bits.
pub(crate) const fn set_of(bits: u32, column: u8, band: u8) -> u8 {
    match bits {
        32 => column & 7 | (band & 1) << 3,
        4 => column & 1 | (band & 7) << 1,
        _ => column & 3 | (band & 3) << 2,
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CachedLine {
    pub(crate) tag: LineTag,
    pub(crate) bytes: [u8; BYTES],
    /// The mip level that this line was loaded from, to find out where its bytes came from.
    pub(crate) texture: Texture,
    /// The draw that loaded this line, or a later draw that used it while memory still had the same bytes.
    pub(crate) draw: u64,
}

impl CachedLine {
    /// Loads a line from a mip level in memory.
    pub(crate) fn load(memory: &Memory, texture: &Texture, tag: LineTag, draw: u64) -> Self {
        Self { tag, bytes: load(memory, texture, tag), texture: *texture, draw }
    }

    /// Returns whether memory still has this line's bytes for a mip level.
    pub(crate) fn is_current(&self, memory: &Memory, texture: &Texture) -> bool {
        self.bytes == load(memory, texture, self.tag)
    }

    /// Returns the stored bits for texel (`u`, `v`), as [`Texture::stored`] does.
    pub(crate) fn stored(&self, texture: &Texture, [u, v]: [u32; 2]) -> u32 {
        let bits = cached_bits(texture);
        let start = (v % ROWS * ROW_BYTES + u * bits / 8 % ROW_BYTES) as usize;
        let byte = |nth: usize| self.bytes.get(start + nth).copied().unwrap_or(0);
        match bits {
            4 => u32::from(byte(0) >> (4 * (u & 1)) & 15),
            8 => byte(0).into(),
            16 => u16::from_le_bytes([byte(0), byte(1)]).into(),
            _ => u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]),
        }
    }

    /// Returns where a texel came from if memory now has other bits for it.
    pub(crate) fn stale(
        &self,
        memory: &Memory,
        texture: &Texture,
        at @ [u, v]: [u32; 2],
    ) -> Option<StaleTexel> {
        (self.stored(texture, at) != texture.stored(memory, u, v)).then(|| StaleTexel {
            texture: self.texture.address,
            address: self.origin(texture, at),
            draw: self.draw,
        })
    }

    /// Returns the address from which this line got its bytes for texel (`u`, `v`).
    fn origin(&self, texture: &Texture, [u, v]: [u32; 2]) -> Address {
        // The line may come from a texture with another texel size, so the column is converted by way of bits.
        let bits = u * cached_bits(texture);
        self.texture.texel_address(bits / cached_bits(&self.texture), v)
    }
}

/// Reads the bytes for a line from memory.
fn load(memory: &Memory, texture: &Texture, LineTag { column, band, .. }: LineTag) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let [x, first_row] = [u32::from(column) * ROW_BYTES, u32::from(band) * ROWS];
    if texture.format.is_compressed() {
        let texels =
            (0..ROWS).flat_map(|row| (0..ROW_BYTES / 4).map(move |column| [x / 4 + column, first_row + row]));
        // Compressed formats have no palette, so an empty palette serves.
        for (to, [u, v]) in bytes.chunks_exact_mut(4).zip(texels) {
            to.copy_from_slice(&texture.texel(memory, &[0; CLUT_BYTES], u, v));
        }
    } else if texture.swizzled {
        // A swizzled layout stores each line as a block, so a single read is enough.
        memory.read(texture.address.offset(swizzle::offset(x, first_row, texture.row_bytes)), &mut bytes);
    } else {
        for (row, to) in (first_row..).zip(bytes.chunks_exact_mut(ROW_BYTES as usize)) {
            memory.read(texture.address.offset(row * texture.row_bytes + x), to);
        }
    }
    bytes
}
