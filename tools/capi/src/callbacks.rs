//! Calls the host back.

use std::ffi::{c_int, c_void};

use pspge::Registers;

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
    /// The registers that it is drawn with, during the callback.
    pub state: State,
}

/// Registers as a callback may read them. The pointers are valid during the callback.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The last words written to all 256 registers, by opcode.
    pub registers: *const u32,
    /// The 148 elements of the matrices that draw, 24 bits each: bones (96), world (12), view (12), projection (16),
    /// texture (12).
    pub matrices: *const u32,
    /// Palette memory, 1024 bytes.
    pub palette: *const u8,
}

impl State {
    /// Points to registers.
    pub(crate) fn of(registers: &Registers) -> Self {
        Self {
            registers: registers.words().as_ptr(),
            // An element is its 24 bits in a word.
            matrices: registers.matrices().as_ptr().cast(),
            palette: registers.clut().as_ptr(),
        }
    }
}

/// A command that is about to be executed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Number of the command since the list started, from 0.
    pub number: u64,
    /// Number of draws since the list started.
    pub draws: u64,
    /// Address of the word.
    pub address: u32,
    /// The word.
    pub word: u32,
    /// The offset register before it.
    pub offset: u32,
    /// The vertex pointer before it.
    pub vertices: u32,
    /// The index pointer before it.
    pub indices: u32,
    /// Number of open calls.
    pub depth: u32,
    /// The registers before it, during the callback.
    pub state: State,
}

/// Called for each command, before it. If it returns anything but 0, the list stops before the command
/// (PSPGE_RUN_ENDING_STOPPED); pspge_resume then executes it without asking again. The same rules hold as for the draw
/// callback.
pub type CommandCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, command: *const CommandInfo) -> c_int>;

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
    pub(crate) command: (CommandCallback, *mut c_void),
    pub(crate) dirty: (DirtyCallback, *mut c_void),
}

// SAFETY: the host promises that its functions may be called on the thread of any call; the pointers are only passed on.
unsafe impl Send for Callbacks {}

impl Default for Callbacks {
    fn default() -> Self {
        let nobody = std::ptr::null_mut();
        Self { draw: (None, nobody), command: (None, nobody), dirty: (None, nobody) }
    }
}

impl Callbacks {
    /// Reports a draw. Returns whether to stop the list after it.
    pub(crate) fn report_draw(&self, draw: &Draw) -> bool {
        let (Some(function), user) = self.draw else { return false };
        // SAFETY: the host has promised that it may be called with its pointer.
        unsafe { function(user, draw) != 0 }
    }

    /// Reports a command. Returns whether to stop the list before it.
    pub(crate) fn report_command(&self, command: &CommandInfo) -> bool {
        let (Some(function), user) = self.command else { return false };
        // SAFETY: the host has promised that it may be called with its pointer.
        unsafe { function(user, command) != 0 }
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

/// Sets the function that is called for each command; null for none. Lists run slower with it.
///
/// # Safety
/// As for pspge_set_draw_callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_command_callback(
    instance: *const Pspge,
    function: CommandCallback,
    user: *mut c_void,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.callbacks.command = (function, user);
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
