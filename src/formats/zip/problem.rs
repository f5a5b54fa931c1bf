//! Errors in ZIP archives.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};

/// The most files in an archive, so that a crafted archive costs little time.
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
}

impl FormatProblem for ZipProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Archive", "the file that is meant cannot be unpacked"),
        Refusal::new("TooMany", "a limit of this program protects against archives that never end"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::TooMany(_) => "too-large",
            Self::Archive(_) => "damaged",
        }
    }
}
