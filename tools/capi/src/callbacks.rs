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
    /// This draw's number since the list started, from 0.
    pub number: u64,
    /// Where its command word is.
    pub address: u32,
    /// The command word. For an immediate primitive, this is the VAP that completes it.
    pub word: u32,
    /// Primitive type, 0 to 7, as the hardware numbers them: points, lines, line strip, triangles, triangle strip,
    /// triangle fan, rectangles, continue. A patch has the primitive type that it is drawn with.
    pub primitive: u32,
    /// How many vertices or control points it has.
    pub count: u32,
    /// Where its vertices are; 0 for an immediate primitive.
    pub vertices: u32,
    /// Where its indices are, if it has any.
    pub indices: u32,
    /// The registers to draw it with. The pointers are valid during the callback only.
    pub state: State,
}

/// Registers for a callback to read. The pointers are valid during the callback only.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The last words written to all 256 registers, by opcode.
    pub registers: *const u32,
    /// All 148 matrix elements as used for drawing, 24 bits each: bones (96), world (12), view (12), projection
    /// (16), texture (12).
    pub matrices: *const u32,
    /// Palette memory, 1024 bytes.
    pub palette: *const u8,
}

impl State {
    /// Points to the interpreter's own registers, without a copy.
    pub(crate) fn of(registers: &Registers) -> Self {
        Self {
            registers: registers.words().as_ptr(),
            // An element is stored as its 24 bits in a word, so the host can read it as a number.
            matrices: registers.matrices().as_ptr().cast(),
            palette: registers.clut().as_ptr(),
        }
    }
}

/// A command that is about to be executed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// This command's number since the list started, from 0.
    pub number: u64,
    /// How many draws the list has made so far.
    pub draws: u64,
    /// Where its word is.
    pub address: u32,
    /// The word itself.
    pub word: u32,
    /// The offset register before this command.
    pub offset: u32,
    /// The vertex pointer before this command.
    pub vertices: u32,
    /// The index pointer before this command.
    pub indices: u32,
    /// How many calls are open.
    pub depth: u32,
    /// The registers before this command. The pointers are valid during the callback only.
    pub state: State,
}

/// Called before each command. If it returns anything but 0, the list stops before this command
/// (PSPGE_RUN_ENDING_STOPPED); pspge_resume then executes it without asking again. The draw callback's rules hold
/// here, too.
pub type CommandCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, command: *const CommandInfo) -> c_int>;

/// Called before each draw. If it returns anything but 0, the list stops after this draw (PSPGE_RUN_ENDING_STOPPED),
/// and can be resumed. The callback must not touch memory given to the instance, and each call on the instance
/// returns PSPGE_STATUS_BUSY.
pub type DrawCallback = Option<unsafe extern "C" fn(user: *mut c_void, draw: *const Draw) -> c_int>;

/// Called at the end of a call for each range of bytes that it may have changed, by rising address and without
/// overlap: 16 KiB pages with scissor rows that draws wrote to, and the bytes written by block transfers. The
/// callback may read and write memory, but each call on the instance returns PSPGE_STATUS_BUSY.
pub type DirtyCallback = Option<unsafe extern "C" fn(user: *mut c_void, address: u32, size: u32)>;

/// An instance's callbacks, with the user pointers to pass to them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callbacks {
    pub(crate) draw: (DrawCallback, *mut c_void),
    pub(crate) command: (CommandCallback, *mut c_void),
    pub(crate) dirty: (DirtyCallback, *mut c_void),
}

// SAFETY: the host promises that its functions may be called on the thread of any call; the pointers are only passed
// on.
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

    pub(crate) fn report_dirty(&self, address: u32, size: u32) {
        let (Some(function), user) = self.dirty else { return };
        // SAFETY: the host has promised that it may be called with its pointer.
        unsafe { function(user, address, size) }
    }
}

/// Sets a function to call for each draw; null for none.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `function` may be called with `user` in every later
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

/// Sets a function to call for each command; null for none. This slows lists down.
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

/// Sets a function to call for changed memory; null for none.
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
