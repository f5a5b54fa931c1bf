//! A TIM2 file's checked pictures, and how their pixels are stored.

/// How pixels or colours are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// 16 bits: 5 each for red, green and blue, then 1 for alpha.
    Bits16,
    /// 24 bits: red, green, blue.
    Bits24,
    /// 32 bits: red, green, blue, alpha.
    Bits32,
    /// 4-bit index; the left pixel is in the low bits.
    Index4,
    /// 8-bit index.
    Index8,
}

impl Storage {
    /// Decodes the file format's storage number, 1 to 5.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        [Self::Bits16, Self::Bits24, Self::Bits32, Self::Index4, Self::Index8]
            .get(usize::from(number).checked_sub(1)?)
            .copied()
    }

    /// Returns the bits per pixel or colour.
    pub(super) const fn bits(self) -> u64 {
        match self {
            Self::Bits16 => 16,
            Self::Bits24 => 24,
            Self::Bits32 => 32,
            Self::Index4 => 4,
            Self::Index8 => 8,
        }
    }

    /// Returns how many colours an index can select; 0 for direct colours.
    pub(super) const fn palette_size(self) -> u16 {
        match self {
            Self::Index4 => 16,
            Self::Index8 => 256,
            _ => 0,
        }
    }

    /// Computes how many bytes a pixel row takes.
    pub(super) fn row_bytes(self, width: u16) -> u64 {
        u64::from(width).saturating_mul(self.bits()).div_ceil(8)
    }
}

/// A checked picture. Offsets count from the start of the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    pub(super) storage: Storage,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) pixels: u64,
    /// How many consecutive levels there are, the first included; at least 1. This is 1 if the file pads them.
    pub(super) levels: u8,
    pub(super) clut: Option<Clut>,
}

/// A palette's storage and location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clut {
    pub(super) storage: Storage,
    pub(super) colors: u64,
    pub(super) offset: u64,
    /// Set for CSM1 order: entries 8 to 15 and 16 to 23 in every 32 are swapped.
    pub(super) permuted: bool,
}
