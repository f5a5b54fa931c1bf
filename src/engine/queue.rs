//! `sceGe`: the kernel's queue of display lists, on top of the interpreter.
//!
//! A program enqueues lists, moves their stall addresses, waits for them, breaks and continues them; the kernel runs them
//! one after another and calls the program back at signals and at the end. [`Queue`] holds what the kernel knows and has
//! a method for each system call. The host keeps the time: [`Queue::advance`] runs the GE for some cycles and returns
//! early if a callback is due. The host then runs the program's function, which may make calls itself, and reports its
//! return with [`Queue::callback_returned`].
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::limits::Limits;
//! use pspge::queue::{CallbackFunctions, ListRequest, ListStatus, Machine, Queue, Stop, Sync};
//! use pspge::{Arithmetic, Interpreter, NullObserver, NullSink, Registers};
//!
//! let program = pspge::asm::assemble("NOP | FINISH 7 | END")?;
//! let mut memory = program.capture().memory;
//! let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
//! let machine = &mut Machine {
//!     interpreter: &mut interpreter,
//!     memory: &mut memory,
//!     sink: &mut NullSink,
//!     watch: &mut NullObserver,
//!     limits: &Limits::default(),
//! };
//! let mut queue = Queue::new();
//! // The finish function is at 0x08804000 in the program. It gets 5 as its second argument.
//! let functions = CallbackFunctions { finish: 0x0880_4000, finish_argument: 5, ..CallbackFunctions::default() };
//! let callback = queue.set_callback(functions)?;
//!
//! // The list stalls before its second word.
//! let list = program.entry.get();
//! let id = queue.enqueue(machine, &ListRequest { list, stall: list + 4, callback, args: 0 })?;
//! let progress = queue.advance(machine, 1000);
//! assert_eq!((progress.cycles, progress.stop), (1, Stop::Idle));
//! assert_eq!(queue.list_sync(machine, id, 1), Ok(Sync::Status(ListStatus::Stalled)));
//!
//! // Without a stall address it runs to its end.
//! queue.update_stall(machine, id, 0)?;
//! let progress = queue.advance(machine, 1000);
//! let Stop::Callback(call) = progress.stop else { panic!("the finish function is due") };
//! assert_eq!((call.function, call.value, call.argument), (0x0880_4000, 7, 5));
//! let progress = queue.callback_returned(machine, 1000);
//! assert_eq!((progress.stop, queue.draw_sync(machine, 1)), (Stop::Idle, Ok(Sync::Status(ListStatus::Completed))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! A call never runs the program and never waits: it returns a [`Wait`] instead. Any numbers as arguments give a
//! [`GeError`], never a panic. One command takes one cycle, because the real times are not known; a host with better times
//! stops the run in its watcher.
//!
//! Source: [the list queue](crate::reference::ge::list_queue).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::VecDeque;

mod calls;
mod context;
mod enqueue;
mod error;
mod interrupts;
mod list;
mod machine;
mod queries;
mod signals;

pub use error::GeError;
pub use list::{LISTS, ListId};
use list::{Lists, Slot};
use machine::Ge;
pub use machine::{Machine, Work};

/// How many callbacks can be set.
const CALLBACKS: usize = 16;

/// What the kernel knows about lists and callbacks. With the feature `serde` it can be saved and restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Queue {
    /// The program's version.
    sdk_version: u32,
    /// The version at the last time that a list was enqueued.
    sdk: u32,
    lists: Lists,
    /// The active lists. Only the first one can run.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "list::distinct"))]
    order: VecDeque<Slot>,
    /// The free entries, in the order in which they are taken.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "list::distinct"))]
    free: VecDeque<Slot>,
    /// The list to which the next FINISH belongs.
    drawing: Option<Slot>,
    /// Whether the kernel has broken a list, but not seen the interrupt that follows.
    is_break_pending: bool,
    /// Whether threads that wait for all lists go on.
    is_drained: bool,
    ge: Ge,
    /// What the current list has done so far.
    work: Work,
    callbacks: [Option<CallbackFunctions>; CALLBACKS],
    /// What is left to do when the program's function returns.
    rest: Option<Rest>,
    may_wait: Result<(), WaitBan>,
}

/// Why a thread may not wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WaitBan {
    /// Interrupts or thread switches are disabled.
    Disabled,
    /// An interrupt handler runs. The queue itself knows when its own callbacks run.
    InterruptHandler,
}

/// The functions of a callback. A function at address 0 is not called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CallbackFunctions {
    /// The function for signals.
    pub signal: u32,
    /// Its second argument.
    pub signal_argument: u32,
    /// The function for the end of a list.
    pub finish: u32,
    /// Its second argument.
    pub finish_argument: u32,
}

