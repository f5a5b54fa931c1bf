//! Stores texels as bytes, row by row or in swizzled blocks.

use crate::pipeline::texture::swizzle;

/// A texture level, stored as the Graphics Engine reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::asm) struct StoredLevel {
    /// Width in texels, a power of two.
    pub(in crate::asm) width: u32,
    /// Height in texels, a power of two.
    pub(in crate::asm) height: u32,
    /// How many texels a row takes with its padding, for TEXBUFWIDTH.
    pub(in crate::asm) buffer_width: u32,
    /// All bytes, a multiple of 16.
    pub(in crate::asm) bytes: Vec<u8>,
}

/// Rows are padded to a multiple of this many bytes.
pub(super) const ROW_BYTES: u32 = 16;

/// Stores texels with 4, 8, 16 or 32 bits. `texel` returns a texel's bits by column and row.
pub(super) fn store(
    [width, height]: [u32; 2],
    bits: u32,
    swizzled: bool,
    mut texel: impl FnMut(u32, u32) -> u32,
) -> StoredLevel {
    let row_bytes = width.saturating_mul(bits).div_ceil(8).next_multiple_of(ROW_BYTES);
    let rows = if swizzled { height.next_multiple_of(swizzle::BLOCK_HEIGHT) } else { height };
    let mut bytes = vec![0; row_bytes.saturating_mul(rows) as usize];
    let size = (bits / 8).max(1) as usize;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let column = x.saturating_mul(bits) / 8;
        let linear = y.saturating_mul(row_bytes).saturating_add(column);
        let offset = if swizzled { swizzle::offset(column, y, row_bytes) } else { linear };
        // The low nibble in a byte is the left texel.
        let shift = if bits == 4 { (x & 1).saturating_mul(4) } else { 0 };
        let stored = bytes.iter_mut().skip(offset as usize).take(size);
        for (byte, part) in stored.zip((texel(x, y) << shift).to_le_bytes()) {
            *byte |= part;
        }
    }
    let buffer_width = row_bytes.saturating_mul(8).checked_div(bits).unwrap_or(0);
    StoredLevel { width, height, buffer_width, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_at_least_16_bytes() {
        for (bits, expected) in [(4, 32), (8, 16), (16, 8), (32, 4)] {
            let level = store([1, 2], bits, false, |_, y| y + 1);
            assert_eq!(level.buffer_width, expected, "{bits} bits");
            assert_eq!(
                (level.bytes.first(), level.bytes.get(16)),
                (Some(&1), Some(&2)),
                "{bits} bits: two rows"
            );
        }
        assert_eq!(
            store([8, 1], 32, true, |_, _| 0).bytes.len(),
            32 * 8,
            "swizzled textures have whole blocks"
        );
    }

    #[test]
    fn left_texels_are_low_nibbles() {
        assert_eq!(
            store([4, 1], 4, false, |x, _| x + 1).bytes.get(..2),
            Some([0x21, 0x43].as_slice()),
            "four texels"
        );
    }
}
