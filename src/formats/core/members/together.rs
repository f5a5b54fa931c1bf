//! Sorts out files given together: which to open, and each other file's role.

use super::companions::{file_name, has_name};
use crate::formats::core::descriptor::{Companion, Format, Search};
use crate::formats::core::error::FileRole;
use crate::formats::core::registry::Registry;
use crate::formats::core::request::Request;
use crate::formats::core::slice::File;

/// Files given together, with their roles worked out.
#[derive(Clone, Debug)]
pub struct Together<'a> {
    /// Opens the main file, with the others as companions.
    pub request: Request<'a>,
    /// Names of files without a use in the request.
    pub unused: Vec<&'a str>,
}

impl Registry {
    /// Tells apart files given together, such as those dropped on a window. Opens the first that is more than a
    /// companion for others; the others get the roles declared by its format. They need no usual names,
    /// because somebody chose them. Returns `None` if `files` is empty.
    #[must_use]
    pub fn tell_apart<'a>(&self, files: &'a [File<'a>]) -> Option<Together<'a>> {
        let formats: Vec<_> = files.iter().map(|file| self.sniff(file.bytes)).collect();
        let main = main_file(files, &formats)?;
        let input = *files.get(main)?;
        let mut request = Request::new(input.name, input.bytes);
        let format = formats.get(main).copied().flatten();
        let companions = format.map(|format| format.descriptor().companions).unwrap_or_default();
        let takes_library = companions
            .iter()
            .any(|companion| matches!(companion.search, Search::Names(_) | Search::Listed(_)));
        if takes_library {
            // Names in the model choose among them, and the model's own file does no harm there.
            request.library = files;
        }
        // Assign files with a known format first, because unknown files take whichever roles remain.
        let mut others: Vec<_> =
            files.iter().zip(&formats).enumerate().filter(|(index, _)| *index != main).collect();
        others.sort_by_key(|(_, (_, format))| format.is_none());
        let mut unused = Vec::new();
        for (_, (file, other)) in others {
            let roles = roles_of(*other, companions, format.is_none_or(Format::is_container));
            let free = roles
                .into_iter()
                .find(|role| place_of(&mut request, *role).is_some_and(|place| place.is_none()));
            match free.and_then(|role| place_of(&mut request, role)) {
                Some(place) => *place = Some(*file),
                None if takes_library => {}
                None => unused.push(file.name),
            }
        }
        Some(Together { request, unused })
    }
}

/// Finds the main file's index: the first that names another file as its companion, else the first whose format
/// serves no other, else the first.
fn main_file(files: &[File<'_>], formats: &[Option<Format>]) -> Option<usize> {
    let names_another = |(file, format): (&File<'_>, &Option<Format>)| {
        let companions = format.map(|format| format.descriptor().companions).unwrap_or_default();
        companions.iter().any(|companion| match companion.search {
            Search::Derived(rule, _) => {
                let names = (rule.names)(file_name(file.name));
                files.iter().any(|other| names.iter().any(|name| has_name(file_name(other.name), name)))
            }
            _ => false,
        })
    };
    let serves_none =
        |format: &Option<Format>| format.is_some_and(|format| format.descriptor().serves_as.is_none());
    let by_name = files.iter().zip(formats).position(names_another);
    by_name.or_else(|| formats.iter().position(serves_none)).or((!files.is_empty()).then_some(0))
}

/// Lists the roles a file with this format can play for a file with these companions, likeliest first.
fn roles_of(format: Option<Format>, companions: &[Companion], is_container: bool) -> Vec<FileRole> {
    let named = companions.iter().filter(|companion| match companion.search {
        Search::Extension(_, wanted) | Search::Derived(_, wanted) => format == Some(wanted.format()),
        Search::Names(_) | Search::Listed(_) | Search::Given(_) => false,
    });
    // The models in a container may have other formats, which take other companions.
    let serving = format.filter(|_| is_container).and_then(|format| format.descriptor().serves_as);
    // A file that serves in another role is not meant for a role that only the user can name.
    let serves_else = |role: FileRole| {
        format.and_then(|format| format.descriptor().serves_as).is_some_and(|served| served != role)
    };
    let given = companions
        .iter()
        .filter(|companion| matches!(companion.search, Search::Given(_)) && !serves_else(companion.role));
    named
        .map(|companion| companion.role)
        .chain(serving)
        .chain(given.map(|companion| companion.role))
        .collect()
}

/// Gives access to a role's field in the request.
fn place_of<'r, 'a>(request: &'r mut Request<'a>, role: FileRole) -> Option<&'r mut Option<File<'a>>> {
    match role {
        FileRole::Textures => Some(&mut request.textures),
        FileRole::Skeleton => Some(&mut request.skeleton),
        FileRole::MeshData => Some(&mut request.mesh_data),
        FileRole::Animations => Some(&mut request.animations),
        FileRole::Input | FileRole::Library(_) => None,
    }
}
