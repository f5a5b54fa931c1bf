//! Runs a list while the CPU intervenes: it supplies the list up to a stall address, receives signals and the finish
//! callback, resumes a paused list, and finally supplies the rest.
//!
//! The transcript has a part for each step by the CPU, separated by `;`. A part lists the callbacks and then the
//! list's state, separated by `,`:
//!
//! * `signal 1234 at 03 with 0`: a signal callback with value 0x1234, after the list was executed up to its word 3; the
//!   watched register holds 0;
//! * `finish 0 at 0c with 0`: the same for the finish callback;
//! * `done`, `stall`, `paused`, or `drawing` if the list hangs.
//!
//! # Invariants
//! `sceGeListSync` gives the state after each part. A pausing signal is delivered at the FINISH where the list pauses
//! (source: [SIGNAL](pspge::reference::ge::lists#signal)).

use std::ops::ControlFlow;

use anyhow::{Context, Result, anyhow};
use pspge::ge::address::Address;
use pspge::ge::command::Command;
use pspge::ge::memory::Memory;
use pspge::ge::note::{Note, NoteKind};
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::flow::SignalBehavior;
use pspge::run::interpreter::{Ending, Interpreter, Limits, Report};
use pspge::run::sink::{NullSink, Observer, Step};

use crate::case::SessionSettings;

/// The steps for the CPU to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuPlan {
    /// Words to supply at first; `None` for all.
    stall: Option<u32>,
    /// The register to read in callbacks.
    watch: Opcode,
}

impl CpuPlan {
    /// Reads the settings; `fill` substitutes parameters.
    ///
    /// # Errors
    /// If the stall is not a number or the register does not exist.
    pub fn parse(settings: &SessionSettings, fill: impl Fn(&str) -> Result<String>) -> Result<Self> {
        let stall = match fill(&settings.stall)?.as_str() {
            "-" => None,
            number => Some(number.parse().with_context(|| format!("`{number}` is not a number of words"))?),
        };
        let watch = Opcode::from_name(&settings.watch)
            .ok_or_else(|| anyhow!("`{}` is not a register", settings.watch))?;
        Ok(Self { stall, watch })
    }

    /// Runs the list at `entry` and returns the transcript.
    pub(crate) fn run(self, engine: &mut Interpreter, memory: &mut Memory, entry: Address) -> String {
        let limits = Limits::default();
        let mut cpu = Cpu { entry, watch: self.watch, watched: 0, pause_value: 0, calls: Vec::new() };
        engine.set_stall(self.stall.map(|words| entry.offset(4 * words)));
        let report = engine.run(memory, entry, &mut NullSink, &mut cpu, &limits);
        let mut ending = report.ending;
        let mut parts = vec![cpu.finish_step(engine, memory, &report)];
        // Only a paused list has to be resumed, and only a stalled list needs the rest of its words.
        let steps = [Some(Ending::Paused), self.stall.map(|_| Ending::Stalled)];
        for wanted in steps.into_iter().flatten() {
            if wanted == Ending::Stalled {
                engine.set_stall(None);
            }
            if ending == wanted {
                let report = engine.resume(memory, &mut NullSink, &mut cpu, &limits);
                ending = report.ending;
                parts.push(cpu.finish_step(engine, memory, &report));
            } else {
                parts.push(state_name(ending).to_owned());
            }
        }
        parts.join("; ")
    }
}

/// Names the list's state, as printed by the public suite's tests.
const fn state_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "done",
        Ending::Paused => "paused",
        Ending::Stalled => "stall",
        Ending::Hung | Ending::HungAtPatch | Ending::Unmapped | Ending::LimitReached | Ending::Stopped => {
            "drawing"
        }
    }
}

/// Observes the run, to collect callbacks.
struct Cpu {
    entry: Address,
    watch: Opcode,
    /// What the watched register held before the current command.
    watched: u32,
    /// The pausing signal's value.
    pause_value: u16,
    /// Callbacks since the last step.
    calls: Vec<String>,
}

impl Cpu {
    fn call(&mut self, what: &str, value: u16, behind: Address) {
        let words = behind.get().wrapping_sub(self.entry.get()) / 4;
        self.calls.push(format!("{what} {value:x} at {words:02x} with {:x}", self.watched));
    }

    fn finish_step(&mut self, engine: &Interpreter, memory: &Memory, report: &Report) -> String {
        self.watched = engine.registers().argument(self.watch);
        match report.ending {
            Ending::Finished => {
                let finish = Command::from_word(memory.read_u32(Address::new(report.at.get() - 8)));
                let [low, high, ..] = finish.argument().to_le_bytes();
                self.call("finish", u16::from_le_bytes([low, high]), report.at);
            }
            Ending::Paused => self.call("signal", self.pause_value, report.at),
            _ => {}
        }
        let mut calls = std::mem::take(&mut self.calls);
        calls.push(state_name(report.ending).to_owned());
        calls.join(", ")
    }
}

impl Observer for Cpu {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.watched = step.registers.argument(self.watch);
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &Note) {
        match note.kind {
            NoteKind::Signal(SignalBehavior::HANDLER_PAUSE, value) => self.pause_value = value,
            // The callback runs after SIGNAL and END, so its address is past both.
            NoteKind::Signal(_, value) => self.call("signal", value, note.at.offset(8)),
            _ => {}
        }
    }
}
