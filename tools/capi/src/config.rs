//! Configures an instance.

use std::ptr::null_mut;

use pspge::Arithmetic;

use crate::border::HostStruct;
use crate::status::Failure;

/// Use the arithmetic of the hardware, bit for bit.
pub const ARITHMETIC_HARDWARE: u32 = 0;
/// Use single precision, as PPSSPP does.
pub const ARITHMETIC_SINGLE: u32 = 1;

/// The host reports each change of its memory by pspge_memory_changed, so that the library need not expect that all of it
/// has changed before each call. Decoded textures are then kept from call to call.
pub const FLAG_REPORTS_CHANGES: u32 = 1;

/// Views of VRAM show its bytes in linear order, as in PPSSPP, because the host maps the same pages at all of them. The
/// depth buffer is then linear, too, and pspge_set_edram_translation has no effect but on what it returns. README.md says
/// what a CPU sees at each view with and without this flag.
pub const FLAG_LINEAR_VRAM: u32 = 2;

/// All flags of a configuration.
const FLAGS: u32 = FLAG_REPORTS_CHANGES | FLAG_LINEAR_VRAM;

/// A region of memory at addresses where a PSP has none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Address of the first byte, a multiple of 4096.
    pub address: u32,
    /// The bytes, which must live as long as the instance.
    pub bytes: *mut u8,
    /// Number of bytes, a multiple of 4096.
    pub size: usize,
}

/// The configuration of an instance. Set all bytes to 0, then `struct_size`, then the members that matter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// sizeof(pspge_config).
    pub struct_size: usize,
    /// Main RAM from address 0x08000000 on, which must live as long as the instance; null for 64 MiB of its own.
    pub ram: *mut u8,
    /// Bytes of main RAM, a multiple of 64 KiB up to 128 MiB. Bytes above 64 MiB are at 0x0C000000, where a PSP has no
    /// memory; no texture, vertex array or palette may lie on both sides of that address.
    pub ram_size: usize,
    /// VRAM in linear order, 2 MiB, which must live as long as the instance; null for VRAM of its own.
    pub vram: *mut u8,
    /// Bytes of VRAM: 0x200000.
    pub vram_size: usize,
    /// The scratchpad, 16 KiB, which must live as long as the instance; null for one of its own.
    pub scratchpad: *mut u8,
    /// Bytes of the scratchpad: 0x4000.
    pub scratchpad_size: usize,
    /// Further regions of memory; null if there are none.
    pub regions: *const Region,
    /// Number of further regions, up to 64.
    pub region_count: usize,
    /// Number of threads that draw; 0 and 1 draw on the caller's thread alone. The bytes drawn do not depend on it.
    pub threads: u32,
    /// PSPGE_ARITHMETIC_HARDWARE or PSPGE_ARITHMETIC_SINGLE.
    pub arithmetic: u32,
    /// Sum of PSPGE_FLAG numbers.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: pointers and integers, for which any bytes are valid values.
unsafe impl HostStruct for Config {
    const NAME: &'static str = "pspge_config";
}

impl Default for Config {
    /// Configures an instance that has its own memory.
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            ram: null_mut(),
            ram_size: 0,
            vram: null_mut(),
            vram_size: 0,
            scratchpad: null_mut(),
            scratchpad_size: 0,
            regions: null_mut(),
            region_count: 0,
            threads: 0,
            arithmetic: ARITHMETIC_HARDWARE,
            flags: 0,
            reserved: 0,
        }
    }
}

impl Config {
    /// Returns the arithmetic.
    pub(crate) fn arithmetic(&self) -> Result<Arithmetic, Failure> {
        match self.arithmetic {
            ARITHMETIC_HARDWARE => Ok(Arithmetic::Hardware),
            ARITHMETIC_SINGLE => Ok(Arithmetic::Single),
            other => Err(Failure::BadArgument(format!("{other} is not an arithmetic"))),
        }
    }

    /// Checks the numbers apart from memory and arithmetic.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.flags & !FLAGS != 0 {
            return Err(Failure::BadArgument(format!("flags 0x{:x} are unknown", self.flags)));
        }
        if self.threads > 256 {
            return Err(Failure::BadArgument(format!("{} threads are more than 256", self.threads)));
        }
        if self.reserved != 0 {
            return Err(Failure::BadArgument("a reserved member is not 0".to_owned()));
        }
        Ok(())
    }
}
