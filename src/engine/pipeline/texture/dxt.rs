//! Decodes compressed texels: DXT1, DXT3 and DXT5 in the Graphics Engine's block layout.
//!
//! This layout reverses the usual order: indices come before colours, alpha comes last, and colours have red in
//! their high bits.
//! Source: [compressed formats](crate::reference::ge::textures#compressed-formats) (hardware tests
//! `texcolors/dxt1`, `dxt3`, `dxt5`).

/// How many texels wide and high a block is.
pub const BLOCK: u32 = 4;

/// A decoded block, ready to look up texels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// The four colours, with their alpha in DXT1.
    colors: [[u8; 4]; 4],
    /// Two bits per texel, a byte per row.
    indices: [u8; 4],
    alpha: BlockAlpha,
}

/// Where a block keeps its alpha.
#[derive(Clone, Copy, Debug, Default)]
enum BlockAlpha {
    /// The colours include it.
    #[default]
    Colors,
    /// Four bits per texel, row by row. They are not replicated, so alpha is at most 240.
    Explicit(u64),
    /// Three bits per texel, row by row, each selecting a value from the table.
    Interpolated(u64, [u8; 8]),
}

impl Block {
    /// Decodes a DXT1 block.
    #[must_use]
    pub fn dxt1(block: [u8; 8]) -> Self {
        let [r0, r1, r2, r3, low1, high1, low2, high2] = block;
        let (first, second) = (u16::from_le_bytes([low1, high1]), u16::from_le_bytes([low2, high2]));
        Self { colors: colors(first, second), indices: [r0, r1, r2, r3], alpha: BlockAlpha::Colors }
    }

    /// Decodes a DXT3 block.
    #[must_use]
    pub fn dxt3(block: [u8; 16]) -> Self {
        let (colors, alphas) = halves(block);
        Self { alpha: BlockAlpha::Explicit(u64::from_le_bytes(alphas)), ..Self::dxt1(colors) }
    }

    /// Decodes a DXT5 block.
    #[must_use]
    pub fn dxt5(block: [u8; 16]) -> Self {
        let (colors, alphas) = halves(block);
        let [.., first, second] = alphas;
        let table = [0, 1, 2, 3, 4, 5, 6, 7].map(|index| interpolated_alpha(index, first, second));
        Self { alpha: BlockAlpha::Interpolated(u64::from_le_bytes(alphas), table), ..Self::dxt1(colors) }
    }

    /// Looks up texel (`x`, `y`), 0 to 3 each.
    #[must_use]
    pub fn texel(&self, x: u32, y: u32) -> [u8; 4] {
        let (x, y) = (x & 3, y & 3);
        let [red, green, blue, alpha] = self.colors[usize::from(self.indices[y as usize] >> (2 * x) & 3)];
        let alpha = match &self.alpha {
            BlockAlpha::Colors => alpha,
            BlockAlpha::Explicit(bits) => ((bits >> (16 * y + 4 * x)).to_le_bytes()[0] & 15) << 4,
            BlockAlpha::Interpolated(bits, table) => {
                table[usize::from((bits >> (12 * y + 3 * x)).to_le_bytes()[0] & 7)]
            }
        };
        [red, green, blue, alpha]
    }
}

/// Decodes texel (`x`, `y`), 0 to 3 each, in a DXT1 block.
#[must_use]
pub fn dxt1(block: [u8; 8], x: u32, y: u32) -> [u8; 4] {
    Block::dxt1(block).texel(x, y)
}

/// Decodes texel (`x`, `y`), 0 to 3 each, in a DXT3 block. Alpha has 4 bits, not replicated: at most 240.
#[must_use]
pub fn dxt3(block: [u8; 16], x: u32, y: u32) -> [u8; 4] {
    Block::dxt3(block).texel(x, y)
}

/// Decodes texel (`x`, `y`), 0 to 3 each, in a DXT5 block.
#[must_use]
pub fn dxt5(block: [u8; 16], x: u32, y: u32) -> [u8; 4] {
    Block::dxt5(block).texel(x, y)
}

fn halves(block: [u8; 16]) -> ([u8; 8], [u8; 8]) {
    let (mut low, mut high) = ([0; 8], [0; 8]);
    low.copy_from_slice(&block[..8]);
    high.copy_from_slice(&block[8..]);
    (low, high)
}

