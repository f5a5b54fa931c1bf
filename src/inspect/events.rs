//! The events of a run with the facts by which a person finds one: target, texture, pixels, cost, registers.

use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::debug::timeline::{EventKind, EventNumber, Timeline, TimelineEvent};
use crate::documents::note::NoteInfo;
use crate::documents::state::surfaces::Rectangle;
use crate::documents::timeline::EventInfo;
use crate::ge::address::{Address, Region, VramView};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Display, Event, SCREEN};
use crate::ge::limits::{Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::{Overrides, Subject};
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::Texture;
use crate::pipeline::texture::content_hash;
use crate::raster::{RasterOptions, Rasterizer, cost};
use crate::run::interpreter::{Ending, TransferShape};
use crate::run::replay;
use crate::run::sink::{Observer, Sink, Step};

use super::answer::{BufferInfo, EventRow, EventTexture, EventsAnswer};
use super::draw_pixels::DrawPixels;
use super::run::Run;

/// Describes the events of a run.
pub(super) fn describe(run: &Run) -> EventsAnswer {
    let dependencies = run.dependencies();
    let timeline = &dependencies.timeline;
    let facts = FactsRecorder::record(run, timeline);
    let mut buffers: Vec<BufferInfo> = Vec::new();
    let mut rows = Vec::with_capacity(timeline.len());
    for (event, facts) in timeline.events().iter().zip(facts) {
        let buffer = facts.target.map(|surface| buffer_info(run, surface));
        let buffer = buffer.map(|buffer| position_of(&mut buffers, buffer));
        rows.push(row(run, event, facts, buffer));
    }
    for (number, pass) in (0..).zip(&dependencies.passes) {
        let [first, last] = pass.events;
        for row in rows.get_mut(first.index()..=last.index()).into_iter().flatten() {
            row.pass = row.draw.and(Some(number));
        }
    }
    let screen = run.display().map(|display| screen_info(run, display));
    let report = &dependencies.replayed.report;
    EventsAnswer {
        count: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        events: rows,
        buffers,
        screen,
        notes: NoteInfo::of_report(report),
        ended: ending_text(report.ending).to_owned(),
        is_complete: report.ending != Ending::LimitReached && dependencies.limit_hit.is_none(),
    }
}

/// Describes a colour buffer.
fn buffer_info(run: &Run, surface: ColorSurface) -> BufferInfo {
    let [width, height] = run.size_of(surface);
    let ColorSurface { address, stride, format } = surface;
    BufferInfo { address: Address::vram(address), stride, format, width, height }
}

/// Describes the buffer that the screen shows.
pub(super) fn screen_info(run: &Run, Display { address, stride, format }: Display) -> BufferInfo {
    match address.region() {
        Region::Vram(VramView::Linear, offset) => {
            buffer_info(run, ColorSurface { address: offset, stride, format })
        }
        _ => BufferInfo { address, stride, format, width: stride, height: SCREEN[1] },
    }
}

/// Returns the position of a buffer in a list, and adds it if it is new.
fn position_of(buffers: &mut Vec<BufferInfo>, buffer: BufferInfo) -> u32 {
    let position = buffers.iter().position(|known| *known == buffer).unwrap_or_else(|| {
        buffers.push(buffer);
        buffers.len().saturating_sub(1)
    });
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn ending_text(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "the list ran to its end",
        Ending::Paused => "a signal paused the list",
        Ending::Hung => "a signal that the firmware does not know stopped the list",
        Ending::HungAtPatch => "a patch that is divided too finely stopped the list",
        Ending::Unmapped => "the list ran into missing memory",
        Ending::LimitReached => "a limit ended the run",
        Ending::Stopped => "the run was stopped",
        Ending::Stalled => "the list waits for the CPU at its stall address",
    }
}

fn row(run: &Run, event: &TimelineEvent, facts: EventFacts, buffer: Option<u32>) -> EventRow {
    let info = EventInfo::of_event(&run.capture.sources, &run.capture.events, event);
    let text = match &event.kind {
        EventKind::Draw(draw) => draw.to_string(),
        EventKind::Transfer(shape) => format!("block transfer of {shape}"),
        EventKind::Cpu(cpu) => cpu.text.clone(),
    };
    EventRow {
        event: event.number,
        kind: info.kind,
        draw: info.draw,
        command: info.command,
        address: info.address,
        text,
        primitive: info.primitive,
        vertices: info.vertices,
        pass: None,
        buffer,
        texture: facts.texture,
        covered: facts.covered,
        bounds: facts.bounds,
        cost: facts.cost,
        registers: facts.registers.iter().map(|opcode| opcode.name().to_owned()).collect(),
        is_left_out: facts.is_left_out,
        is_clear: facts.is_clear,
    }
}

/// Facts about an event that only a run tells.
#[derive(Clone, Debug, Default)]
struct EventFacts {
    target: Option<ColorSurface>,
    texture: Option<EventTexture>,
    covered: u64,
    bounds: Option<Rectangle>,
    cost: u64,
    registers: Vec<Opcode>,
    is_left_out: bool,
    is_clear: bool,
}

/// Collects the facts about all events of a run.
struct FactsRecorder<'a> {
    timeline: &'a Timeline,
    /// The facts, by event.
    facts: Vec<EventFacts>,
    /// The registers that were written since the event before.
    written: Vec<Opcode>,
    /// Number of block transfers so far.
    transfers: u64,
    /// The next event.
    next: usize,
}

