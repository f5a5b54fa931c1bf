//! Calls the host back.

use std::ffi::{c_int, c_void};

use crate::border::call;
use crate::instance::Pspge;
use crate::status::Status;

/// A draw that is about to happen.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Number of the draw since the list started, from 0.
    pub number: u64,
    /// Address of the command word.
    pub address: u32,
    /// The command word. An immediate primitive has that of the VAP that completes it.
    pub word: u32,
    /// Primitive type, 0 to 7, as the hardware numbers them: points, lines, line strip, triangles, triangle strip, triangle
    /// fan, rectangles, continue. Patches have the type that they are drawn as.
    pub primitive: u32,
    /// Number of vertices or control points.
    pub count: u32,
    /// Address of the vertices; 0 for an immediate primitive.
    pub vertices: u32,
    /// Address of the indices, if there are any.
    pub indices: u32,
}

/// Called for each draw, before it. If it returns anything but 0, the list stops after the draw
/// (PSPGE_RUN_ENDING_STOPPED), and can be resumed. It must not touch memory that was given to the instance, and each call on the
/// instance returns PSPGE_STATUS_BUSY.
pub type DrawCallback = Option<unsafe extern "C" fn(user: *mut c_void, draw: *const Draw) -> c_int>;

/// Called at the end of a call for each range of bytes that it may have changed, by rising address, without overlap: pages of
/// 16 KiB with rows of the scissor that draws wrote to, and the bytes of block transfers. It may
/// read and write memory, but each call on the instance returns PSPGE_STATUS_BUSY.
pub type DirtyCallback = Option<unsafe extern "C" fn(user: *mut c_void, address: u32, size: u32)>;

/// An instance's callbacks, with their user pointers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callbacks {
    pub(crate) draw: (DrawCallback, *mut c_void),
    pub(crate) dirty: (DirtyCallback, *mut c_void),
}

// SAFETY: the host promises that its functions may be called on the thread of any call; the pointers are only passed on.
unsafe impl Send for Callbacks {}

impl Default for Callbacks {
    fn default() -> Self {
        Self { draw: (None, std::ptr::null_mut()), dirty: (None, std::ptr::null_mut()) }
    }
}

impl Callbacks {
    /// Reports a draw. Returns whether to stop the list after it.
    pub(crate) fn report_draw(&self, draw: &Draw) -> bool {
        let (Some(function), user) = self.draw else { return false };
        // SAFETY: the host has promised that it may be called with its pointer.
        unsafe { function(user, draw) != 0 }
    }

    /// Reports a range of changed bytes.
    pub(crate) fn report_dirty(&self, address: u32, size: u32) {
        let (Some(function), user) = self.dirty else { return };
        // SAFETY: the host has promised that it may be called with its pointer.
        unsafe { function(user, address, size) }
    }
}

/// Sets the function that is called for each draw; null for none.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `function` may be called with `user` in every later
/// call, on that call's thread, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_draw_callback(
    instance: *const Pspge,
    function: DrawCallback,
    user: *mut c_void,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.callbacks.draw = (function, user);
        Ok(())
    })
}

/// Sets the function that is called for changed memory; null for none.
///
/// # Safety
/// As for pspge_set_draw_callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_dirty_callback(
    instance: *const Pspge,
    function: DirtyCallback,
    user: *mut c_void,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.callbacks.dirty = (function, user);
        Ok(())
    })
}
