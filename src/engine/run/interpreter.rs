//! The interpreter fetches, decodes and executes a display list's commands.
//!
//! # Invariants
//! A run never fails, never panics and always ends within its [`Limits`]. It reports problems as [`Note`]s. The
//! same capture leads to the same calls to the sink. The interpreter does no input or output and knows no pixels.
//!
//! Source: [display lists](crate::reference::ge::lists).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::ops::ControlFlow;
use std::time::Instant;

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::command::Command;
use crate::ge::limits::Limit;
use crate::ge::memory::Memory;
use crate::ge::note::{Note, NoteKind};
use crate::ge::opcode::Opcode;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;
use crate::ge::registers::flow::SignalBehavior;
use crate::ge::registers::vertex::{Bezier, IndexFormat, Prim, Spline, VertexType};
use crate::pipeline::draw::CarriedState;
use crate::pipeline::texture::palette;
use crate::run::sink::{Sink, Step};
use crate::run::watch::{EventNumber, EventPlace, Outcome, RunEvent, RunEventKind, Watch};

mod context;
mod draws;
mod execute;
mod flow;
mod host;
mod immediate;
mod inputs;
mod look_ahead;
mod overridden;
mod report;
mod save;
mod saved_state;
mod spending;
mod transfer;

pub use crate::ge::limits::Limits;
pub(crate) use flow::SignalTarget;
pub use flow::{CallFrame, FlowState, STACK_DEPTH};
use host::{Host, Pair};
#[doc(hidden)]
pub use immediate::ImmediateAssembler;
use inputs::TextureCheck;
pub use report::{Ending, Report};
pub use saved_state::{SavedState, SavedStateError};
use transfer::Transferred;
#[doc(hidden)]
pub use transfer::for_each_piece;
pub use transfer::{TransferShape, copied_from};

/// Runs display lists. This holds the registers, the list flow, and the state carried between draws.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Arithmetic, Interpreter, Limits, NullObserver, NullSink, Registers};
///
/// let program = pspge::asm::assemble("AMBIENTCOLOR #ffffff | FINISH | END")?;
/// let (mut memory, observer) = (program.capture().memory, &mut NullObserver);
/// let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
/// interpreter.run(&mut memory, program.entry, &mut NullSink, observer, &Limits::default());
/// assert_eq!(interpreter.registers().rgb(pspge::Opcode::AMBIENTCOLOR), [255; 3]);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Interpreter {
    registers: Box<Registers>,
    arithmetic: Arithmetic,
    flow: FlowState,
    carried: CarriedState,
    /// The state before the last draw, kept so that the next draw can reuse its memory.
    spare_carried: CarriedState,
    immediate: ImmediateAssembler,
    texture_check: TextureCheck,
    overrides: Overrides,
    /// Counts since the list's start, for parts of a run to add to. The notes stay empty.
    totals: Report,
    /// When the run began, if there is a time limit and a clock.
    started: Option<Instant>,
}

impl Interpreter {
    /// Creates an interpreter with these registers. `arithmetic` is only for BBOX.
    #[must_use]
    pub fn new(registers: Registers, arithmetic: Arithmetic) -> Self {
        Self {
            registers: Box::new(registers),
            arithmetic,
            flow: FlowState::default(),
            carried: CarriedState::default(),
            spare_carried: CarriedState::default(),
            overrides: Overrides::default(),
            totals: Report::new(Address::default()),
            started: None,
            immediate: ImmediateAssembler::default(),
            texture_check: TextureCheck::default(),
        }
    }

    /// Adds changes to try on draws and transfers.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    pub(crate) const fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Returns the current registers.
    #[must_use]
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// Returns the state left by draws so far for later draws, and the state for immediate vertices.
    #[doc(hidden)]
    pub const fn carried(&self) -> (&CarriedState, &ImmediateAssembler) {
        (&self.carried, &self.immediate)
    }

