//! The problems of errors: those that several formats share, and a box for a format's own.
//!
//! # Invariants
//! The type knows no format. [`Problem::of_format`] gives a format's own problem back.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::suggest::{Choices, either};
use crate::ge::limits::LimitHit;
use crate::model::FileNoteKind;

/// The problems that several formats share, and a box for the others.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// No format recognises the file.
    #[error("not a file of a known format")]
    Unknown,
    /// The file has a well-known format that is none of the registry's. Names the format, with an article.
    #[error("not a file of a known format: it is {0}")]
    Foreign(&'static str),
    /// The file begins like one of a known format, and fails a later check.
    #[error("looks like {format} ({title}), but {problem}")]
    LooksLike {
        /// Name of the format.
        format: &'static str,
        /// Full name of the format.
        title: &'static str,
        /// The failed check.
        problem: Box<Self>,
    },
    /// The file ends inside the first bytes of known formats.
    #[error("the file ends after {bytes} {}; {} begins like this", plural(*bytes, "byte"), either(formats))]
    MagicCut {
        /// Length of the file in bytes.
        bytes: u64,
        /// Names of the formats that begin with these bytes.
        formats: Vec<&'static str>,
    },
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
    /// The file ends inside its table.
    #[error("its table is cut off: {count} {entries} need {needed} bytes, {available} are left")]
    TableCut {
        /// The entries, such as `members`.
        entries: &'static str,
        /// Number of entries.
        count: u64,
        /// Bytes that the table needs.
        needed: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// No member of the container has this name or number.
    #[error("the container has no member \"{wanted}\"{members}")]
    NoMember {
        /// The name or number.
        wanted: String,
        /// The members that exist.
        members: Box<Choices>,
    },
    /// The entry of this name or number holds nothing.
    #[error("the member \"{0}\" of the container is empty")]
    EmptyMember(String),
    /// A member was asked of a format that has none.
    #[error("a file of format {0} has no members")]
    NoContainer(&'static str),
    /// More members than are looked at, those of containers in the container included.
    #[error("the container has more than {0} members, counting those of containers in it")]
    TooManyMembers(u64),
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
    #[error("no format has a parse option \"{wanted}\"{options}")]
    NoParseOption {
        /// The name of the option.
        wanted: String,
        /// The options that exist.
        options: Box<Choices>,
    },
    /// A problem of the file or folder as a whole, not of its bytes: for example, it cannot be read.
    #[error("{0}")]
    File(String),
    /// A problem that only this format has.
    #[error("{0}")]
    Format(#[source] BoxedProblem),
}

/// Returns a noun for a number of things.
fn plural(count: u64, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
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

    /// Returns the stable name of the problem for programs: a few words in lower case with hyphens. A file that looks
    /// like one of a format has the code of the failed check.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown-format",
            Self::Foreign(_) => "foreign-format",
            Self::LooksLike { problem, .. } => problem.code(),
            Self::Empty => "empty",
            Self::MagicCut { .. } | Self::Truncated { .. } | Self::TableCut { .. } => "truncated",
            Self::NoMember { .. } => "no-member",
            Self::EmptyMember(_) => "empty-member",
            Self::NoContainer(_) => "no-container",
            Self::TooManyMembers(_) => "too-many-members",
            Self::TooDeep(_) => "too-deep",
            Self::WrongCompanion { .. } => "wrong-companion",
            Self::OutOfMemory(_) => "out-of-memory",
            Self::Limit(_) => "limit",
            Self::NoParseOption { .. } => "no-parse-option",
            Self::File(_) => "file",
            Self::Format(problem) => problem.code(),
        }
    }

    /// Returns why the problem refuses a file; `None` for a problem that is only noted.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static Refusal> {
        match self {
            Self::Format(problem) => problem.0.refusal(),
            _ => Refusal::of(self, SHARED_REFUSALS),
        }
    }

    /// Returns the kind of the note that the problem becomes if it does not stop the reader.
    #[must_use]
    pub fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Format(problem) => problem.note_kind(),
            _ => FileNoteKind::LeftOut,
        }
    }
}

