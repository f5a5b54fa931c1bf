//! Gives access to files next to the input, because the library itself does no input or output.

use std::fmt;

/// Reads files from the input's folder or another folder, by names without folders.
///
/// Implement this to open files from a disk; use [`NoFiles`] if there are no others.
pub trait FileProvider: fmt::Debug {
    /// Names the folder for messages.
    fn folder(&self) -> String;

    /// Lists the names of all files in the folder, sorted; empty if it cannot be listed.
    fn names(&self) -> Vec<String>;

    /// Lists the names of all files like [`Self::names`], but returns `None` if there are more than `most`.
    /// Implement it if this takes less time for a large folder.
    fn few(&self, most: usize) -> Option<Vec<String>> {
        Some(self.names()).filter(|names| names.len() <= most)
    }

    /// Reads a file. Returns `None` if no file has this name.
    ///
    /// # Errors
    /// Fails if the file exists but cannot be read, or is too large.
    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError>;
}

/// A file from a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvidedFile {
    /// Its name with folders, for messages and for [`crate::ge::capture::Source`].
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// Tells which file cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Its name with folders.
    pub name: String,
    /// The reason.
    pub message: String,
}

/// Provides no files, so that inputs open on their own.
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
