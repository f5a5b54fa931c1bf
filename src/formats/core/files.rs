//! Access to the files next to the input. The library itself does no input or output.

use std::fmt;

/// Reads files from the folder of the input or from another folder, by names without folders.
///
/// Programs that open files from a disk implement it; [`NoFiles`] is for all others.
pub trait FileProvider: fmt::Debug {
    /// Returns the folder's name, for messages.
    fn folder(&self) -> String;

    /// Returns the sorted names of all files in the folder, or no names for an unlistable folder.
    fn names(&self) -> Vec<String>;

    /// Reads a file. Returns `None` if no file has that name.
    ///
    /// # Errors
    /// If the file exists and cannot be read, or is too large.
    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError>;
}

/// A file that a provider has read.
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

/// A provider without files: inputs are opened on their own.
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
