//! Watches a run for a host: calls back for draws, stops early, and finds changed bytes.

use std::ops::{ControlFlow, Range};

use pspge::ge::memory::Version;
use pspge::run::interpreter::TransferShape;
use pspge::run::watch::{Outcome, RunEvent, RunEventKind, Watch};
use pspge::{Address, Memory, Opcode, Rasterizer, Step};

use crate::callbacks::{self, Callbacks};

/// Changes to VRAM are noticed in steps of this many bytes.
const VRAM_STEP: u32 = 0x4000;
/// Addresses have 28 bits.
const ADDRESS_END: u64 = 1 << 28;

/// Why a watched run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The draw callback asked for it.
    Callback,
    /// The command budget is used up.
    Budget,
    /// The next word is the END of a signal.
    Signal,
}

/// When to stop a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stops {
    /// How many commands to execute; `None` for any number.
    pub(crate) budget: Option<u64>,
    /// Whether to stop before the END of a signal.
    pub(crate) at_signal: bool,
    /// A run that starts at this END executes it, so that a resumed list does not stop again at once.
    pub(crate) first: Option<Address>,
}

/// Records how a watched run went.
#[derive(Debug, Default)]
pub(crate) struct RunRecord {
    /// Why it stopped.
    pub(crate) reason: Option<StopReason>,
    /// How many commands it executed.
    pub(crate) commands: u64,
    /// Ranges outside VRAM to which block transfers wrote.
    transferred: Vec<Range<u64>>,
}

impl RunRecord {
    /// Records which bytes outside VRAM a block transfer may write.
    fn record_transfer(&mut self, shape: &TransferShape) {
        let last_row = u64::from(shape.target_stride) * u64::from(shape.height.saturating_sub(1));
        let size = last_row + u64::from(shape.width) * u64::from(shape.pixel_size);
        let start = u64::from(shape.target.get());
        let end = start + size;
        self.transferred.push(start..end.min(ADDRESS_END));
        // Addresses wrap at 28 bits.
        if end > ADDRESS_END {
            self.transferred.push(0..(end - ADDRESS_END).min(ADDRESS_END));
        }
        merge(&mut self.transferred);
    }
}

/// Sorts ranges, and joins those that touch, so that the host gets to hear of a byte only once.
fn merge(ranges: &mut Vec<Range<u64>>) {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let touches = next.start <= range.end;
        if touches {
            range.end = range.end.max(next.end);
        }
        touches
    });
}

/// Remembers versions of memory before a call, to find the bytes it changes.
#[derive(Debug)]
pub(crate) struct MemoryBefore(Vec<Option<Version>>);

impl MemoryBefore {
    /// Looks at memory before a call.
    pub(crate) fn new(memory: &Memory) -> Self {
        Self(vram_versions(memory))
    }

    /// Returns the ranges that may have changed since, as address and size, by rising address. Flush the sink first.
    pub(crate) fn changes(&self, memory: &Memory, record: &RunRecord) -> Vec<(u32, u32)> {
        let pages = self.0.iter().zip(vram_versions(memory)).zip((0..).step_by(VRAM_STEP as usize));
        let page = |start: u32| {
            let start = u64::from(Address::vram(start).get());
            start..start + u64::from(VRAM_STEP)
        };
        let mut ranges: Vec<Range<u64>> =
            pages.filter(|((before, after), _)| *before != after).map(|(_, start)| page(start)).collect();
        // Ranges in VRAM are among the pages already.
        let outside = record
            .transferred
            .iter()
            .filter(|range| u32::try_from(range.start).is_ok_and(|start| !Address::new(start).is_vram()));
        ranges.extend(outside.cloned());
        merge(&mut ranges);
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        ranges.into_iter().map(|range| (number(range.start), number(range.end - range.start))).collect()
    }
}

/// Returns the versions of all pages in VRAM.
fn vram_versions(memory: &Memory) -> Vec<Option<Version>> {
    let starts = (0..pspge::ge::address::VRAM_SIZE).step_by(VRAM_STEP as usize);
    starts.map(|start| memory.version(Address::vram(start), VRAM_STEP as usize)).collect()
}

/// Watches a run, to call back for draws and to stop.
#[derive(Debug)]
pub(crate) struct RunWatch<'w> {
    pub(crate) record: &'w mut RunRecord,
    pub(crate) callbacks: &'w Callbacks,
    pub(crate) stops: Stops,
    /// The current command's word.
    pub(crate) word: u32,
    /// Whether the draw callback has asked for a stop.
    pub(crate) stop_requested: bool,
}

impl Watch<Rasterizer> for RunWatch<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        // The draw for which the callback asked for this stop is complete by now.
        let reason = if self.stop_requested {
            Some(StopReason::Callback)
        } else if self.stops.budget.is_some_and(|budget| self.record.commands >= budget) {
            Some(StopReason::Budget)
        } else if self.stops.at_signal
            && step.command.opcode() == Opcode::END
            && self.stops.first != Some(step.at)
            && is_signal(memory, step.at)
        {
            Some(StopReason::Signal)
        } else {
            None
        };
        if reason.is_some() {
            self.record.reason = reason;
            return ControlFlow::Break(());
        }
        // This END is free only at the start: if the list comes back to it, the run has to stop there.
        self.stops.first = None;
        self.word = step.command.word();
        self.record.commands += 1;
        ControlFlow::Continue(())
    }

    fn interferes(&self) -> bool {
        self.stops.budget.is_some() || self.callbacks.draw.0.is_some()
    }

    fn before(&mut self, _: &mut Rasterizer, _: &mut Memory, event: &RunEvent<'_>) {
        let (primitive, count, vertices, indices) = match event.kind {
            RunEventKind::Draw(draw) => (draw.primitive, draw.count, draw.vertices.get(), draw.indices.get()),
            RunEventKind::Immediate(draw) => {
                (draw.primitive, u32::try_from(draw.vertices.len()).unwrap_or(u32::MAX), 0, 0)
            }
            RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => return,
        };
        self.stop_requested |= self.callbacks.report_draw(&callbacks::Draw {
            number: event.place.draw,
            address: event.place.at.get(),
            word: self.word,
            primitive: u32::from(primitive.number()),
            count,
            vertices,
            indices,
        });
    }

    fn after(&mut self, _: &mut Rasterizer, _: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        if let RunEventKind::Transfer(registers) = event.kind
            && outcome == Outcome::Done
        {
            self.record.record_transfer(&TransferShape::of(registers));
        }
    }
}

/// Returns whether the word before an END is a SIGNAL.
pub(crate) fn is_signal(memory: &Memory, end: Address) -> bool {
    pspge::Command::from_word(memory.read_u32(before(end))).opcode() == Opcode::SIGNAL
}

/// Returns the address of the word before `address`.
pub(crate) const fn before(address: Address) -> Address {
    Address::new(address.get().wrapping_sub(4))
}
