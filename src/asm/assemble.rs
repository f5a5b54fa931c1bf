//! The assembler. It makes two passes: the first lays out the program and collects labels, the second writes
//! bytes.
//!
//! # Invariants
//! Both passes run the same code, so they agree on every address.

use crate::ge::address::{Address, USER_RAM_BASE};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;

use super::error::{AssemblyError, AssemblyErrorKind, closest_name};
use super::expression::{Parser, Scope, Symbol, in_range};
use super::lexer::{Position, TokenKind};
use super::output::Output;
use super::program::{Program, Segment};
use super::statement::commands;

/// All directives, without their dot.
const DIRECTIVES: [&str; 18] = [
    "ge", "org", "entry", "set", "align", "word", "u8", "s8", "u16", "s16", "u32", "s32", "f32", "float24",
    "rgba", "ascii", "fill", "space",
];

/// Assembles a text.
///
/// # Errors
/// Returns the first error in the text, with its line. See [`AssemblyErrorKind`].
pub fn assemble(text: &str) -> Result<Program, AssemblyError> {
    let _span = tracing::debug_span!("assemble", bytes = text.len()).entered();
    let mut layout = Pass::new(text, Scope::default(), false);
    layout.run()?;
    layout.output.check_overlap()?;
    let mut scope = layout.scope;
    scope.labels_known = true;
    let mut pass = Pass::new(text, scope, true);
    pass.run()?;
    let first = pass.output.segments.first().map_or(USER_RAM_BASE, |segment| segment.range.start);
    let mut segments: Vec<Segment> = pass
        .output
        .segments
        .into_iter()
        .map(|segment| Segment { address: Address::new(segment.range.start), bytes: segment.bytes })
        .collect();
    segments.sort_by_key(|segment| segment.address);
    let labels = pass.scope.symbols.into_iter().filter(|(_, symbol)| symbol.is_label);
    let symbols = labels
        .map(|(name, symbol)| (name, Address::new(u32::try_from(symbol.value).unwrap_or_default())))
        .collect();
    Ok(Program { segments, entry: pass.entry.unwrap_or(Address::new(first)), symbols })
}

/// Parses one command without labels to its word: the inverse of [`crate::asm::text::describe`].
///
/// # Errors
/// Returns an error if the text is not exactly one command.
pub fn parse_command(text: &str) -> Result<Command, AssemblyError> {
    let scope = Scope { labels_known: true, ..Scope::default() };
    let mut parser = Parser::new(text);
    let mut words = Vec::new();
    commands(&mut parser, &scope, &mut words)?;
    match (words.as_slice(), parser.kind()) {
        ([word], TokenKind::End) => Ok(Command::from_word(*word)),
        _ => Err(parser.expected("the end of the command")),
    }
}

/// Tells whether the bytes are assembly text: UTF-8 whose first statement is a directive, a command or a
/// label.
#[must_use]
pub fn is_assembly(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut parser = Parser::new(text);
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

/// One pass over the text.
struct Pass<'a> {
    parser: Parser<'a>,
    scope: Scope,
    output: Output,
    entry: Option<Address>,
    words: Vec<u32>,
}

impl<'a> Pass<'a> {
    fn new(text: &'a str, scope: Scope, stores_bytes: bool) -> Self {
        let output = Output::new(Address::new(USER_RAM_BASE), stores_bytes);
        Self { parser: Parser::new(text), scope, output, entry: None, words: Vec::new() }
    }

    fn run(&mut self) -> Result<(), AssemblyError> {
        let mut is_first = true;
        loop {
            match self.parser.kind() {
                TokenKind::End => return Ok(()),
                TokenKind::Newline | TokenKind::Symbol('|') => {
                    self.parser.advance();
                    continue;
                }
                TokenKind::Name(name) if self.parser.peek_second() == TokenKind::Symbol(':') => {
                    let here = i64::from(self.output.here());
                    self.define(name, here, true)?;
                    self.parser.advance();
                    self.parser.advance();
                }
                _ => {
                    self.scope.here = self.output.here();
                    match self.parser.kind() {
                        TokenKind::Name(_) => self.command()?,
                        TokenKind::Directive("ge") if !is_first => {
                            return Err(self.parser.error(AssemblyErrorKind::VersionNotFirst));
                        }
                        TokenKind::Directive(name) => self.directive(name)?,
                        _ => return Err(self.parser.expected("a command, directive or label")),
                    }
                    if !self.parser.at_statement_end() {
                        return Err(self.parser.expected("the end of the statement"));
                    }
                }
            }
            is_first = false;
        }
    }

