//! Describes a part of memory at a moment in a run.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::memory::image::{MemoryLayout, mapped_parts};
use crate::debug::passes::memory_uses::{MemoryUse, UseKind};
use crate::debug::timeline::{EventNumber, Timeline};
use crate::ge::address::{Address, Region, VramView};
use crate::ge::capture::Source;
use crate::ge::memory::Memory;
use crate::pipeline::texture::content_hash::ContentHash;

/// A part of memory: which bytes exist, where they came from, and who wrote them last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The event before which memory is shown; null for the run's end.
    pub event: Option<EventNumber>,
    /// The first byte's address.
    pub address: Address,
    /// How many bytes are shown.
    pub length: u32,
    /// Which memory this address is in.
    pub region: RegionName,
    /// How the bytes form a picture; null if they are shown as bytes.
    pub picture: Option<PictureInfo>,
    /// The parts that exist. No memory backs the others.
    pub mapped: Vec<MemoryPart>,
    /// The parts loaded from a file at the run's start.
    pub sources: Vec<SourcePart>,
    /// The parts written by events in this run.
    pub writers: Vec<WrittenPart>,
    /// The events in the whole run that use these bytes, in order; null unless asked for.
    pub uses: Option<Vec<MemoryUseInfo>>,
    /// Hash over the bytes; null if some do not exist.
    pub hash: Option<ContentHash>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for MemoryDocument {
    const NAME: &'static str = "memory";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A part of memory at one moment of a run";
}

/// The kinds of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RegionName {
    /// VRAM with its bytes in order.
    Vram,
    /// The view of VRAM that has depth in order for 16-bit colour buffers.
    #[serde(rename = "vram-depth-16")]
    VramDepth16,
    /// The view of VRAM that has depth in order for 32-bit colour buffers.
    #[serde(rename = "vram-depth-32")]
    VramDepth32,
    /// Main RAM.
    Ram,
    /// The scratchpad.
    Scratchpad,
    /// No memory is there.
    Unmapped,
}

/// How a picture lies in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PictureInfo {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// How a pixel is stored: the name of a texel format, or `DEPTH16`.
    pub format: String,
    /// Whether pixels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
}

/// Bytes at neighbouring addresses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryPart {
    /// The first byte's address.
    pub address: Address,
    /// How many bytes this part has.
    pub length: u32,
}

/// Bytes loaded from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcePart {
    /// The first byte's address.
    pub address: Address,
    /// How many bytes this part has.
    pub length: u32,
    /// The file's role or name.
    pub file: String,
    /// The first byte's offset in this file.
    pub file_offset: u64,
}

/// Bytes whose last writer is the same event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenPart {
    /// The first byte's address.
    pub address: Address,
    /// How many bytes this part has.
    pub length: u32,
    /// The writing event.
    pub event: EventNumber,
    /// Its draw number; null if this event is no draw.
    pub draw: Option<u64>,
}

/// How an event uses bytes in this part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryUseInfo {
    /// The event's number; null for the screen after the last event.
    pub event: Option<EventNumber>,
    /// Its draw number; null if this event is no draw.
    pub draw: Option<u64>,
    /// Whether it may write the bytes, not only read them.
    pub is_write: bool,
    /// How it uses them.
    pub kind: UseKind,
    /// How many bytes it uses. A draw uses the bytes of all pixels that it covers, whether or not they pass its
    /// tests, and all of its texture.
    pub bytes: u64,
}

impl MemoryUseInfo {
    /// Describes how a run's events use bytes.
    #[must_use]
    pub fn list(uses: &[MemoryUse], timeline: &Timeline) -> Vec<Self> {
        let describe = |&MemoryUse { event, kind, is_write, bytes }: &MemoryUse| Self {
            event,
            draw: event.and_then(|event| timeline.get(event)?.draw_number()),
            is_write,
            kind,
            bytes,
        };
        uses.iter().map(describe).collect()
    }

    /// Returns this use as a line of text, for a part of `length` bytes.
    #[must_use]
    pub fn text(&self, length: u32) -> String {
        let who = match (self.event, self.draw) {
            (Some(event), Some(draw)) => format!("draw {draw}, event {event}"),
            (Some(event), None) => format!("event {event}"),
            (None, _) => "the end".to_owned(),
        };
        let how = if self.is_write { "writes" } else { "reads" };
        format!("{who}: {how} {} of {length} bytes ({})", self.bytes, self.kind.name())
    }
}