impl<'a> FactsRecorder<'a> {
    fn record(run: &Run, timeline: &'a Timeline) -> Vec<EventFacts> {
        let recorder = RefCell::new(Self {
            timeline,
            facts: vec![EventFacts::default(); timeline.len()],
            written: Vec::new(),
            transfers: 0,
            next: 0,
        });
        let raster =
            Rasterizer::new(RasterOptions { arithmetic: run.arithmetic, ..RasterOptions::default() });
        let mut sink = FactsSink { raster, recorder: &recorder, arithmetic: run.arithmetic };
        let mut capture = run.capture.clone();
        let overrides = capture.overrides.clone();
        let mut observer = FactsObserver { recorder: &recorder, overrides: &overrides };
        let limits = run.limits.without(Limit::Time);
        replay::run(&mut capture, run.arithmetic, &mut sink, &mut observer, &limits);
        recorder.into_inner().facts
    }

    /// Returns the facts about the event of a draw.
    fn of_draw(&mut self, draw: u64) -> Option<&mut EventFacts> {
        let event = self.timeline.event_of_draw(draw)?.number;
        self.facts.get_mut(event.index())
    }

    /// Starts the next event: the registers written since the one before belong to it.
    fn start_event(&mut self) -> Option<&mut EventFacts> {
        let facts = self.facts.get_mut(self.next)?;
        self.next = self.next.saturating_add(1);
        facts.registers = std::mem::take(&mut self.written);
        Some(facts)
    }

    /// Adds a register that is written.
    fn write(&mut self, opcode: Opcode) {
        if !self.written.contains(&opcode) {
            self.written.push(opcode);
        }
    }
}

/// Draws, and finds out the pixels and the cost of each draw.
struct FactsSink<'a, 'b> {
    raster: Rasterizer,
    recorder: &'a RefCell<FactsRecorder<'b>>,
    arithmetic: Arithmetic,
}

impl FactsSink<'_, '_> {
    fn add(
        &mut self,
        number: u64,
        registers: &Registers,
        (pixels, vertices): (DrawPixels, u32),
        draw: impl FnOnce(&mut Rasterizer),
    ) {
        let before = self.raster.cost();
        draw(&mut self.raster);
        let cost = self.raster.cost().saturating_sub(before);
        let cost = u64::from(vertices).saturating_mul(cost::VERTEX).saturating_add(cost);
        let mut recorder = self.recorder.borrow_mut();
        let Some(facts) = recorder.of_draw(number) else { return };
        facts.target = Some(ColorSurface::from_registers(registers));
        facts.texture = texture(registers);
        facts.is_clear = registers.get::<ClearMode>().enabled;
        (facts.covered, facts.bounds, facts.cost) = (pixels.fragments, pixels.bounds(), cost);
    }
}

