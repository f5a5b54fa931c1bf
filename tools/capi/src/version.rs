//! Tells versions.

use std::ffi::{CStr, c_char};

/// The version of functions, structures and numbers. A change means that hosts must be compiled anew.
pub const ABI_VERSION: u32 = 2;

/// The library's version as text.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(text) => text,
    // This never happens, because a version has no zero byte.
    Err(_) => c"unknown",
};

/// Returns the linked library's interface version. Compare it with the header's PSPGE_ABI_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn pspge_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the library's version, such as "0.1.0". The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn pspge_version() -> *const c_char {
    VERSION.as_ptr()
}
