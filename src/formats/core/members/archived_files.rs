//! The files in an archive: listed by number, and unpacked on demand.

use std::collections::BTreeMap;
use std::fmt;

use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

/// Gives access to the files in an archive.
pub trait ArchivedFiles: fmt::Debug {
    /// Lists the files.
    fn list(&self) -> &[ArchivedFile];

    /// Unpacks the file with this number in the list, or only its beginning if it has more than `most` bytes.
    ///
    /// # Errors
    /// If the file is damaged or packed in an unknown way.
    fn unpack(&self, number: usize, most: u64) -> Result<Vec<u8>, FormatError>;

    /// Returns the archive with new contents for the files with these numbers. All others keep their bytes, but may
    /// move.
    ///
    /// # Errors
    /// If the archive cannot be written in this way.
    fn replace(&self, files: &BTreeMap<usize, Vec<u8>>) -> Result<Vec<u8>, FormatError>;
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedFile {
    /// Its name with folders, separated by `/`.
    pub name: String,
    /// Where it starts in the archive, in bytes.
    pub offset: u64,
    /// Its size in bytes, as the archive states it. It may be wrong.
    pub size: u64,
}

/// Reads the list of an archive's files.
pub(crate) type OpenArchive = for<'a> fn(View<'a>) -> Result<Box<dyn ArchivedFiles + 'a>, FormatError>;
