//! The calls that act on enqueued lists.

use super::list::{ListId, Lists, Mark, Slot, State};
use super::machine::{Ge, Interrupt, Machine};
use super::{GeError, ListStatus, Queue, Sync, Wait, WaitBan, check_pointer};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

/// For programs of this SDK and older, callbacks get no address and suspended lists have other states.
pub(super) const OLD_CALLBACKS: u32 = 0x0200_0010;
/// From this SDK on, calls in the wrong state return their own error codes, not a common one.
const NEW_ERRORS: u32 = 0x0200_0000;
/// How many cycles the kernel's wait for a displaced list may take, so that the call ends.
const KERNEL_WAIT: u64 = 1000;
/// How many bytes at `sceGeBreak`'s second argument the kernel checks. It does not use them.
const BREAK_PARAMETER_BYTES: u32 = 16;

impl Queue {
    /// `sceGeListDeQueue`: removes a list that has never run.
    ///
    /// # Errors
    /// [`GeError::InvalidId`] if this id has no list, [`GeError::Busy`] if the list has ever run.
    pub fn dequeue(&mut self, id: ListId) -> Result<(), GeError> {
        let slot = Slot::of(id).ok_or(GeError::InvalidId)?;
        let list = &mut self.lists[slot];
        if list.state == State::None {
            return Err(GeError::InvalidId);
        }
        if list.is_started {
            return Err(GeError::Busy);
        }
        list.state = State::None;
        list.is_done = true;
        self.release(slot);
        Ok(())
    }

    /// Takes a list out of the queue. Its entry is the last to be taken again, so that its id stays valid for long.
    pub(super) fn release(&mut self, slot: Slot) {
        self.order.retain(|active| *active != slot);
        self.free.retain(|free| *free != slot);
        self.free.push_back(slot);
    }

