//! How the members of a container are compressed.

/// How the bytes of a member are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::psp_sdk) enum Compression {
    None,
    Zlib,
    /// The compression of the PSP's firmware.
    Rlz,
    Unknown(u16),
}
