//! Records a run's dependencies: a watcher tells the tracker about each event.
//!
//! # Invariants
//! The recorder does not change how the run draws.

use std::ops::ControlFlow;

use super::dependencies::{Dependencies, ReadKind};
use super::dependency_tracker::DependencyTracker;
use super::memory_uses::{MemoryUse, MemoryUses};
use super::pixel_access::PixelAccess;
use crate::debug::shot::Shot;
use crate::debug::timeline::{EventNumber, TimelineRecorder};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Display};
use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::note::Note;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::pipeline::draw::Draw;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay::Replayed;
use crate::run::sink::{Sink, Step, Tee};
use crate::run::texture_uses::{TextureUse, TextureUses};
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

impl Shot {
    /// Runs the list up to an event, or to its end, to record its dependencies. If depth is read as anything but
    /// depth, this runs the list again to follow depth exactly, which is slower.
    #[must_use]
    #[doc(hidden)]
    pub fn dependencies(&self, until: Option<EventNumber>) -> Dependencies {
        let new = |follows_depth| DependencyTracker::new(&self.limits, follows_depth);
        let (found, needs_depth) = dependencies(record(self.clone(), new(false), until));
        if needs_depth && found.limit_hit.is_none() {
            dependencies(record(self.clone(), new(true), until)).0
        } else {
            found
        }
    }

    /// Runs the list to find all events that use any of `length` bytes from an address on, in their order.
    #[must_use]
    #[doc(hidden)]
    pub fn memory_uses(&self, address: Address, length: u32) -> Vec<MemoryUse> {
        let mut tracker = DependencyTracker::new(&self.limits, false);
        tracker.uses = Some(MemoryUses::new((address, length), self.capture.memory.translation()));
        let uses = record(self.clone(), tracker, None).tracker.uses;
        uses.map(MemoryUses::finish).or_never("the tracker keeps its list of uses")
    }
}

struct Recording {
    tracker: DependencyTracker,
    timeline: TimelineRecorder,
    textures: Vec<TextureUse>,
    memory: Memory,
    replayed: Replayed,
    display: Option<Display>,
}

/// Runs a list up to an event, or to its end, and tells a tracker about each event.
fn record(mut shot: Shot, tracker: DependencyTracker, until: Option<EventNumber>) -> Recording {
    let (arithmetic, limits) = (shot.arithmetic(), shot.limits);
    let recorder = DependencyRecorder {
        tracker,
        arithmetic,
        needed: (Address::default(), 0),
        until,
        is_over: until == Some(EventNumber(0)),
    };
    let mut watch = Tee(recorder, TimelineRecorder::new(&limits));
    let raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let mut sink = TextureUses::new(raster).without_pictures();
    let replayed = shot.run_here(&mut sink, &mut watch);
    let textures = sink.into_textures();
    let Tee(DependencyRecorder { mut tracker, is_over, .. }, timeline) = watch;
    let memory = shot.capture.memory;
    let display = replayed.display.or_else(|| last_target(&tracker));
    if let Some(display) = display
        && !is_over
    {
        tracker.add_screen(None, display, memory.translation());
    }
    Recording { tracker, timeline, textures, memory, replayed, display }
}

/// Returns the dependencies in a recording, and whether it should have followed depth's writers as exactly as
/// colour's.
fn dependencies(recording: Recording) -> (Dependencies, bool) {
    let Recording { tracker, timeline, textures, memory, replayed, display } = recording;
    // The tracker has its own budget, and the run's notes tell about other limits.
    let noted = || replayed.report.notes.iter().find_map(Note::limit_hit);
    let limit_hit = tracker.budget.limit_hit().or_else(noted);
    let needs_depth = tracker.needs_depth;
    let DependencyTracker { writers, passes, origins, reads, .. } = tracker;
    let timeline = timeline.finish();
    let passes = passes.passes;
    let found = Dependencies {
        timeline,
        passes,
        origins,
        reads,
        textures,
        display,
        writers,
        memory,
        replayed,
        limit_hit,
    };
    (found, needs_depth)
}

