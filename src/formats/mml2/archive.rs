//! Reads archives: chains of sections, each starting at a multiple of 2 KiB.
//!
//! # Invariants
//! Sections and terminators cover the file without gaps, except for sectors that no section claims. A damaged
//! section does not lose the others. Source: [BIN archive](crate::reference::formats::mml2#bin-archive).

use std::collections::{BTreeMap, BTreeSet};

use zerocopy::little_endian::{U16, U32};

use super::lz;
use super::problem::Mml2Problem;
use super::raw::{self, HEADER, SECTOR};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::problem::Problem;
use crate::ge::limits::{Budget, Limit, Limits};
use crate::model::storage::StoredOffset;

/// A section with more sectors than this is unlikely, because no known section has so many.
const LIKELY_SECTORS: u64 = 0x1000;
/// Bytes in a section header, to take from an iterator.
const HEADER_BYTES: usize = size_of::<raw::Section>();
/// With this many sections a file is an archive, even if one of them is damaged.
const SURE_SECTIONS: usize = 3;
/// Section types are below this.
const TYPE_END: u32 = 0x40;

/// How to read a section's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKind {
    /// Program code or player data, to load to the address in the header.
    Memory,
    /// A palette, or a palette and an image.
    Tim,
    /// A packed [`Self::Tim`].
    PackedTim,
    /// Entities, or animations for entities in other files.
    Entities,
    /// Packed entities.
    PackedEntities,
    /// Sounds, which may be longer than the size in the header.
    Sounds,
    /// A packed sequence.
    Sequence,
    /// Packed stage data.
    Stage,
    /// Unknown.
    Unknown,
}

impl SectionKind {
    const fn of(number: u32) -> Self {
        match number {
            1 => Self::Memory,
            2 => Self::Tim,
            3 => Self::PackedTim,
            5 | 14 => Self::Sounds,
            9 | 16 => Self::Sequence,
            10 => Self::Entities,
            12 => Self::PackedEntities,
            13 => Self::Stage,
            _ => Self::Unknown,
        }
    }

    /// Returns whether this payload is packed.
    pub(super) const fn is_packed(self) -> bool {
        matches!(self, Self::PackedTim | Self::PackedEntities | Self::Sequence | Self::Stage)
    }

    /// Returns whether this is an image or a palette.
    pub(super) const fn is_tim(self) -> bool {
        matches!(self, Self::Tim | Self::PackedTim)
    }

    /// Returns whether this payload may be a list of entities.
    pub(super) const fn may_be_entities(self) -> bool {
        matches!(self, Self::Entities | Self::PackedEntities)
    }
}

/// A section in an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section<'a> {
    pub(super) header: raw::Section,
    pub(super) kind: SectionKind,
    /// The whole section, with its header and the padding in the last sector.
    pub(super) whole: View<'a>,
    /// Everything after the header: exactly the payload or, if this is packed, all remaining bytes.
    pub(super) stored: View<'a>,
}

/// A payload, unpacked if necessary.
#[derive(Debug)]
pub(super) enum Payload<'a> {
    Stored(View<'a>),
    Unpacked { bytes: Vec<u8>, section: View<'a> },
}

/// An archive whose chain of sections has been checked.
#[derive(Debug)]
pub(super) struct Archive<'a> {
    pub(super) file: View<'a>,
    pub(super) sections: Vec<Section<'a>>,
    /// Where the empty sectors are.
    pub(super) terminators: Vec<u64>,
    pub(super) warnings: Warnings,
}

/// Reads an archive. This refuses it if its sections would unpack to more bytes than the limits allow.
pub(super) fn read_within<'a>(file: View<'a>, limits: &Limits) -> Result<Archive<'a>, FormatError> {
    let archive = read(file)?;
    let mut budget = Budget::new(limits, Limit::DecodedBytes);
    for section in archive.sections.iter().filter(|section| section.kind.is_packed()) {
        // Packed data cannot unpack to more, whatever the header says.
        let most = section.stored.len().saturating_mul(lz::LARGEST_RATIO);
        let spent = budget.spend(u64::from(section.header.size.get()).min(most));
        spent.map_err(|limit_hit| section.whole.error(4, Problem::Limit(limit_hit)))?;
    }
    Ok(archive)
}

