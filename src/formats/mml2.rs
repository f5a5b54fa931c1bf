//! Mega Man Legends 2 (PlayStation): archives with entities, player models, weapons and textures.
//!
//! A file is an archive of sections (`archive`), many of them packed (`lz`). Entities (`entity`) and players with
//! their weapons (`player`) are parsed into a `parsed::ParsedModel`. Images (`tim`) fill the console's video memory
//! (`video`), where materials find their texels and colours. `lower` builds a model from both.
//! Source: [Mega Man Legends 2](crate::reference::formats::mml2).

mod archive;
mod clips;
mod counts;
mod entity;
mod lower;
mod lz;
mod members;
mod mesh;
mod names;
mod pages;
mod parsed;
mod pictures;
mod player;
mod pointers;
mod problem;
mod raw;
mod sampler;
mod tim;
mod video;

pub use problem::Mml2Problem;

use super::core::content::Content;
use super::core::cursor::View;
use super::core::descriptor::{
    Companion, Contents, Descriptor, Member, Members, OpenContext, Packing, Search,
};
use super::core::error::{FileRole, FormatError, Warnings};
use super::core::options::OpenOptions;
use super::core::problem::{FormatProblem, Problem};
use super::core::slice::FileSlice;
use super::core::suggest::Choices;
use crate::ge::limits::Limits;
use crate::model::FileNote;
use archive::Archive;
use counts::Counts;
use members::{Inventory, MemberRef};
use parsed::ParsedModel;
use video::VideoMemory;

/// The archives' descriptor.
pub static FORMAT: Descriptor = Descriptor {
    title: "Mega Man Legends 2 archive",
    about: "An archive of Mega Man Legends 2 for the PlayStation, opened as the first model in it.",
    sniff: archive::sniff,
    looks_like: archive::looks_like,
    members: Members::Parts { list: list_members },
    member_help: "Members of a BIN archive are `N` or `entity:N` for its models, `player`, `weapon`, \
                  `section:N` (`section:N/M` for model M of a section) and `textures`.",
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Derived(names::TEXTURES, &FORMAT) },
        Companion {
            role: FileRole::MeshData,
            search: Search::Given("the weapon of a player, or the player of a weapon"),
        },
    ],
    open,
    packing: Some(Packing { unpack: archive::unpacked, replace: archive::with_packed }),
    refusals: Mml2Problem::REFUSALS,
    ..Descriptor::new("mml2")
};

/// Lists an archive's members.
fn list_members(file: View<'_>, limits: &Limits) -> Result<Vec<Member>, FormatError> {
    let archive = archive::read_within(file, limits)?;
    let inventory = Inventory::read(&archive, &mut Warnings::default());
    Ok(inventory.members(&archive, FORMAT.format()))
}

/// Finds the companion archive for a role.
fn companion<'a>(context: &OpenContext<'a>, role: FileRole) -> Result<Option<View<'a>>, FormatError> {
    let Some(file) = context.companions.get(role) else { return Ok(None) };
    let slice = context.companion_of(FileSlice::whole(file, role), FORMAT.format())?;
    Ok(Some(slice.view(FORMAT.name)))
}

/// Opens an archive with its companions, or the member requested from it.
fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let OpenContext { part, options, .. } = context;
    // An archive whose images to load into video memory first.
    let textures = companion(context, FileRole::Textures)?;
    // An archive with a player's weapon, or with a weapon's player.
    let second = companion(context, FileRole::MeshData)?;
    let mut archive = archive::read_within(context.slice.view(FORMAT.name), &options.limits)?;
    let mut warnings = std::mem::take(&mut archive.warnings);
    let inventory = Inventory::read(&archive, &mut warnings);
    let wanted = match part {
        Some(part) => inventory.find(part).ok_or_else(|| no_member(part, &archive, &inventory))?,
        // A player or a stage may have no pictures itself, and uses its companion's.
        None if options.all_textures && pictures::are_in(&archive) => {
            MemberRef::Textures(0..archive.sections.len())
        }
        None => inventory.first(),
    };
    let whole = part.is_none();
    let members = if whole { inventory.members(&archive, FORMAT.format()) } else { Vec::new() };
    let counts = if whole { inventory.counts(&archive, &mut warnings) } else { Vec::new() };
    let mut content = match wanted {
        MemberRef::Entity(index) => {
            let parsed = if whole { inventory.first_readable() } else { inventory.entity(index) };
            model(&archive, [textures, second], *options, parsed?, &mut warnings)?
        }
        MemberRef::Dump => {
            let other = second.map(|second| archive::read_within(second, &options.limits)).transpose()?;
            let other = other.as_ref().map(|other| members::other_dump(other, &inventory)).transpose()?;
            match &inventory.dump {
                Some(dump) => {
                    let parsed = dump.read(other.as_ref())?;
                    model(&archive, [textures, second], *options, parsed, &mut warnings)?
                }
                None => Content::archive(),
            }
        }
        MemberRef::Textures(sections) => {
            pictures::content(&archive, textures, &options.limits, &inventory, sections, warnings)?
        }
        MemberRef::Raw(number) => {
            let mut counts = counts;
            if let Some(section) = archive.sections.get(number) {
                let payload = section.payload(&mut warnings)?;
                counts.extend(members::raw_counts(section, payload.view().len()));
            }
            let own = format!("section {number}");
            let is_own = |note: &FileNote| note.part.as_ref() == Some(&own);
            let notes = inventory.unread_notes(&archive).filter(is_own).chain(warnings.notes()).collect();
            return Ok(Contents { members, counts, content: Content::Archive { notes } });
        }
    };
    if whole {
        content.notes_mut().extend(inventory.unread_notes(&archive));
    }
    Ok(Contents { members, counts, content })
}

/// Returns an error for a missing member, with names to try instead.
fn no_member(part: &str, archive: &Archive<'_>, inventory: &Inventory<'_>) -> FormatError {
    let members = inventory.members(archive, FORMAT.format());
    let names = members.iter().filter_map(|member| member.name.as_deref());
    let names = names.filter(|name| !name.starts_with("terminator:")).chain(["textures"]);
    let members = Choices::new(part, names, |_, name| name.to_owned());
    let problem = Problem::NoMember { wanted: part.to_owned(), members: Box::new(members) };
    FormatError { format: None, ..archive.file.error_of_whole(problem) }
}

/// Builds a model after it was parsed, with textures from the archive and its companions.
fn model(
    archive: &Archive<'_>,
    companions: [Option<View<'_>>; 2],
    options: OpenOptions<'_>,
    parsed: ParsedModel,
    warnings: &mut Warnings,
) -> Result<Content, FormatError> {
    let mut video = VideoMemory::new();
    for companion in companions.into_iter().flatten() {
        video.load_archive(companion, &options.limits, warnings)?;
    }
    // The archive's own images come last, so that they replace a companion's at the same place.
    video.load(tim::read_all(archive, warnings));
    let model_counts = Counts::of(&parsed);
    let mut model = lower::lower(parsed, &video, archive.file, options.selection)?;
    model.info.extra = model_counts.entity_counts();
    model.notes.extend(warnings.notes());
    Ok(Content::Model(Box::new(model)))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
