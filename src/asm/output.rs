//! The assembled bytes, in segments: laid out in the first pass, filled in the second.
//!
//! # Invariants
//! Every byte lies in [existing memory](crate::reference::ge::memory#address-space), and the total is at most
//! [`PROGRAM_BYTES_MAX`]. The first pass checks both before the second stores any byte.

use std::ops::Range;

use crate::ge::address::{Address, Region};

use super::error::{AssemblyError, AssemblyErrorKind};
use super::lexer::Position;

/// Largest size of a program in bytes (96 MiB, more than all existing memory).
pub const PROGRAM_BYTES_MAX: u64 = 96 << 20;

/// Consecutive bytes at one address.
#[derive(Clone, Debug)]
pub(super) struct OutputSegment {
    pub(super) range: Range<u32>,
    pub(super) bytes: Vec<u8>,
    /// Line of its first statement.
    line: u32,
}

/// The segments assembled so far.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// Bytes are stored, not only counted.
    stores_bytes: bool,
    total: u64,
    here: u32,
    pub(super) segments: Vec<OutputSegment>,
}

impl Output {
    pub(super) const fn new(origin: Address, stores_bytes: bool) -> Self {
        Self { stores_bytes, total: 0, here: origin.get(), segments: Vec::new() }
    }

    /// Returns the address where the next byte goes.
    pub(super) const fn here(&self) -> u32 {
        self.here
    }

    /// Continues at another address.
    pub(super) const fn move_to(&mut self, address: Address) {
        self.here = address.get();
    }

    pub(super) fn bytes(&mut self, bytes: &[u8], position: Position) -> Result<(), AssemblyError> {
        if self.reserve(bytes.len() as u64, position)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, count: u32, byte: u8, position: Position) -> Result<(), AssemblyError> {
        if self.reserve(u64::from(count), position)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.resize(segment.bytes.len().saturating_add(count as usize), byte);
        }
        Ok(())
    }

    /// Appends `count` bytes to the layout. Returns true if the caller should store them in the last segment.
    fn reserve(&mut self, count: u64, position: Position) -> Result<bool, AssemblyError> {
        if count == 0 {
            return Ok(false);
        }
        self.total = self.total.saturating_add(count);
        if self.total > PROGRAM_BYTES_MAX {
            let kind = AssemblyErrorKind::TooLarge { limit: PROGRAM_BYTES_MAX };
            return Err(AssemblyError::new(position, kind));
        }
        let end = u64::from(self.here).saturating_add(count);
        let last = u32::try_from(end.saturating_sub(1)).unwrap_or(u32::MAX);
        for address in [self.here, last] {
            let is_same_memory = region_id(address).is_some_and(|kind| region_id(self.here) == Some(kind));
            if !is_same_memory {
                let kind = AssemblyErrorKind::Unmapped(Address::new(address));
                return Err(AssemblyError::new(position, kind));
            }
        }
        // No overflow: addresses in mapped memory are below 2^28.
        let end = last.saturating_add(1);
        match self.segments.last_mut() {
            Some(segment) if segment.range.end == self.here => segment.range.end = end,
            _ => {
                self.segments.push(OutputSegment {
                    range: self.here..end,
                    bytes: Vec::new(),
                    line: position.line,
                });
            }
        }
        self.here = end;
        Ok(self.stores_bytes)
    }

    /// Checks that no two segments overlap.
    pub(super) fn check_overlap(&self) -> Result<(), AssemblyError> {
        let mut sorted: Vec<&OutputSegment> = self.segments.iter().collect();
        sorted.sort_by_key(|segment| (segment.range.start, segment.line));
        let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
        let Some((low, high)) = pairs.find(|(low, high)| low.range.end > high.range.start) else {
            return Ok(());
        };
        let kind = AssemblyErrorKind::Overlap {
            address: Address::new(high.range.start),
            first: low.line.min(high.line),
        };
        Err(AssemblyError::new(Position { line: low.line.max(high.line), column: 1 }, kind))
    }
}

/// Identifies the memory that an address without mirror bits is in. Each memory is one range.
fn region_id(address: u32) -> Option<u8> {
    if Address::new(address).get() != address {
        return None;
    }
    match Address::new(address).region() {
        Region::Scratchpad(_) => Some(0),
        Region::Vram(..) => Some(1),
        Region::Ram(_) => Some(2),
        Region::Unmapped => None,
    }
}
