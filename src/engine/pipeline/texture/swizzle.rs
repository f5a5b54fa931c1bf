//! Computes the swizzled texture layout, which stores consecutive blocks of 16 bytes by 8 rows.
//! Source: [swizzling](crate::reference::ge::textures#swizzling).

/// How many bytes a block's rows have.
pub const BLOCK_WIDTH: u32 = 16;
/// How many rows a block has.
pub const BLOCK_HEIGHT: u32 = 8;

/// Computes the offset of byte `x` in row `y`, if the swizzled texture has `row_bytes` bytes per row, a multiple of
/// [`BLOCK_WIDTH`].
#[must_use]
pub const fn offset(x: u32, y: u32, row_bytes: u32) -> u32 {
    let block_row = (y / BLOCK_HEIGHT) * row_bytes * BLOCK_HEIGHT;
    let block = (x / BLOCK_WIDTH) * BLOCK_WIDTH * BLOCK_HEIGHT;
    block_row + block + (y % BLOCK_HEIGHT) * BLOCK_WIDTH + x % BLOCK_WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_contiguous() {
        for (x, y, expected) in
            [(0, 0, 0), (15, 0, 15), (0, 1, 16), (0, 7, 112), (16, 0, 128), (0, 8, 512), (63, 15, 1023)]
        {
            assert_eq!(offset(x, y, 64), expected, "byte {x} of row {y}, rows of 64 bytes");
        }
    }

    #[test]
    fn offsets_are_unique() {
        let mut seen = [false; 32 * 24];
        for y in 0..24 {
            for x in 0..32 {
                let is_seen = &mut seen[offset(x, y, 32) as usize];
                assert!(!*is_seen, "byte {x} of row {y} lands on another");
                *is_seen = true;
            }
        }
    }
}
