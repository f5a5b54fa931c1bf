//! Finds the first event at which two runs differ: in the event itself, or in the bytes after it.
//!
//! # Invariants
//! If bytes already differ before an event, they do not count for it, unless it writes them on either side. So if
//! two dumps have other textures or leftovers in memory, they differ only at the first draw to show this.
//!
//! ```
//! use pspge::debug::diff::first_difference::{first_difference, Side};
//! use pspge::{Arithmetic, Limits, Rasterizer};
//!
//! let list = |color: &str| {
//!     let list = format!("BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v)
//!         FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | REGION2 x=479 y=271 | SCISSOR2 x=479 y=271
//!         PRIM primitive=POINTS count=1 | PRIM primitive=POINTS count=1 | FINISH | END
//!         v: .rgba #102030ff | .s16 0 0 0 | .align 4 | .rgba {color} | .s16 1 0 0");
//!     pspge::asm::assemble(&list).map(|program| program.capture())
//! };
//! let (mut a, mut b) = (Rasterizer::default(), Rasterizer::default());
//! let arithmetic = Arithmetic::Hardware;
//! let sides = (
//!     Side { capture: list("#ff0000ff")?, arithmetic, sink: &mut a },
//!     Side { capture: list("#00ff00ff")?, arithmetic, sink: &mut b },
//! );
//! let difference = first_difference(sides.0, sides.1, &Limits::default()).expect("another colour");
//! assert_eq!((difference.event.0, difference.byte_count), (1, 2), "red and green of the second point");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub use super::lockstep::Side;
use super::lockstep::SteppedRun;
use crate::debug::session::page_tracker::ChangedPage;
use crate::debug::timeline::{EventKind, EventNumber, TimelineEvent};
use crate::ge::address::Address;
use crate::ge::limits::Limits;
use crate::ge::memory::pages::PageCopy;
use crate::run::sink::Sink;

/// Lists at most this many byte ranges, to bound memory.
const RANGES_MAX: usize = 1 << 20;

/// The first event at which two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstDifference {
    /// The event's number in both runs.
    pub event: EventNumber,
    /// The event in each run; `None` if the run has ended.
    pub events: [Option<TimelineEvent>; 2],
    /// Whether the two runs' events are of different kinds, or draw different numbers of vertices.
    pub is_other_event: bool,
    /// How many bytes differ after the event and were changed by it in either run.
    pub byte_count: u64,
    /// How many of these bytes already differed before the event.
    pub earlier_count: u64,
    /// These bytes, by rising address: the first 1048576 ranges. VRAM has its linear view's addresses.
    pub bytes: Vec<Range<u32>>,
}

/// Runs two lists side by side until they differ, and returns this event; `None` if they do not differ.
///
/// Each sink is flushed after every event. Each side's list runs once before, to find its events.
pub fn first_difference<A: Sink, B: Sink>(
    a: Side<'_, A>,
    b: Side<'_, B>,
    limits: &Limits,
) -> Option<FirstDifference> {
    let (mut a, mut b) = (SteppedRun::new(a, limits), SteppedRun::new(b, limits));
    let count = u32::try_from(a.len().max(b.len())).unwrap_or(u32::MAX);
    for number in (0..count).map(EventNumber) {
        let events = [a.event(number).cloned(), b.event(number).cloned()];
        let next = EventNumber(number.0.saturating_add(1));
        if number.0 == 0 {
            // Commands before the first event change no bytes.
            a.step_to(number);
            b.step_to(number);
        }
        let changed = [a.step_to(next), b.step_to(next)];
        let mut found = Bytes::default();
        for (start, [before_a, before_b]) in pages(changed) {
            let changes =
                [PageChange::new(&before_a, a.page(start)), PageChange::new(&before_b, b.page(start))];
            found.compare(start.get(), changes);
        }
        let is_other_event = !is_same_kind(&events);
        if found.count > 0 || is_other_event {
            let Bytes { count: byte_count, earlier: earlier_count, ranges: bytes } = found;
            let event = number;
            return Some(FirstDifference { event, events, is_other_event, byte_count, earlier_count, bytes });
        }
    }
    None
}

/// Returns whether two events do the same, apart from their data.
fn is_same_kind(events: &[Option<TimelineEvent>; 2]) -> bool {
    match events {
        [Some(a), Some(b)] => match (&a.kind, &b.kind) {
            (EventKind::Draw(a), EventKind::Draw(b)) => a == b,
            (EventKind::Transfer(a), EventKind::Transfer(b)) => a == b,
            (EventKind::Cpu(_), EventKind::Cpu(_)) => true,
            _ => false,
        },
        [None, None] => true,
        _ => false,
    }
}

/// A page's contents before an event, on the sides where it may have changed.
type Before = [Option<Arc<PageCopy>>; 2];

/// Joins the pages changed on either side, by rising address.
fn pages(changed: [Vec<ChangedPage>; 2]) -> BTreeMap<Address, Before> {
    let mut pages: BTreeMap<Address, Before> = BTreeMap::new();
    let [a, b] = changed;
    for ChangedPage { start, before } in a {
        let [of_a, _] = pages.entry(start).or_default();
        *of_a = Some(before);
    }
    for ChangedPage { start, before } in b {
        let [_, of_b] = pages.entry(start).or_default();
        *of_b = Some(before);
    }
    pages
}

/// A page's bytes before and after an event.
#[derive(Clone, Copy, Debug)]
struct PageChange<'a> {
    before: &'a [u8],
    after: &'a [u8],
}

impl<'a> PageChange<'a> {
    fn new(before: &'a Option<Arc<PageCopy>>, current: Option<&'a Arc<PageCopy>>) -> Self {
        let after = current.map(|page| page.bytes()).unwrap_or_default();
        // A page without earlier contents has not changed on this side.
        Self { before: before.as_ref().map_or(after, |page| page.bytes()), after }
    }
}

/// Bytes with different values on the two sides.
#[derive(Debug, Default)]
struct Bytes {
    count: u64,
    earlier: u64,
    ranges: Vec<Range<u32>>,
}

impl Bytes {
    /// Adds this page's bytes with different values, if they changed on either side.
    fn compare(&mut self, start: u32, [a, b]: [PageChange<'_>; 2]) {
        if a.after == b.after {
            return;
        }
        let after = a.after.iter().zip(b.after);
        let before = a.before.iter().zip(b.before);
        for (offset, (before, after)) in (0..).zip(before.zip(after)) {
            // Bytes changed by neither side are leftovers from before the event.
            if after.0 != after.1 && before != after {
                self.add(start.saturating_add(offset));
                self.earlier = self.earlier.saturating_add(u64::from(before.0 != before.1));
            }
        }
    }

    fn add(&mut self, address: u32) {
        self.count = self.count.saturating_add(1);
        let end = address.saturating_add(1);
        match self.ranges.last_mut() {
            Some(last) if last.end == address => last.end = end,
            _ => {
                if self.ranges.len() < RANGES_MAX {
                    self.ranges.push(address..end);
                }
            }
        }
    }
}
