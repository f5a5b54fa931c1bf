//! Writes long texts full of numbers quickly, through a buffer.

use std::fmt::{self, Write as _};
use std::io;

/// How many bytes to collect before each write.
const FLUSH_BYTES: usize = 1 << 16;

/// Collects lines and writes them in large pieces. Errors wait until [`Self::finish`].
pub(super) struct TextWriter<'w> {
    out: &'w mut dyn io::Write,
    buffer: String,
    result: io::Result<()>,
    integer: itoa::Buffer,
    float: zmij::Buffer,
}

impl<'w> TextWriter<'w> {
    pub(super) fn new(out: &'w mut dyn io::Write) -> Self {
        Self {
            out,
            buffer: String::with_capacity(FLUSH_BYTES + FLUSH_BYTES / 4),
            result: Ok(()),
            integer: itoa::Buffer::new(),
            float: zmij::Buffer::new(),
        }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, arguments: fmt::Arguments<'_>) {
        let written = writeln!(self.buffer, "{arguments}");
        debug_assert!(written.is_ok(), "text takes everything");
        self.flush_if_full();
    }

    /// Adds a line: a word, then numbers, separated by blanks. Numbers are as short as an exact round trip allows,
    /// and have no exponents.
    pub(super) fn float_line(&mut self, word: &str, numbers: &[f32]) {
        self.buffer.push_str(word);
        for number in numbers {
            self.buffer.push(' ');
            let short = if number.is_finite() { self.float.format_finite(*number) } else { "e" };
            if short.contains('e') {
                let written = write!(self.buffer, "{number}");
                debug_assert!(written.is_ok(), "text takes everything");
            } else {
                self.buffer.push_str(short.strip_suffix(".0").unwrap_or(short));
            }
        }
        self.buffer.push('\n');
        self.flush_if_full();
    }

    /// Adds a line: a word, then groups of numbers. Blanks separate groups, and slashes separate numbers within a
    /// group. A missing number is empty, and is omitted at the end of a group.
    pub(super) fn index_line<const N: usize>(
        &mut self,
        word: &str,
        groups: impl Iterator<Item = [Option<usize>; N]>,
    ) {
        self.buffer.push_str(word);
        for group in groups {
            let count = group.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            for (place, number) in group[..count].iter().enumerate() {
                self.buffer.push(if place == 0 { ' ' } else { '/' });
                if let Some(number) = number {
                    self.buffer.push_str(self.integer.format(*number));
                }
            }
        }
        self.buffer.push('\n');
        self.flush_if_full();
    }

    fn flush_if_full(&mut self) {
        if self.buffer.len() >= FLUSH_BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(self.buffer.as_bytes());
        }
        self.buffer.clear();
    }

    /// Writes the rest of the buffer.
    ///
    /// # Errors
    /// Returns the first error from the output.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut TextWriter<'_>)) -> String {
        let mut out = Vec::new();
        let mut text = TextWriter::new(&mut out);
        write(&mut text);
        text.finish().expect("memory takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn floats_round_trip_and_are_short() {
        let mut seed = 1_u32;
        let mut numbers =
            vec![0.0, -0.0, 1.0, -2.5, 1e-7, 1e20, 3.4e38, 1.2e-45, f32::NAN, f32::INFINITY, 16_777_216.0];
        numbers.extend((0..5000).map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(seed)
        }));
        numbers.extend((0..=255_u8).map(|byte| f32::from(byte) / 255.0));
        let written = text(|text| text.float_line("v", &numbers));
        let words = written.strip_prefix("v ").and_then(|words| words.strip_suffix('\n')).expect("a line");
        assert_eq!(words.split(' ').count(), numbers.len(), "a word each");
        for (number, word) in numbers.iter().zip(words.split(' ')) {
            let read: f32 = word.parse().expect("a number");
            assert!(
                read.to_bits() == number.to_bits() || read.is_nan() && number.is_nan(),
                "{number:e}: {word}"
            );
            // If two texts are equally close, either may be written.
            assert_eq!(word.len(), number.to_string().len(), "{number:e}: {word}");
            assert!(!number.is_finite() || !word.contains('e'), "{number:e}: {word}");
        }
    }

    #[test]
    fn missing_indices_are_empty_or_dropped_at_the_end() {
        let groups = [
            [Some(12), Some(3), Some(4)],
            [Some(5), None, Some(6)],
            [Some(7), Some(8), None],
            [Some(9), None, None],
        ];
        assert_eq!(text(|text| text.index_line("f", groups.into_iter())), "f 12/3/4 5//6 7/8 9\n", "strokes");
    }

    #[test]
    fn buffers_are_written_in_order_and_errors_are_reported() {
        let long = text(|text| (0..30_000).for_each(|number| text.line(format_args!("{number}"))));
        assert!(long.lines().enumerate().all(|(number, line)| line == number.to_string()), "in order");
        let mut full: &mut [u8] = &mut [0; 100];
        let mut text = TextWriter::new(&mut full);
        text.line(format_args!("{long}"));
        assert_eq!(text.finish().map_err(|error| error.kind()), Err(io::ErrorKind::WriteZero), "no room");
    }
}
