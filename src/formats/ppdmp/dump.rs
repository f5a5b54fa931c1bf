//! A dump file's contents: records, and the payload they point into.

use std::fmt;

use crate::formats::core::content::Recording;
use crate::ge::registers::context::CONTEXT_BYTES;

/// Magic to recognise a dump by.
pub(super) const MAGIC: &[u8; 8] = b"PPSSPPGE";
/// The newest version, and the only version that pspge writes.
pub const VERSION: u32 = 6;
/// The oldest supported version.
pub const OLDEST_VERSION: u32 = 2;
/// The first version with a game id.
pub(super) const GAME_ID_SINCE: u32 = 4;
/// The first version in which [`Flags::UNCHANGED`] can be trusted.
pub(super) const UNCHANGED_SINCE: u32 = 6;
/// Size of a record in the file, in bytes.
pub(super) const RECORD_BYTES: u32 = 9;
/// A dump has no more records than this: a hundred times as many as a heavy frame has.
pub const RECORDS_MAX: u32 = 1 << 21;
/// A payload has no more bytes than this: main memory's size, because a replay loads it there.
pub const PAYLOAD_MAX: u32 = 64 << 20;

/// A frame dump. Source: [file layout](crate::reference::ge::frame_dumps#file-layout).
#[derive(Clone, PartialEq, Eq)]
pub struct Dump {
    /// The file's version, 2 to 6.
    pub version: u32,
    /// Game id, such as `ULUS10336`; zeros before version 4.
    pub game_id: [u8; 9],
    /// Records in order.
    pub records: Vec<Record>,
    /// The records' data. Records may share bytes.
    pub payload: Vec<u8>,
}

/// A record: its kind, and which payload range it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// How to read this record's data.
    pub kind: RecordKind,
    /// Offset to this record's first byte in the payload.
    pub start: u32,
    /// Length in bytes.
    pub length: u32,
}

/// How a replay uses a record's data. Source: [command types](crate::reference::ge::frame_dumps#command-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// A saved context: all registers and matrices.
    Init,
    /// Command words.
    Registers,
    /// Vertices for the next draw.
    Vertices,
    /// Indices for the next draw.
    Indices,
    /// Data for the next palette load.
    Clut,
    /// Source data for the next block transfer.
    TransferSrc,
    /// CPU fill: target address, value, length.
    MemSet,
    /// The next copy's target address.
    MemCpyDest,
    /// Bytes for a CPU copy.
    MemCpyData,
    /// Displayed framebuffer: address, stride, format.
    Display,
    /// VRAM address for the next palette, and [`Flags`].
    ClutAddr,
    /// eDRAM address translation mode.
    EdramTrans,
    /// Texels in RAM for the next draw's texture, level 0 to 7.
    Texture(u8),
    /// Level 0 to 7 for this texture in VRAM: address, width, [`Flags`], padding word, texels.
    Framebuf(u8),
}

impl RecordKind {
    /// Looks up the kind for a type number in the file.
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

    /// Returns the type number in the file.
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

    /// Returns the minimum length for this kind, in bytes.
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

/// Size of the header before a FRAMEBUF record's texels, in bytes.
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
    /// Flags for data in VRAM. Source: [flags](crate::reference::ge::frame_dumps#flags).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        /// This address was a render target earlier in the recording, so a replay has drawn the data already.
        const RENDER_TARGET = 1;
        /// VRAM has not changed since this data was last recorded. Only version 6 and later can be trusted in this.
        const UNCHANGED = 2;
        /// The memory may contain drawn pixels.
        const MAYBE_DRAWN = 4;
        const _ = !0;
    }
}

impl Dump {
    /// Decodes the game id; `None` if it is empty.
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

    /// Returns the file offset to the compressed records.
    #[must_use]
    pub const fn records_offset(&self) -> u64 {
        if self.version >= GAME_ID_SINCE { 32 } else { 20 }
    }

    /// Returns a record's bytes, without any outside the payload.
    #[must_use]
    pub fn bytes(&self, record: &Record) -> &[u8] {
        let start = (record.start as usize).min(self.payload.len());
        let end = start.saturating_add(record.length as usize).min(self.payload.len());
        self.payload.get(start..end).unwrap_or_default()
    }

    /// Reads word `number` in a record, counted from 0. Returns 0 if the record is too short.
    #[must_use]
    pub fn word(&self, record: &Record, number: usize) -> u32 {
        let bytes = self.bytes(record).get(number.saturating_mul(4)..).unwrap_or_default();
        bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Iterates over the recorded command words in order, each after its offset in the payload.
    pub fn command_words(&self) -> impl Iterator<Item = (u32, u32)> {
        let batches = self.records.iter().filter(|record| record.kind == RecordKind::Registers);
        batches.flat_map(|record| self.words(record))
    }

    /// Counts CPU copies without a recorded target address, because these cannot be replayed.
    #[must_use]
    pub fn lost_copies(&self) -> usize {
        let before_first = self.records.iter().take_while(|record| record.kind != RecordKind::MemCpyDest);
        before_first.filter(|record| record.kind == RecordKind::MemCpyData).count()
    }

    /// Iterates over a record's words, each after its offset in the payload.
    pub fn words(&self, record: &Record) -> impl Iterator<Item = (u32, u32)> + use<'_> {
        let words = self.bytes(record).chunks_exact(4);
        let words = words.map(|word| word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)));
        // Existing words are inside the payload, so their offsets fit into 32 bits.
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