    /// `sceGeListUpdateStallAddr`: moves the stall address; 0 for none. Call [`Self::advance`] to run the list up
    /// to it.
    ///
    /// # Errors
    /// [`GeError::Already`] if the list has ended, [`GeError::InvalidId`] if this id has no list.
    pub fn update_stall<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        id: ListId,
        stall: u32,
    ) -> Result<(), GeError> {
        let list = Slot::of(id).map(|slot| &mut self.lists[slot]).ok_or(GeError::InvalidId)?;
        match list.state {
            State::None => return Err(GeError::InvalidId),
            State::Completed => return Err(GeError::Already),
            State::Running => machine.interpreter.set_stall((stall != 0).then(|| Address::new(stall))),
            // The GE may run such a list up to its FINISH, but keeps the old stall address until then.
            State::Queued | State::Paused => {}
        }
        list.resume.stall = stall;
        Ok(())
    }

    /// `sceGeListSync`: waits for this list to end (mode 0) or returns its state (mode 1).
    ///
    /// # Errors
    /// [`GeError::InvalidId`], [`GeError::InvalidMode`], and in mode 0 [`GeError::CannotWait`] or
    /// [`GeError::IllegalContext`].
    pub fn list_sync<S: Sink, W: Watch<S>>(
        &self,
        machine: &Machine<'_, S, W>,
        id: ListId,
        mode: u32,
    ) -> Result<Sync, GeError> {
        let slot = Slot::of(id).ok_or(GeError::InvalidId)?;
        let list = &self.lists[slot];
        match mode {
            0 => {
                self.check_wait()?;
                // The kernel never ends the wait for a list dropped by `sceGeBreak`, so a thread would hang. Here
                // such a list counts as ended (open).
                let is_over = list.is_done || !self.order.contains(&slot);
                Ok(if is_over { Sync::Status(ListStatus::Completed) } else { Sync::Wait(Wait::List(id)) })
            }
            1 => Ok(Sync::Status(match list.state {
                State::None => return Err(GeError::InvalidId),
                State::Queued if list.is_started => ListStatus::Paused,
                State::Queued => ListStatus::Queued,
                State::Running => progress(&self.ge, machine, &self.lists, slot),
                State::Completed => ListStatus::Completed,
                State::Paused => ListStatus::Paused,
            })),
            _ => Err(GeError::InvalidMode),
        }
    }

    /// `sceGeDrawSync`: waits for all lists to end (mode 0) or returns the GE's state (mode 1): `Completed`,
    /// `Drawing` or `Stalled`. A paused list counts as drawing. After [`Self::break_list`] it counts as stalled if
    /// it has no stall address.
    ///
    /// # Errors
    /// [`GeError::InvalidMode`], and in mode 0 [`GeError::CannotWait`] or [`GeError::IllegalContext`].
    pub fn draw_sync<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &Machine<'_, S, W>,
        mode: u32,
    ) -> Result<Sync, GeError> {
        match mode {
            0 => {
                self.check_wait()?;
                let is_over = self.is_drained || self.order.is_empty();
                if is_over {
                    self.forget_completed();
                }
                Ok(if is_over { Sync::Status(ListStatus::Completed) } else { Sync::Wait(Wait::Drawing) })
            }
            1 => {
                let mut active = self.order.iter().copied();
                let head = active.next();
                // A list stays in the queue until its last callback has returned, but no longer counts here.
                let head =
                    head.filter(|head| self.lists[*head].state != State::Completed).or_else(|| active.next());
                Ok(Sync::Status(match head {
                    Some(slot) => progress(&self.ge, machine, &self.lists, slot),
                    None => ListStatus::Completed,
                }))
            }
            _ => Err(GeError::InvalidMode),
        }
    }

    /// Returns whether this thread's wait is over; its call then returns 0. Ask after each [`Self::advance`],
    /// before the program enqueues the next list, because that may reuse the entry.
    pub fn is_over(&mut self, wait: Wait) -> bool {
        match wait {
            Wait::List(id) => Slot::of(id).is_none_or(|slot| self.lists[slot].is_done),
            Wait::Drawing if self.is_drained => {
                self.forget_completed();
                true
            }
            Wait::Drawing => false,
        }
    }

    fn check_wait(&self) -> Result<(), GeError> {
        match self.may_wait {
            _ if self.rest.is_some() => Err(GeError::IllegalContext),
            Ok(()) => Ok(()),
            Err(WaitBan::Disabled) => Err(GeError::CannotWait),
            Err(WaitBan::InterruptHandler) => Err(GeError::IllegalContext),
        }
    }

    /// Forgets the lists that have ended, to make their ids invalid.
    fn forget_completed(&mut self) {
        for list in self.lists.iter_mut().filter(|list| list.state == State::Completed) {
            list.state = State::None;
            list.is_started = false;
        }
    }

    /// `sceGeBreak`: pauses the first list (mode 0) and returns its id, or drops all lists (mode 1). Registers and
    /// matrices keep their values, and the program gets no callback. `parameter` is an address that the kernel only
    /// checks.
    ///
    /// # Errors
    /// [`GeError::InvalidMode`], [`GeError::Privilege`], [`GeError::Already`] if no list is active. In mode 0
    /// [`GeError::Busy`] or [`GeError::Already`] if the list is paused, [`GeError::NotSupported`] or
    /// [`GeError::Failed`] in the callback for its end.
    pub fn break_list<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        mode: u32,
        parameter: u32,
    ) -> Result<Option<ListId>, GeError> {
        if mode > 1 {
            return Err(GeError::InvalidMode);
        }
        check_pointer(parameter, BREAK_PARAMETER_BYTES)?;
        let head = self.order.front().copied().ok_or(GeError::Already)?;
        if mode == 1 {
            self.reset();
            return Ok(None);
        }
        match self.lists[head].state {
            State::Running => self.break_running(machine, head),
            State::Queued => self.lists[head].state = State::Paused,
            State::Paused if self.sdk > OLD_CALLBACKS && self.lists[head].mark != Mark::Pause => {
                return Err(GeError::Already);
            }
            State::Paused => return Err(GeError::Busy),
            State::None | State::Completed => return Err(self.wrong_state(GeError::NotSupported)),
        }
        Ok(Some(head.id()))
    }

    /// Drops all lists and resets the GE, except its registers. Threads already waiting go on waiting.
    fn reset(&mut self) {
        for list in self.lists.iter_mut() {
            list.state = State::None;
            list.mark = Mark::None;
            list.is_started = false;
        }
        self.order.clear();
        self.free = Slot::all().collect();
        self.drawing = None;
        self.is_break_pending = false;
        self.ge = Ge::default();
    }

    fn break_running<S: Sink, W: Watch<S>>(&mut self, machine: &mut Machine<'_, S, W>, head: Slot) {
        if self.drawing.is_some() {
            self.save_resume(machine, head);
            let pc = Address::new(self.lists[head].resume.pc);
            let before = machine.word(Address::new(pc.get().wrapping_sub(4)));
            // Steps back to run an unhandled pair again. A signal already handled is repeated too if the list has
            // come no further.
            let bytes_back = match Command::from_word(before).opcode() {
                Opcode::SIGNAL | Opcode::FINISH => 4,
                Opcode::END => 8,
                _ => 0,
            };
            let list = &mut self.lists[head];
            let bytes_on = if list.mark == Mark::Sync { 8 } else { 0 };
            let start = pc.get().wrapping_sub(bytes_back).wrapping_add(bytes_on);
            list.resume.pc = Address::new(start).get();
            // The kernel reads this address back from the GE, which lacks the bits that select the cache.
            list.resume.stall = machine.flow().stall.map_or(0, Address::get);
        }
        let list = &mut self.lists[head];
        list.state = State::Paused;
        list.mark = Mark::Break;
        // The kernel makes the GE run a list of its own, FINISH and END. Its interrupt stops the clock.
        machine.execute(Command::new(Opcode::FINISH, 0).word());
        machine.execute(Command::new(Opcode::END, 0).word());
        self.ge = Ge { has_clock: true, is_in_kernel_list: true, ..Ge::default() };
        self.drawing = None;
        self.is_break_pending = true;
        if self.rest.is_some() {
            // This interrupt waits until the callback has returned.
            self.ge.interrupt = Some(Interrupt::Finish);
        } else {
            // No callback follows, because the list is paused.
            self.finish_interrupt(machine);
        }
    }

    /// `sceGeContinue`: starts the first list, or goes on with it. Call [`Self::advance`] to run it.
    ///
    /// # Errors
    /// [`GeError::Busy`] if a signal pauses the list and its FINISH is not reached. [`GeError::Already`] if the
    /// list runs, [`GeError::NotSupported`] in other states; [`GeError::Failed`] for both in programs of old SDKs.
    pub fn continue_list<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
    ) -> Result<(), GeError> {
        let Some(head) = self.order.front().copied() else { return Ok(()) };
        let list = &mut self.lists[head];
        match list.state {
            // The break's interrupt is still to come, and will start this list.
            State::Paused if self.is_break_pending => list.state = State::Queued,
            State::Paused if list.mark == Mark::Pause => return Err(GeError::Busy),
            State::Paused => {
                list.mark = Mark::None;
                if self.ge.is_running {
                    // The GE still runs another list that has been displaced. The kernel waits until the GE stops,
                    // and loses its interrupt. This call must end, so it waits for a limited time.
                    self.ge.run(machine, KERNEL_WAIT, &mut self.work);
                }
                self.is_drained = false;
                self.start(machine, head, None);
            }
            State::Running => return Err(self.wrong_state(GeError::Already)),
            State::None | State::Queued | State::Completed => {
                return Err(self.wrong_state(GeError::NotSupported));
            }
        }
        Ok(())
    }

    /// Chooses the error for a call in the wrong state: old SDKs have only a common one.
    const fn wrong_state(&self, error: GeError) -> GeError {
        if self.sdk >= NEW_ERRORS { error } else { GeError::Failed }
    }
}

/// Tells a stalled list from a drawing one by the address the kernel can read: a stalled GE's next word is at the
/// stall address.
fn progress<S: Sink, W: Watch<S>>(
    ge: &Ge,
    machine: &Machine<'_, S, W>,
    lists: &Lists,
    slot: Slot,
) -> ListStatus {
    let is_stalled = ge.visible_pc(machine) == Some(lists[slot].resume.stall);
    if is_stalled { ListStatus::Stalled } else { ListStatus::Drawing }
}
