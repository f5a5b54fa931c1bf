//! The files of Parkan: Iron Strategy together: what an archive is, and what belongs to a model.
//! Source: the format document on NRes and MSH, §1, §6.

use super::cursor::View;
use super::error::{FormatError, Problem, Role};
use super::msh::{self, Item, Kind, Library};
use super::nres::{self, Entry};
use super::texm;
use super::{Content, File, Format, NamedMembers, Piece, Request, sniff};
use crate::model::Model;

/// Types of directory entries: WEAR, MAT0.
const WEAR: u32 = u32::from_le_bytes(*b"WEAR");
const MATERIAL: u32 = u32::from_le_bytes(*b"MAT0");

/// A model with its companions; `container` is the archive it stands in.
pub(super) fn model<'a>(
    request: &Request<'a>,
    piece: Piece<'a>,
    container: Option<Piece<'a>>,
) -> Result<Model, FormatError> {
    let mut library = Library { model: msh::stem(file_name(piece.name)).to_owned(), items: Vec::new() };
    if let Some(container) = container.filter(|container| nres::sniff(container.bytes)) {
        let entries = nres::read(container.view(Format::Nres))?.entries;
        if let Some(own) = entries.iter().find(|entry| entry.data.file_offset(0) == piece.offset) {
            library.model = msh::stem(&own.name).to_owned();
        }
        library.items.extend(entries.into_iter().filter_map(item));
    }
    if let Some(file) = request.textures {
        let items = items_of(file, Role::Textures)?;
        if items.is_empty() {
            let (expected, found) = (Format::Texm, sniff(file.bytes));
            return Err(Piece::whole(file, Role::Textures).error(Problem::WrongCompanion { expected, found }));
        }
        library.items.extend(items);
    }
    for (number, file) in request.library.iter().enumerate() {
        library.items.extend(items_of(*file, Role::Library(number))?);
    }
    let options = msh::Options { selection: request.selection, readings: request.readings };
    msh::open(piece.view(Format::Msh), piece.name, options, &library)
}

/// What an archive is: its first model, or else, or where they were asked for, its textures.
pub(super) fn archive<'a>(
    request: &Request<'a>,
    container: Piece<'a>,
    named: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let of = |format: Format| {
        named.iter().filter_map(move |(name, piece)| {
            let piece = piece.filter(|piece| sniff(piece.bytes) == Some(format))?;
            Some((name.clone(), piece))
        })
    };
    let mut models = of(Format::Msh).filter(|_| !request.all_textures);
    if let Some((_, piece)) = models.next() {
        let mut model = model(request, piece, Some(container))?;
        let others = models.count().saturating_add(1);
        if others > 1 {
            model.notes.push(format!("the container holds {others} models; this is the first"));
        }
        return Ok(Content::Model(Box::new(model)));
    }
    let mut textures = of(Format::Texm).map(|(name, piece)| (name, piece.view(Format::Texm))).peekable();
    if textures.peek().is_none() {
        return Ok(Content::Archive);
    }
    Ok(Content::Textures(texm::texture_set(textures, request.readings)?))
}

/// What of a file may belong to a model: the file itself, or entries of it.
fn items_of(file: File<'_>, role: Role) -> Result<Vec<Item<'_>>, FormatError> {
    let piece = Piece::whole(file, role);
    let single = |kind, view| vec![Item { name: file_name(file.name).to_owned(), kind, view }];
    match sniff(file.bytes) {
        Some(Format::Nres | Format::Msh) => {
            let entries = nres::read(piece.view(Format::Nres))?.entries;
            Ok(entries.into_iter().filter_map(item).collect())
        }
        Some(Format::Texm) => Ok(single(Kind::Texture, piece.view(Format::Texm))),
        // A table has no magic: its name says what it is, and otherwise it has to read well.
        _ => {
            let view = piece.view(Format::Msh);
            let is_named = msh::ending(file.name).is_some_and(|ending| ending.eq_ignore_ascii_case("wea"));
            let is_table = is_named || msh::is_wear(view);
            Ok(if is_table { single(Kind::Wear, view) } else { Vec::new() })
        }
    }
}

/// An entry of an archive, if it may belong to a model.
fn item(entry: Entry<'_>) -> Option<Item<'_>> {
    let Entry { type_id, attributes: [_, version, _], name, data, .. } = entry;
    let (kind, format) = match type_id {
        WEAR => (Kind::Wear, Format::Msh),
        MATERIAL => (Kind::Material(version), Format::Msh),
        _ if texm::sniff(data.bytes()) => (Kind::Texture, Format::Texm),
        _ => return None,
    };
    let view = View::new(data.bytes(), data.file_offset(0), format, data.role());
    Some(Item { name, kind, view })
}

/// A file's name without folders.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
