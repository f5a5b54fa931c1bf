//! Runs the GE and handles the interrupts at list ends.

use super::calls::OLD_CALLBACKS;
use super::list::{Mark, Slot, State};
use super::machine::{Halt, Interrupt, Machine, Work};
use super::{Callback, CallbackKind, Progress, Queue, Rest, Stop};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::flow::Finish;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

impl Queue {
    /// Runs the GE for some cycles, 1 for each command. It returns early for a callback, or if time alone can
    /// change nothing before the next call. While a callback runs, further interrupts wait, but the GE goes on.
    ///
    /// Call this after each system call, so that a program sees the effects of its call.
    pub fn advance<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        cycles: u64,
    ) -> Progress {
        let (mut used, mut work) = (0_u64, Work::default());
        let stop = loop {
            if self.rest.is_none()
                && let Some(interrupt) = self.ge.interrupt.take()
            {
                let callback = match interrupt {
                    Interrupt::Finish => self.finish_interrupt(machine),
                    Interrupt::Signal => self.signal_interrupt(machine),
                };
                if let Some(callback) = callback {
                    break Stop::Callback(callback);
                }
                continue;
            }
            if !self.ge.is_running {
                break Stop::Idle;
            }
            let before = self.work;
            let (spent, halt) = self.ge.run(machine, cycles.saturating_sub(used), &mut self.work);
            used = used.saturating_add(spent);
            work = work.plus(self.work.since(before));
            match halt {
                Halt::End => {}
                Halt::Stuck => break Stop::Idle,
                Halt::Cycles => break Stop::Cycles,
                Halt::Watch => break Stop::Watch,
                Halt::Limit => break Stop::Limit,
            }
        };
        Progress { cycles: used, work, stop }
    }

    /// Goes on after the function of a [`Stop::Callback`] has returned, for some cycles as in [`Self::advance`].
    /// The next callback may follow at once.
    pub fn callback_returned<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        cycles: u64,
    ) -> Progress {
        let next = match self.rest.take() {
            Some(Rest::Suspend(slot)) => {
                self.resume_suspended(slot);
                None
            }
            Some(Rest::Finish(slot)) => self.finish_list(machine, slot),
            Some(Rest::Nothing) | None => None,
        };
        match next {
            Some(callback) => Progress { cycles: 0, work: Work::default(), stop: Stop::Callback(callback) },
            None => self.advance(machine, cycles),
        }
    }

    /// Prepares a call to a list's function, and keeps `rest` to do after it. `None` if the list has no such
    /// function.
    pub(super) fn callback(
        &mut self,
        slot: Slot,
        kind: CallbackKind,
        value: u16,
        address: u32,
        rest: Rest,
    ) -> Option<Callback> {
        let id = usize::try_from(self.lists[slot].callback).ok()?;
        let functions = self.callbacks.get(id).copied().flatten()?;
        let (function, argument) = match kind {
            CallbackKind::Signal => (functions.signal, functions.signal_argument),
            CallbackKind::Finish => (functions.finish, functions.finish_argument),
        };
        if function == 0 {
            return None;
        }
        self.rest = Some(rest);
        let address = if self.sdk > OLD_CALLBACKS { address } else { 0 };
        Some(Callback { kind, list: slot.id(), function, value, argument, address })
    }

    /// Handles a FINISH. Source: `reference/ge/list_queue.md#end-of-a-list`.
    pub(super) fn finish_interrupt<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
    ) -> Option<Callback> {
        self.is_break_pending = false;
        let Some(slot) = self.drawing.take() else { return self.start_next(machine, None) };
        match self.lists[slot].mark {
            Mark::Sync => {
                self.lists[slot].mark = Mark::None;
                self.drawing = Some(slot);
                self.ge.go();
                None
            }
            Mark::Pause => {
                self.save_resume(machine, slot);
                if self.order.front() == Some(&slot) {
                    return self.pause_callback(slot);
                }
                self.start_next(machine, None)
            }
            Mark::None | Mark::Break if self.lists[slot].state == State::Running => {
                self.lists[slot].state = State::Completed;
                let pc = machine.flow().pc;
                let finish = Command::from_word(machine.word(Address::new(pc.get().wrapping_sub(8))));
                let Finish { id } = Finish::from_argument(finish.argument());
                let (kind, rest) = (CallbackKind::Finish, Rest::Finish(slot));
                let callback = self.callback(slot, kind, id, pc.get(), rest);
                if callback.is_some() { callback } else { self.finish_list(machine, slot) }
            }
            Mark::None | Mark::Break => self.start_next(machine, Some(slot)),
        }
    }

    /// Calls the signal's function. A signal that pauses calls it only at the next FINISH, and the list stays in
    /// the queue.
    fn pause_callback(&mut self, slot: Slot) -> Option<Callback> {
        let list = &mut self.lists[slot];
        list.mark = Mark::Break;
        let (value, address) = (list.pause_value, list.resume.pc);
        self.callback(slot, CallbackKind::Signal, value, address, Rest::Nothing)
    }

    /// Removes an ended list after its callback and starts the next.
    fn finish_list<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        slot: Slot,
    ) -> Option<Callback> {
        if !self.order.contains(&slot) || self.lists[slot].state != State::Completed {
            // This list's callback has dropped all lists.
            return None;
        }
        let context = self.lists[slot].context;
        if context != 0 {
            machine.restore_context(Address::new(context));
        }
        self.release(slot);
        self.start_next(machine, Some(slot))
    }

    /// Starts the first list, if any, unless it is paused.
    fn start_next<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        ended: Option<Slot>,
    ) -> Option<Callback> {
        match self.order.front().copied() {
            None => {
                self.ge.has_clock = false;
                self.is_drained = true;
            }
            Some(head) if self.lists[head].mark == Mark::Pause => {
                // Another list displaced this list before its FINISH, so its function is still to be called. The
                // kernel wakes no thread here.
                self.lists[head].state = State::Paused;
                return self.pause_callback(head);
            }
            Some(head) if self.lists[head].state == State::Paused => self.ge.has_clock = false,
            Some(head) => {
                let last_context = ended.map(|slot| self.lists[slot].context);
                self.start(machine, head, last_context.filter(|context| *context != 0));
            }
        }
        if let Some(ended) = ended {
            self.lists[ended].is_done = true;
        }
        None
    }

    /// Saves the list's position and flow, to go on from there.
    pub(super) fn save_resume<S: Sink, W: Watch<S>>(&mut self, machine: &Machine<'_, S, W>, slot: Slot) {
        let flow = machine.flow();
        let resume = &mut self.lists[slot].resume;
        resume.pc = flow.pc.get();
        resume.offset = flow.offset;
        resume.calls = flow.stack;
        resume.box_visible = flow.box_visible;
        resume.base = Some(machine.interpreter.registers().command(Opcode::BASE).word());
    }
}
