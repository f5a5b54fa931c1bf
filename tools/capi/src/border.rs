//! Guards the border between C and Rust: this is where pointers become references, and where panics end.
//!
//! Each pointer from a host is checked for null, then used by one of these functions, which state the host's
//! remaining duties.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::instance::{Instance, Pspge};
use crate::status::{Failure, Status};

/// Calls a function on an instance's state, unless another call is at work. A failure's sentence is kept for
/// [`pspge_last_error`](crate::instance::pspge_last_error). Instances are only ever used by shared references, so
/// several threads may try this at once.
pub(crate) fn call(
    instance: Option<&Pspge>,
    function: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> Status {
    let Some(instance) = instance else { return Status::NullPointer };
    let outcome = instance.use_alone(|instance| match function(instance) {
        Ok(()) => {
            // Even an empty text is an allocation, so it is only replaced when needed.
            if !instance.error.is_empty() {
                instance.error = CString::default();
            }
            Status::Ok
        }
        Err(failure) => {
            instance.error = c_text(failure.to_string());
            failure.status()
        }
    });
    outcome.unwrap_or_else(|status| status)
}

/// Stops panics in functions without an instance.
pub(crate) fn guard(function: impl FnOnce() -> Status) -> Status {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or(Status::Panic)
}

/// Converts text for C. Zero bytes would end it, so any become spaces.
pub(crate) fn c_text(text: String) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Turns an output pointer into a reference.
///
/// # Safety
/// `pointer` is null, or valid for writes of a `T` that nobody else uses during the call.
pub(crate) unsafe fn output<'a, T>(
    name: &'static str,
    pointer: *mut T,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    check_extent(name, pointer, 1)?;
    // SAFETY: the pointer is aligned (checked above); the caller ensures that it is valid for writes. The bytes
    // need not be initialised.
    unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }.ok_or(Failure::NullPointer(name))
}

/// Writes a value, if the host wants it: a null pointer is fine.
///
/// # Safety
/// `pointer` is null, or valid for writes of a `T` that nobody else uses during the call.
pub(crate) unsafe fn give<T>(name: &'static str, pointer: *mut T, value: T) -> Result<(), Failure> {
    if !pointer.is_null() {
        // SAFETY: as the caller ensures.
        unsafe { output(name, pointer) }?.write(value);
    }
    Ok(())
}

/// Turns elements passed by the host into a slice. A null pointer is fine for no elements.
///
/// # Safety
/// `pointer` is null, or valid for reads of `count` initialised elements that nobody writes during the call.
pub(crate) unsafe fn input<'a, T>(
    name: &'static str,
    pointer: *const T,
    count: usize,
) -> Result<&'a [T], Failure> {
    check_extent(name, pointer, count)?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: the pointer is aligned, not null, and the extent is possible (checked above); the caller ensures the
    // rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Turns memory for output elements into a slice. A null pointer is fine for no elements.
///
/// # Safety
/// `pointer` is null, or valid for writes of `count` elements that nobody else uses during the call.
pub(crate) unsafe fn output_slice<'a, T>(
    name: &'static str,
    pointer: *mut T,
    count: usize,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    check_extent(name, pointer, count)?;
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the pointer is aligned, not null, and the extent is possible (checked above); the caller ensures the
    // rest. The elements need not be initialised.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), count) })
}

/// Returns the first `needed` elements of a host's buffer, or fails with how many are needed.
///
/// # Safety
/// `pointer` is null, or valid for writes of `capacity` elements that nobody else uses during the call.
pub(crate) unsafe fn output_buffer<'a, T>(
    name: &'static str,
    pointer: *mut T,
    capacity: usize,
    needed: usize,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if capacity < needed {
        let bytes = |count: usize| count.saturating_mul(size_of::<T>());
        return Err(Failure::BufferTooSmall { given: bytes(capacity), needed: bytes(needed) });
    }
    // SAFETY: as the caller ensures; `needed` is at most `capacity`.
    unsafe { output_slice(name, pointer, needed) }
}

