//! Notes of a file: everything about it that its picture does not show.

use std::fmt;

use crate::ge::note::Severity;

/// Something odd about a file, or a decision that its reader made.
///
/// Prints as one line: the part, the offset and the message, as far as they are known.
///
/// ```
/// use pspge::model::{FileNote, FileNoteKind};
///
/// let note = FileNote::new(FileNoteKind::Mismatch, "the header says 7 bytes").at(8).in_part("textures");
/// assert_eq!(note.to_string(), "textures: at 0x8: the header says 7 bytes");
/// assert_eq!(note.kind.code(), "mismatch");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileNote {
    /// The kind, to filter by.
    pub kind: FileNoteKind,
    /// The part of the input that it concerns, such as `textures`; `None` if it is the opened file itself.
    pub part: Option<String>,
    /// Offset in the file that holds the part, in bytes; `None` if the note concerns no place in it.
    pub offset: Option<u64>,
    /// The message, without part and offset.
    pub message: String,
    /// The file that would supply the missing data; `None` if nothing is missing, or no file is known to help.
    pub missing_file: Option<MissingFile>,
}

/// A file that would belong to the input, and that was neither given nor found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingFile {
    /// The part of the input that it would be, such as `textures`.
    pub role: &'static str,
    /// Its usual name; `None` if the format cannot tell it from the input's.
    pub name: Option<String>,
}

impl FileNote {
    /// Creates a note on the whole file.
    #[must_use]
    pub fn new(kind: FileNoteKind, message: impl Into<String>) -> Self {
        Self { kind, part: None, offset: None, message: message.into(), missing_file: None }
    }

    /// Returns the note with an offset in its file.
    #[must_use]
    pub fn at(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// Returns the note as one on a part of the input. The part of a part is separated by `: `.
    #[must_use]
    pub fn in_part(self, part: &str) -> Self {
        let part = match self.part {
            Some(inner) => format!("{part}: {inner}"),
            None => part.to_owned(),
        };
        Self { part: Some(part), ..self }
    }

    /// The same if the note names no part yet.
    #[must_use]
    pub fn or_in_part(self, part: &str) -> Self {
        if self.part.is_some() { self } else { self.in_part(part) }
    }

    /// Returns how serious the note is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

impl fmt::Display for FileNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names come from files: no line breaks, and no control characters that a terminal would obey.
        let clean = |text: &str| text.replace(char::is_control, "\u{FFFD}");
        if let Some(part) = &self.part {
            write!(f, "{}: ", clean(part))?;
        }
        if let Some(offset) = self.offset {
            write!(f, "at {offset:#x}: ")?;
        }
        f.write_str(&clean(&self.message))
    }
}

/// The kind of a [`FileNote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FileNoteKind {
    /// The container holds other members that could be opened instead.
    OtherMembers,
    /// Parts are drawn only on request: hidden ones, and alternatives.
    HiddenParts,
    /// A field without effect on the picture has a value, or one of unknown meaning.
    UnknownField,
    /// Something that other files of the format do not have. It is read as it is.
    Unusual,
    /// The file uses textures, and no file with textures was given.
    TexturesMissing,
    /// A texture does not exist in the files that were given.
    TextureMissing,
    /// A material does not exist in the files that were given.
    MaterialMissing,
    /// Data that the file should hold are missing. A default replaces them.
    Incomplete,
    /// Fields contradict one another. The one that the content confirms counts.
    Mismatch,
    /// A part of the file is not used.
    LeftOut,
    /// The Graphics Engine lacks a feature of the file. The picture is an approximation.
    NotExpressed,
    /// The meaning of a field is a guess.
    Guessed,
    /// A file that was given has no effect.
    UnusedCompanion,
    /// There are more notes than are kept.
    MoreNotes,
}

impl FileNoteKind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::OtherMembers,
        Self::HiddenParts,
        Self::UnknownField,
        Self::Unusual,
        Self::TexturesMissing,
        Self::TextureMissing,
        Self::MaterialMissing,
        Self::Incomplete,
        Self::Mismatch,
        Self::LeftOut,
        Self::NotExpressed,
        Self::Guessed,
        Self::UnusedCompanion,
        Self::MoreNotes,
    ];

    /// Returns the stable name for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OtherMembers => "other-members",
            Self::HiddenParts => "hidden-parts",
            Self::UnknownField => "unknown-field",
            Self::Unusual => "unusual",
            Self::TexturesMissing => "textures-missing",
            Self::TextureMissing => "texture-missing",
            Self::MaterialMissing => "material-missing",
            Self::Incomplete => "incomplete",
            Self::Mismatch => "mismatch",
            Self::LeftOut => "left-out",
            Self::NotExpressed => "not-expressed",
            Self::Guessed => "guessed",
            Self::UnusedCompanion => "unused-companion",
            Self::MoreNotes => "more-notes",
        }
    }

    /// Returns whether textures or materials are missing, which another file may hold.
    #[must_use]
    pub const fn is_about_textures(self) -> bool {
        matches!(self, Self::TexturesMissing | Self::TextureMissing | Self::MaterialMissing)
    }

    /// Returns how serious notes of this kind are.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::OtherMembers | Self::HiddenParts | Self::UnknownField | Self::Unusual => {
                Severity::Information
            }
            _ => Severity::Problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn kinds_have_codes_of_their_own() {
        let codes: HashSet<&str> = FileNoteKind::ALL.into_iter().map(FileNoteKind::code).collect();
        assert_eq!(codes.len(), FileNoteKind::ALL.len(), "one name for each kind");
        assert!(FileNoteKind::ALL.is_sorted(), "each kind once, in order");
    }

    #[test]
    fn notes_print_on_one_line() {
        let note = FileNote::new(FileNoteKind::LeftOut, "a\nb").in_part("c\u{1b}").in_part("d");
        assert_eq!(note.to_string(), "d: c\u{FFFD}: a\u{FFFD}b");
    }
}
