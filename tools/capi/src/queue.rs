//! Answers a program's sceGe* functions, and runs its lists as the kernel does.

use pspge::queue::{
    Callback, CallbackFunctions, CallbackKind, GeError, ListId, ListRequest, Machine, Progress, Queue, Stop,
    Sync, Wait, WaitBan,
};
use pspge::run::sink::Tee;
use pspge::run::watch::Watch;
use pspge::{Address, Note, Rasterizer, Sink};

use crate::border::{call, input, output, sized_or_default};
use crate::changes::report_changes;
use crate::counts::ListCounts;
use crate::host_sink::HostSink;
use crate::instance::{Instance, Pspge};
use crate::loan::{Loan, Pending};
use crate::run::{NOTES_MAX, RUN_KEEP_PENDING, RUN_NO_DRAWING, RunOptions};
use crate::status::{Failure, Status};
use crate::watch::{RunWatch, StopReason, Stops};

/// The thread may wait.
pub const THREAD_MAY_WAIT: u32 = 0;
/// Interrupts or thread switches are disabled, so the thread may not wait.
pub const THREAD_DISABLED: u32 = 1;
/// An interrupt handler runs, other than the queue's own callbacks.
pub const THREAD_INTERRUPT_HANDLER: u32 = 2;

/// The program's functions answered by pspge_queue_call. The arguments are the function's own.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCall {
    /// sceGeListEnQueue
    ListEnQueue = 0,
    /// sceGeListEnQueueHead
    ListEnQueueHead = 1,
    /// sceGeListDeQueue
    ListDeQueue = 2,
    /// sceGeListUpdateStallAddr
    ListUpdateStallAddr = 3,
    /// sceGeListSync
    ListSync = 4,
    /// sceGeDrawSync
    DrawSync = 5,
    /// sceGeBreak
    Break = 6,
    /// sceGeContinue
    Continue = 7,
    /// sceGeSetCallback
    SetCallback = 8,
    /// sceGeUnsetCallback
    UnsetCallback = 9,
    /// sceGeSaveContext
    SaveContext = 10,
    /// sceGeRestoreContext
    RestoreContext = 11,
    /// sceGeGetCmd
    GetCmd = 12,
    /// sceGeGetMtx
    GetMtx = 13,
    /// sceGeGetStack
    GetStack = 14,
    /// sceGeEdramSetAddrTranslation
    EdramSetAddrTranslation = 15,
    /// sceKernelSetCompiledSdkVersion; the kernel's answers depend on it
    SetCompiledSdkVersion = 16,
}

impl QueueCall {
    /// All calls, by number.
    const ALL: [Self; 17] = [
        Self::ListEnQueue,
        Self::ListEnQueueHead,
        Self::ListDeQueue,
        Self::ListUpdateStallAddr,
        Self::ListSync,
        Self::DrawSync,
        Self::Break,
        Self::Continue,
        Self::SetCallback,
        Self::UnsetCallback,
        Self::SaveContext,
        Self::RestoreContext,
        Self::GetCmd,
        Self::GetMtx,
        Self::GetStack,
        Self::EdramSetAddrTranslation,
        Self::SetCompiledSdkVersion,
    ];
}

/// Why a thread waits.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueWait {
    /// It does not: the call returns.
    #[default]
    None = 0,
    /// For a list to end.
    List = 1,
    /// For all lists to end.
    Drawing = 2,
}

/// How a call is answered.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueAnswer {
    /// The function's return value, errors included; 0 for a thread that waits.
    pub value: u32,
    /// Why the thread waits, a PSPGE_QUEUE_WAIT number. See pspge_queue_is_over.
    pub wait: QueueWait,
    /// The list to wait for.
    pub list: u32,
}

/// Why the GE has stopped.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueStop {
    /// The cycles have passed.
    Cycles = 0,
    /// A function of the program is due. Call it, then pspge_queue_callback_returned.
    Callback = 1,
    /// Nothing happens before the next call.
    #[default]
    Idle = 2,
    /// The draw callback or the command callback asked for it.
    Stopped = 3,
    /// The list has reached its limit on vertices or pixels.
    Limit = 4,
}

