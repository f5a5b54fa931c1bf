//! Notes of an export: everything that the scene does not hold as the list draws it.

use std::fmt;

use crate::ge::note::Severity;

/// Something that an exported scene leaves out or changes. Prints as its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportNote {
    /// The kind, to filter by.
    pub kind: ExportNoteKind,
    /// The message, on one line.
    pub message: String,
}

impl ExportNote {
    /// Creates a note.
    #[must_use]
    pub fn new(kind: ExportNoteKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for ExportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The kind of an [`ExportNote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExportNoteKind {
    /// The run ended at a limit. Later draws are missing.
    Limit,
    /// Geometry or animations are missing.
    LeftOut,
    /// The scene holds something in a form that looks or moves differently.
    NotExpressed,
    /// Draws are missing because the caller's filter excludes them.
    Filtered,
    /// Triangles without an area are missing. They cover no pixel.
    Degenerate,
}

impl ExportNoteKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Limit, Self::LeftOut, Self::NotExpressed, Self::Filtered, Self::Degenerate];

    /// Returns the stable name for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::LeftOut => "left-out",
            Self::NotExpressed => "not-expressed",
            Self::Filtered => "filtered",
            Self::Degenerate => "degenerate",
        }
    }

    /// Returns how serious notes of this kind are.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Limit | Self::LeftOut | Self::NotExpressed => Severity::Problem,
            Self::Filtered | Self::Degenerate => Severity::Information,
        }
    }
}
