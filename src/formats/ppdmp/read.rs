//! Parses dumps: header, decompression, records. Source:
//! [file layout](crate::reference::ge::frame_dumps#file-layout).

use structured_zstd::decoding::FrameDecoder;
use structured_zstd::decoding::errors::FrameDecoderError;

use super::dump::{
    Dump, GAME_ID_SINCE, MAGIC, OLDEST_VERSION, PAYLOAD_MAX, RECORD_BYTES, RECORDS_MAX, Record, RecordKind,
    VERSION,
};
use super::problem::{Block, PpdmpProblem, RecordProblem};
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::FormatError;
use crate::formats::core::problem::Problem;
use crate::ge::address::Address;
use crate::ge::capture::Display;
use crate::ge::edram::Translation;
use crate::ge::limits::{Limit, Limits};
use crate::ge::registers::texture::PixelFormat;

/// The first version with Zstandard compression; older versions use Snappy.
const ZSTANDARD_SINCE: u32 = 5;

/// Parses a dump, and checks it so that it can be replayed.
///
/// # Errors
/// Returns a located error if the file is truncated, if a block cannot be decompressed or exceeds the limits, or if
/// a record is invalid.
pub fn read(view: View<'_>, limits: &Limits) -> Result<Dump, FormatError> {
    view.slice(0, MAGIC.len() as u64)?;
    let mut cursor = Cursor::new(view, MAGIC.len() as u64);
    let at = cursor.at();
    let version = cursor.word()?;
    if !(OLDEST_VERSION..=VERSION).contains(&version) {
        return Err(view.error(at, PpdmpProblem::Version(version)));
    }
    let mut game_id = [0; 9];
    if version >= GAME_ID_SINCE {
        game_id = cursor.read()?;
        let _padding: [u8; 3] = cursor.read()?;
    }
    let count_at = cursor.at();
    let count = cursor.word()?;
    let payload_at = cursor.at();
    let payload_bytes = cursor.word()?;
    let limit = |at, block, size, limit| {
        if size > limit { Err(view.error(at, PpdmpProblem::TooLarge { block, size, limit })) } else { Ok(()) }
    };
    let record_bytes = u64::from(count).saturating_mul(RECORD_BYTES.into());
    limit(
        count_at,
        Block::Records,
        record_bytes,
        u64::from(RECORDS_MAX).saturating_mul(RECORD_BYTES.into()),
    )?;
    limit(payload_at, Block::Payload, payload_bytes.into(), PAYLOAD_MAX.into())?;
    // The caller's own limit is for both blocks together.
    if record_bytes.saturating_add(payload_bytes.into()) > limits.decoded_bytes {
        return Err(view.error(payload_at, Problem::Limit(limits.hit(Limit::DecodedBytes))));
    }
    let block_at = cursor.at();
    let records = block(view, &mut cursor, Block::Records, version, record_bytes)?;
    let payload = block(view, &mut cursor, Block::Payload, version, payload_bytes.into())?;
    let mut dump = Dump { version, game_id, records: Vec::new(), payload };
    for (number, bytes) in records.chunks_exact(RECORD_BYTES as usize).enumerate() {
        let record = parse(bytes).and_then(|record| dump.check(&record).map(|()| record));
        let located = |problem| view.error(block_at, PpdmpProblem::Record { record: number, problem });
        dump.records.push(record.map_err(located)?);
    }
    Ok(dump)
}

/// Decompresses a block, which starts with its compressed length.
fn block<'a>(
    view: View<'a>,
    cursor: &mut Cursor<'a>,
    block: Block,
    version: u32,
    size: u64,
) -> Result<Vec<u8>, FormatError> {
    let compressed = cursor.word()?;
    let at = cursor.at();
    let bytes = view.slice(at, compressed.into())?;
    *cursor = Cursor::new(view, at.saturating_add(compressed.into()));
    let unpacked = if version >= ZSTANDARD_SINCE { zstandard(bytes, size) } else { snappy(bytes, size) };
    let unpacked = unpacked.map_err(|reason| view.error(at, PpdmpProblem::Compression { block, reason }))?;
    let found = unpacked.len() as u64;
    if found != size {
        return Err(view.error(at, PpdmpProblem::Length { block, declared: size, found }));
    }
    Ok(unpacked)
}

