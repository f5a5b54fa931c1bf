//! The watcher of a run for a host: callbacks for draws, the reasons to stop early, and the bytes that change.

use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, Range};

use pspge::ge::memory::Version;
use pspge::run::interpreter::TransferShape;
use pspge::run::sink::{forward_flushes, forward_limits};
use pspge::{Address, Draw, ImmediateDraw, Memory, Observer, Opcode, Rasterizer, Sink, Step};

use crate::callbacks::{self, Callbacks};

/// Bytes of VRAM whose changes are noticed together.
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
    /// Number of commands to execute; `None` for any number.
    pub(crate) budget: Option<u64>,
    /// Whether to stop before the END of a signal.
    pub(crate) at_signal: bool,
    /// The END at this address is executed, if it is the first command.
    pub(crate) first: Option<Address>,
}

/// State that the two halves of a watcher share: both see the same run.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The word of the current command.
    word: Cell<u32>,
    stop_requested: Cell<bool>,
    reason: Cell<Option<StopReason>>,
    commands: Cell<u64>,
    /// Ranges outside VRAM that block transfers wrote.
    transferred: RefCell<Vec<Range<u64>>>,
}

impl Watch {
    /// Returns the reason of a stop.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.reason.get()
    }

    /// Returns the number of commands executed.
    pub(crate) fn commands(&self) -> u64 {
        self.commands.get()
    }

    /// Records the bytes outside VRAM that a block transfer may write.
    fn record_transfer(&self, shape: &TransferShape) {
        let last_row = u64::from(shape.target_stride) * u64::from(shape.height.saturating_sub(1));
        let size = last_row + u64::from(shape.width) * u64::from(shape.pixel_size);
        let start = u64::from(shape.target.get());
        let end = start + size;
        let mut ranges = self.transferred.borrow_mut();
        ranges.push(start..end.min(ADDRESS_END));
        // Addresses wrap.
        if end > ADDRESS_END {
            ranges.push(0..(end - ADDRESS_END).min(ADDRESS_END));
        }
        merge(&mut ranges);
    }
}

/// Sorts ranges and joins those that touch.
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

/// Bytes of memory before a call, to find those that it changes.
#[derive(Debug)]
pub(crate) struct MemoryBefore(Vec<Option<Version>>);

impl MemoryBefore {
    /// Looks at memory before a call.
    pub(crate) fn new(memory: &Memory) -> Self {
        Self(vram_versions(memory))
    }

    /// Returns the ranges that may have changed since, by rising address, as address and size. The sink is flushed.
    pub(crate) fn changes(&self, memory: &Memory, watch: &Watch) -> Vec<(u32, u32)> {
        let pages = self.0.iter().zip(vram_versions(memory)).zip((0..).step_by(VRAM_STEP as usize));
        let page = |start: u32| {
            let start = u64::from(Address::vram(start).get());
            start..start + u64::from(VRAM_STEP)
        };
        let mut ranges: Vec<Range<u64>> =
            pages.filter(|((before, after), _)| *before != after).map(|(_, start)| page(start)).collect();
        // Those in VRAM are among the pages.
        let transferred = watch.transferred.borrow();
        let outside = transferred
            .iter()
            .filter(|range| u32::try_from(range.start).is_ok_and(|start| !Address::new(start).is_vram()));
        ranges.extend(outside.cloned());
        merge(&mut ranges);
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        ranges.into_iter().map(|range| (number(range.start), number(range.end - range.start))).collect()
    }
}

/// Returns the versions of all pages of VRAM.
fn vram_versions(memory: &Memory) -> Vec<Option<Version>> {
    let starts = (0..pspge::ge::address::VRAM_SIZE).step_by(VRAM_STEP as usize);
    starts.map(|start| memory.version(Address::vram(start), VRAM_STEP as usize)).collect()
}

/// The sink of a watched run.
#[derive(Debug)]
pub(crate) struct WatchSink<'w> {
    pub(crate) raster: &'w mut Rasterizer,
    pub(crate) callbacks: &'w Callbacks,
    pub(crate) watch: &'w Watch,
}

impl WatchSink<'_> {
    fn report(&self, draw: &callbacks::Draw) {
        if self.callbacks.report_draw(draw) {
            self.watch.stop_requested.set(true);
        }
    }
}

impl Sink for WatchSink<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.report(&callbacks::Draw {
            number: draw.number,
            address: draw.at.get(),
            word: self.watch.word.get(),
            primitive: u32::from(draw.primitive.number()),
            count: draw.count,
            vertices: draw.vertices.get(),
            indices: draw.indices.get(),
        });
        self.raster.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.report(&callbacks::Draw {
            number: draw.number,
            address: draw.at.get(),
            word: self.watch.word.get(),
            primitive: u32::from(draw.primitive.number()),
            count: u32::try_from(draw.vertices.len()).unwrap_or(u32::MAX),
            vertices: 0,
            indices: 0,
        });
        self.raster.draw_immediate(memory, draw);
    }

    forward_flushes!(raster);
    forward_limits!(raster);
}

/// The observer of a watched run.
#[derive(Debug)]
pub(crate) struct WatchObserver<'w> {
    pub(crate) watch: &'w Watch,
    pub(crate) stops: Stops,
}

impl Observer for WatchObserver<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let watch = self.watch;
        let opcode = step.command.opcode();
        let reason = if watch.stop_requested.get() {
            Some(StopReason::Callback)
        } else if self.stops.budget.is_some_and(|budget| watch.commands.get() >= budget) {
            Some(StopReason::Budget)
        } else if self.stops.at_signal
            && opcode == Opcode::END
            && self.stops.first != Some(step.at)
            && is_signal(memory, step.at)
        {
            Some(StopReason::Signal)
        } else {
            None
        };
        if reason.is_some() {
            watch.reason.set(reason);
            return ControlFlow::Break(());
        }
        self.stops.first = None;
        watch.word.set(step.command.word());
        watch.commands.set(watch.commands.get() + 1);
        if opcode == Opcode::TRANSFERSTART {
            let mut registers = step.registers.clone();
            registers.write(step.command);
            watch.record_transfer(&TransferShape::of(&registers));
        }
        ControlFlow::Continue(())
    }
}

/// Returns whether the word before an END is a SIGNAL.
pub(crate) fn is_signal(memory: &Memory, end: Address) -> bool {
    pspge::Command::from_word(memory.read_u32(before(end))).opcode() == Opcode::SIGNAL
}

/// Returns the address of the word before another one.
pub(crate) const fn before(address: Address) -> Address {
    Address::new(address.get().wrapping_sub(4))
}
