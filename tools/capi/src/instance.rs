//! Creates, resets and destroys instances.

use std::cell::UnsafeCell;
use std::ffi::{CString, c_char};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};

use pspge::ge::edram::Translation;
use pspge::ge::memory::VramMark;
use pspge::queue::Queue;
use pspge::run::sink::Sink;
use pspge::{Ending, Interpreter, Memory, Note, RasterOptions, Rasterizer, Registers};

use crate::border::{c_text, call, guard, output, sized};
use crate::callbacks::Callbacks;
use crate::changes::with_memory;
use crate::config::{Config, FLAG_REPORTS_CHANGES};
use crate::counts::{CountedWork, ListCounts};
use crate::loan::{HostPointers, Loan, Pending};
use crate::recording::Recording;
use crate::status::{Failure, Status};

/// No call is at work on an instance.
const FREE: u8 = 0;
/// A call is at work.
const BUSY: u8 = 1;
/// A call has panicked.
const FAILED: u8 = 2;

/// An instance of the Graphics Engine.
// Calls exclude each other without waiting. A mutex would do for this, too, but takes half the time of a small call.
pub struct Pspge {
    lock: AtomicU8,
    state: UnsafeCell<Instance>,
}

// SAFETY: the lock lets a single thread at a time use the state, which may be sent between threads.
unsafe impl Sync for Pspge {}

/// Fails to compile if an instance cannot be sent between threads.
const fn assert_send<T: Send>() {}
const _: () = assert_send::<Instance>();

impl fmt::Debug for Pspge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pspge").field("lock", &self.lock).finish_non_exhaustive()
    }
}

impl Pspge {
    fn new(state: Instance) -> Self {
        Self { lock: AtomicU8::new(FREE), state: UnsafeCell::new(state) }
    }

    /// Calls a function on the state, unless another call is at work or has panicked. If this function panics, no
    /// later call sees the state.
    pub(crate) fn use_alone<T>(&self, function: impl FnOnce(&mut Instance) -> T) -> Result<T, Status> {
        match self.lock.compare_exchange(FREE, BUSY, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => {}
            Err(FAILED) => return Err(Status::Panic),
            Err(_) => return Err(Status::Busy),
        }
        // SAFETY: only a call that has changed the lock from free to busy comes here, until it changes it back.
        let state = unsafe { &mut *self.state.get() };
        let result = catch_unwind(AssertUnwindSafe(|| function(state)));
        let lock = if result.is_ok() { FREE } else { FAILED };
        self.lock.store(lock, Ordering::Release);
        result.map_err(|_| Status::Panic)
    }
}

#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) memory: Memory,
    pub(crate) pointers: HostPointers,
    pub(crate) interpreter: Interpreter,
    pub(crate) raster: Rasterizer,
    pub(crate) options: RasterOptions,
    /// Whether the host reports changes to its memory.
    pub(crate) reports_changes: bool,
    /// While threads draw on between calls, this marks the state of VRAM when changes were last reported.
    pub(crate) unreported: Option<VramMark>,
    pub(crate) queue: Queue,
    pub(crate) callbacks: Callbacks,
    pub(crate) counts: CountedWork,
    /// The current list's counts so far.
    pub(crate) list: ListCounts,
    /// Why the list can never go on, if it hangs.
    pub(crate) hang: Option<Ending>,
    /// Whether the command callback has stopped the list before its next command, so as not to ask again.
    pub(crate) was_asked: bool,
    pub(crate) recording: Recording,
    /// Notes on the last call that executed commands.
    pub(crate) notes: Vec<Note>,
    /// How many notes on that call were dropped, because there were too many.
    pub(crate) notes_dropped: u64,
    /// The last failure's sentence.
    pub(crate) error: CString,
}

impl Instance {
    /// Creates an instance as after power-on.
    ///
    /// # Safety
    /// As for [`HostPointers::new`].
    unsafe fn new(config: &Config) -> Result<Self, Failure> {
        config.check()?;
        let arithmetic = config.arithmetic()?;
        // SAFETY: as the caller ensures.
        let pointers = unsafe { HostPointers::new(config) }?;
        let options = RasterOptions { arithmetic, threads: config.threads, ..RasterOptions::default() };
        let mut instance = Self {
            memory: pointers.memory()?,
            pointers,
            interpreter: Interpreter::new(Registers::new(), arithmetic),
            raster: Rasterizer::new(options),
            options,
            reports_changes: config.flags & FLAG_REPORTS_CHANGES != 0,
            unreported: None,
            queue: Queue::new(),
            callbacks: Callbacks::default(),
            counts: CountedWork::default(),
            list: ListCounts::default(),
            hang: None,
            was_asked: false,
            recording: Recording::default(),
            notes: Vec::new(),
            notes_dropped: 0,
            error: CString::default(),
        };
        // A first loan checks the sizes now, so that later calls cannot fail for them.
        drop(Loan::new(&mut instance, Pending::Complete)?);
        Ok(instance)
    }

