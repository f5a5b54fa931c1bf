//! Draws that wait until there are enough for several threads.
//!
//! # Invariants
//! Memory does not change while a draw waits, but for what draws write: who reads or changes anything else asks for it
//! to be drawn first ([`crate::run::sink::Sink::flush`]), and the interpreter does so where vertices lie in VRAM.

use std::ops::Range;
use std::sync::Arc;

use super::coverage::position;
use super::fast::{Job, Prepared, overlap};
use super::meter::{Meter, Price};
use super::options::RasterOptions;
use super::statistics::Statistics;
use super::wireframe::side;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::Draw;
use crate::pipeline::draw::owned::OwnedDraw;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};

/// More draws do not wait: what is known of them should fit the cache.
const DRAWS: usize = 512;
/// More vertices do not wait: each may become a primitive of its own.
const VERTICES: u64 = 8192;
/// Memory of draws with more primitives is not kept.
const SPARE_PRIMITIVES: usize = 1024;

/// Draws in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: Vec<Waiting>,
    vertices: u64,
    /// Bytes of VRAM that they may write.
    writes: Vec<Range<usize>>,
    /// Bytes of VRAM that they may look at.
    reads: Vec<Range<usize>>,
    /// Memory of draws that are done, for those to come.
    spare: Vec<Lowered>,
}

/// One draw.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    registers: Arc<Registers>,
    /// Nothing where the scissor leaves nothing.
    prepared: Option<Box<Prepared>>,
    /// What becomes of it still has to be found out.
    draw: Option<OwnedDraw>,
    lowered: Lowered,
    /// What it costs beside its primitives.
    beside: u64,
}

impl Queue {
    /// Puts a draw behind the others.
    pub(super) fn push(&mut self, draw: &Draw<'_>, prepared: Option<Box<Prepared>>, beside: u64) {
        self.vertices += vertices(draw);
        self.note(prepared.as_deref());
        let registers = Arc::clone(draw.registers);
        let draw = Some(OwnedDraw::new(draw));
        let lowered = self.spare.pop().unwrap_or_default();
        self.waiting.push(Waiting { registers, prepared, draw, lowered, beside });
    }

    /// Puts a primitive behind the others.
    pub(super) fn push_primitive(
        &mut self,
        registers: Arc<Registers>,
        prepared: Option<Box<Prepared>>,
        beside: u64,
        primitive: &ScreenPrimitive,
        options: &RasterOptions,
    ) {
        self.vertices += 3;
        self.note(prepared.as_deref());
        let mut lowered = self.spare.pop().unwrap_or_default();
        lowered.add(primitive, options);
        self.waiting.push(Waiting { registers, prepared, draw: None, lowered, beside });
    }

    /// Remembers what a draw reads and writes.
    fn note(&mut self, prepared: Option<&Prepared>) {
        let Some(prepared) = prepared else { return };
        for range in prepared.writes() {
            if !range.is_empty() && !self.writes.contains(&range) {
                self.writes.push(range);
            }
        }
        for range in prepared.reads() {
            if !self.reads.contains(&range) {
                self.reads.push(range);
            }
        }
    }

    /// Whether a draw may write some of these bytes of VRAM.
    pub(super) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    /// Whether a draw may look at some of these bytes of VRAM.
    pub(super) fn reads(&self, bytes: &Range<usize>) -> bool {
        self.reads.iter().any(|range| overlap(range, bytes))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether it is time to draw.
    pub(super) const fn is_full(&self) -> bool {
        self.waiting.len() >= DRAWS || self.vertices >= VERTICES
    }

    /// Takes everything out. [`Self::give_back`] gets it when it is drawn.
    pub(super) fn take(&mut self) -> Vec<Waiting> {
        self.vertices = 0;
        self.writes.clear();
        self.reads.clear();
        std::mem::take(&mut self.waiting)
    }

    /// Keeps the memory of draws that are done.
    pub(super) fn give_back(&mut self, mut done: Vec<Waiting>) {
        let small = |lowered: &Lowered| lowered.primitives.capacity() <= SPARE_PRIMITIVES;
        let lowered = done.drain(..).map(|draw| draw.lowered).filter(small);
        self.spare.extend(lowered.map(|mut lowered| {
            lowered.clear();
            lowered
        }));
        self.waiting = done;
    }
}

impl Waiting {
    /// Works out the draw's primitives, `most` of them.
    pub(super) fn lower(&mut self, memory: &Memory, options: &RasterOptions, most: u64) {
        if let Some(draw) = self.draw.take() {
            self.lowered.draw(memory, &draw.draw(), options, most);
        }
        self.lowered.find_rows();
        self.lowered.find_cost(&self.registers, self.prepared.as_deref());
    }

