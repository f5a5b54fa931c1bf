//! The assembler. It makes two passes: the first lays out the program and collects labels, so that the second can
//! write the bytes. If the first finds mistakes, the second only looks for more.

use std::collections::{BTreeMap, BTreeSet};

use crate::ge::address::{Address, USER_RAM_BASE};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldInfo;

use super::directive::DIRECTIVES;
use super::error::error_kind::AssemblyErrorKind;
use super::error::excerpt::Excerpt;
use super::error::fault::Fault;
use super::error::{AssemblyError, AssemblyErrors, ERRORS_MAX, WrongPart};
use super::expression::Parser;
use super::include::loaded::Loaded;
use super::include::source_map::SourceMap;
use super::include::{IncludeProvider, NoIncludes};
use super::lexer::{Span, TokenKind};
use super::listing::Listing;
use super::output::Purpose;
use super::pass::{Pass, RecordedFault};
use super::program::{Program, Segment};
use super::run::run;
use super::scope::{Scope, Symbol};
use super::statement::{commands, value};

/// A text to assemble, with its files and constants.
#[derive(Clone, Copy, Debug)]
pub struct AssemblyRequest<'a> {
    /// The text's name, for messages and to resolve paths in includes; may be empty.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// Reads the files included by this text.
    pub files: &'a dyn IncludeProvider,
    /// Constants to define before the first statement.
    pub constants: &'a [(&'a str, i64)],
    /// Whether to make a [listing](Assembly::listing).
    pub listing: bool,
}

impl<'a> AssemblyRequest<'a> {
    /// Creates a request without files and constants.
    #[must_use]
    pub const fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, files: &NoIncludes, constants: &[], listing: false }
    }
}

/// The result of [`assemble_with`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assembly {
    /// The program, ready to run.
    pub program: Program,
    /// The constants by name, including those for textures.
    pub constants: BTreeMap<String, i64>,
    /// Names of all included files, to know which files this assembly depends on. This leaves out built-in texts.
    pub files: Vec<String>,
    /// All statements with their addresses and bytes, if the request wants this.
    pub listing: Option<Listing>,
}

/// Assembles a text that includes no files.
///
/// # Errors
/// Returns all mistakes in the text. See [`AssemblyErrorKind`].
pub fn assemble(text: &str) -> Result<Program, AssemblyErrors> {
    assemble_with(&AssemblyRequest::new("", text)).map(|assembly| assembly.program)
}

/// Assembles a text with the files it includes.
///
/// # Errors
/// Returns all mistakes in the text and in included texts. See [`AssemblyErrorKind`].
pub fn assemble_with(request: &AssemblyRequest<'_>) -> Result<Assembly, AssemblyErrors> {
    let _span = tracing::debug_span!(target: "pspge::asm::assemble", "assemble", bytes = request.text.len())
        .entered();
    let loaded = Loaded::load(request.name, request.text, request.files);
    let mut layout = Pass::new(&loaded, initial_scope(request.constants), Purpose::Layout);
    run(&mut layout, &BTreeSet::new());
    if layout.faults.is_empty() {
        for (later, address, earlier) in layout.output.overlaps() {
            let kind = AssemblyErrorKind::Overlap { address, first: loaded.location(earlier) };
            layout.record(later, Box::new(kind));
        }
    }
    // The second pass runs even after mistakes, because it knows all labels and can find further mistakes.
    let has_faults = !layout.faults.is_empty();
    let purpose = if has_faults { Purpose::Check } else { Purpose::Store };
    let mut pass = Pass::new(&loaded, Scope { labels_known: true, ..layout.scope }, purpose);
    pass.textures = layout.textures;
    pass.listing = (request.listing && !has_faults).then(Vec::new);
    run(&mut pass, &layout.failed);
    if has_faults || !pass.faults.is_empty() {
        let omitted = layout.faults_omitted.saturating_add(pass.faults_omitted);
        let mut faults = layout.faults;
        resolve_forward_references(&mut faults, &pass.scope);
        faults.append(&mut pass.faults);
        return Err(errors(&loaded, faults, omitted));
    }
    Ok(finish(&loaded, pass))
}

/// Creates a scope with the constants from outside the text.
fn initial_scope(constants: &[(&str, i64)]) -> Scope {
    let symbol = |value| Symbol { value, span: None, is_label: false, is_known: true };
    let symbols = constants.iter().map(|(name, value)| ((*name).to_owned(), symbol(*value))).collect();
    Scope { symbols, ..Scope::default() }
}

/// Turns the second pass's state into the result.
fn finish(loaded: &Loaded<'_>, pass: Pass<'_>) -> Assembly {
    let listing = pass.listing.map(|statements| Listing::new(loaded, &statements, &pass.output.segments));
    let first = pass.output.segments.first().map_or(USER_RAM_BASE, |segment| segment.range.start);
    let mut segments: Vec<Segment> = pass
        .output
        .segments
        .into_iter()
        .map(|segment| Segment { address: Address::new(segment.range.start), bytes: segment.bytes })
        .collect();
    segments.sort_by_key(|segment| segment.address);
    let (mut symbols, mut constants) = (BTreeMap::new(), BTreeMap::new());
    for (name, symbol) in pass.scope.symbols {
        if symbol.is_label {
            symbols.insert(name, Address::new(u32::try_from(symbol.value).unwrap_or_default()));
        } else {
            constants.insert(name, symbol.value);
        }
    }
    let entry = pass.entry.unwrap_or(Address::new(first));
    let source_map = SourceMap::new(loaded, &pass.commands);
    let stall = pass.stall.filter(|address| *address != Address::default());
    let program = Program { segments, entry, stall, symbols, source_map };
    let files = loaded.included().map(str::to_owned).collect();
    Assembly { program, constants, files, listing }
}

