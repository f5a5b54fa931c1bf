//! Notes on an export, to tell the user which parts of the list's picture the scene lacks.

use std::fmt;

use crate::ge::note::Severity;

/// Tells how an exported scene differs from the list's picture. This prints as its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportNote {
    /// The kind, to filter by.
    pub kind: ExportNoteKind,
    /// The message, in a single line.
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
    /// The run ended at a limit, so later draws are missing.
    Limit,
    /// Geometry or animations are missing.
    LeftOut,
    /// Something looks or moves differently, because the scene can hold it only in another form.
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

    /// Returns a stable name for programs.
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

    /// Returns how serious this kind is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Limit | Self::LeftOut | Self::NotExpressed => Severity::Problem,
            Self::Filtered | Self::Degenerate => Severity::Information,
        }
    }
}
