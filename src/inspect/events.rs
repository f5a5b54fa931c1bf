//! Describes the events in a run by facts that help to find them: target, texture, pixels, cost, registers.

use std::ops::{ControlFlow, RangeInclusive};

use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::{EventKind, TimelineEvent};
use crate::documents::note::NoteInfo;
use crate::documents::state::pixel::ClearState;
use crate::documents::timeline::EventInfo;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Display, SCREEN};
use crate::ge::limits::Limit;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::draw::census::Census;
use crate::pipeline::draw::primitive_record::PrimitiveRecord;
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::Texture;
use crate::pipeline::texture::content_hash;
use crate::raster::{Rasterizer, cost};
use crate::run::interpreter::{Ending, TransferShape};
use crate::run::sink::Step;
use crate::run::trace::state_words;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

use super::answer::{BufferInfo, EventRow, EventTexture, EventsAnswer, PrimitiveCounts};
use super::draw_pixels::DrawPixels;
use super::run::Run;

/// The opcodes of all switches, which follow each other.
const SWITCHES: RangeInclusive<u8> = Opcode::LIGHTINGENABLE.code()..=Opcode::LOGICOPENABLE.code();

pub(super) fn describe(run: &Run) -> EventsAnswer {
    let dependencies = run.dependencies();
    let timeline = &dependencies.timeline;
    let facts = FactsRecorder::record(run);
    let mut buffers: Vec<BufferInfo> = Vec::new();
    let mut rows = Vec::with_capacity(timeline.len());
    for (event, facts) in timeline.events().iter().zip(facts) {
        let buffer = facts.target.map(|surface| buffer_info(run, surface));
        let buffer = buffer.map(|buffer| position_of(&mut buffers, buffer));
        rows.push(row(run, event, facts.row, buffer));
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

fn buffer_info(run: &Run, surface: ColorSurface) -> BufferInfo {
    let [width, height] = run.size_of(surface);
    let ColorSurface { address, stride, format } = surface;
    BufferInfo { address: Address::vram(address), stride, format, width, height }
}

/// Describes the buffer shown on the screen.
pub(super) fn screen_info(run: &Run, display: Display) -> BufferInfo {
    let Display { address, stride, format } = display;
    let outside = || BufferInfo { address, stride, format, width: stride, height: SCREEN[1] };
    PixelTarget::from(display).surface().map_or_else(outside, |surface| buffer_info(run, surface))
}

/// Returns a buffer's position in a list, and adds the buffer if it is new.
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

fn row(run: &Run, event: &TimelineEvent, facts: EventRow, buffer: Option<u32>) -> EventRow {
    let info = EventInfo::of_event(&run.shot.capture.sources, &run.shot.capture.events, event);
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
        buffer,
        ..facts
    }
}

/// Facts about an event that only a run can tell.
#[derive(Clone, Debug, Default)]
struct EventFacts {
    target: Option<ColorSurface>,
    /// The event's row with these facts, and without those in the timeline.
    row: EventRow,
}

fn names(opcodes: impl IntoIterator<Item = Opcode>) -> Vec<String> {
    opcodes.into_iter().map(|opcode| opcode.name().to_owned()).collect()
}

/// Runs the list to collect facts about all its events.
struct FactsRecorder {
    arithmetic: Arithmetic,
    /// The facts, event by event.
    facts: Vec<EventFacts>,
    /// The registers written since the previous event.
    written: Vec<Opcode>,
    /// The last command, unless it was an event.
    last: Option<Opcode>,
    /// Facts about the next draw, collected before it runs.
    drawn: EventFacts,
    /// How much all draws before it cost.
    cost: u64,
    /// How many fragments passed all tests in all draws before it.
    passed: u64,
}

impl FactsRecorder {
    fn record(run: &Run) -> Vec<EventFacts> {
        let mut recorder = Self {
            arithmetic: run.shot.arithmetic(),
            facts: Vec::new(),
            written: Vec::new(),
            last: None,
            drawn: EventFacts::default(),
            cost: 0,
            passed: 0,
        };
        // Every event in the session needs its facts, so time does not limit this run.
        let mut shot = run.shot.clone().with_limits(run.shot.limits.without(Limit::Time));
        shot.run_here(&mut shot.rasterizer(), &mut recorder);
        recorder.facts
    }

    /// Adds the last command's register. This has to wait for the next command or event, because the last command
    /// may turn out to be the event itself.
    fn add_last(&mut self) {
        if let Some(opcode) = self.last.take()
            && !self.written.contains(&opcode)
        {
            self.written.push(opcode);
        }
    }
}

impl Watch<Rasterizer> for FactsRecorder {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.add_last();
        self.last = Some(step.command.opcode());
        ControlFlow::Continue(())
    }

    fn before(&mut self, raster: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        if let Some(registers) = event.kind.draw_registers() {
            let (mut pixels, mut census) = (DrawPixels::new(registers), Census::default());
            let mut add = |record: &PrimitiveRecord| {
                census.add(record);
                record.drawn().for_each(|primitive| pixels.add(primitive, |_, _| {}));
            };
            match event.kind {
                RunEventKind::Draw(draw) => draw.record_primitives(memory, self.arithmetic, &mut add),
                RunEventKind::Immediate(draw) => add(&draw.record(self.arithmetic)),
                RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => {}
            }
            let Census { primitives: all, kept: drawn, culled, flat, .. } = census;
            self.drawn.target = Some(ColorSurface::from_registers(registers));
            self.drawn.row = EventRow {
                texture: texture(registers),
                covered: pixels.fragments,
                primitives: Some(PrimitiveCounts { all, drawn, culled, flat }),
                bounds: pixels.bounds(),
                clears: Some(ClearState::of(registers)).filter(|clear| clear.enabled),
                switches: names(SWITCHES.map(Opcode::new).filter(|switch| registers.is_on(*switch))),
                state: state_words(registers),
                ..EventRow::default()
            };
            self.cost = raster.cost();
            self.passed = raster.statistics().pixels;
        }
    }

    fn after(&mut self, raster: &mut Rasterizer, _: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        let mut facts = EventFacts::default();
        match event.kind {
            RunEventKind::Cpu { event, .. } => {
                // The command before an action by the CPU is not an event, so its register counts.
                self.add_last();
                let length = event.action.written().map(|(_, length)| length);
                facts.row.is_left_out = length == Some(0);
                facts.row.cost = u64::from(length.unwrap_or(0)) / 64;
            }
            _ if outcome == Outcome::Skipped => facts.row.is_left_out = true,
            RunEventKind::Transfer(registers) => {
                facts.row.covered = TransferShape::of(registers).pixels();
                facts.row.passed = facts.row.covered;
                facts.row.cost = facts.row.covered;
            }
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => {
                let vertices = u64::from(event.kind.vertices()).saturating_mul(cost::VERTEX);
                let pixels = raster.cost().saturating_sub(self.cost);
                facts = std::mem::take(&mut self.drawn);
                facts.row.cost = vertices.saturating_add(pixels);
                facts.row.passed = raster.statistics().pixels.saturating_sub(self.passed);
            }
        }
        self.last = None;
        facts.row.registers = names(std::mem::take(&mut self.written));
        self.facts.push(facts);
    }
}

/// Returns the texture that a draw with these registers samples, if any.
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
