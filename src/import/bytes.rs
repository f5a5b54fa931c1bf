//! Reads and replaces texels and colours in a file's bytes.
//!
//! # Invariants
//! A read outside the file returns `None`. A write outside the file is ignored.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::FormatError;
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::Packing;
use crate::model::storage::{LevelStorage, PaletteStorage, StoredOffset};
use crate::pipeline::texture::swizzle;

/// A file to change.
#[derive(Clone, Debug)]
pub(super) struct FileBytes {
    plain: Vec<u8>,
    /// The packed parts' bytes after unpacking, by their offsets.
    unpacked: BTreeMap<u64, Vec<u8>>,
    /// The packed parts to pack again.
    changed: BTreeSet<u64>,
}

impl FileBytes {
    /// Copies a file's bytes and unpacks its packed textures, because texels can only be replaced in unpacked bytes.
    pub(super) fn new(
        file: View<'_>,
        packing: Option<&Packing>,
        places: impl Iterator<Item = StoredOffset>,
    ) -> Result<Self, FormatError> {
        let parts: BTreeSet<u64> = places.filter_map(|place| place.packed).collect();
        let unpacked = match packing {
            Some(packing) if !parts.is_empty() => (packing.unpack)(file, &parts)?,
            _ => BTreeMap::new(),
        };
        Ok(Self { plain: file.bytes().to_vec(), unpacked, changed: BTreeSet::new() })
    }

    pub(super) fn finish(
        mut self,
        file: View<'_>,
        packing: Option<&Packing>,
    ) -> Result<Vec<u8>, FormatError> {
        self.unpacked.retain(|part, _| self.changed.contains(part));
        match packing {
            Some(packing) if !self.unpacked.is_empty() => {
                (packing.replace)(View::new(&self.plain, 0, "", file.role()), &self.unpacked)
            }
            _ => Ok(self.plain),
        }
    }

    fn part(&self, packed: Option<u64>) -> Option<&Vec<u8>> {
        packed.map_or(Some(&self.plain), |part| self.unpacked.get(&part))
    }

    pub(super) fn slice(&self, at: StoredOffset, length: usize) -> Option<&[u8]> {
        let start = usize::try_from(at.offset).ok()?;
        self.part(at.packed)?.get(start..start.checked_add(length)?)
    }

    pub(super) fn write(&mut self, at: StoredOffset, bytes: &[u8]) {
        let part = match at.packed {
            None => Some(&mut self.plain),
            Some(part) => self.unpacked.get_mut(&part),
        };
        let start = usize::try_from(at.offset).unwrap_or(usize::MAX);
        let place = part.and_then(|part| part.get_mut(start..start.checked_add(bytes.len())?));
        if let Some(place) = place
            && place != bytes
        {
            place.copy_from_slice(bytes);
            if let Some(part) = at.packed {
                self.changed.insert(part);
            }
        }
    }

    /// Reads a number with 1 to 4 bytes.
    fn number(&self, at: StoredOffset, bytes: u32, is_big: bool) -> Option<u32> {
        let stored = self.slice(at, bytes as usize)?;
        let add = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
        Some(if is_big { stored.iter().fold(0, add) } else { stored.iter().rev().fold(0, add) })
    }

    fn set_number(&mut self, at: StoredOffset, bytes: u32, is_big: bool, number: u32) {
        let mut stored = number.to_le_bytes();
        let used = stored.get_mut(..bytes as usize).unwrap_or_default();
        if is_big {
            used.reverse();
        }
        let used = used.to_vec();
        self.write(at, &used);
    }

    /// Reads a texel's stored number, which has 4 to 32 bits.
    pub(super) fn texel(
        &self,
        level: &LevelStorage,
        (bits, is_big): (u32, bool),
        x: u32,
        y: u32,
    ) -> Option<u32> {
        let at = texel_offset(level, bits, x, y);
        if bits == 4 {
            let pair = self.number(at, 1, false)?;
            return Some(if x.is_multiple_of(2) { pair & 15 } else { pair >> 4 });
        }
        self.number(at, bits / 8, is_big)
    }

    /// Replaces a texel's stored number.
    pub(super) fn set_texel(
        &mut self,
        level: &LevelStorage,
        (bits, is_big): (u32, bool),
        (x, y): (u32, u32),
        number: u32,
    ) {
        let at = texel_offset(level, bits, x, y);
        if bits == 4 {
            if let Some(pair) = self.number(at, 1, false) {
                let pair =
                    if x.is_multiple_of(2) { pair & 0xF0 | number & 15 } else { pair & 15 | number << 4 };
                self.set_number(at, 1, false, pair);
            }
            return;
        }
        self.set_number(at, bits / 8, is_big, number);
    }

    /// Reads the stored number for a palette's colour.
    pub(super) fn color(&self, palette: &PaletteStorage, entry: u32) -> Option<u32> {
        self.number(entry_offset(palette, entry), palette.color.bytes, palette.color.is_big)
    }

    /// Replaces the stored number for a palette's colour.
    pub(super) fn set_color(&mut self, palette: &PaletteStorage, entry: u32, number: u32) {
        let at = entry_offset(palette, entry);
        self.set_number(at, palette.color.bytes, palette.color.is_big, number);
    }
}

/// Returns where a texel with 4 to 32 bits is.
fn texel_offset(level: &LevelStorage, bits: u32, x: u32, y: u32) -> StoredOffset {
    // Texels with three bytes are stored in plain rows only, because a block's 16 bytes do not hold a whole number
    // of them.
    let column = if bits == 4 { x / 2 } else { x.saturating_mul(bits / 8) };
    let offset = if level.swizzled {
        u64::from(swizzle::offset(column, y, level.row_bytes))
    } else {
        u64::from(y).saturating_mul(level.row_bytes.into()).saturating_add(column.into())
    };
    level.at.plus(offset)
}

/// Returns where a palette's colour is. A permuted palette exchanges bits 3 and 4 of the index.
fn entry_offset(palette: &PaletteStorage, entry: u32) -> StoredOffset {
    let place =
        if palette.is_permuted { entry & !0x18 | (entry & 8) << 1 | (entry & 0x10) >> 1 } else { entry };
    palette.at.plus(u64::from(place).saturating_mul(palette.color.bytes.into()))
}
