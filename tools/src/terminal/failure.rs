//! Explains why a command did not succeed: a typed error with its exit status, or an ending that needs no message.

use std::fmt::{self, Display};
use std::io;
use std::iter::once;

use pspge::Error;
use pspge::asm::AssemblyErrors;
use pspge::debug::what_if::edit::EditError;
use pspge::documents::error::ErrorInfo;
use pspge::formats::{FormatError, Problem};

use super::exit_status::ExitStatus;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error, not yet printed.
    Error(Box<CommandError>),
    /// The result differs, or inputs failed, and the output already says so.
    Reported,
    /// The reader closed standard output, as `head` does; this is no error.
    OutputClosed,
}

#[derive(Clone, Debug)]
pub(crate) struct CommandError {
    /// The error as documents show it. If it is about an input, its file is set.
    pub(crate) info: ErrorInfo,
    /// Lines for people to print below the error and below each of `info.others`, for instance the wrong line in a
    /// text.
    excerpts: Vec<String>,
    pub(crate) status: ExitStatus,
}

impl Failure {
    /// Use this for a wrong command line.
    pub(crate) fn usage(problem: impl Display) -> Self {
        Self::error(ExitStatus::Usage, "usage", None, None, problem)
    }

    /// Use this if an option cannot apply to an input.
    pub(crate) fn inapplicable(input: &str, option: &str, reason: impl Display) -> Self {
        let problem = format_args!("{option} cannot apply: {reason}").to_string();
        Self::error(ExitStatus::Usage, "option-inapplicable", Some(input), None, problem)
    }

    /// Use this if an input is damaged, not recognised or of the wrong kind.
    pub(crate) fn input(
        input: &str,
        code: &str,
        offset: impl Into<Option<u64>>,
        problem: impl Display,
    ) -> Self {
        Self::error(ExitStatus::Input, code, Some(input), offset.into(), problem)
    }

    /// Use this for a mistake at an offset in a text, such as a settings file.
    pub(crate) fn text(input: &str, code: &str, text: &str, offset: usize, problem: impl Display) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let count = |count: usize| u32::try_from(count).ok().and_then(|count| count.checked_add(1));
        let info = ErrorInfo {
            line: count(before.matches('\n').count()),
            column: count(before.get(start..).unwrap_or_default().chars().count()),
            ..ErrorInfo::new(code, &problem.to_string())
        };
        CommandError::new(ExitStatus::Input, Some(input), info).into()
    }

    /// Use this if the library cannot open a file. The error is about `input`, unless it names another file.
    pub(crate) fn format(input: &str, error: &FormatError) -> Self {
        let status = match error.kind {
            Problem::File(_) => ExitStatus::Files,
            _ => ExitStatus::Input,
        };
        let mut info: ErrorInfo = error.into();
        if error.code() == "mesh-data-missing" {
            info.message.push_str(" (--mesh-data FILE)");
        }
        CommandError::new(status, Some(input), info).into()
    }

    /// Use this if an asset cannot be opened or run.
    pub(crate) fn asset(input: &str, error: &Error) -> Self {
        match error {
            Error::Format(error) => Self::format(input, error),
            Error::Assembly(errors) => Self::assembly(input, errors),
            Error::Edit(EditError { edit, reason }) => Self::inapplicable(input, edit, reason),
            Error::NotText { offset } => {
                Self::input(input, "not-text", *offset as u64, "this byte is not UTF-8 text")
            }
            Error::NoDisplayList { .. } => Self::input(input, "nothing-to-do", None, error),
            Error::LikeList => {
                let problem = format_args!("{error} (--format list)");
                Self::input(input, error.code(), None, problem)
            }
            _ => Self::input(input, error.code(), error.offset(), error),
        }
    }

    /// Collects all errors in assembly text.
    pub(crate) fn assembly(input: &str, errors: &AssemblyErrors) -> Self {
        let excerpts = errors.iter().map(|error| error.excerpt().to_string()).collect();
        CommandError { excerpts, ..CommandError::new(ExitStatus::Input, Some(input), errors.into()) }.into()
    }

    /// Use this if a file cannot be read or written.
    pub(crate) fn file(path: impl Display, problem: &io::Error) -> Self {
        let code = match problem.kind() {
            io::ErrorKind::NotFound => "not-found",
            io::ErrorKind::PermissionDenied => "permission-denied",
            _ => "input-output",
        };
        Self::file_problem(path, code, problem)
    }

    /// Does the same for a problem not reported by the system.
    pub(crate) fn file_problem(path: impl Display, code: &str, problem: impl Display) -> Self {
        Self::error(ExitStatus::Files, code, Some(&path.to_string()), None, problem)
    }

    fn error(
        status: ExitStatus,
        code: &str,
        file: Option<&str>,
        offset: Option<u64>,
        problem: impl Display,
    ) -> Self {
        let info = ErrorInfo { offset, ..ErrorInfo::new(code, &problem.to_string()) };
        CommandError::new(status, file, info).into()
    }

    /// Returns the error, if it still has to be printed.
    pub(crate) fn as_error(&self) -> Option<&CommandError> {
        match self {
            Self::Error(error) => Some(error),
            Self::Reported | Self::OutputClosed => None,
        }
    }

    pub(crate) fn status(&self) -> ExitStatus {
        match self {
            Self::Error(error) => error.status,
            Self::Reported => ExitStatus::Failed,
            Self::OutputClosed => ExitStatus::Success,
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        Self::Error(Box::new(error))
    }
}

impl CommandError {
    /// Creates an error about `file`. This also holds for its `others`, unless they name a file themselves.
    fn new(status: ExitStatus, file: Option<&str>, mut info: ErrorInfo) -> Self {
        for named in once(&mut info.file).chain(info.others.iter_mut().map(|other| &mut other.file)) {
            let name = named.as_deref().or(file);
            *named = name.map(|name| if name == "-" { "standard input" } else { name }.to_owned());
        }
        Self { info, excerpts: Vec::new(), status }
    }

    /// Whether the input has no known format, so that it may belong to any other program.
    pub(crate) fn is_foreign(&self) -> bool {
        ["unknown-format", "foreign-format"].contains(&&*self.info.code)
    }

    /// Returns lines for people: the error and its excerpt, further errors, and how many are left out.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut excerpts = self.excerpts.iter();
        let mut lines = Vec::new();
        for info in once(&self.info).chain(&self.info.others) {
            lines.push(format!("error: {}", Line(info)));
            lines.extend(excerpts.next().into_iter().flat_map(|excerpt| excerpt.lines()).map(str::to_owned));
        }
        if self.info.omitted > 0 {
            lines.push(format!("error: {} more errors are not shown", self.info.omitted));
        }
        lines
    }
}

/// Formats an error in a line: `FILE: at 0xOFFSET: message`, or `FILE:LINE:COLUMN: message` for a place in a text.
struct Line<'a>(&'a ErrorInfo);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorInfo { message, file, offset, line, column, .. } = self.0;
        if let Some(file) = file {
            write!(f, "{}:", one_line(file))?;
            if let (Some(line), Some(column)) = (line, column) {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        if let Some(offset) = offset {
            write!(f, "at {offset:#x}: ")?;
        }
        f.write_str(&one_line(message))
    }
}

/// Joins a text's lines and replaces control characters, because file names may contain escape sequences.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    line.replace(char::is_control, "\u{FFFD}")
}
