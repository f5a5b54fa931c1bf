//! Errors of formats: one small type with the problem and its place in the file.
//!
//! # Invariants
//! Every error is located. Offsets count from the start of the file that the user named, also inside containers.
//! The type knows no format: a format's own error is boxed, and [`FormatError::problem_as`] gives it back.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::ge::limits::LimitHit;

/// A problem and its place in a file. Prints as `at 0xOFFSET: what is wrong`, on one line even if names in the file hold line
/// breaks; the caller knows the input's name.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatError {
    /// Name of the format that was being read; `None` if the file was not recognised.
    pub format: Option<&'static str>,
    /// Which of the files of a request is at fault.
    pub role: FileRole,
    /// Name of that file, if it is not the input. Filled in when the request fails, not by readers.
    pub file: Option<String>,
    /// Offset of the problem in that file, in bytes.
    pub offset: u64,
    /// The problem.
    pub kind: Problem,
}

impl FormatError {
    /// Returns the format's own error, if the problem is one of that type.
    #[must_use]
    pub fn problem_as<P: FormatProblem>(&self) -> Option<&P> {
        self.kind.of_format()
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names come from files: no line breaks, and no control characters that a terminal would obey.
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

/// The problems that several formats share, and a box for the others.
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
        /// Bytes that are left.
        available: u64,
    },
    /// No member of the container has this name or number.
    #[error("the container has no member \"{0}\"")]
    NoMember(String),
    /// A member was asked of a format that has none.
    #[error("a file of format {0} has no members")]
    NoContainer(&'static str),
    /// Containers within containers, too many.
    #[error("containers are nested more than {0} deep")]
    TooDeep(usize),
    /// A companion file is of another format.
    #[error("expected {expected}, found {}", found.unwrap_or("something unknown"))]
    WrongCompanion {
        /// Name of the format that belongs here.
        expected: &'static str,
        /// Name of the file's format.
        found: Option<&'static str>,
    },
    /// The file does not fit into the rest of the machine's memory.
    #[error("{0} bytes do not fit into the machine's memory any more")]
    OutOfMemory(u64),
    /// It would unpack to more than a limit allows.
    #[error("{0}")]
    Limit(LimitHit),
    /// A parse option that no format declares.
    #[error("no format has a parse option \"{0}\"")]
    NoParseOption(String),
    /// A problem of the file or folder as a whole, not of its bytes: for example, it cannot be read.
    #[error("{0}")]
    File(String),
    /// A problem that only this format has.
    #[error("{0}")]
    Format(#[source] BoxedProblem),
}

impl Problem {
    /// Returns the format's own error, if it is one of that type.
    #[must_use]
    pub fn of_format<P: FormatProblem>(&self) -> Option<&P> {
        match self {
            Self::Format(problem) => problem.downcast_ref(),
            _ => None,
        }
    }
}

/// The error type of one format, for problems that only its files have.
pub trait FormatProblem: Error + PartialEq + Send + Sync + 'static {}

impl<P: FormatProblem> From<P> for Problem {
    fn from(problem: P) -> Self {
        Self::Format(BoxedProblem(Arc::new(problem)))
    }
}

/// A format's own error without its type. Equal if type and value are.
#[derive(Clone)]
pub struct BoxedProblem(Arc<dyn AnyProblem>);

impl BoxedProblem {
    /// Returns the error, if it has that type.
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

    /// Returns the warnings as lines of text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let more = (self.dropped > 0).then(|| format!("{} more warnings", self.dropped));
        self.list.iter().map(ToString::to_string).chain(more)
    }
}
