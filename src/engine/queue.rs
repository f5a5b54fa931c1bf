//! `sceGe`: the kernel's queue of display lists, on top of the interpreter.
//!
//! A program enqueues lists, moves their stall addresses, waits for them, and breaks or continues them. The kernel
//! runs the lists in turn and calls the program back at each signal and at each list's end. [`Queue`] holds the
//! kernel's state and has a method for each system call. The host keeps the time: it calls [`Queue::advance`] to
//! run the GE for some cycles, which returns early if a callback is due. The host then runs the program's function,
//! which may itself make system calls, and reports its return to [`Queue::callback_returned`].
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
//! A call never runs the program and never waits: it returns a [`Wait`] instead, for the host to carry out.
//! Arguments may be any numbers: bad ones give a [`GeError`], never a panic. Each command takes 1 cycle, because
//! the real times are not known. A host with better times stops the run in its watcher.
//!
//! Source: [the list queue](crate::reference::ge::list_queue).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::VecDeque;

mod calls;
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

/// How many callbacks a program can set.
const CALLBACKS: usize = 16;

/// The kernel's state for lists and callbacks. With the feature `serde` it can be saved and restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Queue {
    sdk_version: u32,
    /// The program's version when it last enqueued a list. Calls follow this version, even if a newer is set.
    sdk: u32,
    lists: Lists,
    /// The active lists. Only the first can run.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "list::distinct"))]
    order: VecDeque<Slot>,
    /// The free entries, in the order for taking them.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "list::distinct"))]
    free: VecDeque<Slot>,
    /// The list to which the next FINISH belongs.
    drawing: Option<Slot>,
    /// Whether `sceGeBreak` has broken a list and its interrupt is still to come.
    is_break_pending: bool,
    /// Whether to wake the threads waiting for all lists.
    is_drained: bool,
    ge: Ge,
    /// The current list's work so far, to find how much each run adds.
    work: Work,
    callbacks: [Option<CallbackFunctions>; CALLBACKS],
    /// The step to take when the program's function returns. While this is set, interrupts wait.
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
    /// An interrupt handler runs. Report only the program's own handlers: the queue knows when its callbacks run.
    InterruptHandler,
}

/// A callback's two functions. The kernel never calls a function at address 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CallbackFunctions {
    /// The function to call at signals.
    pub signal: u32,
    /// The second argument to pass to `signal`.
    pub signal_argument: u32,
    /// The function to call when a list ends.
    pub finish: u32,
    /// The second argument to pass to `finish`.
    pub finish_argument: u32,
}

/// A list to enqueue, with the numbers as the program passes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// Where the list starts.
    pub list: u32,
    /// The stall address; 0 for none.
    pub stall: u32,
    /// The id of the callback functions to use; negative for none.
    pub callback: i32,
    /// Where to find {size, context, number of stack entries, stack}; 0 for none.
    pub args: u32,
}

/// Which event a callback reports to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallbackKind {
    /// The list has reached a signal.
    Signal,
    /// The list has ended.
    Finish,
}

/// A function of the program that the host must call now, as function(value, argument, address).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Callback {
    /// Why the kernel calls it.
    pub kind: CallbackKind,
    /// The list that caused this call.
    pub list: ListId,
    /// The function's address.
    pub function: u32,
    /// The low half of the SIGNAL or FINISH word.
    pub value: u16,
    /// The argument set with this function.
    pub argument: u32,
    /// The address of the word after END; 0 for programs of old SDKs.
    pub address: u32,
}

/// The step to take once a callback has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Rest {
    /// Go on with this list.
    Suspend(Slot),
    /// Remove this list, because it has ended.
    Finish(Slot),
    /// Do nothing.
    Nothing,
}

/// How far a call to [`Queue::advance`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many cycles have passed: 1 for each command.
    pub cycles: u64,
    /// How much work the commands did, for hosts that estimate how long the hardware takes.
    pub work: Work,
    /// Why it has stopped.
    pub stop: Stop,
}

/// Why [`Queue::advance`] has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// All the cycles have passed.
    Cycles,
    /// A function of the program is due. Run it, then call [`Queue::callback_returned`].
    Callback(Callback),
    /// Time alone changes nothing before the next call: no list is active, or the first list is stalled, is paused
    /// or hangs, or the GE waits for a callback to return.
    Idle,
    /// The watcher has stopped the run.
    Watch,
    /// A limit is hit.
    Limit,
}

/// How a sync call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sync {
    /// The call returns this state at once.
    Status(ListStatus),
    /// The thread waits until [`Queue::is_over`] says that this wait is over; the call then returns 0.
    Wait(Wait),
}

/// A list's state, with the number that sync calls return for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListStatus {
    /// It has ended.
    Completed = 0,
    /// It waits for its turn.
    Queued = 1,
    /// It runs.
    Drawing = 2,
    /// It has reached its stall address.
    Stalled = 3,
    /// It waits for `sceGeContinue`.
    Paused = 4,
}

/// The event for which a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wait {
    /// This list's end.
    List(ListId),
    /// The end of all lists.
    Drawing,
}

impl Default for Queue {
    fn default() -> Self {
        Self::new()
    }
}

impl Queue {
    /// Creates an empty queue, as after boot, for a program without SDK version.
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

    /// Sets the program's version, as `sceKernelSetCompiledSdkVersion` does. It takes effect when the program next
    /// enqueues a list.
    pub const fn set_sdk_version(&mut self, version: u32) {
        self.sdk_version = version;
    }

    /// Says whether the thread that makes the next calls may wait. Sync calls fail with the matching error if not.
    pub const fn set_may_wait(&mut self, may_wait: Result<(), WaitBan>) {
        self.may_wait = may_wait;
    }

    /// Returns the active lists, whether they run, wait or are paused, first to last.
    pub fn active(&self) -> impl Iterator<Item = ListId> {
        self.order.iter().map(|slot| slot.id())
    }

    /// `sceGeSetCallback`: stores the functions for lists to use. Returns the lowest free id.
    ///
    /// # Errors
    /// [`GeError::Privilege`] for kernel addresses, [`GeError::OutOfMemory`] if 16 callbacks are set.
    pub fn set_callback(&mut self, functions: CallbackFunctions) -> Result<i32, GeError> {
        check_pointer(functions.signal, 0)?;
        check_pointer(functions.finish, 0)?;
        let mut places = (0..).zip(&mut self.callbacks);
        let (id, place) = places.find(|(_, place)| place.is_none()).ok_or(GeError::OutOfMemory)?;
        *place = Some(functions);
        Ok(id)
    }

    /// `sceGeUnsetCallback`: frees the id. Lists that still use this callback go on without it.
    ///
    /// # Errors
    /// [`GeError::InvalidId`] if the id is not from 0 to 15.
    pub fn unset_callback(&mut self, id: i32) -> Result<(), GeError> {
        let place = usize::try_from(id).ok().and_then(|id| self.callbacks.get_mut(id));
        *place.ok_or(GeError::InvalidId)? = None;
        Ok(())
    }
}

/// Refuses pointers to kernel memory: `size` bytes from the pointer on must have the top bit of their address
/// clear.
fn check_pointer(pointer: u32, size: u32) -> Result<(), GeError> {
    if (pointer | pointer.wrapping_add(size)) >> 31 == 1 {
        return Err(GeError::Privilege);
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
