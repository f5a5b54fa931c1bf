//! Members of containers: following a path to one, describing them, finding a companion among them.

use super::descriptor::{Format, Member, Members, OpenContext, sniff};
use super::error::{FileRole, FormatError, Problem};
use super::request::Request;
use super::slice::{FileSlice, NamedMembers};

/// Containers within containers that are looked into.
pub(in crate::formats) const DEPTH_MAX: usize = 4;
/// Members that a search for a format looks at.
const SEARCHED_MAX: u64 = 0x4000;

/// The target of a request: a slice, its surroundings, and the part of it that is wanted.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) slice: FileSlice<'a>,
    /// The members of the container that it is in, itself included.
    pub(super) siblings: NamedMembers<'a>,
    /// That container.
    pub(super) container: Option<FileSlice<'a>>,
    /// The rest of the path to a member, for formats that name their own parts.
    pub(super) part: Option<String>,
}

/// Follows a request's path to a member as far as containers go.
pub(super) fn find<'a>(request: &Request<'a>, formats: &[Format]) -> Result<Target<'a>, FormatError> {
    let mut slice = FileSlice::whole(request.input, FileRole::Input);
    let (mut siblings, mut container) = (Vec::new(), None);
    let path: Vec<&str> = request.member.into_iter().flat_map(|path| path.split(['/', '#'])).collect();
    for (depth, wanted) in path.iter().enumerate() {
        if depth >= DEPTH_MAX {
            return Err(slice.error(Problem::TooDeep(DEPTH_MAX)));
        }
        let forced = if depth == 0 { request.format } else { None };
        let forced = forced.filter(|format| format.is_container());
        let Some(format) = forced.or_else(|| sniff(formats, slice.bytes)) else {
            return Err(slice.error(Problem::Unknown));
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
        let found = by_number().or_else(by_name).or_else(by_format);
        container = Some(slice);
        slice = found.ok_or_else(|| slice.error(Problem::NoMember((*wanted).to_owned())))?;
        siblings = named;
    }
    Ok(Target { slice, siblings, container, part: None })
}

impl OpenContext<'_> {
    /// Describes the members of a container.
    #[must_use]
    pub fn describe(&self, container: FileSlice<'_>, members: &NamedMembers<'_>) -> Vec<Member> {
        let describe = |(index, (name, slice)): (usize, &(Option<String>, Option<FileSlice<'_>>))| {
            let (format, offset, length) = match slice {
                Some(slice) => (self.sniff(slice.bytes), slice.offset, slice.bytes.len() as u64),
                None => (None, container.offset, 0),
            };
            Member { index, name: name.clone(), kind: None, format, offset, length }
        };
        members.iter().enumerate().map(describe).collect()
    }

    /// Returns the members that have a format, with their names.
    #[must_use]
    pub fn of_format<'a>(
        &self,
        format: Format,
        members: &NamedMembers<'a>,
    ) -> Vec<(Option<String>, FileSlice<'a>)> {
        let is = |slice: &FileSlice<'_>| self.sniff(slice.bytes) == Some(format);
        members.iter().filter_map(|(name, slice)| Some((name.clone(), slice.filter(is)?))).collect()
    }

    /// Returns the first member of a format, with its siblings. Then containers among the members are searched, if they
    /// can count theirs.
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
            // Too many members are not even read.
            let affordable = count(slice.view(container.name())).is_ok_and(|count| count <= *budget);
            self.search(format, &affordable.then(|| container.members_of(slice).ok())??, depth, budget)
        })
    }

    /// Returns the part of a companion file that has the wanted format: the file, or a member of it.
    ///
    /// # Errors
    /// [`Problem::WrongCompanion`] if it does not have that format and holds no file that has.
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
        let (expected, found) = (format.name(), found.map(Format::name));
        Err(file.error(Problem::WrongCompanion { expected, found }))
    }
}

/// Counts members without reading them.
type Counter = fn(super::cursor::View<'_>) -> Result<u64, FormatError>;

fn counter(format: Format) -> Option<Counter> {
    match format.descriptor().members {
        Members::Slices { count, .. } => count,
        _ => None,
    }
}
