//! Lists the drawable members in a container, even from containers inside it.
//!
//! # Invariants
//! No member is left out silently: a container that cannot be searched is listed itself, and opening it says why.

use super::archive::{Archive, ArchiveFolder};
use super::descriptor::{Format, ListParts, Members, sniff};
use super::error::FormatError;
use super::members::{DEPTH_MAX, LISTED_MAX, Target, components, find, read_affordable};
use super::problem::Problem;
use super::registry::Registry;
use super::request::Request;
use super::slice::FileSlice;
use crate::ge::limits::Limits;

/// A member that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawableMember {
    /// Path for [`Request::member`]: member numbers separated by `/`, then the name of a part.
    pub path: String,
    /// Its name in the container, if any.
    pub name: Option<String>,
    /// Its format.
    pub format: Format,
    /// Set for a container that could not be searched, because it is damaged or nested too deep.
    pub is_unread: bool,
    /// Where it starts in the file, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
}

/// Lists drawable members in the container a request leads to: the input, or the member it asks for. The members of
/// a container come before those from containers inside it.
///
/// # Errors
/// Errors from [`super::open::open_with`] for the container and the path to it; [`Problem::NoContainer`] if the path
/// does not end in a container; [`Problem::TooManyMembers`].
pub fn drawable_members(
    registry: &Registry,
    request: &Request<'_>,
) -> Result<Vec<DrawableMember>, FormatError> {
    match Archive::open(registry, request)? {
        Some(archive) => drawables_of_archive(registry, request, &archive),
        None => drawables_of_file(registry, request),
    }
}

/// Lists drawable files in an archive, and those in its containers. Their paths begin with the file's name.
fn drawables_of_archive(
    registry: &Registry,
    request: &Request<'_>,
    archive: &Archive<'_>,
) -> Result<Vec<DrawableMember>, FormatError> {
    let chosen = match request.member {
        Some(path) => vec![archive.choose(registry, Some(path))?],
        None => {
            let mains = archive.mains(registry)?.into_iter();
            mains.map(|number| archive.chosen(number, None)).collect::<Result<_, _>>()?
        }
    };
    let mut found = Vec::new();
    for chosen in chosen {
        let name = archive.name(chosen.number);
        let folder = ArchiveFolder { archive, number: chosen.number };
        let inner = chosen.request(request, &folder);
        let whole = |format| DrawableMember {
            path: name.to_owned(),
            name: Some(name.to_owned()),
            format,
            is_unread: !format.descriptor().is_drawable,
            offset: 0,
            length: chosen.bytes.len() as u64,
        };
        let format = registry.sniff(&chosen.bytes);
        if let Some(format) =
            format.filter(|format| format.descriptor().is_drawable && chosen.member.is_none())
        {
            found.push(whole(format));
            continue;
        }
        match drawables_of_file(registry, &inner) {
            Ok(members) => found.extend(
                members.into_iter().map(|one| DrawableMember { path: format!("{name}/{}", one.path), ..one }),
            ),
            Err(error) if request.member.is_some() => return Err(chosen.blame(error)),
            // A file that holds nothing to draw does not count. A container that cannot be searched is listed
            // itself.
            Err(error) => {
                let is_container = !matches!(error.kind, Problem::NoContainer(_));
                found.extend(format.filter(|_| is_container).map(whole));
            }
        }
    }
    Ok(found)
}

fn drawables_of_file(registry: &Registry, request: &Request<'_>) -> Result<Vec<DrawableMember>, FormatError> {
    let Target { slice, part, .. } = find(request, registry.formats())?;
    let Some(format) = request.format.or_else(|| registry.sniff(slice.bytes)) else {
        let problem = if request.input.bytes.is_empty() { Problem::Empty } else { Problem::Unknown };
        return Err(slice.error(problem));
    };
    if part.is_some() {
        return Err(slice.error(Problem::NoContainer(format.name())));
    }
    let path: Vec<String> = components(request.member).map(str::to_owned).collect();
    drawables_of(registry.formats(), slice, format, &path, &request.limits)
}

