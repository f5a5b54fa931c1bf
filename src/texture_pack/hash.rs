//! The hash functions for a pack to choose from.

use twox_hash::{XxHash32, XxHash64};

/// The seed for texels in both xxHash functions.
const SEED: u32 = 0xBACD_7814;
/// The seed for palettes.
const PALETTE_SEED: u32 = 0xC010_8888;

/// A hash function to name texels with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashKind {
    /// Sums and products in 16 bits: fast, but weak.
    #[default]
    Quick,
    /// xxHash with 32 bits.
    Xxh32,
    /// The lower half of xxHash with 64 bits.
    Xxh64,
}

impl HashKind {
    /// All functions.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Xxh32, Self::Xxh64];

    /// Returns this function's name in `textures.ini`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Xxh32 => "xxh32",
            Self::Xxh64 => "xxh64",
        }
    }

    /// Finds a function by its name, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// Hashes texels. The quick hash takes another formula if the bytes start at an address which is not a multiple
    /// of 16.
    #[must_use]
    pub fn hash(self, bytes: &[u8], address: u32) -> u32 {
        match self {
            Self::Quick if address.is_multiple_of(16) && bytes.len().is_multiple_of(BLOCK) => quick(bytes),
            Self::Quick => quick_of_pairs(bytes),
            Self::Xxh32 => XxHash32::oneshot(SEED, bytes),
            Self::Xxh64 => low_half(XxHash64::oneshot(SEED.into(), bytes)),
        }
    }
}

/// Hashes palette bytes. Packs cannot choose another function for this.
#[must_use]
pub fn palette(bytes: &[u8]) -> u32 {
    XxHash32::oneshot(PALETTE_SEED, bytes)
}

const fn low_half(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// How many bytes the quick hash takes at once.
const BLOCK: usize = 64;
/// A factor for each lane of the first block.
const FACTORS: [u16; 8] = [0xC00B, 0x9BD9, 0x4B73, 0xB651, 0x4D9B, 0x4309, 0x0083, 0x0001];
/// Added to each factor after a block.
const FACTOR_STEP: u16 = 0x2455;

/// Eight 16-bit lanes, or four 32-bit lanes in little-endian order.
type Lanes = [u16; 8];

/// Mixes each 64-byte block into a sum, as four rows of lanes. The first row is multiplied and added, the second
/// combined by exclusive OR, the third added in 32-bit lanes, and the fourth multiplied and combined by exclusive
/// OR.
fn quick(bytes: &[u8]) -> u32 {
    let mut sum: Lanes = [0; 8];
    let mut factors = FACTORS;
    for block in bytes.as_chunks::<BLOCK>().0 {
        let (rows, _) = block.as_chunks::<16>();
        for (number, row) in rows.iter().enumerate() {
            let row = lanes(row);
            sum = match number {
                0 => zip(sum, zip(row, factors, u16::wrapping_mul), u16::wrapping_add),
                1 => zip(sum, row, |a, b| a ^ b),
                2 => add_wide(sum, row),
                _ => zip(sum, zip(row, factors, u16::wrapping_mul), |a, b| a ^ b),
            };
        }
        factors = factors.map(|factor| factor.wrapping_add(FACTOR_STEP));
    }
    wide(add_wide(sum, factors)).into_iter().fold(0, u32::wrapping_add)
}

/// Adds and combines words in turn. Up to seven bytes at the end do not count.
fn quick_of_pairs(bytes: &[u8]) -> u32 {
    bytes.as_chunks::<8>().0.iter().fold(0, |hash: u32, [a, b, c, d, e, f, g, h]| {
        hash.wrapping_add(u32::from_le_bytes([*a, *b, *c, *d])) ^ u32::from_le_bytes([*e, *f, *g, *h])
    })
}

fn lanes(row: &[u8; 16]) -> Lanes {
    let mut lanes = [0; 8];
    for (lane, bytes) in lanes.iter_mut().zip(row.as_chunks::<2>().0) {
        *lane = u16::from_le_bytes(*bytes);
    }
    lanes
}

fn zip(mut a: Lanes, b: Lanes, combine: impl Fn(u16, u16) -> u16) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a = combine(*a, b);
    }
    a
}