    /// Defines the name in the current token. Does nothing in the second pass.
    fn define(&mut self, name: &str, value: i64, is_label: bool) -> Result<(), AssemblyError> {
        if self.scope.labels_known {
            return Ok(());
        }
        if let Some(symbol) = self.scope.symbols.get(name) {
            let kind = AssemblyErrorKind::DuplicateName { name: name.to_owned(), first: symbol.line };
            return Err(self.parser.error(kind));
        }
        let line = self.parser.position().line;
        self.scope.symbols.insert(name.to_owned(), Symbol { value, line, is_label });
        Ok(())
    }

    fn command(&mut self) -> Result<(), AssemblyError> {
        let position = self.parser.position();
        self.words.clear();
        commands(&mut self.parser, &self.scope, &mut self.words)?;
        check_aligned(self.output.here(), position)?;
        for word in &self.words {
            self.output.bytes(&word.to_le_bytes(), position)?;
        }
        Ok(())
    }

    fn directive(&mut self, name: &str) -> Result<(), AssemblyError> {
        let position = self.parser.position();
        let unknown = || {
            let similar = closest_name(name, DIRECTIVES.into_iter()).map(|name| format!(".{name}"));
            AssemblyError::new(
                position,
                AssemblyErrorKind::UnknownDirective { name: name.to_owned(), similar },
            )
        };
        self.parser.advance();
        match name {
            "ge" => {
                let version = self.parser.known_integer(&self.scope)?;
                if version != 1 {
                    return Err(AssemblyError::new(position, AssemblyErrorKind::UnknownVersion(version)));
                }
                Ok(())
            }
            "org" => {
                let address = self.number(0..=i64::from(u32::MAX), ".org")?;
                self.output.move_to(Address::new(address));
                Ok(())
            }
            "entry" => {
                if self.entry.is_some() {
                    return Err(AssemblyError::new(position, AssemblyErrorKind::DuplicateEntry));
                }
                let position = self.parser.position();
                let value = self.parser.integer(&self.scope)?;
                let address = in_range(value, 0..=i64::from(u32::MAX), ".entry", position)?.unwrap_or(0);
                check_aligned(address, position)?;
                self.entry = Some(Address::new(address));
                Ok(())
            }
            "set" => self.constant(),
            "align" => self.align(position),
            "fill" | "space" => {
                let count = self.number(0..=i64::from(u32::MAX), "the count")?;
                let byte = if name == "fill" {
                    self.parser.accept(',');
                    self.optional_number(0..=255, "a byte")?
                } else {
                    0
                };
                self.output.fill(count, byte.to_le_bytes()[0], position)
            }
            "word" => self.numbers(4, i64::from(i32::MIN)..=i64::from(u32::MAX), ".word"),
            "u8" => self.numbers(1, 0..=i64::from(u8::MAX), ".u8"),
            "s8" => self.numbers(1, i64::from(i8::MIN)..=i64::from(i8::MAX), ".s8"),
            "u16" => self.numbers(2, 0..=i64::from(u16::MAX), ".u16"),
            "s16" => self.numbers(2, i64::from(i16::MIN)..=i64::from(i16::MAX), ".s16"),
            "u32" => self.numbers(4, 0..=i64::from(u32::MAX), ".u32"),
            "s32" => self.numbers(4, i64::from(i32::MIN)..=i64::from(i32::MAX), ".s32"),
            "f32" => self.floats(32),
            "float24" => self.floats(24),
            "rgba" => self.data(|pass, position| {
                let bytes: [u8; 4] = pass.parser.color("six or eight")?;
                pass.output.bytes(&bytes, position)
            }),
            "ascii" => self.data(|pass, position| {
                let bytes = string(&pass.parser)?;
                pass.parser.advance();
                pass.output.bytes(&bytes, position)
            }),
            _ => Err(unknown()),
        }
    }

    /// Reads a number that must be known in the first pass.
    fn number(&mut self, range: std::ops::RangeInclusive<i64>, operand: &str) -> Result<u32, AssemblyError> {
        let position = self.parser.position();
        let value = self.parser.known_integer(&self.scope)?;
        Ok(in_range(Some(value), range, operand, position)?.unwrap_or(0))
    }

