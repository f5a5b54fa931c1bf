//! The identity of a file: its size and its hash.

use crate::pipeline::texture::content_hash::ContentHash;

/// The size of a file, and the hash of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub(crate) bytes: u64,
    pub(crate) hash: ContentHash,
}

impl FileIdentity {
    /// Returns size and hash of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, hash: ContentHash::of(bytes) }
    }
}
