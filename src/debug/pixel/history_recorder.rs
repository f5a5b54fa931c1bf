//! Records a pixel's history during a run.
//!
//! # Invariants
//! The recorder does not change how the run draws. The history's values come from the run's memory; the
//! reference rasterizer serves only to explain them.

use super::history::{HistoryCause, HistoryEntry, PixelHistory};
use super::target::{PixelBytes, PixelTarget, PixelTargetError, TargetName};
use crate::debug::draw::applied_rules::{AppliedRule, vertex_rules};
use crate::debug::shot::Shot;
use crate::debug::timeline::{EventNumber, TimelineRecorder};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Action;
use crate::ge::draw_set::DrawSet;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::Draw;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::Rasterizer;
use crate::run::interpreter::copied_from;
use crate::run::sink::{NullSink, Sink, Tee};
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

impl Shot {
    /// Runs the list to record a pixel's history. The pixel is given by column and row in the named buffer, or in
    /// the framebuffer shown on the screen at the end. Explanations take at most
    /// [`Limits::memory`](crate::ge::limits::Limits::memory) bytes.
    ///
    /// # Errors
    /// If there is no such buffer, or if it has no such pixel.
    pub fn history(
        &self,
        name: Option<TargetName>,
        position: [u32; 2],
    ) -> Result<PixelHistory, PixelTargetError> {
        record(self.clone(), name, position)
    }
}

