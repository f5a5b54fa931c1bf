//! Runs through a program's statements, in either pass.

use std::collections::BTreeSet;

use super::directive::{check_aligned, directive};
use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::lexer::TokenKind;
use super::pass::{Label, ListedStatement, Pass};
use super::statement::commands;
use crate::ge::address::Address;

/// Runs a pass over all texts, leaving out statements with numbers in `skipped`.
pub(super) fn run(pass: &mut Pass<'_>, skipped: &BTreeSet<u32>) {
    loop {
        match pass.parser.kind() {
            TokenKind::End => {
                if !pass.leave() {
                    return;
                }
            }
            TokenKind::Newline | TokenKind::Symbol('|') => pass.parser.advance(),
            TokenKind::Name(name) if pass.parser.peek_second() == TokenKind::Symbol(':') => {
                let span = pass.parser.span();
                let here = i64::from(pass.output.here());
                let defined = pass.define(name, here, true, span);
                pass.label = Some(Label { name, is_new: defined.is_ok() });
                if let Err(Fault::Error(span, kind)) = defined {
                    pass.record(span, kind);
                }
                pass.is_first = false;
                pass.parser.advance();
                pass.parser.advance();
            }
            _ => {
                let span = pass.parser.span();
                // Both passes must count statements alike, so a skipped statement gets its number too.
                if skipped.contains(&pass.statement) {
                    pass.parser.skip_statement();
                } else {
                    let listed =
                        ListedStatement { span, depth: pass.depth(), address: pass.output.here(), length: 0 };
                    let before = pass.output.total();
                    if let Err(fault) = statement(pass) {
                        pass.recover(fault);
                    }
                    let length = pass.output.total().saturating_sub(before);
                    if let Some(listing) = &mut pass.listing {
                        listing.push(ListedStatement { length, ..listed });
                    }
                }
                pass.label = None;
                pass.statement = pass.statement.saturating_add(1);
            }
        }
    }
}

/// Assembles the current statement.
fn statement(pass: &mut Pass<'_>) -> Result<(), Fault> {
    pass.scope.here = pass.output.here();
    let is_first = std::mem::replace(&mut pass.is_first, false);
    match pass.parser.kind() {
        TokenKind::Name(_) => command(pass),
        TokenKind::Directive("ge") if !is_first => Err(pass.parser.error(AssemblyErrorKind::VersionNotFirst)),
        TokenKind::Directive(name) => directive(pass, name),
        _ => Err(pass.parser.expected("a command, directive or label")),
    }
}

fn command(pass: &mut Pass<'_>) -> Result<(), Fault> {
    let start = pass.parser.span();
    let mut words = std::mem::take(&mut pass.words);
    words.clear();
    let result = commands(&mut pass.parser, &pass.scope, &mut words);
    pass.words = words;
    result?;
    pass.end_of_statement()?;
    // An error before this command may have moved the address, so do not report it then.
    if pass.scope.here_known {
        check_aligned(pass.output.here(), pass.parser.since(start))?;
    }
    let (place, span) = (Address::new(pass.output.here()), pass.parser.since(start));
    if pass.output.is_stored() {
        pass.place_commands(place, span);
    }
    for word in &pass.words {
        pass.output.bytes(&word.to_le_bytes(), span)?;
    }
    Ok(())
}
