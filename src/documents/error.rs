//! Describes an error, which tells why an input has no result.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
use crate::asm::{AssemblyError, AssemblyErrors};
use crate::asset::Error;
use crate::formats::FormatError;

/// The error that ended the work on an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The error.
    pub error: ErrorInfo,
}

impl Document for ErrorDocument {
    const NAME: &'static str = "error";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The error that ended the work on an input";
}

/// An error and its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorInfo {
    /// A word for this kind of error, such as `truncated`, `unknown-format`, `assembly`, `usage` or `unreadable`.
    pub code: String,
    /// The error as a sentence, without its place.
    pub message: String,
    /// The file at fault; null if this concerns no file, or the input alone.
    pub file: Option<String>,
    /// The fault's offset in that file, in bytes.
    pub offset: Option<u64>,
    /// The fault's line in a text, from 1.
    pub line: Option<u32>,
    /// The fault's column in that line, in characters, from 1.
    pub column: Option<u32>,
    /// How long the wrong part of the text is, in bytes; 0 after the end of a line.
    pub length: Option<u32>,
    /// The places that include this text, innermost first, each as `FILE:LINE:COLUMN`.
    pub included_from: Vec<String>,
    /// Further errors in the same input.
    pub others: Vec<Self>,
    /// How many more errors there are that are only counted.
    pub omitted: u64,
}

impl ErrorDocument {
    /// Creates the document for an error.
    #[must_use]
    pub fn new(input: &str, error: ErrorInfo) -> Self {
        Self { schema: SchemaId::new(), input: input.to_owned(), error }
    }
}

impl ErrorInfo {
    /// Creates an error without a place.
    #[must_use]
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: code.to_owned(), message: message.to_owned(), ..Self::default() }
    }

    /// Returns this error with an offset in its file.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}

impl From<&FormatError> for ErrorInfo {
    fn from(error: &FormatError) -> Self {
        let message = error.kind.to_string().replace(char::is_control, "\u{FFFD}");
        Self { file: error.file.clone(), offset: error.offset, ..Self::new(error.code(), &message) }
    }
}

impl From<&AssemblyError> for ErrorInfo {
    fn from(error: &AssemblyError) -> Self {
        let location = error.location.as_ref();
        Self {
            file: location.map(|location| location.file.clone()).filter(|file| !file.is_empty()),
            line: location.map(|location| location.line),
            column: location.map(|location| location.column),
            length: location.map(|_| error.length()),
            included_from: error.included_from().iter().map(ToString::to_string).collect(),
            ..Self::new("assembly", &error.kind.to_string())
        }
    }
}

impl From<&AssemblyErrors> for ErrorInfo {
    fn from(errors: &AssemblyErrors) -> Self {
        let others = errors.iter().skip(1).map(Self::from).collect();
        Self { others, omitted: errors.omitted() as u64, ..Self::from(errors.first()) }
    }
}

impl From<&Error> for ErrorInfo {
    fn from(error: &Error) -> Self {
        match error {
            Error::Format(error) => Self::from(error),
            Error::Assembly(errors) => Self::from(errors),
            _ => Self { offset: error.offset(), ..Self::new(error.code(), &error.to_string()) },
        }
    }
}
