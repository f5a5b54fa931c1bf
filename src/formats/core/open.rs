//! Opening a file: recognise it, find its companions, follow the path to a member, and let its format read it.

use super::archive::{Archive, ArchiveFolder};
use super::content::{Content, other_files, other_members};
use super::descriptor::{
    Companion, CompanionFile, Companions, Contents, Format, Member, Members, OpenContext, Search,
};
use super::drawables::drawables_of;
use super::error::{FileRole, FormatError};
use super::members::companions;
use super::members::{self, Target};
use super::near_miss;
use super::options::OpenOptions;
use super::problem::Problem;
use super::registry::Registry;
use super::request::Request;
use super::slice::FileSlice;
use super::suggest::Choices;
use crate::model::{FileNote, FileNoteKind, MissingFile, Model};

/// An opened file.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The format to treat it as: the member's, if the request asks for a member.
    pub format: Format,
    /// Lists the members if the file is a container.
    pub members: Vec<Member>,
    /// Totals for a container, or for the member if the request asks for a member, under the names its documents
    /// use. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// Files available to the format. It need not have used them all.
    pub companions: Vec<CompanionFile>,
    /// The file's content, ready to draw.
    pub content: Content,
    /// The file that was opened if the input is an archive: the archive's name and its own.
    pub archived: Option<String>,
}

impl Opened {
    /// Checks whether a file in this role can belong to the content: see [`takes_companion`].
    #[must_use]
    pub fn takes(&self, role: FileRole) -> bool {
        takes_companion(self.format, &self.members, &self.content, role)
    }
}

/// Checks whether a file in this role can belong to `content`. Programs use this to offer only companions that can
/// help. A model from a container takes any, because the model may have any format.
#[must_use]
pub fn takes_companion(format: Format, members: &[Member], content: &Content, role: FileRole) -> bool {
    let is_role = |companion: &&Companion| {
        companion.role == role
            || role == FileRole::Textures && matches!(companion.search, Search::Names(_) | Search::Listed(_))
    };
    let mut declared = format.descriptor().companions.iter().filter(is_role);
    match content {
        Content::Model(_) => !members.is_empty() || declared.next().is_some(),
        // Texture files take companions only to borrow palettes from them.
        Content::Textures(_) => {
            declared.any(|companion| matches!(companion.search, Search::Derived(..) | Search::Given(_)))
        }
        _ => false,
    }
}

/// Tells the user which file would help, by adding its name to notes about missing textures. Does nothing if a
/// texture file is available already.
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

/// Opens a file with the formats in `registry`.
///
/// # Errors
/// A located error if the file is damaged or unknown.
pub fn open_with(registry: &Registry, request: &Request<'_>) -> Result<Opened, FormatError> {
    // A misspelt parse option would have no effect, so it is refused before anything is read.
    let known = registry.parse_options();
    let unknown = |name: &&&str| known.iter().all(|option| option.name != **name);
    if let Some(name) = request.parse_options.names().iter().find(unknown) {
        let input = FileSlice::whole(request.input, FileRole::Input);
        let options = Choices::new(name, known.iter().map(|option| option.name), |_, name| name.to_owned());
        return Err(
            input.error(Problem::NoParseOption { wanted: (*name).to_owned(), options: Box::new(options) })
        );
    }
    match Archive::open(registry, request)? {
        Some(archive) => open_archived(registry, request, &archive),
        None => open_with_companions(registry, request),
    }
}

/// Opens a file in an archive, with its companions from the same folder in it.
fn open_archived(
    registry: &Registry,
    request: &Request<'_>,
    archive: &Archive<'_>,
) -> Result<Opened, FormatError> {
    let chosen = archive.choose(registry, request.member)?;
    let folder = ArchiveFolder { archive, number: chosen.number };
    let opened = open_with_companions(registry, &chosen.request(request, &folder));
    let mut opened = opened.map_err(|error| chosen.blame(error))?;
    opened.content.notes_mut().extend(archive.notes());
    opened.archived = Some(chosen.name.clone());
    // With a path, the user has chosen among the files already.
    if request.member.is_none() {
        let count = archive.mains(registry)?.len();
        if count > 1 {
            opened.format = archive.format;
            opened.members = archive.describe(registry)?;
            opened.content.notes_mut().push(other_files(count, archive.name(chosen.number)));
        }
    }
    Ok(opened)
}

fn open_with_companions(registry: &Registry, request: &Request<'_>) -> Result<Opened, FormatError> {
    let found = companions::find(request, registry.formats())?;
    let companions = found.companions(request);
    let mut opened = open_file(registry, request, &companions).map_err(|error| {
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
    // Only a container opened as its first model leaves other members unseen.
    if let Content::Model(model) = &mut content
        && context.part.is_none()
        && !matches!(descriptor.members, Members::None)
    {
        note_other_members(model, &context, format);
    }
    Ok(Opened { format, members, counts, companions: Vec::new(), content, archived: None })
}

/// Tells the user about other models in the container.
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
