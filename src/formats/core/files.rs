//! The files around the input, without input or output in the library.

use std::fmt;

/// Reads files from the folder of the input, or from another folder. Names are without folders.
///
/// A program that opens files from a disk implements it; [`NoFiles`] is for everything else.
pub trait FileProvider: fmt::Debug {
    /// Returns the folder's name, for messages.
    fn folder(&self) -> String;

    /// Returns the names of all files in the folder, sorted. Empty if the folder cannot be listed.
    fn names(&self) -> Vec<String>;

    /// Reads a file; `None` if there is no file of that name.
    ///
    /// # Errors
    /// If the file exists and cannot be read, or is too large.
    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError>;
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvidedFile {
    /// Its name with folders, for messages and for [`crate::ge::capture::Source`].
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Its name with folders.
    pub name: String,
    /// The reason.
    pub message: String,
}

/// No files: inputs are opened on their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl FileProvider for NoFiles {
    fn folder(&self) -> String {
        String::new()
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _: &str) -> Result<Option<ProvidedFile>, FileError> {
        Ok(None)
    }
}
