//! Tells why a text in the options cannot be parsed.

use thiserror::Error as ThisError;

/// Why a text is no region, tolerance, bound or factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
#[error("expected {expected}")]
pub struct ParseError {
    /// The expected form, with an example.
    pub(super) expected: &'static str,
}
