//! Expands texels in memory to colours, for a row or part of it.

use std::mem;

use fearless_simd::{Bytes as _, u8x16, u16x8, u32x4};

use super::texture_state::ClutTable;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::pipeline::texture::{Texture, swizzle};

/// Returns whether [`expand_row`] can read rows in a format.
pub(super) const fn has_plain_rows(format: TexelFormat) -> bool {
    matches!(
        format,
        TexelFormat::CLUT4
            | TexelFormat::CLUT8
            | TexelFormat::BGR5650
            | TexelFormat::ABGR5551
            | TexelFormat::ABGR4444
            | TexelFormat::ABGR8888
    )
}

/// Writes the colours of consecutive texels inside the texture. `table` holds the palette if they are indices.
#[inline(always)]
pub(super) fn expand_row<S: Simd>(
    simd: S,
    texture: &Texture,
    table: Option<&ClutTable>,
    data: &[u8],
    row: usize,
    start: usize,
    out: &mut [u32],
) {
    let format = match (texture.format, table) {
        (TexelFormat::CLUT4, Some(table)) => {
            let (odd, out) = out.split_at_mut((start % 2).min(out.len()));
            // If the first texel is odd, only the second half of its byte is needed.
            each_piece::<4>(texture, data, row, start & !1, odd, |bytes, out| {
                for (out, byte) in out.iter_mut().zip(bytes) {
                    *out = table[usize::from(*byte) | 256];
                }
            });
            each_piece::<4>(texture, data, row, start.next_multiple_of(2), out, |bytes, out| {
                let (pairs, rest) = out.as_chunks_mut::<2>();
                for (pair, byte) in pairs.iter_mut().zip(bytes) {
                    *pair = [table[usize::from(*byte)], table[usize::from(*byte) | 256]];
                }
                if let ([last], Some(byte)) = (rest, bytes.last()) {
                    *last = table[usize::from(*byte)];
                }
            });
            return;
        }
        (TexelFormat::CLUT8, Some(table)) => {
            each_piece::<8>(texture, data, row, start, out, |bytes, out| {
                for (out, byte) in out.iter_mut().zip(bytes) {
                    *out = table[usize::from(*byte)];
                }
            });
            return;
        }
        (TexelFormat::BGR5650, _) => PixelFormat::BGR5650,
        (TexelFormat::ABGR5551, _) => PixelFormat::ABGR5551,
        (TexelFormat::ABGR4444, _) => PixelFormat::ABGR4444,
        _ => {
            each_piece::<32>(texture, data, row, start, out, |bytes, out| {
                for (out, word) in out.iter_mut().zip(bytes.as_chunks().0) {
                    *out = u32::from_le_bytes(*word);
                }
            });
            return;
        }
    };
    each_piece::<16>(
        texture,
        data,
        row,
        start,
        out,
        #[inline(always)]
        |bytes, out| unpack(simd, format, bytes, out),
    );
}

/// Calls `write` for each piece of a row that is contiguous in memory, with its bytes and the texels to write. Bytes
/// outside the level's memory read as 0, but this should never happen.
///
/// This calls `write` at a single place, so that the compiler inlines it. Otherwise it would not be compiled for the
/// caller's instruction set.
#[inline(always)]
fn each_piece<const BITS: usize>(
    texture: &Texture,
    data: &[u8],
    row: usize,
    start: usize,
    mut out: &mut [u32],
    mut write: impl FnMut(&[u8], &mut [u32]),
) {
    const BLOCK: usize = swizzle::BLOCK_WIDTH as usize;
    const HEIGHT: usize = swizzle::BLOCK_HEIGHT as usize;
    let row_bytes = texture.row_bytes as usize;
    let byte = start * BITS / 8;
    // A swizzled row continues in the next block, so each piece ends with its block.
    let (mut offset, mut len) = if texture.swizzled {
        let block = row / HEIGHT * HEIGHT * row_bytes + byte / BLOCK * BLOCK * HEIGHT;
        (block + row % HEIGHT * BLOCK + byte % BLOCK, BLOCK - byte % BLOCK)
    } else {
        (row * row_bytes + byte, (out.len() * BITS).div_ceil(8))
    };
    while !out.is_empty() {
        let count = (len * 8 / BITS).min(out.len());
        let (texels, rest) = mem::take(&mut out).split_at_mut(count);
        match data.get(offset..offset + (count * BITS).div_ceil(8)) {
            Some(bytes) => write(bytes, texels),
            None => texels.fill(0),
        }
        // Continues in the same row of the next block.
        (out, offset, len) = (rest, offset + len + BLOCK * (HEIGHT - 1), BLOCK);
    }
}

/// Expands texels with 16 bits, as [`color::decode`] does.
#[inline(always)]
fn unpack<S: Simd>(simd: S, format: PixelFormat, bytes: &[u8], out: &mut [u32]) {
    let ((groups, rest), (out, last)) = (bytes.as_chunks::<16>(), out.as_chunks_mut::<8>());
    let widen5 = |bits: u16x8<S>| bits << 3_u32 | bits >> 2_u32;
    for (out, bytes) in out.iter_mut().zip(groups) {
        let halves: u16x8<S> = u8x16::simd_from(simd, *bytes).bitcast();
        let fives = |shift: u32| widen5(halves >> shift & 31_u16);
        let fours = |shift: u32| (halves >> shift & 15_u16) * 17;
        let [red, green, blue, alpha] = match format {
            PixelFormat::BGR5650 => {
                let six = halves >> 5_u32 & 63_u16;
                [fives(0), six << 2_u32 | six >> 4_u32, fives(11), u16x8::splat(simd, 255)]
            }
            PixelFormat::ABGR5551 => [fives(0), fives(5), fives(10), (halves >> 15_u32) * 255],
            _ => [fours(0), fours(4), fours(8), fours(12)],
        };
        let (low, high) = (red | green << 8_u32, blue | alpha << 8_u32);
        let (quarters, _) = out.as_chunks_mut::<4>();
        if let [first, second] = quarters {
            let colors: u32x4<S> = simd.zip_low_u16x8(low, high).bitcast();
            colors.store_array(first);
            let colors: u32x4<S> = simd.zip_high_u16x8(low, high).bitcast();
            colors.store_array(second);
        }
    }
    for (out, half) in last.iter_mut().zip(rest.as_chunks().0) {
        *out = u32::from_le_bytes(color::decode(format, u16::from_le_bytes(*half).into()));
    }
}
