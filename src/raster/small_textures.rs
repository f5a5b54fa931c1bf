//! The texture cache, as far as primitives see it that sample their own target.
//!
//! The hardware keeps 8 KiB of texels, and neither drawing nor writes of the CPU refresh them: only TEXFLUSH
//! does. A primitive that samples its own target therefore sees it as before the primitive
//! ([`super::reference`] fetches all texels first), and a target of at most 8 KiB stays as it was first
//! sampled, over several draws. Larger textures replace their own lines in the cache, so each primitive sees
//! them anew. Textures that are not the target always show memory: programs flush the cache after they write
//! such textures.
//! Source: [self-sampling](crate::reference::ge::textures#self-sampling).

use arrayvec::ArrayVec;

use super::pixel_rect::PixelRect;
use crate::ge::address::{Region, VramView};
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::{self, MAX_LEVEL, Texture, content_hash};

/// Size of the texture cache in bytes.
const CACHE_BYTES: u32 = 8192;

/// The mip levels of a texture.
type Levels = ArrayVec<Texture, { MAX_LEVEL as usize + 1 }>;

/// The last small texture that a draw sampled while it drew there.
#[derive(Clone, Debug, Default)]
pub(crate) struct SmallTextureCache {
    kept: Option<KeptTexture>,
}

/// A texture with the bytes of its levels, one after the other.
#[derive(Clone, Debug)]
struct KeptTexture {
    /// Number of TEXFLUSH commands before it was read.
    flushes: u64,
    levels: Levels,
    bytes: Vec<u8>,
}

impl SmallTextureCache {
    /// Returns the number of bytes of the texture that is kept.
    pub(crate) fn size(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.bytes.len())
    }

    /// Returns whether the texture of a draw with these registers is the one that is kept. `flushes` is the number of
    /// TEXFLUSH commands so far.
    pub(crate) fn keeps(&self, registers: &Registers, flushes: u64) -> bool {
        let kept = self.kept.as_ref().filter(|kept| kept.flushes == flushes);
        kept.is_some_and(|kept| small_own_target(registers).as_ref() == Some(&kept.levels))
    }

    /// Calls `fetch` with memory as a draw samples it. `flushes` is the number of TEXFLUSH commands so far.
    pub(crate) fn fetch<T>(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        flushes: u64,
        fetch: impl FnOnce(&Memory) -> T,
    ) -> T {
        let Some(levels) = small_own_target(registers) else { return fetch(memory) };
        let current = read(memory, &levels);
        match &self.kept {
            Some(kept) if kept.flushes == flushes && kept.levels == levels => {
                write(memory, &levels, &kept.bytes);
                let fetched = fetch(memory);
                write(memory, &levels, &current);
                fetched
            }
            _ => {
                self.kept = Some(KeptTexture { flushes, levels, bytes: current });
                fetch(memory)
            }
        }
    }
}

/// Returns the mip levels of a draw's texture if all together fit in the cache and one of them lies in the
/// pixels that the draw may write.
#[must_use]
pub(crate) fn small_own_target(registers: &Registers) -> Option<Levels> {
    if !texture::is_used(registers) {
        return None;
    }
    let mut levels = Levels::new();
    let mut bytes = 0;
    for texture in content_hash::levels(registers) {
        bytes += texture.bytes();
        if bytes > CACHE_BYTES {
            return None;
        }
        levels.push(texture);
    }
    let target = target_bytes(registers)?;
    let overlaps = |texture: &Texture| match texture.address.region() {
        Region::Vram(VramView::Linear, start) => {
            let start = i64::from(start);
            start < target.end && start + i64::from(texture.bytes()) > target.start
        }
        _ => false,
    };
    levels.iter().any(overlaps).then_some(levels)
}

/// Returns the bytes of linear VRAM from the first to the last pixel inside the scissor, or `None` if the
/// scissor is empty.
fn target_bytes(registers: &Registers) -> Option<std::ops::Range<i64>> {
    let PixelRect { x, y } = PixelRect::scissor(registers);
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let surface = ColorSurface::from_registers(registers);
    let (stride, size) = (i64::from(surface.stride), i64::from(color::bytes(surface.format)));
    let at = |x: i64, y: i64| i64::from(surface.address) + (y * stride + x) * size;
    Some(at(x.start, y.start)..at(x.end, y.end - 1))
}

fn read(memory: &Memory, levels: &Levels) -> Vec<u8> {
    let mut bytes = Vec::new();
    for level in levels {
        let start = bytes.len();
        bytes.resize(start + level.bytes() as usize, 0);
        memory.read(level.address, &mut bytes[start..]);
    }
    bytes
}

fn write(memory: &mut Memory, levels: &Levels, bytes: &[u8]) {
    let mut rest = bytes;
    for level in levels {
        let (level_bytes, next) = rest.split_at((level.bytes() as usize).min(rest.len()));
        memory.write(level.address, level_bytes);
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::opcode::Opcode;

    /// A target of 8888 pixels at 0x1000, 64 a row, and a texture of 8888 texels at the same place.
    fn registers(texture_log2: u32, texture: u32) -> Registers {
        Registers::with([
            (Opcode::FRAMEBUFPTR, 0x1000),
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 15 | 15 << 10),
            (Opcode::REGION2, 15 | 15 << 10),
            (Opcode::TEXENABLE, 1),
            (Opcode::TEXADDR0, texture),
            (Opcode::TEXBUFWIDTH0, 0x04_0040),
            (Opcode::TEXSIZE0, texture_log2 | texture_log2 << 8),
            (Opcode::TEXFORMAT, 3),
        ])
    }

    #[test]
    fn only_small_textures_in_the_target_count() {
        let counts = |log2, texture| small_own_target(&registers(log2, texture)).is_some();
        assert!(counts(4, 0x1000), "16 rows of 256 bytes");
        assert!(!counts(6, 0x1000), "64 rows are 16 KiB");
        assert!(counts(4, 0x1100), "from the second row on");
        assert!(!counts(4, 0x2000), "after the last row of the scissor");
        assert!(counts(4, 0x0080), "reaches into the target");
        let mut cleared = registers(4, 0x1000);
        cleared.write(crate::ge::command::Command::new(Opcode::CLEARMODE, 1));
        assert!(small_own_target(&cleared).is_none(), "clear mode has no texture");
    }

    #[test]
    fn a_small_target_stays_until_it_is_flushed() {
        let (mut memory, registers) = (Memory::default(), registers(4, 0x1000));
        let mut cache = SmallTextureCache::default();
        let mut texel = |memory: &mut Memory, flushes| {
            cache.fetch(memory, &registers, flushes, |memory| memory.read_u8(Address::vram(0x1000)))
        };
        memory.write(Address::vram(0x1000), &[1]);
        assert_eq!(texel(&mut memory, 0), 1, "as first read");
        memory.write(Address::vram(0x1000), &[2]);
        assert_eq!(texel(&mut memory, 0), 1, "drawing does not refresh the cache");
        assert_eq!(memory.read_u8(Address::vram(0x1000)), 2, "memory itself is unchanged");
        assert_eq!(texel(&mut memory, 1), 2, "TEXFLUSH empties it");
    }
}
