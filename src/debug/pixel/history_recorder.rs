//! Records the history of a pixel during one run.
//!
//! # Invariants
//! The run draws as without the recorder. The history's values are read from the run's memory; only their explanation
//! comes from the reference rasterizer.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::history::{HistoryCause, HistoryEntry, PixelHistory};
use super::target::{PixelBytes, PixelTarget, PixelTargetError, TargetName};
use crate::debug::timeline::{EventNumber, RecordingObserver, TimelineRecorder};
use crate::ge::address::Address;
use crate::ge::capture::{Action, Capture, Event};
use crate::ge::draw_set::DrawSet;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::note::{Note, NoteKind};
use crate::ge::opcode::Opcode;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::{Ending, copied_from};
use crate::run::replay;
use crate::run::sink::{NullObserver, Observer, Sink, Step};

/// How to draw while a history is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HistoryOptions {
    /// Options of the rasterizer.
    pub raster: RasterOptions,
    /// Limits of the run. The explanations take at most [`Limits::memory`] bytes.
    pub limits: Limits,
}

/// Runs a capture and records the history of a pixel, by column and row in a buffer: the one that is named, or the
/// framebuffer that the screen shows at the end.
///
/// # Errors
/// If there is no such buffer, or if it has no such pixel.
pub fn record(
    mut capture: Capture,
    name: Option<TargetName>,
    position: [u32; 2],
    options: &HistoryOptions,
) -> Result<PixelHistory, PixelTargetError> {
    let HistoryOptions { raster: raster_options, limits } = options;
    let target = find_target(&capture, name, options)?;
    let pixel = PixelBytes::new(target, position, &capture.memory)?;
    let first = pixel.read(&capture.memory);
    let mut raster = Rasterizer::new(*raster_options);
    if let Some(watched) = pixel.in_vram(capture.memory.translation()) {
        raster.watch(watched, limits);
    }
    let log = RefCell::new(Log { pixel, value: first, pending: None, entries: Vec::new() });
    let timeline = TimelineRecorder::new(limits);
    let mut inner = HistorySink { raster, log: &log, timeline: &timeline };
    let (mut sink, observer) = timeline.split(&mut inner);
    let mut observer = HistoryObserver { inner: observer, log: &log, timeline: &timeline };
    let arithmetic = raster_options.arithmetic;
    let replayed = replay::run(&mut capture, arithmetic, &mut sink, &mut observer, limits);
    let limit_hit = inner.raster.watch_limit_hit();
    let mut log = log.into_inner();
    if replayed.report.ending == Ending::LimitReached {
        // The limit came before the last event.
        log.pending = None;
    }
    log.settle(&capture.memory);
    let last = pixel.read(&capture.memory);
    let timeline = timeline.finish();
    let entries = log.entries.into_iter().filter_map(|entry| {
        let Touch { event, before, after, cause, agrees } = entry;
        let event = timeline.get(event)?.clone();
        Some(HistoryEntry { event, before, after, cause, agrees })
    });
    Ok(PixelHistory {
        target,
        position,
        address: pixel.address,
        draws: replayed.report.draws,
        events: timeline.len() as u64,
        first,
        last,
        entries: entries.collect(),
        shown: DrawSet::all(),
        report: replayed.report,
        limit_hit,
    })
}

/// Finds a buffer by its name; without one, the framebuffer that the screen shows at the end, or the last one drawn
/// to if no screen is selected.
///
/// # Errors
/// If no draw has the named buffer.
pub(crate) fn find_target(
    capture: &Capture,
    name: Option<TargetName>,
    options: &HistoryOptions,
) -> Result<PixelTarget, PixelTargetError> {
    match name {
        Some(TargetName { address, shape: Some((stride, format)) }) => {
            return Ok(PixelTarget { address, stride, format });
        }
        None => {
            if let Some(display) = capture.final_display() {
                return Ok(display.into());
            }
        }
        Some(_) => {}
    }
    // A run that draws nothing shows the buffers, too.
    let mut buffers = LastBuffer { address: name.map(|name| name.address), found: None };
    let arithmetic = options.raster.arithmetic;
    let replayed =
        replay::run(&mut capture.clone(), arithmetic, &mut buffers, &mut NullObserver, &options.limits);
    match name {
        Some(name) => Ok(buffers.found.ok_or(PixelTargetError::NotDrawn(name.address))?.into()),
        None => Ok(replayed
            .display
            .map_or_else(|| ColorSurface::from_registers(&replayed.registers).into(), PixelTarget::from)),
    }
}

/// Finds the last colour buffer at an address.
struct LastBuffer {
    address: Option<Address>,
    found: Option<ColorSurface>,
}

impl LastBuffer {
    fn note(&mut self, surface: ColorSurface) {
        if self.address == Some(Address::vram(surface.address)) {
            self.found = Some(surface);
        }
    }
}

impl Sink for LastBuffer {
    fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
        self.note(ColorSurface::from_registers(draw.registers));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.note(ColorSurface::from_registers(draw.registers));
    }

    fn flush(&mut self, _: &mut Memory) {}
}

/// The history so far.
struct Log {
    pixel: PixelBytes,
    /// The pixel's bits after the last event.
    value: u32,
    /// The last event, if its result is not yet in memory.
    pending: Option<Pending>,
    entries: Vec<Touch>,
}

/// An entry whose event is known by its number alone.
struct Touch {
    event: EventNumber,
    before: u32,
    after: u32,
    cause: HistoryCause,
    agrees: bool,
}

