//! How a container's members are compressed.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::psp_sdk) enum Compression {
    None,
    Zlib,
    /// The PSP firmware's own compression.
    Rlz,
    Unknown(u16),
}
