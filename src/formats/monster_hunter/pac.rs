//! PAC: containers for Monster Hunter files.
//!
//! # Invariants
//! Members lie after the table and inside the file. Empty and unfitting entries keep their numbers.
//! Source: [PAC containers](crate::reference::formats::pmo#pac-containers).

use thiserror::Error;
use zerocopy::little_endian::U32;

use super::{pmo, tmh};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::formats::core::slice::{NamedView, NamedViews};
use crate::model::FileNoteKind;

/// A problem in a PAC file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PacProblem {
    /// A member overlaps the table or leaves the file, and no member is known to belong to this game. Always a
    /// refusal.
    #[error("member {member} at {offset:#x} with {size} bytes is not inside the file")]
    Outside {
        /// The member's number.
        member: usize,
        /// The member's offset.
        offset: u32,
        /// The member's size in bytes.
        size: u32,
    },
    /// A member overlaps the table or leaves the file, but other members are usable. Always a note.
    #[error("member {member} at {offset:#x} with {size} bytes is not inside the file: it is cut or left out")]
    MemberCut {
        /// The member's number.
        member: usize,
        /// The member's offset.
        offset: u32,
        /// The member's size in bytes.
        size: u32,
    },
    /// The table is cut off. Always a note.
    #[error("the table counts {counted} members, and the file has room for {room}")]
    TableCut {
        /// Member count in the table.
        counted: u64,
        /// How many members there is room for.
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

/// A member's offset and size.
type Entry = [U32; 2];

/// Exceeds the member count in any known file.
const LIKELY_MEMBERS: u64 = 0x4000;
/// Exceeds the padding between members in any known file.
const LIKELY_PADDING: u64 = 0x1000;
/// How many entries to check for recognition.
const CHECKED_ENTRIES: usize = 64;

/// Counts the members, as far as the file has room for them.
pub(super) fn count(file: View<'_>) -> Result<u64, FormatError> {
    Ok(u64::from(file.word(0)?).min(room(file)))
}

/// Counts how many entries fit into the file.
const fn room(file: View<'_>) -> u64 {
    file.len().saturating_sub(4) / 8
}

/// Reads a container's members in order; `None` for empty entries. Members past the end are cut.
pub(super) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let unnamed = |view| NamedView { name: None, view };
    Ok(members(file)?.map(|member| member.view.map(unnamed)).collect())
}

/// Collects a container's oddities: members cut or left out.
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

/// Recognises a PAC file. PAC has no magic, so the start of the table must be valid, or a member must have a magic.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pac", FileRole::Input);
    let Ok(members) = members(view) else { return false };
    let first: Vec<_> = members.take(CHECKED_ENTRIES).collect();
    let counted = view.word(0).map_or(0, u64::from);
    let is_valid = counted <= room(view) && first.iter().all(|member| member.is_whole);
    let is_known = |view: View<'_>| pmo::sniff(view.bytes()) || tmh::sniff(view.bytes());
    let mut used = first.iter().filter_map(|member| member.view);
    // A damaged table needs stronger evidence: a member known to belong to this game.
    if is_valid { used.next().is_some() } else { counted <= LIKELY_MEMBERS && used.any(is_known) }
}

