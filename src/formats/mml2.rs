//! Mega Man Legends 2 (PlayStation): archives of entities, player models, weapons and textures.
//!
//! The file is an archive of sections (`archive`), of which many are packed (`lz`). Entities (`entity`) and players
//! with their weapons (`player`) become a `figure::Figure`; images (`tim`) fill the console's video memory
//! (`video`), where materials find their texels and colours. `lower` makes a model of both.
//! Source: the format document on Mega Man Legends 2.

mod archive;
mod counts;
mod entity;
mod figure;
mod lower;
mod lz;
mod members;
mod mesh;
mod motion;
mod pages;
mod pictures;
mod player;
mod problem;
mod raw;
mod source;
mod space;
mod tim;
mod track;
mod video;

pub use problem::Mml2Problem;

use super::core::content::Content;
use super::core::cursor::View;
use super::core::descriptor::{Contents, Descriptor, Members, OpenContext};
use super::core::error::{FileRole, FormatError, Problem, Warnings};
use super::core::slice::FileSlice;
use archive::Archive;
use counts::Counts;
use figure::Figure;
use members::{Inventory, Wanted};
use source::Source;
use video::Video;

/// Archives.
pub static FORMAT: Descriptor = Descriptor {
    title: "Mega Man Legends 2 archive",
    about: "An archive of Mega Man Legends 2 for the PlayStation, opened as the first model in it.",
    sniff: archive::sniff,
    members: Members::Parts,
    member_help: "Members of a BIN archive are `N` or `entity:N` for its models, `player`, `weapon`, `section:N` \
                  (`section:N/M` for model M of a section) and `textures`.",
    open,
    ..Descriptor::new("mml2")
};

/// Opens an archive with its companions.
fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    open_source(&Source {
        file: context.slice.view(FORMAT.name),
        part: context.part.as_deref(),
        selection: context.options.selection,
        all_textures: context.options.all_textures,
        textures: companion(context, FileRole::Textures)?,
        second: companion(context, FileRole::MeshData)?,
        limits: context.options.limits,
    })
}

/// Returns the archive that was given for a role.
fn companion<'a>(context: &OpenContext<'a>, role: FileRole) -> Result<Option<View<'a>>, FormatError> {
    let Some(file) = context.companions.get(role) else { return Ok(None) };
    let slice = context.companion_of(FileSlice::whole(file, role), FORMAT.format())?;
    Ok(Some(slice.view(FORMAT.name)))
}

/// Opens an archive, or the member of it that is wanted.
fn open_source(source: &Source<'_>) -> Result<Contents, FormatError> {
    let mut archive = archive::read_within(source.file, &source.limits)?;
    let mut warnings = std::mem::take(&mut archive.warnings);
    let inventory = Inventory::read(&archive, &mut warnings)?;
    let wanted = match source.part {
        Some(part) => inventory.find(part).ok_or_else(|| FormatError {
            format: None,
            ..source.file.error(0, Problem::NoMember(part.to_owned()))
        })?,
        None if source.all_textures => Wanted::Textures(0..archive.sections.len()),
        None => inventory.first(),
    };
    let whole = source.part.is_none();
    let members = if whole { inventory.members(&archive, FORMAT.format()) } else { Vec::new() };
    let counts = if whole { inventory.counts(&archive)? } else { Vec::new() };
    let content = match wanted {
        Wanted::Entity(index) => model(source, &archive, inventory.entity(index)?, &mut warnings)?,
        Wanted::Dump => {
            let other =
                source.second.map(|second| archive::read_within(second, &source.limits)).transpose()?;
            let other = other.as_ref().map(|other| members::other_dump(other, &inventory)).transpose()?;
            match inventory.dump() {
                Some(dump) => model(source, &archive, dump.read(other.as_ref())?, &mut warnings)?,
                None => Content::Archive,
            }
        }
        Wanted::Textures(sections) => pictures::content(source, &archive, &inventory, sections, warnings)?,
        Wanted::Raw(number) => {
            let mut counts = counts;
            if let Some(section) = archive.sections.get(number) {
                let payload = section.payload(&mut warnings)?;
                counts.extend(members::raw_counts(section, payload.len()));
            }
            return Ok(Contents { members, counts, content: Content::Archive });
        }
    };
    Ok(Contents { members, counts, content })
}

/// A figure with the textures that the archive and its companions have for it.
fn model(
    source: &Source<'_>,
    archive: &Archive<'_>,
    figure: Figure,
    warnings: &mut Warnings,
) -> Result<Content, FormatError> {
    let mut video = Video::new();
    if let Some(textures) = source.textures {
        video
            .load(tim::read_all(&archive::read_within(textures, &source.limits)?, &mut Warnings::default())?);
    }
    if let Some(second) = source.second {
        video.load(tim::read_all(&archive::read_within(second, &source.limits)?, &mut Warnings::default())?);
    }
    video.load(tim::read_all(archive, warnings)?);
    let figure_counts = Counts::of(&figure);
    let mut model = lower::lower(figure, &video, source.file, source.selection)?;
    model.info.extra = figure_counts.entity_counts();
    model.notes.extend(warnings.lines());
    Ok(Content::Model(Box::new(model)))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