/// Computes a block's four colours. Unless the first is larger than the second, the last is transparent black.
fn colors(first: u16, second: u16) -> [[u8; 4]; 4] {
    let (a, b) = (expand(first), expand(second));
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
    let mix = |weight_a: u16, weight_b: u16| {
        let mut mixed = [0; 3];
        for (channel, (a, b)) in mixed.iter_mut().zip(a.into_iter().zip(b)) {
            let sum = (u16::from(a) * weight_a + u16::from(b) * weight_b) / (weight_a + weight_b);
            [*channel, _] = sum.to_le_bytes();
        }
        opaque(mixed)
    };
    if first > second {
        [opaque(a), opaque(b), mix(2, 1), mix(1, 2)]
    } else {
        [opaque(a), opaque(b), mix(1, 1), [0; 4]]
    }
}

/// Expands a block colour to bytes. Their low bits stay 0, because the hardware does not replicate.
fn expand(color: u16) -> [u8; 3] {
    let channel = |bits: u16| bits.to_le_bytes()[0];
    [channel((color >> 8) & 0xF8), channel((color >> 3) & 0xFC), channel((color << 3) & 0xF8)]
}

fn interpolated_alpha(index: u8, first: u8, second: u8) -> u8 {
    let (a, b) = (u16::from(first), u16::from(second));
    let step = u16::from(index.saturating_sub(1));
    let alpha = match (index, first > second) {
        (0, _) => a,
        (1, _) => b,
        (_, true) => (a * (7 - step) + b * step) / 7,
        (6, false) => 0,
        (7, false) => 255,
        (_, false) => (a * (5 - step) + b * step) / 5,
    };
    alpha.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a block whose first row uses the indices 0, 1, 2 and 3.
    fn block(first: u16, second: u16) -> [u8; 8] {
        let ([a, b], [c, d]) = (first.to_le_bytes(), second.to_le_bytes());
        [0b1110_0100, 0, 0, 0, a, b, c, d]
    }

    #[test]
    fn block_colors_are_red_first_without_replication() {
        let four = block(0xFFFF, 0x0000);
        assert_eq!(dxt1(four, 0, 0), [0xF8, 0xFC, 0xF8, 255], "colour 1");
        assert_eq!(dxt1(four, 1, 0), [0, 0, 0, 255], "colour 2");
        assert_eq!(dxt1(four, 2, 0), [165, 168, 165, 255], "two thirds, truncated");
        assert_eq!(dxt1(four, 3, 0), [82, 84, 82, 255], "one third, truncated");
        assert_eq!(dxt1(block(0xF800, 0), 0, 0), [0xF8, 0, 0, 255], "red in the high bits");
    }

    #[test]
    fn three_color_blocks_have_transparent_black() {
        let three = block(0x0000, 0xFFFF);
        assert_eq!(dxt1(three, 2, 0), [124, 126, 124, 255], "halves");
        assert_eq!(dxt1(three, 3, 0), [0, 0, 0, 0], "transparent black");
        let mut with_alpha = [0xFF; 16];
        with_alpha[..8].copy_from_slice(&three);
        assert_eq!(dxt3(with_alpha, 3, 0), [0, 0, 0, 0xF0], "black in DXT3 too, alpha 15 is 0xF0");
    }

    #[test]
    fn interpolates_dxt5_alpha() {
        assert_eq!(
            [0, 1, 2, 7].map(|i| interpolated_alpha(i, 200, 100)),
            [200, 100, 185, 114],
            "eight levels"
        );
        assert_eq!(
            [0, 2, 5, 6, 7].map(|i| interpolated_alpha(i, 10, 20)),
            [10, 12, 18, 0, 255],
            "six levels, 0 and 255"
        );
        let mut block = [0; 16];
        // Index 1 for texel (3, 3): the highest three of 48 bits.
        block[13] = 0b0010_0000;
        block[14] = 9;
        block[15] = 77;
        assert_eq!((dxt5(block, 3, 3)[3], dxt5(block, 0, 0)[3]), (77, 9), "indices have 3 bits");
    }
}
