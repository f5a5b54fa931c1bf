//! A container's members: their names, formats and places.

use std::collections::{BTreeMap, HashSet};

use super::problem::ResourceProblem;
use super::unpack::{self, Compression};
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Descriptor, Format, Member};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::psp_sdk::{gim, gmo};
use crate::ge::limits::Limits;

#[derive(Clone, Debug)]
pub(in crate::formats::psp_sdk) struct Resource<'a> {
    pub(in crate::formats::psp_sdk) name: String,
    /// How the container describes it, to be listed.
    pub(in crate::formats::psp_sdk) kind: String,
    pub(in crate::formats::psp_sdk) compression: Compression,
    /// Its bytes in the file; `None` if it has none there, or none that can be read.
    pub(in crate::formats::psp_sdk) stored: Option<View<'a>>,
    /// Where it starts in the file.
    pub(in crate::formats::psp_sdk) offset: u64,
    /// How many bytes it takes in the file.
    pub(in crate::formats::psp_sdk) length: u64,
    /// How many bytes it has after unpacking, if the container says so.
    pub(in crate::formats::psp_sdk) unpacked: Option<u64>,
}

/// Everything read from a container's tables.
#[derive(Clone, Debug)]
pub(in crate::formats::psp_sdk) struct Resources<'a> {
    pub(in crate::formats::psp_sdk) file: View<'a>,
    pub(in crate::formats::psp_sdk) members: Vec<Resource<'a>>,
    /// Further counts to show, by name.
    pub(in crate::formats::psp_sdk) counts: Vec<(String, u64)>,
    pub(in crate::formats::psp_sdk) warnings: Warnings,
}

/// Reads a container's tables; each format has its own reader.
pub(in crate::formats::psp_sdk) type Read =
    for<'a> fn(View<'a>, &Limits) -> Result<Resources<'a>, FormatError>;

impl Resource<'_> {
    /// Recognises the format by the first bytes.
    pub(super) fn format(&self) -> Option<Format> {
        let start = unpack::start(self.stored?.bytes(), self.compression);
        format_of(&start).map(Descriptor::format)
    }
}

/// Recognises a member's format if it can be drawn.
pub(super) fn format_of(start: &[u8]) -> Option<&'static Descriptor> {
    if gmo::sniff(start) {
        Some(&gmo::FORMAT)
    } else if gim::sniff(start) {
        Some(&gim::FORMAT)
    } else {
        None
    }
}

impl<'a> Resources<'a> {
    /// Starts a container without members.
    pub(in crate::formats::psp_sdk) fn new(file: View<'a>) -> Self {
        let counts = vec![("size".to_owned(), file.len())];
        Self { file, members: Vec::new(), counts, warnings: Warnings::default() }
    }

    /// Returns `length` bytes at an offset in the file for a member. Cut-off members end with the file.
    pub(in crate::formats::psp_sdk) fn stored(
        &mut self,
        name: &str,
        offset: u64,
        length: u64,
    ) -> Option<View<'a>> {
        let kept = length.min(self.file.len().saturating_sub(offset));
        if kept < length {
            let problem = ResourceProblem::Outside { name: name.to_owned(), length, kept };
            self.warnings.push(self.file.error(offset, problem));
        }
        self.file.view(offset, kept).ok().filter(|view| !view.is_empty())
    }

    /// Names members after their kind and a number if they have no usable name, or an earlier member's.
    pub(in crate::formats::psp_sdk) fn name_members(&mut self) {
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

    /// Describes the members to be listed.
    pub(super) fn list(&self) -> Vec<Member> {
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

    /// Finds a member by number or name, or else the first in this format.
    pub(super) fn find(&self, wanted: &str) -> Option<&Resource<'a>> {
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
