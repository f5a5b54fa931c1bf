//! A draw's texture state: where its mip levels are in memory, and decoded palettes.

use std::ops::Range;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::texel_copies::TexelCopies;
use crate::ge::address::{Region, VRAM_SIZE, VramView};
use crate::ge::memory::{Memory, Version};
use crate::ge::registers::texture::{TexelFormat, TextureMode, TextureWrap};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::palette::Palette;
use crate::pipeline::texture::{MAX_LEVEL, MAX_SIZE, Texture, dxt, swizzle};
use crate::raster::fast::depth_cache::enclosing_blocks;
use crate::raster::rules::lod::LodSelector;
use crate::raster::rules::sampler::Sampler;
use crate::raster::rules::texel_source::TexelSource;

/// Palette colours, indexed by bytes in the texture. If a byte holds two 4-bit indices, the table's first half is
/// for the lower index and its second half for the upper. This saves splitting bytes.
pub(super) type ClutTable = [u32; 512];

const CLUT4_ENTRIES: usize = 16;
const MAX_TABLES: usize = 16;

/// Recently decoded palettes, for draws to share.
#[derive(Debug, Default)]
pub(crate) struct ClutTableCache {
    tables: ArrayVec<CachedTable, MAX_TABLES>,
    next_victim: usize,
}

#[derive(Debug)]
struct CachedTable {
    palette: Palette,
    /// How many different indices there are.
    count: usize,
    clut: Arc<[u8; CLUT_BYTES]>,
    table: Arc<ClutTable>,
}

impl ClutTableCache {
    /// Looks up colours for all indices below `count`.
    fn look_up(&mut self, palette: Palette, count: usize, clut: &Arc<[u8; CLUT_BYTES]>) -> Arc<ClutTable> {
        let same_clut = |cached: &CachedTable| Arc::ptr_eq(&cached.clut, clut) || *cached.clut == **clut;
        let same =
            |cached: &&CachedTable| cached.palette == palette && cached.count == count && same_clut(cached);
        if let Some(cached) = self.tables.iter().find(same) {
            return Arc::clone(&cached.table);
        }
        let mut table = [0; 512];
        for (index, color) in (0..).zip(table.iter_mut().take(count)) {
            *color = u32::from_le_bytes(palette.color(clut, index));
        }
        // With two indices in a byte, the lower 4 bits select from the first half, the upper 4 from the second.
        if count == CLUT4_ENTRIES {
            let (colors, mut pairs) = (table, table);
            let (lower, upper) = pairs.split_at_mut(256);
            for lower in lower.chunks_exact_mut(CLUT4_ENTRIES) {
                lower.copy_from_slice(&colors[..CLUT4_ENTRIES]);
            }
            for (upper, color) in upper.chunks_exact_mut(CLUT4_ENTRIES).zip(&colors) {
                upper.fill(*color);
            }
            table = pairs;
        }
        let table = Arc::new(table);
        let entry = CachedTable { palette, count, clut: Arc::clone(clut), table: Arc::clone(&table) };
        if self.tables.is_full() {
            self.tables[self.next_victim] = entry;
            self.next_victim = (self.next_victim + 1) % MAX_TABLES;
        } else {
            self.tables.push(entry);
        }
        table
    }
}

/// Tells where a mip level's bytes are.
#[derive(Clone, Debug)]
pub(super) enum TexelStorage {
    /// Offset in main RAM.
    Ram(usize),
    /// Offset in the linear view of VRAM.
    Vram(usize),
    /// A copy, if the bytes are not contiguous in RAM or linear VRAM, or if the draw changes them.
    Copy(CopiedTexels),
}

/// A copy of a mip level's bytes.
#[derive(Clone, Debug)]
pub(crate) struct CopiedTexels {
    /// Empty until [`TextureState::copy_texels`].
    pub(crate) bytes: Arc<Vec<u8>>,
    /// The linear VRAM bytes that this may be copied from.
    pub(crate) vram: Range<usize>,
}

