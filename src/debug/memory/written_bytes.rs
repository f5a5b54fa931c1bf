//! Counts the bytes read by an event, for each event that wrote them.

use std::sync::Arc;

use super::byte_writers::ByteWriters;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::edram::Translation;

/// An event, and how many of its bytes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WrittenBytes {
    /// The last event to write these bytes.
    pub writer: EventNumber,
    /// How many of them are read.
    pub bytes: u64,
}

/// Who wrote a range of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WriterSummary {
    /// Each writer once, in ascending order.
    pub writers: Arc<[WrittenBytes]>,
    /// How many bytes were never written by an event.
    pub unwritten: u64,
}

/// Adds up bytes by their writers.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriterSum {
    /// Runs of bytes, in the order they were added.
    runs: Vec<WrittenBytes>,
    unwritten: u64,
}

impl WriterSum {
    /// Adds bytes by a writer.
    pub(crate) fn add(&mut self, writer: Option<EventNumber>, bytes: u64) {
        /// How many runs to collect before joining those with the same writer. This bounds the memory.
        const MAX_RUNS: usize = 1 << 16;
        match (writer, self.runs.last_mut()) {
            (None, _) => self.unwritten = self.unwritten.saturating_add(bytes),
            (Some(writer), Some(last)) if last.writer == writer => {
                last.bytes = last.bytes.saturating_add(bytes);
            }
            (Some(writer), _) => {
                self.runs.push(WrittenBytes { writer, bytes });
                if self.runs.len() > MAX_RUNS {
                    self.join();
                }
            }
        }
    }

    /// Adds `length` bytes from an address on.
    pub(crate) fn add_range(
        &mut self,
        writers: &ByteWriters,
        start: Address,
        length: u32,
        translation: Translation,
    ) {
        writers.visit(start, length, translation, |part, writer| self.add(writer, part.len() as u64));
    }

    /// Returns the writers, each once.
    pub(crate) fn finish(mut self) -> WriterSummary {
        self.join();
        WriterSummary { writers: self.runs.into(), unwritten: self.unwritten }
    }

    fn join(&mut self) {
        self.runs.sort_unstable();
        self.runs.dedup_by(|later, first| {
            let is_same = later.writer == first.writer;
            if is_same {
                first.bytes = first.bytes.saturating_add(later.bytes);
            }
            is_same
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_writer_are_joined() {
        let mut sum = WriterSum::default();
        for (writer, bytes) in [(Some(3), 4), (Some(3), 4), (None, 5), (Some(1), 2), (Some(3), 1)] {
            sum.add(writer.map(EventNumber), bytes);
        }
        let WriterSummary { writers, unwritten } = sum.finish();
        let found: Vec<(u32, u64)> = writers.iter().map(|part| (part.writer.0, part.bytes)).collect();
        assert_eq!((found.as_slice(), unwritten), ([(1, 2), (3, 9)].as_slice(), 5), "rising");
    }
}
