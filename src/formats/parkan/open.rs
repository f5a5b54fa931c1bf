//! Opens Parkan's archives, models and textures, and finds the files that belong to a model.
//!
//! Source: [NRes container](crate::reference::formats::parkan#nres-container), [WEAR
//! tables](crate::reference::formats::parkan#wear-tables), [MAT0
//! materials](crate::reference::formats::parkan#mat0-materials).

use super::msh::{self, Item, ItemKind, Library};
use super::nres::{self, Entry};
use super::options::{DIRECT3D_TEXELS, STANDARD_ROTATION, VERTEX_COLORS};
use super::texm;
use crate::formats::core::content::Content;
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Companion, Contents, Descriptor, Members, OpenContext, Search};
use crate::formats::core::error::{FileRole, FormatError};
use crate::formats::core::problem::{FormatProblem, Problem};
use crate::formats::core::slice::{File, FileSlice, NamedMembers};
use crate::model::{FileNote, FileNoteKind, Model};

/// Where to look for materials and textures, in a model's or archive's folder.
const LIBRARY: Companion = Companion {
    role: FileRole::Library(0),
    search: Search::Names(&["material.lib", "textures.lib", "*.wea"]),
};

/// A palette for textures that have none, in a file that the user names.
const PALETTE: Companion = Companion {
    role: FileRole::Textures,
    search: Search::Given("the palette of the first Parkan, such as LENTIS.COL"),
};

/// The descriptor for models.
pub static MSH: Descriptor = Descriptor {
    title: "Parkan model",
    about: "A model of Parkan: Iron Strategy.",
    sniff: msh::sniff,
    companions: &[LIBRARY],
    options: &[STANDARD_ROTATION, DIRECT3D_TEXELS, VERTEX_COLORS],
    is_drawable: true,
    open: |context| {
        let model = model(context, context.slice, context.container)?;
        Ok(Content::Model(Box::new(model)).into())
    },
    refusals: msh::MshProblem::REFUSALS,
    ..Descriptor::new("msh")
};

/// The descriptor for containers.
pub static NRES: Descriptor = Descriptor {
    title: "Parkan container",
    about: "A container of Parkan: Iron Strategy, opened as the first model in it, or else as its textures.",
    sniff: nres::sniff,
    magic: &nres::MAGIC,
    members: Members::Slices { read: nres::members_of, count: None },
    companions: &[LIBRARY, PALETTE],
    options: &[STANDARD_ROTATION, DIRECT3D_TEXELS, VERTEX_COLORS],
    open: archive,
    refusals: nres::NresProblem::REFUSALS,
    ..Descriptor::new("nres")
};

/// The descriptor for textures.
pub static TEXM: Descriptor = Descriptor {
    title: "Parkan texture",
    about: "A texture of Parkan: Iron Strategy, or of the first Parkan.",
    sniff: texm::sniff,
    magic: &texm::MAGIC,
    companions: &[PALETTE],
    options: &[DIRECT3D_TEXELS],
    open: |context| {
        let texture = std::iter::once((None, context.slice.view(TEXM.name)));
        Ok(textures_of(context, texture)?.into())
    },
    refusals: texm::TexmProblem::REFUSALS,
    ..Descriptor::new("texm")
};

/// The types of tables and materials in directory entries.
const WEAR: u32 = u32::from_le_bytes(*b"WEAR");
const MATERIAL: u32 = u32::from_le_bytes(*b"MAT0");

