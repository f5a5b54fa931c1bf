//! Finds members in containers: by a path, or by format to serve as a companion.

use super::descriptor::{Format, Member, Members, OpenContext, sniff};
use super::error::{FileRole, FormatError};
use super::foreign;
use super::near_miss;
use super::problem::Problem;
use super::request::Request;
use super::slice::{FileSlice, NamedMembers};
use super::suggest::Choices;

pub mod archived_files;
pub(crate) mod companions;
pub mod listing;
pub mod together;

/// How deep to look into containers within containers.
pub(in crate::formats) const DEPTH_MAX: usize = 4;
/// How many members to list, including members in inner containers.
pub(super) const LISTED_MAX: u64 = 0x4000;
/// How many members a search by format may visit.
const SEARCHED_MAX: u64 = 0x4000;

/// The slice a request leads to, and its surroundings.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) slice: FileSlice<'a>,
    /// Members in the same container, itself included.
    pub(super) siblings: NamedMembers<'a>,
    /// The container it is in.
    pub(super) container: Option<FileSlice<'a>>,
    /// Rest of the path, for formats that name their own parts.
    pub(super) part: Option<String>,
}

/// Follows a request's path through containers, as far as they go.
pub(super) fn find<'a>(request: &Request<'a>, formats: &[Format]) -> Result<Target<'a>, FormatError> {
    let mut slice = FileSlice::whole(request.input, FileRole::Input);
    let (mut siblings, mut container) = (Vec::new(), None);
    let path: Vec<&str> = components(request.member).collect();
    for (depth, wanted) in path.iter().enumerate() {
        if depth >= DEPTH_MAX {
            return Err(slice.error(Problem::TooDeep(DEPTH_MAX)));
        }
        // A forced format applies to the input only; members are recognised by their content.
        let forced = if depth == 0 { request.format } else { None };
        let forced = forced.filter(|format| format.is_container());
        let Some(format) = forced.or_else(|| sniff(formats, slice.bytes)) else {
            return Err(near_miss::explain(slice, formats));
        };
        if !format.is_container() {
            let part = path.get(depth..).map(|rest| rest.join("/"));
            return Ok(Target { slice, siblings, container, part });
        }
        let named = format.members_of(slice)?;
        let by_number = || named.get(wanted.parse::<usize>().ok()?)?.1;
        let by_name = || {
            let is = |name: &Option<String>, same: fn(&str, &str) -> bool| {
                name.as_deref().is_some_and(|name| same(name, wanted))
            };
            let exactly = named.iter().find(|(name, _)| is(name, |one, other| one == other));
            exactly.or_else(|| named.iter().find(|(name, _)| is(name, str::eq_ignore_ascii_case)))?.1
        };
        let by_format = || {
            let format = formats.iter().copied().find(|format| format.name() == *wanted)?;
            let mut members = named.iter().filter_map(|(_, member)| *member);
            members.find(|member| sniff(formats, member.bytes) == Some(format))
        };
        // A number beats a name, and a name beats a format.
        let found = by_number().or_else(by_name).or_else(by_format);
        container = Some(slice);
        slice = found.ok_or_else(|| slice.error(missing(wanted, &named, formats)))?;
        siblings = named;
    }
    Ok(Target { slice, siblings, container, part: None })
}

/// Splits a path at `/` and `#`.
pub(super) fn components(path: Option<&str>) -> impl Iterator<Item = &str> {
    path.into_iter().flat_map(|path| path.split(['/', '#']))
}

/// Reads a container's members. Returns `None` without reading them if it declares more than `most`, so that a
/// crafted count costs nothing.
pub(super) fn read_affordable<'a>(
    slice: FileSlice<'a>,
    container: Format,
    most: u64,
) -> Result<Option<NamedMembers<'a>>, FormatError> {
    if let Some(count) = counter(container)
        && count(slice.view(container.name()))? > most
    {
        return Ok(None);
    }
    container.members_of(slice).map(Some)
}