/// How far the GE has come.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueProgress {
    /// How many cycles have passed: one for each command. pspge_get_counts tells how much work they did.
    pub cycles: u64,
    /// Why it has stopped, a PSPGE_QUEUE_STOP number. The other members are 0 unless a function is due.
    pub stop: QueueStop,
    /// 1 if a list has ended, 0 for a signal.
    pub is_finish: u32,
    /// The list.
    pub list: u32,
    /// Where the function to call is.
    pub function: u32,
    /// The three arguments to pass to it.
    pub arguments: [u32; 3],
}

/// Keeps a run's notes.
#[derive(Debug)]
struct Notes {
    kept: Vec<Note>,
    dropped: u64,
}

impl<S> Watch<S> for Notes {
    fn note(&mut self, note: &Note) {
        if self.kept.len() < NOTES_MAX {
            self.kept.push(*note);
        } else {
            self.dropped += 1;
        }
    }

    fn undisturbed_commands(&self) -> u64 {
        u64::MAX
    }
}

/// Lets a function run the queue, and describes how far it came.
///
/// # Safety
/// As for pspge_queue_advance.
unsafe fn run(
    instance: *const Pspge,
    options: *const RunOptions,
    progress: *mut QueueProgress,
    function: impl FnOnce(&mut Queue, &mut Machine<'_, HostSink<'_>, Tee<RunWatch<'_>, Notes>>) -> Progress,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let slot = unsafe { output("progress", progress) }?;
        // SAFETY: as the caller ensures.
        let options: RunOptions = unsafe { sized_or_default(options) }?;
        options.check(RUN_KEEP_PENDING | RUN_NO_DRAWING)?;
        if options.max_commands != 0 {
            return Err(Failure::BadArgument("the queue takes no number of commands".to_owned()));
        }
        let keeps_pending = options.has(RUN_KEEP_PENDING);
        let pending = if keeps_pending { Pending::DrawOn } else { Pending::Complete };
        let done = report_changes(state, pending, |loan, record| {
            let Instance {
                memory,
                interpreter,
                raster,
                callbacks,
                counts,
                queue,
                notes,
                notes_dropped,
                was_asked,
                recording,
                ..
            } = &mut **loan;
            let draws = !options.has(RUN_NO_DRAWING);
            let mut recorder = recording.running();
            if let Some(recorder) = &mut recorder {
                recorder.enter(memory, interpreter, raster, draws);
            }
            let stops = Stops { was_asked: *was_asked, ..Stops::NEVER };
            let watch = RunWatch::new(record, callbacks, recorder, stops);
            let mut watch = Tee(watch, Notes { kept: Vec::new(), dropped: 0 });
            let limits = &options.limits(&ListCounts::default());
            let sink = &mut HostSink { raster, draws };
            let done = function(queue, &mut Machine { interpreter, memory, sink, watch: &mut watch, limits });
            counts.add_work(done.cycles, done.work);
            let Tee(watch, kept) = watch;
            if let Some(recorder) = watch.into_recorder() {
                recorder.leave(memory, interpreter, raster);
            }
            (*notes, *notes_dropped) = (kept.kept, kept.dropped);
            *was_asked = record.reason == Some(StopReason::CommandCallback);
            if !keeps_pending {
                loan.flush();
            }
            done
        })?;
        slot.write(describe(&done));
        Ok(())
    })
}

fn describe(progress: &Progress) -> QueueProgress {
    let cycles = progress.cycles;
    let stopped = |stop| QueueProgress { cycles, stop, ..QueueProgress::default() };
    match progress.stop {
        Stop::Callback(callback) => {
            let Callback { kind, list, function, value, argument, address, .. } = callback;
            QueueProgress {
                is_finish: u32::from(kind == CallbackKind::Finish),
                list: list.0,
                function,
                arguments: [value.into(), argument, address],
                ..stopped(QueueStop::Callback)
            }
        }
        Stop::Cycles => stopped(QueueStop::Cycles),
        Stop::Watch => stopped(QueueStop::Stopped),
        Stop::Limit => stopped(QueueStop::Limit),
        _ => stopped(QueueStop::Idle),
    }
}

