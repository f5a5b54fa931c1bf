//! Opening a file: recognise it, find its companions, follow the path to a member, and let its format read it.

use super::companions;
use super::content::{Content, other_members};
use super::descriptor::{
    Companion, CompanionFile, Companions, Contents, Format, Member, Members, OpenContext, Search,
};
use super::drawables::drawables_of;
use super::error::{FileRole, FormatError};
use super::members::{self, Target};
use super::near_miss;
use super::options::OpenOptions;
use super::problem::Problem;
use super::registry::Registry;
use super::request::Request;
use super::slice::{File, FileSlice};
use super::suggest::Choices;
use super::wrapper::unwrap;
use crate::model::{FileNote, FileNoteKind, MissingFile, Model};

/// An opened file.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The file's format, or the member's if one was asked for.
    pub format: Format,
    /// Members, if it is a container.
    pub members: Vec<Member>,
    /// Counts of a container as a whole, by the names that its documents use; if a member was asked for, the counts of
    /// that one. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// The files that were available with it. Not all of them have to be used.
    pub companions: Vec<CompanionFile>,
    /// Its content.
    pub content: Content,
}

impl Opened {
    /// Returns whether a file of this role can belong to the content, as [`takes_companion`] decides.
    #[must_use]
    pub fn takes(&self, role: FileRole) -> bool {
        takes_companion(self.format, &self.members, &self.content, role)
    }
}

/// Returns whether a file of this role can belong to the content of a file. A container may hold a model of any format.
#[must_use]
pub fn takes_companion(format: Format, members: &[Member], content: &Content, role: FileRole) -> bool {
    let is_role = |companion: &&Companion| {
        companion.role == role || role == FileRole::Textures && matches!(companion.search, Search::Names(_))
    };
    let mut declared = format.descriptor().companions.iter().filter(is_role);
    match content {
        Content::Model(_) => !members.is_empty() || declared.next().is_some(),
        // Palettes of textures.
        Content::Textures(_) => {
            declared.any(|companion| matches!(companion.search, Search::Derived(..) | Search::Given(_)))
        }
        _ => false,
    }
}

/// Adds the file that would help to notes on missing textures, unless there is one already.
fn name_missing_textures(opened: &mut Opened, companions: &Companions<'_>, input: &str) {
    let is_available = companions.textures.is_some() || !companions.library.is_empty();
    if is_available || !opened.takes(FileRole::Textures) {
        return;
    }
    let name = companions::usual_name(opened.format, FileRole::Textures, input);
    let missing = FileRole::Textures.part().map(|role| MissingFile { role, name });
    for note in opened.content.notes_mut() {
        if note.kind.is_about_textures() {
            note.missing_file.clone_from(&missing);
        }
    }
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
        let options = Choices::new(name, known.iter().map(|option| option.name), |_, name| name.to_owned());
        return Err(
            input.error(Problem::NoParseOption { wanted: (*name).to_owned(), options: Box::new(options) })
        );
    }
    let found = companions::find(request, registry.formats())?;
    let companions = found.companions(request);
    let mut opened = open_unwrapped(registry, request, &companions).map_err(|error| {
        let file = companions.get(error.role).map(|file| file.name.to_owned());
        FormatError { file: error.file.clone().or(file), ..error }
    })?;
    name_missing_textures(&mut opened, &companions, request.input.name);
    opened.content.notes_mut().extend(found.notes.iter().cloned());
    let available = companions.iter().map(|(role, file)| CompanionFile {
        role,
        name: file.name.to_owned(),
        bytes: file.bytes.len() as u64,
        is_given: companions::is_named(request, role),
    });
    Ok(Opened { companions: available.collect(), ..opened })
}

/// Opens the file in a wrapper, or the file itself.
fn open_unwrapped(
    registry: &Registry,
    request: &Request<'_>,
    companions: &Companions<'_>,
) -> Result<Opened, FormatError> {
    match unwrap(registry, request)? {
        Some(bytes) => {
            let input = File { bytes: &bytes, ..request.input };
            open_file(registry, &Request { input, format: None, ..*request }, companions)
        }
        None => open_file(registry, request, companions),
    }
}

fn open_file(
    registry: &Registry,
    request: &Request<'_>,
    companions: &Companions<'_>,
) -> Result<Opened, FormatError> {
    let Target { slice, siblings, container, part } = members::find(request, registry.formats())?;
    let format = match request.format.or_else(|| registry.sniff(slice.bytes)) {
        Some(format) => format,
        None => {
            let error = near_miss::explain(slice, registry.formats());
            return Err(match (error.kind, request.member) {
                (Problem::Empty, Some(member)) => slice.error(Problem::EmptyMember(member.to_owned())),
                (kind, _) => FormatError { kind, ..error },
            });
        }
    };
    let descriptor = format.descriptor();
    if part.is_some() && !matches!(descriptor.members, Members::Parts { .. }) {
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
        companions: companions.clone(),
        options,
        formats: registry.formats(),
    };
    let Contents { members, counts, mut content } = (descriptor.open)(&context)?;
    if let Content::Model(model) = &mut content
        && context.part.is_none()
        && !matches!(descriptor.members, Members::None)
    {
        note_other_members(model, &context, format);
    }
    Ok(Opened { format, members, counts, companions: Vec::new(), content })
}

/// Notes on a model that it was chosen from several in its container.
fn note_other_members(model: &mut Model, context: &OpenContext<'_>, format: Format) {
    let found = drawables_of(context.formats, context.slice, format, &[], &context.options.limits);
    match found {
        Ok(found) => {
            let count = found.iter().filter(|member| !member.is_unread).count();
            model.notes.extend(other_members(count));
        }
        Err(error) => {
            let message = format!("the models in the container are not counted: {}", error.kind);
            let note = FileNote::new(FileNoteKind::OtherMembers, message);
            model.notes.push(FileNote { offset: error.offset, ..note });
        }
    }
}
