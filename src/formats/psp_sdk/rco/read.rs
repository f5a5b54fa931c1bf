//! Reads the tables of an RCO file.
//!
//! # Invariants
//! Each entry takes at least as many bytes of the tables as its header, so that their number is bounded by the file's size,
//! or by [`Limits::decoded_bytes`] if the tables are compressed.

use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::text::decode_name_lossy;
use crate::formats::psp_sdk::gim::Numbers;
use crate::formats::psp_sdk::resources::{
    Budget, Compression, IMAGES, Resource, ResourceProblem, Resources, unpack,
};
use crate::ge::limits::Limits;

/// Little-endian files start with this.
pub(super) const MAGIC: [u8; 4] = *b"\0PRF";
/// Big-endian files start with this: the same word with its bytes reversed.
pub(super) const BIG_MAGIC: [u8; 4] = *b"FRP\0";
/// Bytes of the header; the tables follow.
const HEADER: u64 = 0xA4;
/// Bytes before compressed tables: their sizes.
const SIZES: u64 = 12;
/// Bytes of an entry before what its kind adds.
const ENTRY: u64 = 0x28;
/// Stands for a missing table or name.
const NONE: u32 = 0xFFFF_FFFF;
/// No known table has more entries, so that packed tables cannot give millions.
const ENTRIES_MAX: u32 = 0x4000;
/// Names have no more bytes.
const NAME_MAX: u64 = 256;
/// Places in the header.
const VERSION: u64 = 4;
const COMPRESSION: u64 = 0xC;
const SCRIPTS: u64 = 0x14;
const TEXTS: u64 = 0x18;
const SOUNDS: u64 = 0x1C;
const MODELS: u64 = 0x20;
const PICTURES: u64 = 0x24;
const FONTS: u64 = 0x2C;
const OBJECTS: u64 = 0x30;
const ANIMATIONS: u64 = 0x34;
const TEXT_DATA: u64 = 0x38;
const LABELS: u64 = 0x40;
const PICTURE_DATA: u64 = 0x80;
const SOUND_DATA: u64 = 0x88;
const MODEL_DATA: u64 = 0x90;
/// Languages of texts, by number.
const LANGUAGES: [&str; 12] = [
    "Japanese",
    "English",
    "French",
    "Spanish",
    "German",
    "Italian",
    "Dutch",
    "Portuguese",
    "Russian",
    "Korean",
    "traditional Chinese",
    "simplified Chinese",
];
/// Encodings of texts, by number.
const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16", "UTF-32"];

/// The tables, unpacked if necessary.
#[derive(Clone, Copy)]
struct Tables<'t> {
    bytes: Numbers<'t>,
    /// What an offset of the header counts from, relative to the bytes.
    base: u64,
    labels: u64,
    labels_length: u64,
}

/// Reads all tables.
pub(super) fn read<'a>(file: View<'a>, limits: &Limits) -> Result<Resources<'a>, FormatError> {
    let is_big = file.bytes().starts_with(&BIG_MAGIC);
    if !is_big && !file.bytes().starts_with(&MAGIC) {
        return Err(file.error(0, ResourceProblem::Magic));
    }
    file.slice(0, HEADER)?;
    let header = Numbers { view: file, is_big };
    let mut resources = Resources::new(file);
    resources.counts.push(("version".to_owned(), header.u32(VERSION)?.into()));
    let unpacked;
    let (view, base) = match header.u32(COMPRESSION)? >> 4 {
        0 => (file, 0),
        method @ (1 | 2) => {
            let method = if method == 1 { Compression::Zlib } else { Compression::Rlz };
            let sizes = header.part(HEADER, HEADER.saturating_add(SIZES))?;
            let start = HEADER.saturating_add(SIZES);
            let (length, stated) = (u64::from(sizes.u32(0)?), u64::from(sizes.u32(4)?));
            let Some(stream) = resources.stored("tables", start, length) else { return Ok(resources) };
            match unpack(stream, method, Some(stated), &mut Budget::new(limits), &mut resources.warnings) {
                Ok(bytes) => unpacked = bytes,
                Err(error) => {
                    resources.warnings.push(error);
                    return Ok(resources);
                }
            }
            (file.over(&unpacked), HEADER)
        }
        other => {
            resources.warnings.push(file.error(COMPRESSION, ResourceProblem::Tables(other)));
            return Ok(resources);
        }
    };
    let tables = Tables {
        bytes: Numbers { view, is_big },
        base,
        labels: header.u32(LABELS)?.into(),
        labels_length: header.u32(LABELS.saturating_add(4))?.into(),
    };
    let mut reader = Reader { header, tables, resources };
    for (field, data, kind) in [(MODELS, MODEL_DATA, Kind::Model), (PICTURES, PICTURE_DATA, Kind::Image)] {
        reader.table(field, kind, data)?;
    }
    reader.table(SOUNDS, Kind::Sound, SOUND_DATA)?;
    reader.table(TEXTS, Kind::Text, TEXT_DATA)?;
    reader.table(SCRIPTS, Kind::Script, 0)?;
    reader.table(FONTS, Kind::Font, 0)?;
    reader.table(OBJECTS, Kind::Object, 0)?;
    reader.table(ANIMATIONS, Kind::Animation, 0)?;
    let mut resources = reader.resources;
    resources.name_members();
    Ok(resources)
}

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Model,
    Image,
    Sound,
    Text,
    Script,
    Font,
    Object,
    Animation,
}

