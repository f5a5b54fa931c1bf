//! The errors of the system calls.

/// Why a call failed. Source: [errors](crate::reference::ge::list_queue#errors).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeError {
    /// The head list is in a state for which this call has no meaning.
    #[error("the head list is in a state that the call does not support")]
    NotSupported,
    /// The list already has the state that the call would set, or no list is active.
    #[error("already done")]
    Already,
    /// A list with this address or stack is active, or the list has started.
    #[error("busy")]
    Busy,
    /// All lists or callbacks are in use.
    #[error("out of memory")]
    OutOfMemory,
    /// A pointer leads to kernel memory.
    #[error("a pointer leads to memory of the kernel")]
    Privilege,
    /// No list or callback has this id.
    #[error("invalid id")]
    InvalidId,
    /// No register, matrix or stack entry has this number.
    #[error("invalid index")]
    InvalidIndex,
    /// A pointer is not a multiple of 4.
    #[error("a pointer is not a multiple of 4")]
    InvalidPointer,
    /// A stack has more than 255 entries.
    #[error("invalid size")]
    InvalidSize,
    /// The mode is neither 0 nor 1.
    #[error("invalid mode")]
    InvalidMode,
    /// The head list is not paused, or no address translation has this number.
    #[error("invalid value")]
    InvalidValue,
    /// The call failed, without its own error code.
    #[error("failed")]
    Failed,
    /// The thread may not wait, because interrupts or thread switches are disabled.
    #[error("the thread may not wait now")]
    CannotWait,
    /// An interrupt handler may not wait.
    #[error("an interrupt handler may not wait")]
    IllegalContext,
}

impl GeError {
    /// Returns the number to pass to the program as the call's result.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::NotSupported => 0x8000_0004,
            Self::Already => 0x8000_0020,
            Self::Busy => 0x8000_0021,
            Self::OutOfMemory => 0x8000_0022,
            Self::Privilege => 0x8000_0023,
            Self::InvalidId => 0x8000_0100,
            Self::InvalidIndex => 0x8000_0102,
            Self::InvalidPointer => 0x8000_0103,
            Self::InvalidSize => 0x8000_0104,
            Self::InvalidMode => 0x8000_0107,
            Self::InvalidValue => 0x8000_01FE,
            Self::Failed => 0xFFFF_FFFF,
            Self::CannotWait => 0x8002_01A7,
            Self::IllegalContext => 0x8002_0064,
        }
    }
}