/// Decompresses at most `size` bytes, and fails if the frame contains more.
fn zstandard(bytes: &[u8], size: u64) -> Result<Vec<u8>, String> {
    if size == 0 {
        // Compressors omit empty frames.
        return Ok(Vec::new());
    }
    let mut unpacked = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    let mut decoder = FrameDecoder::new();
    // Each block is a single frame, so no window is longer than the block, except for the minimum window.
    let window = size.saturating_mul(2).max(1 << 23);
    let length = decoder.set_max_window_size(window).and_then(|()| decoder.decode_all(bytes, &mut unpacked));
    let length = length.map_err(|error| zstandard_problem(&error, size))?;
    unpacked.truncate(length);
    Ok(unpacked)
}

/// Explains the fault in a Zstandard frame, because the decoder's own text shows its types and internal counters.
fn zstandard_problem(error: &FrameDecoderError, size: u64) -> String {
    match error {
        FrameDecoderError::ReadFrameHeaderError(_)
        | FrameDecoderError::FrameHeaderError(_)
        | FrameDecoderError::FailedToInitialize(_) => {
            "the header of the Zstandard frame is damaged".to_owned()
        }
        FrameDecoderError::FailedToReadBlockHeader(_) | FrameDecoderError::FailedToReadBlockBody(_) => {
            "a block of the Zstandard frame is damaged or missing".to_owned()
        }
        FrameDecoderError::FailedToReadChecksum(_) | FrameDecoderError::ChecksumMismatch { .. } => {
            "the checksum of the Zstandard frame is missing or wrong".to_owned()
        }
        FrameDecoderError::DictNotProvided { .. } => "the Zstandard frame needs a dictionary".to_owned(),
        FrameDecoderError::WindowSizeTooBig { requested, limit, .. } => {
            format!("the Zstandard frame needs a window of {requested} bytes, more than {limit}")
        }
        FrameDecoderError::TargetTooSmall => {
            format!("the Zstandard frame holds more than the {size} bytes that the header gives")
        }
        FrameDecoderError::FrameContentSizeMismatch { declared, produced } => {
            format!("the Zstandard frame says that it holds {declared} bytes, but has {produced}")
        }
        _ => "the Zstandard frame is damaged".to_owned(),
    }
}

fn snappy(bytes: &[u8], size: u64) -> Result<Vec<u8>, String> {
    let declared = snap::raw::decompress_len(bytes).map_err(|error| error.to_string())?;
    if declared as u64 != size {
        return Err(format!("it says that it holds {declared} bytes, not {size}"));
    }
    snap::raw::Decoder::new().decompress_vec(bytes).map_err(|error| error.to_string())
}

fn parse(bytes: &[u8]) -> Result<Record, RecordProblem> {
    let word = |at: usize| {
        let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |word| u32::from_le_bytes(*word))
    };
    let code = bytes.first().copied().unwrap_or(0);
    let kind = RecordKind::from_code(code).ok_or(RecordProblem::RecordKind(code))?;
    Ok(Record { kind, length: word(1), start: word(5) })
}

impl Dump {
    /// Checks that this record is inside the payload, long enough for its kind, and valid.
    pub(super) fn check(&self, record: &Record) -> Result<(), RecordProblem> {
        let Record { kind, start, length } = *record;
        if u64::from(start).saturating_add(length.into()) > self.payload.len() as u64 {
            let payload = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
            return Err(RecordProblem::Outside { start, length, payload });
        }
        let needed = kind.min_bytes();
        if length < needed {
            return Err(RecordProblem::Short { kind, length, needed });
        }
        match kind {
            RecordKind::Display => self.display(record).map(drop),
            RecordKind::EdramTrans => self.translation(record).map(drop),
            _ => Ok(()),
        }
    }

    /// Decodes the framebuffer shown by a DISPLAY record. Source:
    /// [final image](crate::reference::ge::frame_dumps#final-image).
    pub(super) fn display(&self, record: &Record) -> Result<Display, RecordProblem> {
        let [address, stride, format] = [0, 1, 2].map(|number| self.word(record, number));
        // If the top byte is 0, this is an offset in VRAM.
        let address = if address >> 24 == 0 { Address::vram(address) } else { Address::new(address) };
        let format = match format {
            0 => PixelFormat::BGR5650,
            1 => PixelFormat::ABGR5551,
            2 => PixelFormat::ABGR4444,
            3 => PixelFormat::ABGR8888,
            _ => return Err(RecordProblem::DisplayFormat(format)),
        };
        Ok(Display { address, stride, format })
    }

    /// Decodes an EDRAMTRANS record's translation.
    pub(super) fn translation(&self, record: &Record) -> Result<Translation, RecordProblem> {
        let mode = self.word(record, 0);
        Translation::from_mode(mode).ok_or(RecordProblem::Translation(mode))
    }
}
