//! Places in assembly text.

use std::fmt;

/// A place in assembly text. Its text form is `FILE:LINE:COLUMN`, or `line LINE, column COLUMN` for a text without a
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The text's name; may be empty.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column } = self;
        if file.is_empty() {
            write!(f, "line {line}, column {column}")
        } else {
            write!(f, "{file}:{line}:{column}")
        }
    }
}
