//! Opens a container as its first model or picture, as all its pictures, or as the wanted member.

use super::members::{Read, Resource, Resources, format_of};
use super::problem::ResourceProblem;
use super::unpack::{Budget, Compression, start, unpack};
use crate::formats::core::content::Content;
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Contents, Descriptor, OpenContext};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::Problem;
use crate::formats::core::slice::FileSlice;
use crate::formats::core::suggest::Choices;
use crate::formats::psp_sdk::{gim, gmo};
use crate::model::{FileNote, FileNoteKind, ModelTexture, TextureSet};

/// Opens a container, or a member of it.
pub(in crate::formats::psp_sdk) fn open(
    context: &OpenContext<'_>,
    format: &'static Descriptor,
    read: Read,
) -> Result<Contents, FormatError> {
    let limits = context.options.limits;
    let resources = read(context.slice.view(format.name), &limits)?;
    let mut opener = Opener { context, budget: Budget::new(&limits), warnings: resources.warnings.clone() };
    if let Some(part) = context.part.as_deref() {
        let member = resources.find(part).ok_or_else(|| no_member(&resources, part))?;
        return opener.member(member);
    }
    let content = match opener.content(&resources) {
        Some(mut content) => {
            content.notes_mut().extend(opener.warnings.notes());
            content
        }
        None => Content::Archive { notes: opener.warnings.notes().collect() },
    };
    Ok(Contents { members: resources.list(), counts: resources.counts, content })
}

/// Returns an error for a missing member, with names to try instead.
fn no_member(resources: &Resources<'_>, part: &str) -> FormatError {
    let names = resources.members.iter().map(|member| member.name.as_str());
    let members = Choices::new(part, names, |_, name| name.to_owned());
    let problem = Problem::NoMember { wanted: part.to_owned(), members: Box::new(members) };
    FormatError { format: None, ..resources.file.error_of_whole(problem) }
}