    /// Completes all draws.
    pub(crate) fn flush(&mut self) {
        let Self { memory, raster, .. } = self;
        raster.flush(memory);
    }

    /// Resets everything but memory, callbacks and counts to its state after power-on.
    fn reset(&mut self) -> Result<(), Failure> {
        with_memory(self, |loan| {
            loan.flush();
            Ok(())
        })?;
        (self.list, self.hang, self.was_asked) = (ListCounts::default(), None, false);
        self.interpreter = Interpreter::new(Registers::new(), self.options.arithmetic);
        self.counts.keep(&self.raster);
        self.raster = Rasterizer::new(self.options);
        if let Some(recorder) = self.recording.running() {
            recorder.suspect_texture_cache();
        }
        self.memory.set_translation(Translation::default());
        self.queue = Queue::new();
        self.notes.clear();
        self.notes_dropped = 0;
        Ok(())
    }
}

/// Creates an instance as after power-on and stores it in `*instance`. If this fails, `*instance` is null, and
/// `*message`, unless `message` is null, is a sentence to be freed by pspge_free_string.
///
/// # Safety
/// `config` points to a structure as its `struct_size` says; its memory is valid for reads and writes until the
/// instance is destroyed, and its parts do not overlap. `instance` is valid for writes; `message` is null or valid
/// for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_create(
    config: *const Config,
    instance: *mut *mut Pspge,
    message: *mut *mut c_char,
) -> Status {
    guard(|| {
        // SAFETY: as the caller ensures.
        let Ok(slot) = (unsafe { output("instance", instance) }) else { return Status::NullPointer };
        slot.write(std::ptr::null_mut());
        // SAFETY: as the caller ensures.
        let created = unsafe { sized(config) }.and_then(|config| {
            // SAFETY: as the caller ensures.
            unsafe { Instance::new(&config) }
        });
        let (status, text) = match created {
            Ok(created) => {
                slot.write(Box::into_raw(Box::new(Pspge::new(created))));
                (Status::Ok, std::ptr::null_mut())
            }
            Err(failure) => (failure.status(), c_text(failure.to_string()).into_raw()),
        };
        // SAFETY: as the caller ensures.
        match unsafe { output("message", message) } {
            Ok(message) => {
                message.write(text);
            }
            Err(_) if text.is_null() => {}
            // SAFETY: this text comes from `into_raw` above, and nobody else has it.
            Err(_) => drop(unsafe { CString::from_raw(text) }),
        }
        status
    })
}

/// Destroys an instance, with its pending draws. Null is fine. If a call is at work on it, this destroys nothing and
/// returns PSPGE_STATUS_BUSY.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. No other call uses it from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_destroy(instance: *mut Pspge) -> Status {
    guard(|| {
        // SAFETY: as the caller ensures.
        let Some(shared) = (unsafe { instance.as_ref() }) else { return Status::Ok };
        if shared.use_alone(|_| ()) == Err(Status::Busy) {
            return Status::Busy;
        }
        // SAFETY: it comes from `Box::into_raw`, and nobody else uses it, as the caller ensures.
        drop(unsafe { Box::from_raw(instance) });
        Status::Ok
    })
}

/// Resets registers, matrices, palette memory, list flow, the queue, the eDRAM translation and the texture cache to
/// their state after power-on. Memory, callbacks and counts stay, and a recording goes on.
///
/// # Safety
/// As for pspge_last_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_reset(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, Instance::reset)
}

/// Returns a sentence that explains why the last call on this instance failed; empty after a success. The text is
/// valid until the next call on this instance.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_last_error(instance: *const Pspge) -> *const c_char {
    // SAFETY: as the caller ensures.
    let Some(shared) = (unsafe { instance.as_ref() }) else {
        return c"the instance is a null pointer".as_ptr();
    };
    match shared.use_alone(|state| state.error.as_ptr()) {
        Ok(text) => text,
        Err(Status::Busy) => c"another call is at work on this instance".as_ptr(),
        Err(_) => c"an earlier call on this instance has failed inside the library".as_ptr(),
    }
}