/// Corrects the first pass's errors about names it did not know yet. Such a name may be undefined altogether, or
/// missing because of another error.
fn resolve_forward_references(faults: &mut Vec<RecordedFault>, scope: &Scope) {
    faults.retain_mut(|fault| {
        let AssemblyErrorKind::ForwardReference { name } = &*fault.kind else { return true };
        if scope.symbols.contains_key(name) {
            return true;
        }
        if scope.lost.contains(name) {
            return false;
        }
        let similar = scope.similar(name);
        *fault.kind = AssemblyErrorKind::UnknownName { name: name.clone(), similar };
        true
    });
}

/// Sorts the errors and finds their places in the texts.
fn errors(loaded: &Loaded<'_>, mut faults: Vec<RecordedFault>, omitted: usize) -> AssemblyErrors {
    faults.sort_by_cached_key(RecordedFault::order);
    let omitted = omitted.saturating_add(faults.len().saturating_sub(ERRORS_MAX));
    faults.truncate(ERRORS_MAX);
    let mut errors = faults.into_iter().map(|fault| error(loaded, fault.span, *fault.kind, &fault.includes));
    match errors.next() {
        Some(first) => AssemblyErrors::new(first, errors.collect(), omitted),
        // This cannot happen, because every consequence has a cause, which is reported.
        None => AssemblyError::unplaced(AssemblyErrorKind::Unexplained).into(),
    }
}

/// Finds an error's place, and the line to show with it.
fn error(loaded: &Loaded<'_>, span: Span, kind: AssemblyErrorKind, includes: &[Span]) -> AssemblyError {
    let line = loaded.line(span);
    let start = span.column.saturating_sub(1) as usize;
    let part = WrongPart {
        byte_column: span.column,
        offset: span.start,
        length: span.length,
        included_from: includes.iter().rev().map(|include| loaded.location(*include)).collect(),
        excerpt: Some(Excerpt::new(span.line, line, start, span.length as usize)),
    };
    AssemblyError { kind, location: Some(loaded.location(span)), part: Box::new(part) }
}

/// Parses a text on its own, without names. After `parse`, it must end; `end` says so in messages.
fn parse_alone<T>(
    text: &str,
    end: &'static str,
    parse: impl FnOnce(&mut Parser<'_>, &Scope) -> Result<T, Fault>,
) -> Result<T, AssemblyError> {
    let scope = Scope { labels_known: true, ..Scope::default() };
    let mut parser = Parser::new(text, 0);
    let parsed = parse(&mut parser, &scope).and_then(|parsed| match parser.kind() {
        TokenKind::End => Ok(parsed),
        _ => Err(parser.expected(end)),
    });
    parsed.map_err(|fault| match fault {
        Fault::Error(span, kind) => error(&Loaded::load("", text, &NoIncludes), span, *kind, &[]),
        Fault::Consequence => AssemblyError::unplaced(AssemblyErrorKind::Unexplained),
    })
}

/// Parses a single command without labels. This is the inverse of [`crate::asm::text::describe`].
///
/// # Errors
/// Returns an error if this text is not exactly a single command.
pub fn parse_command(text: &str) -> Result<Command, AssemblyError> {
    let end = "the end of the command";
    parse_alone(text, end, |parser, scope| {
        let mut words = Vec::new();
        commands(parser, scope, &mut words)?;
        match words.as_slice() {
            [word] => Ok(Command::from_word(*word)),
            _ => Err(parser.expected(end)),
        }
    })
}

/// Parses a field's value: a name, a number or an expression without names. Returns the bits in their place.
pub(super) fn parse_field_value(field: &'static FieldInfo, text: &str) -> Result<u32, AssemblyError> {
    parse_alone(text, "the end of the value", |parser, scope| value(parser, scope, field))
}

/// Parses a constant's value, for example from the command line: a whole number, or an expression without names.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// assert_eq!(pspge::asm::parse_integer("0x110000 / 2")?, 0x88000);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
///
/// # Errors
/// Returns an error if this text is not exactly a single expression.
#[doc(hidden)]
pub fn parse_integer(text: &str) -> Result<i64, AssemblyError> {
    parse_alone(text, "the end of the number", |parser, scope| parser.known_integer(scope))
}

/// Tells whether bytes are assembly text, to recognise files: UTF-8 whose first statement is a directive, a command
/// or a label.
#[must_use]
pub fn is_assembly(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut parser = Parser::new(text, 0);
    let mut labelled = false;
    loop {
        match parser.kind() {
            TokenKind::Newline => parser.advance(),
            TokenKind::Directive(name) => return DIRECTIVES.contains(&name),
            TokenKind::Name(_) if parser.peek_second() == TokenKind::Symbol(':') => {
                labelled = true;
                parser.advance();
                parser.advance();
            }
            TokenKind::Name(name) => return Opcode::from_name(name).is_some(),
            TokenKind::End => return labelled,
            _ => return false,
        }
    }
}
