//! Writes dumps in the newest version, and builds their payload.

use std::collections::HashMap;

use structured_zstd::decoding::FrameDecoder;
use structured_zstd::encoding::{CompressionLevel, compress_to_vec};
use twox_hash::XxHash3_64;

use super::dump::{
    Dump, Flags, MAGIC, PAYLOAD_MAX, RECORDS_MAX, Record, RecordKind, UNCHANGED_SINCE, VERSION,
};

impl Dump {
    /// Converts the dump to version [`VERSION`]: clears flags that cannot be trusted in older versions. The payload
    /// keeps its layout, because draws may read textures beyond their recorded bytes.
    #[must_use]
    pub fn upgraded(&self) -> Self {
        let mut newest = Self { version: VERSION, ..self.clone() };
        if self.version >= UNCHANGED_SINCE {
            return newest;
        }
        for record in self.records.iter().filter(|record| matches!(record.kind, RecordKind::Framebuf(_))) {
            let start = (record.start as usize).saturating_add(8);
            let flags = newest.payload.get_mut(start..).and_then(<[u8]>::first_chunk_mut);
            if let Some(flags) = flags.filter(|_| record.length >= 12) {
                let old = Flags::from_bits_retain(u32::from_le_bytes(*flags));
                *flags = old.difference(Flags::UNCHANGED).bits().to_le_bytes();
            }
        }
        newest
    }

    /// Encodes the dump as a file in version [`VERSION`], whatever [`Dump::version`] says.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut records = Vec::new();
        for record in &self.records {
            records.push(record.kind.code());
            records.extend(record.length.to_le_bytes());
            records.extend(record.start.to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.game_id);
        bytes.extend([0; 3]);
        bytes.extend(length(&self.records).to_le_bytes());
        bytes.extend(length(&self.payload).to_le_bytes());
        for block in [&records, &self.payload] {
            let compressed = compress(block);
            bytes.extend(length(&compressed).to_le_bytes());
            bytes.extend(compressed);
        }
        bytes
    }
}

/// Compresses bytes to a Zstandard frame.
fn compress(bytes: &[u8]) -> Vec<u8> {
    let compressed = compress_to_vec(bytes, CompressionLevel::Fastest);
    // The encoder is young, so this verifies the result, and stores the bytes uncompressed if it is wrong.
    let mut decompressed = vec![0; bytes.len()];
    let length = FrameDecoder::new().decode_all(&compressed, &mut decompressed);
    if length.is_ok_and(|length| length == bytes.len()) && decompressed == bytes {
        return compressed;
    }
    compress_to_vec(bytes, CompressionLevel::Uncompressed)
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// Builds a dump. This stores equal data only once, to keep files small.
#[derive(Clone, Debug)]
pub struct DumpWriter {
    dump: Dump,
    /// Finds stored data by its hash.
    known: HashMap<u64, Vec<u32>>,
}

impl DumpWriter {
    /// Starts a dump without records.
    #[must_use]
    pub fn new(game_id: [u8; 9]) -> Self {
        let dump = Dump { version: VERSION, game_id, records: Vec::new(), payload: Vec::new() };
        Self { dump, known: HashMap::new() }
    }

    /// Appends a record.
    pub fn push(&mut self, kind: RecordKind, bytes: &[u8]) {
        let alignment = kind.alignment();
        let payload = &mut self.dump.payload;
        let known = self.known.entry(XxHash3_64::oneshot(bytes)).or_default();
        // Hashes may collide, so this compares the bytes. It reuses them only if they are aligned for this kind.
        let is_equal = |start: &u32| {
            let stored = payload.get(*start as usize..).and_then(|rest| rest.get(..bytes.len()));
            start.is_multiple_of(alignment) && stored == Some(bytes)
        };
        let start = known.iter().copied().find(is_equal).unwrap_or_else(|| {
            payload.resize(payload.len().next_multiple_of(alignment as usize), 0);
            let start = length(payload);
            payload.extend_from_slice(bytes);
            known.push(start);
            start
        });
        self.dump.records.push(Record { kind, start, length: length(bytes) });
    }

    /// Appends a record made from words.
    pub fn push_words(&mut self, kind: RecordKind, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.push(kind, &bytes);
    }

    /// Returns how many bytes the payload has so far.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.dump.payload.len()
    }

    /// Returns the records so far.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.dump.records
    }

    /// Returns the records so far, to change their order.
    pub fn records_mut(&mut self) -> &mut [Record] {
        &mut self.dump.records
    }

    /// Returns whether the reader would accept a dump this large. Call this before writing a file.
    #[must_use]
    pub const fn is_readable(&self) -> bool {
        self.dump.payload.len() <= PAYLOAD_MAX as usize && self.dump.records.len() < RECORDS_MAX as usize
    }

    /// Finishes the dump.
    #[must_use]
    pub fn finish(self) -> Dump {
        self.dump
    }
}

impl RecordKind {
    /// Returns how to align this kind's data in the payload. Source:
    /// [command records](crate::reference::ge::frame_dumps#command-records).
    const fn alignment(self) -> u32 {
        match self {
            Self::Texture(_) | Self::Clut | Self::TransferSrc | Self::Framebuf(_) => 16,
            Self::Vertices | Self::Indices | Self::Registers => 4,
            _ => 1,
        }
    }
}