/// A member's bytes, and the stream they come from.
enum Bytes<'a> {
    Stored(View<'a>),
    Unpacked { stream: View<'a>, bytes: Vec<u8> },
}

/// Opens members, as far as the limits allow.
struct Opener<'o, 'a> {
    context: &'o OpenContext<'a>,
    budget: Budget<'o>,
    warnings: Warnings,
}

impl<'a> Opener<'_, 'a> {
    /// Returns the content to show for a whole container; `None` if nothing in it can be shown.
    fn content(&mut self, resources: &Resources<'a>) -> Option<Content> {
        if self.context.options.all_textures
            && let Some(textures) = self.textures(resources)
        {
            return Some(textures);
        }
        for format in [&gmo::FORMAT, &gim::FORMAT] {
            for member in resources.members.iter().filter(|member| member.format() == Some(format.format())) {
                match self.member(member) {
                    Ok(Contents { content: content @ Content::Model(_), .. }) => return Some(content),
                    Ok(_) => {}
                    Err(error) => self.leave_out(member, &error),
                }
            }
        }
        self.textures(resources)
    }

    fn leave_out(&mut self, member: &Resource<'_>, error: &FormatError) {
        let problem = ResourceProblem::LeftOut { name: member.name.clone(), reason: error.kind.to_string() };
        self.warnings.push(FormatError { kind: problem.into(), ..error.clone() });
    }

    /// Loads all pictures as textures; `None` if there are none.
    fn textures(&mut self, resources: &Resources<'a>) -> Option<Content> {
        let mut loader = Loader::new();
        let mut textures: Vec<ModelTexture> = Vec::new();
        for member in &resources.members {
            match self.load(member, textures.len(), &mut loader) {
                Ok(loaded) => textures.extend(loaded),
                Err(error) => self.leave_out(member, &error),
            }
        }
        if textures.is_empty() {
            return None;
        }
        let (memory, sources) = loader.finish();
        Some(Content::Textures(TextureSet { memory, sources, textures, notes: Vec::new() }))
    }

    /// Loads a member's pictures, numbered from `first` on. Members of other kinds have none.
    fn load(
        &mut self,
        member: &Resource<'a>,
        first: usize,
        loader: &mut Loader,
    ) -> Result<Vec<ModelTexture>, FormatError> {
        if let (Compression::Unknown(number), Some(stored)) = (member.compression, member.stored) {
            return Err(stored.error(0, ResourceProblem::Compression(number)));
        }
        let start = member.stored.map(|stored| start(stored.bytes(), member.compression));
        let is_gim = start.as_deref().is_some_and(gim::sniff);
        if !is_gim && !start.as_deref().is_some_and(gmo::is_picture) {
            return Ok(Vec::new());
        }
        let bytes = self.bytes(member)?;
        let view = bytes.view();
        let file = bytes.file_name(self.context.slice.name, &member.name);
        let mut warnings = Warnings::default();
        let loaded = if is_gim {
            gim::load_textures(view, &file, (first, &member.name), loader, &mut warnings)
        } else {
            gmo::load_picture(view, (first, &member.name), loader, &mut warnings)
        };
        self.warnings.extend(&warnings.map(|warning| bytes.located(warning)));
        let mut textures = loaded.map_err(|error| bytes.located(error))?;
        textures.iter_mut().for_each(|texture| bytes.place(texture));
        Ok(textures)
    }

    /// Returns a member's bytes, unpacked if necessary.
    fn bytes(&mut self, member: &Resource<'a>) -> Result<Bytes<'a>, FormatError> {
        let stored = member.stored.ok_or_else(|| self.context.slice.error(ResourceProblem::NoBytes))?;
        if member.compression == Compression::None {
            return Ok(Bytes::Stored(stored));
        }
        let (size, warnings) = (member.unpacked, &mut self.warnings);
        let bytes = unpack(stored, member.compression, size, &mut self.budget, warnings)?;
        Ok(Bytes::Unpacked { stream: stored, bytes })
    }

    /// Opens a member as a file. Its warnings become notes about this member, so those from before are set aside.
    fn member(&mut self, member: &Resource<'a>) -> Result<Contents, FormatError> {
        let before = std::mem::take(&mut self.warnings);
        let opened = self.opened(member);
        let own = std::mem::replace(&mut self.warnings, before);
        let mut contents = opened?;
        contents.content.notes_mut().extend(own.notes().map(|note| note.or_in_part(&member.name)));
        Ok(contents)
    }

    fn opened(&mut self, member: &Resource<'a>) -> Result<Contents, FormatError> {
        let bytes = self.bytes(member)?;
        let view = bytes.view();
        let Some(format) = format_of(view.bytes()) else { return self.other(member) };
        let name = bytes.file_name(self.context.slice.name, &member.name);
        let slice = FileSlice {
            name: &name,
            role: self.context.slice.role,
            offset: view.file_offset(0),
            bytes: view.bytes(),
        };
        let inner =
            OpenContext { slice, siblings: Vec::new(), container: None, part: None, ..self.context.clone() };
        let mut contents = (format.open)(&inner).map_err(|error| bytes.located(error))?;
        bytes.locate(&mut contents.content);
        Ok(contents)
    }

    /// Opens a member that is no SDK file: a picture, or something that is not read.
    fn other(&mut self, member: &Resource<'a>) -> Result<Contents, FormatError> {
        let mut loader = Loader::new();
        let textures = self.load(member, 0, &mut loader)?;
        if textures.is_empty() {
            let message = format!("{}: not read", member.kind);
            let note = FileNote::new(FileNoteKind::LeftOut, message).at(member.offset);
            return Ok(Content::Archive { notes: vec![note] }.into());
        }
        let (memory, sources) = loader.finish();
        Ok(Content::Textures(TextureSet { memory, sources, textures, notes: Vec::new() }).into())
    }
}

impl Bytes<'_> {
    /// Returns the bytes as a view. Offsets in unpacked bytes count from their start.
    fn view(&self) -> View<'_> {
        match self {
            Self::Stored(view) => *view,
            Self::Unpacked { stream, bytes } => stream.over(bytes),
        }
    }

    /// Names the file to which offsets in this view refer.
    fn file_name(&self, file: &str, member: &str) -> String {
        match self {
            Self::Stored(_) => file.to_owned(),
            Self::Unpacked { .. } => format!("{file}#{member}"),
        }
    }

    /// Converts an error in the view to an error in the file. Errors in companions stay as they are.
    fn located(&self, error: FormatError) -> FormatError {
        match self {
            Self::Unpacked { stream, .. } if error.role == stream.role() => {
                let offset = error.offset.unwrap_or(0);
                stream.error(0, ResourceProblem::Unpacked { offset, problem: Box::new(error.kind) })
            }
            _ => error,
        }
    }

    /// Moves offsets in opened content to the stream's start, because unpacked bytes have no offset in the file.
    fn locate(&self, content: &mut Content) {
        let Self::Unpacked { stream, .. } = self else { return };
        let at = stream.file_offset(0);
        for note in content.notes_mut().iter_mut().filter(|note| note.part.is_none()) {
            note.offset = note.offset.map(|_| at);
        }
        if let Content::Model(model) = content {
            model.fields.iter_mut().for_each(|field| field.offset = at);
            model.textures.iter_mut().for_each(|texture| self.place(texture));
        }
    }

    /// Marks a texture as part of a compressed stream.
    fn place(&self, texture: &mut ModelTexture) {
        let Self::Unpacked { stream, .. } = self else { return };
        let at = stream.file_offset(0);
        texture.file_offset = at;
        let Some(storage) = texture.storage.as_mut().filter(|storage| !storage.is_companion) else { return };
        storage.levels.iter_mut().for_each(|level| level.at.packed = Some(at));
        storage.palettes.iter_mut().flatten().for_each(|palette| palette.at.packed = Some(at));
    }
}
