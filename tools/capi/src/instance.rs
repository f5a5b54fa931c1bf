//! Creates, resets and destroys instances.

use std::ffi::{CString, c_char};
use std::sync::Mutex;

use pspge::ge::edram::Translation;
use pspge::queue::Queue;
use pspge::run::sink::Sink;
use pspge::{Ending, Interpreter, Memory, Note, RasterOptions, Rasterizer, Registers};

use crate::border::{c_text, call, guard, output, sized};
use crate::callbacks::Callbacks;
use crate::changes::with_memory;
use crate::config::{Config, FLAG_REPORTS_CHANGES};
use crate::counts::{CountedWork, ListCounts};
use crate::loan::{HostPointers, Loan};
use crate::status::{Failure, Status};

/// An instance of the Graphics Engine.
#[derive(Debug)]
pub struct Pspge(Mutex<Instance>);

impl Pspge {
    /// Returns the state. Only a single call at a time may use it.
    pub(crate) const fn state(&self) -> &Mutex<Instance> {
        &self.0
    }
}

/// An instance's state.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) memory: Memory,
    pub(crate) pointers: HostPointers,
    pub(crate) interpreter: Interpreter,
    pub(crate) raster: Rasterizer,
    pub(crate) options: RasterOptions,
    /// Whether the host reports changes to its memory.
    pub(crate) reports_changes: bool,
    pub(crate) queue: Queue,
    pub(crate) callbacks: Callbacks,
    pub(crate) counts: CountedWork,
    /// Counts of the current list so far.
    pub(crate) list: ListCounts,
    /// Why the list can never go on, if it hangs.
    pub(crate) hang: Option<Ending>,
    /// Whether the command callback has stopped the list before the next command, so that it is not asked again.
    pub(crate) was_asked: bool,
    /// Notes on the last call that executed commands.
    pub(crate) notes: Vec<Note>,
    /// How many notes on this call were not kept.
    pub(crate) notes_dropped: u64,
    /// The last failure's sentence.
    pub(crate) error: CString,
}

impl Instance {
    /// Creates an instance in the state after power-on.
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
            queue: Queue::new(),
            callbacks: Callbacks::default(),
            counts: CountedWork::default(),
            list: ListCounts::default(),
            hang: None,
            was_asked: false,
            notes: Vec::new(),
            notes_dropped: 0,
            error: CString::default(),
        };
        // A first loan checks the sizes, so that no later call fails for them.
        drop(Loan::new(&mut instance)?);
        Ok(instance)
    }

    /// Completes all draws.
    pub(crate) fn flush(&mut self) {
        let Self { memory, raster, .. } = self;
        raster.flush(memory);
    }

    /// Puts everything but memory, callbacks and counts back to the state after power-on.
    fn reset(&mut self) -> Result<(), Failure> {
        with_memory(self, |loan| {
            loan.flush();
            Ok(())
        })?;
        (self.list, self.hang, self.was_asked) = (ListCounts::default(), None, false);
        self.interpreter = Interpreter::new(Registers::new(), self.options.arithmetic);
        self.counts.keep(&self.raster);
        self.raster = Rasterizer::new(self.options);
        self.memory.set_translation(Translation::default());
        self.queue = Queue::new();
        self.notes.clear();
        self.notes_dropped = 0;
        Ok(())
    }
}

/// Creates an instance in the state after power-on and stores it in `*instance`. If that fails, `*instance` is null, and
/// `*message`, unless `message` is null, is a sentence to be freed by pspge_free_string.
///
/// # Safety
/// `config` points to a structure as its `struct_size` says; its memory is valid for reads and writes until the instance is
/// destroyed, and its parts do not overlap. `instance` is valid for writes; `message` is null or valid for writes.
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
                slot.write(Box::into_raw(Box::new(Pspge(Mutex::new(created)))));
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
            // SAFETY: the text comes from `into_raw` above, and nobody else has it.
            Err(_) => drop(unsafe { CString::from_raw(text) }),
        }
        status
    })
}

/// Destroys an instance, with its pending draws. Null is fine. Returns PSPGE_STATUS_BUSY, and destroys nothing, if a call is at work on it.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. No other call uses it from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_destroy(instance: *mut Pspge) -> Status {
    guard(|| {
        // SAFETY: as the caller ensures.
        let Some(shared) = (unsafe { instance.as_ref() }) else { return Status::Ok };
        if let Err(std::sync::TryLockError::WouldBlock) = shared.state().try_lock() {
            return Status::Busy;
        }
        // SAFETY: it comes from `Box::into_raw`, and nobody else uses it, as the caller ensures.
        drop(unsafe { Box::from_raw(instance) });
        Status::Ok
    })
}

/// Puts registers, matrices, palette memory, list flow, the queue, the eDRAM translation and the texture cache back to their
/// state after power-on. Memory, callbacks and counts stay.
///
/// # Safety
/// As for pspge_last_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_reset(instance: *const Pspge) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, Instance::reset)
}

/// Returns a sentence on the failure of the last call on this instance; empty after a success. The text is valid until the
/// next call on this instance.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_last_error(instance: *const Pspge) -> *const c_char {
    // SAFETY: as the caller ensures.
    let Some(shared) = (unsafe { instance.as_ref() }) else {
        return c"the instance is a null pointer".as_ptr();
    };
    match shared.state().try_lock() {
        Ok(state) => state.error.as_ptr(),
        Err(std::sync::TryLockError::WouldBlock) => c"another call is at work on this instance".as_ptr(),
        Err(std::sync::TryLockError::Poisoned(_)) => {
            c"an earlier call on this instance has failed inside the library".as_ptr()
        }
    }
}