/// A transfer or an action of the CPU that is about to happen.
struct Pending {
    event: EventNumber,
    cause: HistoryCause,
    /// The bits that it should leave, if they are known.
    expected: Option<u32>,
}

impl Log {
    /// Completes the pending event from its result in memory.
    fn settle(&mut self, memory: &Memory) {
        let Some(Pending { event, mut cause, expected }) = self.pending.take() else { return };
        let (before, after) = (self.value, self.pixel.read(memory));
        if let HistoryCause::Cpu { written, .. } = &mut cause {
            *written = expected.is_none_or(|expected| expected == after);
        }
        self.value = after;
        self.entries.push(Touch { event, before, after, cause, agrees: true });
    }

    /// Adds a transfer with these registers, TRANSFERSTART included, if it writes the pixel.
    fn add_transfer(&mut self, event: EventNumber, memory: &Memory, step: &Step<'_>) {
        let mut registers = step.registers.clone();
        registers.write(step.command);
        let from = self.pixel.aliases(memory.translation()).find_map(|alias| {
            let of_byte = |byte: u32| copied_from(&registers, alias.offset(byte));
            (0..self.pixel.length).step_by(2).find_map(of_byte)
        });
        if let Some(from) = from {
            let cause = HistoryCause::Transfer { from, written: true };
            self.pending = Some(Pending { event, cause, expected: None });
        }
    }

    /// Adds an action of the CPU, if it writes the pixel.
    fn add_action(&mut self, event: EventNumber, memory: &Memory, action: &Action) {
        let Some((to, length)) = action.written() else { return };
        let Some(place) = self.pixel.place_in(to, length, memory.translation()) else { return };
        let from = match action {
            Action::Copy { from, .. } | Action::CopyUndrawn { from, .. } => Some(*from),
            _ => None,
        };
        let mut bytes = self.pixel.read(memory).to_le_bytes();
        for (index, byte) in (0..).zip(bytes.iter_mut()).take(self.pixel.length as usize) {
            let offset = u32::try_from(place + index).ok().filter(|offset| *offset < length);
            match (offset, from, action) {
                (Some(offset), Some(from), _) => *byte = memory.read_u8(from.offset(offset)),
                (Some(_), None, Action::Fill { value, .. }) => *byte = *value,
                _ => {}
            }
        }
        let from = from.map(|from| from.offset(u32::try_from(place.max(0)).unwrap_or(0)));
        let cause = HistoryCause::Cpu { action: action.clone(), from, written: true };
        self.pending = Some(Pending { event, cause, expected: Some(u32::from_le_bytes(bytes)) });
    }
}

/// Draws, and adds the draws that touch the pixel.
struct HistorySink<'a> {
    raster: Rasterizer,
    log: &'a RefCell<Log>,
    timeline: &'a TimelineRecorder,
}

impl HistorySink<'_> {
    /// Follows the pixel before a draw: a view of VRAM shows other bytes after a change of the translation.
    fn follow(&mut self, memory: &Memory) {
        if let Some(pixel) = self.log.borrow().pixel.in_vram(memory.translation()) {
            self.raster.move_watch(pixel);
        }
    }

    /// Adds the draw that was just drawn, if it touched the pixel.
    fn add_draw(&mut self, memory: &mut Memory) {
        let fragments = self.raster.take_watched();
        let (Some(first), Some(last)) = (fragments.first(), fragments.last()) else { return };
        let (before, explained) = (first.before, last.after);
        let mut log = self.log.borrow_mut();
        let PixelBytes { address, length } = log.pixel;
        self.raster.flush_for_read(memory, address, length);
        let after = log.pixel.read(memory);
        let agrees = before == log.value && explained == after;
        // The event of this draw is already on the timeline.
        let event = EventNumber(self.timeline.next().0.saturating_sub(1));
        log.value = after;
        log.entries.push(Touch { event, before, after, cause: HistoryCause::Draw(fragments), agrees });
    }
}

impl Sink for HistorySink<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.follow(memory);
        self.raster.draw(memory, draw);
        self.add_draw(memory);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.follow(memory);
        self.raster.draw_immediate(memory, draw);
        self.add_draw(memory);
    }

    crate::run::sink::forward_flushes!(raster);
    crate::run::sink::forward_limits!(raster);
}

/// Adds the transfers and actions of the CPU that touch the pixel.
struct HistoryObserver<'a> {
    inner: RecordingObserver<'a>,
    log: &'a RefCell<Log>,
    timeline: &'a TimelineRecorder,
}

impl Observer for HistoryObserver<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let mut log = self.log.borrow_mut();
        log.settle(memory);
        if step.command.opcode() == Opcode::TRANSFERSTART {
            log.add_transfer(self.timeline.next(), memory, step);
        }
        self.inner.command(memory, step)
    }

    fn note(&mut self, note: &Note) {
        if note.kind == NoteKind::TransferUnmapped
            && let Some(Pending { cause: HistoryCause::Transfer { written, .. }, .. }) =
                &mut self.log.borrow_mut().pending
        {
            *written = false;
        }
        self.inner.note(note);
    }

    fn event(&mut self, memory: &Memory, event: &Event) {
        let mut log = self.log.borrow_mut();
        log.settle(memory);
        log.add_action(self.timeline.next(), memory, &event.action);
        self.inner.event(memory, event);
    }
}