/// Reads the whole chain of sections.
pub(super) fn read(file: View<'_>) -> Result<Archive<'_>, FormatError> {
    let mut archive =
        Archive { file, sections: Vec::new(), terminators: Vec::new(), warnings: Warnings::default() };
    let mut at = 0;
    // Set if the chain is lost, to skip sectors up to the next header that is certainly right.
    let mut is_lost = false;
    while let rest = file.len().saturating_sub(at).min(SECTOR)
        && rest >= HEADER
    {
        let sector = file.slice(at, rest)?;
        if is_lost && !is_sound(file, at) {
            at = at.saturating_add(SECTOR);
            continue;
        }
        if sector.iter().take(HEADER_BYTES).all(|byte| *byte == 0) {
            if sector.iter().any(|byte| *byte != 0) {
                archive.warnings.push(file.error(at, Mml2Problem::Padding));
            }
            archive.terminators.push(at);
            at = at.saturating_add(SECTOR);
            continue;
        }
        let section = section(file, at, &mut archive.warnings)?;
        is_lost = section.is_none();
        at = at.saturating_add(section.as_ref().map_or(SECTOR, |section| section.whole.len()));
        archive.sections.extend(section);
    }
    if at < file.len() {
        archive.warnings.push(file.error(at, Mml2Problem::CutSector(file.len().saturating_sub(at))));
    }
    if archive.sections.is_empty() {
        return Err(file.error_of_whole(Mml2Problem::Empty));
    }
    if archive.terminators.last().is_none_or(|last| last.saturating_add(SECTOR) < file.len()) {
        archive.warnings.push(file.error(file.len(), Mml2Problem::NoTerminator));
    }
    Ok(archive)
}

/// Reads the section at an offset. Returns `None` without a valid header, because the next sector may have one.
fn section<'a>(file: View<'a>, at: u64, warnings: &mut Warnings) -> Result<Option<Section<'a>>, FormatError> {
    let header: raw::Section = file.read(at)?;
    let (number, size) = (header.kind.get(), u64::from(header.size.get()));
    if number == 0 || number >= TYPE_END {
        warnings.push(file.error(at, Mml2Problem::SectionKind(number)));
        return Ok(None);
    }
    let kind = SectionKind::of(number);
    let sectors = header.sectors.get();
    let length = length(file, at, &header, warnings);
    let whole = file.view(at, length)?;
    let room = length.saturating_sub(HEADER);
    let stored = if kind.is_packed() { room } else { size.min(room) };
    if !kind.is_packed() && size > room {
        warnings.push(file.error(at.saturating_add(4), Mml2Problem::PayloadSize { size, room }));
    }
    let section = Section { header, kind, whole, stored: whole.view(HEADER, stored)? };
    if !kind.is_packed() && kind != SectionKind::Sounds {
        if room.saturating_sub(stored) >= SECTOR {
            warnings.push(file.error(at.saturating_add(8), Mml2Problem::SpareSectors { sectors, size }));
        }
        let padding = whole.slice(HEADER.saturating_add(stored), room.saturating_sub(stored))?;
        if padding.iter().any(|byte| *byte != 0) {
            let start = at.saturating_add(HEADER).saturating_add(stored);
            warnings.push(file.error(start, Mml2Problem::Padding));
        }
    }
    Ok(Some(section))
}