fn wide([a, b, c, d, e, f, g, h]: Lanes) -> [u32; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(|[low, high]| u32::from(high) << 16 | u32::from(low))
}

fn add_wide(a: Lanes, b: Lanes) -> Lanes {
    let mut bytes = [0; 16];
    for (bytes, (a, b)) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(wide(a).into_iter().zip(wide(b))) {
        *bytes = a.wrapping_add(b).to_le_bytes();
    }
    lanes(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from the xxHash specification: empty input, with seeds 0 and 2654435761.
    #[test]
    fn xxhash_has_its_known_values() {
        assert_eq!(
            (XxHash32::oneshot(0, b""), XxHash32::oneshot(0x9E37_79B1, b"")),
            (0x02CC_5D05, 0x36B7_8AE7)
        );
        assert_eq!(XxHash32::oneshot(0, b"abc"), 0x32D1_53FF);
        assert_eq!(XxHash64::oneshot(0, b""), 0xEF46_DB37_51D8_E999);
        assert_eq!(XxHash64::oneshot(0, b"abc"), 0x44BC_2CF5_AD77_0999);
        let bytes = b"texels";
        assert_eq!(HashKind::Xxh32.hash(bytes, 0), XxHash32::oneshot(0xBACD_7814, bytes), "its seed");
        let whole = XxHash64::oneshot(0xBACD_7814, bytes);
        assert_eq!(u64::from(HashKind::Xxh64.hash(bytes, 0)), whole & 0xFFFF_FFFF, "the lower half");
        assert_eq!(palette(bytes), XxHash32::oneshot(0xC010_8888, bytes), "another seed");
    }

    /// A 64-byte block whose rows begin with these 16-bit values: 2, 3, 4 and 5. All other lanes are 0.
    ///
    /// Lane 0: 2 * 0xC00B = 0x8016; ^ 3 = 0x8015; + 4 = 0x8019; 5 * 0xC00B = 0xC037, and 0x8019 ^ 0xC037 = 0x402E.
    /// After the block each factor has grown by 0x2455: E460 C02E 6FC8 DAA6 71F0 675E 24D8 2456. Joined to 32 bits,
    /// with the sum added to the first: C02EE460 + 402E = C02F248E; DAA66FC8; 675E71F0; 245624D8. Their sum is
    /// C02F248E + DAA66FC8 = 19AD59456, + 675E71F0 = 202340646, + 245624D8 = 2268A2B1E, cut to 32 bits.
    #[test]
    fn quick_follows_its_formula() {
        let mut block = [0; 64];
        for (row, value) in [(0, 2), (16, 3), (32, 4), (48, 5)] {
            block[row] = value;
        }
        assert_eq!(HashKind::Quick.hash(&block, 0x0880_0000), 0x268A_2B1E);
        // 2 + 0 = 2, ^ 0; the next pairs: ... each 16-byte row is two pairs, and adds its first word. ((2 + 3) + 4)
        // + 5 = 14.
        assert_eq!(HashKind::Quick.hash(&block, 0x0880_0008), 14, "not at a multiple of 16");
        assert_eq!(
            HashKind::Quick.hash(&[1, 0, 0, 0, 3, 0, 0, 0, 9], 0),
            2,
            "1 ^ 3, and a rest that does not count"
        );
        // Without a block this adds up the initial factors: 9BD9C00B + B6514B73 + 43094D9B + 00010083 = 195355 99C.
        assert_eq!(HashKind::Quick.hash(&[], 0), 0x9535_599C, "no bytes");
    }

    #[test]
    fn names_lead_to_functions() {
        for kind in HashKind::ALL {
            assert_eq!(HashKind::from_name(&kind.name().to_uppercase()), Some(kind), "{kind:?}");
        }
        assert_eq!(HashKind::from_name("xxh3"), None, "no such function");
    }
}
