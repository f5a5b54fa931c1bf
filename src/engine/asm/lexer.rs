//! The lexer: splits assembly text into tokens.
//!
//! # Invariants
//! Never fails: unexpected characters become [`TokenKind::Symbol`], for the parser to reject. After the last token,
//! every token is [`TokenKind::End`].

use std::fmt;

/// The character that some editors write at a text's start.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A part of a line in a loaded text, to report errors there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// The text's number, in loading order.
    pub(super) file: u32,
    /// Line number, from 1; 0 for a span outside all texts.
    pub(super) line: u32,
    /// Byte column in the line, from 1.
    pub(super) column: u32,
    /// The first byte's offset in the text.
    pub(super) start: usize,
    /// Length in bytes.
    pub(super) length: u32,
}

impl Span {
    /// Returns the offset of the first byte after this span.
    pub(super) const fn end(self) -> usize {
        self.start.saturating_add(self.length as usize)
    }

    /// Extends this span to the end of `last`, if `last` is later in the same line.
    pub(super) fn to(self, last: Self) -> Self {
        if last.file != self.file || last.line != self.line || last.end() <= self.start {
            return self;
        }
        let length = last.end().saturating_sub(self.start);
        Self { length: u32::try_from(length).unwrap_or(u32::MAX), ..self }
    }

    /// Returns the empty span directly after this span.
    pub(super) const fn after(self) -> Self {
        Self { column: self.column.saturating_add(self.length), start: self.end(), length: 0, ..self }
    }
}

/// A token's type and text.
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
    /// An opening quote without a closing quote, with the rest of its line.
    OpenQuote,
    /// The built-in text named between angle brackets.
    BuiltIn(&'a str),
    /// Any other character.
    Symbol(char),
    /// End of a line.
    Newline,
    /// End of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) span: Span,
    /// Whether a blank, a comment or the line's start precedes this token. With `before_nonblank`, this tells
    /// `1 - 2` from `1 -2`.
    pub(super) after_blank: bool,
    /// Whether the next character exists and is not blank.
    pub(super) before_nonblank: bool,
}

/// Iterates over a text's tokens. Clone it to look ahead, which is cheap.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    file: u32,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer for text number `file`, skipping a byte order mark at the start.
    pub(super) fn new(text: &'a str, file: u32) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Self { text, file, at, line: 1, line_start: at }
    }

    pub(super) fn token(&mut self) -> Token<'a> {
        let after_blank = self.skip_blanks() || self.at == self.line_start;
        let column = u32::try_from(self.at.saturating_sub(self.line_start))
            .map_or(u32::MAX, |column| column.saturating_add(1));
        let (line, start) = (self.line, self.at);
        let kind = self.kind();
        let length = if kind == TokenKind::Newline { 0 } else { self.at.saturating_sub(start) };
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let span = Span { file: self.file, line, column, start, length };
        let before_nonblank = self.rest().starts_with(|next: char| !next.is_whitespace());
        Token { kind, span, after_blank, before_nonblank }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    const fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Skips blanks and a comment, and returns whether it skipped any.
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
            'A'..='Z' | 'a'..='z' | '_' => self.name(),
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
            '<' => self.built_in(),
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

    /// Lexes a name: words joined by single points.
    fn name(&mut self) -> TokenKind<'a> {
        let rest = self.rest();
        let mut before = ' ';
        let mut characters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((index, next)) = characters.next() {
            let joins = next == '.'
                && before != '.'
                && characters.peek().is_some_and(|(_, after)| after.is_ascii_alphabetic() || *after == '_');
            if !(is_word(next) || joins) {
                end = index;
                break;
            }
            before = next;
        }
        self.skip(end);
        TokenKind::Name(rest.get(..end).unwrap_or_default())
    }

    /// Lexes a built-in text's name. Without the closing bracket, `<` is a symbol.
    fn built_in(&mut self) -> TokenKind<'a> {
        let rest = self.rest().get(1..).unwrap_or_default();
        let end = rest.find(|next: char| !(is_word(next) || matches!(next, '/' | '.' | '-')));
        let end = end.unwrap_or(rest.len());
        self.skip(1);
        let (name, after) = rest.split_at_checked(end).unwrap_or_default();
        if !after.starts_with('>') {
            return TokenKind::Symbol('<');
        }
        self.skip(end.saturating_add(1));
        TokenKind::BuiltIn(name)
    }

    /// Lexes a number: digits, letters, points, and a decimal exponent's sign. The parser rejects malformed numbers.
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
        // A quote after a backslash does not end the string, unless the backslash itself is escaped.
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
        self.take(|next| next != '\n');
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
            Self::BuiltIn(name) => write!(f, "'<{name}>'"),
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
        let mut lexer = Lexer::new(text, 0);
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
        assert_eq!(
            kinds("\"a | b\nc"),
            [TokenKind::OpenQuote, TokenKind::Newline, TokenKind::Name("c")],
            "a lone quote takes the rest of its line"
        );
    }

    #[test]
    fn points_join_words() {
        assert_eq!(kinds("sky.level1.width"), [TokenKind::Name("sky.level1.width")], "a dotted name");
        assert_eq!(kinds("a .word"), [TokenKind::Name("a"), TokenKind::Directive("word")], "a blank between");
        assert_eq!(
            kinds("a..b.1"),
            [
                TokenKind::Name("a"),
                TokenKind::Symbol('.'),
                TokenKind::Directive("b"),
                TokenKind::Number(".1")
            ],
            "neither two points nor a digit after one"
        );
    }

    #[test]
    fn brackets_name_built_in_texts() {
        assert_eq!(kinds("<psp/init>"), [TokenKind::BuiltIn("psp/init")], "a built-in text");
        assert_eq!(kinds("<psp"), [TokenKind::Symbol('<'), TokenKind::Name("psp")], "no closing bracket");
    }

    #[test]
    fn spans_cover_their_tokens() {
        let mut lexer = Lexer::new("\u{feff}a\n  bcd", 7);
        let (a, newline, word) = (lexer.token().span, lexer.token().span, lexer.token().span);
        assert_eq!((a.line, a.column, a.start, a.length), (1, 1, 3, 1), "after the byte order mark");
        assert_eq!(newline.length, 0, "the end of a line is empty");
        assert_eq!((word.file, word.line, word.column, word.length), (7, 2, 3, 3), "a word");
        assert_eq!(word.to(lexer.token().span).length, 3, "up to the end of the text");
    }
}
