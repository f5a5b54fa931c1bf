//! A small error type for all formats: the problem, and its place in the file.
//!
//! # Invariants
//! Offsets count from the start of the file the user named, even inside containers. An error without an offset
//! concerns the whole file.

use std::error::Error;
use std::fmt;

use super::problem::{FormatProblem, Problem};
use crate::model::{FileNote, FileNoteKind};

/// A problem and its place. Prints as `at 0xOFFSET: message`, on a single line even if names in the file hold line
/// breaks. The caller adds the input's name.
///
/// ```
/// let error = pspge::open("broken.tm2", b"TIM2").expect_err("the header is cut off");
/// let pspge::Error::Format(error) = error else { panic!("the file has a format") };
/// println!("{error}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FormatError {
    /// Which format was being read; `None` if the file was not recognised.
    pub format: Option<&'static str>,
    /// Which file in the request is at fault.
    pub role: FileRole,
    /// That file's name, if it is not the input. Set when the request fails, because readers do not know it.
    pub file: Option<String>,
    /// Offset in that file, in bytes; `None` if the problem concerns the whole file.
    pub offset: Option<u64>,
    /// The problem.
    pub kind: Problem,
}

impl FormatError {
    /// Returns the format's own error if it is a `P`.
    #[must_use]
    pub fn problem_as<P: FormatProblem>(&self) -> Option<&P> {
        self.kind.of_format()
    }

    /// Returns a stable name for programs: [`Problem::code`].
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
        // Names come from files: replace line breaks, and control characters that a terminal would obey.
        f.write_str(&self.kind.to_string().replace(char::is_control, "\u{FFFD}"))
    }
}

impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

/// Turns a problem into a note, because it does not stop the reader.
impl From<&FormatError> for FileNote {
    fn from(error: &FormatError) -> Self {
        let part = error.role.part().map(str::to_owned);
        Self { part, offset: error.offset, ..Self::new(error.kind.note_kind(), error.kind.to_string()) }
    }
}

/// A file's purpose in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileRole {
    /// The file to open.
    #[default]
    Input,
    /// The file with the textures.
    Textures,
    /// The file with the skeleton.
    Skeleton,
    /// A model's second file, with its mesh data.
    MeshData,
    /// The file with the animations.
    Animations,
    /// A library file by number. It may hold materials and textures.
    Library(usize),
}

impl FileRole {
    /// Names the role for notes; `None` for the input.
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

/// Collects problems without stopping the reader. They are errors by type, so that they print with their place like
/// errors.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<FormatError>,
    dropped: usize,
}

/// How many warnings to keep. Further ones are only counted, so that a damaged file cannot flood memory.
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

    /// Adds another reader's warnings.
    pub fn extend(&mut self, other: &Self) {
        other.list.iter().for_each(|warning| self.push(warning.clone()));
        self.dropped = self.dropped.saturating_add(other.dropped);
    }

    /// Changes each warning.
    #[must_use]
    pub fn map(self, change: impl FnMut(FormatError) -> FormatError) -> Self {
        Self { list: self.list.into_iter().map(change).collect(), dropped: self.dropped }
    }

    /// Returns the kept warnings, in the order they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[FormatError] {
        &self.list
    }

    /// Turns the warnings into notes for the user. The last note counts the dropped ones.
    pub fn notes(&self) -> impl Iterator<Item = FileNote> {
        let more = (self.dropped > 0)
            .then(|| FileNote::new(FileNoteKind::MoreNotes, format!("{} more warnings", self.dropped)));
        self.list.iter().map(FileNote::from).chain(more)
    }
}
