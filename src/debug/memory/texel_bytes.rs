//! Finds the bytes in memory for a box of texels.

use crate::ge::address::Address;
use crate::pipeline::texture::{MAX_SIZE, Texture, dxt, swizzle};
use crate::raster::sampled_texels::TexelBox;

/// Bits per row in a swizzled block.
const BLOCK_BITS: u32 = swizzle::BLOCK_WIDTH * 8;

/// Returns the box around all existing texels.
pub(crate) fn all_texels(texture: &Texture) -> TexelBox {
    let last = |size: u32| size.min(MAX_SIZE).saturating_sub(1);
    TexelBox { columns: 0..=last(texture.width()), rows: 0..=last(texture.height()) }
}

/// Passes the texels' bytes to `visit`, as addresses with lengths. A compressed block or a pair of 4-bit texels
/// counts as a whole.
pub(crate) fn for_each_range(texture: &Texture, texels: &TexelBox, mut visit: impl FnMut(Address, u32)) {
    let (first, last) = (*texels.columns.start(), *texels.columns.end());
    let bits = texture.format.bits();
    if texture.format.is_compressed() {
        let count = (last / dxt::BLOCK).saturating_sub(first / dxt::BLOCK).saturating_add(1);
        let rows = texels.rows.start() / dxt::BLOCK..=texels.rows.end() / dxt::BLOCK;
        for row in rows {
            let start = texture.texel_address(first, row.saturating_mul(dxt::BLOCK));
            visit(start, count.saturating_mul(texture.format.block_bytes()));
        }
        return;
    }
    // This cannot overflow, because columns are below 512.
    let step = if texture.swizzled { BLOCK_BITS / bits } else { MAX_SIZE };
    for row in texels.rows.clone() {
        let mut column = first;
        while column <= last {
            let end = (column / step * step + step).min(last + 1);
            let bytes = (end * bits).div_ceil(8) - column * bits / 8;
            visit(texture.texel_address(column, row), bytes);
            column = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    /// Lists the ranges relative to the texture.
    fn ranges(format: u32, swizzled: u32, texels: &TexelBox) -> Vec<(u32, u32)> {
        let registers = Registers::with([
            (Opcode::TEXADDR0, 0x1000),
            (Opcode::TEXBUFWIDTH0, 0x04_0040),
            (Opcode::TEXSIZE0, 0x0506),
            (Opcode::TEXFORMAT, format),
            (Opcode::TEXMODE, swizzled),
        ]);
        let texture = Texture::from_registers(&registers, 0);
        let mut found = Vec::new();
        for_each_range(&texture, texels, |start, length| {
            found.push((start.get() - texture.address.get(), length));
        });
        found
    }

    #[test]
    fn boxes_have_the_bytes_of_their_texels() {
        let texels = TexelBox { columns: 3..=8, rows: 1..=2 };
        assert_eq!(ranges(3, 0, &texels), [(256 + 12, 24), (512 + 12, 24)], "32 bits");
        assert_eq!(ranges(4, 0, &texels), [(32 + 1, 4), (64 + 1, 4)], "4 bits");
        let swizzled =
            [(16 + 12, 4), (128 + 16, 16), (256 + 16, 4), (32 + 12, 4), (128 + 32, 16), (256 + 32, 4)];
        assert_eq!(ranges(3, 1, &texels), swizzled, "blocks of 16 bytes by 8 rows");
        assert_eq!(ranges(8, 0, &texels), [(0, 24)], "DXT1: three blocks");
        let all = TexelBox { columns: 0..=63, rows: 0..=31 };
        let bytes =
            |format, swizzled| ranges(format, swizzled, &all).iter().map(|(_, length)| length).sum::<u32>();
        assert_eq!([bytes(5, 0), bytes(5, 1), bytes(3, 1), bytes(10, 0)], [2048, 2048, 8192, 2048], "all");
    }
}