    /// Returns the registers for writing, to restore them or to load palette memory.
    pub const fn registers_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }

    /// Returns where the vertex and index pointers are after a draw of `count` vertices, `bytes` each. An indexed
    /// draw advances only its index pointer, any other only its vertex pointer.
    /// Source: `reference/ge/lists.md#pointer-advance`.
    fn advanced(&self, count: u32, bytes: u32) -> (Address, Address) {
        let vertex_type: VertexType = self.registers.get();
        if vertex_type.index == IndexFormat::NONE {
            (self.flow.vertices.offset(count.wrapping_mul(bytes)), self.flow.indices)
        } else {
            (self.flow.vertices, self.flow.indices.offset(count.wrapping_mul(vertex_type.index.bytes())))
        }
    }

    /// Sets the stall address. Lists stop before the word at this address, to wait until the program has written
    /// more.
    /// Source: [running a list](crate::reference::ge::lists#running-a-list).
    pub const fn set_stall(&mut self, stall: Option<Address>) {
        self.flow.stall = stall;
    }

    /// Runs a list from its start, with offset register 0 and an empty call stack. Other state stays as the
    /// previous list left it.
    pub fn run<S: Sink>(
        &mut self,
        memory: &mut Memory,
        start: Address,
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Report {
        self.start(start);
        self.begin(memory, sink, limits);
        self.resume(memory, sink, watch, limits)
    }

    /// Moves to a list's start, with offset register 0 and an empty call stack. Call [`Self::begin`] next, then
    /// [`Self::resume`] or [`Self::resume_unflushed`]; [`Self::run`] does all of this.
    pub fn start(&mut self, start: Address) {
        let FlowState { stall, vertices, indices, box_visible, .. } = self.flow;
        let pc = start.align_down(4);
        self.flow = FlowState { pc, stall, vertices, indices, box_visible, ..FlowState::default() };
    }

    /// Resets all counts, for the interpreter and a sink. The machine's state stays.
    pub fn begin(&mut self, memory: &mut Memory, sink: &mut impl Sink, limits: &Limits) {
        self.totals = Report::new(self.flow.pc);
        // Without a limit the clock is not read, because this costs time.
        self.started = limits.time.filter(|_| HAS_CLOCK).map(|_| Instant::now());
        sink.begin(memory, limits);
    }

    /// Continues a paused, stalled or stopped run. If this ends with [`Ending::Stalled`], the sink is not flushed,
    /// so the caller must do this before it accesses memory.
    pub fn resume<S: Sink>(
        &mut self,
        memory: &mut Memory,
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Report {
        self.resume_with(memory, &mut Pair { sink, watch }, limits, |ending| ending != Ending::Stalled)
    }

    /// Like [`Self::resume`], but never flushes the sink at the end, to let hosts run a list in small parts. The
    /// caller must flush it before it accesses memory.
    pub fn resume_unflushed<S: Sink>(
        &mut self,
        memory: &mut Memory,
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Report {
        self.resume_with(memory, &mut Pair { sink, watch }, limits, |_| false)
    }

    fn resume_with(
        &mut self,
        memory: &mut Memory,
        host: &mut dyn Host,
        limits: &Limits,
        flushes: fn(Ending) -> bool,
    ) -> Report {
        let _span =
            tracing::debug_span!(target: "pspge::run::interpreter", "list", start = %self.flow.pc).entered();
        self.run_part(memory, host, limits, true, |run| {
            let ending = loop {
                if let ControlFlow::Break(ending) = run.step() {
                    break ending;
                }
            };
            if flushes(ending) {
                run.flush("end of list");
                // Flushing may exceed a sink limit, even if the run has already ended at another limit.
                let at = run.state.flow.pc;
                let reported = |hit| run.report.notes.iter().any(|note| note.limit_hit() == Some(hit));
                if run.host.limit_hit().is_some_and(|hit| !reported(hit))
                    && run.check_sink_limit(at).is_break()
                {
                    return Ending::LimitReached;
                }
            }
            ending
        })
    }

    /// Runs the next part of a run with `execute`. Its counts add to those so far, but its notes are its own.
    fn run_part(
        &mut self,
        memory: &mut Memory,
        host: &mut dyn Host,
        limits: &Limits,
        follows_list: bool,
        execute: impl FnOnce(&mut ListRun<'_>) -> Ending,
    ) -> Report {
        let next = Report::new(self.flow.pc);
        let report = Report { notes_dropped: 0, ..std::mem::replace(&mut self.totals, next) };
        let trial = Trial::default();
        let mut run = ListRun { state: self, memory, host, limits, report, trial, follows_list };
        let ending = execute(&mut run);
        let mut report = run.report;
        (report.ending, report.at) = (ending, self.flow.pc);
        let notes = std::mem::take(&mut report.notes);
        self.totals = report.clone();
        Report { notes, ..report }
    }

    /// Counts an action by the CPU and returns its place, which is before the next command.
    pub(super) fn place_action(&mut self, at: Address) -> EventPlace {
        let Report { events, commands: command, draws: draw, .. } = &mut self.totals;
        let place = EventPlace { number: event_number(*events), at, command: *command, draw: *draw };
        *events = events.saturating_add(1);
        place
    }
}

/// Returns the number for an event after `events` other events.
fn event_number(events: u64) -> EventNumber {
    EventNumber(u32::try_from(events).unwrap_or(u32::MAX))
}

/// Whether there is a clock. `wasm32-unknown-unknown` has none, so time never stops a run there.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// A change to the current draw or transfer that registers cannot express.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    /// Whether the draw exists without this change. It then keeps its number, even if the change leaves nothing to
    /// draw.
    keeps_number: bool,
    /// Whether to leave this draw or transfer out.
    is_skipped: bool,
    /// Whether to draw triangles as their three edges.
    is_wireframe: bool,
    /// Whether to read texels from memory, bypassing the texture cache.
    is_uncached: bool,
}

/// A run in progress, with everything it may touch.
struct ListRun<'r> {
    state: &'r mut Interpreter,
    memory: &'r mut Memory,
    host: &'r mut dyn Host,
    limits: &'r Limits,
    report: Report,
    trial: Trial,
    /// Whether the commands come from the list, so that its next words are the next commands.
    follows_list: bool,
}

impl ListRun<'_> {
    fn step(&mut self) -> ControlFlow<Ending> {
        let at = self.state.flow.pc;
        if self.state.flow.stall == Some(at) {
            return ControlFlow::Break(Ending::Stalled);
        }
        if self.report.commands >= self.limits.commands {
            return self.end_at_limit(at, Limit::Commands);
        }
        // Reading the clock takes longer than most commands, so this checks the time only at every 256th.
        if self.report.commands.is_multiple_of(256) {
            self.check_time(at)?;
        }
        // A list in VRAM may have been drawn over, so draws must be complete before its words are read.
        if at.is_vram() && self.memory.is_mapped(at, 4) {
            self.flush_for_read("list word", at, 4);
            self.check_sink_limit(at)?;
        }
        let Some(word) = self.memory.word(at) else {
            self.note(at, NoteKind::ListUnmapped);
            return ControlFlow::Break(Ending::Unmapped);
        };
        let command = Command::from_word(word);
        self.observe(at, command)?;
        self.state.flow.pc = at.offset(4);
        self.perform(at, command)
    }

    /// Shows a command to the watcher, which may stop the run here.
    #[inline(always)]
    fn observe(&mut self, at: Address, command: Command) -> ControlFlow<Ending> {
        let step = Step {
            at,
            command,
            registers: &self.state.registers,
            offset: self.state.flow.offset,
            vertices: self.state.flow.vertices,
            indices: self.state.flow.indices,
            number: self.report.commands,
            draws: self.report.draws,
            depth: self.state.flow.stack.len(),
            skips_finish: self.state.flow.skip_finish,
        };
        if self.host.command(self.memory, &step).is_break() {
            return ControlFlow::Break(Ending::Stopped);
        }
        ControlFlow::Continue(())
    }

    /// Writes a command to its register and executes it.
    #[inline(always)]
    fn perform(&mut self, at: Address, command: Command) -> ControlFlow<Ending> {
        self.report.commands = self.report.commands.saturating_add(1);
        self.state.registers_mut().write(command);
        if self.state.overrides.is_empty() {
            self.execute(at, command)
        } else {
            self.execute_overridden(at, command)
        }
    }

    fn execute(&mut self, at: Address, command: Command) -> ControlFlow<Ending> {
        let argument = command.argument();
        let target = self.relative(argument);
        match command.opcode() {
            Opcode::VADDR => self.state.flow.vertices = target,
            Opcode::IADDR => self.state.flow.indices = target,
            Opcode::PRIM => {
                let Prim { primitive, count } = self.state.registers.get();
                return self.draw(at, primitive, u32::from(count), None);
            }
            Opcode::VAP => {
                if self.report.draws >= self.limits.draws {
                    return self.end_at_limit(at, Limit::Draws);
                }
                self.spend_vertices(at, 1, 1)?;
                self.immediate_vertex(at);
                self.check_sink_limit(at)?;
            }
            Opcode::BBOX => return self.bounding_box(at, self.state.registers.get()),
            Opcode::BEZIER => return self.patch(at, self.state.registers.get::<Bezier>().into()),
            Opcode::SPLINE => return self.patch(at, self.state.registers.get::<Spline>().into()),
            Opcode::JUMP => self.jump(at, self.relative(argument & !3)),
            Opcode::BJUMP if !self.state.flow.box_visible => self.jump(at, self.relative(argument & !3)),
            Opcode::CALL => self.call(at, self.relative(argument & !3), None),
            Opcode::RET => self.ret(at),
            Opcode::OFFSETADDR => self.state.flow.offset = argument << 8,
            Opcode::ORIGIN => self.state.flow.offset = at.get(),
            Opcode::END => return self.end(at, command),
            Opcode::TEXFLUSH => self.host.sink().flush_textures(),
            Opcode::LOADCLUT => {
                let source = palette::source(&self.state.registers);
                self.flush_for_read("palette load", source, palette::loaded_bytes(&self.state.registers));
                if let Some(missing) = palette::load(self.state.registers_mut(), self.memory) {
                    self.note(at, NoteKind::ClutUnmapped(missing));
                } else if argument & 0x3F != 0 && !self.memory.is_supplied(source) {
                    self.note(at, NoteKind::ClutUnwritten(source));
                }
                self.check_sink_limit(at)?;
            }
            Opcode::TRANSFERSTART => return self.block_transfer(at),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn block_transfer(&mut self, at: Address) -> ControlFlow<Ending> {
        let place = self.place_event(at);
        self.report.transfers = self.report.transfers.saturating_add(1);
        let mut outcome = Outcome::Limited;
        let flow = self.carry_out_transfer(place, &mut outcome);
        let Self { state, memory, host, .. } = self;
        let event = RunEvent { place, kind: RunEventKind::Transfer(&state.registers) };
        host.after(memory, &event, outcome);
        flow?;
        self.check_sink_limit(at)
    }

    fn carry_out_transfer(&mut self, place: EventPlace, outcome: &mut Outcome) -> ControlFlow<Ending> {
        let at = place.at;
        if self.trial.is_skipped {
            *outcome = Outcome::Skipped;
            return ControlFlow::Continue(());
        }
        self.spend_transfer(at)?;
        self.flush_for_transfer();
        self.check_sink_limit(at)?;
        let Self { state, memory, host, .. } = self;
        let event = RunEvent { place, kind: RunEventKind::Transfer(&state.registers) };
        host.before(memory, &event);
        let transferred = transfer::transfer(&state.registers, memory);
        *outcome = if transferred == Transferred::Skipped { Outcome::Unmapped } else { Outcome::Done };
        match transferred {
            Transferred::Whole => {}
            Transferred::Cut => self.note(at, NoteKind::TransferCut),
            Transferred::Skipped => self.note(at, NoteKind::TransferUnmapped),
        }
        ControlFlow::Continue(())
    }

    /// Counts the current command as an event and returns its place. The caller counts its draw or transfer.
    fn place_event(&mut self, at: Address) -> EventPlace {
        let Report { events, commands, draws, .. } = &mut self.report;
        // The current command is counted already, so its own number is 1 less.
        let command = commands.saturating_sub(1);
        let place = EventPlace { number: event_number(*events), at, command, draw: *draws };
        *events = events.saturating_add(1);
        place
    }

    fn relative(&self, argument: u32) -> Address {
        flow::relative(self.state.flow.offset, self.state.registers.get(), argument)
    }

    fn jump(&mut self, at: Address, target: Address) {
        self.state.flow.pc = target;
        self.check_target(at, target);
    }

    fn check_target(&mut self, at: Address, target: Address) {
        if !self.memory.is_mapped(target, 4) {
            self.note(at, NoteKind::TargetUnmapped(target));
        }
    }

    fn ret(&mut self, at: Address) {
        match self.state.flow.ret() {
            Some(None) => {}
            Some(Some(base)) => self.state.registers_mut().write(base),
            None => self.note(at, NoteKind::StackEmpty),
        }
    }

    /// Executes END. Its meaning depends on the word before it.
    /// Source: `reference/ge/lists.md#end`.
    fn end(&mut self, at: Address, end: Command) -> ControlFlow<Ending> {
        let before = Address::new(at.get().wrapping_sub(4));
        let previous = Command::from_word(self.memory.read_u32(before));
        match previous.opcode() {
            Opcode::FINISH => {
                let flow = &mut self.state.flow;
                if std::mem::take(&mut flow.skip_finish) {
                    return ControlFlow::Continue(());
                }
                let is_paused = std::mem::take(&mut flow.pause_at_finish);
                ControlFlow::Break(if is_paused { Ending::Paused } else { Ending::Finished })
            }
            Opcode::SIGNAL => self.signal(before, previous, end),
            _ => {
                self.note(at, NoteKind::OrphanEnd);
                ControlFlow::Continue(())
            }
        }
    }

    fn signal(&mut self, at: Address, signal: Command, end: Command) -> ControlFlow<Ending> {
        let signal: crate::ge::registers::flow::Signal =
            crate::ge::registers::field::View::from_argument(signal.argument());
        let target = SignalTarget { value: signal.value, end_value: end.argument() & 0xFFFF, at };
        let base = Some(self.state.registers.command(Opcode::BASE));
        match signal.behavior {
            SignalBehavior::HANDLER_SUSPEND | SignalBehavior::HANDLER_CONTINUE => {
                self.note(at, NoteKind::Signal(signal.behavior, signal.value));
            }
            SignalBehavior::HANDLER_PAUSE => {
                self.state.flow.pause_at_finish = true;
                self.note(at, NoteKind::Signal(signal.behavior, signal.value));
            }
            SignalBehavior::SYNC => self.state.flow.skip_finish = true,
            SignalBehavior::JUMP => self.jump(at, target.absolute()),
            SignalBehavior::RELATIVE_JUMP => self.jump(at, target.relative_to_signal()),
            SignalBehavior::OFFSET_JUMP => self.jump(at, target.relative_to(self.state.flow.offset)),
            SignalBehavior::CALL => self.call(at, target.absolute(), base),
            SignalBehavior::RELATIVE_CALL => self.call(at, target.relative_to_signal(), base),
            SignalBehavior::OFFSET_CALL => {
                self.call(at, target.relative_to(self.state.flow.offset), base);
            }
            SignalBehavior::RET => self.ret(at),
            SignalBehavior::BREAK1 | SignalBehavior::BREAK2 => {}
            other => {
                let Some(words) = target.relocation(other, end, self.state.flow.offset) else {
                    self.note(at, NoteKind::UnknownSignal(other));
                    return ControlFlow::Break(Ending::Hung);
                };
                self.note(at, NoteKind::AddressSignal(other));
                self.host.sink().flush_for_write(self.memory, at, 8);
                for (place, word) in [at, at.offset(4)].into_iter().zip(words) {
                    self.memory.write_u32(place, word.word());
                }
                self.jump(at, at);
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls a list. Only signals give the `base` for its end to restore.
    fn call(&mut self, at: Address, target: Address, base: Option<Command>) {
        if self.state.flow.call(target, base) {
            self.check_target(at, target);
        } else {
            self.note(at, NoteKind::StackFull);
        }
    }

    fn flush(&mut self, reason: &str) {
        tracing::debug!(target: "pspge::run::interpreter", reason, "flush");
        self.host.sink().flush(self.memory);
    }

    fn flush_for_transfer(&mut self) {
        match transfer::ranges(&self.state.registers) {
            Some([(source, read), (target, written)]) => {
                self.flush_for_read("block transfer", source, read);
                // A watcher may read these bytes before the transfer overwrites them, so they must show all earlier
                // draws.
                if self.host.reads_memory() {
                    self.flush_for_read("watcher", target, written);
                }
                tracing::debug!(target: "pspge::run::interpreter", reason = "block transfer", start = %target, length = written, "flush_for_write");
                self.host.sink().flush_for_write(self.memory, target, written);
            }
            None => self.flush("block transfer"),
        }
    }

    fn flush_for_read(&mut self, reason: &str, start: Address, length: u32) {
        tracing::trace!(target: "pspge::run::interpreter", reason, start = %start, length, "flush_for_read");
        self.host.sink().flush_for_read(self.memory, start, length);
    }

    #[cold]
    fn note(&mut self, at: Address, kind: NoteKind) {
        let note = Note { at, command: self.report.commands, draw: self.report.draws, kind };
        tracing::warn!(target: "pspge::run::interpreter", at = %at, command = note.command, "{}", note.kind);
        self.host.note(&note);
        self.report.push_note(note, self.limits.notes);
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
