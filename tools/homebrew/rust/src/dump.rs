//! The file: records, and the payload they point into. Both are Zstandard frames of stored blocks, which need no
//! compressor. The payload is written while lists are walked. The records come before it, so their room is kept free
//! until the end.

use alloc::vec;
use alloc::vec::Vec;

use crate::console::Console;
use crate::left_out::LeftOut;

/// Record kinds.
pub(crate) const INIT: u8 = 0;
pub(crate) const REGISTERS: u8 = 1;
pub(crate) const VERTICES: u8 = 2;
pub(crate) const INDICES: u8 = 3;
pub(crate) const CLUT: u8 = 4;
pub(crate) const TRANSFERSRC: u8 = 5;
pub(crate) const MEMCPYDEST: u8 = 7;
pub(crate) const MEMCPYDATA: u8 = 8;
pub(crate) const DISPLAY: u8 = 9;
pub(crate) const CLUTADDR: u8 = 10;
pub(crate) const TEXTURE0: u8 = 0x10;
pub(crate) const FRAMEBUF0: u8 = 0x18;
/// Flags for data in VRAM: a player has them already, because it has all of VRAM and draws everything drawn here.
pub(crate) const HAS_DATA: u32 = 1 | 2;

/// A frame has at most this many records: about four for each draw.
const RECORDS_MAX: u32 = 32768;
/// Players refuse larger payloads.
const PAYLOAD_MAX: u32 = 64 << 20;
/// How many bytes a stored block holds.
const BLOCK: usize = 0x1_0000;
/// How many bytes a record takes.
const RECORD: u32 = 9;
/// A Zstandard frame's header: magic, no size, a window of 128 KiB.
const FRAME_HEADER: [u8; 6] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38];
/// Starts a frame that readers skip.
const SKIPPED_FRAME: u32 = 0x184D_2A50;
/// How long the file's header is, up to the first block's size.
const FILE_HEADER: u32 = 32;
/// Room for all records: stored blocks in a frame, and at least the header of a skipped frame.
const TABLE: u32 = 6 + RECORD * RECORDS_MAX + 3 * (RECORD * RECORDS_MAX / 0x1_0000 + 1) + 8;
/// How many pieces of memory in the file are remembered.
const PIECES: usize = 4096;
/// How many commands wait for the next data at most.
const PENDING: usize = 1024;

/// A piece of memory already in the file, to store it only once when several draws read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Piece {
    hash: u64,
    address: u32,
    length: u32,
    start: u32,
}

/// A dump being written.
#[derive(Debug)]
pub(crate) struct DumpWriter<C> {
    pub(crate) console: C,
    /// The first thing found missing from the dump.
    pub(crate) left_out: Option<LeftOut>,
    /// Whether the dump has no more room.
    pub(crate) is_full: bool,
    records: Vec<u8>,
    record_count: u32,
    payload: u32,
    packed: u32,
    block: Vec<u8>,
    pending: Vec<u8>,
    pieces: Vec<Piece>,
}

impl<C: Console> DumpWriter<C> {
    /// Starts the file, with room kept free for the records.
    pub(crate) fn new(mut console: C) -> Result<Self, C::Error> {
        let zeros = [0; 1024];
        let mut room = (FILE_HEADER + 4 + TABLE + 4) as usize;
        while room > 0 {
            let part = room.min(zeros.len());
            console.write(&zeros[..part])?;
            room -= part;
        }
        console.write(&FRAME_HEADER)?;
        Ok(Self {
            console,
            left_out: None,
            is_full: false,
            records: Vec::new(),
            record_count: 0,
            payload: 0,
            packed: 6,
            block: Vec::with_capacity(BLOCK),
            pending: Vec::with_capacity(4 * PENDING),
            pieces: vec![Piece::default(); PIECES],
        })
    }

    /// Notes something missing from the dump.
    pub(crate) fn leave_out(&mut self, what: LeftOut) {
        self.left_out.get_or_insert(what);
    }

    /// Returns how many bytes of memory there are from an address on.
    pub(crate) fn bytes_at(&self, address: u32) -> u32 {
        const VRAM: u32 = 0x20_0000;
        let memory = self.console.memory();
        match address {
            0x0400_0000..0x0480_0000 => VRAM - address % VRAM,
            _ if memory.contains(&address) => memory.end - address,
            _ => 0,
        }
    }

    pub(crate) fn read32(&self, address: u32) -> u32 {
        let mut bytes = [0; 4];
        self.console.read(address, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Adds a command to those waiting for the next data.
    pub(crate) fn push_command(&mut self, word: u32) -> Result<(), C::Error> {
        if self.pending.len() == 4 * PENDING {
            self.flush()?;
        }
        self.pending.extend(word.to_le_bytes());
        Ok(())
    }

    /// Writes the commands since the last data.
    pub(crate) fn flush(&mut self) -> Result<(), C::Error> {
        let mut pending = core::mem::take(&mut self.pending);
        if !pending.is_empty() {
            self.push(REGISTERS, &pending)?;
            pending.clear();
        }
        self.pending = pending;
        Ok(())
    }

    /// Adds a record of these bytes.
    pub(crate) fn push(&mut self, kind: u8, bytes: &[u8]) -> Result<(), C::Error> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if !self.has_room(length) {
            return Ok(());
        }
        self.start_record(kind, length)?;
        self.append(bytes)
    }

    /// Adds a record of these words.
    pub(crate) fn push_words(&mut self, kind: u8, words: &[u32]) -> Result<(), C::Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.push(kind, &bytes)
    }

