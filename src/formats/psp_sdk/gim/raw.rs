//! Numbers and constants of a GIM file, in either byte order.
//! Source: [GIM header](crate::reference::formats::psp_sdk#gim-header), [GIM
//! chunks](crate::reference::formats::psp_sdk#gim-chunks).

use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

/// Little-endian files start with this.
pub(super) const MAGIC: [u8; 12] = *b"MIG.00.1PSP\0";
/// Big-endian files start with this: the same words with their bytes reversed.
pub(super) const BIG_MAGIC: [u8; 12] = *b".GIM1.00\0PSP";
/// Bytes before the first chunk.
pub(super) const HEADER: u64 = 16;

/// Chunk types.
pub(super) const BLOCK: u16 = 1;
pub(super) const FILE: u16 = 2;
pub(super) const PICTURE: u16 = 3;
pub(super) const IMAGE: u16 = 4;
pub(super) const PALETTE: u16 = 5;
pub(super) const SEQUENCE: u16 = 6;
pub(super) const FILE_INFO: u16 = 0xFF;

/// Reads numbers in the byte order of the file.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats::psp_sdk) struct Numbers<'a> {
    pub(in crate::formats::psp_sdk) view: View<'a>,
    /// Whether the highest byte comes first.
    pub(in crate::formats::psp_sdk) is_big: bool,
}

impl Numbers<'_> {
    pub(in crate::formats::psp_sdk) fn u16(self, at: u64) -> Result<u16, FormatError> {
        let bytes = self.view.read(at)?;
        Ok(if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub(super) fn i16(self, at: u64) -> Result<i16, FormatError> {
        Ok(self.u16(at)?.cast_signed())
    }

    pub(in crate::formats::psp_sdk) fn u32(self, at: u64) -> Result<u32, FormatError> {
        let bytes = self.view.read(at)?;
        Ok(if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// Narrows the bytes to `start..end`.
    pub(in crate::formats::psp_sdk) fn part(self, start: u64, end: u64) -> Result<Self, FormatError> {
        Ok(Self { view: self.view.view(start, end.saturating_sub(start))?, ..self })
    }
}
