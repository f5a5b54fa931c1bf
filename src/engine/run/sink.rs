//! Connects the interpreter with whatever uses its draws and commands.
//!
//! A [`Sink`] receives draws and computes as much as it needs; an [`Observer`] sees every command. A
//! [`Watch`](super::watch::Watch) also sees every event.

use std::ops::ControlFlow;

use crate::ge::address::Address;
use crate::ge::capture::Event;
use crate::ge::command::Command;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};

/// Receives draws, to rasterize, count or collect them.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Draw, ImmediateDraw, Memory, Sink};
///
/// /// Counts vertices.
/// #[derive(Default)]
/// struct Counter(u32);
///
/// impl Sink for Counter {
///     fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
///         self.0 += draw.count;
///     }
///     fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
///         self.0 += draw.vertices.len() as u32;
///     }
///     fn flush(&mut self, _: &mut Memory) {}
/// }
///
/// let text = "BASE hi(points) | VTYPE position=BITS16 through=1 | VADDR lo(points)
///     PRIM primitive=POINTS count=2 | FINISH | END
///     .align 4\npoints: .s16 0 0 0 9 9 0";
/// let (mut counter, mut capture) = (Counter::default(), pspge::asm::assemble(text)?.capture());
/// let (arithmetic, limits) = (pspge::Arithmetic::Hardware, pspge::Limits::default());
/// pspge::replay(&mut capture, arithmetic, &mut counter, &mut pspge::NullObserver, &limits);
/// assert_eq!(counter.0, 2);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
pub trait Sink {
    /// Receives a draw. The sink may write to memory now, or later before [`Self::flush`] returns. It must read
    /// vertices and indices now, because they may change afterwards.
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>);

    /// Receives an immediate primitive, under the same rules as [`Self::draw`].
    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>);

    /// Completes all pending draws, so that memory contains their results.
    fn flush(&mut self, memory: &mut Memory);

    /// Completes pending draws that write any of the `length` bytes from `start`, because the caller is about to
    /// read them.
    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        if start.is_vram() || start.offset(length).is_vram() {
            self.flush(memory);
        }
    }

    /// Prepares to compare bytes about to be overwritten, to save the write if nothing changes. Returns whether
    /// they can be read now. If not, overwrite them without this comparison.
    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        self.flush_for_read(memory, start, length);
        true
    }

    /// Prepares to change the `length` bytes from `start` with [`Memory::write`], [`Memory::fill`] or
    /// [`Memory::copy`]. This completes pending draws that read or write any of them, unless the sink can keep the
    /// change until then: in this case the bytes cannot be read before [`Self::flush_for_read`].
    fn flush_for_write(&mut self, memory: &mut Memory, _start: Address, _length: u32) {
        self.flush(memory);
    }

    /// Called for TEXFLUSH. A sink that keeps texels from its own target must read them anew. A sink that passes
    /// draws on must pass this on too.
    fn flush_textures(&mut self) {}

    /// Called before a list runs, to reset the sink's spending and set its limits.
    fn begin(&mut self, _: &mut Memory, _: &Limits) {}

    /// Returns the limit that this sink has hit since [`Self::begin`], if any. The run then ends.
    fn limit_hit(&self) -> Option<LimitHit> {
        None
    }
}

/// Implements the flushes for a [`Sink`] that passes draws on, so that they also reach the sink in a field. Use
/// this inside the `impl`, with [`forward_limits!`](forward_limits) for the other two methods.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Draw, ImmediateDraw, Memory, Rasterizer, Sink};
///
/// /// Draws only every second draw.
/// struct EverySecond {
///     raster: Rasterizer,
/// }
///
/// impl Sink for EverySecond {
///     fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
///         if draw.number % 2 == 0 {
///             self.raster.draw(memory, draw);
///         }
///     }
///
///     fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
///         self.raster.draw_immediate(memory, draw);
///     }
///
///     pspge::run::sink::forward_flushes!(raster);
///     pspge::run::sink::forward_limits!(raster);
/// }
/// ```
#[macro_export]
macro_rules! forward_flushes {
    ($sink:ident) => {
        fn flush(&mut self, memory: &mut $crate::ge::memory::Memory) {
            self.$sink.flush(memory);
        }

        fn flush_for_read(
            &mut self,
            memory: &mut $crate::ge::memory::Memory,
            start: $crate::ge::address::Address,
            length: u32,
        ) {
            self.$sink.flush_for_read(memory, start, length);
        }

        fn flush_for_comparison(
            &mut self,
            memory: &mut $crate::ge::memory::Memory,
            start: $crate::ge::address::Address,
            length: u32,
        ) -> bool {
            self.$sink.flush_for_comparison(memory, start, length)
        }

        fn flush_for_write(
            &mut self,
            memory: &mut $crate::ge::memory::Memory,
            start: $crate::ge::address::Address,
            length: u32,
        ) {
            self.$sink.flush_for_write(memory, start, length);
        }

        fn flush_textures(&mut self) {
            self.$sink.flush_textures();
        }
    };
}