impl Kind {
    /// Names the table for notes and counts.
    const fn plural(self) -> &'static str {
        match self {
            Self::Model => "models",
            Self::Image => "images",
            Self::Sound => "sounds",
            Self::Text => "texts",
            Self::Script => "scripts",
            Self::Font => "fonts",
            Self::Object => "objects",
            Self::Animation => "animations",
        }
    }
}

struct Reader<'a, 't> {
    header: Numbers<'a>,
    tables: Tables<'t>,
    resources: Resources<'a>,
}

impl Reader<'_, '_> {
    /// Reads the table to which a field of the header leads; `data` is the field with the place of its data.
    fn table(&mut self, field: u64, kind: Kind, data: u64) -> Result<(), FormatError> {
        let pointer = self.header.u32(field)?;
        if pointer == NONE {
            return Ok(());
        }
        let start = if data == 0 { 0 } else { self.header.u32(data)?.into() };
        let table = u64::from(pointer).saturating_sub(self.tables.base);
        let stated = self.tables.bytes.u32(table.saturating_add(0x10)).unwrap_or(0);
        let mut at = table.saturating_add(ENTRY);
        let mut actual = 0_usize;
        for number in 0..stated.min(ENTRIES_MAX) {
            // The last entry has no next one.
            let Ok(next) = self.tables.bytes.u32(at.saturating_add(0x14)) else { break };
            let room = u64::from(next).checked_sub(ENTRY).filter(|room| *room > 0);
            // A cut entry ends the table, because only its start is known.
            if self.entry(at, kind, start, room).is_err() {
                break;
            }
            actual = actual.saturating_add(1);
            let is_last = number.saturating_add(1) == stated;
            if !is_last && u64::from(next) < ENTRY {
                break;
            }
            at = at.saturating_add(next.into());
        }
        if actual as u64 != u64::from(stated) {
            let problem = ResourceProblem::Entries { table: kind.plural(), stated, actual };
            self.resources.warnings.push(self.header.view.error(field, problem));
        }
        self.resources.counts.push((kind.plural().to_owned(), actual as u64));
        Ok(())
    }