/// Explains why a path's member was not found: it is empty, or does not exist.
fn missing(wanted: &str, named: &NamedMembers<'_>, formats: &[Format]) -> Problem {
    let is_wanted = |(number, (name, _)): (usize, &(Option<String>, Option<FileSlice<'_>>))| {
        wanted.parse() == Ok(number) || name.as_deref() == Some(wanted)
    };
    if named.iter().enumerate().any(is_wanted) {
        return Problem::EmptyMember(wanted.to_owned());
    }
    let label = |number: usize, name: &str| {
        let slice = named.get(number).and_then(|(_, slice)| *slice);
        let format = slice.and_then(|slice| sniff(formats, slice.bytes)).map(Format::name);
        match (name, format) {
            ("", Some(format)) => format!("{number} ({format})"),
            ("", None) => number.to_string(),
            (name, _) => format!("{number} \"{name}\""),
        }
    };
    let names = named.iter().map(|(name, _)| name.as_deref().unwrap_or_default());
    Problem::NoMember { wanted: wanted.to_owned(), members: Box::new(Choices::new(wanted, names, label)) }
}

/// Describes a container's members.
pub(super) fn describe(
    formats: &[Format],
    container: FileSlice<'_>,
    members: &NamedMembers<'_>,
) -> Vec<Member> {
    let describe = |(index, (name, slice)): (usize, &(Option<String>, Option<FileSlice<'_>>))| {
        let (format, offset, length) = match slice {
            Some(slice) => (sniff(formats, slice.bytes), slice.offset, slice.bytes.len() as u64),
            None => (None, container.offset, 0),
        };
        let is_drawable = format.is_some_and(|format| format.descriptor().is_drawable);
        Member { index, name: name.clone(), kind: None, format, is_drawable, offset, length }
    };
    members.iter().enumerate().map(describe).collect()
}

impl OpenContext<'_> {
    /// Names the format of `bytes` for messages, even a well-known format without a reader.
    #[must_use]
    pub fn name_of(&self, bytes: &[u8]) -> Option<&'static str> {
        self.sniff(bytes).map(Format::name).or_else(|| foreign::identify(bytes))
    }

    /// Describes a container's members.
    #[must_use]
    pub fn describe(&self, container: FileSlice<'_>, members: &NamedMembers<'_>) -> Vec<Member> {
        describe(self.formats, container, members)
    }

    /// Filters the members by format and keeps their names.
    #[must_use]
    pub fn of_format<'a>(
        &self,
        format: Format,
        members: &NamedMembers<'a>,
    ) -> Vec<(Option<String>, FileSlice<'a>)> {
        let is = |slice: &FileSlice<'_>| self.sniff(slice.bytes) == Some(format);
        members.iter().filter_map(|(name, slice)| Some((name.clone(), slice.filter(is)?))).collect()
    }

    /// Finds the first member with this format, and its siblings. Direct members win; after them, containers that
    /// can count their members are searched too.
    #[must_use]
    pub fn first_of<'a>(
        &self,
        format: Format,
        members: &NamedMembers<'a>,
    ) -> Option<(FileSlice<'a>, NamedMembers<'a>)> {
        self.search(format, members, DEPTH_MAX, &mut SEARCHED_MAX.clone())
    }

    fn search<'a>(
        &self,
        format: Format,
        members: &NamedMembers<'a>,
        depth: usize,
        budget: &mut u64,
    ) -> Option<(FileSlice<'a>, NamedMembers<'a>)> {
        *budget = budget.checked_sub(members.len() as u64)?;
        let mut inner = Vec::new();
        for slice in members.iter().filter_map(|(_, slice)| *slice) {
            match self.sniff(slice.bytes) {
                Some(found) if found == format => return Some((slice, members.clone())),
                Some(found) => inner.extend(counter(found).map(|count| (slice, found, count))),
                None => {}
            }
        }
        let depth = depth.checked_sub(1)?;
        inner.into_iter().find_map(|(slice, container, count)| {
            // Does not even read a table beyond the budget.
            let affordable = count(slice.view(container.name())).is_ok_and(|count| count <= *budget);
            self.search(format, &affordable.then(|| container.members_of(slice).ok())??, depth, budget)
        })
    }

    /// Finds the part of a companion file with the wanted format: the file itself, or a member.
    ///
    /// # Errors
    /// [`Problem::WrongCompanion`] if neither the file nor anything in it has this format.
    pub fn companion_of<'a>(
        &self,
        file: FileSlice<'a>,
        format: Format,
    ) -> Result<FileSlice<'a>, FormatError> {
        let found = self.sniff(file.bytes);
        match found {
            Some(other) if other == format => return Ok(file),
            Some(container) if counter(container).is_some() => {
                if let Some((slice, _)) = self.first_of(format, &container.members_of(file)?) {
                    return Ok(slice);
                }
            }
            _ => {}
        }
        let (expected, found) = (format.name(), self.name_of(file.bytes));
        Err(file.error(Problem::WrongCompanion { expected, found }))
    }
}

/// Counts members without reading them, to bound the work before it starts.
type Counter = fn(super::cursor::View<'_>) -> Result<u64, FormatError>;

fn counter(format: Format) -> Option<Counter> {
    match format.descriptor().members {
        Members::Slices { count, .. } => count,
        _ => None,
    }
}
