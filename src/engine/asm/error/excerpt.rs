//! Shows an error's line, with carets below the wrong part.
//!
//! # Invariants
//! An excerpt is at most [`COLUMNS_MAX`] columns wide, however long the line is, and contains no control character.

use std::fmt;

use unicode_width::UnicodeWidthChar;

/// How much of a line to show at most, in terminal columns.
const COLUMNS_MAX: usize = 160;
/// How many columns to show before the wrong part in a long line.
const COLUMNS_BEFORE: usize = 60;
/// The text to show for a tab.
const TAB: &str = "    ";

/// A source line, or a long line's part around an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// Line number, from 1.
    line: u32,
    /// The text to show, without control characters.
    text: String,
    /// How many columns precede the carets.
    indent: usize,
    /// How many carets to show, at least 1.
    carets: usize,
}

impl Excerpt {
    /// Cuts the excerpt out of line number `line`. `start` and `length` tell which bytes are wrong.
    pub(crate) fn new(line: u32, text: &str, start: usize, length: usize) -> Self {
        let text = text.trim_end_matches('\r');
        let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
        let (wrong, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let mut shown = Shown { text: String::new(), room: COLUMNS_MAX };
        let cut = before.len().saturating_sub(end_of(before).len());
        if cut > 0 {
            shown.push('…');
        }
        shown.append(before.get(cut..).unwrap_or_default());
        let indent = COLUMNS_MAX.saturating_sub(shown.room);
        shown.append(wrong);
        let end = COLUMNS_MAX.saturating_sub(shown.room);
        shown.append(after);
        let mut text = shown.text;
        text.truncate(text.trim_end().len());
        Self { line, text, indent, carets: end.saturating_sub(indent).max(1) }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, text, indent, carets } = self;
        let number = line.to_string();
        writeln!(f, " {number} | {text}")?;
        write!(f, " {:width$} | {:indent$}{}", "", "", "^".repeat(*carets), width = number.len())
    }
}

/// A line that is being cut to the available columns.
struct Shown {
    text: String,
    /// How many columns are left.
    room: usize,
}

impl Shown {
    /// Appends as much from the beginning of `part` as fits.
    fn append(&mut self, part: &str) {
        for character in part.chars() {
            if !self.push(character) {
                return;
            }
        }
    }

    /// Appends a character. If it does not fit, appends an ellipsis instead and returns false.
    fn push(&mut self, character: char) -> bool {
        let Some(room) = self.room.checked_sub(columns(character)) else {
            if self.room > 0 || !self.text.ends_with('…') {
                self.text.push('…');
            }
            self.room = 0;
            return false;
        };
        self.room = room;
        match character {
            '\t' => self.text.push_str(TAB),
            _ if is_hidden(character) => self.text.push(char::REPLACEMENT_CHARACTER),
            _ => self.text.push(character),
        }
        true
    }
}

/// Returns how many columns a character takes.
fn columns(character: char) -> usize {
    match character {
        '\t' => TAB.len(),
        _ if is_hidden(character) => 1,
        _ => character.width().unwrap_or(0),
    }
}

/// Tells whether a character controls the terminal or the direction of the surrounding text. Such characters must be
/// hidden, because they could make a text look different from the text being assembled.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the end of `text` to show before the wrong part.
fn end_of(text: &str) -> &str {
    let mut width = 0_usize;
    let mut start = text.len();
    for (index, character) in text.char_indices().rev() {
        width = width.saturating_add(columns(character));
        if width > COLUMNS_BEFORE {
            break;
        }
        start = index;
    }
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    fn excerpt(text: &str, wrong: &str) -> String {
        let start = text.find(wrong).expect("the part is in the line");
        Excerpt::new(12, text, start, wrong.len()).to_string()
    }

    #[test]
    fn carets_are_below_the_wrong_part() {
        assert_eq!(excerpt("PRIM cnt=3", "cnt"), " 12 | PRIM cnt=3\n    |      ^^^", "plain text");
        assert_eq!(
            excerpt("\tPRIM\tcnt=3\r", "cnt"),
            " 12 |     PRIM    cnt=3\n    |             ^^^",
            "tabs"
        );
        assert_eq!(excerpt("「全角」 x", "x"), " 12 | 「全角」 x\n    |          ^", "wide characters");
        assert_eq!(excerpt("e\u{301} x", "x"), " 12 | e\u{301} x\n    |   ^", "combining characters");
        assert_eq!(Excerpt::new(1, "END", 3, 0).to_string(), " 1 | END\n   |    ^", "after the end");
    }

    #[test]
    fn control_characters_are_replaced() {
        let shown = excerpt("a\u{1b}[2J\u{202e}b x", "x");
        assert_eq!(shown, " 12 | a\u{fffd}[2J\u{fffd}b x\n    |         ^", "no escape sequence is left");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}x{}", "a".repeat(10_000), "b".repeat(10_000));
        let shown = excerpt(&line, "x");
        let (text, carets) = shown.split_once('\n').expect("two lines");
        assert!(text.starts_with(" 12 | …aaa") && text.ends_with("bbb…"), "{text}");
        assert!(text.chars().count() <= COLUMNS_MAX + 8, "{text}");
        assert_eq!(text.chars().position(|shown| shown == 'x'), carets.find('^'), "the caret is below the x");
        let all = Excerpt::new(1, &line, 0, line.len()).to_string();
        assert!(all.chars().count() < 3 * COLUMNS_MAX, "the carets are cut, too");
    }
}
