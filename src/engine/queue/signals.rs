//! Handles signals as the kernel does.

use super::calls::OLD_CALLBACKS;
use super::list::{Mark, SignalFrame, Slot, State};
use super::machine::Machine;
use super::{Callback, CallbackKind, Queue, Rest};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::flow::{Signal, SignalBehavior};
use crate::run::interpreter::{FlowState, SignalTarget};
use crate::run::sink::Sink;
use crate::run::watch::Watch;

impl Queue {
    /// Handles the END of a SIGNAL. Source: `reference/ge/list_queue.md#signals`.
    pub(super) fn signal_interrupt<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
    ) -> Option<Callback> {
        // Signals go to the first list, because the kernel does not ask which list runs.
        let head = self.order.front().copied()?;
        let pc = machine.flow().pc;
        let at = Address::new(pc.get().wrapping_sub(8));
        let [signal, end] = machine.words(at).map(Command::from_word);
        if (signal.opcode(), end.opcode()) != (Opcode::SIGNAL, Opcode::END) {
            return None;
        }
        let Signal { behavior, value } = Signal::from_argument(signal.argument());
        let target = SignalTarget { value, end_value: end.argument() & 0xFFFF, at };
        let offset = machine.flow().offset;
        let list = &mut self.lists[head];
        match behavior {
            SignalBehavior::HANDLER_SUSPEND => {
                if self.sdk <= OLD_CALLBACKS {
                    list.state = State::Paused;
                }
                let (kind, rest) = (CallbackKind::Signal, Rest::Suspend(head));
                let callback = self.callback(head, kind, value, pc.get(), rest);
                if callback.is_none() {
                    self.resume_suspended(head);
                }
                return callback;
            }
            SignalBehavior::HANDLER_CONTINUE => {
                self.ge.go();
                return self.callback(head, CallbackKind::Signal, value, pc.get(), Rest::Nothing);
            }
            SignalBehavior::HANDLER_PAUSE => {
                list.state = State::Paused;
                list.mark = Mark::Pause;
                list.pause_value = value;
                self.ge.go();
            }
            SignalBehavior::SYNC => {
                list.mark = Mark::Sync;
                self.ge.go();
            }
            SignalBehavior::JUMP => self.jump(machine, target.absolute()),
            SignalBehavior::RELATIVE_JUMP => self.jump(machine, target.relative_to_signal()),
            SignalBehavior::OFFSET_JUMP => self.jump(machine, target.relative_to(offset)),
            SignalBehavior::CALL => self.call(machine, head, target.absolute()),
            SignalBehavior::RELATIVE_CALL => self.call(machine, head, target.relative_to_signal()),
            SignalBehavior::OFFSET_CALL => self.call(machine, head, target.relative_to(offset)),
            SignalBehavior::RET => self.ret(machine, head),
            SignalBehavior::BREAK1 | SignalBehavior::BREAK2 => self.ge.go(),
            _ => {
                if let Some(words) = target.relocation(behavior, end, offset) {
                    machine.write(at, &words.map(Command::word));
                    self.jump(machine, at);
                }
                // At other signals the list hangs, because nothing starts the GE again.
            }
        }
        None
    }

    /// Goes on with a list after its callback, unless the callback has dropped or broken it.
    pub(super) fn resume_suspended(&mut self, slot: Slot) {
        if !self.order.contains(&slot) {
            return;
        }
        let list = &mut self.lists[slot];
        if self.sdk <= OLD_CALLBACKS && matches!(list.state, State::Paused | State::Queued) {
            list.state = State::Running;
        }
        if !self.ge.is_running && self.ge.interrupt.is_none() {
            self.ge.go();
        }
    }

    fn jump<S: Sink, W: Watch<S>>(&mut self, machine: &mut Machine<'_, S, W>, target: Address) {
        machine.set_flow(|flow| flow.pc = target);
        self.ge.go();
    }

    /// Makes a call by signal. The list hangs if its stack is full. Source:
    /// `reference/ge/list_queue.md#calls-by-signal`.
    fn call<S: Sink, W: Watch<S>>(&mut self, machine: &mut Machine<'_, S, W>, slot: Slot, target: Address) {
        let list = &mut self.lists[slot];
        if list.frames.len() >= list.stack_size {
            return;
        }
        let flow = machine.flow();
        let [return1, return2, offset1, offset2] = flow.return_registers();
        let base = machine.interpreter.registers().command(Opcode::BASE).word();
        let flags = flow.execution_flags();
        let words = [flags, flow.pc.get(), flow.offset, offset1, offset2, return1, return2, base];
        if list.stack != 0 {
            let depth = u32::try_from(list.frames.len()).unwrap_or(u32::MAX);
            machine.write(Address::new(list.stack).offset(depth.saturating_mul(32)), &words);
        }
        list.frames.push(SignalFrame { words, calls: flow.stack });
        machine.set_flow(|flow| {
            flow.pc = target;
            flow.stack.clear();
            flow.box_visible = false;
        });
        self.ge.go();
    }
    /// Returns from a call by signal. The list hangs if no such call is open.
    fn ret<S: Sink, W: Watch<S>>(&mut self, machine: &mut Machine<'_, S, W>, slot: Slot) {
        let Some(SignalFrame { words, calls }) = self.lists[slot].frames.pop() else { return };
        let [flags, pc, offset, .., base] = words;
        machine.set_flow(|flow| {
            flow.pc = Address::new(pc);
            flow.offset = offset;
            flow.stack = calls;
            flow.box_visible = FlowState::is_box_visible(flags);
        });
        machine.execute(base);
        self.ge.go();
    }
}
