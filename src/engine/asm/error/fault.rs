//! An error inside the assembler, before it becomes an [`AssemblyError`](crate::asm::AssemblyError).

use super::error_kind::AssemblyErrorKind;
use crate::asm::lexer::Span;

/// Why a statement cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A mistake in the text.
    Error(Span, Box<AssemblyErrorKind>),
    /// The statement depends on another statement with an error. Nothing is reported here, because it is reported
    /// there.
    Consequence,
}

impl Fault {
    pub(crate) fn new(span: Span, kind: AssemblyErrorKind) -> Self {
        Self::Error(span, Box::new(kind))
    }
}
