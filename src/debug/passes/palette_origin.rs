//! Remembers who wrote the bytes from which palette memory was loaded.

use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::memory::written_bytes::{WriterSum, WriterSummary};
use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::registers::CLUT_BYTES;
use crate::pipeline::texture::Texture;

/// Bytes per block, the unit in which palettes are loaded.
const BLOCK: u32 = 32;
/// How many blocks palette memory has.
const BLOCKS: usize = CLUT_BYTES / BLOCK as usize;

/// Where each block in palette memory comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct PaletteOrigin {
    blocks: [Option<BlockOrigin>; BLOCKS],
}

/// The bytes from which a block was loaded.
#[derive(Clone, Debug)]
struct BlockOrigin {
    from: Address,
    writers: WriterSummary,
}

impl PaletteOrigin {
    /// Notes that `length` bytes are loaded to the start of palette memory.
    pub(super) fn load(
        &mut self,
        writers: &ByteWriters,
        from: Address,
        length: u32,
        translation: Translation,
    ) {
        let blocks = length.div_ceil(BLOCK) as usize;
        for (start, origin) in (0..).step_by(BLOCK as usize).zip(&mut self.blocks).take(blocks) {
            let from = from.offset(start);
            let mut sum = WriterSum::default();
            sum.add_range(writers, from, BLOCK.min(length.saturating_sub(start)), translation);
            let writers = sum.finish();
            *origin = (!writers.writers.is_empty()).then_some(BlockOrigin { from, writers });
        }
    }

    /// Notes that palette memory holds bytes from a recording.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the address and the writers for all blocks that a texture's texels can reach; `None` if no event wrote
    /// them.
    pub(super) fn of_texture(&self, levels: &[Texture]) -> Option<(Address, WriterSummary)> {
        if self.blocks.iter().all(Option::is_none) {
            return None;
        }
        let mut reached = [false; BLOCKS];
        for level in levels {
            if !level.format.is_indexed() {
                return None;
            }
            let bits = level.format.bits().saturating_sub(level.palette.shift.into()).min(8);
            for index in 0..1_u32 << bits {
                let texel = index.checked_shl(level.palette.shift.into()).unwrap_or(0);
                let byte =
                    u32::from(level.palette.entry(texel)).saturating_mul(color::bytes(level.palette.format));
                if let Some(block) = reached.get_mut((byte / BLOCK) as usize) {
                    *block = true;
                }
            }
        }
        let (mut sum, mut first) = (WriterSum::default(), None);
        let origins = reached.iter().zip(&self.blocks).filter(|(is_reached, _)| **is_reached);
        for origin in origins.filter_map(|(_, origin)| origin.as_ref()) {
            first.get_or_insert(origin.from);
            origin.writers.writers.iter().for_each(|part| sum.add(Some(part.writer), part.bytes));
            sum.add(None, origin.writers.unwritten);
        }
        Some((first?, sum.finish()))
    }
}

/// Returns how many bytes LOADCLUT loads with this argument.
pub(super) fn loaded_bytes(argument: u32) -> u32 {
    (argument & 0x3F).saturating_mul(BLOCK).min(u32::try_from(CLUT_BYTES).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::timeline::EventNumber;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    #[test]
    fn textures_reach_some_blocks() {
        let (mut writers, mut palette) = (ByteWriters::default(), PaletteOrigin::default());
        let (from, translation) = (Address::vram(0x1000), Translation::default());
        let texture = |start: u32| {
            let format = (Opcode::CLUTFORMAT, 3 | 0xFF << 8 | start << 16);
            vec![Texture::from_registers(&Registers::with([format, (Opcode::TEXFORMAT, 4)]), 0)]
        };
        palette.load(&writers, from, 1024, translation);
        assert!(palette.of_texture(&texture(0)).is_none(), "nobody wrote it");
        writers.set(from.offset(64), 4, translation, EventNumber(5));
        palette.load(&writers, from, loaded_bytes(32), translation);
        assert!(palette.of_texture(&texture(0)).is_none(), "16 colours are the first two blocks");
        let (address, found) = palette.of_texture(&texture(1)).expect("the next two");
        assert_eq!((address, found.writers.len(), found.unwritten), (from.offset(64), 1, 28), "one block");
        palette.load(&writers, from.offset(0x1000), 64, translation);
        assert!(palette.of_texture(&texture(1)).is_some(), "a shorter load keeps the rest");
        palette.forget();
        assert!(palette.of_texture(&texture(1)).is_none(), "restored");
    }
}