/// Checks that a slice with this pointer and length can exist.
pub(crate) fn check_extent<T>(name: &'static str, pointer: *const T, count: usize) -> Result<(), Failure> {
    let bytes = count.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    if count > 0 && pointer.is_null() {
        Err(Failure::NullPointer(name))
    } else if !pointer.is_aligned() {
        Err(Failure::BadArgument(format!("{name} is not aligned to {} bytes", align_of::<T>())))
    } else if bytes.is_none() {
        Err(Failure::BadArgument(format!("{name} is larger than memory")))
    } else {
        Ok(())
    }
}

/// A structure that starts with its size in bytes as known to the host, to let older hosts use newer libraries. Zero
/// must be a valid value for every member.
///
/// # Safety
/// Any bytes, zeros included, are a valid value, up to the demands in the safety comments of the functions that take
/// it.
pub(crate) unsafe trait HostStruct: Copy {
    /// The structure's name in C, for error sentences.
    const NAME: &'static str;
}

/// Reads a structure. Members unknown to the host are 0; members unknown to the library must be 0.
///
/// # Safety
/// `pointer` is null, or points to a `size_t` that tells how many bytes are valid for reads from there.
pub(crate) unsafe fn sized<T: HostStruct>(pointer: *const T) -> Result<T, Failure> {
    if pointer.is_null() {
        return Err(Failure::NullPointer(T::NAME));
    }
    check_extent(T::NAME, pointer, 1)?;
    // SAFETY: the caller ensures that the size is there; the pointer is aligned and not null (checked above).
    let size = unsafe { pointer.cast::<usize>().read() };
    let wrong = Failure::BadStructSize { name: T::NAME, size };
    if size < size_of::<usize>() || size > 4096 {
        return Err(wrong);
    }
    let known = size.min(size_of::<T>());
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller ensures that `size` bytes are valid for reads, and `known` is at most that and the size of
    // `T`. Both are bytes, and `value` is new, so they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), known) };
    // SAFETY: `known` is at most `size`, so this address is inside the structure or at its end.
    let rest = unsafe { pointer.cast::<u8>().add(known) };
    // SAFETY: the caller ensures that `size` bytes are valid for reads. Members after those known here are
    // initialised.
    if unsafe { std::slice::from_raw_parts(rest, size - known) }.iter().any(|byte| *byte != 0) {
        return Err(wrong);
    }
    // SAFETY: any bytes are a valid value, as the trait promises, and members unknown to the host are 0.
    Ok(unsafe { value.assume_init() })
}

/// Reads a structure as [`sized`] does. If the pointer is null, all members are 0.
///
/// # Safety
/// As for [`sized`].
pub(crate) unsafe fn sized_or_default<T: HostStruct + Default>(pointer: *const T) -> Result<T, Failure> {
    if pointer.is_null() {
        return Ok(T::default());
    }
    // SAFETY: as the caller ensures.
    unsafe { sized(pointer) }
}

#[cfg(feature = "json")]
/// Hands text over to the host, which frees it by [`pspge_free_string`].
///
/// # Safety
/// `pointer` is null, or valid for writes of a pointer.
pub(crate) unsafe fn give_text(
    name: &'static str,
    pointer: *mut *mut c_char,
    text: String,
) -> Result<(), Failure> {
    // SAFETY: as the caller ensures.
    let slot = unsafe { output(name, pointer) }?;
    slot.write(c_text(text).into_raw());
    Ok(())
}

/// Frees text returned by the library for you to free. Null is fine.
///
/// # Safety
/// `text` is null, or was returned by a function whose documentation asks for this call, and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_free_string(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller ensures that this text is from `give_text`, which got it from `CString::into_raw`.
        drop(unsafe { CString::from_raw(text) });
    }
}
