//! The part of a texture sampled by a draw, and the bytes that hold it.

use super::rows::ByteRows;
use crate::ge::address::Address;
use crate::ge::registers::texture::TextureWrap;
use crate::pipeline::texture::{MAX_SIZE, Texture};

/// Rows in a swizzled texture's block.
const SWIZZLED_ROWS: u32 = 8;
/// Bytes in such a block.
const SWIZZLED_BLOCK: u32 = 128;

/// A rectangle of texels: first and last column, first and last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TexelBox {
    u: [u32; 2],
    v: [u32; 2],
}

impl TexelBox {
    /// Returns all existing texels.
    pub(super) fn whole(texture: &Texture) -> Self {
        let last = |size: u32| [0, size.min(MAX_SIZE).saturating_sub(1)];
        Self { u: last(texture.width()), v: last(texture.height()) }
    }

    /// Returns the texels between the lowest and the highest coordinates, both in texels. A wrapping coordinate
    /// reaches the whole axis.
    pub(super) fn around([low, high]: [[f32; 2]; 2], texture: &Texture, wrap: TextureWrap) -> Self {
        Self {
            u: axis(low[0], high[0], texture.width(), wrap.clamp_s),
            v: axis(low[1], high[1], texture.height(), wrap.clamp_t),
        }
    }

    /// Returns the last column.
    pub(super) const fn last_column(&self) -> u32 {
        self.u[1]
    }

    /// Returns where these texels lie, or `None` if a permuted view of VRAM scatters them.
    pub(super) fn rows(&self, texture: &Texture) -> Option<ByteRows> {
        let (start, stride, length, count) = self.layout(texture);
        ByteRows::new(start, stride, length, count)
    }

    /// Passes the address and length of each run of texels to `out`.
    pub(super) fn for_each_run(&self, texture: &Texture, out: &mut dyn FnMut(Address, u32)) {
        let (start, stride, length, count) = self.layout(texture);
        let [first, last] = self.v.map(|v| v % SWIZZLED_ROWS);
        let is_one_row = texture.swizzled && count == 1 && (first > 0 || last < SWIZZLED_ROWS - 1);
        if is_one_row {
            // A block stores its rows after each other, so the texels take only a part of each block.
            let rows = last.saturating_sub(first).saturating_add(1);
            for block in (0..length).step_by(SWIZZLED_BLOCK as usize) {
                out(start.offset(block.saturating_add(first.saturating_mul(16))), rows.saturating_mul(16));
            }
            return;
        }
        for row in 0..count {
            out(start.offset(row.wrapping_mul(stride)), length);
        }
    }

    /// Returns the first row's address, the distance from row to row, a row's length, and how many rows there are. A
    /// row holds texels, compressed blocks, or swizzled blocks.
    fn layout(&self, texture: &Texture) -> (Address, u32, u32, u32) {
        let bits = texture.format.bits();
        let Self { u, v } = self;
        // Columns count bytes, blocks of 4x4 texels, or 16-byte blocks.
        let (height_log2, columns, unit, stride) = if texture.format.is_compressed() {
            (2, u.map(|u| u / 4), bits.saturating_mul(2), texture.row_bytes)
        } else if texture.swizzled {
            let stride = texture.row_bytes.saturating_mul(SWIZZLED_ROWS);
            (SWIZZLED_ROWS.ilog2(), u.map(|u| u.saturating_mul(bits) / 128), SWIZZLED_BLOCK, stride)
        } else {
            let first = u[0].saturating_mul(bits) / 8;
            let last = u[1].saturating_mul(bits).saturating_add(bits.saturating_sub(1)) / 8;
            (0, [first, last], 1, texture.row_bytes)
        };
        let rows = v.map(|v| v >> height_log2);
        let count = rows[1].saturating_sub(rows[0]).saturating_add(1);
        let length = columns[1].saturating_sub(columns[0]).saturating_add(1).saturating_mul(unit);
        let first = rows[0].wrapping_mul(stride).wrapping_add(columns[0].wrapping_mul(unit));
        (texture.address.offset(first), stride, length, count)
    }
}

