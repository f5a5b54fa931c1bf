//! A block holds bytes that the engine owns or a host program lends.
//!
//! Both are slices, so all other code reads and writes them in the same way and at the same cost. A loan is a
//! `&'static mut` slice, because a lifetime parameter for [`Memory`](super::Memory) would appear in every engine
//! signature, and because the rasterizer passes blocks to threads that outlive any scope. A host may still lend
//! memory for a shorter time: see [`host`](super::host).

use std::fmt;
use std::ops::{Deref, DerefMut};

/// The bytes for a part of memory, such as main RAM.
pub(crate) enum Block {
    Owned(Vec<u8>),
    /// Bytes lent by a host. Empty until the host lends them.
    Lent(&'static mut [u8]),
}

impl Block {
    /// Creates zeroed bytes. The operating system provides a page only when it is first touched.
    pub(super) fn zeroed(bytes: usize) -> Self {
        Self::Owned(vec![0; bytes])
    }

    /// Creates a block for a host that has not lent anything yet.
    pub(super) fn absent() -> Self {
        Self::Lent(&mut [])
    }

    pub(super) const fn is_owned(&self) -> bool {
        matches!(self, Self::Owned(_))
    }

    /// Appends bytes. This turns a lent block into an owned copy, because a loan cannot grow.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        match self {
            Self::Owned(own) => own.extend_from_slice(bytes),
            Self::Lent(lent) => *self = Self::Owned([lent, bytes].concat()),
        }
    }

    /// Removes all bytes, but keeps an owned block's allocation to reuse it.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Owned(own) => own.clear(),
            Self::Lent(_) => *self = Self::absent(),
        }
    }

    /// Takes a host's bytes out of this block, to give them back. If the engine owns the bytes, this returns `None`
    /// and changes nothing.
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
    /// Makes an owned copy, because a loan cannot be shared.
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
