//! Keeps the last writer for every byte in memory.
//!
//! # Invariants
//! VRAM is kept by its linear bytes, so that all its views show the same writers. Other memory is kept as intervals,
//! and the caller must bound how many there are.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::debug::timeline::EventNumber;
use crate::ge::address::{Address, Region, VRAM_BASE, VRAM_SIZE, VramView};
use crate::ge::edram::{Translation, UNIT};
use crate::ge::never::OrNever;

/// How many addresses exist.
const ADDRESSES: u32 = 1 << 28;
/// How many bytes in VRAM share a stamp.
const PAGE: usize = 0x1000;
/// Marks bytes never written by an event.
const NOBODY: u32 = u32::MAX;

/// The last writer for every byte.
#[derive(Clone, Debug)]
pub struct ByteWriters {
    /// An event number for each linear byte in VRAM.
    vram: Vec<u32>,
    /// When each VRAM page changed last.
    stamps: Vec<u64>,
    /// Intervals in other memory: maps the first address to the end and the writer. They do not overlap.
    intervals: BTreeMap<u32, (u32, u32)>,
    /// How many changes there were so far.
    time: u64,
}

impl Default for ByteWriters {
    fn default() -> Self {
        Self {
            vram: vec![NOBODY; VRAM_SIZE as usize],
            stamps: vec![0; VRAM_SIZE as usize / PAGE],
            intervals: BTreeMap::new(),
            time: 0,
        }
    }
}

impl ByteWriters {
    pub(crate) fn interval_count(&self) -> usize {
        self.intervals.len()
    }

    /// Returns a number to notice whether a result is out of date. It rises whenever a byte in this range gets a
    /// writer.
    pub(crate) fn stamp(&self, start: Address, length: u32) -> u64 {
        // The views move bytes only inside their blocks. If a range leaves VRAM, every change counts.
        match start.region() {
            Region::Vram(VramView::Linear, offset) if offset.saturating_add(length) <= VRAM_SIZE => {
                let pages = offset as usize / PAGE..(offset.saturating_add(length) as usize).div_ceil(PAGE);
                self.stamps.get(pages).and_then(|stamps| stamps.iter().max()).copied().unwrap_or(0)
            }
            _ => self.time,
        }
    }

    /// Sets the writer for linear bytes in VRAM.
    pub(crate) fn set_vram(&mut self, bytes: Range<usize>, writer: EventNumber) {
        self.mark(&bytes);
        if let Some(known) = self.vram.get_mut(bytes) {
            known.fill(writer.0);
        }
    }

    /// Sets the writer for linear bytes in VRAM, but only where `is_written` is true for their position in the range.
    pub(crate) fn set_vram_where(
        &mut self,
        bytes: Range<usize>,
        writer: EventNumber,
        is_written: impl Fn(usize) -> bool,
    ) {
        self.mark(&bytes);
        for (position, known) in self.vram.get_mut(bytes).into_iter().flatten().enumerate() {
            if is_written(position) {
                *known = writer.0;
            }
        }
    }

    /// Sets the writer for `length` bytes from an address on.
    pub(crate) fn set(&mut self, start: Address, length: u32, translation: Translation, writer: EventNumber) {
        for_each_place(start, length, translation, |_, place| match place {
            Place::Vram(bytes) => self.set_vram(bytes, writer),
            Place::Other(bytes) => self.set_interval(bytes, writer),
        });
    }

    /// Passes the writers for `length` bytes from an address on to `visit`, in parts with the same writer: `None` for
    /// bytes never written by an event. Parts are relative to the address.
    pub fn visit(
        &self,
        start: Address,
        length: u32,
        translation: Translation,
        mut visit: impl FnMut(Range<u32>, Option<EventNumber>),
    ) {
        for_each_place(start, length, translation, |at, place| match place {
            Place::Vram(bytes) => self.visit_vram(bytes, |part, writer| {
                visit(at.saturating_add(part.start)..at.saturating_add(part.end), writer);
            }),
            Place::Other(bytes) => self.visit_intervals(&bytes, |part, writer| {
                let relative = |byte: u32| at.saturating_add(byte.saturating_sub(bytes.start));
                visit(relative(part.start)..relative(part.end), writer);
            }),
        });
    }

    /// Passes the writers for linear bytes in VRAM on, in parts relative to the first byte.
    pub(crate) fn visit_vram(
        &self,
        bytes: Range<usize>,
        mut visit: impl FnMut(Range<u32>, Option<EventNumber>),
    ) {
        let mut start = 0_u32;
        for part in self.vram.get(bytes).or_never("the bytes are in VRAM").chunk_by(|a, b| a == b) {
            let end = start.saturating_add(u32::try_from(part.len()).unwrap_or(u32::MAX));
            visit(start..end, part.first().copied().filter(|writer| *writer != NOBODY).map(EventNumber));
            start = end;
        }
    }

    fn mark(&mut self, bytes: &Range<usize>) {
        self.time = self.time.saturating_add(1);
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        if let Some(stamps) = self.stamps.get_mut(pages) {
            stamps.fill(self.time);
        }
    }

    fn set_interval(&mut self, bytes: Range<u32>, writer: EventNumber) {
        self.time = self.time.saturating_add(1);
        // An interval that reaches into the new interval is cut.
        if let Some((&first, &(end, known))) = self.intervals.range(..bytes.start).next_back()
            && end > bytes.start
        {
            self.intervals.insert(first, (bytes.start, known));
            if end > bytes.end {
                self.intervals.insert(bytes.end, (end, known));
            }
        }
        // Intervals that start inside are removed, but a part after the end stays.
        while let Some((&first, &(end, known))) = self.intervals.range(bytes.clone()).next() {
            self.intervals.remove(&first);
            if end > bytes.end {
                self.intervals.insert(bytes.end, (end, known));
            }
        }
        self.intervals.insert(bytes.start, (bytes.end, writer.0));
    }

