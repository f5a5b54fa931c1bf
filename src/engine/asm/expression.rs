//! Parses values in assembly text: whole numbers, floats, colours, labels.
//!
//! # Invariants
//! An expression is unknown (`None`) only in the first pass, which is still collecting labels, or if it depends on a
//! statement with an error.

use std::ops::RangeInclusive;

use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::lexer::{Lexer, Span, Token, TokenKind};
use super::scope::{Lookup, Scope};

/// The deepest nesting of parentheses and signs, to bound the parser's recursion.
const DEPTH_MAX: u32 = 64;

/// Reads values from a text's tokens, a token ahead.
#[derive(Clone, Debug)]
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    /// Place of the token before the current token.
    last: Span,
    depth: u32,
    /// The last name without a known value, to blame it if the value must be known, and whether it may be defined
    /// later.
    unknown: Option<(Span, &'a str, bool)>,
}

impl<'a> Parser<'a> {
    /// Creates a parser for text number `file`.
    pub(super) fn new(text: &'a str, file: u32) -> Self {
        let mut lexer = Lexer::new(text, file);
        let token = lexer.token();
        Self { lexer, token, last: Span { file, ..Span::default() }, depth: 0, unknown: None }
    }

    pub(super) const fn kind(&self) -> TokenKind<'a> {
        self.token.kind
    }

    pub(super) const fn span(&self) -> Span {
        self.token.span
    }

    /// Returns the span from `start` to the last token read.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.last)
    }

    /// Returns the token after the current token, without moving.
    pub(super) fn peek_second(&self) -> TokenKind<'a> {
        self.lexer.clone().token().kind
    }

    pub(super) fn advance(&mut self) {
        self.last = self.token.span;
        self.token = self.lexer.token();
    }

    /// Moves to the statement's end, to go on after an error.
    pub(super) fn skip_statement(&mut self) {
        // An error inside an expression leaves its nesting here, which must not count for the next statement.
        self.depth = 0;
        while !self.at_statement_end() {
            self.advance();
        }
    }

    /// Consumes `symbol` if it is the current token, and returns whether it was.
    pub(super) fn accept(&mut self, symbol: char) -> bool {
        let found = self.kind() == TokenKind::Symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: char, wanted: &'static str) -> Result<(), Fault> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(wanted)) }
    }

    pub(super) fn at_statement_end(&self) -> bool {
        matches!(self.kind(), TokenKind::Newline | TokenKind::End | TokenKind::Symbol('|'))
    }

    /// Creates an error at the current token. At a line's end, the error is directly after the last token, because
    /// the next line is not at fault.
    pub(super) fn error(&self, kind: AssemblyErrorKind) -> Fault {
        let span = self.span();
        let is_end = matches!(self.kind(), TokenKind::Newline | TokenKind::End);
        let is_same_line = (self.last.file, self.last.line) == (span.file, span.line);
        Fault::new(if is_end && is_same_line { self.last.after() } else { span }, kind)
    }

    /// Creates an error to tell that `wanted` was expected instead of the current token.
    pub(super) fn expected(&self, wanted: &'static str) -> Fault {
        self.error(AssemblyErrorKind::Expected { wanted, found: self.kind().to_string() })
    }

    /// Reads a whole number. Because blanks separate values, ` -1` and ` +1` start a new number.
    pub(super) fn integer(&mut self, scope: &Scope) -> Result<Option<i64>, Fault> {
        self.sum(scope, false)
    }

    /// Reads a whole number that must be known in the first pass, because the layout depends on it.
    pub(super) fn known_integer(&mut self, scope: &Scope) -> Result<i64, Fault> {
        self.unknown = None;
        let value = self.integer(scope)?;
        value.ok_or_else(|| match self.unknown {
            Some((span, name, true)) => {
                Fault::new(span, AssemblyErrorKind::ForwardReference { name: name.to_owned() })
            }
            _ => Fault::Consequence,
        })
    }

    /// Reads a whole number in this range and converts it to 32 bits, in two's complement.
    pub(super) fn integer_in(
        &mut self,
        scope: &Scope,
        range: RangeInclusive<i64>,
        operand: &str,
    ) -> Result<Option<u32>, Fault> {
        let start = self.span();
        let value = self.integer(scope)?;
        in_range(value, range, operand, self.since(start))
    }

    /// Works as [`Self::integer_in`], for a number that must be known in the first pass.
    pub(super) fn known_integer_in(
        &mut self,
        scope: &Scope,
        range: RangeInclusive<i64>,
        operand: &str,
    ) -> Result<u32, Fault> {
        let start = self.span();
        let value = self.known_integer(scope)?;
        Ok(in_range(Some(value), range, operand, self.since(start))?.unwrap_or(0))
    }

    fn sum(&mut self, scope: &Scope, in_parentheses: bool) -> Result<Option<i64>, Fault> {
        let mut left = self.product(scope)?;
        while let TokenKind::Symbol(operator @ ('+' | '-')) = self.kind() {
            // `1 -2` are two values. So a sign that touches only the next number ends this number.
            if !in_parentheses && self.token.after_blank && self.token.before_nonblank {
                break;
            }
            let start = self.span();
            self.advance();
            let right = self.product(scope)?;
            left = match (left, right) {
                (Some(left), Some(right)) => {
                    let sum = if operator == '+' { left.checked_add(right) } else { left.checked_sub(right) };
                    Some(sum.ok_or_else(|| Fault::new(start, AssemblyErrorKind::Overflow))?)
                }
                _ => None,
            };
        }
        Ok(left)
    }

    fn product(&mut self, scope: &Scope) -> Result<Option<i64>, Fault> {
        let mut left = self.sign(scope)?;
        while let TokenKind::Symbol(operator @ ('*' | '/')) = self.kind() {
            let start = self.span();
            self.advance();
            let right = self.sign(scope)?;
            left = match (left, right, operator) {
                (Some(_), Some(0), '/') => {
                    return Err(Fault::new(start, AssemblyErrorKind::DivisionByZero));
                }
                (Some(left), Some(right), _) => {
                    let result =
                        if operator == '*' { left.checked_mul(right) } else { left.checked_div(right) };
                    Some(result.ok_or_else(|| Fault::new(start, AssemblyErrorKind::Overflow))?)
                }
                _ => None,
            };
        }
        Ok(left)
    }

    fn sign(&mut self, scope: &Scope) -> Result<Option<i64>, Fault> {
        if self.depth >= DEPTH_MAX {
            return Err(self.error(AssemblyErrorKind::TooDeep));
        }
        self.depth = self.depth.saturating_add(1);
        let value = if self.accept('-') {
            match self.sign(scope)? {
                Some(value) => {
                    Some(value.checked_neg().ok_or_else(|| self.error(AssemblyErrorKind::Overflow))?)
                }
                None => None,
            }
        } else {
            self.atom(scope)?
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(value)
    }

    fn atom(&mut self, scope: &Scope) -> Result<Option<i64>, Fault> {
        match self.kind() {
            TokenKind::Number(text) => {
                let value = whole_number(text)
                    .ok_or_else(|| self.error(AssemblyErrorKind::BadNumber(text.to_owned())))?;
                self.advance();
                Ok(Some(value))
            }
            TokenKind::Name(function @ ("lo" | "hi")) if self.peek_second() == TokenKind::Symbol('(') => {
                self.advance();
                let value = self.parentheses(scope)?;
                Ok(value.map(|value| if function == "lo" { value & 0x00FF_FFFF } else { value >> 24 }))
            }
            TokenKind::Name(name) => {
                let value = self.named(scope, name)?;
                self.advance();
                Ok(value)
            }
            TokenKind::Symbol('.') => {
                let value = scope.here_known.then_some(i64::from(scope.here));
                if value.is_none() {
                    self.unknown = Some((self.span(), ".", false));
                }
                self.advance();
                Ok(value)
            }
            TokenKind::Symbol('(') => self.parentheses(scope),
            _ => Err(self.expected("a number or label")),
        }
    }

    /// Looks up the name in the current token.
    fn named(&mut self, scope: &Scope, name: &'a str) -> Result<Option<i64>, Fault> {
        let unknown = match scope.look_up(name) {
            Lookup::Value(value) => return Ok(Some(value)),
            Lookup::Later => (self.span(), name, true),
            Lookup::Unknown => (self.span(), name, false),
            Lookup::Undefined(similar) => {
                let kind = AssemblyErrorKind::UnknownName { name: name.to_owned(), similar };
                return Err(self.error(kind));
            }
        };
        // A name lost by an error goes before a forward reference, so that only the error is reported.
        if self.unknown.is_none_or(|(.., is_later)| is_later) {
            self.unknown = Some(unknown);
        }
        Ok(None)
    }

    fn parentheses(&mut self, scope: &Scope) -> Result<Option<i64>, Fault> {
        self.expect('(', "'('")?;
        let value = self.sum(scope, true)?;
        self.expect(')', "')'")?;
        Ok(value)
    }

    /// Reads a float as its 32 bits, or as its upper 24 bits if `width` is 24, which rounds towards zero. `nan(…)`
    /// and `bits(…)` state the bits directly; other expressions are whole numbers to convert.
    pub(super) fn float(&mut self, scope: &Scope, width: u32) -> Result<Option<u32>, Fault> {
        let dropped = 32_u32.saturating_sub(width);
        if let TokenKind::Name("nan" | "bits") = self.kind()
            && self.peek_second() == TokenKind::Symbol('(')
        {
            self.advance();
            let start = self.span();
            let bits = self.parentheses(scope)?;
            let high = i64::from(u32::MAX >> dropped);
            return in_range(bits, 0..=high, "a float's bits", self.since(start));
        }
        // For literals this reads the sign, because `-0` and `-inf` are not the negatives of whole numbers.
        let is_negative_literal = self.kind() == TokenKind::Symbol('-')
            && matches!(self.peek_second(), TokenKind::Number(_) | TokenKind::Name("inf"));
        if is_negative_literal {
            self.advance();
        }
        let value = match self.kind() {
            TokenKind::Number(text) => {
                let value =
                    decimal(text).ok_or_else(|| self.error(AssemblyErrorKind::BadFloat(text.to_owned())))?;
                self.advance();
                Some(value)
            }
            TokenKind::Name("inf") => {
                self.advance();
                Some(f32::INFINITY)
            }
            _ => self.sum(scope, false)?.map(|value| value as f32),
        };
        let value = if is_negative_literal { value.map(|value| -value) } else { value };
        Ok(value.map(|value| value.to_bits() >> dropped))
    }

    /// Reads a colour with `N` bytes, in the order of its digits. `needs` says how many digits it may have, for
    /// messages.
    pub(super) fn color<const N: usize>(&mut self, needs: &'static str) -> Result<[u8; N], Fault> {
        let TokenKind::Color(digits) = self.kind() else {
            return Err(self.expected("a colour such as #ff8000"));
        };
        let bad = || self.error(AssemblyErrorKind::BadColor(digits.to_owned(), needs));
        // A colour without alpha is opaque.
        let mut bytes = [u8::MAX; N];
        if digits.len() != N.saturating_mul(2) && digits.len() != 6 {
            return Err(bad());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| bad())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| bad())?;
        }
        self.advance();
        Ok(bytes)
    }
}

