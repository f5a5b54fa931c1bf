//! Reads the tables in an RCO file.
//!
//! # Invariants
//! Each entry takes at least a header's bytes in the tables. This bounds the entry count by the file size, or by
//! [`Limits::decoded_bytes`] if the tables are compressed.

use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::text::decode_padded;
use crate::formats::psp_sdk::gim::Numbers;
use crate::formats::psp_sdk::resources::{
    Budget, Compression, IMAGES, Resource, ResourceProblem, Resources, unpack,
};
use crate::ge::limits::Limits;

/// Little-endian files start with this.
pub(super) const MAGIC: [u8; 4] = *b"\0PRF";
/// Big-endian files start with this: the same word with its bytes reversed.
pub(super) const BIG_MAGIC: [u8; 4] = *b"FRP\0";
/// Bytes in the header, which the tables follow.
const HEADER: u64 = 0xA4;
/// Bytes before compressed tables, for their sizes.
const SIZES: u64 = 12;
/// Bytes in an entry before its kind adds more.
const ENTRY: u64 = 0x28;
/// Marks a missing table or name.
const NONE: u32 = 0xFFFF_FFFF;
/// The most entries to read from a table. No known table has more, and packed tables must not give millions.
const ENTRIES_MAX: u32 = 0x4000;
/// The most bytes to read for a name.
const NAME_MAX: u64 = 256;
/// Offsets of fields in the header.
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
/// Text languages, by number.
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
/// Text encodings, by number.
const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16", "UTF-32"];

/// The tables, unpacked if necessary.
#[derive(Clone, Copy)]
struct Tables<'t> {
    bytes: Numbers<'t>,
    /// The offset of these bytes as the header counts: 0 for the file itself, the header's size for unpacked tables.
    base: u64,
    labels: u64,
    labels_length: u64,
}

/// Reads all tables. If they cannot be unpacked, this warns and returns no members.
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
    for (field, table, kind, data) in [
        (MODELS, "models", Kind::Model, MODEL_DATA),
        (PICTURES, "images", Kind::Image, PICTURE_DATA),
        (SOUNDS, "sounds", Kind::Sound, SOUND_DATA),
        (TEXTS, "texts", Kind::Text, TEXT_DATA),
        (SCRIPTS, "scripts", Kind::Script, 0),
        (FONTS, "fonts", Kind::Font, 0),
        (OBJECTS, "objects", Kind::Other, 0),
        (ANIMATIONS, "animations", Kind::Other, 0),
    ] {
        reader.table(field, table, kind, data)?;
    }
    let mut resources = reader.resources;
    resources.name_members();
    Ok(resources)
}

/// The kind of entry in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Model,
    Image,
    Sound,
    Text,
    Script,
    Font,
    /// Only counted.
    Other,
}

struct Reader<'a, 't> {
    header: Numbers<'a>,
    tables: Tables<'t>,
    resources: Resources<'a>,
}

impl Reader<'_, '_> {
    /// Reads the table to which the header's `field` leads. `name` is for notes and counts. `data` is the
    /// field with its data's offset, or 0 for none.
    fn table(&mut self, field: u64, name: &'static str, kind: Kind, data: u64) -> Result<(), FormatError> {
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
            // How far the next entry is from here; the last has none.
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
            let problem = ResourceProblem::Entries { table: name, stated, actual };
            self.resources.warnings.push(self.header.view.error(field, problem));
        }
        self.resources.counts.push((name.to_owned(), actual as u64));
        Ok(())
    }

    /// Reads an entry, and adds its member if it has data of its own. `room` is how many bytes lie between its
    /// header and the next entry.
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
                // Each string takes 12 bytes: a name, a length and an offset. This bound keeps entries from sharing
                // strings.
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
            Kind::Other => {}
        }
        Ok(())
    }

    /// Returns the file offset for a place in the tables. Unpacked tables have a single place, where their stream
    /// starts.
    fn in_tables(&self, at: u64) -> u64 {
        let at = if self.tables.base == 0 { at } else { HEADER.saturating_add(SIZES) };
        self.header.view.file_offset(at)
    }

    /// Adds a picture or a model, which may be compressed.
    fn packed(&mut self, name: String, extra: u64, kind: Kind, data: u64) -> Result<(), FormatError> {
        let bytes = self.tables.bytes;
        let number = |offset: u64| bytes.u32(extra.saturating_add(offset));
        let format = bytes.u16(extra)?;
        // The upper byte's meaning is not known.
        let compression = match bytes.u16(extra.saturating_add(2))? & 0xFF {
            0 => Compression::None,
            1 => Compression::Zlib,
            2 => Compression::Rlz,
            other => Compression::Unknown(other),
        };
        let (length, offset) = (u64::from(number(4)?), u64::from(number(8)?));
        // Big-endian files have another number before the unpacked size.
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

    /// Adds a member to list only, without bytes to open.
    fn listed(&mut self, name: String, kind: String, offset: u64, length: u64) {
        let (compression, stored, unpacked) = (Compression::None, None, None);
        self.resources.members.push(Resource { name, kind, compression, stored, offset, length, unpacked });
    }
}

impl Tables<'_> {
    /// Returns the label at an offset; empty if there is none.
    fn label(&self, offset: u32) -> String {
        let left = self.labels_length.saturating_sub(offset.into());
        if offset == NONE || left == 0 {
            return String::new();
        }
        let at = self.labels.saturating_sub(self.base).saturating_add(offset.into());
        let view = self.bytes.view;
        let length = left.min(NAME_MAX).min(view.len().saturating_sub(at));
        decode_padded(view.slice(at, length).unwrap_or(&[]))
    }
}

/// Names a number, or returns the number itself if it has no name.
fn named(names: &[&str], what: &str, number: u16) -> String {
    names.get(usize::from(number)).map_or_else(|| format!("{what} {number}"), |name| (*name).to_owned())
}
