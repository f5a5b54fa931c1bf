//! Names an archive's members and finds them by name.
//!
//! * `N` or `entity:N`: an entity, numbered through all lists in the archive.
//! * `player`, `weapon`, or `0` if there are no entities.
//! * `section:N`: a section, numbered from 0 without terminators; `section:N/M`: entity M in a section.
//! * `textures`: all images.

use std::collections::BTreeMap;
use std::ops::Range;

use super::archive::{Archive, Payload, Section, SectionKind};
use super::counts::Counts;
use super::entity::{self, List};
use super::parsed::ParsedModel;
use super::player::{self, MemoryDump};
use super::problem::unreadable;
use super::tim;
use crate::formats::core::descriptor::{Format, Member};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::Problem;
use crate::model::{FileNote, FileNoteKind};

/// A section with entities, unpacked.
#[derive(Debug)]
pub(super) struct EntitySection<'a> {
    /// The section's number.
    section: usize,
    payload: Payload<'a>,
    /// Its first entity's number in the archive.
    first: usize,
    count: usize,
}

/// Everything that can be drawn from an archive.
#[derive(Debug)]
pub(super) struct Inventory<'a> {
    entity_sections: Vec<EntitySection<'a>>,
    pub(super) dump: Option<MemoryDump<'a>>,
    textures: Range<usize>,
}

/// A member, found by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MemberRef {
    /// An entity, by its number in the archive.
    Entity(usize),
    /// The player or weapon.
    Dump,
    /// The images in these sections.
    Textures(Range<usize>),
    /// Any other section.
    Raw(usize),
}

impl<'a> Inventory<'a> {
    /// Finds an archive's entities, and its player or weapon.
    pub(super) fn read(archive: &Archive<'a>, warnings: &mut Warnings) -> Self {
        let mut entity_sections = Vec::new();
        let mut first = 0usize;
        for (number, section) in archive.sections.iter().enumerate() {
            if !section.kind.may_be_entities() {
                continue;
            }
            let payload = match section.payload(warnings) {
                Ok(payload) if entity::is_list(payload.view()) => payload,
                Ok(_) => continue,
                Err(error) => {
                    warnings.push(unreadable(&error, format!("section {number}")));
                    continue;
                }
            };
            let Ok(count) = List::read(payload.view()).map(|list| list.entries.len()) else { continue };
            entity_sections.push(EntitySection { section: number, payload, first, count });
            first = first.saturating_add(count);
        }
        let textures = 0..archive.sections.len();
        Self { entity_sections, dump: player::find(archive), textures }
    }

    pub(super) fn entity_count(&self) -> usize {
        self.entity_sections.iter().map(|entities| entities.count).fold(0, usize::saturating_add)
    }

    /// Returns the member to open by default.
    pub(super) fn first(&self) -> MemberRef {
        if self.entity_count() > 0 {
            MemberRef::Entity(0)
        } else if self.dump.is_some() {
            MemberRef::Dump
        } else {
            MemberRef::Textures(self.textures.clone())
        }
    }

    /// Finds a member by name. Returns `None` for an unknown name.
    pub(super) fn find(&self, part: &str) -> Option<MemberRef> {
        let dump = |is_weapon: bool| {
            self.dump.as_ref().filter(|dump| dump.is_weapon == is_weapon).map(|_| MemberRef::Dump)
        };
        match part {
            "textures" => return Some(MemberRef::Textures(self.textures.clone())),
            "player" => return dump(false),
            "weapon" => return dump(true),
            "0" if self.entity_count() == 0 && self.dump.is_some() => return Some(MemberRef::Dump),
            _ => {}
        }
        // `section:3` names section 3 or its first entity, and `section:3/1` its second entity.
        if let Some(section) = part.strip_prefix("section:") {
            let (number, inner) = match section.split_once('/') {
                Some((number, inner)) => (number, Some(inner)),
                None => (section, None),
            };
            let number: usize = number.parse().ok().filter(|number| *number < self.textures.end)?;
            let entities = self.entity_sections.iter().find(|entities| entities.section == number);
            return match (entities, inner) {
                (Some(entities), _) => {
                    let inner: usize = inner.unwrap_or("0").parse().ok()?;
                    (inner < entities.count).then(|| MemberRef::Entity(entities.first.saturating_add(inner)))
                }
                (None, None) => Some(MemberRef::Raw(number)),
                (None, Some(_)) => None,
            };
        }
        let number: usize = part.strip_prefix("entity:").unwrap_or(part).parse().ok()?;
        (number < self.entity_count()).then_some(MemberRef::Entity(number))
    }

