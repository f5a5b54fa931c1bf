//! Reads file bytes. A view remembers its offset in the file; a cursor walks over it.
//!
//! # Invariants
//! Never panics and never reads outside the view. Offsets have 64 bits, so that sums of 32-bit file fields cannot
//! wrap. A failed read returns a located error.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::error::{FileRole, FormatError};
use super::problem::Problem;

/// Part of a file. Remembers its offset to locate errors.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    bytes: &'a [u8],
    base: u64,
    format: &'static str,
    role: FileRole,
}

impl<'a> View<'a> {
    /// Views bytes at offset `base` in their file. `format` names their format in errors.
    #[must_use]
    pub const fn new(bytes: &'a [u8], base: u64, format: &'static str, role: FileRole) -> Self {
        Self { bytes, base, format, role }
    }

    /// Views bytes computed from these, such as unpacked ones. Offsets count from their own start.
    #[must_use]
    pub const fn over(self, bytes: &[u8]) -> View<'_> {
        View { bytes, base: 0, format: self.format, role: self.role }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the length in bytes.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.bytes.len() as u64
    }

    /// Checks whether the view is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the role of the viewed file.
    #[must_use]
    pub const fn role(self) -> FileRole {
        self.role
    }

    /// Converts an offset in the view to an offset in the file.
    #[must_use]
    pub const fn file_offset(self, offset: u64) -> u64 {
        self.base.saturating_add(offset)
    }

    /// Creates an error at `offset` in the view.
    #[must_use]
    pub fn error(self, offset: u64, kind: impl Into<Problem>) -> FormatError {
        FormatError {
            format: Some(self.format),
            role: self.role,
            file: None,
            offset: Some(self.file_offset(offset)),
            kind: kind.into(),
        }
    }

    /// Creates an error about the view as a whole. It has an offset only if the view is a part of its file.
    #[must_use]
    pub fn error_of_whole(self, kind: impl Into<Problem>) -> FormatError {
        FormatError { offset: Some(self.base).filter(|&base| base > 0), ..self.error(0, kind) }
    }

    /// Returns `length` bytes, starting at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early.
    pub fn slice(self, offset: u64, length: u64) -> Result<&'a [u8], FormatError> {
        let end = offset.saturating_add(length);
        usize::try_from(offset)
            .ok()
            .zip(usize::try_from(end).ok())
            .and_then(|(start, end)| self.bytes.get(start..end))
            .ok_or_else(|| {
                let available = self.len().saturating_sub(offset);
                self.error(offset, Problem::Truncated { needed: length, available })
            })
    }

    /// Narrows the view to `length` bytes, starting at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early.
    pub fn view(self, offset: u64, length: u64) -> Result<Self, FormatError> {
        let bytes = self.slice(offset, length)?;
        Ok(Self { bytes, base: self.file_offset(offset), ..self })
    }

    /// Reads the structure at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early.
    pub fn read<T: FromBytes>(self, offset: u64) -> Result<T, FormatError> {
        let bytes = self.slice(offset, size_of::<T>() as u64)?;
        T::read_from_bytes(bytes).map_err(|_| self.truncated::<T>(offset))
    }

    /// Returns `count` structures in place, starting at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early.
    pub fn array<T>(self, offset: u64, count: u64) -> Result<&'a [T], FormatError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let bytes = self.slice(offset, count.saturating_mul(size_of::<T>() as u64))?;
        let elements = usize::try_from(count).unwrap_or(usize::MAX);
        <[T]>::ref_from_bytes_with_elems(bytes, elements).map_err(|_| self.truncated::<T>(offset))
    }

    /// Returns up to `count` structures in place, starting at `offset`: fewer if the view ends before. Use this for
    /// tables whose stated length may be wrong.
    #[must_use]
    pub fn array_prefix<T>(self, offset: u64, count: u64) -> &'a [T]
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let room = self.len().saturating_sub(offset).checked_div(size_of::<T>() as u64).unwrap_or(0);
        self.array(offset, count.min(room)).unwrap_or_default()
    }

    /// Reads the little-endian word at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early.
    pub fn word(self, offset: u64) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.read(offset)?))
    }

    fn truncated<T>(self, offset: u64) -> FormatError {
        let available = self.len().saturating_sub(offset);
        self.error(offset, Problem::Truncated { needed: size_of::<T>() as u64, available })
    }
}

/// Reads a view in order, and moves on with every read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    view: View<'a>,
    at: u64,
}

impl<'a> Cursor<'a> {
    /// Starts at `offset` in `view`.
    #[must_use]
    pub const fn new(view: View<'a>, offset: u64) -> Self {
        Self { view, at: offset }
    }

    /// Returns the offset of the next read.
    #[must_use]
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Reads the next structure.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early; the cursor does not move.
    pub fn read<T: FromBytes>(&mut self) -> Result<T, FormatError> {
        let value = self.view.read(self.at)?;
        self.at = self.at.saturating_add(size_of::<T>() as u64);
        Ok(value)
    }

    /// Reads the next little-endian word.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends early; the cursor does not move.
    pub fn word(&mut self) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.read()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(bytes: &[u8]) -> View<'_> {
        View::new(bytes, 0x100, "pac", FileRole::Input)
    }

    #[test]
    fn reads_stop_at_the_end() {
        let view = view(&[1, 0, 0, 0, 2, 0]);
        assert_eq!(view.word(0), Ok(1), "the first word is there");
        let error = view.word(4).expect_err("only two bytes are left");
        assert_eq!(error.to_string(), "at 0x104: 4 bytes are needed here, 2 are left", "message");
        assert!(view.slice(u64::MAX, 2).is_err(), "offsets do not wrap");
        assert!(view.array::<[u8; 4]>(0, u64::MAX).is_err(), "lengths do not wrap");
        assert_eq!(view.array_prefix::<[u8; 4]>(1, u64::MAX), [[0, 0, 0, 2]], "one whole structure");
        assert!(view.array_prefix::<u8>(7, 1).is_empty(), "none after the end");
    }

    #[test]
    fn cursors_move_on() {
        let mut cursor = Cursor::new(view(&[1, 0, 0, 0, 2, 0, 0, 0, 3]), 0);
        assert_eq!((cursor.word(), cursor.word()), (Ok(1), Ok(2)), "two words");
        assert!(cursor.word().is_err(), "no third");
        assert_eq!(cursor.at(), 8, "a failed read does not move");
    }
}