/// Returns how long a section is, with its header and padding. If no section follows where the header says, but a
/// section does where the payload ends, this believes the payload's size.
fn length(file: View<'_>, at: u64, header: &raw::Section, warnings: &mut Warnings) -> u64 {
    let rest = file.len().saturating_sub(at);
    let stated = u64::from(header.sectors.get()).saturating_mul(SECTOR);
    let needed = HEADER.saturating_add(header.size.get().into()).next_multiple_of(SECTOR);
    let follows = |length: u64| {
        length > 0 && length <= rest && (length == rest || is_plausible(file, at.saturating_add(length)))
    };
    if follows(stated) {
        return stated;
    }
    let is_packed = SectionKind::of(header.kind.get()).is_packed();
    let length = match (1..=rest).contains(&stated) {
        _ if !is_packed && follows(needed) => needed,
        true => return stated,
        false => rest,
    };
    let sectors = header.sectors.get();
    warnings.push(file.error(at.saturating_add(8), Mml2Problem::SectionLength { sectors, used: length }));
    length
}

/// Returns whether a section or an empty sector may start at an offset.
fn is_plausible(file: View<'_>, at: u64) -> bool {
    let Ok(header) = file.read::<raw::Section>(at) else { return false };
    let is_section = (1..TYPE_END).contains(&header.kind.get()) && header.sectors.get() > 0;
    is_section || file.slice(at, HEADER).is_ok_and(|bytes| bytes.iter().all(|byte| *byte == 0))
}

/// Returns whether the header at an offset fits a section in the file. This is stricter than [`is_plausible`], to
/// find back into a lost chain.
fn is_sound(file: View<'_>, at: u64) -> bool {
    let Ok(header) = file.read::<raw::Section>(at) else { return false };
    let (size, sectors) = (u64::from(header.size.get()), u64::from(header.sectors.get()));
    let (length, needed) = (sectors.saturating_mul(SECTOR), size.saturating_add(HEADER));
    let is_packed = SectionKind::of(header.kind.get()).is_packed();
    let is_tight = (needed..needed.saturating_add(SECTOR.saturating_mul(2))).contains(&length);
    let fits = length > 0 && length <= file.len().saturating_sub(at);
    (1..TYPE_END).contains(&header.kind.get()) && size > 0 && fits && (is_packed || is_tight)
}

/// Returns whether a warning means a broken chain of sections.
fn breaks_chain(warning: &&FormatError) -> bool {
    matches!(
        warning.problem_as(),
        Some(
            Mml2Problem::SectionKind(_)
                | Mml2Problem::SectionLength { .. }
                | Mml2Problem::PayloadSize { .. }
                | Mml2Problem::CutSector(_)
        )
    )
}

impl<'a> Section<'a> {
    /// Returns the type number stored in the header.
    pub(super) const fn number(&self) -> u32 {
        self.header.kind.get()
    }

    /// Returns the payload, unpacked if necessary. If packed data are damaged, this returns as much as they give.
    pub(super) fn payload(&self, warnings: &mut Warnings) -> Result<Payload<'a>, FormatError> {
        let size = u64::from(self.header.size.get());
        // In images the size of the LZ flags is a u16 at 0x24, in other sections a u32 at 0x10.
        let flags: u64 = match self.kind {
            SectionKind::PackedTim => u16::from_le_bytes(self.whole.read(0x24)?).into(),
            kind if kind.is_packed() => self.whole.word(0x10)?.into(),
            _ => return Ok(Payload::Stored(self.stored)),
        };
        let unpacked = lz::unpack(self.stored, flags, size, warnings)?;
        let spare = self.stored.len().saturating_sub(unpacked.consumed);
        if spare >= SECTOR.saturating_mul(2) {
            let sectors = self.header.sectors.get();
            warnings.push(self.whole.error(8, Mml2Problem::SpareSectors { sectors, size }));
        }
        Ok(Payload::Unpacked { bytes: unpacked.bytes, section: self.whole })
    }
}