    /// Passes the writers for an address range outside VRAM on, gaps included.
    fn visit_intervals(&self, bytes: &Range<u32>, mut visit: impl FnMut(Range<u32>, Option<EventNumber>)) {
        let mut at = bytes.start;
        // An interval starting before this range may reach into it.
        let before = self.intervals.range(..bytes.start).next_back();
        for (&first, &(end, writer)) in before.into_iter().chain(self.intervals.range(bytes.clone())) {
            let part = first.max(bytes.start)..end.min(bytes.end);
            if part.is_empty() {
                continue;
            }
            if part.start > at {
                visit(at..part.start, None);
            }
            at = part.end;
            visit(part, Some(EventNumber(writer)));
        }
        if at < bytes.end {
            visit(at..bytes.end, None);
        }
    }
}

/// Passes on the linear VRAM bytes at `length` addresses. Addresses outside VRAM have none.
pub(crate) fn for_each_vram_range(
    start: Address,
    length: u32,
    translation: Translation,
    mut visit: impl FnMut(Range<usize>),
) {
    for_each_place(start, length, translation, |_, place| {
        if let Place::Vram(bytes) = place {
            visit(bytes);
        }
    });
}

/// Passes on the places of `length` bytes, each with its distance from the first.
fn for_each_place(start: Address, length: u32, translation: Translation, mut visit: impl FnMut(u32, Place)) {
    let mut at = 0;
    while at < length {
        let (place, count) = Place::of(start.offset(at), length.saturating_sub(at), translation);
        visit(at, place);
        at = at.saturating_add(count);
    }
}

/// Where bytes are in memory.
enum Place {
    /// Linear bytes in VRAM.
    Vram(Range<usize>),
    /// Addresses in other memory, or without memory.
    Other(Range<u32>),
}

impl Place {
    /// Finds where the first bytes at an address are, and returns how many follow one another there, at most `length`.
    fn of(start: Address, length: u32, translation: Translation) -> (Self, u32) {
        match start.region() {
            Region::Vram(view, offset) => {
                let left = match view {
                    VramView::Linear => VRAM_SIZE.saturating_sub(offset),
                    // These views reorder VRAM, and only a unit stays contiguous.
                    VramView::Depth16 | VramView::Depth32 => UNIT.saturating_sub(offset % UNIT),
                };
                let count = length.min(left);
                let linear = translation.to_linear(view, offset) as usize;
                (Self::Vram(linear..linear.saturating_add(count as usize)), count)
            }
            _ => {
                // This reaches up to VRAM, or to the end of the address space.
                let left = match VRAM_BASE.checked_sub(start.get()) {
                    Some(left @ 1..) => left,
                    _ => ADDRESSES.saturating_sub(start.get()),
                };
                let count = length.min(left);
                (Self::Other(start.get()..start.get().saturating_add(count)), count)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAM: Address = Address::new(0x0880_0000);

    fn seen(writers: &ByteWriters, start: Address, length: u32) -> Vec<(Range<u32>, Option<u32>)> {
        let mut parts = Vec::new();
        writers.visit(start, length, Translation::default(), |part, writer| {
            parts.push((part, writer.map(|writer| writer.0)));
        });
        parts
    }

    #[test]
    fn later_writers_replace_earlier_ones() {
        let mut writers = ByteWriters::default();
        for base in [RAM, Address::vram(0x1000), Address::new(0x0001_0000)] {
            let set = |writers: &mut ByteWriters, first: u32, length, writer| {
                writers.set(base.offset(first), length, Translation::default(), EventNumber(writer));
            };
            set(&mut writers, 0, 100, 1);
            set(&mut writers, 20, 10, 2);
            set(&mut writers, 25, 60, 3);
            set(&mut writers, 120, 10, 4);
            let expected = vec![
                (0..20, Some(1)),
                (20..25, Some(2)),
                (25..85, Some(3)),
                (85..100, Some(1)),
                (100..120, None),
                (120..130, Some(4)),
                (130..140, None),
            ];
            assert_eq!(seen(&writers, base, 140), expected, "{base}");
            assert_eq!(seen(&writers, base.offset(90), 5), [(0..5, Some(1))], "inside an interval");
            set(&mut writers, 0, 140, 5);
            assert_eq!(seen(&writers, base, 140), [(0..140, Some(5))], "all");
        }
        assert_eq!(writers.interval_count(), 2, "one for each memory but VRAM");
    }

    #[test]
    fn views_of_vram_share_writers() {
        let mut writers = ByteWriters::default();
        let translation = Translation::default();
        writers.set(Address::new(0x0460_0000), 64, translation, EventNumber(7));
        for view in [VramView::Depth16, VramView::Linear] {
            let base = if view == VramView::Linear { 0x0440_0000 } else { 0x0420_0000 };
            for unit in [0, UNIT] {
                let linear = translation.to_linear(VramView::Depth32, unit);
                let at = Address::new(base).offset(translation.from_linear(view, linear));
                assert_eq!(seen(&writers, at, UNIT), [(0..UNIT, Some(7))], "{view:?}");
            }
        }
        let stamp = writers.stamp(Address::vram(0x10_0000), 0x1000);
        writers.set_vram_where(0x10_0000..0x10_0004, EventNumber(8), |at| at == 3);
        assert!(writers.stamp(Address::vram(0x10_0000), 0x1000) > stamp, "a change");
        assert_eq!(seen(&writers, Address::vram(0x10_0000), 4), [(0..3, None), (3..4, Some(8))], "one byte");
    }
}
