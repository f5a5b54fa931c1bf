//! PAC: the containers of Monster Hunter files.
//!
//! # Invariants
//! Members lie after the table and inside the file. Empty entries, and those that do not fit, keep their numbers.
//! Source: [PAC containers](crate::reference::formats::pmo#pac-containers).

use thiserror::Error;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{pmo, tmh};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::formats::core::slice::{NamedView, NamedViews};
use crate::model::FileNoteKind;

/// A problem of a PAC file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PacProblem {
    /// A member that overlaps the table or leaves the file, in a file without members that are known to be of this game.
    /// Always a refusal.
    #[error("member {member} at {offset:#x} with {size} bytes is not inside the file")]
    Outside {
        /// Number of the member.
        member: usize,
        /// Offset of the member.
        offset: u32,
        /// Size of the member in bytes.
        size: u32,
    },
    /// The same in any other file, of which the rest can be used. Always a note.
    #[error("member {member} at {offset:#x} with {size} bytes is not inside the file: it is cut or left out")]
    MemberCut {
        /// Number of the member.
        member: usize,
        /// Offset of the member.
        offset: u32,
        /// Size of the member in bytes.
        size: u32,
    },
    /// A table that the file cuts off. Always a note.
    #[error("the table counts {counted} members, and the file has room for {room}")]
    TableCut {
        /// Number of members according to the table.
        counted: u64,
        /// Number of members that can exist.
        room: u64,
    },
}

impl FormatProblem for PacProblem {
    const REFUSALS: &'static [Refusal] = &[Refusal::new(
        "Outside",
        "members lie outside the file, and nothing in it is known to be of this game",
    )];

    fn note_kind(&self) -> FileNoteKind {
        FileNoteKind::LeftOut
    }
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    offset: U32,
    size: U32,
}

/// More members than any known file has.
const LIKELY_MEMBERS: u64 = 0x4000;
/// More padding between members than any known file has.
const LIKELY_PADDING: u64 = 0x1000;
/// Number of entries that recognition checks.
const CHECKED_ENTRIES: usize = 64;

/// Returns the number of members.
pub(super) fn count(file: View<'_>) -> Result<u64, FormatError> {
    Ok(u64::from(file.word(0)?).min(room(file)))
}

/// Returns the number of entries that fit into the file.
const fn room(file: View<'_>) -> u64 {
    file.len().saturating_sub(4) / 8
}

/// Returns the members of a container, in order; `None` for empty entries. Members that leave the file are cut.
pub(super) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let unnamed = |view| NamedView { name: None, view };
    Ok(members(file)?.map(|member| member.view.map(unnamed)).collect())
}

/// Returns the oddities of a container: members that are cut or left out.
pub(super) fn warnings(file: View<'_>) -> Result<Warnings, FormatError> {
    let mut warnings = Warnings::default();
    let (counted, room) = (u64::from(file.word(0)?), room(file));
    if counted > room {
        warnings.push(file.error(0, PacProblem::TableCut { counted, room }));
    }
    for Found { at, member, offset, size, .. } in members(file)?.filter(|member| !member.is_whole) {
        warnings.push(file.error(at, PacProblem::MemberCut { member, offset, size }));
    }
    Ok(warnings)
}

/// Returns true if the bytes look like a PAC file. PAC has no magic, so the start of the table must be valid, or one of
/// its members must have one.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pac", FileRole::Input);
    let Ok(members) = members(view) else { return false };
    let first: Vec<_> = members.take(CHECKED_ENTRIES).collect();
    let counted = view.word(0).map_or(0, u64::from);
    let is_valid = counted <= room(view) && first.iter().all(|member| member.is_whole);
    let is_known = |view: View<'_>| pmo::sniff(view.bytes()) || tmh::sniff(view.bytes());
    let mut used = first.iter().filter_map(|member| member.view);
    if is_valid { used.next().is_some() } else { counted <= LIKELY_MEMBERS && used.any(is_known) }
}

/// Explains why bytes that begin like a PAC file are none: the table is cut off, or a member leaves the file. Members
/// of real files follow the table and one another, with little padding.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let count = file.word(0).map(u64::from).ok().filter(|count| (1..=LIKELY_MEMBERS).contains(count))?;
    let needed = count.saturating_mul(8);
    let available = file.len().saturating_sub(4);
    let entries: &[Entry] = file.array(4, needed.min(available) / 8).ok()?;
    let mut end = needed.saturating_add(4);
    let used = entries.iter().filter(|entry| entry.offset.get() != 0 && entry.size.get() != 0);
    let mut found = 0_u64;
    for entry in used.take(CHECKED_ENTRIES) {
        let offset = u64::from(entry.offset.get());
        offset.checked_sub(end).filter(|gap| *gap <= LIKELY_PADDING)?;
        end = offset.saturating_add(u64::from(entry.size.get()));
        found = found.saturating_add(1);
    }
    if found == 0 {
        return None;
    }
    if available < needed {
        return Some(file.error(4, Problem::TableCut { entries: "members", count, needed, available }));
    }
    let Found { at, member, offset, size, .. } = members(file).ok()?.find(|member| !member.is_whole)?;
    Some(file.error(at, PacProblem::Outside { member, offset, size }))
}

/// A member as the table has it.
struct Found<'a> {
    /// Offset of its entry.
    at: u64,
    member: usize,
    offset: u32,
    size: u32,
    /// Its bytes, as far as they are inside the file and after the table; `None` for empty entries.
    view: Option<View<'a>>,
    /// Whether no byte is missing.
    is_whole: bool,
}

/// Returns an iterator over the members.
fn members<'a>(file: View<'a>) -> Result<impl Iterator<Item = Found<'a>>, FormatError> {
    let count = count(file)?;
    let entries: &[Entry] = file.array(4, count)?;
    let table = count.saturating_mul(8).saturating_add(4);
    Ok((4..).step_by(8).zip(entries).enumerate().map(move |(member, (at, entry))| {
        let (offset, size) = (entry.offset.get(), entry.size.get());
        let mut found = Found { at, member, offset, size, view: None, is_whole: true };
        if offset != 0 && size != 0 {
            let start = u64::from(offset);
            let left = if start < table { 0 } else { file.len().saturating_sub(start) };
            found.view = file.view(start, left.min(size.into())).ok().filter(|view| !view.is_empty());
            found.is_whole = u64::from(size) <= left;
        }
        found
    }))
}
