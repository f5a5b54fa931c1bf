//! Opening a file: recognise it, find what belongs to it, follow the path to a member, and let its format read it.

use super::companions;
use super::content::Content;
use super::descriptor::{Companions, Contents, Format, Member, Members, OpenContext};
use super::error::{FileRole, FormatError, Problem};
use super::members::{self, Target};
use super::options::OpenOptions;
use super::registry::Registry;
use super::request::Request;
use super::slice::{File, FileSlice};

/// An opened file.
#[derive(Debug)]
pub struct Opened {
    /// The file's format, or the member's if one was asked for.
    pub format: Format,
    /// Members, if it is a container.
    pub members: Vec<Member>,
    /// Counts of a container as a whole, by the names that its documents use; if a member was asked for, the counts of
    /// that one. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// Its content.
    pub content: Content,
}

/// Opens a file as one of the formats of a registry.
///
/// # Errors
/// A located error if the file is damaged or unknown.
pub fn open_with(registry: &Registry, request: &Request<'_>) -> Result<Opened, FormatError> {
    let known = registry.parse_options();
    let unknown = |name: &&&str| known.iter().all(|option| option.name != **name);
    if let Some(name) = request.parse_options.names().iter().find(unknown) {
        let input = FileSlice::whole(request.input, FileRole::Input);
        return Err(input.error(Problem::NoParseOption((*name).to_owned())));
    }
    let found = companions::find(request, registry.formats())?;
    let companions = found.companions(request);
    open_unwrapped(registry, request, &companions).map_err(|error| {
        let file = companions.get(error.role).map(|file| file.name.to_owned());
        FormatError { file: error.file.clone().or(file), ..error }
    })
}

/// Opens the file in a wrapper, or the file itself.
fn open_unwrapped(
    registry: &Registry,
    request: &Request<'_>,
    companions: &Companions<'_>,
) -> Result<Opened, FormatError> {
    let input = FileSlice::whole(request.input, FileRole::Input);
    let outer = request.format.or_else(|| registry.sniff(input.bytes));
    if let Some(format) = outer
        && let Members::Wrapped { unpack } = format.descriptor().members
    {
        // One layer only: the file inside has another format.
        let is_wrapper = |format: Format| matches!(format.descriptor().members, Members::Wrapped { .. });
        let is_inside = |bytes: &[u8]| registry.sniff(bytes).is_some_and(|format| !is_wrapper(format));
        let bytes = unpack(input.view(format.name()), &request.limits, &is_inside)?;
        let input = File { bytes: &bytes, ..request.input };
        return open_file(registry, &Request { input, format: None, ..*request }, companions);
    }
    open_file(registry, request, companions)
}

fn open_file(
    registry: &Registry,
    request: &Request<'_>,
    companions: &Companions<'_>,
) -> Result<Opened, FormatError> {
    let Target { slice, siblings, container, part } = members::find(request, registry.formats())?;
    let format = match request.format.or_else(|| registry.sniff(slice.bytes)) {
        Some(format) => format,
        None if request.input.bytes.is_empty() => return Err(slice.error(Problem::Empty)),
        None => return Err(slice.error(Problem::Unknown)),
    };
    let descriptor = format.descriptor();
    if part.is_some() && !matches!(descriptor.members, Members::Parts) {
        return Err(slice.error(Problem::NoContainer(format.name())));
    }
    let options = OpenOptions {
        selection: request.selection,
        parse: request.parse_options,
        all_textures: request.all_textures,
        limits: request.limits,
    };
    let context = OpenContext {
        slice,
        siblings,
        container,
        part,
        is_member: request.member.is_some(),
        companions: companions.clone(),
        options,
        formats: registry.formats(),
    };
    let Contents { members, counts, content } = (descriptor.open)(&context)?;
    Ok(Opened { format, members, counts, content })
}
