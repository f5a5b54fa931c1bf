//! Errors of formats: one small type with the problem and its place in the file.
//!
//! # Invariants
//! Offsets count from the start of the file that the user named, also inside containers. An error that concerns
//! a file as a whole has no offset.

use std::error::Error;
use std::fmt;

use super::problem::{FormatProblem, Problem};
use crate::model::{FileNote, FileNoteKind};

/// A problem and its place in a file. Prints as `at 0xOFFSET: message`, on one line even if names in the file hold
/// line breaks; the caller knows the input's name.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatError {
    /// Name of the format that was being read; `None` if the file was not recognised.
    pub format: Option<&'static str>,
    /// Which of the files of a request is at fault.
    pub role: FileRole,
    /// Name of that file, if it is not the input. Filled in when the request fails, not by readers.
    pub file: Option<String>,
    /// Offset of the problem in that file, in bytes; `None` if it concerns the file as a whole.
    pub offset: Option<u64>,
    /// The problem.
    pub kind: Problem,
}

impl FormatError {
    /// Returns the format's own error, if the problem is one of that type.
    #[must_use]
    pub fn problem_as<P: FormatProblem>(&self) -> Option<&P> {
        self.kind.of_format()
    }

    /// Returns the stable name of the problem for programs: [`Problem::code`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset {
            write!(f, "at {offset:#x}: ")?;
        }
        // Names come from files: no line breaks, and no control characters that a terminal would obey.
        f.write_str(&self.kind.to_string().replace(char::is_control, "\u{FFFD}"))
    }
}

impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

/// Problems that do not stop a reader become notes.
impl From<&FormatError> for FileNote {
    fn from(error: &FormatError) -> Self {
        let part = error.role.part().map(str::to_owned);
        Self { part, offset: error.offset, ..Self::new(error.kind.note_kind(), error.kind.to_string()) }
    }
}

/// The part that a file plays in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileRole {
    /// The file to open.
    #[default]
    Input,
    /// The file with its textures.
    Textures,
    /// The file with its skeleton.
    Skeleton,
    /// The second file of a model, with its mesh data.
    MeshData,
    /// The file with its animations.
    Animations,
    /// The file with this number among those that may hold materials and textures.
    Library(usize),
}

impl FileRole {
    /// Returns the name of the role for notes; `None` for the input.
    #[must_use]
    pub const fn part(self) -> Option<&'static str> {
        match self {
            Self::Input => None,
            Self::Textures => Some("textures"),
            Self::Skeleton => Some("skeleton"),
            Self::MeshData => Some("mesh data"),
            Self::Animations => Some("animations"),
            Self::Library(_) => Some("library"),
        }
    }
}

/// Warnings of a reader: problems that do not stop it.
/// They have the type of errors, so that they are located and printed alike.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<FormatError>,
    dropped: usize,
}

/// Warnings that are kept; more are only counted.
const KEPT: usize = 64;

impl Warnings {
    /// Adds a warning. Only the first 64 are kept.
    pub fn push(&mut self, warning: FormatError) {
        if self.list.len() < KEPT {
            self.list.push(warning);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Adds the warnings of another reader.
    pub fn extend(&mut self, other: &Self) {
        other.list.iter().for_each(|warning| self.push(warning.clone()));
        self.dropped = self.dropped.saturating_add(other.dropped);
    }

    /// Returns the same warnings, each changed by `change`.
    #[must_use]
    pub fn map(self, change: impl FnMut(FormatError) -> FormatError) -> Self {
        Self { list: self.list.into_iter().map(change).collect(), dropped: self.dropped }
    }

    /// Returns the warnings that were kept, in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[FormatError] {
        &self.list
    }

    /// Returns the warnings as notes for the user. The last one counts those that were not kept.
    pub fn notes(&self) -> impl Iterator<Item = FileNote> {
        let more = (self.dropped > 0)
            .then(|| FileNote::new(FileNoteKind::MoreNotes, format!("{} more warnings", self.dropped)));
        self.list.iter().map(FileNote::from).chain(more)
    }
}