impl Sink for FactsSink<'_, '_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let mut pixels = DrawPixels::new(draw.registers);
        draw.to_screen(memory, self.arithmetic, &mut |primitive| pixels.add(primitive, |_, _| {}));
        let vertices = draw.patch.map_or(draw.total(), |patch| patch.cost(draw.registers));
        self.add(draw.number, draw.registers, (pixels, vertices), |raster| raster.draw(memory, draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let mut pixels = DrawPixels::new(draw.registers);
        if let Some(primitive) = draw.to_screen(self.arithmetic) {
            pixels.add(&primitive, |_, _| {});
        }
        self.add(draw.number, draw.registers, (pixels, 1), |raster| raster.draw_immediate(memory, draw));
    }

    fn skip(&mut self, draw: &Draw<'_>) {
        if let Some(facts) = self.recorder.borrow_mut().of_draw(draw.number) {
            facts.is_left_out = true;
        }
    }

    fn skip_immediate(&mut self, draw: &ImmediateDraw<'_>) {
        if let Some(facts) = self.recorder.borrow_mut().of_draw(draw.number) {
            facts.is_left_out = true;
        }
    }

    crate::run::sink::forward_flushes!(raster);

    fn begin(&mut self, limits: &Limits) {
        self.raster.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.raster.limit_hit()
    }
}

/// Sees the registers that are written, and the events that are no draws.
struct FactsObserver<'a, 'b> {
    recorder: &'a RefCell<FactsRecorder<'b>>,
    overrides: &'a Overrides,
}

impl Observer for FactsObserver<'_, '_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let recorder = &mut *self.recorder.borrow_mut();
        let opcode = step.command.opcode();
        let next = recorder.timeline.get(EventNumber(u32::try_from(recorder.next).unwrap_or(u32::MAX)));
        let is_event =
            next.is_some_and(|next| !matches!(next.kind, EventKind::Cpu(_)) && next.command == step.number);
        if !is_event {
            recorder.write(opcode);
            return ControlFlow::Continue(());
        }
        let transfer = recorder.transfers;
        let Some(facts) = recorder.start_event() else { return ControlFlow::Continue(()) };
        if opcode == Opcode::TRANSFERSTART {
            let subject = Subject::Transfer(transfer);
            let effect = self.overrides.effect(subject, step.registers, &mut |_| {}).unwrap_or_default();
            let shape = TransferShape::of(effect.registers.as_deref().unwrap_or(step.registers));
            facts.is_left_out = effect.is_skipped;
            facts.covered = u64::from(shape.width).saturating_mul(shape.height.into());
            facts.cost = facts.covered;
            recorder.transfers = transfer.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        let mut recorder = self.recorder.borrow_mut();
        let Some(facts) = recorder.start_event() else { return };
        let length = event.action.written().map(|(_, length)| length);
        facts.is_left_out = length == Some(0);
        facts.cost = u64::from(length.unwrap_or(0)) / 64;
    }
}

/// Returns the texture that a draw with these registers samples; `None` if it samples none.
fn texture(registers: &Registers) -> Option<EventTexture> {
    if !registers.is_on(Opcode::TEXENABLE) || registers.get::<ClearMode>().enabled {
        return None;
    }
    let level = Texture::from_registers(registers, 0);
    Some(EventTexture {
        address: level.address,
        format: level.format,
        width: level.width(),
        height: level.height(),
        levels: u32::try_from(content_hash::levels(registers).count()).unwrap_or(u32::MAX),
    })
}
