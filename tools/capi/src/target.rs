//! Names colour buffers.

/// A colour buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Address of the first pixel.
    pub address: u32,
    /// Pixels from one row to the next; 0 if stride and format shall be those of the last draw to this address.
    pub stride: u32,
    /// Format as the hardware numbers it: 0 BGR5650, 1 ABGR5551, 2 ABGR4444, 3 ABGR8888.
    pub format: u32,
}