/// Answers a call. An unknown call number is the host's failure.
fn answer(loan: &mut Loan<'_>, number: u32, arguments: [u32; 4]) -> Result<QueueAnswer, Failure> {
    let Instance { memory, interpreter, raster, queue, .. } = &mut **loan;
    let limits = &RunOptions::default().limits(&ListCounts::default());
    let watch = &mut pspge::NullObserver;
    let machine = &mut Machine { interpreter, memory, sink: raster, watch, limits };
    let [a0, a1, a2, a3] = arguments;
    let (list, index) = (ListId(a0), a0.cast_signed());
    let request = ListRequest { list: a0, stall: a1, callback: a2.cast_signed(), args: a3 };
    let call = QueueCall::ALL.into_iter().find(|call| *call as u32 == number);
    let call = call.ok_or_else(|| Failure::BadArgument(format!("{number} is not a call")))?;
    let result = match call {
        QueueCall::ListEnQueue => queue.enqueue(machine, &request).map(|id| id.0),
        QueueCall::ListEnQueueHead => queue.enqueue_head(machine, &request).map(|id| id.0),
        QueueCall::ListDeQueue => queue.dequeue(list).map(|()| 0),
        QueueCall::ListUpdateStallAddr => queue.update_stall(machine, list, a1).map(|()| 0),
        QueueCall::ListSync => return Ok(synced(queue.list_sync(machine, list, a1))),
        QueueCall::DrawSync => return Ok(synced(queue.draw_sync(machine, a0))),
        QueueCall::Break => queue.break_list(machine, a0, a1).map(|id| id.map_or(0, |id| id.0)),
        QueueCall::Continue => queue.continue_list(machine).map(|()| 0),
        QueueCall::SetCallback => callback_functions(machine, a0)
            .and_then(|functions| queue.set_callback(functions))
            .map(i32::cast_unsigned),
        QueueCall::UnsetCallback => queue.unset_callback(index).map(|()| 0),
        QueueCall::SaveContext => queue.save_context(machine, a0).map(|()| 0),
        QueueCall::RestoreContext => queue.restore_context(machine, a0).map(|()| 0),
        QueueCall::GetCmd => queue.get_cmd(machine, index),
        QueueCall::GetMtx => queue.get_mtx(machine, index, a1).map(|()| 0),
        QueueCall::GetStack => queue.get_stack(machine, index, a1),
        QueueCall::EdramSetAddrTranslation => queue.set_edram_translation(machine, a0),
        QueueCall::SetCompiledSdkVersion => {
            queue.set_sdk_version(a0);
            Ok(0)
        }
    };
    Ok(QueueAnswer { value: result.unwrap_or_else(GeError::code), ..QueueAnswer::default() })
}

fn synced(result: Result<Sync, GeError>) -> QueueAnswer {
    match result {
        Ok(Sync::Status(status)) => QueueAnswer { value: status as u32, ..QueueAnswer::default() },
        Ok(Sync::Wait(Wait::List(list))) => QueueAnswer { value: 0, wait: QueueWait::List, list: list.0 },
        Ok(_) => QueueAnswer { wait: QueueWait::Drawing, ..QueueAnswer::default() },
        Err(error) => QueueAnswer { value: error.code(), ..QueueAnswer::default() },
    }
}

/// Reads {signal function, its argument, finish function, its argument}.
fn callback_functions(
    machine: &mut Machine<'_, Rasterizer, pspge::NullObserver>,
    address: u32,
) -> Result<CallbackFunctions, GeError> {
    if address >> 31 == 1 {
        return Err(GeError::Privilege);
    }
    let at = Address::new(address);
    machine.sink.flush_for_read(machine.memory, at, 16);
    let word = |place: u32| machine.memory.read_u32(at.offset(place * 4));
    Ok(CallbackFunctions {
        signal: word(0),
        signal_argument: word(1),
        finish: word(2),
        finish_argument: word(3),
    })
}

