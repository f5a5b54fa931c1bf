//! Opens containers whose members may each be compressed: finds their members, names them and opens them.
//!
//! Each format reads its own tables into [`Resources`]; everything after this is shared.
//!
//! # Invariants
//! Names are unique, and none looks like a number or a path. Unpacking all members gives at most
//! [`Limits::decoded_bytes`]. A member that cannot be read costs no other.

mod members;
mod open;
mod problem;
mod rlz;
mod unpack;

use std::collections::BTreeSet;

pub(super) use members::{Read, Resource, Resources};
pub(super) use open::open;
pub use problem::ResourceProblem;
pub(super) use unpack::{Budget, Compression, unpack};

use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Member, Parts};
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::limits::Limits;

/// Picture kinds, by number in RCO and PTF files.
pub(super) const IMAGES: [&str; 6] = ["PNG", "JPEG", "TIFF", "GIF", "BMP", "GIM"];

/// Lists a container's members.
pub(super) fn list(file: View<'_>, limits: &Limits, read: Read) -> Result<Vec<Member>, FormatError> {
    read(file, limits).map(|resources| resources.list())
}

/// Unpacks the members at these offsets in the file.
pub(super) fn unpack_parts(file: View<'_>, wanted: &BTreeSet<u64>, read: Read) -> Result<Parts, FormatError> {
    let limits = Limits::default();
    let mut budget = Budget::new(&limits);
    let mut parts = Parts::new();
    for member in read(file, &limits)?.members {
        let Some(stored) = member.stored else { continue };
        let at = stored.file_offset(0).saturating_sub(file.file_offset(0));
        if member.compression != Compression::None && wanted.contains(&at) && !parts.contains_key(&at) {
            let warnings = &mut Warnings::default();
            parts.insert(at, unpack(stored, member.compression, member.unpacked, &mut budget, warnings)?);
        }
    }
    Ok(parts)
}

/// Refuses to change compressed members, because writing them is not supported.
pub(super) fn replace_parts(file: View<'_>, parts: &Parts) -> Result<Vec<u8>, FormatError> {
    let first = parts.keys().next().copied().unwrap_or(0);
    Err(file.error(first, ResourceProblem::NotReplaced))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