/// Lists drawable members in a container, which `path` leads to.
pub(super) fn drawables_of(
    formats: &[Format],
    slice: FileSlice<'_>,
    format: Format,
    path: &[String],
    limits: &Limits,
) -> Result<Vec<DrawableMember>, FormatError> {
    let mut search = Search { formats, limits, left: LISTED_MAX, found: Vec::new() };
    search.container(slice, format, path)?;
    Ok(search.found)
}

/// A search in progress.
struct Search<'f> {
    formats: &'f [Format],
    limits: &'f Limits,
    /// How many members it may still visit.
    left: u64,
    found: Vec<DrawableMember>,
}

impl Search<'_> {
    /// Adds members from the container at a path, and from containers inside it.
    fn container(
        &mut self,
        slice: FileSlice<'_>,
        format: Format,
        path: &[String],
    ) -> Result<(), FormatError> {
        if path.len() >= DEPTH_MAX {
            return Err(slice.error(Problem::TooDeep(DEPTH_MAX)));
        }
        match format.descriptor().members {
            Members::Slices { .. } => self.slices(slice, format, path),
            Members::Parts { list } => self.parts(slice, format, list, path),
            Members::None | Members::Archived { .. } => Err(slice.error(Problem::NoContainer(format.name()))),
        }
    }

    fn slices(&mut self, slice: FileSlice<'_>, format: Format, path: &[String]) -> Result<(), FormatError> {
        let too_many = || slice.error(Problem::TooManyMembers(LISTED_MAX));
        // Does not even read a table beyond the budget.
        let members = read_affordable(slice, format, self.left)?.ok_or_else(too_many)?;
        self.left = self.left.checked_sub(members.len() as u64).ok_or_else(too_many)?;
        let mut inner = Vec::new();
        for (index, (name, member)) in members.iter().enumerate() {
            let Some(member) = *member else { continue };
            let Some(format) = sniff(self.formats, member.bytes) else { continue };
            let path: Vec<String> = path.iter().cloned().chain([index.to_string()]).collect();
            if format.descriptor().is_drawable {
                self.push(member, format, &path, name.clone());
            } else if matches!(format.descriptor().members, Members::Slices { .. } | Members::Parts { .. }) {
                inner.push((member, format, path, name));
            }
        }
        for (member, format, path, name) in inner {
            let before = self.found.len();
            match self.container(member, format, &path) {
                Err(error) if matches!(error.kind, Problem::TooManyMembers(_)) => return Err(error),
                // Drop its partial results, so that the container appears once and opening it reports the damage.
                Err(_) => {
                    self.found.truncate(before);
                    self.push(member, format, &path, name.clone());
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Adds the parts of a format that names them itself.
    fn parts(
        &mut self,
        slice: FileSlice<'_>,
        format: Format,
        list: ListParts,
        path: &[String],
    ) -> Result<(), FormatError> {
        let parts = list(slice.view(format.name()), self.limits)?;
        let too_many = || slice.error(Problem::TooManyMembers(LISTED_MAX));
        self.left = self.left.checked_sub(parts.len() as u64).ok_or_else(too_many)?;
        for part in parts.into_iter().filter(|part| part.is_drawable) {
            let name = part.name.unwrap_or_else(|| part.index.to_string());
            self.found.push(DrawableMember {
                path: path.iter().cloned().chain([name.clone()]).collect::<Vec<_>>().join("/"),
                name: Some(name),
                format: part.format.unwrap_or(format),
                is_unread: false,
                offset: part.offset,
                length: part.length,
            });
        }
        Ok(())
    }

    fn push(&mut self, slice: FileSlice<'_>, format: Format, path: &[String], name: Option<String>) {
        self.found.push(DrawableMember {
            path: path.join("/"),
            name,
            format,
            is_unread: !format.descriptor().is_drawable,
            offset: slice.offset,
            length: slice.bytes.len() as u64,
        });
    }
}
