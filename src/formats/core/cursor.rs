//! Reading file bytes: a view that knows its offset in the file, and a cursor over it.
//!
//! # Invariants
//! Never panics and never reads outside the view. Offsets are 64 bits wide, so sums of 32-bit file fields
//! cannot wrap. A failed read yields a located error.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::error::{FileRole, FormatError, Problem};

/// A part of a file: its bytes and their offset in the file.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    bytes: &'a [u8],
    base: u64,
    format: &'static str,
    role: FileRole,
}

impl<'a> View<'a> {
    /// Creates a view of bytes at offset `base` of their file. `format` is the name for error messages.
    #[must_use]
    pub const fn new(bytes: &'a [u8], base: u64, format: &'static str, role: FileRole) -> Self {
        Self { bytes, base, format, role }
    }

    /// Creates a view of bytes derived from this one's, such as unpacked data. Offsets count from their
    /// start.
    #[must_use]
    pub const fn over(self, bytes: &[u8]) -> View<'_> {
        View { bytes, base: 0, format: self.format, role: self.role }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns whether the view has no bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the role of its file in the request.
    #[must_use]
    pub const fn role(self) -> FileRole {
        self.role
    }

    /// Converts an offset in the view to an offset in the file.
    #[must_use]
    pub const fn file_offset(self, offset: u64) -> u64 {
        self.base.saturating_add(offset)
    }

    /// Creates an error located at `offset` of the view.
    #[must_use]
    pub fn error(self, offset: u64, kind: impl Into<Problem>) -> FormatError {
        FormatError {
            format: Some(self.format),
            role: self.role,
            file: None,
            offset: self.file_offset(offset),
            kind: kind.into(),
        }
    }

    /// Returns the `length` bytes from `offset` on.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early.
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

    /// Creates a view of the `length` bytes from `offset` on.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early.
    pub fn view(self, offset: u64, length: u64) -> Result<Self, FormatError> {
        let bytes = self.slice(offset, length)?;
        Ok(Self { bytes, base: self.file_offset(offset), ..self })
    }

    /// Returns the structure at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early.
    pub fn read<T: FromBytes>(self, offset: u64) -> Result<T, FormatError> {
        let bytes = self.slice(offset, size_of::<T>() as u64)?;
        T::read_from_bytes(bytes).map_err(|_| self.truncated::<T>(offset))
    }

    /// Returns the `count` structures from `offset` on, without copying them.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early.
    pub fn array<T>(self, offset: u64, count: u64) -> Result<&'a [T], FormatError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let bytes = self.slice(offset, count.saturating_mul(size_of::<T>() as u64))?;
        let elements = usize::try_from(count).unwrap_or(usize::MAX);
        <[T]>::ref_from_bytes_with_elems(bytes, elements).map_err(|_| self.truncated::<T>(offset))
    }

    /// Returns the little-endian 32-bit word at `offset`.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early.
    pub fn word(self, offset: u64) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.read(offset)?))
    }

    fn truncated<T>(self, offset: u64) -> FormatError {
        let available = self.len().saturating_sub(offset);
        self.error(offset, Problem::Truncated { needed: size_of::<T>() as u64, available })
    }
}

/// A read position in a view that advances with every read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    view: View<'a>,
    at: u64,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at `offset` of `view`.
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
    /// [`Problem::Truncated`] if the view ends too early; the cursor then does not move.
    pub fn read<T: FromBytes>(&mut self) -> Result<T, FormatError> {
        let value = self.view.read(self.at)?;
        self.at = self.at.saturating_add(size_of::<T>() as u64);
        Ok(value)
    }

    /// Reads the next little-endian 32-bit word.
    ///
    /// # Errors
    /// [`Problem::Truncated`] if the view ends too early; the cursor then does not move.
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
    fn reads_past_the_end_fail() {
        let view = view(&[1, 0, 0, 0, 2, 0]);
        assert_eq!(view.word(0), Ok(1), "the first word");
        let error = view.word(4).expect_err("only two bytes are left");
        assert_eq!(error.to_string(), "at 0x104: 4 bytes are needed here, 2 are left", "message");
        assert!(view.slice(u64::MAX, 2).is_err(), "offsets do not wrap");
        assert!(view.array::<[u8; 4]>(0, u64::MAX).is_err(), "lengths do not wrap");
    }

    #[test]
    fn cursor_advances_with_every_read() {
        let mut cursor = Cursor::new(view(&[1, 0, 0, 0, 2, 0, 0, 0, 3]), 0);
        assert_eq!((cursor.word(), cursor.word()), (Ok(1), Ok(2)), "two words");
        assert!(cursor.word().is_err(), "no third word");
        assert_eq!(cursor.at(), 8, "a failed read does not move the cursor");
    }
}
