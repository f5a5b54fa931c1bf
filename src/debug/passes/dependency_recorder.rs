//! Records the dependencies of a run: a sink and an observer tell the tracker about each event.
//!
//! # Invariants
//! The run draws as without the recorder.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::dependencies::{Dependencies, ReadKind};
use super::dependency_tracker::DependencyTracker;
use super::pixel_access::PixelAccess;
use crate::debug::timeline::{EventNumber, RecordingObserver, TimelineRecorder};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Capture, Display, Event};
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay;
use crate::run::sink::{Observer, Sink, Step};
use crate::run::texture_uses::TextureUses;

/// How to run a capture whose dependencies are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DependencyOptions {
    /// The arithmetic of vertex transforms.
    pub arithmetic: Arithmetic,
    /// Limits of the run. The record takes at most [`Limits::memory`] bytes.
    pub limits: Limits,
    /// The event to stop before; `None` for the end of the run.
    pub until: Option<EventNumber>,
}

/// Runs a capture and records its dependencies. The run is repeated, and is then slower, if depth is read as anything
/// but depth.
#[must_use]
pub fn record(capture: Capture, options: &DependencyOptions) -> Dependencies {
    let (found, needs_depth) = run(capture.clone(), options, false);
    if needs_depth && found.limit_hit.is_none() { run(capture, options, true).0 } else { found }
}

/// Runs a capture. `follows_depth` follows the writers of depth as exactly as those of colour. Returns whether it should
/// have been followed.
fn run(mut capture: Capture, options: &DependencyOptions, follows_depth: bool) -> (Dependencies, bool) {
    let DependencyOptions { arithmetic, limits, until } = *options;
    let tracker = RefCell::new(DependencyTracker::new(&limits, follows_depth));
    let timeline = TimelineRecorder::new(&limits);
    let raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let mut inner = DependencySink {
        inner: TextureUses::new(raster).without_pictures(),
        tracker: &tracker,
        timeline: &timeline,
        arithmetic,
    };
    let (mut sink, observer) = timeline.split(&mut inner);
    let mut observer =
        DependencyObserver { inner: observer, tracker: &tracker, timeline: &timeline, until, is_over: false };
    let replayed = replay::run(&mut capture, arithmetic, &mut sink, &mut observer, &limits);
    let is_over = observer.is_over;
    let textures = inner.inner.into_textures();
    let mut tracker = tracker.into_inner();
    let memory = capture.memory;
    if !is_over {
        tracker.settle(&memory);
    }
    let display = replayed.display.or_else(|| last_target(&tracker));
    if let Some(display) = display
        && !is_over
    {
        tracker.add_screen(None, display, memory.translation());
    }
    // Other limits of the run are noted.
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

/// Returns the colour buffer of the last draw as a buffer that the screen may show.
fn last_target(tracker: &DependencyTracker) -> Option<Display> {
    let ColorSurface { address, stride, format } = tracker.passes.passes.last()?.color;
    Some(Display { address: Address::vram(address), stride, format })
}

/// Draws, and tells the tracker about each draw before and after.
struct DependencySink<'a> {
    inner: TextureUses<Rasterizer>,
    tracker: &'a RefCell<DependencyTracker>,
    timeline: &'a TimelineRecorder,
    arithmetic: Arithmetic,
}

impl DependencySink<'_> {
    /// Returns the number of the event of the current draw, which is already on the timeline.
    fn event(&self) -> EventNumber {
        EventNumber(self.timeline.next().0.saturating_sub(1))
    }

    /// Draws between the two halves of the tracker's work. The footprint of the draw must be complete.
    fn track(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        number: u64,
        draw: impl FnOnce(&mut TextureUses<Rasterizer>, &mut Memory),
    ) {
        let (access, event) = (PixelAccess::of(registers), self.event());
        let mut tracker = self.tracker.borrow_mut();
        let (start, length) = tracker.needed(&access);
        self.inner.flush_for_read(memory, start, length);
        tracker.before_draw(memory, registers, &access, (event, number));
        draw(&mut self.inner, memory);
        self.inner.flush_for_read(memory, start, length);
        tracker.after_draw(memory, &access, event);
    }

    /// Adds the vertices and the indices of a draw.
    fn add_vertices(&self, memory: &Memory, draw: &Draw<'_>) {
        let (mut tracker, event) = (self.tracker.borrow_mut(), self.event());
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

impl Sink for DependencySink<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.add_vertices(memory, draw);
        {
            let mut tracker = self.tracker.borrow_mut();
            tracker.start_draw(memory, draw.registers);
            let footprint = &mut tracker.footprint;
            draw.to_screen(memory, self.arithmetic, &mut |primitive| footprint.add(primitive));
        }
        self.track(memory, draw.registers, draw.number, |inner, memory| inner.draw(memory, draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        {
            let mut tracker = self.tracker.borrow_mut();
            tracker.start_draw(memory, draw.registers);
            if let Some(primitive) = draw.to_screen(self.arithmetic) {
                tracker.footprint.add(&primitive);
            }
        }
        self.track(memory, draw.registers, draw.number, |inner, memory| inner.draw_immediate(memory, draw));
    }

    crate::run::sink::forward_flushes!(inner);

    fn begin(&mut self, limits: &Limits) {
        self.inner.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.inner.limit_hit().or_else(|| self.tracker.borrow().budget.limit_hit())
    }
}

/// Tells the tracker about transfers, palettes and actions of the CPU.
struct DependencyObserver<'a> {
    inner: RecordingObserver<'a>,
    tracker: &'a RefCell<DependencyTracker>,
    timeline: &'a TimelineRecorder,
    /// The event to stop before.
    until: Option<EventNumber>,
    /// Whether that event was reached.
    is_over: bool,
}

impl DependencyObserver<'_> {
    /// Settles the last copy, and returns whether the run is over.
    fn settle(&mut self, memory: &Memory) -> bool {
        if !self.is_over {
            self.tracker.borrow_mut().settle(memory);
            self.is_over = self.until.is_some_and(|until| self.timeline.next() >= until);
        }
        self.is_over
    }
}

impl Observer for DependencyObserver<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.settle(memory) {
            return ControlFlow::Break(());
        }
        let mut tracker = self.tracker.borrow_mut();
        match step.command.opcode() {
            Opcode::TRANSFERSTART => tracker.add_transfer(memory, step, self.timeline.next()),
            Opcode::LOADCLUT => tracker.add_palette_load(memory, step),
            _ => {}
        }
        self.inner.command(memory, step)
    }

    fn note(&mut self, note: &Note) {
        self.inner.note(note);
    }

    fn event(&mut self, memory: &Memory, event: &Event) {
        if !self.settle(memory) {
            let mut tracker = self.tracker.borrow_mut();
            let display = match event.action {
                Action::Display(display) => Some(display),
                Action::DisplayTarget => last_target(&tracker),
                _ => None,
            };
            tracker.add_action(memory, &event.action, self.timeline.next(), display);
        }
        self.inner.event(memory, event);
    }
}

#[cfg(test)]
mod tests;
