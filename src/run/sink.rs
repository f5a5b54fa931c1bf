//! The boundary between the interpreter and what is made of a list.
//!
//! A [`Sink`] receives draws and pulls from each as much as it needs; an [`Observer`] sees every command.

use std::ops::ControlFlow;

use crate::ge::address::Address;
use crate::ge::capture::Event;
use crate::ge::command::Command;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};

/// What draws go to.
pub trait Sink {
    /// A draw. The sink may draw into memory now, or later but before [`Self::flush`] returns.
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>);

    /// A primitive whose vertices came from registers, under the same rules.
    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>);

    /// After this, memory shows everything drawn so far.
    fn flush(&mut self, memory: &mut Memory);

    /// After this, the `length` bytes from `start` on show everything drawn so far: somebody is about to read them.
    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        if start.is_vram() || start.offset(length).is_vram() {
            self.flush(memory);
        }
    }

    /// After this, nothing drawn so far will read or write the `length` bytes from `start` on: somebody is about to
    /// change them.
    fn flush_for_write(&mut self, memory: &mut Memory, _start: Address, _length: u32) {
        self.flush(memory);
    }

    /// A list is about to run within limits; what was spent before does not count.
    fn begin(&mut self, _: &Limits) {}

    /// The limit that kept the sink from doing all it was asked for since [`Self::begin`]; the run ends there.
    fn limit_hit(&self) -> Option<LimitHit> {
        None
    }
}

/// A command about to be executed.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Where the word stands.
    pub at: Address,
    /// The word.
    pub command: Command,
    /// The registers before the command.
    pub registers: &'a Registers,
    /// The offset register before the command.
    pub offset: u32,
    /// The vertex pointer before the command.
    pub vertices: Address,
    /// The index pointer before the command.
    pub indices: Address,
    /// How many commands were executed before.
    pub number: u64,
    /// How many draws were executed before.
    pub draws: u64,
    /// How many calls the command lies inside of.
    pub depth: usize,
}

/// What watches a run.
pub trait Observer {
    /// A command is about to be executed. Breaking stops the run in front of it.
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()>;

    /// The command just executed had something to say.
    fn note(&mut self, _: &Note) {}

    /// The list waits, and the CPU is about to do something.
    fn event(&mut self, _: &Memory, _: &Event) {}
}

/// Draws nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn draw(&mut self, _: &mut Memory, _: &Draw<'_>) {}

    fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

    fn flush(&mut self, _: &mut Memory) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl Observer for NullObserver {
    fn command(&mut self, _: &Memory, _: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Any closure observes.
impl<F: FnMut(&Memory, &Step<'_>) -> ControlFlow<()>> Observer for F {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self(memory, step)
    }
}

/// Hands every draw to two sinks, the first one first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: Sink, B: Sink> Sink for Tee<A, B> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.0.draw(memory, draw);
        self.1.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.0.draw_immediate(memory, draw);
        self.1.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.0.flush(memory);
        self.1.flush(memory);
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.0.flush_for_read(memory, start, length);
        self.1.flush_for_read(memory, start, length);
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.0.flush_for_write(memory, start, length);
        self.1.flush_for_write(memory, start, length);
    }

    fn begin(&mut self, limits: &Limits) {
        self.0.begin(limits);
        self.1.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.0.limit_hit().or_else(|| self.1.limit_hit())
    }
}
