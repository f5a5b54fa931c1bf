//! Puts texels into unused memory, and describes the texture for draws to sample them.

use image::RgbaImage;

use crate::debug::memory::free_ram::FreeRam;
use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::Change;
use crate::ge::registers::field::{Hex, Register, View};
use crate::ge::registers::texture::{TexelFormat, TextureBufferWidth, TextureFormat, TextureMode};

pub(super) struct PlacedTexels<'m> {
    free: FreeRam,
    memory: &'m mut Memory,
}

impl<'m> PlacedTexels<'m> {
    pub(super) fn new(memory: &'m mut Memory) -> Self {
        Self { free: FreeRam::find(memory), memory }
    }

    /// Puts a texture's levels into memory, the largest first. Returns the changes to make draws sample them, or
    /// `None` if memory has no room. TEXSIZE stays as it is.
    pub(super) fn put(&mut self, levels: &[RgbaImage]) -> Option<Vec<Change>> {
        let all = |opcode, bits| Change::Register { opcode, mask: 0xFF_FFFF, bits };
        let mut changes = Vec::new();
        for (level, picture) in (0_u8..).zip(levels) {
            let (width, height) = picture.dimensions();
            let stride = width.max(4);
            let texels = self.free.take(stride * height * 4)?;
            self.write(texels, stride, picture);
            let width = u16::try_from(stride).or_never("a level has at most 512 texels in a row");
            let row = TextureBufferWidth { width, high: Hex(texels.get() >> 24) };
            changes.push(all(Opcode::TEXADDR0.plus(level), texels.get() & 0xFF_FFFF));
            changes.push(all(Opcode::TEXBUFWIDTH0.plus(level), row.to_argument()));
        }
        let max_level = u8::try_from(levels.len().saturating_sub(1)).or_never("a texture has 8 levels");
        let mode = TextureMode { max_level, ..TextureMode::default() };
        let format = TextureFormat { format: TexelFormat::ABGR8888 };
        changes.push(all(TextureFormat::OPCODE, format.to_argument()));
        changes.push(all(TextureMode::OPCODE, mode.to_argument()));
        // The list flushes the cache only for its own textures, so the cache may still hold texels from the replaced
        // texture.
        changes.push(Change::Uncached);
        Some(changes)
    }

    fn write(&mut self, texels: Address, stride: u32, picture: &RgbaImage) {
        for (row, pixels) in (0..).zip(picture.rows()) {
            let bytes: Vec<u8> = pixels.flat_map(|pixel| pixel.0).collect();
            self.memory.write(texels.offset(row * stride * 4), &bytes);
        }
    }
}
