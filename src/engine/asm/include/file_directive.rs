//! Assembles the directives that name files: `.include` and `.incbin`.

use super::loaded::unescape;
use crate::asm::error::error_kind::AssemblyErrorKind;
use crate::asm::error::fault::Fault;
use crate::asm::lexer::{Span, TokenKind};
use crate::asm::pass::Pass;

/// Continues with the text named by the current token.
pub(crate) fn include(pass: &mut Pass<'_>) -> Result<(), Fault> {
    let span = pass.parser.span();
    if !matches!(pass.parser.kind(), TokenKind::BuiltIn(_)) {
        path(pass)?;
    } else {
        pass.parser.advance();
    }
    pass.end_of_statement()?;
    let text = pass.loaded.included_text(span).map_err(|kind| Fault::new(span, kind));
    let entered = text.and_then(|text| pass.enter(text, span));
    if entered.is_err() {
        // The missing text may have defined any name, so later unknown names are not mistakes.
        pass.scope.lost.add_all();
    }
    entered
}

/// Copies a file's bytes, or a part given by offset and length.
pub(crate) fn binary(pass: &mut Pass<'_>, start: Span) -> Result<(), Fault> {
    let span = path(pass)?;
    let (_, bytes) = pass.loaded.included_bytes(span).map_err(|kind| Fault::new(span, kind))?;
    let mut rest = bytes.len();
    let number = |pass: &mut Pass<'_>, rest: usize, operand: &str| {
        pass.parser.accept(',');
        if pass.parser.at_statement_end() {
            return Ok(None);
        }
        let range = 0..=i64::try_from(rest).unwrap_or(i64::MAX);
        pass.parser.known_integer_in(&pass.scope, range, operand).map(|number| Some(number as usize))
    };
    let offset = number(pass, rest, "the offset")?.unwrap_or(0);
    rest = rest.saturating_sub(offset);
    let length = number(pass, rest, "the length")?.unwrap_or(rest);
    pass.end_of_statement()?;
    let part = bytes.get(offset..).and_then(|bytes| bytes.get(..length)).unwrap_or_default();
    pass.output.bytes(part, pass.parser.since(start))
}

/// Reads a path in quotes. Returns its place, which is the key to find the loaded file.
pub(crate) fn path(pass: &mut Pass<'_>) -> Result<Span, Fault> {
    let span = pass.parser.span();
    let TokenKind::Text(text) = pass.parser.kind() else {
        return Err(pass.parser.expected("a path in quotes"));
    };
    if let Err(escape) = unescape(text) {
        return Err(pass.parser.error(AssemblyErrorKind::BadEscape(escape)));
    }
    pass.parser.advance();
    Ok(span)
}