/// Returns the first and last texel along an axis.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positions are clamped first")]
fn axis(low: f32, high: f32, size: u32, clamp: bool) -> [u32; 2] {
    let last = size.min(MAX_SIZE).saturating_sub(1);
    #[expect(clippy::cast_precision_loss, reason = "at most 511")]
    let end = last as f32;
    let is_inside = low > -1.0 && high < end + 2.0;
    if !is_inside && !clamp || low.is_nan() || high.is_nan() {
        return [0, last];
    }
    // A coordinate on the border between two texels belongs to the second, which the last pixel does not reach.
    let [first, after] = [low.clamp(0.0, end), high.clamp(0.0, end + 1.0)];
    [first as u32, (after.ceil() as u32).saturating_sub(1).clamp(first as u32, last)]
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    fn texture(format: u32, swizzled: u32) -> Texture {
        let registers = Registers::with([
            (Opcode::TEXADDR0, 0x80_0000),
            (Opcode::TEXBUFWIDTH0, 0x08_0000 | 64),
            (Opcode::TEXSIZE0, 5 << 8 | 6),
            (Opcode::TEXFORMAT, format),
            (Opcode::TEXMODE, swizzled),
        ]);
        Texture::from_registers(&registers, 0)
    }

    fn runs(texture: &Texture, texels: TexelBox) -> Vec<(u32, u32)> {
        let mut runs = Vec::new();
        texels.for_each_run(texture, &mut |start, length| runs.push((start.get() - 0x0880_0000, length)));
        runs
    }

    #[test]
    fn coordinates_select_texels() {
        let texture = texture(3, 0);
        let texels = |low, high, clamp| {
            let wrap = TextureWrap { clamp_s: clamp, clamp_t: clamp };
            let TexelBox { u, v } = TexelBox::around([low, high], &texture, wrap);
            [u, v]
        };
        assert_eq!(texels([0.0, 0.0], [64.0, 32.0], false), [[0, 63], [0, 31]], "all of it");
        assert_eq!(texels([8.0, 4.5], [16.0, 6.1], false), [[8, 15], [4, 6]], "a part");
        assert_eq!(texels([8.0, 4.0], [8.0, 4.0], false), [[8, 8], [4, 4]], "one texel");
        assert_eq!(texels([-8.0, 0.0], [8.0, 100.0], false), [[0, 63], [0, 31]], "both axes wrap");
        assert_eq!(texels([-8.0, 0.0], [8.0, 100.0], true), [[0, 7], [0, 31]], "clamped");
        assert_eq!(texels([f32::NAN, 0.0], [8.0, 1.0], true), [[0, 63], [0, 0]], "NaN may be anything");
    }

    #[test]
    fn storage_decides_the_bytes() {
        let texels = TexelBox { u: [8, 15], v: [4, 9] };
        assert_eq!(runs(&texture(3, 0), texels)[..2], [(4 * 256 + 32, 32), (5 * 256 + 32, 32)], "rows");
        assert_eq!(runs(&texture(4, 0), texels)[0], (4 * 32 + 4, 4), "half bytes");
        assert_eq!(runs(&texture(3, 1), texels), [(256, 256), (2048 + 256, 256)], "swizzled blocks");
        let row = TexelBox { u: [8, 15], v: [9, 9] };
        assert_eq!(
            runs(&texture(3, 1), row),
            [(2048 + 256 + 16, 16), (2048 + 384 + 16, 16)],
            "one row of them"
        );
        assert_eq!(runs(&texture(8, 0), texels), [(128 + 16, 16), (256 + 16, 16)], "blocks of 4x4 texels");
        assert_eq!(runs(&texture(5, 0), TexelBox::whole(&texture(5, 0))).len(), 32, "all rows");
    }
}
