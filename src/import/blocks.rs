//! Writes pictures into textures with compressed blocks.

use image::RgbaImage;

use super::bytes::FileBytes;
use super::pictures::is_same;
use crate::asm::dxt::{compress_block, pixels_of};
use crate::ge::registers::texture::TexelFormat;
use crate::model::storage::{LevelStorage, StoredOffset};
use crate::pipeline::texture::dxt::{BLOCK, Block};

/// Compresses the blocks in a level that differ from the picture. The others keep their bytes, because compressing
/// them again would lose quality.
pub(super) fn write(bytes: &mut FileBytes, level: &LevelStorage, format: TexelFormat, picture: &RgbaImage) {
    for (column, row) in blocks(picture) {
        let at = block_at(level, format, column, row);
        let Some(old) = block(bytes, at, format) else { continue };
        let (pixels, mask) = pixels_of(picture, column, row);
        let differs = |(number, pixel): (u32, &[u8; 4])| {
            mask >> number & 1 == 1 && !is_same(old.texel(number % BLOCK, number / BLOCK), *pixel)
        };
        if (0..).zip(&pixels).any(differs) {
            bytes.write(at, &compress_block(pixels, mask, format));
        }
    }
}

/// Returns whether the file's blocks decode to this picture.
pub(super) fn are_those_of(
    bytes: &FileBytes,
    level: &LevelStorage,
    format: TexelFormat,
    picture: &RgbaImage,
) -> bool {
    picture.enumerate_pixels().all(|(x, y, pixel)| {
        let found = block(bytes, block_at(level, format, x / BLOCK, y / BLOCK), format);
        found.is_none_or(|block| block.texel(x % BLOCK, y % BLOCK) == pixel.0)
    })
}

/// Lists column and row for each block that a picture touches.
fn blocks(picture: &RgbaImage) -> impl Iterator<Item = (u32, u32)> {
    let (columns, rows) = (picture.width().div_ceil(BLOCK), picture.height().div_ceil(BLOCK));
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

fn block_at(level: &LevelStorage, format: TexelFormat, column: u32, row: u32) -> StoredOffset {
    let down = u64::from(row).saturating_mul(level.row_bytes.into());
    level.at.plus(down.saturating_add((column * format.block_bytes()).into()))
}

fn block(bytes: &FileBytes, at: StoredOffset, format: TexelFormat) -> Option<Block> {
    let stored = bytes.slice(at, format.block_bytes() as usize)?;
    Some(match format {
        TexelFormat::DXT1 => Block::dxt1(stored.try_into().ok()?),
        TexelFormat::DXT3 => Block::dxt3(stored.try_into().ok()?),
        _ => Block::dxt5(stored.try_into().ok()?),
    })
}