impl Payload<'_> {
    /// Returns the bytes as a view. In unpacked bytes, offsets count from their start; use [`Self::located`] to
    /// convert errors.
    pub(super) fn view(&self) -> View<'_> {
        match self {
            Payload::Stored(view) => *view,
            Payload::Unpacked { bytes, section } => section.over(bytes),
        }
    }

    /// Converts an error in [`Self::view`] to an error in the file.
    pub(super) fn located(&self, error: FormatError) -> FormatError {
        match self {
            Payload::Stored(_) => error,
            Payload::Unpacked { section, .. } => {
                let kind = Mml2Problem::Unpacked {
                    offset: error.offset.unwrap_or(0),
                    problem: Box::new(error.kind),
                };
                section.error(0, kind)
            }
        }
    }

    /// Returns where the byte at an offset in [`Self::view`] is in the file.
    pub(super) const fn stored_offset(&self, offset: u64) -> StoredOffset {
        match self {
            Payload::Stored(view) => StoredOffset::plain(view.file_offset(offset)),
            Payload::Unpacked { section, .. } => {
                StoredOffset { packed: Some(section.file_offset(0)), offset }
            }
        }
    }

    /// Converts an offset in [`Self::view`] to an offset in the file. Unpacked bytes have none, so this returns
    /// where their section starts.
    pub(super) fn file_offset(&self, offset: u64) -> u64 {
        match self {
            Payload::Stored(_) => offset,
            Payload::Unpacked { section, .. } => section.file_offset(0),
        }
    }
}

