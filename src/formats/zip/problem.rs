//! Errors in ZIP archives.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};

/// Limit for files, so that a crafted archive costs little time.
pub(super) const FILES_MAX: usize = 4096;

/// An error in a ZIP archive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ZipProblem {
    /// The archive cannot be read.
    #[error("the archive cannot be read: {0}")]
    Archive(String),
    /// The archive has too many files.
    #[error("the archive has {0} files; the limit is {FILES_MAX}")]
    TooMany(usize),
    /// A file cannot be replaced, because the archive has records for large archives.
    #[error("files of an archive with ZIP64 records, or above 4 GiB, are not replaced")]
    Large,
    /// A file cannot be replaced, because the list of files contradicts its header.
    #[error("the archive's list of files contradicts this file, which is not replaced")]
    Unlisted,
}

impl FormatProblem for ZipProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Archive", "the file that is meant cannot be unpacked"),
        Refusal::new("TooMany", "a limit of this program protects against archives that never end"),
        Refusal::new("Large", "a file in it is to be replaced, and sizes and places have 64 bits"),
        Refusal::new("Unlisted", "a file in it is to be replaced, and its list of files is damaged"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::TooMany(_) | Self::Large => "too-large",
            Self::Archive(_) | Self::Unlisted => "damaged",
        }
    }
}