/// Memory at a moment, with everything needed to describe it.
#[derive(Clone, Copy, Debug)]
pub struct MemoryMoment<'a> {
    /// The event after this moment, or `None` at the end of the run.
    pub event: Option<EventNumber>,
    /// All memory at this moment.
    pub memory: &'a Memory,
    /// The parts loaded from files.
    pub sources: &'a [Source],
    /// Tells each byte's last writer.
    pub writers: &'a ByteWriters,
    /// The run's events, to find the draw of each.
    pub timeline: &'a Timeline,
}

impl MemoryDocument {
    /// Describes `length` bytes from an address on, and the picture in them, if they are shown as a picture.
    #[must_use]
    pub fn new(
        input: &str,
        moment: MemoryMoment<'_>,
        address: Address,
        length: u32,
        picture: Option<&MemoryLayout>,
    ) -> Self {
        let MemoryMoment { event, memory, sources, writers, timeline } = moment;
        let mapped = mapped_parts(memory, address, length);
        let is_whole = mapped.iter().map(|part| part.end.saturating_sub(part.start)).sum::<u32>() == length;
        // Missing bytes read as 0, so a hash over them would equal the hash over zeros.
        let hash = is_whole.then(|| {
            let mut bytes = vec![0; length as usize];
            memory.read(address, &mut bytes);
            ContentHash::of(&bytes)
        });
        let part = |part: &std::ops::Range<u32>| MemoryPart {
            address: address.offset(part.start),
            length: part.end.saturating_sub(part.start),
        };
        let mut written: Vec<WrittenPart> = Vec::new();
        writers.visit(address, length, memory.translation(), |part, writer| {
            let (start, length) = (address.offset(part.start), part.end.saturating_sub(part.start));
            match (writer, written.last_mut()) {
                (Some(event), Some(last))
                    if last.event == event && last.address.offset(last.length) == start =>
                {
                    last.length = last.length.saturating_add(length);
                }
                (Some(event), _) => {
                    let draw = timeline.get(event).and_then(|event| event.draw_number());
                    written.push(WrittenPart { address: start, length, event, draw });
                }
                (None, _) => {}
            }
        });
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            event,
            address,
            length,
            region: RegionName::of(address),
            picture: picture.map(PictureInfo::from),
            mapped: mapped.iter().map(part).collect(),
            sources: source_parts(sources, address, length),
            writers: written,
            uses: None,
            hash,
            notes: Vec::new(),
        }
    }
}

impl RegionName {
    /// Returns which memory this address is in.
    #[must_use]
    pub const fn of(address: Address) -> Self {
        match address.region() {
            Region::Vram(VramView::Linear, _) => Self::Vram,
            Region::Vram(VramView::Depth16, _) => Self::VramDepth16,
            Region::Vram(VramView::Depth32, _) => Self::VramDepth32,
            Region::Ram(_) => Self::Ram,
            Region::Scratchpad(_) => Self::Scratchpad,
            Region::Unmapped => Self::Unmapped,
        }
    }
}

impl From<&MemoryLayout> for PictureInfo {
    fn from(layout: &MemoryLayout) -> Self {
        let [width, height] = layout.size;
        let stride = if layout.stride == 0 { width } else { layout.stride };
        let format = layout.format.name().to_owned();
        Self { width, height, stride, format, swizzled: layout.is_swizzled }
    }
}

/// Returns the parts of a range that were loaded from files.
fn source_parts(sources: &[Source], address: Address, length: u32) -> Vec<SourcePart> {
    let end = u64::from(address.get()).saturating_add(length.into());
    let parts = sources.iter().filter_map(|source| {
        let first = source.address.get().max(address.get());
        let source_end = u64::from(source.address.get()).saturating_add(source.length.into());
        let length = source_end.min(end).checked_sub(first.into()).filter(|length| *length > 0)?;
        let start = Address::new(first);
        Some(SourcePart {
            address: start,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            file: source.name.clone(),
            file_offset: source.offset_of(start)?,
        })
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_name_their_files() {
        let source = |address, length, file_offset| Source {
            name: "list".to_owned(),
            address: Address::new(address),
            length,
            file_offset,
        };
        let sources = [source(0x0880_0000, 0x100, 0x40), source(0x0880_0200, 0x10, 0x900)];
        let parts = source_parts(&sources, Address::new(0x0880_0080), 0x200);
        let found: Vec<_> =
            parts.iter().map(|part| (part.address.get(), part.length, part.file_offset)).collect();
        assert_eq!(found, [(0x0880_0080, 0x80, 0xC0), (0x0880_0200, 0x10, 0x900)], "cut at both ends");
        assert!(source_parts(&sources, Address::vram(0), 0x1000).is_empty(), "none");
    }
}
