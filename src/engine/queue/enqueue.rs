//! Enqueues lists.

use super::list::{List, ListId, Mark, Resume, Slot, State};
use super::machine::{Machine, Work};
use super::{GeError, ListRequest, Queue, check_pointer};
use crate::ge::address::Address;
use crate::ge::registers::context::CONTEXT_BYTES;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

/// From this SDK on, a new list's address and stack must not be in use.
const CHECKS_DUPLICATES: u32 = 0x0200_0000;
/// How many calls by signal the kernel's own stack holds.
const KERNEL_STACK: u32 = 32;
/// A program's stack must have fewer entries than this.
const STACK_MAX: u32 = 256;
/// Arguments of at least this size include a stack.
const SIZE_WITH_STACK: u32 = 16;
/// Clears the address bits that select the cache, to compare addresses as the kernel does.
const UNCACHED: u32 = 0x1FFF_FFFF;

impl Queue {
    /// `sceGeListEnQueue`: appends a list, and starts it if no other is active.
    ///
    /// # Errors
    /// Source: [enqueue](crate::reference::ge::list_queue#enqueue).
    pub fn enqueue<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        request: &ListRequest,
    ) -> Result<ListId, GeError> {
        let slot = self.take_entry(machine, request)?;
        let is_alone = self.order.is_empty();
        self.order.push_back(slot);
        let list = &mut self.lists[slot];
        list.state = State::Queued;
        list.is_done = false;
        if is_alone {
            self.is_drained = false;
            self.start(machine, slot, None);
        }
        Ok(slot.id())
    }

    /// `sceGeListEnQueueHead`: puts a list before all others. It stays paused until [`Self::continue_list`].
    ///
    /// # Errors
    /// Source: [enqueue](crate::reference::ge::list_queue#enqueue).
    pub fn enqueue_head<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        request: &ListRequest,
    ) -> Result<ListId, GeError> {
        let slot = self.take_entry(machine, request)?;
        if let Some(head) = self.order.front() {
            let head = &mut self.lists[*head];
            if head.state != State::Paused {
                // As in the kernel, this entry is lost until a reset of the queue.
                return Err(GeError::InvalidValue);
            }
            head.state = State::Queued;
        }
        self.order.push_front(slot);
        let list = &mut self.lists[slot];
        list.state = State::Paused;
        list.is_done = false;
        Ok(slot.id())
    }

    /// Checks a request and takes an entry for it.
    fn take_entry<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        request: &ListRequest,
    ) -> Result<Slot, GeError> {
        let ListRequest { list, stall, callback, args } = *request;
        check_pointer(list, 0)?;
        check_pointer(stall, 0)?;
        check_pointer(args, SIZE_WITH_STACK)?;
        self.sdk = self.sdk_version;
        let is_new = self.sdk >= CHECKS_DUPLICATES;
        let (mut context, mut stack, mut stack_size) = (0, 0, if is_new { 0 } else { KERNEL_STACK });
        if args != 0 {
            let [size, given_context, given_stack_size, given_stack] = machine.words(Address::new(args));
            check_pointer(given_context, CONTEXT_BYTES)?;
            context = given_context;
            if size >= SIZE_WITH_STACK {
                if given_stack_size >= STACK_MAX {
                    return Err(GeError::InvalidSize);
                }
                check_pointer(given_stack, given_stack_size.saturating_mul(32))?;
                (stack, stack_size) = (given_stack, given_stack_size);
            }
        }
        if (list | stall | context | stack) & 3 != 0 {
            return Err(GeError::InvalidPointer);
        }
        let is_duplicate = |active: &List| {
            (active.resume.pc ^ list) & UNCACHED == 0
                || active.is_started && stack != 0 && active.stack == stack
        };
        if is_new && self.order.iter().any(|slot| is_duplicate(&self.lists[*slot])) {
            return Err(GeError::Busy);
        }
        let slot = self.free.pop_front().ok_or(GeError::OutOfMemory)?;
        self.lists[slot] = List {
            // If a head list is then refused, its entry still shows the former list's state.
            state: self.lists[slot].state,
            mark: Mark::None,
            is_started: false,
            is_done: self.lists[slot].is_done,
            resume: Resume { pc: list, stall, ..Resume::default() },
            callback,
            context,
            stack,
            stack_size: usize::try_from(stack_size).unwrap_or(0),
            frames: Vec::new(),
            pause_value: 0,
        };
        Ok(slot)
    }

    /// Starts a list or goes on with it. When a list first starts, its context receives the registers to restore at
    /// its end. After a list with a context, this is a copy of that context, because the registers were just
    /// restored from it.
    pub(super) fn start<S: Sink, W: Watch<S>>(
        &mut self,
        machine: &mut Machine<'_, S, W>,
        slot: Slot,
        last_context: Option<u32>,
    ) {
        let list = &mut self.lists[slot];
        let is_first = !std::mem::replace(&mut list.is_started, true);
        list.state = State::Running;
        if is_first && list.context != 0 {
            match last_context {
                Some(last) => {
                    let words: [u32; CONTEXT_BYTES as usize / 4] = machine.words(Address::new(last));
                    machine.write(Address::new(list.context), &words);
                }
                None => machine.save_context(Address::new(list.context)),
            }
        }
        let Resume { pc, stall, offset, calls, box_visible, base } = list.resume.clone();
        machine.set_flow(|flow| {
            flow.pc = Address::new(pc);
            flow.stall = (stall != 0).then(|| Address::new(stall));
            flow.offset = offset;
            flow.stack = calls;
            flow.box_visible = box_visible;
        });
        if let Some(base) = base {
            machine.execute(base);
        }
        if is_first {
            machine.interpreter.begin(machine.memory, machine.sink, machine.limits);
            self.work = Work::default();
        }
        self.ge.go();
        self.drawing = Some(slot);
    }
}
