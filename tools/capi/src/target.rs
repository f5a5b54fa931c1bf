//! Names colour buffers.

/// A colour buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where its first pixel is.
    pub address: u32,
    /// Pixels from a row to the next; 0 takes stride and format from the last draw to this address.
    pub stride: u32,
    /// The format as the hardware numbers it: 0 BGR5650, 1 ABGR5551, 2 ABGR4444, 3 ABGR8888.
    pub format: u32,
}
