//! Errors in assembly text, with their places.

use std::fmt::{self, Display};

use error_kind::AssemblyErrorKind;
use excerpt::Excerpt;
use location::Location;

pub(crate) mod error_kind;
pub(crate) mod excerpt;
pub(crate) mod fault;
pub(crate) mod location;
pub(crate) mod similar;

/// How many errors to list. Later errors are only counted.
#[doc(hidden)]
pub const ERRORS_MAX: usize = 100;

/// An error in assembly text.
///
/// Its text form is a single line, `FILE:LINE:COLUMN: message`. Use [`Self::report`] to show the source line as
/// well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblyError {
    /// The mistake.
    pub kind: AssemblyErrorKind,
    /// Place of the wrong part; `None` if this error belongs to no line.
    pub location: Option<Location>,
    pub(super) part: Box<WrongPart>,
}

/// The wrong part in a text, for tools to mark it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WrongPart {
    pub(super) byte_column: u32,
    pub(super) offset: usize,
    pub(super) length: u32,
    pub(super) included_from: Vec<Location>,
    pub(super) excerpt: Option<Excerpt>,
}

impl AssemblyError {
    /// Creates an error that belongs to no line.
    pub(super) fn unplaced(kind: AssemblyErrorKind) -> Self {
        Self { kind, location: None, part: Box::default() }
    }

    /// Returns the byte column at which the wrong part starts in its line, from 1; 0 if this error belongs to no
    /// line.
    #[must_use]
    pub const fn byte_column(&self) -> u32 {
        self.part.byte_column
    }

    /// Returns the byte offset at which the wrong part starts in its text.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.part.offset
    }

    /// Returns how many bytes are wrong; 0 after a line's end.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.part.length
    }

    /// Returns the `.include` statements that lead to this error's text, innermost first.
    #[must_use]
    pub fn included_from(&self) -> &[Location] {
        &self.part.included_from
    }

    /// Formats the source line with a caret below the wrong part, then the places that include this text. The last
    /// line has no line break. Empty for an error that belongs to no line.
    #[must_use]
    pub fn excerpt(&self) -> impl Display {
        let Some(excerpt) = &self.part.excerpt else { return String::new() };
        let places = self.part.included_from.iter().map(|place| format!("\n   = included at {place}"));
        format!("{excerpt}{}", places.collect::<String>())
    }

    /// Formats this error as compilers do, so that editors understand it: `FILE:LINE:COLUMN: error: message`, then
    /// the lines from [`Self::excerpt`].
    #[must_use]
    pub fn report(&self) -> impl Display {
        let place = self.location.as_ref().map(|location| format!("{location}: ")).unwrap_or_default();
        let separator = if self.part.excerpt.is_some() { "\n" } else { "" };
        format!("{place}error: {}{separator}{}", self.kind, self.excerpt())
    }
}

impl Display for AssemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.kind),
            None => write!(f, "{}", self.kind),
        }
    }
}

impl std::error::Error for AssemblyError {}

/// All errors in assembly text: at least one, at most [`ERRORS_MAX`], in text order.
///
/// This leaves out mistakes that only follow from a reported mistake. The text form is a line with the first error
/// and how many others there are. Use [`Self::report`] to show all. In a function that returns [`AssemblyError`],
/// `?` keeps the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssemblyErrors {
    first: Box<AssemblyError>,
    others: Vec<AssemblyError>,
    omitted: usize,
}

impl AssemblyErrors {
    /// Creates the list from its first error, the others, and how many more are only counted.
    pub(super) fn new(first: AssemblyError, others: Vec<AssemblyError>, omitted: usize) -> Self {
        Self { first: Box::new(first), others, omitted }
    }

    /// Returns the first error in the text, to show it alone.
    #[must_use]
    pub const fn first(&self) -> &AssemblyError {
        &self.first
    }

    /// Lists the errors in text order. Errors in an included text come at the place of its `.include`.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &AssemblyError> {
        // This length is known, unlike that of a chained iterator.
        let other = |number: usize| self.others.get(number.checked_sub(1)?);
        (0..self.len()).map(move |number| other(number).unwrap_or(&self.first))
    }

    /// Returns how many errors are listed: 1 to [`ERRORS_MAX`].
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the list is never empty")]
    pub const fn len(&self) -> usize {
        self.others.len().saturating_add(1)
    }

    /// Returns how many further errors are only counted, not listed.
    #[must_use]
    pub const fn omitted(&self) -> usize {
        self.omitted
    }

    /// Formats all errors as compilers do, each with its source line.
    #[must_use]
    pub fn report(&self) -> impl Display {
        let mut reports: Vec<String> = self.iter().map(|error| error.report().to_string()).collect();
        if self.omitted > 0 {
            reports.push(format!("error: {} more errors are not shown", self.omitted));
        }
        reports.join("\n")
    }
}

impl Display for AssemblyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        match self.others.len().saturating_add(self.omitted) {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more error)"),
            more => write!(f, " (and {more} more errors)"),
        }
    }
}

impl std::error::Error for AssemblyErrors {}

impl From<AssemblyErrors> for AssemblyError {
    fn from(errors: AssemblyErrors) -> Self {
        *errors.first
    }
}

impl From<AssemblyError> for AssemblyErrors {
    fn from(error: AssemblyError) -> Self {
        Self::new(error, Vec::new(), 0)
    }
}