/// Opens a model with its companions. `container` is the archive around it, if any, and is searched first.
fn model<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    container: Option<FileSlice<'a>>,
) -> Result<Model, FormatError> {
    let mut library = Library { model: msh::stem(file_name(slice.name)).to_owned(), items: Vec::new() };
    if let Some(container) = container.filter(|container| nres::sniff(container.bytes)) {
        let entries = nres::read(container.view(NRES.name))?.entries;
        // Only the archive knows the model's name, under which its WEAR table is stored.
        if let Some(own) = entries.iter().find(|entry| entry.data.file_offset(0) == slice.offset) {
            library.model = msh::stem(&own.name).to_owned();
        }
        library.items.extend(entries.into_iter().filter_map(item));
    }
    if let Some(file) = context.companions.textures {
        let items = items_of(context, file, FileRole::Textures)?;
        if items.is_empty() {
            let (expected, found) = (TEXM.name, context.name_of(file.bytes));
            let problem = Problem::WrongCompanion { expected, found };
            return Err(FileSlice::whole(file, FileRole::Textures).error(problem));
        }
        library.items.extend(items);
    }
    let mut notes = Vec::new();
    for (number, file) in context.companions.library.iter().enumerate() {
        match items_of(context, *file, FileRole::Library(number)) {
            Ok(items) => library.items.extend(items),
            Err(error) => notes.push(FileNote { kind: FileNoteKind::LeftOut, ..FileNote::from(&error) }),
        }
    }
    let mut model = msh::open(slice.view(MSH.name), slice.name, context.options, &library)?;
    model.notes.extend(notes);
    Ok(model)
}

fn archive(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = NRES.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    let mut content = content(context, &named)?;
    content.notes_mut().extend(nres::read(context.slice.view(NRES.name))?.warnings.notes());
    Ok(Contents { members, ..content.into() })
}

/// Chooses an archive's content: its first model, or its textures if it has no model or if all textures were
/// requested.
fn content<'a>(context: &OpenContext<'a>, named: &NamedMembers<'a>) -> Result<Content, FormatError> {
    let models =
        if context.options.all_textures { Vec::new() } else { context.of_format(MSH.format(), named) };
    if let Some((_, slice)) = models.first() {
        let model = model(context, *slice, Some(context.slice))?;
        return Ok(Content::Model(Box::new(model)));
    }
    let textures = context.of_format(TEXM.format(), named);
    if textures.is_empty() {
        return Ok(Content::archive());
    }
    textures_of(context, textures.into_iter().map(|(name, slice)| (name, slice.view(TEXM.name))))
}

/// Opens textures. Textures without a palette get the companion's, if this was given.
fn textures_of<'a>(
    context: &OpenContext<'_>,
    files: impl Iterator<Item = (Option<String>, View<'a>)>,
) -> Result<Content, FormatError> {
    let read =
        |file: File<'_>| texm::read_palette(FileSlice::whole(file, FileRole::Textures).view(TEXM.name));
    let palette = context.companions.textures.map(read).transpose()?;
    Ok(Content::Textures(texm::texture_set(files, palette.as_deref(), context.options.parse)?))
}

/// Collects library items from a companion: the file itself, or the matching entries in an archive.
fn items_of<'a>(
    context: &OpenContext<'_>,
    file: File<'a>,
    role: FileRole,
) -> Result<Vec<Item<'a>>, FormatError> {
    let slice = FileSlice::whole(file, role);
    let single = |kind, view| vec![Item { name: file_name(file.name).to_owned(), kind, view }];
    match context.sniff(file.bytes) {
        Some(format) if format == NRES.format() || format == MSH.format() => {
            let entries = nres::read(slice.view(NRES.name))?.entries;
            Ok(entries.into_iter().filter_map(item).collect())
        }
        Some(format) if format == TEXM.format() => Ok(single(ItemKind::Texture, slice.view(TEXM.name))),
        // A WEAR table has no magic. This recognises it by its name, or if it parses without errors.
        _ => {
            let view = slice.view(MSH.name);
            let is_named = msh::ending(file.name).is_some_and(|ending| ending.eq_ignore_ascii_case("wea"));
            let is_table = is_named || msh::is_wear(view);
            Ok(if is_table { single(ItemKind::Wear, view) } else { Vec::new() })
        }
    }
}

/// Converts an archive entry to a library item, if this is a WEAR table, a material or a texture.
fn item(entry: Entry<'_>) -> Option<Item<'_>> {
    let Entry { type_id, attributes: [_, version, _], name, data, .. } = entry;
    let (kind, format) = match type_id {
        WEAR => (ItemKind::Wear, MSH.name),
        MATERIAL => (ItemKind::Material(version), MSH.name),
        _ if texm::sniff(data.bytes()) => (ItemKind::Texture, TEXM.name),
        _ => return None,
    };
    let view = View::new(data.bytes(), data.file_offset(0), format, data.role());
    Some(Item { name, kind, view })
}

/// Strips the folders from a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests;