/// Unpacks the sections at these offsets.
pub(super) fn unpacked(
    file: View<'_>,
    wanted: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, Vec<u8>>, FormatError> {
    let mut contents = BTreeMap::new();
    for section in read(file)?.sections {
        let at = section.whole.file_offset(0).saturating_sub(file.file_offset(0));
        if wanted.contains(&at) {
            let payload = section.payload(&mut Warnings::default())?;
            contents.insert(at, payload.view().bytes().to_vec());
        }
    }
    Ok(contents)
}

/// Packs new contents for some sections, by the offsets where these start. A section whose packed data do not fit
/// into its sectors gets more, and later sections move.
pub(super) fn with_packed(file: View<'_>, contents: &BTreeMap<u64, Vec<u8>>) -> Result<Vec<u8>, FormatError> {
    let (mut out, mut done) = (Vec::new(), 0);
    for section in read(file)?.sections {
        let at = section.whole.file_offset(0).saturating_sub(file.file_offset(0));
        let Some(bytes) = contents.get(&at) else { continue };
        out.extend_from_slice(file.slice(done, at.saturating_sub(done))?);
        done = at.saturating_add(section.whole.len());
        let packed = lz::pack(bytes);
        let flags = packed.flags.len() as u64;
        let needed = HEADER.saturating_add(flags).saturating_add(packed.tokens.len() as u64);
        let length = section.whole.len().max(needed.next_multiple_of(SECTOR));
        let mut header = section.whole.slice(0, HEADER)?.to_vec();
        // The flags' size has 16 bits in images, and 32 in others.
        let (flags_at, width) = if section.kind == SectionKind::PackedTim { (0x24, 2) } else { (0x10, 4) };
        if flags >> 16 > 0 && width == 2 {
            return Err(section.whole.error(flags_at as u64, Mml2Problem::LzFlags(flags)));
        }
        let sectors = length.checked_div(SECTOR).unwrap_or(0);
        for (field, number, width) in [(8_usize, sectors, 4_usize), (flags_at, flags, width)] {
            let place = header.get_mut(field..field.saturating_add(width)).unwrap_or_default();
            place.copy_from_slice(number.to_le_bytes().get(..width).unwrap_or_default());
        }
        let end = (out.len() as u64).saturating_add(length);
        for part in [&header, &packed.flags, &packed.tokens] {
            out.extend_from_slice(part);
        }
        out.resize(usize::try_from(end).unwrap_or(out.len()), 0);
    }
    out.extend_from_slice(file.slice(done, file.len().saturating_sub(done))?);
    Ok(out)
}

/// Explains why bytes that begin like an archive are none: they end inside the first section, or a later section is
/// damaged.
pub(in crate::formats) fn looks_like(view: View<'_>) -> Option<FormatError> {
    let [number, size, sectors, address] = view.read::<[U32; 4]>(0).ok()?.map(U32::get);
    let (size, sectors) = (u64::from(size), u64::from(sectors));
    let is_known = (1..TYPE_END).contains(&number);
    // An address in the console's memory, or none.
    let is_address = address == 0 || address >> 21 == 0x8000_0000 >> 21;
    let kind = SectionKind::of(number);
    let fits = size.saturating_add(HEADER) <= sectors.saturating_mul(SECTOR);
    let is_tight = fits && size.saturating_add(HEADER).div_ceil(SECTOR) == sectors;
    // Packing makes data smaller.
    let is_smaller = sectors.saturating_sub(1).saturating_mul(SECTOR) <= size;
    let is_likely = if kind.is_packed() { size > 0 && sectors > 0 && is_smaller } else { is_tight };
    if !is_known || !is_address || !is_likely || sectors > LIKELY_SECTORS {
        return None;
    }
    if let Err(cut_off) = view.slice(0, HEADER) {
        return Some(cut_off);
    }
    match read(view) {
        Ok(archive) => archive.warnings.as_slice().iter().find(breaks_chain).cloned(),
        Err(error) => Some(error),
    }
}

/// Returns whether the bytes look like an archive. Archives have no magic. So either the first header must fit its
/// section type exactly, or all sections must chain to the end of the file.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "mml2", FileRole::Input);
    let Ok(header) = view.read::<raw::Section>(0) else { return false };
    let size = u64::from(header.size.get());
    let sectors = u64::from(header.sectors.get());
    let is_tight = size.saturating_add(HEADER).div_ceil(SECTOR) == sectors;
    let (Ok(tim), Ok(rest)) = (view.read::<raw::Tim>(0xC), view.slice(0x10, HEADER.saturating_sub(0x10)))
    else {
        return false;
    };
    let no_rest = rest.iter().all(|byte| *byte == 0);
    let product = |one: U16, other: U16| u64::from(one.get()).saturating_mul(other.get().into());
    let colors = product(tim.colors, tim.palettes).saturating_mul(2);
    let texels = product(tim.width, tim.height).saturating_mul(2);
    let address = header.address.get();
    let is_convincing = match SectionKind::of(header.kind.get()) {
        // An address within the console's 2 MiB of memory.
        SectionKind::Memory => is_tight && no_rest && address >> 21 == 0x8000_0000 >> 21,
        SectionKind::Entities => is_tight && no_rest && address == 0 && size >= 0x14,
        SectionKind::PackedEntities | SectionKind::Stage => {
            let flags = view.word(0x10).unwrap_or(0);
            let after_size = rest.get(4..).unwrap_or_default();
            flags != 0
                && flags.is_multiple_of(4)
                && address == 0
                && sectors > 0
                && after_size.iter().all(|byte| *byte == 0)
        }
        SectionKind::Tim => {
            let expected = if texels == 0 { colors } else { texels.saturating_add(raw::IMAGE_START) };
            is_tight && size == expected && size > 0
        }
        SectionKind::PackedTim => {
            let flags = tim.flags.get();
            size == colors.saturating_add(texels) && size > 0 && flags != 0 && flags.is_multiple_of(4)
        }
        SectionKind::Sounds | SectionKind::Sequence | SectionKind::Unknown => false,
    };
    // A damaged section among several does not make this another kind of file.
    let is_chain = |archive: &Archive<'_>| {
        let broken = archive.warnings.as_slice().iter().filter(breaks_chain).count();
        !archive.terminators.is_empty() && broken <= usize::from(archive.sections.len() >= SURE_SECTIONS)
    };
    is_convincing || read(view).is_ok_and(|archive| is_chain(&archive))
}
