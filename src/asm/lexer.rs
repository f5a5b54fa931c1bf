//! The lexer: splits assembly text into tokens.
//!
//! # Invariants
//! Never fails: unexpected characters become [`TokenKind::Symbol`], which the parser rejects. After the last
//! token, every token is [`TokenKind::End`].

use std::fmt;

/// A position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Line number, from 1.
    pub(super) line: u32,
    /// Byte column in the line, from 1.
    pub(super) column: u32,
}

/// The type and text of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// The name of a command, label, field or code.
    Name(&'a str),
    /// A directive's name, without its dot.
    Directive(&'a str),
    /// A token that starts with a digit, or with a point and a digit.
    Number(&'a str),
    /// The word after `#`.
    Color(&'a str),
    /// The text between quotes, with escapes unresolved.
    Text(&'a str),
    /// An opening quote without a closing one on its line.
    OpenQuote,
    /// Any other character.
    Symbol(char),
    /// End of a line.
    Newline,
    /// End of the text.
    End,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) position: Position,
    /// A blank, a comment or the start of the line precedes it.
    pub(super) after_blank: bool,
    /// The next character exists and is not blank.
    pub(super) before_nonblank: bool,
}

/// Iterates over the tokens of a text. Cheap to clone, for lookahead.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, line: 1, line_start: 0 }
    }

    /// Returns the next token.
    pub(super) fn token(&mut self) -> Token<'a> {
        let after_blank = self.skip_blanks() || self.at == self.line_start;
        let column = u32::try_from(self.at.saturating_sub(self.line_start))
            .map_or(u32::MAX, |column| column.saturating_add(1));
        let position = Position { line: self.line, column };
        let kind = self.kind();
        let before_nonblank = self.rest().starts_with(|next: char| !next.is_whitespace());
        Token { kind, position, after_blank, before_nonblank }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Advances by `bytes`.
    const fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Skips blanks and comments. True if it skipped any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        let blank = |next: char| next != '\n' && next.is_whitespace();
        self.take(blank);
        if self.rest().starts_with(';') || self.rest().starts_with("//") {
            self.take(|next| next != '\n');
        }
        self.at > start
    }

    /// Takes the longest prefix whose characters all satisfy `wanted`.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|next| !wanted(next)).unwrap_or(rest.len());
        self.skip(end);
        rest.get(..end).unwrap_or_default()
    }

    fn kind(&mut self) -> TokenKind<'a> {
        let rest = self.rest();
        let mut characters = rest.chars();
        let Some(first) = characters.next() else { return TokenKind::End };
        let second = characters.next().unwrap_or('\n');
        match first {
            'A'..='Z' | 'a'..='z' | '_' => TokenKind::Name(self.take(is_word)),
            '.' if second.is_ascii_alphabetic() => {
                self.skip(1);
                TokenKind::Directive(self.take(is_word))
            }
            '0'..='9' => self.number(),
            '.' if second.is_ascii_digit() => self.number(),
            '#' => {
                self.skip(1);
                TokenKind::Color(self.take(is_word))
            }
            '"' => self.string(),
            '\n' => {
                self.skip(1);
                self.line = self.line.saturating_add(1);
                self.line_start = self.at;
                TokenKind::Newline
            }
            _ => {
                self.skip(first.len_utf8());
                TokenKind::Symbol(first)
            }
        }
    }

    /// Lexes a number: digits, letters, points, and the sign of a decimal exponent.
    fn number(&mut self) -> TokenKind<'a> {
        let rest = self.rest();
        let is_decimal = !rest.starts_with("0x") && !rest.starts_with("0X");
        let mut before = ' ';
        let end = rest.find(|next: char| {
            let is_exponent_sign = is_decimal && matches!(before, 'e' | 'E') && matches!(next, '+' | '-');
            before = next;
            !(is_word(next) || next == '.' || is_exponent_sign)
        });
        let end = end.unwrap_or(rest.len());
        self.skip(end);
        TokenKind::Number(rest.get(..end).unwrap_or_default())
    }

    fn string(&mut self) -> TokenKind<'a> {
        self.skip(1);
        let rest = self.rest();
        let mut escaped = false;
        for (index, next) in rest.char_indices() {
            match next {
                '\n' => break,
                '"' if !escaped => {
                    self.skip(index.saturating_add(1));
                    return TokenKind::Text(rest.get(..index).unwrap_or_default());
                }
                _ => escaped = next == '\\' && !escaped,
            }
        }
        TokenKind::OpenQuote
    }
}

fn is_word(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_'
}

impl fmt::Display for TokenKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) | Self::Number(name) => write!(f, "'{name}'"),
            Self::Directive(name) => write!(f, "'.{name}'"),
            Self::Color(digits) => write!(f, "'#{digits}'"),
            Self::Text(_) => f.write_str("a string"),
            Self::OpenQuote => f.write_str("an unterminated string"),
            Self::Symbol(symbol) => write!(f, "'{}'", symbol.escape_debug()),
            Self::Newline => f.write_str("the end of the line"),
            Self::End => f.write_str("the end of the text"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| Some(lexer.token().kind).filter(|kind| *kind != TokenKind::End)).collect()
    }

    #[test]
    fn numbers_keep_their_exponent() {
        assert_eq!(kinds("1e-7"), [TokenKind::Number("1e-7")], "a decimal exponent");
        assert_eq!(
            kinds("0x1e-7"),
            [TokenKind::Number("0x1e"), TokenKind::Symbol('-'), TokenKind::Number("7")],
            "e is a digit in hexadecimal"
        );
    }

    #[test]
    fn skips_comments_and_keeps_string_contents() {
        assert_eq!(kinds("a // b\n; c"), [TokenKind::Name("a"), TokenKind::Newline], "comments are blank");
        assert_eq!(kinds(r#""a;\"b""#), [TokenKind::Text(r#"a;\"b"#)], "quotes keep everything");
        assert_eq!(kinds("\"a"), [TokenKind::OpenQuote, TokenKind::Name("a")], "a lone quote");
    }
}
