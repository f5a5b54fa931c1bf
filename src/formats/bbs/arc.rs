//! ARC: containers with named members. Source: [ARC
//! containers](crate::reference::formats::bbs#arc-containers).
//!
//! # Invariants
//! Members are inside the file. Entries that refer to a file of another container have no bytes.

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::text::text;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::problem::FormatProblem;
use crate::formats::core::slice::{NamedView, NamedViews};

/// First bytes of every container.
pub(super) const MAGIC: [u8; 4] = *b"ARC\0";
/// The only version.
const VERSION: u16 = 1;

/// Errors of ARC containers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArcProblem {
    /// Wrong magic.
    #[error("not an ARC container")]
    Magic,
    /// Unsupported version.
    #[error("ARC version {0} is not supported; 1 is")]
    Version(u16),
    /// A member that is not inside the file.
    #[error("member \"{name}\", {length} bytes at {offset:#x}, is not inside the file")]
    Outside {
        /// The member's name.
        name: String,
        /// Its offset in the file.
        offset: u32,
        /// Its length in bytes.
        length: u32,
    },
}

impl FormatProblem for ArcProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "unsupported-version",
            _ => "damaged",
        }
    }
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    version: U16,
    entries: U16,
    _reserved: [U32; 2],
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    /// Hash of the folder of a file in another container; 0 for a member of this one.
    folder: U32,
    offset: U32,
    length: U32,
    _reserved: U32,
    name: [u8; 16],
}

const _: () = assert!(size_of::<Header>() == 0x10 && size_of::<Entry>() == 0x20, "header and entry");

/// Recognises a container by its first bytes.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads the members of a container, in order. Entries that refer to other containers are empty.
pub(in crate::formats) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, ArcProblem::Magic));
    }
    if header.version.get() != VERSION {
        return Err(file.error(4, ArcProblem::Version(header.version.get())));
    }
    let start = size_of::<Header>() as u64;
    let entries: &[Entry] = file.array(start, header.entries.get().into())?;
    let member = |(at, entry): (u64, &Entry)| {
        let name = text(&entry.name);
        let (offset, length) = (entry.offset.get(), entry.length.get());
        let view = if entry.folder.get() == 0 {
            let view = file.view(offset.into(), length.into());
            view.map_err(|_| file.error(at, ArcProblem::Outside { name: name.clone(), offset, length }))?
        } else {
            file.view(at, 0)?
        };
        Ok(Some(NamedView { name: Some(name), view }))
    };
    (start..).step_by(size_of::<Entry>()).zip(entries).map(member).collect()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
