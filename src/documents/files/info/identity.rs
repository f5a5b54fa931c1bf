//! Identifies a file by its size and its hash.

use crate::pipeline::texture::content_hash::ContentHash;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub(crate) bytes: u64,
    pub(crate) hash: ContentHash,
}

impl FileIdentity {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, hash: ContentHash::of(bytes) }
    }
}