/// Implements the limits for a [`Sink`] that passes draws on, to report those of the sink in a field. See
/// [`forward_flushes!`](forward_flushes).
#[macro_export]
macro_rules! forward_limits {
    ($sink:ident) => {
        fn begin(&mut self, memory: &mut $crate::ge::memory::Memory, limits: &$crate::ge::limits::Limits) {
            self.$sink.begin(memory, limits);
        }

        fn limit_hit(&self) -> Option<$crate::ge::limits::LimitHit> {
            self.$sink.limit_hit()
        }
    };
}

#[doc(no_inline)]
pub use {forward_flushes, forward_limits};

/// A command about to be executed, with the state before it.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::Step;
///
/// /// Formats a step as address and word.
/// fn describe(step: &Step<'_>) -> String {
///     format!("{} {:08x}", step.at, step.command.word())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// This word's address.
    pub at: Address,
    /// The word itself.
    pub command: Command,
    /// The registers before this command.
    pub registers: &'a Registers,
    /// The offset register before this command.
    pub offset: u32,
    /// The vertex pointer before this command.
    pub vertices: Address,
    /// The index pointer before this command.
    pub indices: Address,
    /// How many commands were executed before this.
    pub number: u64,
    /// How many draws were executed before this command.
    pub draws: u64,
    /// How many CALLs are open.
    pub depth: usize,
    /// Whether the list will skip the next FINISH, because of a SYNC signal.
    pub skips_finish: bool,
}

/// Watches a run's commands, to trace, count or stop them.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use std::ops::ControlFlow;
/// use pspge::{Memory, Observer, Opcode, Step};
///
/// /// Stops in front of the first PRIM.
/// struct Breakpoint;
///
/// impl Observer for Breakpoint {
///     fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
///         if step.command.opcode() == Opcode::PRIM { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     }
/// }
///
/// let mut capture = pspge::asm::assemble("NOP | PRIM primitive=POINTS count=1 | FINISH | END")?.capture();
/// let (arithmetic, limits) = (pspge::Arithmetic::Hardware, pspge::Limits::default());
/// let run = pspge::replay(&mut capture, arithmetic, &mut pspge::NullSink, &mut Breakpoint, &limits);
/// assert_eq!(run.report.commands, 1);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
pub trait Observer {
    /// Called before a command is executed. Break to stop the run before it.
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()>;

    /// Called if the current command caused a note.
    fn note(&mut self, _: &Note) {}

    /// Called before the CPU acts while the list is stalled.
    fn event(&mut self, _: &Memory, _: &Event) {}

    /// Whether this observer reads memory. If so, bytes that a transfer or the CPU is about to write are up to date
    /// before and after. Otherwise a sink may keep such writes until its threads give VRAM back.
    fn reads_memory(&self) -> bool {
        true
    }

    /// Whether this observer may stop the run. If it never does, draws can prepare less for those after them.
    fn stops(&self) -> bool {
        true
    }
}

/// Drops all draws. Use this to run a list for its commands alone.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let limits = pspge::Limits::default();
/// let (sink, observer) = (&mut pspge::NullSink, &mut pspge::NullObserver);
/// let run = pspge::replay(&mut capture, pspge::Arithmetic::Hardware, sink, observer, &limits);
/// assert_eq!(run.report.draws, 0);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn draw(&mut self, _: &mut Memory, _: &Draw<'_>) {}

    fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

    fn flush(&mut self, _: &mut Memory) {}
}

/// Ignores all commands, for runs that need no observer.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let limits = pspge::Limits::default();
/// let (sink, observer) = (&mut pspge::GeometrySink::new(), &mut pspge::NullObserver);
/// pspge::replay(&mut capture, pspge::Arithmetic::Hardware, sink, observer, &limits);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl Observer for NullObserver {
    fn command(&mut self, _: &Memory, _: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn reads_memory(&self) -> bool {
        false
    }

    fn stops(&self) -> bool {
        false
    }
}

/// Closures are observers of commands.
impl<F: FnMut(&Memory, &Step<'_>) -> ControlFlow<()>> Observer for F {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self(memory, step)
    }
}

/// Passes every draw to two sinks in order, for example to rasterize and count at once.
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

    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        let first = self.0.flush_for_comparison(memory, start, length);
        self.1.flush_for_comparison(memory, start, length) && first
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.0.flush_for_write(memory, start, length);
        self.1.flush_for_write(memory, start, length);
    }

    fn flush_textures(&mut self) {
        self.0.flush_textures();
        self.1.flush_textures();
    }

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        self.0.begin(memory, limits);
        self.1.begin(memory, limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.0.limit_hit().or_else(|| self.1.limit_hit())
    }
}
