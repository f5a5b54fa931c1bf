//! Why a command did not succeed: a typed error with its exit status, or an ending that needs no message.

use std::fmt::{self, Display};
use std::io;

use pspge::asm::{AssemblyError, AssemblyErrors};
use pspge::documents::error::ErrorInfo;
use pspge::formats::{FormatError, Problem};

use crate::exit_status::ExitStatus;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error, not yet printed.
    Error(Box<CommandError>),
    /// The result differs from what was asked for, or inputs failed, and the output already says so.
    Reported,
    /// The reader of standard output closed it: not an error.
    OutputClosed,
}

/// An error with its place.
#[derive(Clone, Debug)]
pub(crate) struct CommandError {
    /// Stable name of the kind of error, in kebab case.
    pub(crate) code: &'static str,
    /// The error in one line, without file and offset.
    pub(crate) message: String,
    /// The file at fault.
    pub(crate) file: Option<String>,
    /// Offset of the fault in that file, in bytes.
    pub(crate) offset: Option<u64>,
    /// Place of the fault in a text.
    pub(crate) place: Option<TextPlace>,
    /// Further errors in the same input.
    pub(crate) others: Vec<Self>,
    /// Number of errors after these that are only counted.
    pub(crate) omitted: usize,
    /// More lines for people, such as the source line of the error.
    pub(crate) details: Vec<String>,
    pub(crate) status: ExitStatus,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextPlace {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
    /// Length of the wrong part in bytes; 0 after the end of a line.
    pub(crate) length: u32,
    /// The places that include the text, innermost first: `FILE:LINE:COLUMN`.
    pub(crate) included_from: Vec<String>,
}

impl Failure {
    /// Creates an error of wrong usage.
    pub(crate) fn usage(problem: impl Display) -> Self {
        Self::error(ExitStatus::Usage, "usage", None, None, problem)
    }

    /// Creates the error of an option that cannot apply to an input.
    pub(crate) fn inapplicable(input: &str, option: &str, reason: impl Display) -> Self {
        let problem = format_args!("{option} cannot apply: {reason}").to_string();
        Self::error(ExitStatus::Usage, "option-inapplicable", Some(input), None, problem)
    }

    /// Creates the error of an input that is damaged, not recognised or of the wrong kind.
    pub(crate) fn input(
        input: &str,
        code: &'static str,
        offset: impl Into<Option<u64>>,
        problem: impl Display,
    ) -> Self {
        Self::error(ExitStatus::Input, code, Some(input), offset.into(), problem)
    }

    /// Creates the error of a file that the library cannot open. `input` is the name given, which stands for the file
    /// unless the error names another one.
    pub(crate) fn format(input: &str, error: &FormatError) -> Self {
        let file = error.file.as_deref().unwrap_or(input);
        let status = match error.kind {
            Problem::File(_) => ExitStatus::Files,
            _ => ExitStatus::Input,
        };
        Self::error(status, error.code(), Some(file), error.offset, &error.kind)
    }

    /// Creates the errors of assembly text.
    pub(crate) fn assembly(input: &str, errors: &AssemblyErrors) -> Self {
        let mut all = errors.iter().map(|error| Self::assembly_error(input, error));
        let Some(mut first) = all.next() else { return Self::Reported };
        first.others = all.collect();
        first.omitted = errors.omitted();
        Self::Error(Box::new(first))
    }

    fn assembly_error(input: &str, error: &AssemblyError) -> CommandError {
        let file = error.location.as_ref().map_or(input, |place| &place.file);
        let place = error.location.as_ref().map(|place| TextPlace {
            line: place.line,
            column: place.column,
            length: error.length(),
            included_from: error.included_from().iter().map(ToString::to_string).collect(),
        });
        let details = error.excerpt().to_string();
        CommandError {
            code: "assembly",
            message: error.kind.to_string(),
            file: Some(file.to_owned()),
            offset: None,
            place,
            others: Vec::new(),
            omitted: 0,
            details: details.lines().map(str::to_owned).collect(),
            status: ExitStatus::Input,
        }
    }

    /// Creates the error of a file that cannot be read or written.
    pub(crate) fn file(path: impl Display, problem: &io::Error) -> Self {
        let code = match problem.kind() {
            io::ErrorKind::NotFound => "not-found",
            io::ErrorKind::PermissionDenied => "permission-denied",
            _ => "input-output",
        };
        Self::file_problem(path, code, problem)
    }

    /// Creates the same error for a problem that does not come from the system.
    pub(crate) fn file_problem(path: impl Display, code: &'static str, problem: impl Display) -> Self {
        Self::error(ExitStatus::Files, code, Some(&path.to_string()), None, problem)
    }

    fn error(
        status: ExitStatus,
        code: &'static str,
        file: Option<&str>,
        offset: Option<u64>,
        problem: impl Display,
    ) -> Self {
        let file = file.map(|file| if file == "-" { "standard input" } else { file }.to_owned());
        let message = problem.to_string();
        Self::Error(Box::new(CommandError {
            code,
            message,
            file,
            offset,
            place: None,
            others: Vec::new(),
            omitted: 0,
            details: Vec::new(),
            status,
        }))
    }

    /// Returns the error, if there is one to print.
    pub(crate) fn as_error(&self) -> Option<&CommandError> {
        match self {
            Self::Error(error) => Some(error),
            Self::Reported | Self::OutputClosed => None,
        }
    }

    /// Returns the exit status of the process.
    pub(crate) fn status(&self) -> ExitStatus {
        match self {
            Self::Error(error) => error.status,
            Self::Reported => ExitStatus::Failed,
            Self::OutputClosed => ExitStatus::Success,
        }
    }
}

impl CommandError {
    /// Returns the error for documents.
    pub(crate) fn info(&self) -> ErrorInfo {
        let place = self.place.as_ref();
        ErrorInfo {
            file: self.file.clone(),
            offset: self.offset,
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            length: place.map(|place| place.length),
            included_from: place.map(|place| place.included_from.clone()).unwrap_or_default(),
            others: self.others.iter().map(Self::info).collect(),
            omitted: self.omitted as u64,
            ..ErrorInfo::new(self.code, &self.message)
        }
    }
}

impl Display for CommandError {
    /// Formats as one line: `FILE: at 0xOFFSET: message`, or `FILE:LINE:COLUMN: message` for a place in a text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", one_line(file))?;
            if let Some(TextPlace { line, column, .. }) = self.place {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        if let Some(offset) = self.offset {
            write!(f, "at {offset:#x}: ")?;
        }
        f.write_str(&one_line(&self.message))
    }
}

/// Joins the lines of a text and replaces control characters: file names may contain escape sequences.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    line.replace(char::is_control, "\u{FFFD}")
}