/// Returns the last draw's colour buffer, because the screen may show it.
fn last_target(tracker: &DependencyTracker) -> Option<Display> {
    let ColorSurface { address, stride, format } = tracker.passes.passes.last()?.color;
    Some(Display { address: Address::vram(address), stride, format })
}

/// Tells the tracker about draws, transfers, palettes and CPU actions.
struct DependencyRecorder {
    tracker: DependencyTracker,
    arithmetic: Arithmetic,
    /// The first byte and the length to have in memory before and after the current draw.
    needed: (Address, u32),
    /// The event to stop before.
    until: Option<EventNumber>,
    /// Whether this event was reached.
    is_over: bool,
}

impl DependencyRecorder {
    /// Adds a draw's vertices and indices.
    fn add_vertices(&mut self, memory: &Memory, event: EventNumber, draw: &Draw<'_>) {
        let tracker = &mut self.tracker;
        let (reader, format) = (draw.reader(memory), draw.registers.get::<VertexType>().index);
        let bytes = reader.layout().bytes();
        let length = |count: u32| count.saturating_mul(bytes);
        if format == IndexFormat::NONE {
            tracker.add_vertices(memory, event, ReadKind::Vertices, (draw.vertices, length(draw.count)));
            return;
        }
        let size = match format {
            IndexFormat::BITS8 => 1,
            IndexFormat::BITS16 => 2,
            _ => 4,
        };
        let indices = (draw.indices, draw.count.saturating_mul(size));
        tracker.add_vertices(memory, event, ReadKind::Indices, indices);
        let range = (0..draw.count).map(|nth| reader.index(nth)).fold(None, |range, index| {
            let (first, last) = range.unwrap_or((index, index));
            Some((index.min(first), index.max(last)))
        });
        if let Some((first, last)) = range {
            let start = draw.vertices.offset(length(first));
            let count = last.saturating_sub(first).saturating_add(1);
            tracker.add_vertices(memory, event, ReadKind::Vertices, (start, length(count)));
        }
    }
}

impl<S: Sink> Watch<S> for DependencyRecorder {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.is_over {
            return ControlFlow::Break(());
        }
        if step.command.opcode() == Opcode::LOADCLUT {
            self.tracker.add_palette_load(memory, step);
        }
        ControlFlow::Continue(())
    }

    fn before(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        if self.is_over {
            return;
        }
        let number = event.place.number;
        if let RunEventKind::Draw(draw) = event.kind {
            self.add_vertices(memory, number, draw);
        }
        if let Some(registers) = event.kind.draw_registers() {
            let Self { tracker, arithmetic, needed, .. } = self;
            tracker.start_draw(memory, registers);
            let footprint = &mut tracker.footprint;
            event.kind.to_screen(memory, *arithmetic, &mut |primitive| footprint.add(primitive));
            let access = PixelAccess::of(registers);
            *needed = tracker.needed(&access);
            sink.flush_for_read(memory, needed.0, needed.1);
            tracker.before_draw(memory, registers, &access, (number, event.place.draw));
        }
        if let RunEventKind::Cpu { event, .. } = event.kind {
            let display = match event.action {
                Action::Display(display) => Some(display),
                Action::DisplayTarget => last_target(&self.tracker),
                _ => None,
            };
            self.tracker.add_action(memory, &event.action, number, display);
        }
    }

    fn after(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        if self.is_over {
            return;
        }
        let number = event.place.number;
        self.is_over = self.until.is_some_and(|until| number.next() >= until);
        match event.kind {
            _ if outcome != Outcome::Done => {}
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => {
                sink.flush_for_read(memory, self.needed.0, self.needed.1);
                if let Some(registers) = event.kind.draw_registers() {
                    self.tracker.after_draw(memory, &PixelAccess::of(registers), number);
                }
            }
            RunEventKind::Transfer(registers) => self.tracker.add_transfer(memory, registers, number),
            RunEventKind::Cpu { .. } => self.tracker.settle(memory),
        }
    }

    fn reads_memory(&self) -> bool {
        true
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.tracker.budget.limit_hit()
    }
}

#[cfg(test)]
mod tests;
