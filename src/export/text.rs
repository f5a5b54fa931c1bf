//! Long texts of numbers, written piece by piece.

use std::fmt::{self, Write as _};
use std::io;

/// Bytes of text that are written together.
const PIECE: usize = 1 << 16;

/// A text on its way out. What goes wrong on the way is told by [`Self::finish`].
pub(super) struct Text<'w> {
    out: &'w mut dyn io::Write,
    piece: String,
    result: io::Result<()>,
    integer: itoa::Buffer,
    float: zmij::Buffer,
}

impl<'w> Text<'w> {
    pub(super) fn new(out: &'w mut dyn io::Write) -> Self {
        Self {
            out,
            piece: String::with_capacity(PIECE + PIECE / 4),
            result: Ok(()),
            integer: itoa::Buffer::new(),
            float: zmij::Buffer::new(),
        }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, arguments: fmt::Arguments<'_>) {
        let written = writeln!(self.piece, "{arguments}");
        debug_assert!(written.is_ok(), "text takes everything");
        self.write_full_piece();
    }

    /// Adds a word and numbers behind it as a line, each number with a blank in front: as
    /// short as they can be and still mean the same, without exponents.
    pub(super) fn numbers(&mut self, word: &str, numbers: &[f32]) {
        self.piece.push_str(word);
        for number in numbers {
            self.piece.push(' ');
            let short = if number.is_finite() { self.float.format_finite(*number) } else { "e" };
            if short.contains('e') {
                let written = write!(self.piece, "{number}");
                debug_assert!(written.is_ok(), "text takes everything");
            } else {
                self.piece.push_str(short.strip_suffix(".0").unwrap_or(short));
            }
        }
        self.piece.push('\n');
        self.write_full_piece();
    }

    /// Adds a word and groups of numbers behind it as a line, with a blank in front of each group and a stroke between
    /// numbers; what is not there is left empty, and left out at the end of a group.
    pub(super) fn groups<const N: usize>(
        &mut self,
        word: &str,
        groups: impl Iterator<Item = [Option<usize>; N]>,
    ) {
        self.piece.push_str(word);
        for group in groups {
            let count = group.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            for (place, number) in group[..count].iter().enumerate() {
                self.piece.push(if place == 0 { ' ' } else { '/' });
                if let Some(number) = number {
                    self.piece.push_str(self.integer.format(*number));
                }
            }
        }
        self.piece.push('\n');
        self.write_full_piece();
    }

    fn write_full_piece(&mut self) {
        if self.piece.len() >= PIECE {
            self.write_piece();
        }
    }

    fn write_piece(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(self.piece.as_bytes());
        }
        self.piece.clear();
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_piece();
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Text<'_>)) -> String {
        let mut out = Vec::new();
        let mut text = Text::new(&mut out);
        write(&mut text);
        text.finish().expect("memory takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn numbers_mean_the_same_and_are_short() {
        let mut seed = 1_u32;
        let mut numbers =
            vec![0.0, -0.0, 1.0, -2.5, 1e-7, 1e20, 3.4e38, 1.2e-45, f32::NAN, f32::INFINITY, 16_777_216.0];
        numbers.extend((0..5000).map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(seed)
        }));
        numbers.extend((0..=255_u8).map(|byte| f32::from(byte) / 255.0));
        let written = text(|text| text.numbers("v", &numbers));
        let words = written.strip_prefix("v ").and_then(|words| words.strip_suffix('\n')).expect("a line");
        assert_eq!(words.split(' ').count(), numbers.len(), "a word each");
        for (number, word) in numbers.iter().zip(words.split(' ')) {
            let read: f32 = word.parse().expect("a number");
            assert!(
                read.to_bits() == number.to_bits() || read.is_nan() && number.is_nan(),
                "{number:e}: {word}"
            );
            // Of two that are as close, either may be written.
            assert_eq!(word.len(), number.to_string().len(), "{number:e}: {word}");
            assert!(!number.is_finite() || !word.contains('e'), "{number:e}: {word}");
        }
    }

    #[test]
    fn groups_leave_out_what_is_not_there() {
        let groups = [
            [Some(12), Some(3), Some(4)],
            [Some(5), None, Some(6)],
            [Some(7), Some(8), None],
            [Some(9), None, None],
        ];
        assert_eq!(text(|text| text.groups("f", groups.into_iter())), "f 12/3/4 5//6 7/8 9\n", "strokes");
    }

    #[test]
    fn pieces_follow_one_another_and_errors_are_told() {
        let long = text(|text| (0..30_000).for_each(|number| text.line(format_args!("{number}"))));
        assert!(long.lines().enumerate().all(|(number, line)| line == number.to_string()), "in order");
        let mut full: &mut [u8] = &mut [0; 100];
        let mut text = Text::new(&mut full);
        text.line(format_args!("{long}"));
        assert_eq!(text.finish().map_err(|error| error.kind()), Err(io::ErrorKind::WriteZero), "no room");
    }
}