/// A list to enqueue, with the numbers that the program passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// The address of the first word.
    pub list: u32,
    /// The stall address; 0 for none.
    pub stall: u32,
    /// The id of the callbacks; negative for none.
    pub callback: i32,
    /// The address of {size, context, number of stack entries, stack}; 0 for none.
    pub args: u32,
}

/// The kind of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallbackKind {
    /// A signal.
    Signal,
    /// The end of a list.
    Finish,
}

/// A function of the program to call now, as function(value, argument, address).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Callback {
    /// Why it is called.
    pub kind: CallbackKind,
    /// The list.
    pub list: ListId,
    /// The address of the function.
    pub function: u32,
    /// The low half of the SIGNAL or FINISH word.
    pub value: u16,
    /// The argument that was set with the function.
    pub argument: u32,
    /// The address of the word after END; 0 for programs of old SDKs.
    pub address: u32,
}

/// What is left to do after a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Rest {
    /// The list goes on.
    Suspend(Slot),
    /// The list has ended.
    Finish(Slot),
    /// Nothing.
    Nothing,
}

/// How far the GE has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The cycles that have passed: one for each command.
    pub cycles: u64,
    /// What the commands did, for a host that computes how long the hardware takes.
    pub work: Work,
    /// Why it has stopped.
    pub stop: Stop,
}

/// Why [`Queue::advance`] has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The cycles have passed.
    Cycles,
    /// A function of the program is due. Call [`Queue::callback_returned`] after it.
    Callback(Callback),
    /// Nothing happens before the next call: no list is active, or the first one is stalled, is paused or hangs, or the GE
    /// waits for the return of a callback.
    Idle,
    /// The watcher has stopped the run.
    Watch,
    /// A limit is hit.
    Limit,
}

/// The result of a sync call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sync {
    /// The call returns this.
    Status(ListStatus),
    /// The thread waits until [`Queue::is_over`] says that the wait is over, and returns 0 then.
    Wait(Wait),
}

/// The state of a list, with the number that a sync call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListStatus {
    /// It has ended.
    Completed = 0,
    /// It waits behind others.
    Queued = 1,
    /// It runs.
    Drawing = 2,
    /// It has reached its stall address.
    Stalled = 3,
    /// It waits for `sceGeContinue`.
    Paused = 4,
}

/// A thread's wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wait {
    /// For the end of a list.
    List(ListId),
    /// For the end of all lists.
    Drawing,
}

impl Default for Queue {
    fn default() -> Self {
        Self::new()
    }
}

impl Queue {
    /// Creates an empty queue for a program without SDK version, as after boot.
    #[must_use]
    pub fn new() -> Self {
        Self {
            sdk_version: 0,
            sdk: 0,
            lists: Lists::default(),
            order: VecDeque::new(),
            free: Slot::all().collect(),
            drawing: None,
            is_break_pending: false,
            is_drained: true,
            ge: Ge::default(),
            work: Work::default(),
            callbacks: [None; CALLBACKS],
            rest: None,
            may_wait: Ok(()),
        }
    }

    /// Sets the program's version, as `sceKernelSetCompiledSdkVersion` does. It holds from the next enqueued list on.
    pub const fn set_sdk_version(&mut self, version: u32) {
        self.sdk_version = version;
    }

    /// Says whether the thread that makes the next calls may wait.
    pub const fn set_may_wait(&mut self, may_wait: Result<(), WaitBan>) {
        self.may_wait = may_wait;
    }

    /// Returns the active lists: running, queued or paused, in their order.
    pub fn active(&self) -> impl Iterator<Item = ListId> {
        self.order.iter().map(|slot| slot.id())
    }

    /// `sceGeSetCallback`. Returns the lowest free id.
    ///
    /// # Errors
    /// [`GeError::Privilege`] for functions of the kernel, [`GeError::OutOfMemory`] if 16 callbacks are set.
    pub fn set_callback(&mut self, functions: CallbackFunctions) -> Result<i32, GeError> {
        check_pointer(functions.signal, 0)?;
        check_pointer(functions.finish, 0)?;
        let mut places = (0..).zip(&mut self.callbacks);
        let (id, place) = places.find(|(_, place)| place.is_none()).ok_or(GeError::OutOfMemory)?;
        *place = Some(functions);
        Ok(id)
    }

    /// `sceGeUnsetCallback`. Lists that still use the callback go on without it.
    ///
    /// # Errors
    /// [`GeError::InvalidId`] if the id is not from 0 to 15.
    pub fn unset_callback(&mut self, id: i32) -> Result<(), GeError> {
        let place = usize::try_from(id).ok().and_then(|id| self.callbacks.get_mut(id));
        *place.ok_or(GeError::InvalidId)? = None;
        Ok(())
    }
}

/// Checks that `size` bytes at a program's pointer do not belong to the kernel.
fn check_pointer(pointer: u32, size: u32) -> Result<(), GeError> {
    if (pointer | pointer.wrapping_add(size)) >> 31 == 1 {
        return Err(GeError::Privilege);
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
