//! Containers whose members may be compressed one by one: the members, their names, and how to open them.
//!
//! The formats read their own tables into [`Resources`]; everything after that is the same for all.
//!
//! # Invariants
//! Names are unique, and none looks like a number or a path. Unpacking all members gives at most
//! [`Limits::decoded_bytes`]. A member that cannot be read costs no other.

mod open;
mod problem;
mod rlz;
mod unpack;

use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) use open::open;
pub use problem::ResourceProblem;
pub(super) use unpack::{Budget, unpack};

use super::{gim, gmo};
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Descriptor, Format, Member, Parts};
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::limits::Limits;

/// Kinds of pictures, by their number in RCO and PTF files.
pub(super) const IMAGES: [&str; 6] = ["PNG", "JPEG", "TIFF", "GIF", "BMP", "GIM"];

/// How the bytes of a member are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Zlib,
    /// The compression of the PSP's firmware.
    Rlz,
    Unknown(u16),
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Resource<'a> {
    pub(super) name: String,
    /// What the container says about it.
    pub(super) kind: String,
    pub(super) compression: Compression,
    /// The bytes in the file; `None` if it has none there, or none that can be read.
    pub(super) stored: Option<View<'a>>,
    /// Where it is in the file.
    pub(super) offset: u64,
    /// Its bytes in the file.
    pub(super) length: u64,
    /// Its bytes after unpacking, if the container says so.
    pub(super) unpacked: Option<u64>,
}

/// The members of a container.
#[derive(Clone, Debug)]
pub(super) struct Resources<'a> {
    pub(super) file: View<'a>,
    pub(super) members: Vec<Resource<'a>>,
    /// What else is in the container.
    pub(super) counts: Vec<(String, u64)>,
    pub(super) warnings: Warnings,
}

/// Reads the tables of a container.
pub(super) type Read = for<'a> fn(View<'a>, &Limits) -> Result<Resources<'a>, FormatError>;

impl Resource<'_> {
    /// Returns the format of the contents, from their first bytes.
    fn format(&self) -> Option<Format> {
        let start = unpack::start(self.stored?.bytes(), self.compression);
        format_of(&start).map(Descriptor::format)
    }
}

/// Recognises a member that can be drawn.
fn format_of(start: &[u8]) -> Option<&'static Descriptor> {
    if gmo::sniff(start) {
        Some(&gmo::FORMAT)
    } else if gim::sniff(start) {
        Some(&gim::FORMAT)
    } else {
        None
    }
}

impl<'a> Resources<'a> {
    /// Starts without members.
    pub(super) fn new(file: View<'a>) -> Self {
        let counts = vec![("size".to_owned(), file.len())];
        Self { file, members: Vec::new(), counts, warnings: Warnings::default() }
    }

    /// Takes `length` bytes at an offset in the file for a member. Cut-off members end with the file.
    pub(super) fn stored(&mut self, name: &str, offset: u64, length: u64) -> Option<View<'a>> {
        let kept = length.min(self.file.len().saturating_sub(offset));
        if kept < length {
            let problem = ResourceProblem::Outside { name: name.to_owned(), length, kept };
            self.warnings.push(self.file.error(offset, problem));
        }
        self.file.view(offset, kept).ok().filter(|view| !view.is_empty())
    }

    /// Gives members without a usable name, or with that of an earlier one, their kind and a number as a name.
    pub(super) fn name_members(&mut self) {
        let mut known = HashSet::new();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut further = self.members.len();
        for member in &mut self.members {
            let kind = member.kind.split_once(',').map_or(member.kind.as_str(), |(kind, _)| kind).to_owned();
            let number = numbers.entry(kind.clone()).or_default();
            let is_usable = !member.name.is_empty()
                && !member.name.contains(['/', '#'])
                && member.name.parse::<usize>().is_err();
            if !is_usable || !known.insert(member.name.clone()) {
                member.name = format!("{kind}:{number}");
                // Another member may have this name already.
                while !known.insert(member.name.clone()) {
                    member.name = format!("{kind}:{further}");
                    further = further.saturating_add(1);
                }
            }
            *number = number.saturating_add(1);
        }
    }

    /// Describes the members.
    fn list(&self) -> Vec<Member> {
        let describe = |(index, member): (usize, &Resource<'_>)| {
            let format = member.format();
            let kind = match member.compression {
                Compression::None => member.kind.clone(),
                Compression::Zlib => format!("{}, zlib", member.kind),
                Compression::Rlz => format!("{}, RLZ", member.kind),
                Compression::Unknown(number) => format!("{}, compression {number}, not read", member.kind),
            };
            Member {
                index,
                name: Some(member.name.clone()),
                kind: Some(kind),
                format,
                is_drawable: format.is_some_and(|format| format.descriptor().is_drawable),
                offset: member.offset,
                length: member.length,
            }
        };
        self.members.iter().enumerate().map(describe).collect()
    }

    /// Finds a member by its number, its name, or as the first in a format.
    fn find(&self, wanted: &str) -> Option<&Resource<'a>> {
        let named =
            |same: fn(&str, &str) -> bool| self.members.iter().find(|member| same(&member.name, wanted));
        let of_format = || {
            let is = |member: &&Resource<'_>| member.format().is_some_and(|format| format.name() == wanted);
            self.members.iter().find(is)
        };
        let by_number = wanted.parse::<usize>().ok().and_then(|number| self.members.get(number));
        by_number
            .or_else(|| named(|one, other| one == other))
            .or_else(|| named(str::eq_ignore_ascii_case))
            .or_else(of_format)
    }
}

/// Lists the members of a container.
pub(super) fn list(file: View<'_>, limits: &Limits, read: Read) -> Result<Vec<Member>, FormatError> {
    read(file, limits).map(|resources| resources.list())
}

/// Unpacks the members that start at these offsets.
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

/// Refuses to change compressed members.
pub(super) fn replace_parts(file: View<'_>, parts: &Parts) -> Result<Vec<u8>, FormatError> {
    let first = parts.keys().next().copied().unwrap_or(0);
    Err(file.error(first, ResourceProblem::NotReplaced))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
