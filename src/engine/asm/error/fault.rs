//! An error inside the assembler, before it becomes an [`AssemblyError`](crate::asm::AssemblyError).

use super::error_kind::AssemblyErrorKind;
use crate::asm::lexer::Span;

/// Why a statement cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A mistake in the text.
    Error(Span, Box<AssemblyErrorKind>),
    /// This statement depends on another statement with an error. It needs no report, because the other statement
    /// has one.
    Consequence,
}

impl Fault {
    pub(crate) fn new(span: Span, kind: AssemblyErrorKind) -> Self {
        Self::Error(span, Box::new(kind))
    }
}
