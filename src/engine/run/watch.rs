//! Watches a run. A watcher sees each event only once, with its number, operands and outcome.
//!
//! # Invariants
//! An event's number depends only on the capture and the limits, so it is the same for any sink, arithmetic
//! and threads, and under any [`Overrides`](crate::ge::overrides::Overrides). If an override leaves out or
//! empties a draw, the draw keeps its number.

use std::fmt;
use std::ops::ControlFlow;

use super::sink::{Observer, Step, Tee};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture;
use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::primitive::ScreenPrimitive;

/// An event's number, from 0 in the run's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventNumber(pub u32);

impl EventNumber {
    /// Returns this event's position among all events in its run.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next event's number.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EventNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An event's place in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventPlace {
    /// This event's number.
    pub number: EventNumber,
    /// The command word's address; for a CPU action, the word at which the list waits.
    pub at: Address,
    /// How many commands were executed before this event; for a draw or transfer, this is its command's number.
    pub command: u64,
    /// How many draws were executed before this event; for a draw, this is its number.
    pub draw: u64,
}

/// A draw, a block transfer or a CPU action, as the run carries it out.
#[derive(Clone, Copy, Debug)]
pub struct RunEvent<'a> {
    /// When this event happens.
    pub place: EventPlace,
    /// What this event does, with the operands after all overrides.
    pub kind: RunEventKind<'a>,
}

/// An event's kind and operands.
#[derive(Clone, Copy, Debug)]
pub enum RunEventKind<'a> {
    /// PRIM, BEZIER or SPLINE.
    Draw(&'a Draw<'a>),
    /// The VAP that completes an immediate primitive.
    Immediate(&'a ImmediateDraw<'a>),
    /// A block transfer with the operands in these registers, TRANSFERSTART included.
    Transfer(&'a Registers),
    /// An action by the CPU while the list waits.
    Cpu {
        /// This action's position in [`Capture::events`](capture::Capture::events).
        record: u32,
        /// The action.
        event: &'a capture::Event,
    },
}

impl RunEventKind<'_> {
    /// Passes a draw's primitives to `out`; other events have none.
    pub fn to_screen(&self, memory: &Memory, arithmetic: Arithmetic, out: &mut dyn FnMut(&ScreenPrimitive)) {
        match self {
            Self::Draw(draw) => draw.to_screen(memory, arithmetic, out),
            Self::Immediate(draw) => {
                if let Some(primitive) = draw.to_screen(arithmetic) {
                    out(&primitive);
                }
            }
            Self::Transfer(_) | Self::Cpu { .. } => {}
        }
    }

    /// Counts the vertices that a draw computes, including those in a divided patch; 0 for other events.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        match self {
            Self::Draw(draw) => draw.patch.map_or(draw.total(), |patch| patch.cost(draw.registers)),
            Self::Immediate(_) => 1,
            Self::Transfer(_) | Self::Cpu { .. } => 0,
        }
    }

    /// Returns a draw's registers; `None` for other events.
    #[must_use]
    pub const fn draw_registers(&self) -> Option<&Registers> {
        match self {
            Self::Draw(draw) => Some(draw.registers),
            Self::Immediate(draw) => Some(draw.registers),
            Self::Transfer(_) | Self::Cpu { .. } => None,
        }
    }
}

/// Tells how an event ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It took place, even if some bytes are not mapped.
    Done,
    /// An override left it out, or took all its vertices.
    Skipped,
    /// It did not take place, because it needs memory that is missing.
    Unmapped,
    /// It did not take place, because a limit ended the run.
    Limited,
}

/// Watches a run whose draws go to a sink of type `S`, to follow or stop it. All [`Observer`]s are watchers.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::run::watch::{Outcome, RunEvent, Watch};
/// use pspge::{Arithmetic, Limits, Memory, Rasterizer};
///
/// /// Notes the pixels of each draw.
/// #[derive(Default)]
/// struct Pixels(Vec<u64>);
///
/// impl Watch<Rasterizer> for Pixels {
///     fn after(&mut self, raster: &mut Rasterizer, _: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
///         if event.kind.draw_registers().is_some() && outcome == Outcome::Done {
///             self.0.push(raster.statistics().pixels);
///         }
///     }
/// }
///
/// let list = "FRAMEBUFWIDTH width=64 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(v)
///     VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=2 | FINISH | END | .align 4
///     v: .s16 0 0 0 5 5 0";
/// let mut capture = pspge::asm::assemble(list)?.capture();
/// let (mut raster, mut pixels) = (Rasterizer::default(), Pixels::default());
/// pspge::replay(&mut capture, Arithmetic::Hardware, &mut raster, &mut pixels, &Limits::default());
/// assert_eq!(pixels.0, [2]);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
pub trait Watch<S> {
    /// Called before a command is executed. Break to stop the run before it.
    fn command(&mut self, _: &Memory, _: &Step<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called if the current command caused a note.
    fn note(&mut self, _: &Note) {}

    /// Called before an event takes place, unless it is already known to fail. The sink may have pending draws.
    fn before(&mut self, _sink: &mut S, _memory: &mut Memory, _event: &RunEvent<'_>) {}

    /// Called once for each event, after it took place or was left out. The sink may have pending draws.
    fn after(&mut self, _sink: &mut S, _memory: &mut Memory, _event: &RunEvent<'_>, _outcome: Outcome) {}

    /// Whether this watcher reads memory without [`Sink::flush_for_read`](super::sink::Sink::flush_for_read). If
    /// so, bytes that a transfer or the CPU is about to write are up to date before and after. Otherwise a sink may
    /// keep such writes until its threads give VRAM back.
    fn reads_memory(&self) -> bool {
        false
    }

    /// Returns for how many commands, from the next on, this watcher is sure not to interfere, if they are draws or
    /// write registers. To interfere is to stop the run before a command, to change memory, or to ask the sink
    /// about single draws. Without interference, draws can prepare less for those after them, and a sink may begin
    /// with later draws ([`Draw::can_wait`]).
    fn undisturbed_commands(&self) -> u64 {
        0
    }

    /// Returns the limit that this watcher has hit, if any. The run then ends.
    fn limit_hit(&self) -> Option<LimitHit> {
        None
    }
}

impl<S, O: Observer> Watch<S> for O {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        Observer::command(self, memory, step)
    }

    fn note(&mut self, note: &Note) {
        Observer::note(self, note);
    }

    fn before(&mut self, _: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        if let RunEventKind::Cpu { event, .. } = event.kind {
            Observer::event(self, memory, event);
        }
    }

    fn reads_memory(&self) -> bool {
        Observer::reads_memory(self)
    }

    fn undisturbed_commands(&self) -> u64 {
        if Observer::stops(self) { 0 } else { u64::MAX }
    }
}

/// Two watchers watch in order. If the first stops the run before a command, the second does not see it.
impl<S, A: Watch<S>, B: Watch<S>> Watch<S> for Tee<A, B> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.0.command(memory, step)?;
        self.1.command(memory, step)
    }

    fn note(&mut self, note: &Note) {
        self.0.note(note);
        self.1.note(note);
    }

    fn before(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        self.0.before(sink, memory, event);
        self.1.before(sink, memory, event);
    }

    fn after(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        self.0.after(sink, memory, event, outcome);
        self.1.after(sink, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        self.0.reads_memory() || self.1.reads_memory()
    }

    fn undisturbed_commands(&self) -> u64 {
        self.0.undisturbed_commands().min(self.1.undisturbed_commands())
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.0.limit_hit().or_else(|| self.1.limit_hit())
    }
}
