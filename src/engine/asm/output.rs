//! The assembled bytes, in segments: laid out in the first pass, filled in the second.
//!
//! # Invariants
//! Every byte lies in [existing memory](crate::reference::ge::memory#address-space), and the total is at most
//! [`PROGRAM_BYTES_MAX`]. The first pass checks both before the second stores any byte.

use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use crate::ge::address::{Address, Region};

use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::lexer::Span;

/// How many bytes a program may have (96 MiB, more than all existing memory).
#[doc(hidden)]
pub const PROGRAM_BYTES_MAX: u64 = 96 << 20;

/// Consecutive bytes at an address.
#[derive(Clone, Debug)]
pub(super) struct OutputSegment {
    pub(super) range: Range<u32>,
    pub(super) bytes: Vec<u8>,
    /// Its first statement, to report overlaps.
    first: Span,
    /// Counts segments in text order.
    number: usize,
}

/// The purpose of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Lays out the program.
    Layout,
    /// Stores the bytes, after the program is laid out.
    Store,
    /// Looks for more mistakes, because the program cannot be laid out.
    Check,
}

/// The segments assembled so far.
#[derive(Clone, Debug)]
pub(super) struct Output {
    purpose: Purpose,
    total: u64,
    here: u32,
    /// Whether the output left memory or became too large, to report this only once for each `.org`.
    is_lost: bool,
    pub(super) segments: Vec<OutputSegment>,
}

impl Output {
    pub(super) const fn new(origin: Address, purpose: Purpose) -> Self {
        Self { purpose, total: 0, here: origin.get(), is_lost: false, segments: Vec::new() }
    }

    /// Returns the next byte's address.
    pub(super) const fn here(&self) -> u32 {
        self.here
    }

    /// Tells whether addresses mean anything. They do not if this program cannot be laid out.
    pub(super) fn is_laid_out(&self) -> bool {
        self.purpose != Purpose::Check
    }

    /// Tells whether this pass stores bytes.
    pub(super) fn is_stored(&self) -> bool {
        self.purpose == Purpose::Store
    }

    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Continues at another address, for `.org`.
    pub(super) const fn move_to(&mut self, address: Address) {
        self.here = address.get();
        self.is_lost = false;
    }

    pub(super) fn bytes(&mut self, bytes: &[u8], span: Span) -> Result<(), Fault> {
        if self.reserve(bytes.len() as u64, span)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, count: u32, byte: u8, span: Span) -> Result<(), Fault> {
        if self.reserve(u64::from(count), span)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.resize(segment.bytes.len().saturating_add(count as usize), byte);
        }
        Ok(())
    }

    /// Appends `count` bytes to the layout. Returns true if the caller should store them in the last segment.
    fn reserve(&mut self, count: u64, span: Span) -> Result<bool, Fault> {
        if count == 0 || self.is_lost || self.purpose == Purpose::Check {
            return Ok(false);
        }
        let total = self.total.saturating_add(count);
        if total > PROGRAM_BYTES_MAX {
            self.is_lost = true;
            let kind = AssemblyErrorKind::TooLarge { limit: PROGRAM_BYTES_MAX };
            return Err(Fault::new(span, kind));
        }
        let end = u64::from(self.here).saturating_add(count);
        let last = u32::try_from(end.saturating_sub(1)).unwrap_or(u32::MAX);
        for address in [self.here, last] {
            let is_same_memory = region_id(address).is_some_and(|kind| region_id(self.here) == Some(kind));
            if !is_same_memory {
                self.is_lost = true;
                let kind = AssemblyErrorKind::Unmapped(Address::new(address));
                return Err(Fault::new(span, kind));
            }
        }
        // This cannot overflow, because addresses in mapped memory are below 2^28.
        let end = last.saturating_add(1);
        match self.segments.last_mut() {
            Some(segment) if segment.range.end == self.here => segment.range.end = end,
            _ => {
                let number = self.segments.len();
                let range = self.here..end;
                self.segments.push(OutputSegment { range, bytes: Vec::new(), first: span, number });
            }
        }
        (self.here, self.total) = (end, total);
        Ok(self.purpose == Purpose::Store)
    }

    /// Finds segments that overlap an earlier segment. Returns the first statement of the segment later in the text,
    /// the first shared address, and the first statement of the earlier segment.
    pub(super) fn overlaps(&self) -> Vec<(Span, Address, Span)> {
        let mut sorted: Vec<&OutputSegment> = self.segments.iter().collect();
        sorted.sort_by_key(|segment| (segment.range.start, segment.number));
        let mut found = Vec::new();
        let mut widest: Option<&OutputSegment> = None;
        for segment in sorted {
            if let Some(low) = widest.filter(|low| low.range.end > segment.range.start) {
                let (earlier, later) =
                    if low.number < segment.number { (low, segment) } else { (segment, low) };
                found.push((later.first, Address::new(segment.range.start), earlier.first));
            }
            if widest.is_none_or(|low| low.range.end < segment.range.end) {
                widest = Some(segment);
            }
        }
        found
    }
}

/// Identifies the memory at an address, to tell whether a segment stays in it; `None` for no memory or an address
/// with mirror bits. Each memory is a single range.
fn region_id(address: u32) -> Option<Discriminant<Region>> {
    let region = Address::new(address).region();
    let is_memory = region != Region::Unmapped && Address::new(address).get() == address;
    is_memory.then(|| discriminant(&region))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(ranges: &[(u32, u32)]) -> Output {
        let mut output = Output::new(Address::new(0), Purpose::Layout);
        for (line, (start, length)) in (1..).zip(ranges) {
            output.move_to(Address::new(*start));
            output.fill(*length, 0, Span { line, ..Span::default() }).expect("in memory");
        }
        output
    }

    #[test]
    fn finds_overlaps_inside_long_segments() {
        let base = 0x0880_0000;
        let output =
            segments(&[(base, 100), (base + 200, 4), (base + 10, 4), (base + 50, 100), (base + 120, 4)]);
        let found: Vec<(u32, u32, u32)> = output
            .overlaps()
            .iter()
            .map(|(later, at, earlier)| (later.line, at.get().wrapping_sub(base), earlier.line))
            .collect();
        assert_eq!(found, [(3, 10, 1), (4, 50, 1), (5, 120, 4)], "each later segment, with an earlier one");
    }

    #[test]
    fn leaving_memory_is_reported_once() {
        let mut output = Output::new(Address::new(0x0BFF_FFFE), Purpose::Layout);
        let span = Span::default();
        assert!(output.bytes(&[0; 4], span).is_err(), "memory ends");
        assert_eq!(output.bytes(&[0; 4], span), Ok(()), "the same mistake");
        output.move_to(Address::new(0x10));
        assert!(output.bytes(&[0; 4], span).is_err(), "another mistake");
    }
}
