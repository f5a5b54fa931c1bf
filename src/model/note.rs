//! Notes on a file, for everything its picture does not show.

use std::fmt;

use crate::ge::note::Severity;

/// Something odd in a file, or a decision its reader made, to tell the user.
///
/// This prints as a single line: the part, the offset and the message, as far as they are known.
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
    /// The part of the input it concerns, such as `textures`; `None` for the opened file itself.
    pub part: Option<String>,
    /// Offset in bytes in the file with this part; `None` if the note concerns no particular place.
    pub offset: Option<u64>,
    /// The message, without part and offset.
    pub message: String,
    /// The file that would supply the missing data; `None` if nothing is missing, or no file is known to help.
    pub missing_file: Option<MissingFile>,
}

/// A file that belongs to the input, but was neither given nor found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingFile {
    /// The role it would have for the input, such as `textures`.
    pub role: &'static str,
    /// Its usual name; `None` if the format cannot derive this from the input's name.
    pub name: Option<String>,
}

impl FileNote {
    /// Creates a note on the whole file. Use [`Self::at`] and [`Self::in_part`] to say more.
    #[must_use]
    pub fn new(kind: FileNoteKind, message: impl Into<String>) -> Self {
        Self { kind, part: None, offset: None, message: message.into(), missing_file: None }
    }

    /// Adds an offset within the file.
    #[must_use]
    pub fn at(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// Attributes the note to a part of the input. If it names a part already, `part` comes first, separated by
    /// `: `.
    #[must_use]
    pub fn in_part(self, part: &str) -> Self {
        let part = match self.part {
            Some(inner) => format!("{part}: {inner}"),
            None => part.to_owned(),
        };
        Self { part: Some(part), ..self }
    }

    /// Does the same as [`Self::in_part`], unless the note names a part already.
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
        // Names come from files, so this removes line breaks and control characters that a terminal would obey.
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
    /// The container has other members to open instead.
    OtherMembers,
    /// Hidden parts and alternatives exist, and are drawn only on request.
    HiddenParts,
    /// A field has an unknown meaning, or a value without effect on the picture.
    UnknownField,
    /// Other files in this format have nothing like this. It is read as it is.
    Unusual,
    /// The file uses textures, but no file with textures was given.
    TexturesMissing,
    /// None of the given files has this texture.
    TextureMissing,
    /// None of the given files has this material.
    MaterialMissing,
    /// Data are missing from the file. A default replaces them.
    Incomplete,
    /// Fields contradict each other. The content decides which to believe.
    Mismatch,
    /// Part of this file is not used.
    LeftOut,
    /// The Graphics Engine lacks a feature the file needs. The picture is an approximation.
    NotExpressed,
    /// The meaning of a field is a guess.
    Guessed,
    /// A file that was given has no effect.
    UnusedCompanion,
    /// More notes were found than are kept.
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

    /// Returns a stable name for programs.
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

    /// Returns whether textures or materials are missing, so that another file may help.
    #[must_use]
    pub const fn is_about_textures(self) -> bool {
        matches!(self, Self::TexturesMissing | Self::TextureMissing | Self::MaterialMissing)
    }

    /// Returns how serious this kind is.
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
