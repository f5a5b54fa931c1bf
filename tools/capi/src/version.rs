//! Tells versions.

use std::ffi::{CStr, c_char};

/// Version of functions, structures and numbers. It changes if a host must be compiled anew.
pub const ABI_VERSION: u32 = 2;

/// The library's version as text.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(text) => text,
    // A version has no zero byte, so this does not happen.
    Err(_) => c"unknown",
};

/// Returns the version of the interface of the linked library. Compare it with PSPGE_ABI_VERSION of the header.
#[unsafe(no_mangle)]
pub extern "C" fn pspge_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the version of the library, such as "0.1.0". The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn pspge_version() -> *const c_char {
    VERSION.as_ptr()
}