/// A reason to refuse a whole file, because nothing sensible can be drawn. Problems without one become notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The problem: the name of its variant.
    pub problem: &'static str,
    /// Why nothing sensible can be drawn.
    pub reason: &'static str,
    /// A real file that is refused for it; empty if no such file is known.
    pub known_file: &'static str,
}

impl Refusal {
    /// Creates a reason for which no real file is known to be refused.
    #[must_use]
    pub const fn new(problem: &'static str, reason: &'static str) -> Self {
        Self { problem, reason, known_file: "" }
    }

    /// Names a real file that is refused.
    #[must_use]
    pub const fn known(self, known_file: &'static str) -> Self {
        Self { known_file, ..self }
    }

    /// Finds the entry of a problem by the name of its variant.
    fn of(problem: &dyn fmt::Debug, table: &'static [Self]) -> Option<&'static Self> {
        let text = format!("{problem:?}");
        let name = text.split(|char: char| !char.is_alphanumeric()).next();
        table.iter().find(|refusal| name == Some(refusal.problem))
    }
}

/// The problems of all formats that refuse a file.
pub const SHARED_REFUSALS: &[Refusal] = &[
    Refusal::new("Unknown", "no format is known by which the bytes could be read"),
    Refusal::new("Foreign", "the format is known, and pspge does not read it"),
    Refusal::new(
        "LooksLike",
        "a table at the start is cut off or contradicts itself, so that no content can be found",
    ),
    Refusal::new("MagicCut", "the file ends inside its first bytes"),
    Refusal::new("Empty", "the file has no bytes"),
    Refusal::new("Truncated", "the file ends inside a table that everything else depends on"),
    Refusal::new("TableCut", "the file ends inside the table of its members"),
    Refusal::new("NoMember", "the path names a member that does not exist"),
    Refusal::new("EmptyMember", "the member has no bytes"),
    Refusal::new("NoContainer", "the path names a member of a file that has none"),
    Refusal::new("TooManyMembers", "a limit of this program protects against files that never end"),
    Refusal::new("TooDeep", "a limit of this program protects against files that contain themselves"),
    Refusal::new(
        "WrongCompanion",
        "the user names a file of another format, and what was meant is not known",
    ),
    Refusal::new("OutOfMemory", "the machine has no memory for the file"),
    Refusal::new("Limit", "a limit that the user can raise"),
    Refusal::new("NoParseOption", "the option does not exist"),
    Refusal::new("File", "the file cannot be read"),
];

/// The error type of one format, for problems that only its files have.
pub trait FormatProblem: Error + PartialEq + Send + Sync + 'static {
    /// The problems that refuse a whole file, each with the reason. A reader that meets another problem notes it and
    /// goes on, because tools and games open such files.
    const REFUSALS: &'static [Refusal] = &[];

    /// Returns the stable name of the problem for programs: a few words in lower case with hyphens.
    fn code(&self) -> &'static str {
        "damaged"
    }

    /// Returns the kind of the note that the problem becomes if it does not stop the reader.
    fn note_kind(&self) -> FileNoteKind {
        FileNoteKind::Mismatch
    }
}

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

    /// Returns the name of the problem for programs: [`FormatProblem::code`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.stable_code()
    }

    /// Returns the kind of the note that the problem becomes: [`FormatProblem::note_kind`].
    #[must_use]
    pub fn note_kind(&self) -> FileNoteKind {
        self.0.kind_of_note()
    }
}

/// [`FormatProblem`] as a trait object.
trait AnyProblem: Error + Any + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
    fn stable_code(&self) -> &'static str;
    fn kind_of_note(&self) -> FileNoteKind;
    fn refusal(&self) -> Option<&'static Refusal>;
}

impl<P: FormatProblem> AnyProblem for P {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn stable_code(&self) -> &'static str {
        self.code()
    }

    fn kind_of_note(&self) -> FileNoteKind {
        self.note_kind()
    }

    fn refusal(&self) -> Option<&'static Refusal> {
        Refusal::of(self, P::REFUSALS)
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