/// A mip level, found in memory.
#[derive(Clone, Debug)]
pub(crate) struct MipLevel {
    pub(crate) texture: Texture,
    pub(super) storage: TexelStorage,
    /// The bytes' version, if they are in main RAM.
    pub(super) ram_version: Option<Version>,
    /// How many bytes the texels span.
    pub(super) byte_len: usize,
    /// How many texels a unit of the coordinates spans.
    pub(crate) scale: [f64; 2],
    /// Last column and row.
    pub(crate) last: [i32; 2],
    pub(super) clut_table: Option<Arc<ClutTable>>,
}

/// A draw's texture.
#[derive(Clone, Debug)]
pub(crate) struct TextureState {
    pub(crate) levels: ArrayVec<MipLevel, { MAX_LEVEL as usize + 1 }>,
    pub(crate) lod: LodSelector,
    pub(crate) wrap: TextureWrap,
    /// Palette memory, because some indices are too wide for a table.
    pub(crate) clut: Option<Arc<[u8; CLUT_BYTES]>>,
}

impl TextureState {
    pub(crate) fn new(
        memory: &Memory,
        registers: &Registers,
        through: bool,
        tables: &mut ClutTableCache,
    ) -> Self {
        let lod = LodSelector::from_registers(registers);
        // If all draws with this texture use a single level, the others need not be located.
        let last = match lod.constant() {
            Some(selection) if selection.fraction == 0 => selection.level,
            _ => registers.get::<TextureMode>().max_level,
        };
        let mut levels = ArrayVec::<MipLevel, { MAX_LEVEL as usize + 1 }>::new();
        let mut clut = None;
        for number in 0..=last.min(MAX_LEVEL) {
            let texture = Texture::from_registers(registers, number);
            let byte_len = byte_extent(&texture);
            let size = [texture.width(), texture.height()];
            let scale = match levels.first() {
                _ if !through => size.map(f64::from),
                None => [1.0; 2],
                Some(first) => {
                    let [width, height] = [first.texture.width(), first.texture.height()].map(f64::from);
                    [f64::from(size[0]) / width, f64::from(size[1]) / height]
                }
            };
            let clut_table = match texture.format {
                TexelFormat::CLUT4 => {
                    Some(tables.look_up(texture.palette, CLUT4_ENTRIES, registers.shared_clut()))
                }
                TexelFormat::CLUT8 => Some(tables.look_up(texture.palette, 256, registers.shared_clut())),
                TexelFormat::CLUT16 | TexelFormat::CLUT32 => {
                    clut.get_or_insert_with(|| Arc::clone(registers.shared_clut()));
                    None
                }
                _ => None,
            };
            let storage = locate_texels(memory, &texture, byte_len);
            let ram_version = match storage {
                TexelStorage::Ram(_) => memory.version(texture.address, byte_len),
                _ => None,
            };
            levels.push(MipLevel {
                texture,
                storage,
                ram_version,
                byte_len,
                scale,
                last: size.map(|size| (size.min(MAX_SIZE) - 1).cast_signed()),
                clut_table,
            });
        }
        Self { levels, lod, wrap: registers.get(), clut }
    }

    /// Returns whether the texels are still in the same memory and have not changed since, as far as this is
    /// recorded. Returns `false` for copies.
    pub(crate) fn is_current(&self, memory: &Memory) -> bool {
        self.levels.iter().all(|level| match level.storage {
            TexelStorage::Ram(_) => {
                let version = memory.version(level.texture.address, level.byte_len);
                version.is_some() && version == level.ram_version
            }
            TexelStorage::Vram(_) => true,
            TexelStorage::Copy(_) => false,
        })
    }

    /// Returns whether any level must be copied.
    pub(crate) fn has_copies(&self) -> bool {
        self.levels.iter().any(|level| matches!(level.storage, TexelStorage::Copy(_)))
    }

