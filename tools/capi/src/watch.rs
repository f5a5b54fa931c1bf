//! Watches a run for a host: calls back for draws and commands, stops early, and finds changed bytes.

use std::ops::{ControlFlow, Range};

use pspge::ge::memory::VramMark;
use pspge::run::interpreter::TransferShape;
use pspge::run::watch::{Outcome, RunEvent, RunEventKind, Watch};
use pspge::{Address, Memory, Opcode, Step};

use crate::callbacks::{self, Callbacks, CommandInfo, State};
use crate::host_sink::HostSink;
use crate::recording::HostRecorder;

/// The end of the address space: addresses have 28 bits.
const ADDRESS_END: u64 = 1 << 28;

/// Why a watched run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The draw callback asked for it.
    DrawCallback,
    /// The command callback asked for it.
    CommandCallback,
    /// The command budget is used up.
    Budget,
    /// The next word is a signal's END.
    Signal,
    /// The next word is the END of a skipped FINISH.
    SkippedFinish,
}

/// When to stop a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stops {
    /// How many commands to execute.
    pub(crate) budget: u64,
    /// Whether to stop before a signal's END.
    pub(crate) at_signal: bool,
    /// Whether to stop before the END of a skipped FINISH.
    pub(crate) at_skipped_finish: bool,
    /// A run that starts at this END executes it, so that a resumed list does not stop again at once.
    pub(crate) first: Option<Address>,
    /// Whether the command callback has been asked about the first command already.
    pub(crate) was_asked: bool,
}

impl Stops {
    pub(crate) const NEVER: Self =
        Self { budget: u64::MAX, at_signal: false, at_skipped_finish: false, first: None, was_asked: false };
}

/// Records how a watched run went.
#[derive(Debug, Default)]
pub(crate) struct RunRecord {
    /// Why it stopped.
    pub(crate) reason: Option<StopReason>,
    /// How many commands it executed.
    pub(crate) commands: u64,
    /// Ranges outside VRAM written by block transfers.
    transferred: Vec<Range<u64>>,
    /// How many bytes block transfers moved.
    pub(crate) transferred_bytes: u64,
}

impl RunRecord {
    /// Records which bytes a block transfer may write.
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

    /// Returns the ranges that may have changed since the mark, as address and size, in rising order. Draws count
    /// when they are completed. Without a mark, VRAM is left out.
    pub(crate) fn changes(&self, memory: &Memory, mark: Option<VramMark>) -> Vec<(u32, u32)> {
        let vram = u64::from(Address::vram(0).get());
        let pages = mark.into_iter().flat_map(|mark| memory.vram_changes_since(mark));
        let mut ranges: Vec<Range<u64>> =
            pages.map(|page| vram + u64::from(page.start)..vram + u64::from(page.end)).collect();
        // Ranges in VRAM are among the pages already.
        let outside = self
            .transferred
            .iter()
            .filter(|range| u32::try_from(range.start).is_ok_and(|start| !Address::new(start).is_vram()));
        ranges.extend(outside.cloned());
        merge(&mut ranges);
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        ranges.into_iter().map(|range| (number(range.start), number(range.end - range.start))).collect()
    }
}

/// Sorts ranges, and joins those that touch, to report each byte to the host only once.
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

/// Watches a run, to call back for draws and commands, to stop, and to record it. Unless a recording is under way,
/// it reads no memory that draws write, so no draw need be completed for it.
#[derive(Debug)]
pub(crate) struct RunWatch<'w> {
    record: &'w mut RunRecord,
    callbacks: &'w Callbacks,
    recorder: Option<&'w mut HostRecorder>,
    stops: Stops,
    /// Whether to call the command callback.
    has_command_callback: bool,
    word: u32,
    /// Whether the draw callback has asked for a stop.
    stop_requested: bool,
}

impl<'w> RunWatch<'w> {
    /// Watches a run, and writes to `record` how it went.
    pub(crate) const fn new(
        record: &'w mut RunRecord,
        callbacks: &'w Callbacks,
        recorder: Option<&'w mut HostRecorder>,
        stops: Stops,
    ) -> Self {
        let has_command_callback = callbacks.command.0.is_some();
        Self { record, callbacks, recorder, stops, has_command_callback, word: 0, stop_requested: false }
    }