/// Answers a program's function, a PSPGE_SCE_GE number, with its four argument registers. Structures and contexts
/// are read from and written to memory. This runs no list: call pspge_queue_advance after it, to let the program see
/// the effects.
///
/// The queue and pspge_run use the same machine, but do not know of each other: use only one of them for a program.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `arguments` is null or valid for reads of four words,
/// `answer` is null or valid for writes. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_queue_call(
    instance: *const Pspge,
    number: u32,
    arguments: *const u32,
    answer: *mut QueueAnswer,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let arguments = unsafe { input("arguments", arguments, 4) }?;
        // SAFETY: as the caller ensures.
        let slot = unsafe { output("answer", answer) }?;
        let arguments = [0, 1, 2, 3].map(|place: usize| arguments.get(place).copied().unwrap_or(0));
        let mut loan = Loan::new(state, Pending::DrawOn)?;
        slot.write(self::answer(&mut loan, number, arguments)?);
        loan.finish();
        Ok(())
    })
}

/// Runs the lists in the queue for some cycles, one for each command. This returns early if a function of the
/// program is due, or if nothing happens before the next call. Afterwards memory holds everything drawn, unless
/// PSPGE_RUN_KEEP_PENDING is set. `options` is null, or limits each list's vertices and pixels, and has the flags
/// PSPGE_RUN_KEEP_PENDING and PSPGE_RUN_NO_DRAWING or none; its other members are 0.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
/// `struct_size` says. `progress` is null or valid for writes. During this call, nobody else uses memory given to
/// the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_queue_advance(
    instance: *const Pspge,
    cycles: u64,
    options: *const RunOptions,
    progress: *mut QueueProgress,
) -> Status {
    // SAFETY: as the caller ensures.
    unsafe { run(instance, options, progress, |queue, machine| queue.advance(machine, cycles)) }
}

/// Goes on like pspge_queue_advance, once the function of PSPGE_QUEUE_STOP_CALLBACK has returned. Calls made by this
/// function come before it.
///
/// # Safety
/// As for pspge_queue_advance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_queue_callback_returned(
    instance: *const Pspge,
    cycles: u64,
    options: *const RunOptions,
    progress: *mut QueueProgress,
) -> Status {
    // SAFETY: as the caller ensures.
    unsafe { run(instance, options, progress, |queue, machine| queue.callback_returned(machine, cycles)) }
}

/// Asks whether a thread's wait is over, and sets `*is_over` to 1 or 0. Ask after each pspge_queue_advance, before
/// the next list is enqueued.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `is_over` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_queue_is_over(
    instance: *const Pspge,
    wait: u32,
    list: u32,
    is_over: *mut u32,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let slot = unsafe { output("is_over", is_over) }?;
        let wait = match wait {
            0 => None,
            1 => Some(Wait::List(ListId(list))),
            2 => Some(Wait::Drawing),
            other => return Err(Failure::BadArgument(format!("{other} is nothing to wait for"))),
        };
        slot.write(u32::from(wait.is_none_or(|wait| state.queue.is_over(wait))));
        Ok(())
    })
}

/// Tells whether the thread that makes the next calls may wait, a PSPGE_THREAD number. The queue itself knows when
/// its callbacks run.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_queue_set_thread(instance: *const Pspge, thread: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.queue.set_may_wait(match thread {
            THREAD_MAY_WAIT => Ok(()),
            THREAD_DISABLED => Err(WaitBan::Disabled),
            THREAD_INTERRUPT_HANDLER => Err(WaitBan::InterruptHandler),
            other => return Err(Failure::BadArgument(format!("{other} is not a state of a thread"))),
        });
        Ok(())
    })
}
