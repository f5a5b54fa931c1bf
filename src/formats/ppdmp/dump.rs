//! A dump as it is in its file: records, and the payload that they point into.

use std::fmt;

use super::context::CONTEXT_BYTES;
use crate::formats::core::content::Recording;

/// The first bytes of a dump.
pub(super) const MAGIC: &[u8; 8] = b"PPSSPPGE";
/// The newest version, which is written.
pub const VERSION: u32 = 6;
/// The oldest version that is read.
pub const OLDEST_VERSION: u32 = 2;
/// The first version that names the game.
pub(super) const GAME_ID_SINCE: u32 = 4;
/// The first version whose [`Flags::UNCHANGED`] is right.
pub(super) const UNCHANGED_SINCE: u32 = 6;
/// Bytes of a record in the file.
pub(super) const RECORD_BYTES: u32 = 9;
/// The most records of a dump: a hundred times a heavy frame.
pub const RECORDS_MAX: u32 = 1 << 21;
/// The largest payload: no more fits into the machine's memory.
pub const PAYLOAD_MAX: u32 = 64 << 20;

/// A dump, as it stands in its file.
#[derive(Clone, PartialEq, Eq)]
pub struct Dump {
    /// The file's version, 2 to 6.
    pub version: u32,
    /// The game's number, such as `ULUS10336`; zeros before version 4.
    pub game_id: [u8; 9],
    /// What was recorded, in order.
    pub records: Vec<Record>,
    /// What the records point into. Records may share bytes.
    pub payload: Vec<u8>,
}

/// One record: what it is, and its part of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What was recorded.
    pub kind: RecordKind,
    /// Offset of its first byte in the payload.
    pub start: u32,
    /// How many bytes.
    pub length: u32,
}

/// What a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// A saved context: all registers and matrices.
    Init,
    /// Command words.
    Registers,
    /// Vertices of the draw that comes next.
    Vertices,
    /// Its indices.
    Indices,
    /// A palette to be loaded next.
    Clut,
    /// The source of the next block transfer.
    TransferSrc,
    /// The CPU filled memory: target, value, length.
    MemSet,
    /// The target of the next copy.
    MemCpyDest,
    /// The CPU copied these bytes.
    MemCpyData,
    /// The screen shows: address, stride, format.
    Display,
    /// Where in VRAM the next palette lies: address, [`Flags`].
    ClutAddr,
    /// The eDRAM address translation.
    EdramTrans,
    /// A level of the texture of the draw that comes next, 0 to 7.
    Texture(u8),
    /// A level of that texture, 0 to 7, in VRAM: address, width, [`Flags`], a spare word, texels.
    Framebuf(u8),
}

impl RecordKind {
    /// The kind of that number.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Init,
            1 => Self::Registers,
            2 => Self::Vertices,
            3 => Self::Indices,
            4 => Self::Clut,
            5 => Self::TransferSrc,
            6 => Self::MemSet,
            7 => Self::MemCpyDest,
            8 => Self::MemCpyData,
            9 => Self::Display,
            10 => Self::ClutAddr,
            11 => Self::EdramTrans,
            0x10..=0x17 => Self::Texture(code & 7),
            0x18..=0x1F => Self::Framebuf(code & 7),
            _ => return None,
        })
    }

    /// The number in the file.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Init => 0,
            Self::Registers => 1,
            Self::Vertices => 2,
            Self::Indices => 3,
            Self::Clut => 4,
            Self::TransferSrc => 5,
            Self::MemSet => 6,
            Self::MemCpyDest => 7,
            Self::MemCpyData => 8,
            Self::Display => 9,
            Self::ClutAddr => 10,
            Self::EdramTrans => 11,
            Self::Texture(level) => 0x10 | level & 7,
            Self::Framebuf(level) => 0x18 | level & 7,
        }
    }

    /// Bytes that a record of this kind has at least.
    pub(super) const fn min_bytes(self) -> u32 {
        match self {
            Self::Init => CONTEXT_BYTES,
            Self::MemSet | Self::Display => 12,
            Self::MemCpyDest | Self::EdramTrans => 4,
            Self::ClutAddr => 8,
            Self::Framebuf(_) => FRAMEBUF_HEADER,
            _ => 0,
        }
    }
}

