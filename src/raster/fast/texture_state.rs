//! Where a draw's texels come from: its mipmap levels as bytes, and palettes as tables.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::ge::address::{Region, VRAM_SIZE, VramView};
use crate::ge::memory::Memory;
use crate::ge::registers::texture::{TexelFormat, TextureMode, TextureWrap};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::texture::palette::Palette;
use crate::pipeline::texture::{self, MAX_LEVEL, MAX_SIZE, Texture, dxt, swizzle};
use crate::raster::lod::LodSelector;

/// A palette's colours, by bytes of the texture. Where bytes hold two indices of four bits, the first half is for the
/// lower one, the second half for the upper one.
pub(super) type ClutTable = [u32; 512];

/// Values of four bits.
const CLUT4_ENTRIES: usize = 16;
/// Tables that were made lately.
const MAX_TABLES: usize = 16;

/// Palettes decoded lately, so that draws with the same one share it.
#[derive(Debug, Default)]
pub(super) struct ClutTableCache {
    tables: ArrayVec<CachedTable, MAX_TABLES>,
    next_victim: usize,
}

#[derive(Debug)]
struct CachedTable {
    palette: Palette,
    /// How many raw indices there are.
    count: usize,
    clut: Arc<[u8; CLUT_BYTES]>,
    table: Arc<ClutTable>,
}

impl ClutTableCache {
    /// The colours of raw indices below `count`.
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

/// Where a level's bytes lie.
#[derive(Clone, Debug)]
pub(super) enum TexelStorage {
    /// In main RAM, from this offset on.
    Ram(usize),
    /// In the linear view of VRAM, from this offset on.
    Vram(usize),
    /// Somewhere that has no order of its own; copied.
    Copy(Arc<Vec<u8>>),
}

/// One mipmap level.
#[derive(Clone, Debug)]
pub(super) struct MipLevel {
    pub(super) texture: Texture,
    pub(super) storage: TexelStorage,
    /// How many bytes texels can lie in.
    pub(super) byte_len: usize,
    /// Texels for one unit of the coordinates.
    pub(super) scale: [f64; 2],
    /// Last column and row that exist.
    pub(super) last: [i32; 2],
    pub(super) clut_table: Option<Arc<ClutTable>>,
}

/// A draw's texture.
#[derive(Clone, Debug)]
pub(super) struct TextureState {
    pub(super) levels: ArrayVec<MipLevel, { MAX_LEVEL as usize + 1 }>,
    pub(super) lod: LodSelector,
    pub(super) wrap: TextureWrap,
    /// Palette memory, for indices too wide for a table.
    pub(super) clut: Option<Arc<[u8; CLUT_BYTES]>>,
}

impl TextureState {
    pub(super) fn new(
        memory: &Memory,
        registers: &Registers,
        through: bool,
        tables: &mut ClutTableCache,
    ) -> Self {
        let lod = LodSelector::from_registers(registers);
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
            levels.push(MipLevel {
                texture,
                storage: locate_texels(memory, &texture, byte_len),
                byte_len,
                scale,
                last: size.map(|size| (size.min(MAX_SIZE) - 1).cast_signed()),
                clut_table,
            });
        }
        Self { levels, lod, wrap: registers.get(), clut }
    }

    /// Whether any bytes were copied.
    pub(super) fn has_copies(&self) -> bool {
        self.levels.iter().any(|level| matches!(level.storage, TexelStorage::Copy(_)))
    }

    /// How many bytes were copied.
    pub(super) fn copied_bytes(&self) -> u64 {
        let copies = self.levels.iter().filter(|level| matches!(level.storage, TexelStorage::Copy(_)));
        copies.map(|level| level.byte_len as u64).sum()
    }

    /// The bytes of VRAM that texels may come from; all of it for views in another order.
    pub(super) fn vram_ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.levels.iter().filter_map(|level| match (&level.storage, level.texture.address.region()) {
            (TexelStorage::Vram(start), _) => Some(*start..*start + level.byte_len),
            (TexelStorage::Copy(_), Region::Vram(..)) => Some(0..VRAM_SIZE as usize),
            _ => None,
        })
    }
}

/// How many bytes the texels that exist can lie in.
fn byte_extent(texture: &Texture) -> usize {
    let (column, row) = (texture.width().min(MAX_SIZE) - 1, texture.height().min(MAX_SIZE) - 1);
    let bits = texture::bits_per_texel(texture.format);
    let bytes = if texture::is_compressed(texture.format) {
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
    if memory.slice(texture.address, byte_len).is_some() {
        match texture.address.region() {
            Region::Ram(offset) => return TexelStorage::Ram(offset as usize),
            Region::Vram(VramView::Linear, offset) => return TexelStorage::Vram(offset as usize),
            _ => {}
        }
    }
    let mut copy = vec![0; byte_len];
    memory.read(texture.address, &mut copy);
    TexelStorage::Copy(Arc::new(copy))
}