    /// Returns the recorder at the end of the run.
    pub(crate) const fn into_recorder(self) -> Option<&'w mut HostRecorder> {
        self.recorder
    }

    /// Returns why the run stops before an END, if it does.
    #[cold]
    fn stop_at_end(&self, memory: &Memory, step: &Step<'_>) -> Option<StopReason> {
        // This END is free only at the start: if the list comes back to it, the run has to stop there.
        if self.stops.first == Some(step.at) && self.record.commands == 0 {
            return None;
        }
        if self.stops.at_signal && is_signal(memory, step.at) {
            return Some(StopReason::Signal);
        }
        let is_skipped = self.stops.at_skipped_finish
            && step.skips_finish
            && opcode_before(memory, step.at) == Opcode::FINISH;
        is_skipped.then_some(StopReason::SkippedFinish)
    }

    /// Asks the command callback whether to stop.
    #[cold]
    fn asks_to_stop(&self, step: &Step<'_>) -> bool {
        if self.stops.was_asked && self.record.commands == 0 {
            return false;
        }
        self.callbacks.report_command(&CommandInfo {
            number: step.number,
            draws: step.draws,
            address: step.at.get(),
            word: step.command.word(),
            offset: step.offset,
            vertices: step.vertices.get(),
            indices: step.indices.get(),
            depth: u32::try_from(step.depth).unwrap_or(u32::MAX),
            state: State::of(step.registers),
        })
    }
}

impl Watch<HostSink<'_>> for RunWatch<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        // The draw whose callback asked for this stop is complete by now.
        let reason = if self.stop_requested {
            Some(StopReason::DrawCallback)
        } else if self.record.commands >= self.stops.budget {
            Some(StopReason::Budget)
        } else if step.command.opcode() == Opcode::END
            && let Some(reason) = self.stop_at_end(memory, step)
        {
            Some(reason)
        } else if self.has_command_callback && self.asks_to_stop(step) {
            Some(StopReason::CommandCallback)
        } else {
            None
        };
        if reason.is_some() {
            self.record.reason = reason;
            return ControlFlow::Break(());
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.command(memory, step);
        }
        self.word = step.command.word();
        self.record.commands += 1;
        ControlFlow::Continue(())
    }

    fn undisturbed_commands(&self) -> u64 {
        let asks = self.has_command_callback || self.callbacks.draw.0.is_some();
        if asks || self.recorder.is_some() {
            0
        } else {
            self.stops.budget.saturating_sub(self.record.commands)
        }
    }

    fn before(&mut self, sink: &mut HostSink<'_>, _: &mut Memory, event: &RunEvent<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.before(sink.raster);
        }
        let (registers, primitive, count, vertices, indices) = match event.kind {
            RunEventKind::Draw(draw) => {
                (draw.registers, draw.primitive, draw.count, draw.vertices.get(), draw.indices.get())
            }
            RunEventKind::Immediate(draw) => {
                let count = u32::try_from(draw.vertices.len()).unwrap_or(u32::MAX);
                (draw.registers, draw.primitive, count, 0, 0)
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
            state: State::of(registers),
        });
    }

    fn after(
        &mut self,
        sink: &mut HostSink<'_>,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        if let Some(recorder) = &mut self.recorder {
            recorder.after(sink.raster, memory, event, outcome);
        }
        let RunEventKind::Transfer(registers) = event.kind else { return };
        let shape = TransferShape::of(registers);
        // The pixel count includes transfers without memory, so these count here, too.
        if matches!(outcome, Outcome::Done | Outcome::Unmapped) {
            let pixels = u64::from(shape.width) * u64::from(shape.height);
            self.record.transferred_bytes += pixels * u64::from(shape.pixel_size);
        }
        if outcome == Outcome::Done && self.callbacks.dirty.0.is_some() {
            self.record.record_transfer(&shape);
        }
    }

    fn reads_memory(&self) -> bool {
        self.recorder.is_some()
    }
}

/// Whether the word before this END is a SIGNAL.
pub(crate) fn is_signal(memory: &Memory, end: Address) -> bool {
    opcode_before(memory, end) == Opcode::SIGNAL
}

fn opcode_before(memory: &Memory, address: Address) -> Opcode {
    pspge::Command::from_word(memory.read_u32(before(address))).opcode()
}

/// Where the word before `address` is.
pub(crate) const fn before(address: Address) -> Address {
    Address::new(address.get().wrapping_sub(4))
}