    /// Reads an entity by its number in the archive.
    pub(super) fn entity(&self, index: usize) -> Result<ParsedModel, FormatError> {
        let holds = |entities: &&EntitySection<'_>| {
            (entities.first..entities.first.saturating_add(entities.count)).contains(&index)
        };
        // This always finds a section, because numbers come from `find` and `first`.
        let entities = self.entity_sections.iter().find(holds).or(self.entity_sections.first());
        match entities {
            Some(entities) => entities.entity(index),
            None => Ok(ParsedModel::default()),
        }
    }

    /// Reads the first entity that can be drawn.
    ///
    /// # Errors
    /// The first entity's error, if all are damaged.
    pub(super) fn first_readable(&self) -> Result<ParsedModel, FormatError> {
        let first = self.entity(0);
        let others = || (1..self.entity_count()).find_map(|index| self.entity(index).ok());
        first.or_else(|error| others().ok_or(error))
    }

    /// Lists all members: entities, then the player or weapon, then sections and terminators.
    pub(super) fn members(&self, archive: &Archive<'_>, own: Format) -> Vec<Member> {
        let mut members = Vec::new();
        for entities in &self.entity_sections {
            let Ok(list) = List::read(entities.payload.view()) else { continue };
            for inner in 0..entities.count {
                let index = entities.first.saturating_add(inner);
                let kind = list.entries.get(inner).map_or(0, |entry| entry.kind.get());
                let at = entities.payload.view().file_offset(list.model_at(inner));
                members.push(Member {
                    index,
                    name: Some(format!("entity:{index}")),
                    kind: Some(format!("entity {kind:08x}")),
                    format: Some(own),
                    is_drawable: true,
                    offset: entities.payload.file_offset(at),
                    length: list.extent(inner),
                });
            }
        }
        if let Some(dump) = &self.dump {
            members.push(Member {
                index: members.len(),
                name: Some(dump.name().to_owned()),
                kind: Some(dump.name().to_owned()),
                format: Some(own),
                is_drawable: true,
                offset: dump.meshes.whole.file_offset(0),
                length: dump.meshes.whole.len(),
            });
        }
        // Sections and terminators are listed in the order of the file.
        let mut by_offset: BTreeMap<u64, Member> = BTreeMap::new();
        for (index, section) in archive.sections.iter().enumerate() {
            let has_entities = self.entity_sections.iter().any(|entities| entities.section == index);
            let offset = section.whole.file_offset(0);
            let name = Some(format!("section:{index}"));
            let contents = self.unread(section, has_entities).unwrap_or(describe(section));
            let kind = Some(format!("type {}, {contents}", section.number()));
            let format = (has_entities || section.kind.is_tim()).then_some(own);
            let length = section.whole.len();
            by_offset
                .insert(offset, Member { index, name, kind, format, is_drawable: false, offset, length });
        }
        for (index, at) in archive.terminators.iter().enumerate() {
            let offset = archive.file.file_offset(*at);
            let name = Some(format!("terminator:{index}"));
            let kind = Some("empty sector".to_owned());
            let length = super::raw::SECTOR;
            let empty = Member { index, name, kind, format: None, is_drawable: false, offset, length };
            by_offset.insert(offset, empty);
        }
        members.extend(by_offset.into_values());
        members
    }

    /// Describes a section that could be drawn but is not read. Returns `None` for all other sections.
    fn unread(&self, section: &Section<'_>, has_entities: bool) -> Option<&'static str> {
        match section.kind {
            SectionKind::Entities | SectionKind::PackedEntities if !has_entities => {
                Some("animations for other files' entities, not read")
            }
            SectionKind::Memory if self.dump.is_none() && player::is_other_character(section) => {
                Some("another character's model, not read")
            }
            _ => None,
        }
    }

    /// Notes each section that could be drawn but is not read.
    pub(super) fn unread_notes(&self, archive: &Archive<'_>) -> impl Iterator<Item = FileNote> {
        archive.sections.iter().enumerate().filter_map(|(number, section)| {
            let has_entities = self.entity_sections.iter().any(|entities| entities.section == number);
            let contents = self.unread(section, has_entities)?;
            let note = FileNote::new(FileNoteKind::LeftOut, contents).at(section.whole.file_offset(0));
            Some(note.in_part(&format!("section {number}")))
        })
    }

    /// Counts the whole file's contents, without entities that cannot be read.
    pub(super) fn counts(&self, archive: &Archive<'_>, warnings: &mut Warnings) -> Vec<(String, u64)> {
        let tims = tim::read_all(archive, &mut Warnings::default());
        let mut totals = Counts::of(&ParsedModel::default());
        for entities in &self.entity_sections {
            let Ok(list) = List::read(entities.payload.view()) else { continue };
            for inner in 0..entities.count {
                match list.entity(inner) {
                    Ok(parsed) => totals.add(&Counts::of(&parsed)),
                    Err(error) => {
                        let error = entities.payload.located(error);
                        let number = entities.first.saturating_add(inner);
                        warnings.push(unreadable(&error, format!("entity {number}")));
                    }
                }
            }
        }
        let dump = self.dump.as_ref().and_then(|dump| dump.read(None).ok()).unwrap_or_default();
        let mut counts: Vec<(String, u64)> = vec![
            ("size".to_owned(), archive.file.len()),
            ("sections".to_owned(), archive.sections.len() as u64),
            ("terminators".to_owned(), archive.terminators.len() as u64),
        ];
        let mut types: BTreeMap<u32, u64> = BTreeMap::new();
        for section in &archive.sections {
            let count = types.entry(section.number()).or_default();
            *count = count.saturating_add(1);
        }
        counts.extend(types.into_iter().map(|(number, count)| (format!("type_{number}"), count)));
        let packed = archive.sections.iter().filter(|section| section.kind == SectionKind::PackedTim).count();
        let images = tims.iter().filter(|tim| tim.image.is_some()).count();
        let palettes = tims.iter().filter(|tim| tim.palette.is_some()).count();
        for (name, count) in [("images", images), ("palettes", palettes), ("lz_tims", packed)] {
            counts.push((name.to_owned(), count as u64));
        }
        let dump = Counts::of(&dump);
        let rest = totals.entity_counts().into_iter().chain(dump.dump_counts());
        counts.extend(rest.map(|(name, count)| (name.to_owned(), count)));
        counts
    }

    /// Lists materials from all readable entities, by section, to learn which palettes belong to which pages.
    pub(super) fn materials(&self) -> Vec<super::parsed::Material> {
        let mut materials = Vec::new();
        for entities in &self.entity_sections {
            let Ok(list) = List::read(entities.payload.view()) else { continue };
            let models = (0..entities.count).filter_map(|inner| list.entity(inner).ok());
            materials.extend(models.flat_map(|parsed| parsed.materials));
        }
        materials
    }
}