    /// Adds a record of memory, or refers to equal bytes from the same place if they are stored already. This stops
    /// where memory ends.
    pub(crate) fn push_memory(&mut self, kind: u8, address: u32, bytes: u64) -> Result<(), C::Error> {
        let length = u32::try_from(bytes).unwrap_or(u32::MAX).min(self.bytes_at(address));
        let hash = self.hash(address, length);
        let slot = usize::try_from((hash ^ hash >> 32) % PIECES as u64).unwrap_or(0);
        let piece = self.pieces[slot];
        if piece == (Piece { hash, address, length, start: piece.start }) {
            if self.has_room(0) {
                self.add_record(kind, piece.start, length);
            }
        } else if self.has_room(length) {
            self.start_record(kind, length)?;
            self.pieces[slot] = Piece { hash, address, length, start: self.payload };
            let mut buffer = [0; 1024];
            for (at, part) in parts(length, buffer.len()) {
                let bytes = &mut buffer[..part];
                self.console.read(address + at, bytes);
                self.append(bytes)?;
            }
        }
        Ok(())
    }

    /// Adds the record that shows the picture, which always has room, and fills the table into its place.
    pub(crate) fn finish(mut self, display: [u32; 3]) -> Result<(C, Option<LeftOut>), C::Error> {
        self.flush()?;
        self.start_record(DISPLAY, 12)?;
        self.append(&display.map(u32::to_le_bytes).concat())?;
        self.write_block(true)?;
        let Self { mut console, records, record_count, payload, packed, left_out, .. } = self;
        console.seek(0)?;
        let mut table = b"PPSSPPGE\x06\0\0\0HOMEBREW\0\0\0\0".to_vec();
        table.extend([record_count, payload, TABLE].map(u32::to_le_bytes).concat());
        table.extend(FRAME_HEADER);
        let mut used = 6;
        let count = records.len().div_ceil(BLOCK);
        for (number, block) in records.chunks(BLOCK).enumerate() {
            table.extend(block_header(block.len(), number + 1 == count));
            table.extend(block);
            used += 3 + u32::try_from(block.len()).unwrap_or(0);
        }
        // The table seldom needs all its room, so the rest becomes a frame that readers skip.
        table.extend([SKIPPED_FRAME, TABLE - used - 8].map(u32::to_le_bytes).concat());
        console.write(&table)?;
        console.seek(FILE_HEADER + 4 + TABLE)?;
        console.write(&packed.to_le_bytes())?;
        Ok((console, left_out))
    }

    /// Hashes memory, a word at a time.
    fn hash(&self, address: u32, length: u32) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325 ^ u64::from(address);
        let mut add = |value: u32| hash = (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01B3);
        let mut buffer = [0; 1024];
        for (at, part) in parts(length, buffer.len()) {
            let bytes = &mut buffer[..part];
            self.console.read(address + at, bytes);
            let (words, rest) = bytes.as_chunks();
            words.iter().for_each(|word| add(u32::from_le_bytes(*word)));
            rest.iter().for_each(|byte| add((*byte).into()));
        }
        hash
    }

    /// Whether a record fits, with its data and with the last record, which shows the picture.
    fn has_room(&mut self, length: u32) -> bool {
        let room = (PAYLOAD_MAX - 64).checked_sub(length).is_some_and(|room| self.payload <= room);
        if self.record_count + 2 > RECORDS_MAX || !room {
            self.is_full = true;
            self.leave_out(LeftOut::TooLarge);
        }
        !self.is_full
    }

    fn add_record(&mut self, kind: u8, start: u32, length: u32) {
        self.records.push(kind);
        self.records.extend([length, start].map(u32::to_le_bytes).concat());
        self.record_count += 1;
    }

    /// Adds a record for the next bytes. It is padded, because textures have to start at a multiple of 16.
    fn start_record(&mut self, kind: u8, length: u32) -> Result<(), C::Error> {
        let padding = self.payload.next_multiple_of(16) - self.payload;
        self.append(&[0; 16][..padding as usize])?;
        self.add_record(kind, self.payload, length);
        Ok(())
    }

    fn append(&mut self, mut bytes: &[u8]) -> Result<(), C::Error> {
        self.payload += u32::try_from(bytes.len()).unwrap_or(0);
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend(part);
            bytes = rest;
            if self.block.len() == BLOCK {
                self.write_block(false)?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self, is_last: bool) -> Result<(), C::Error> {
        self.console.write(&block_header(self.block.len(), is_last))?;
        self.console.write(&self.block)?;
        self.packed += 3 + u32::try_from(self.block.len()).unwrap_or(0);
        self.block.clear();
        Ok(())
    }
}

/// Returns a stored block's header.
fn block_header(length: usize, is_last: bool) -> [u8; 3] {
    let [low, middle, high, _] = (u32::try_from(length).unwrap_or(0) << 3 | u32::from(is_last)).to_le_bytes();
    [low, middle, high]
}

/// Divides a length into parts, and gives each with its offset.
fn parts(length: u32, part: usize) -> impl Iterator<Item = (u32, usize)> {
    (0..length).step_by(part).map(move |at| (at, part.min((length - at) as usize)))
}
