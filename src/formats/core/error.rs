//! Errors in files: one small type with an offset and a problem.
//!
//! # Invariants
//! Every error is located. Offsets count from the start of the file that the user named, also inside
//! containers. The type knows no format: a format's own error is boxed, and [`FormatError::problem_as`]
//! returns it.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::ge::limits::LimitHit;

/// A located problem. Displayed as `at 0xOFFSET: message`, on one line even if names in the file contain line
/// breaks. Callers add the input's name.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatError {
    /// Name of the format that was being read; `None` if the file was not recognised.
    pub format: Option<&'static str>,
    /// Role of the file with the problem.
    pub role: FileRole,
    /// Name of that file, except for the input. Filled in when the request fails, not by readers.
    pub file: Option<String>,
    /// Offset in that file, in bytes from its start.
    pub offset: u64,
    /// The problem.
    pub kind: Problem,
}

impl FormatError {
    /// Borrows the format's own error as type `P`.
    #[must_use]
    pub fn problem_as<P: FormatProblem>(&self) -> Option<&P> {
        self.kind.of_format()
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names come from files, so line breaks and control characters of terminals are replaced.
        let problem = self.kind.to_string().replace(char::is_control, "\u{FFFD}");
        match &self.kind {
            Problem::File(_) => f.write_str(&problem),
            _ => write!(f, "at {:#x}: {problem}", self.offset),
        }
    }
}

impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

/// The role of a file in a request.
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
    /// A file with named materials and textures, by its number.
    Library(usize),
}

/// A problem in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// No format recognises the file.
    #[error("not a file of a known format")]
    Unknown,
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file ends too early.
    #[error("{needed} bytes are needed here, {available} are left")]
    Truncated {
        /// Bytes that the structure needs.
        needed: u64,
        /// Bytes up to the end.
        available: u64,
    },
    /// No member of the container has this name or number.
    #[error("the container has no member \"{0}\"")]
    NoMember(String),
    /// A member was requested, but the format has no members.
    #[error("a file of format {0} has no members")]
    NoContainer(&'static str),
    /// Too many nested containers.
    #[error("containers are nested more than {0} deep")]
    TooDeep(usize),
    /// A companion file is of another format.
    #[error("expected {expected}, found {}", found.unwrap_or("something unknown"))]
    WrongCompanion {
        /// Name of the expected format.
        expected: &'static str,
        /// Name of the file's format.
        found: Option<&'static str>,
    },
    /// The file does not fit into the free part of the machine's memory.
    #[error("{0} more bytes do not fit into the machine's memory")]
    OutOfMemory(u64),
    /// Unpacking would exceed a limit.
    #[error("{0}")]
    Limit(LimitHit),
    /// A parse option that no format declares.
    #[error("no format has a parse option \"{0}\"")]
    NoParseOption(String),
    /// The file or folder cannot be read, or lacks a required file. Displayed without an offset.
    #[error("{0}")]
    File(String),
    /// A problem specific to one format.
    #[error("{0}")]
    Format(#[source] BoxedProblem),
}

impl Problem {
    /// Borrows the format's own error as type `P`.
    #[must_use]
    pub fn of_format<P: FormatProblem>(&self) -> Option<&P> {
        match self {
            Self::Format(problem) => problem.downcast_ref(),
            _ => None,
        }
    }
}

/// The error type of one format, for problems specific to it.
pub trait FormatProblem: Error + PartialEq + Send + Sync + 'static {}

impl<P: FormatProblem> From<P> for Problem {
    fn from(problem: P) -> Self {
        Self::Format(BoxedProblem(Arc::new(problem)))
    }
}

/// A type-erased error of a format. Equal errors have equal types and values.
#[derive(Clone)]
pub struct BoxedProblem(Arc<dyn AnyProblem>);

impl BoxedProblem {
    /// Borrows the error as type `P`.
    #[must_use]
    pub fn downcast_ref<P: FormatProblem>(&self) -> Option<&P> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }
}

/// [`FormatProblem`] as a trait object.
trait AnyProblem: Error + Any + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<P: FormatProblem> AnyProblem for P {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

impl PartialEq for BoxedProblem {
    fn eq(&self, other: &Self) -> bool {
        let other: &dyn Any = &*other.0;
        self.0.equals(other)
    }
}

impl fmt::Debug for BoxedProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for BoxedProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for BoxedProblem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Warnings of a reader: problems that do not stop it. They have the type of errors, so they are located and
/// displayed alike.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<FormatError>,
    dropped: usize,
}

/// Number of warnings that are kept; the others are only counted.
const WARNINGS_MAX: usize = 64;

impl Warnings {
    /// Adds a warning, or only counts it once the list is full.
    pub fn push(&mut self, warning: FormatError) {
        if self.list.len() < WARNINGS_MAX {
            self.list.push(warning);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Returns the warnings with `change` applied to each.
    #[must_use]
    pub fn map(self, change: impl FnMut(FormatError) -> FormatError) -> Self {
        Self { list: self.list.into_iter().map(change).collect(), dropped: self.dropped }
    }

    /// Returns the kept warnings in order.
    #[must_use]
    pub fn as_slice(&self) -> &[FormatError] {
        &self.list
    }

    /// Formats the warnings as lines of text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let more = (self.dropped > 0).then(|| format!("{} more warnings", self.dropped));
        self.list.iter().map(ToString::to_string).chain(more)
    }
}