    /// Copies the bytes for levels that need it, or shares an earlier copy.
    pub(crate) fn copy_texels(&mut self, memory: &Memory, copies: &mut TexelCopies) {
        for level in &mut self.levels {
            if let TexelStorage::Copy(copied) = &mut level.storage {
                copied.bytes = copies.copy(memory, level.texture.address, level.byte_len, &copied.vram);
            }
        }
    }

    /// Requires a copy of each level in VRAM.
    pub(crate) fn require_copies(&mut self) {
        for level in &mut self.levels {
            if let TexelStorage::Vram(start) = level.storage {
                let vram = start..start + level.byte_len;
                level.storage = TexelStorage::Copy(CopiedTexels { bytes: Arc::default(), vram });
            }
        }
    }

    /// Sets up a search for a primitive's texels. Returns `None` for a triangle without area.
    pub(crate) fn texel_source(&self, primitive: &ScreenPrimitive) -> Option<TexelSource<'static>> {
        let levels = self.levels.iter().map(|level| level.texture).collect();
        let sampler = Sampler::of_levels(levels, self.wrap, primitive.through, primitive.arithmetic);
        TexelSource::with_sampler(sampler, self.lod, primitive)
    }

    /// Returns how many bytes are copied.
    pub(crate) fn copied_bytes(&self) -> u64 {
        let copies = self.levels.iter().filter(|level| matches!(level.storage, TexelStorage::Copy(_)));
        copies.map(|level| level.byte_len as u64).sum()
    }

    /// Lists the linear VRAM bytes from which texels are read while the draw is filled.
    pub(crate) fn vram_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.levels.iter().filter_map(|level| match level.storage {
            TexelStorage::Vram(start) => Some(start..start + level.byte_len),
            TexelStorage::Ram(_) | TexelStorage::Copy(_) => None,
        })
    }

    /// Lists the linear VRAM bytes that are copied before the draw.
    pub(crate) fn copied_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.levels.iter().filter_map(|level| match &level.storage {
            TexelStorage::Copy(copied) if !copied.vram.is_empty() => Some(copied.vram.clone()),
            _ => None,
        })
    }
}

/// Counts how many bytes a level's texels span.
fn byte_extent(texture: &Texture) -> usize {
    let (column, row) = (texture.width().min(MAX_SIZE) - 1, texture.height().min(MAX_SIZE) - 1);
    let bits = texture.format.bits();
    let bytes = if texture.format.is_compressed() {
        let block = bits * dxt::BLOCK * dxt::BLOCK / 8;
        row / dxt::BLOCK * texture.row_bytes + column / dxt::BLOCK * block + block
    } else {
        let x = column * bits / 8;
        if texture.swizzled {
            let [right, bottom] = [x | (swizzle::BLOCK_WIDTH - 1), row | (swizzle::BLOCK_HEIGHT - 1)];
            swizzle::offset(right, bottom, texture.row_bytes) + 1
        } else {
            row * texture.row_bytes + x + bits.div_ceil(8)
        }
    };
    bytes as usize
}

fn locate_texels(memory: &Memory, texture: &Texture, byte_len: usize) -> TexelStorage {
    if memory.is_contiguous(texture.address, byte_len) {
        match texture.address.region() {
            Region::Ram(offset) => return TexelStorage::Ram(offset as usize),
            Region::Vram(VramView::Linear, offset) => return TexelStorage::Vram(offset as usize),
            _ => {}
        }
    }
    let end = texture.address.offset(u32::try_from(byte_len).unwrap_or(u32::MAX));
    let vram = match texture.address.region() {
        Region::Vram(view, offset)
            if view != VramView::Linear && offset as usize + byte_len <= VRAM_SIZE as usize =>
        {
            enclosing_blocks(&(offset as usize..offset as usize + byte_len), memory.translation())
        }
        // A range may pass the end of its view and go on in the next, so any byte of VRAM may be among its bytes.
        Region::Vram(..) => 0..VRAM_SIZE as usize,
        _ if end.is_vram() => 0..VRAM_SIZE as usize,
        _ => 0..0,
    };
    TexelStorage::Copy(CopiedTexels { bytes: Arc::default(), vram })
}