    /// Reads a number that defaults to 0 and may refer to later labels.
    fn optional_number(
        &mut self,
        range: std::ops::RangeInclusive<i64>,
        operand: &str,
    ) -> Result<u32, AssemblyError> {
        if self.parser.at_statement_end() {
            return Ok(0);
        }
        let position = self.parser.position();
        let value = self.parser.integer(&self.scope)?;
        Ok(in_range(value, range, operand, position)?.unwrap_or(0))
    }

    fn constant(&mut self) -> Result<(), AssemblyError> {
        let TokenKind::Name(name) = self.parser.kind() else { return Err(self.parser.expected("a name")) };
        let at_name = self.parser.clone();
        self.parser.advance();
        self.parser.accept('=');
        let value = self.parser.known_integer(&self.scope)?;
        // Errors about the definition show the line and column of the name.
        let after = std::mem::replace(&mut self.parser, at_name);
        self.define(name, value, false)?;
        self.parser = after;
        Ok(())
    }

    fn align(&mut self, position: Position) -> Result<(), AssemblyError> {
        let alignment = self.parser.known_integer(&self.scope)?;
        let known = u32::try_from(alignment).ok().filter(|a| a.is_power_of_two() && *a <= 0x1_0000);
        let Some(alignment) = known else {
            return Err(AssemblyError::new(position, AssemblyErrorKind::BadAlignment(alignment)));
        };
        let padding = self.output.here().wrapping_neg() & alignment.wrapping_sub(1);
        self.output.fill(padding, 0, position)
    }

    /// Reads one or more values up to the end of the statement, optionally separated by commas.
    fn data(
        &mut self,
        mut value: impl FnMut(&mut Self, Position) -> Result<(), AssemblyError>,
    ) -> Result<(), AssemblyError> {
        if self.parser.at_statement_end() {
            return Err(self.parser.expected("a value"));
        }
        while !self.parser.at_statement_end() {
            self.scope.here = self.output.here();
            let position = self.parser.position();
            value(self, position)?;
            if self.parser.accept(',') && self.parser.at_statement_end() {
                return Err(self.parser.expected("a value"));
            }
        }
        Ok(())
    }

    fn numbers(
        &mut self,
        size: usize,
        range: std::ops::RangeInclusive<i64>,
        operand: &str,
    ) -> Result<(), AssemblyError> {
        self.data(|pass, position| {
            let value = pass.parser.integer(&pass.scope)?;
            let value = in_range(value, range.clone(), operand, position)?.unwrap_or(0);
            pass.output.bytes(value.to_le_bytes().get(..size).unwrap_or_default(), position)
        })
    }

    fn floats(&mut self, width: u32) -> Result<(), AssemblyError> {
        self.data(|pass, position| {
            let bits = pass.parser.float(&pass.scope, width)?.unwrap_or(0);
            pass.output.bytes(&bits.to_le_bytes(), position)
        })
    }
}

fn check_aligned(address: u32, position: Position) -> Result<(), AssemblyError> {
    if address.is_multiple_of(4) {
        return Ok(());
    }
    Err(AssemblyError::new(position, AssemblyErrorKind::Unaligned(Address::new(address))))
}

/// Decodes the bytes of the string in the current token.
fn string(parser: &Parser<'_>) -> Result<Vec<u8>, AssemblyError> {
    let TokenKind::Text(text) = parser.kind() else { return Err(parser.expected("a string in quotes")) };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        bytes.extend_from_slice(plain.as_bytes());
        let bad = |length| {
            let name: String = escape.chars().skip(1).take(length).collect();
            parser.error(AssemblyErrorKind::BadEscape(name))
        };
        let (byte, length) = match escape.as_bytes().get(1) {
            Some(b'n') => (b'\n', 2),
            Some(b't') => (b'\t', 2),
            Some(b'0') => (0, 2),
            Some(quoted @ (b'\\' | b'"')) => (*quoted, 2),
            Some(b'x') => {
                let digits = escape.get(2..4).filter(|digits| !digits.starts_with('+'));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                (byte.ok_or_else(|| bad(3))?, 4)
            }
            _ => return Err(bad(1)),
        };
        bytes.push(byte);
        rest = escape.get(length..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
