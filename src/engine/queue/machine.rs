//! The machine for running lists, and the GE state that only the kernel sees.

use std::ops::ControlFlow;

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::opcode::Opcode;
use crate::ge::registers::context::CONTEXT_WORDS;
use crate::run::interpreter::{Ending, FlowState, Interpreter, Report};
use crate::run::sink::{NullObserver, Sink, Step};
use crate::run::watch::{Outcome, RunEvent, Watch};

/// The parts of the machine that calls need. The host owns them and lends them for each call.
#[derive(Debug)]
pub struct Machine<'m, S, W> {
    /// Holds the registers and the list flow.
    pub interpreter: &'m mut Interpreter,
    /// The memory with the lists, contexts and stacks.
    pub memory: &'m mut Memory,
    /// Receives the draws. Flush it before you read any memory that it draws to.
    pub sink: &'m mut S,
    /// Sees each command. To stop the run before a command makes [`Queue::advance`](super::Queue::advance) return.
    pub watch: &'m mut W,
    /// The limits for each list.
    pub limits: &'m Limits,
}

impl<S: Sink, W: Watch<S>> Machine<'_, S, W> {
    pub(super) fn flow(&self) -> FlowState {
        self.interpreter.flow_state()
    }

    pub(super) fn set_flow(&mut self, change: impl FnOnce(&mut FlowState)) {
        let mut flow = self.interpreter.flow_state();
        change(&mut flow);
        self.interpreter.set_flow_state(&flow);
    }

    pub(super) fn word(&mut self, at: Address) -> u32 {
        self.sink.flush_for_read(self.memory, at, 4);
        self.memory.read_u32(at)
    }

    pub(super) fn words<const N: usize>(&mut self, at: Address) -> [u32; N] {
        let mut address = at;
        [(); N].map(|()| {
            let word = self.word(address);
            address = address.offset(4);
            word
        })
    }

    pub(super) fn write(&mut self, at: Address, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.sink.flush_for_write(self.memory, at, u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.memory.write(at, &bytes);
    }

    /// Saves registers, matrices and list flow. Memory keeps the words that the kernel does not write. Source: [saved
    /// context](crate::reference::ge::lists#saved-context).
    pub(super) fn save_context(&mut self, at: Address) {
        for (first, words) in self.interpreter.context_parts() {
            let offset = u32::try_from(first).unwrap_or(u32::MAX).saturating_mul(4);
            self.write(at.offset(offset), &words);
        }
    }

    /// Restores registers, matrices and list flow, as saved by [`Self::save_context`].
    pub(super) fn restore_context(&mut self, at: Address) {
        let words: [u32; CONTEXT_WORDS] = self.words(at);
        let Self { interpreter, memory, sink, limits, .. } = self;
        let flow = interpreter.restore_context(&words, memory, *sink, limits);
        interpreter.set_flow_state(&flow);
    }

    /// Executes a word on the kernel's behalf. The list flow stays as it is.
    pub(super) fn execute(&mut self, word: u32) {
        let command = Command::from_word(word);
        self.interpreter.execute(self.memory, command, self.sink, &mut NullObserver, self.limits);
    }
}

/// How much work some commands did, for hosts that estimate times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Work {
    /// How many draws: PRIM, BEZIER, SPLINE and completed immediate primitives.
    pub draws: u64,
    /// How many vertices and control points, in draws and BBOX.
    pub vertices: u64,
    /// How many block transfers.
    pub transfers: u64,
    /// How many pixels the block transfers moved.
    pub transferred_pixels: u64,
}

impl Work {
    /// Returns a list's work since its start.
    const fn of(report: &Report) -> Self {
        let Report { draws, vertices, transfers, transferred_pixels, .. } = *report;
        Self { draws, vertices, transfers, transferred_pixels }
    }

    fn each(self, other: Self, combine: fn(u64, u64) -> u64) -> Self {
        Self {
            draws: combine(self.draws, other.draws),
            vertices: combine(self.vertices, other.vertices),
            transfers: combine(self.transfers, other.transfers),
            transferred_pixels: combine(self.transferred_pixels, other.transferred_pixels),
        }
    }

    /// Adds two amounts of work.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    /// Returns the work since an earlier time.
    pub(super) fn since(self, earlier: Self) -> Self {
        self.each(earlier, u64::saturating_sub)
    }
}

/// Why the GE interrupts the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Interrupt {
    /// A FINISH.
    Finish,
    /// A SIGNAL's END.
    Signal,
}

/// Why the GE has stopped for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It is at an END or after a FINISH, perhaps with an interrupt.
    End,
    /// It is at the stall address, or waits forever. More cycles do not help.
    Stuck,
    /// The cycles are used up.
    Cycles,
    /// The watcher asked for it.
    Watch,
    /// A limit is hit.
    Limit,
}