/// Explains why bytes are no PAC file although they begin like it: the table is cut off, or a member leaves the
/// file. To tell them from other data, members must follow the table and each other with little padding, as in real
/// files.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let count = file.word(0).map(u64::from).ok().filter(|count| (1..=LIKELY_MEMBERS).contains(count))?;
    let needed = count.saturating_mul(8);
    let available = file.len().saturating_sub(4);
    let entries: &[Entry] = file.array(4, needed.min(available) / 8).ok()?;
    let mut end = needed.saturating_add(4);
    let entries = entries.iter().map(|entry| entry.map(U32::get));
    let used = entries.filter(|[offset, size]| *offset != 0 && *size != 0);
    let mut found = 0_u64;
    for [offset, size] in used.take(CHECKED_ENTRIES) {
        let offset = u64::from(offset);
        offset.checked_sub(end).filter(|gap| *gap <= LIKELY_PADDING)?;
        end = offset.saturating_add(size.into());
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

/// Members start at multiples of this, or of a smaller power of two.
const ALIGNMENT_MAX: u32 = 16;
/// Containers in the game's archive are filled up to blocks of this size with left-over bytes.
const BLOCK: usize = 2048;

/// Replaces a member. If it does not fit into its place, all members after it move by a multiple of their common
/// alignment.
/// Source: [PAC containers](crate::reference::formats::pmo#pac-containers).
pub(super) fn replace(file: View<'_>, member: usize, bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let all: Vec<Found<'_>> = members(file)?.filter(|found| found.view.is_some()).collect();
    let Some(own) = all.iter().find(|found| found.member == member) else {
        return Err(file.error(0, Problem::Unknown));
    };
    let used = || all.iter().map(|found| found.offset);
    // An offset's trailing zeros tell how far it is aligned.
    let alignment = used().fold(ALIGNMENT_MAX, |most, offset| most.min(1 << offset.trailing_zeros().min(4)));
    let end_of =
        |found: &Found<'_>| u64::from(found.offset).saturating_add(found.size.into()).min(file.len());
    let next = used().filter(|offset| *offset > own.offset).min();
    // The members end here, and left-over bytes follow.
    let end = all.iter().map(end_of).max().unwrap_or(0);
    let room = next.map_or(end, u64::from).saturating_sub(own.offset.into());
    let length = bytes.len() as u64;
    let grown = length.saturating_sub(room).next_multiple_of(alignment.into());
    let resized = u32::try_from(length).ok().zip(u32::try_from(grown).ok());
    let Some((size, grown)) = resized else { return Err(file.error(own.at, Problem::OutOfMemory(length))) };
    let (start, behind) = (u64::from(own.offset), u64::from(own.offset).saturating_add(room));
    let mut new = file.slice(0, start)?.to_vec();
    new.extend_from_slice(bytes);
    let rest = usize::try_from(behind.saturating_add(grown.into())).unwrap_or(usize::MAX);
    new.resize(new.len().max(rest), 0);
    new.extend_from_slice(file.slice(behind, file.len().saturating_sub(behind))?);
    if usize::try_from(file.len()).unwrap_or(0).is_multiple_of(BLOCK) {
        // Left-over bytes only fill the last block.
        let end = usize::try_from(end.saturating_add(grown.into())).unwrap_or(usize::MAX);
        new.resize(end.next_multiple_of(BLOCK), 0);
    }
    for found in &all {
        let at = usize::try_from(found.at).unwrap_or(usize::MAX);
        let (offset, size) = match found.offset {
            offset if offset == own.offset && found.size == own.size => (offset, size),
            offset if offset > own.offset => (offset.saturating_add(grown), found.size),
            offset => (offset, found.size),
        };
        let entry = [offset.to_le_bytes(), size.to_le_bytes()].concat();
        if let Some(to) = new.get_mut(at..at.saturating_add(8)) {
            to.copy_from_slice(&entry);
        }
    }
    Ok(new)
}

/// A member as stated by the table.
struct Found<'a> {
    /// Its entry's offset.
    at: u64,
    member: usize,
    offset: u32,
    size: u32,
    /// Its bytes inside the file and after the table; `None` for empty entries.
    view: Option<View<'a>>,
    /// Set if all its bytes are there.
    is_whole: bool,
}

/// Iterates over the members, to read only as many as needed.
fn members<'a>(file: View<'a>) -> Result<impl Iterator<Item = Found<'a>>, FormatError> {
    let count = count(file)?;
    let entries: &[Entry] = file.array(4, count)?;
    let table = count.saturating_mul(8).saturating_add(4);
    Ok((4..).step_by(8).zip(entries).enumerate().map(move |(member, (at, entry))| {
        let [offset, size] = entry.map(U32::get);
        let mut found = Found { at, member, offset, size, view: None, is_whole: true };
        if offset != 0 && size != 0 {
            let start = u64::from(offset);
            // A member inside the table is damaged, so this keeps none of its bytes.
            let left = if start < table { 0 } else { file.len().saturating_sub(start) };
            found.view = file.view(start, left.min(size.into())).ok().filter(|view| !view.is_empty());
            found.is_whole = u64::from(size) <= left;
        }
        found
    }))
}