/// Checks that a number is in this range, and converts it to 32 bits in two's complement.
fn in_range(
    value: Option<i64>,
    range: RangeInclusive<i64>,
    operand: &str,
    span: Span,
) -> Result<Option<u32>, Fault> {
    let Some(value) = value else { return Ok(None) };
    if range.contains(&value) {
        let [a, b, c, d, ..] = value.to_le_bytes();
        return Ok(Some(u32::from_le_bytes([a, b, c, d])));
    }
    let (low, high) = range.into_inner();
    Err(Fault::new(span, AssemblyErrorKind::OutOfRange { operand: operand.to_owned(), value, low, high }))
}

/// Parses a decimal, `0x` hexadecimal or `0b` binary number; `_` may separate digits.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.replace('_', "");
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (digits.get(2..)?, 16),
        Some("0b" | "0B") => (digits.get(2..)?, 2),
        _ => (digits.as_str(), 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

/// Parses a decimal number; `None` if a single cannot hold it.
fn decimal(text: &str) -> Option<f32> {
    let value: f32 = text.replace('_', "").parse().ok()?;
    value.is_finite().then_some(value)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    fn integer(text: &str) -> Result<Option<i64>, Fault> {
        let scope = Scope { here: 0x0880_0010, here_known: true, labels_known: true, ..Scope::default() };
        Parser::new(text, 0).integer(&scope)
    }

    #[test]
    fn evaluates_operators_by_precedence() {
        for (text, value) in [
            ("1 + 2*3", 7),
            ("10-4 - 3", 3),
            ("-(2 -3)", 1),
            ("lo(.)", 0x80_0010),
            ("hi(. + 4)", 8),
            ("0b101", 5),
            ("(100-4)/12", 8),
        ] {
            assert_eq!(integer(text), Ok(Some(value)), "{text}");
        }
    }

    #[test]
    fn blanks_separate_values() {
        assert_eq!(integer("1 -2"), Ok(Some(1)), "-2 is a second value");
    }

    #[test]
    fn rejects_malformed_expressions() {
        for text in [
            "",
            "1/0",
            "0x",
            "9223372036854775807 + 1",
            "undefined",
            "(1",
            &"(".repeat(10_000),
            &"-".repeat(10_000),
        ] {
            assert!(integer(text).is_err(), "{text:.20}");
        }
    }

    #[test]
    fn reads_float_literals_and_bits() {
        let scope = Scope { labels_known: true, ..Scope::default() };
        for (text, bits) in [
            ("1", 0x3F_8000),
            ("-0.0", 0x80_0000),
            ("-inf", 0xFF_8000),
            ("nan(0x7fc001)", 0x7F_C001),
            ("bits(1)", 1),
            ("(480/2)", 0x43_7000),
        ] {
            assert_eq!(Parser::new(text, 0).float(&scope, 24), Ok(Some(bits)), "{text}");
        }
        assert!(Parser::new("1e99", 0).float(&scope, 24).is_err(), "too large");
        assert!(Parser::new("0x10", 0).float(&scope, 24).is_err(), "ambiguous: value or bits");
    }
}
