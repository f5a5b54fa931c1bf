//! PAC: the containers of Monster Hunter files. Source: the format document on Monster Hunter PMO, §9.
//!
//! # Invariants
//! Members lie behind the table and inside the file; empty entries keep their numbers.

use thiserror::Error;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, FormatProblem};
use crate::formats::core::slice::{NamedView, NamedViews};

/// What can be wrong with a PAC file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PacProblem {
    /// A member that does not lie behind the table and in the file.
    #[error("member {member} lies at {offset:#x} with {size} bytes, which is not inside the file")]
    Outside {
        /// The member's number.
        member: usize,
        /// Where it is said to start.
        offset: u32,
        /// How large it is said to be.
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

/// Entries that have to make sense before a file is taken for a container.
const CHECKED_ENTRIES: usize = 64;

/// How many members a container says it has.
pub(super) fn count(file: View<'_>) -> Result<u64, FormatError> {
    file.word(0).map(u64::from)
}

/// The members of a container, in order; `None` for empty entries.
pub(super) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let unnamed = |view| NamedView { name: None, view };
    members(file)?.map(|member| Ok(member?.map(unnamed))).collect()
}

/// Whether these could be the bytes of a PAC file: there is no magic, so the table has to make sense.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pac", FileRole::Input);
    let Ok(members) = members(view) else { return false };
    let first: Result<Vec<_>, _> = members.take(CHECKED_ENTRIES).collect();
    first.is_ok_and(|members| members.iter().any(Option::is_some))
}

/// Each member, or why it cannot be.
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
