//! Problems reported by errors: some shared by several formats, and a box for a format's own.
//!
//! # Invariants
//! The type knows no format. [`Problem::of_format`] recovers a format's own problem.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::suggest::{Choices, either};
use crate::ge::limits::LimitHit;
use crate::model::FileNoteKind;

/// A problem shared by several formats, or boxed from a single format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// No format recognises the file.
    #[error("not a file of a known format")]
    Unknown,
    /// The file has a well-known format outside the registry. Holds its name with an article.
    #[error("not a file of a known format: it is {0}")]
    Foreign(&'static str),
    /// The file begins like a known format, but fails a later check.
    #[error("looks like {format} ({title}), but {problem}")]
    LooksLike {
        /// The format's name.
        format: &'static str,
        /// The format's full name.
        title: &'static str,
        /// The failed check.
        problem: Box<Self>,
    },
    /// The file ends inside the first bytes of known formats.
    #[error("the file ends after {bytes} {}; {} begins like this", plural(*bytes, "byte"), either(formats))]
    MagicCut {
        /// The file's length in bytes.
        bytes: u64,
        /// The formats with this beginning, by name.
        formats: Vec<&'static str>,
    },
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file ends too early.
    #[error("{needed} bytes are needed here, {available} are left")]
    Truncated {
        /// Bytes needed by the structure.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// The file ends inside its table.
    #[error("its table is cut off: {count} {entries} need {needed} bytes, {available} are left")]
    TableCut {
        /// The entries, such as `members`.
        entries: &'static str,
        /// How many entries there are.
        count: u64,
        /// Bytes needed by the table.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// No member of the container has this name or number.
    #[error("the container has no member \"{wanted}\"{members}")]
    NoMember {
        /// The name or number.
        wanted: String,
        /// The existing members.
        members: Box<Choices>,
    },
    /// The entry with this name or number holds nothing.
    #[error("the member \"{0}\" of the container is empty")]
    EmptyMember(String),
    /// The path asks for a member, but the format has none.
    #[error("a file of format {0} has no members")]
    NoContainer(&'static str),
    /// The archive holds no file that can be opened.
    #[error("none of the files in the archive has a known format")]
    NoKnownFile,
    /// There are more members to visit than the limit allows, including those in inner containers.
    #[error("the container has more than {0} members, counting those of containers in it")]
    TooManyMembers(u64),
    /// Containers are nested too deep.
    #[error("containers are nested more than {0} deep")]
    TooDeep(usize),
    /// A companion file has another format.
    #[error("expected {expected}, found {}", found.unwrap_or("something unknown"))]
    WrongCompanion {
        /// The expected format's name.
        expected: &'static str,
        /// The actual format's name, if known.
        found: Option<&'static str>,
    },
    /// The file does not fit into the machine's remaining memory.
    #[error("{0} bytes do not fit into the machine's memory any more")]
    OutOfMemory(u64),
    /// Unpacking would exceed a limit.
    #[error("{0}")]
    Limit(LimitHit),
    /// No format declares this parse option.
    #[error("no format has a parse option \"{wanted}\"{options}")]
    NoParseOption {
        /// The option's name.
        wanted: String,
        /// The existing options.
        options: Box<Choices>,
    },
    /// The file or folder as a whole has a problem, not its bytes: for example, it cannot be read.
    #[error("{0}")]
    File(String),
    /// A problem specific to this format.
    #[error("{0}")]
    Format(#[source] BoxedProblem),
}

/// Picks the noun's form for a count.
fn plural(count: u64, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}

impl Problem {
    /// Returns the format's own error, if it is a `P`.
    #[must_use]
    pub fn of_format<P: FormatProblem>(&self) -> Option<&P> {
        match self {
            Self::Format(problem) => problem.downcast_ref(),
            _ => None,
        }
    }

    /// Returns a stable name for programs: a few words in lower case with hyphens. If a file looks like a format,
    /// this is the failed check's code.
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
            Self::NoKnownFile => "no-known-member",
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

    /// Explains why this problem refuses a file; `None` if it is only noted.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static Refusal> {
        match self {
            Self::Format(problem) => problem.0.refusal(),
            _ => Refusal::of(self, SHARED_REFUSALS),
        }
    }

    /// Classifies the note for this problem if it does not stop the reader.
    #[must_use]
    pub fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Format(problem) => problem.note_kind(),
            _ => FileNoteKind::LeftOut,
        }
    }
}

/// A reason to refuse a whole file, because nothing sensible can be drawn. Problems without a reason become notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Variant name of the problem.
    pub problem: &'static str,
    /// Why nothing sensible can be drawn.
    pub reason: &'static str,
    /// A real file refused for this reason; empty if none is known.
    pub known_file: &'static str,
}

impl Refusal {
    /// Creates a reason without a known real file.
    #[must_use]
    pub const fn new(problem: &'static str, reason: &'static str) -> Self {
        Self { problem, reason, known_file: "" }
    }

    /// Names a refused real file.
    #[must_use]
    pub const fn known(self, known_file: &'static str) -> Self {
        Self { known_file, ..self }
    }

    /// Finds a problem's entry by its variant name.
    fn of(problem: &dyn fmt::Debug, table: &'static [Self]) -> Option<&'static Self> {
        // Derived `Debug` prints the variant's name first, so the table needs no match over every enum.
        let text = format!("{problem:?}");
        let name = text.split(|char: char| !char.is_alphanumeric()).next();
        table.iter().find(|refusal| name == Some(refusal.problem))
    }
}

/// Why the shared problems refuse a file.
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
    Refusal::new("NoKnownFile", "no format is known by which a file in the archive could be read"),
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

/// A format's own error type, for problems only its files have.
pub trait FormatProblem: Error + PartialEq + Send + Sync + 'static {
    /// Problems that refuse a whole file, each with the reason. For any other problem a reader adds a note and goes
    /// on, because tools and games open such files.
    const REFUSALS: &'static [Refusal] = &[];

    /// Returns a stable name for programs: a few words in lower case with hyphens.
    fn code(&self) -> &'static str {
        "damaged"
    }

    /// Classifies the note for this problem if it does not stop the reader.
    fn note_kind(&self) -> FileNoteKind {
        FileNoteKind::Mismatch
    }
}

impl<P: FormatProblem> From<P> for Problem {
    fn from(problem: P) -> Self {
        Self::Format(BoxedProblem(Arc::new(problem)))
    }
}

/// A format's own error with its type erased. Equal if type and value are.
#[derive(Clone)]
pub struct BoxedProblem(Arc<dyn AnyProblem>);

impl BoxedProblem {
    /// Returns the error if it is a `P`.
    #[must_use]
    pub fn downcast_ref<P: FormatProblem>(&self) -> Option<&P> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    /// Returns the stable name: [`FormatProblem::code`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.stable_code()
    }

    /// Classifies the note: [`FormatProblem::note_kind`].
    #[must_use]
    pub fn note_kind(&self) -> FileNoteKind {
        self.0.kind_of_note()
    }
}

/// Makes [`FormatProblem`] usable as a trait object, which `PartialEq` and the constant prevent.
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