fn record(
    mut shot: Shot,
    name: Option<TargetName>,
    position: [u32; 2],
) -> Result<PixelHistory, PixelTargetError> {
    let target = find_target(&shot, name)?;
    let Shot { capture, limits, .. } = &shot;
    let pixel = PixelBytes::new(target, position, &capture.memory)?;
    let first = pixel.read(&capture.memory);
    let mut raster = shot.rasterizer();
    if let Some(watched) = pixel.in_vram(capture.memory.translation()) {
        raster.watch(watched, limits);
    }
    let arithmetic = shot.arithmetic();
    let recorder = HistoryRecorder { pixel, arithmetic, value: first, pending: None, entries: Vec::new() };
    let mut watch = Tee(TimelineRecorder::new(limits), recorder);
    let replayed = shot.run_here(&mut raster, &mut watch);
    let limit_hit = raster.watch_limit_hit();
    let Tee(timeline, recorder) = watch;
    let last = pixel.read(&shot.capture.memory);
    let timeline = timeline.finish();
    let entries = recorder.entries.into_iter().filter_map(|entry| {
        let Touch { event, before, after, cause, rules, agrees } = entry;
        let event = timeline.get(event)?.clone();
        Some(HistoryEntry { event, before, after, cause, rules, agrees })
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

/// Finds a buffer by its name. Without a name, this is the framebuffer shown on the screen at the end, or, if no
/// screen is selected, the last buffer drawn to.
///
/// # Errors
/// If no draw has the named buffer.
pub(crate) fn find_target(shot: &Shot, name: Option<TargetName>) -> Result<PixelTarget, PixelTargetError> {
    match name {
        Some(TargetName { address, shape: Some((stride, format)) }) => {
            return Ok(PixelTarget { address, stride, format });
        }
        None => {
            if let Some(display) = shot.capture.final_display() {
                return Ok(display.into());
            }
        }
        Some(_) => {}
    }
    // Running without drawing is enough to see the buffers, and faster.
    let mut buffers = LastBuffer { address: name.map(|name| name.address), found: None };
    let replayed = shot.clone().run_here(&mut NullSink, &mut buffers);
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

impl<S> Watch<S> for LastBuffer {
    fn before(&mut self, _: &mut S, _: &mut Memory, event: &RunEvent<'_>) {
        if let Some(surface) = event.kind.draw_registers().map(ColorSurface::from_registers)
            && self.address == Some(Address::vram(surface.address))
        {
            self.found = Some(surface);
        }
    }
}

/// The history so far.
struct HistoryRecorder {
    pixel: PixelBytes,
    arithmetic: Arithmetic,
    /// The pixel's bits after the last event.
    value: u32,
    /// The CPU's next action, if it writes the pixel.
    pending: Option<Pending>,
    entries: Vec<Touch>,
}

/// An entry whose event is known only by its number.
struct Touch {
    event: EventNumber,
    before: u32,
    after: u32,
    cause: HistoryCause,
    rules: Vec<AppliedRule>,
    agrees: bool,
}

/// An action that the CPU is about to carry out.
struct Pending {
    action: Action,
    /// Where the bytes to copy are; `None` for a fill.
    from: Option<Address>,
    /// The bits expected after this action.
    expected: u32,
}

impl HistoryRecorder {
    /// Adds a draw just after it was drawn, if it touched the pixel. A draw from registers has no vertices in memory.
    fn add_draw(
        &mut self,
        event: EventNumber,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        draw: Option<&Draw<'_>>,
    ) {
        let fragments = raster.take_watched();
        let (Some(first), Some(last)) = (fragments.first(), fragments.last()) else { return };
        let (before, explained) = (first.before, last.after);
        raster.flush_for_read(memory, self.pixel.address, self.pixel.length);
        let after = self.pixel.read(memory);
        let agrees = before == self.value && explained == after;
        self.value = after;
        let draw = draw.filter(|_| self.arithmetic == Arithmetic::Hardware);
        let rules = draw.map(|draw| vertex_rules(draw, memory)).unwrap_or_default();
        self.entries.push(Touch {
            event,
            before,
            after,
            cause: HistoryCause::Draw(fragments),
            rules,
            agrees,
        });
    }

    /// Adds an event whose result is in memory.
    fn add(&mut self, event: EventNumber, memory: &Memory, cause: HistoryCause) {
        let (before, after) = (self.value, self.pixel.read(memory));
        self.value = after;
        self.entries.push(Touch { event, before, after, cause, rules: Vec::new(), agrees: true });
    }

    /// Adds a transfer with these registers, TRANSFERSTART included, if it writes the pixel.
    fn add_transfer(&mut self, event: EventNumber, memory: &Memory, registers: &Registers, written: bool) {
        let from = self.pixel.aliases(memory.translation()).find_map(|alias| {
            let of_byte = |byte: u32| copied_from(registers, alias.offset(byte));
            (0..self.pixel.length).step_by(2).find_map(of_byte)
        });
        if let Some(from) = from {
            self.add(event, memory, HistoryCause::Transfer { from, written });
        }
    }

    /// Notes an action just before the CPU carries it out, if it writes the pixel.
    fn expect_action(&mut self, memory: &Memory, action: &Action) {
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
        self.pending = Some(Pending { action: action.clone(), from, expected: u32::from_le_bytes(bytes) });
    }
}

impl Watch<Rasterizer> for HistoryRecorder {
    fn before(&mut self, raster: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        match event.kind {
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => {
                // After the translation changes, a VRAM view shows other bytes, so the watch has to move.
                if let Some(pixel) = self.pixel.in_vram(memory.translation()) {
                    raster.move_watch(pixel);
                }
            }
            RunEventKind::Transfer(_) => {}
            RunEventKind::Cpu { event, .. } => self.expect_action(memory, &event.action),
        }
    }

    fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        let number = event.place.number;
        match event.kind {
            _ if matches!(outcome, Outcome::Skipped | Outcome::Limited) => {}
            RunEventKind::Draw(draw) => self.add_draw(number, raster, memory, Some(draw)),
            RunEventKind::Immediate(_) => self.add_draw(number, raster, memory, None),
            RunEventKind::Transfer(registers) => {
                self.add_transfer(number, memory, registers, outcome == Outcome::Done);
            }
            RunEventKind::Cpu { .. } => {
                if let Some(Pending { action, from, expected }) = self.pending.take() {
                    let written = expected == self.pixel.read(memory);
                    self.add(number, memory, HistoryCause::Cpu { action, from, written });
                }
            }
        }
    }

    fn reads_memory(&self) -> bool {
        true
    }
}
