//! Configures an instance.

use std::ptr::null_mut;

use pspge::Arithmetic;

use crate::border::HostStruct;
use crate::status::Failure;

/// Use the hardware's arithmetic, bit for bit.
pub const ARITHMETIC_HARDWARE: u32 = 0;
/// Use single precision, as PPSSPP does.
pub const ARITHMETIC_SINGLE: u32 = 1;

/// The host reports each change to its memory by pspge_memory_changed, so that the library need not expect changes
/// anywhere before each call. This keeps decoded textures from call to call.
pub const FLAG_REPORTS_CHANGES: u32 = 1;

/// All views of VRAM show its bytes in linear order, as in PPSSPP, because the host maps the same pages at each. The
/// depth buffer is then linear, too, and pspge_set_edram_translation only changes the mode returned by
/// pspge_get_edram_translation. README.md explains the CPU's view of VRAM with and without this flag.
pub const FLAG_LINEAR_VRAM: u32 = 2;

/// All flags that a configuration may have.
const FLAGS: u32 = FLAG_REPORTS_CHANGES | FLAG_LINEAR_VRAM;

/// A memory region at addresses where a PSP has none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Where it starts, a multiple of 4096.
    pub address: u32,
    /// The bytes, which must live as long as the instance.
    pub bytes: *mut u8,
    /// How many bytes it has, a multiple of 4096.
    pub size: usize,
}

/// Configures an instance. Set all bytes to 0, then `struct_size`, then the members that matter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// sizeof(pspge_config).
    pub struct_size: usize,
    /// Main RAM from address 0x08000000 on, which must live as long as the instance; null lets the instance have 64
    /// MiB of its own.
    pub ram: *mut u8,
    /// Bytes of main RAM, a multiple of 64 KiB up to 128 MiB. Bytes above 64 MiB are at 0x0C000000, where a PSP has
    /// no memory; no texture, vertex array or palette may cross that address.
    pub ram_size: usize,
    /// VRAM in linear order, 2 MiB, which must live as long as the instance; null lets the instance have its own.
    pub vram: *mut u8,
    /// Bytes of VRAM: 0x200000.
    pub vram_size: usize,
    /// The scratchpad, 16 KiB, which must live as long as the instance; null lets the instance have its own.
    pub scratchpad: *mut u8,
    /// Bytes of the scratchpad: 0x4000.
    pub scratchpad_size: usize,
    /// Further memory regions; null if there are none.
    pub regions: *const Region,
    /// How many further regions there are, up to 64.
    pub region_count: usize,
    /// How many threads draw; 0 and 1 draw on the caller's thread alone. The bytes drawn are the same for any
    /// number.
    pub threads: u32,
    /// PSPGE_ARITHMETIC_HARDWARE or PSPGE_ARITHMETIC_SINGLE.
    pub arithmetic: u32,
    /// The sum of PSPGE_FLAG numbers.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: pointers and integers, for which any bytes are valid values.
unsafe impl HostStruct for Config {
    const NAME: &'static str = "pspge_config";
}

impl Default for Config {
    /// Configures an instance to have its own memory.
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
    pub(crate) fn arithmetic(&self) -> Result<Arithmetic, Failure> {
        match self.arithmetic {
            ARITHMETIC_HARDWARE => Ok(Arithmetic::Hardware),
            ARITHMETIC_SINGLE => Ok(Arithmetic::Single),
            other => Err(Failure::BadArgument(format!("{other} is not an arithmetic"))),
        }
    }

    /// Checks all numbers except those about memory and arithmetic.
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