impl EntitySection<'_> {
    fn entity(&self, index: usize) -> Result<ParsedModel, FormatError> {
        let located = |error| self.payload.located(error);
        let list = List::read(self.payload.view()).map_err(located)?;
        let inner = index.saturating_sub(self.first);
        let mut parsed = list.entity(inner).map_err(located)?;
        parsed.warnings = parsed.warnings.map(located);
        parsed.offset = self.payload.file_offset(parsed.offset);
        for field in &mut parsed.fields {
            field.offset = self.payload.file_offset(field.offset);
        }
        Ok(parsed)
    }
}

/// Finds a weapon's player, or a player's weapon, in another archive.
pub(super) fn other_dump<'a>(
    other: &Archive<'a>,
    inventory: &Inventory<'_>,
) -> Result<MemoryDump<'a>, FormatError> {
    let is_weapon = inventory.dump.as_ref().is_some_and(|dump| dump.is_weapon);
    player::find(other).filter(|found| found.is_weapon != is_weapon).ok_or_else(|| {
        let name = if is_weapon { "player" } else { "weapon" };
        let problem = Problem::NoMember { wanted: name.to_owned(), members: Box::default() };
        FormatError { format: None, ..other.file.error_of_whole(problem) }
    })
}

/// Lists counts for a section that pspge cannot show.
pub(super) fn raw_counts(section: &Section<'_>, payload: u64) -> Vec<(String, u64)> {
    vec![
        ("section_type".to_owned(), section.number().into()),
        ("section_bytes".to_owned(), section.whole.len()),
        ("payload".to_owned(), payload),
        ("address".to_owned(), section.header.address.get().into()),
    ]
}

const fn describe(section: &Section<'_>) -> &'static str {
    match section.kind {
        SectionKind::Memory => "program or player data",
        SectionKind::Tim => "image or palette",
        SectionKind::PackedTim => "image or palette, packed",
        SectionKind::Sounds => "sounds, not read",
        SectionKind::Sequence => "sequence, packed, not read",
        SectionKind::Stage => "stage data, packed, not read",
        SectionKind::Entities => "entities",
        SectionKind::PackedEntities => "entities, packed",
        SectionKind::Unknown => "not known, not read",
    }
}
