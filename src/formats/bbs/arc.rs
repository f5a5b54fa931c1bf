//! ARC: containers with named members. Source: [ARC containers](crate::reference::formats::bbs#arc-containers).
//!
//! # Invariants
//! Members lie inside the file. Entries for a file in another container have no bytes.

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::slice::{NamedView, NamedViews};
use crate::formats::core::text::decode_padded;
use crate::model::FileNoteKind;

/// Magic to recognise a container by.
pub(super) const MAGIC: [u8; 4] = *b"ARC\0";
/// The only known version.
const VERSION: u16 = 1;

/// An error or a warning in an ARC container.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArcProblem {
    /// Wrong magic.
    #[error("not an ARC container")]
    Magic,
    /// No known file has this version.
    #[error("ARC version {0} is not known; the file is read as version 1")]
    Version(u16),
    /// The header promises more members than fit into the file.
    #[error("the header says {stated} members, the file has room for {actual}; those are used")]
    Count {
        /// The count in the header.
        stated: u16,
        /// How many whole entries this file has.
        actual: usize,
    },
    /// A member reaches past the end.
    #[error("member \"{name}\", {length} bytes at {offset:#x}, is not inside the file; {kept} bytes are")]
    Outside {
        /// Name of the member.
        name: String,
        /// Its offset in the file.
        offset: u32,
        /// Its length in bytes.
        length: u32,
        /// How many bytes lie inside the file.
        kept: u64,
    },
}

impl FormatProblem for ArcProblem {
    const REFUSALS: &'static [Refusal] = &[Refusal::new("Magic", "it is named as a container and is none")];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Version(_) => FileNoteKind::Guessed,
            Self::Outside { .. } => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
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
    /// Hash of another container's folder; 0 for a member in this container.
    folder: U32,
    offset: U32,
    length: U32,
    _reserved: U32,
    name: [u8; 16],
}

const _: () = assert!(size_of::<Header>() == 0x10 && size_of::<Entry>() == 0x20, "header and entry");

/// Reads a container's members in order. Entries for files in other containers are empty.
pub(in crate::formats) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    read(file).map(|(members, _)| members)
}

/// Reads a container's members together with warnings. A member cut off by the file's end keeps its first bytes.
pub(in crate::formats) fn read(file: View<'_>) -> Result<(NamedViews<'_>, Warnings), FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, ArcProblem::Magic));
    }
    let mut warnings = Warnings::default();
    if header.version.get() != VERSION {
        warnings.push(file.error(4, ArcProblem::Version(header.version.get())));
    }
    let start = size_of::<Header>() as u64;
    let stated = header.entries.get();
    let entries: &[Entry] = file.array_prefix(start, stated.into());
    if entries.len() < usize::from(stated) {
        warnings.push(file.error(6, ArcProblem::Count { stated, actual: entries.len() }));
    }
    let mut members = NamedViews::new();
    for (at, entry) in (start..).step_by(size_of::<Entry>()).zip(entries) {
        let name = decode_padded(&entry.name);
        let (offset, length) = (entry.offset.get(), entry.length.get());
        let mut view = file.view(at, 0)?;
        if entry.folder.get() == 0 {
            let kept = u64::from(length).min(file.len().saturating_sub(offset.into()));
            if kept < length.into() {
                let problem = ArcProblem::Outside { name: name.clone(), offset, length, kept };
                warnings.push(file.error(at, problem));
            }
            view = file.view(offset.into(), kept).unwrap_or(view);
        }
        members.push(Some(NamedView { name: Some(name), view }));
    }
    Ok((members, warnings))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
