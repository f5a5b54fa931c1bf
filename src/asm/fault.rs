//! An error inside the assembler, before it becomes an [`AssemblyError`](super::AssemblyError).

use super::error_kind::AssemblyErrorKind;
use super::lexer::Span;

/// The reason why a statement cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A mistake in the text.
    Error(Span, Box<AssemblyErrorKind>),
    /// The statement depends on another one that has an error, which is reported there.
    Consequence,
}

impl Fault {
    pub(super) fn new(span: Span, kind: AssemblyErrorKind) -> Self {
        Self::Error(span, Box::new(kind))
    }
}