/// The GE as the kernel sees it, apart from the interpreter's state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Ge {
    /// Whether it executes a list, even a stalled one.
    pub(super) is_running: bool,
    /// Whether its registers can be read. If not, they read as 0.
    pub(super) has_clock: bool,
    /// Whether it has stopped at the end of the list with which `sceGeBreak` calls the kernel back.
    pub(super) is_in_kernel_list: bool,
    /// Whether the list hangs, because it ran into missing memory or divided a patch too often.
    pub(super) hangs: bool,
    /// The last command executed, because END depends on it.
    pub(super) last: Option<Opcode>,
    /// The interrupt to handle next.
    pub(super) interrupt: Option<Interrupt>,
}

impl Ge {
    /// Starts the interpreter's list, or goes on with it.
    pub(super) fn go(&mut self) {
        *self = Self { is_running: true, has_clock: true, ..Self::default() };
    }

    /// Returns the address that the kernel reads for the next word, or `None` if it lies in the kernel's own list.
    pub(super) fn visible_pc<S: Sink, W: Watch<S>>(&self, machine: &Machine<'_, S, W>) -> Option<u32> {
        match (self.has_clock, self.is_in_kernel_list) {
            (false, _) => Some(0),
            // Such an address is in no program's list.
            (true, true) => None,
            (true, false) => Some(machine.flow().pc.get()),
        }
    }

    /// Runs for at most this many cycles, 1 for each command, to the next END or stall address. Returns how many
    /// passed, and sets `work` to the list's work since its start.
    pub(super) fn run<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        cycles: u64,
        work: &mut Work,
    ) -> (u64, Halt) {
        if self.hangs {
            return (0, Halt::Stuck);
        }
        let Machine { interpreter, memory, sink, watch, limits } = machine;
        let mut stops = Stops { watch: *watch, last: self.last, cycles, used: 0, halt: Halt::Watch };
        // Draws may go on after an END without interrupt. The host flushes the sink before it looks at memory.
        let report = interpreter.resume_unflushed(memory, *sink, &mut stops, limits);
        *work = Work::of(&report);
        let Stops { last, used, halt, .. } = stops;
        self.last = last;
        let is_finish = last == Some(Opcode::FINISH);
        let halt = match report.ending {
            Ending::Stalled if is_finish => Halt::End,
            Ending::Stopped => halt,
            Ending::LimitReached => Halt::Limit,
            Ending::Stalled => Halt::Stuck,
            // The queue executes END itself, so no list can end inside the interpreter.
            Ending::Unmapped | Ending::HungAtPatch | Ending::Hung | Ending::Finished | Ending::Paused => {
                self.hangs = true;
                Halt::Stuck
            }
        };
        if halt == Halt::End {
            self.end(machine);
        }
        (used, halt)
    }

    /// Stops at an END, or at a FINISH without END, which the kernel stops. A SIGNAL without END is ignored. An END
    /// without either command causes no interrupt, so the list waits there forever.
    /// Source: `reference/ge/list_queue.md#end-of-a-list`.
    fn end<S: Sink, W: Watch<S>>(&mut self, machine: &mut Machine<'_, S, W>) {
        let at = machine.flow().pc;
        let is_at_stall = machine.flow().stall == Some(at);
        let word = machine.word(at);
        if !is_at_stall && Command::from_word(word).opcode() == Opcode::END {
            machine.execute(word);
            machine.set_flow(|flow| flow.pc = at.offset(4));
        }
        self.is_running = false;
        self.interrupt = match self.last.take() {
            Some(Opcode::FINISH) => Some(Interrupt::Finish),
            Some(Opcode::SIGNAL) => Some(Interrupt::Signal),
            _ => None,
        };
    }
}

/// Stops before each END, after a FINISH without END, and when the cycles are used up.
#[derive(Debug)]
struct Stops<'w, W> {
    watch: &'w mut W,
    last: Option<Opcode>,
    cycles: u64,
    used: u64,
    halt: Halt,
}

impl<S, W: Watch<S>> Watch<S> for Stops<'_, W> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let opcode = step.command.opcode();
        if self.last == Some(Opcode::FINISH) && opcode != Opcode::END {
            self.halt = Halt::End;
            return ControlFlow::Break(());
        }
        if self.used >= self.cycles {
            self.halt = Halt::Cycles;
            return ControlFlow::Break(());
        }
        self.watch.command(memory, step)?;
        self.used = self.used.saturating_add(1);
        if opcode == Opcode::END {
            self.halt = Halt::End;
            return ControlFlow::Break(());
        }
        self.last = Some(opcode);
        ControlFlow::Continue(())
    }

    fn undisturbed_commands(&self) -> u64 {
        // After a FINISH the run stops at any command but END, so the next command needs a check.
        let cycles =
            if self.last == Some(Opcode::FINISH) { 0 } else { self.cycles.saturating_sub(self.used) };
        cycles.min(self.watch.undisturbed_commands())
    }

    fn note(&mut self, note: &Note) {
        self.watch.note(note);
    }

    fn before(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        self.watch.before(sink, memory, event);
    }

    fn after(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        self.watch.after(sink, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        self.watch.reads_memory()
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.watch.limit_hit()
    }
}