    /// Reads an entry, and adds its member if it has data of its own. `room` is what lies between its header and the next
    /// entry.
    fn entry(&mut self, at: u64, kind: Kind, data: u64, room: Option<u64>) -> Result<(), FormatError> {
        let bytes = self.tables.bytes;
        let name = self.tables.label(bytes.u32(at.saturating_add(4))?);
        let extra = at.saturating_add(ENTRY);
        let own = |offset: u64| bytes.u32(extra.saturating_add(offset));
        let half = |offset: u64| bytes.u16(extra.saturating_add(offset));
        match kind {
            Kind::Image | Kind::Model => self.packed(name, extra, kind, data)?,
            Kind::Sound => {
                let format = if half(0)? == 1 { "VAG".to_owned() } else { format!("format {}", half(0)?) };
                let kind = format!("sound, {format}, {} channels", half(2)?);
                self.plain(name, kind, data.saturating_add(own(8)?.into()), own(4)?.into());
            }
            Kind::Text => {
                let (language, encoding) = (half(0)?, half(2)?);
                let language = named(&LANGUAGES, "language", language);
                let kind = format!("text, {language}, {}", named(&ENCODINGS, "encoding", encoding));
                // Each string has a name, a length and an offset. Without the bound, entries could share their strings.
                let strings = room.map_or(u64::MAX, |room| room / 12).min(own(4)?.into());
                let lengths = (0..strings)
                    .map(|string: u64| own(string.saturating_mul(12).saturating_add(12)).map(u64::from))
                    .try_fold(0_u64, |sum, length| length.map(|length| sum.saturating_add(length)))?;
                self.listed(name, kind, self.header.view.file_offset(data), lengths);
            }
            Kind::Script => {
                let place = self.in_tables(extra.saturating_add(8).saturating_add(own(0)?.into()));
                self.listed(name, "script, VSMX".to_owned(), place, own(4)?.into());
            }
            Kind::Font => self.listed(name, "font".to_owned(), self.in_tables(at), ENTRY),
            Kind::Object | Kind::Animation => {}
        }
        Ok(())
    }

    /// Returns where a place in the tables is in the file. Unpacked tables have one place.
    fn in_tables(&self, at: u64) -> u64 {
        let at = if self.tables.base == 0 { at } else { HEADER.saturating_add(SIZES) };
        self.header.view.file_offset(at)
    }

    /// Adds a picture or a model.
    fn packed(&mut self, name: String, extra: u64, kind: Kind, data: u64) -> Result<(), FormatError> {
        let bytes = self.tables.bytes;
        let number = |offset: u64| bytes.u32(extra.saturating_add(offset));
        let format = bytes.u16(extra)?;
        // The meaning of the upper byte is not known.
        let compression = match bytes.u16(extra.saturating_add(2))? & 0xFF {
            0 => Compression::None,
            1 => Compression::Zlib,
            2 => Compression::Rlz,
            other => Compression::Unknown(other),
        };
        let (length, offset) = (u64::from(number(4)?), u64::from(number(8)?));
        // Big-endian files have another number before the size.
        let size = if bytes.is_big { 16 } else { 12 };
        let unpacked = (compression != Compression::None).then(|| number(size)).transpose()?;
        let kind = match kind {
            Kind::Model if format == 0 => "model, GMO".to_owned(),
            Kind::Model => format!("model, format {format}"),
            _ => format!("image, {}", named(&IMAGES, "format", format)),
        };
        let place = data.saturating_add(offset);
        let stored = self.resources.stored(&name, place, length);
        self.resources.members.push(Resource {
            name,
            kind,
            compression,
            stored,
            offset: self.header.view.file_offset(place),
            length,
            unpacked: unpacked.map(u64::from),
        });
        Ok(())
    }

    /// Adds a member with uncompressed data in the file.
    fn plain(&mut self, name: String, kind: String, place: u64, length: u64) {
        let stored = self.resources.stored(&name, place, length);
        self.listed(name, kind, self.header.view.file_offset(place), length);
        if let Some(member) = self.resources.members.last_mut() {
            member.stored = stored;
        }
    }

    /// Adds a member that is only listed.
    fn listed(&mut self, name: String, kind: String, offset: u64, length: u64) {
        let (compression, stored, unpacked) = (Compression::None, None, None);
        self.resources.members.push(Resource { name, kind, compression, stored, offset, length, unpacked });
    }
}

impl Tables<'_> {
    /// Returns the name at an offset in the labels; empty if there is none.
    fn label(&self, offset: u32) -> String {
        let left = self.labels_length.saturating_sub(offset.into());
        if offset == NONE || left == 0 {
            return String::new();
        }
        let at = self.labels.saturating_sub(self.base).saturating_add(offset.into());
        let view = self.bytes.view;
        let length = left.min(NAME_MAX).min(view.len().saturating_sub(at));
        let bytes = view.slice(at, length).unwrap_or(&[]);
        let name = bytes.split(|byte| *byte == 0).next().unwrap_or(&[]);
        decode_name_lossy(name)
    }
}

/// Returns the name for a number, or the number itself.
fn named(names: &[&str], what: &str, number: u16) -> String {
    names.get(usize::from(number)).map_or_else(|| format!("{what} {number}"), |name| (*name).to_owned())
}
