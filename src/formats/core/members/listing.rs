//! Lists a container's members, one level deep, with the paths to them.

use crate::formats::core::archive::{Archive, ArchiveFolder};
use crate::formats::core::descriptor::{Format, Member, Members};
use crate::formats::core::error::FormatError;
use crate::formats::core::members::{LISTED_MAX, Target, describe, find, read_affordable};
use crate::formats::core::problem::Problem;
use crate::formats::core::registry::Registry;
use crate::formats::core::request::Request;

/// A member of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMember {
    /// Path for [`Request::member`], leading to it from the input.
    pub path: String,
    /// The member itself.
    pub member: Member,
    /// Whether it holds members in turn.
    pub holds_members: bool,
}

/// Returns whether files of this format hold members that a path can name.
#[must_use]
pub const fn holds_members(format: Format) -> bool {
    !matches!(format.descriptor().members, Members::None)
}

/// Lists the members of the container that a request leads to: the input, or the member it asks for. Other content
/// has none.
///
/// # Errors
/// Errors from [`crate::formats::core::open::open_with`] for the container and the path to it;
/// [`Problem::TooManyMembers`].
pub fn list_members(registry: &Registry, request: &Request<'_>) -> Result<Vec<ListedMember>, FormatError> {
    let Some(archive) = Archive::open(registry, request)? else {
        return of_file(registry, request, request.member);
    };
    let Some(path) = request.member else {
        let listed = |member: Member| ListedMember {
            path: member.name.clone().unwrap_or_else(|| member.index.to_string()),
            holds_members: is_container(&member),
            member,
        };
        return Ok(archive.describe(registry)?.into_iter().map(listed).collect());
    };
    let chosen = archive.choose(registry, Some(path))?;
    let folder = ArchiveFolder { archive: &archive, number: chosen.number };
    of_file(registry, &chosen.request(request, &folder), Some(path)).map_err(|error| chosen.blame(error))
}

/// Lists members of a file that is no archive. `path` leads to it from the input.
fn of_file(
    registry: &Registry,
    request: &Request<'_>,
    path: Option<&str>,
) -> Result<Vec<ListedMember>, FormatError> {
    let Target { slice, part, .. } = find(request, registry.formats())?;
    // A forced format is that of the input; members are recognised by their content.
    let forced = request.format.filter(|_| request.member.is_none());
    let Some(format) = forced.or_else(|| registry.sniff(slice.bytes)).filter(|_| part.is_none()) else {
        return Ok(Vec::new());
    };
    let inside = |name: String| path.map_or(name.clone(), |path| format!("{path}/{name}"));
    let too_many = || slice.error(Problem::TooManyMembers(LISTED_MAX));
    match format.descriptor().members {
        Members::Slices { .. } => {
            let members = read_affordable(slice, format, LISTED_MAX)?.ok_or_else(too_many)?;
            if members.len() as u64 > LISTED_MAX {
                return Err(too_many());
            }
            let listed = |member: Member| ListedMember {
                path: inside(member.index.to_string()),
                holds_members: is_container(&member),
                member,
            };
            Ok(describe(registry.formats(), slice, &members).into_iter().map(listed).collect())
        }
        Members::Parts { list } => {
            let parts = list(slice.view(format.name()), &request.limits)?;
            let listed = |member: Member| {
                let name = member.name.clone().unwrap_or_else(|| member.index.to_string());
                ListedMember { path: inside(name), member, holds_members: false }
            };
            Ok(parts.into_iter().map(listed).collect())
        }
        Members::None | Members::Archived { .. } => Ok(Vec::new()),
    }
}

/// Returns whether a path may lead into a member. Archives in containers are not opened.
fn is_container(member: &Member) -> bool {
    let members = member.format.map(|format| &format.descriptor().members);
    matches!(members, Some(Members::Slices { .. } | Members::Parts { .. }))
}
