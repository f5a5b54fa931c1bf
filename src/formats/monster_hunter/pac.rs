//! PAC: the containers of Monster Hunter files.
//!
//! # Invariants
//! Members lie after the table and inside the file. Empty entries keep their numbers.
//! Source: [PAC containers](crate::reference::formats::pmo#pac-containers).

use thiserror::Error;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError};
use crate::formats::core::problem::{FormatProblem, Problem};
use crate::formats::core::slice::{NamedView, NamedViews};

/// A problem of a PAC file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PacProblem {
    /// A member that overlaps the table or leaves the file.
    #[error("member {member} at {offset:#x} with {size} bytes is not inside the file")]
    Outside {
        /// Number of the member.
        member: usize,
        /// Offset of the member.
        offset: u32,
        /// Size of the member in bytes.
        size: u32,
    },
}

impl FormatProblem for PacProblem {}

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
    file.word(0).map(u64::from)
}

/// Returns the members of a container, in order; `None` for empty entries.
pub(super) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let unnamed = |view| NamedView { name: None, view };
    members(file)?.map(|member| Ok(member?.map(unnamed))).collect()
}

/// Returns true if the bytes look like a PAC file. PAC has no magic, so the start of the table must be valid.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pac", FileRole::Input);
    let Ok(members) = members(view) else { return false };
    let first: Result<Vec<_>, _> = members.take(CHECKED_ENTRIES).collect();
    first.is_ok_and(|members| members.iter().any(Option::is_some))
}

/// Explains why bytes that begin like a PAC file are none: the table is cut off, or a member leaves the file. Members
/// of real files follow the table and one another, with little padding.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let count = count(file).ok().filter(|count| (1..=LIKELY_MEMBERS).contains(count))?;
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
    members(file).ok()?.find_map(Result::err)
}

/// Returns an iterator over the members and their errors.
fn members<'a>(
    file: View<'a>,
) -> Result<impl Iterator<Item = Result<Option<View<'a>>, FormatError>>, FormatError> {
    let count = count(file)?;
    let entries: &[Entry] = file.array(4, count)?;
    let table = count.saturating_mul(8).saturating_add(4);
    Ok((4..).step_by(8).zip(entries).enumerate().map(move |(member, (at, entry))| {
        let (offset, size) = (entry.offset.get(), entry.size.get());
        if offset == 0 || size == 0 {
            return Ok(None);
        }
        let outside = || file.error(at, PacProblem::Outside { member, offset, size });
        if u64::from(offset) < table {
            return Err(outside());
        }
        file.view(u64::from(offset), u64::from(size)).map(Some).map_err(|_| outside())
    }))
}