    /// Pays for it, and leaves out what cannot be paid.
    pub(super) fn pay(&mut self, meter: &mut Meter) {
        self.lowered.pay(meter, self.beside, &self.registers, self.prepared.as_deref());
    }

    /// What is to be filled, if anything is.
    pub(super) fn job(&self) -> Option<Job<'_>> {
        self.lowered.job(&self.registers, self.prepared.as_deref()?)
    }

    pub(super) const fn statistics(&self) -> Statistics {
        self.lowered.statistics
    }
}

/// How many vertices a draw is about.
pub(super) fn vertices(draw: &Draw<'_>) -> u64 {
    match draw.patch {
        Some(patch) => u64::from(patch.vertex_count(draw.registers)),
        None => u64::from(draw.total()),
    }
}

/// What a draw became on the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    primitives: Vec<ScreenPrimitive>,
    rows: Vec<[i16; 2]>,
    statistics: Statistics,
    /// What all primitives cost together.
    cost: u64,
    /// Pixels that they cover, at most.
    pixels: u64,
}

impl Lowered {
    /// Adds the primitives of a draw; beyond `most` they are only counted.
    pub(super) fn draw(&mut self, memory: &Memory, draw: &Draw<'_>, options: &RasterOptions, most: u64) {
        draw.to_screen(memory, options.arithmetic, &mut |primitive| {
            let length = self.primitives.len();
            self.add(primitive, options);
            if length as u64 >= most {
                self.primitives.truncate(length);
            }
        });
    }

    /// Counts a primitive and adds what is to be filled for it.
    pub(super) fn add(&mut self, primitive: &ScreenPrimitive, options: &RasterOptions) {
        self.statistics.primitives += 1;
        if let Shape::Triangle([a, b, c]) = primitive.shape {
            self.statistics.triangles += 1;
            if options.wireframe {
                self.primitives.extend([[a, b], [b, c], [c, a]].map(|ends| side(primitive, ends)));
                return;
            }
        }
        self.primitives.push(*primitive);
    }

    /// Finds between which rows each primitive lies, at most.
    fn find_rows(&mut self) {
        self.rows.clear();
        self.rows.extend(self.primitives.iter().map(|primitive| {
            let rows = primitive.vertices().iter().map(|vertex| position(vertex)[1] >> 4);
            let (first, last) = rows.fold((i64::MAX, i64::MIN), |(a, b), row| (a.min(row), b.max(row)));
            let limited = |row: i64| i16::try_from(row.clamp(-1, 1024)).unwrap_or(0);
            [limited(first), limited(last) + 1]
        }));
    }

    /// Finds what all primitives cost together.
    pub(super) fn find_cost(&mut self, registers: &Registers, prepared: Option<&Prepared>) {
        let price = Price::new(registers, prepared);
        self.cost = price.of_all(&self.primitives);
        self.pixels = price.pixels(self.cost, self.primitives.len());
    }

    /// Pays for the primitives, and leaves out those that cannot be paid.
    pub(super) fn pay(
        &mut self,
        meter: &mut Meter,
        beside: u64,
        registers: &Registers,
        prepared: Option<&Prepared>,
    ) {
        let paid = meter.pay(beside, self.cost, &self.primitives, || Price::new(registers, prepared));
        self.primitives.truncate(paid);
        self.rows.truncate(paid);
    }

    /// What is to be filled, if anything is.
    pub(super) fn job<'j>(&'j self, registers: &'j Registers, prepared: &'j Prepared) -> Option<Job<'j>> {
        let Self { primitives, rows, pixels, .. } = self;
        let job = Job { registers, prepared, primitives, rows, pixels: *pixels };
        (!self.primitives.is_empty()).then_some(job)
    }

    /// The primitives.
    pub(super) fn primitives(&self) -> &[ScreenPrimitive] {
        &self.primitives
    }

    pub(super) const fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub(super) fn clear(&mut self) {
        self.primitives.clear();
        self.rows.clear();
        self.statistics = Statistics::default();
        (self.cost, self.pixels) = (0, 0);
    }
}
