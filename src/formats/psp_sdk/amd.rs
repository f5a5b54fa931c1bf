//! AMD: chunk containers in Persona games, for example with a GMO model.
//! Source: [AMD](crate::reference::formats::psp_sdk#amd).
//!
//! # Invariants
//! Chunks lie inside the file and follow one another.

use thiserror::Error;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{gim, gmo};
use crate::formats::core::content::Content;
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Contents, Descriptor, Members, OpenContext};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::slice::{NamedView, NamedViews};
use crate::formats::core::text::decode_padded;
use crate::model::FileNoteKind;

const MAGIC: [u8; 4] = *b"CHNK";
/// Where the first chunk starts.
const CHUNKS: u64 = 8;

/// Describes AMD containers, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "Persona model container",
    about: "A container of a GMO model and its data in Persona games, opened as the first model in it.",
    sniff,
    magic: &MAGIC,
    members: Members::Slices { read: |file| read(file).map(|(chunks, _)| chunks), count: Some(count) },
    open,
    refusals: AmdProblem::REFUSALS,
    ..Descriptor::new("amd")
};

/// An error or a warning in an AMD container.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AmdProblem {
    /// This is no AMD container: the magic is wrong.
    #[error("not an AMD container")]
    Magic,
    /// A chunk reaches past the end. Always a note.
    #[error("chunk \"{name}\" with {length} bytes is not inside the file; {kept} bytes are")]
    Outside {
        /// The chunk's name.
        name: String,
        /// Its length in bytes.
        length: u32,
        /// How many bytes are inside the file.
        kept: u64,
    },
    /// The file ends before all chunks. Always a note.
    #[error("the header says {stated} chunks, {actual} are there")]
    Count {
        /// The count in the header.
        stated: u32,
        /// How many chunks this file has.
        actual: usize,
    },
}

impl FormatProblem for AmdProblem {
    const REFUSALS: &'static [Refusal] = &[Refusal::new("Magic", "it is named as a container and is none")];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Outside { .. } => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
        }
    }
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Chunk {
    name: [u8; 16],
    _flags: U32,
    length: U32,
}

/// Recognises a container by its magic and the start of its first chunk's name, because four letters alone are
/// common.
fn sniff(bytes: &[u8]) -> bool {
    let Some(([magic, _], rest)) = bytes.as_chunks::<4>().0.split_first_chunk::<2>() else { return false };
    *magic == MAGIC && rest.first().is_some_and(|name| name.first().is_some_and(u8::is_ascii_graphic))
}

/// Counts the chunks without reading them. Each takes at least its header, which bounds the count.
fn count(file: View<'_>) -> Result<u64, FormatError> {
    let room = file.len().checked_div(size_of::<Chunk>() as u64).unwrap_or(0);
    Ok(u64::from(file.word(4)?).min(room))
}

/// Reads the chunks in order, with warnings. A cut-off chunk ends with the file.
fn read(file: View<'_>) -> Result<(NamedViews<'_>, Warnings), FormatError> {
    let [magic, stated]: [[u8; 4]; 2] = file.read(0)?;
    if magic != MAGIC {
        return Err(file.error(0, AmdProblem::Magic));
    }
    let stated = u32::from_le_bytes(stated);
    let mut warnings = Warnings::default();
    let mut chunks = NamedViews::new();
    let mut at = CHUNKS;
    for _ in 0..stated {
        let Ok(chunk) = file.read::<Chunk>(at) else { break };
        let name = decode_padded(&chunk.name);
        let length = chunk.length.get();
        let start = at.saturating_add(size_of::<Chunk>() as u64);
        let kept = u64::from(length).min(file.len().saturating_sub(start));
        if kept < length.into() {
            warnings.push(file.error(at, AmdProblem::Outside { name: name.clone(), length, kept }));
        }
        chunks.push(Some(NamedView { name: Some(name), view: file.view(start, kept)? }));
        at = start.saturating_add(kept);
    }
    if chunks.len() as u64 != u64::from(stated) {
        warnings.push(file.error(4, AmdProblem::Count { stated, actual: chunks.len() }));
    }
    Ok((chunks, warnings))
}

/// Opens a container's first model, or else its first picture, and lists the chunks.
fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = FORMAT.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    let (_, warnings) = read(context.slice.view(FORMAT.name))?;
    let mut content = Content::archive();
    let formats = [&gmo::FORMAT, &gim::FORMAT];
    if let Some((slice, siblings, format)) = formats.into_iter().find_map(|format| {
        let (slice, siblings) = context.first_of(format.format(), &named)?;
        Some((slice, siblings, format))
    }) {
        let container = Some(context.slice);
        content = (format.open)(&OpenContext { slice, siblings, container, ..context.clone() })?.content;
    }
    content.notes_mut().extend(warnings.notes());
    Ok(Contents { members, ..content.into() })
}
