//! A block of memory: bytes that the engine owns, or that a host program lends.
//!
//! Both are slices, so everything above reads and writes them in the same way and at the same cost. A loan is a
//! `&'static mut` slice: a lifetime parameter of [`Memory`](super::Memory) would appear in every signature of the engine,
//! and the rasterizer passes blocks to threads that outlive any scope. How a host may lend memory for a shorter time is
//! its own affair; see [`host`](super::host).

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Bytes of a part of memory.
pub(crate) enum Block {
    /// Bytes of the engine.
    Owned(Vec<u8>),
    /// Bytes of a host; none while nothing is lent.
    Lent(&'static mut [u8]),
}

impl Block {
    /// Creates zeroed bytes. The operating system provides them when they are touched.
    pub(super) fn zeroed(bytes: usize) -> Self {
        Self::Owned(vec![0; bytes])
    }

    /// Creates the block of a host that has not lent anything yet.
    pub(super) fn absent() -> Self {
        Self::Lent(&mut [])
    }

    /// Returns whether the bytes are the engine's.
    pub(super) const fn is_owned(&self) -> bool {
        matches!(self, Self::Owned(_))
    }

    /// Takes the bytes that a host has lent. Returns `None`, and changes nothing, for bytes of the engine.
    pub(super) fn take_lent(&mut self) -> Option<&'static mut [u8]> {
        match self {
            Self::Owned(_) => None,
            Self::Lent(bytes) => Some(std::mem::take(bytes)),
        }
    }
}

impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Lent(bytes) => bytes,
        }
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Lent(bytes) => bytes,
        }
    }
}

impl Clone for Block {
    /// A copy is always owned.
    fn clone(&self) -> Self {
        Self::Owned(self.to_vec())
    }

    fn clone_from(&mut self, source: &Self) {
        match self {
            Self::Owned(bytes) => {
                bytes.clear();
                bytes.extend_from_slice(source);
            }
            Self::Lent(_) => *self = source.clone(),
        }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Owned(_) => "Owned",
            Self::Lent(_) => "Lent",
        };
        f.debug_tuple(name).field(&self.len()).finish()
    }
}