/// Bytes of a FRAMEBUF record in front of its texels.
pub(super) const FRAMEBUF_HEADER: u32 = 16;

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Init => "INIT",
            Self::Registers => "REGISTERS",
            Self::Vertices => "VERTICES",
            Self::Indices => "INDICES",
            Self::Clut => "CLUT",
            Self::TransferSrc => "TRANSFERSRC",
            Self::MemSet => "MEMSET",
            Self::MemCpyDest => "MEMCPYDEST",
            Self::MemCpyData => "MEMCPYDATA",
            Self::Display => "DISPLAY",
            Self::ClutAddr => "CLUTADDR",
            Self::EdramTrans => "EDRAMTRANS",
            Self::Texture(level) => return write!(f, "TEXTURE{level}"),
            Self::Framebuf(level) => return write!(f, "FRAMEBUF{level}"),
        };
        f.pad(name)
    }
}

bitflags::bitflags! {
    /// What is known about data in VRAM.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        /// The address was a render target earlier in this recording: a replay that draws has the data already.
        const RENDER_TARGET = 1;
        /// VRAM has not changed since the data were last recorded; right from version 6 on.
        const UNCHANGED = 2;
        /// Something may have been drawn there.
        const MAYBE_DRAWN = 4;
        const _ = !0;
    }
}

impl Dump {
    /// The game's number as text; `None` where there is none.
    #[must_use]
    pub fn game(&self) -> Option<String> {
        let text: String = self
            .game_id
            .iter()
            .take_while(|byte| **byte != 0)
            .map(|&byte| if byte.is_ascii_graphic() { char::from(byte) } else { '?' })
            .collect();
        (!text.is_empty()).then_some(text)
    }

    /// Offset in its file of the block that holds the records.
    #[must_use]
    pub const fn records_offset(&self) -> u64 {
        if self.version >= GAME_ID_SINCE { 32 } else { 20 }
    }

    /// A record's bytes; those that lie outside the payload are missing.
    #[must_use]
    pub fn bytes(&self, record: &Record) -> &[u8] {
        let start = (record.start as usize).min(self.payload.len());
        let end = start.saturating_add(record.length as usize).min(self.payload.len());
        self.payload.get(start..end).unwrap_or_default()
    }

    /// The `number`th little-endian word of a record; 0 where it ends before.
    #[must_use]
    pub fn word(&self, record: &Record, number: usize) -> u32 {
        let bytes = self.bytes(record).get(number.saturating_mul(4)..).unwrap_or_default();
        bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The recorded command words, in order, each with its offset in the payload.
    pub fn command_words(&self) -> impl Iterator<Item = (u32, u32)> {
        let batches = self.records.iter().filter(|record| record.kind == RecordKind::Registers);
        batches.flat_map(|record| self.words(record))
    }

    /// How many copies by the CPU are lost, because the recorder left out where they went.
    #[must_use]
    pub fn lost_copies(&self) -> usize {
        let before_first = self.records.iter().take_while(|record| record.kind != RecordKind::MemCpyDest);
        before_first.filter(|record| record.kind == RecordKind::MemCpyData).count()
    }

    /// A record's words, each with its offset in the payload.
    pub fn words(&self, record: &Record) -> impl Iterator<Item = (u32, u32)> + use<'_> {
        let words = self.bytes(record).chunks_exact(4);
        let words = words.map(|word| word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)));
        // Words that are there lie in the payload, whose offsets fit.
        let start = record.start;
        (0u32..).map(move |number| start.saturating_add(number.saturating_mul(4))).zip(words)
    }
}

impl fmt::Debug for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dump")
            .field("version", &self.version)
            .field("game", &self.game())
            .field("records", &self.records.len())
            .field("payload_bytes", &self.payload.len())
            .finish()
    }
}

impl Recording for Dump {}
