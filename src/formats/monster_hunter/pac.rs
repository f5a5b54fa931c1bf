//! PAC: the containers of Monster Hunter files.
//!
//! # Invariants
//! Members lie after the table and inside the file. Empty entries keep their numbers.
//! Source: [PAC containers](crate::reference::formats::pmo#pac-containers).

use thiserror::Error;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, FormatProblem};
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
