//! Unpacks members, to recognise or open them.
//!
//! # Invariants
//! All members together unpack to no more bytes than [`Limits::decoded_bytes`].

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::problem::ResourceProblem;
use super::rlz;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::Problem;
use crate::ge::limits::{Limit, Limits};

/// How many bytes to unpack for recognising a format.
const START: usize = 16;

/// How a member is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::psp_sdk) enum Compression {
    None,
    Zlib,
    /// The PSP firmware's own compression.
    Rlz,
    Unknown(u16),
}

/// How many more bytes may be unpacked, to bound the memory that a small file can ask for.
#[derive(Debug)]
pub(in crate::formats::psp_sdk) struct Budget<'l> {
    limits: &'l Limits,
    left: u64,
}

impl<'l> Budget<'l> {
    /// Creates the budget for a whole file.
    pub(in crate::formats::psp_sdk) const fn new(limits: &'l Limits) -> Self {
        Self { limits, left: limits.decoded_bytes }
    }
}

/// Unpacks the first bytes to recognise a member's format. A short member gives all its bytes.
pub(super) fn start(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut start = Vec::new();
    match compression {
        Compression::None => start.extend(bytes.iter().take(START)),
        Compression::Zlib => {
            // Ignore the error, because the bytes before the damage are enough to recognise the format.
            let _ = ZlibDecoder::new(bytes).take(START as u64).read_to_end(&mut start);
        }
        Compression::Rlz => start = rlz::unpack(bytes, START as u64).0,
        Compression::Unknown(_) => {}
    }
    start
}

/// Unpacks a stream. If it is damaged, this returns the bytes before the damage and adds a warning, so that users
/// see the rest of the file.
pub(in crate::formats::psp_sdk) fn unpack(
    stream: View<'_>,
    compression: Compression,
    stated: Option<u64>,
    budget: &mut Budget<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, FormatError> {
    let most = budget.left.saturating_add(1);
    let (bytes, damage) = match compression {
        Compression::None => (stream.bytes().to_vec(), None),
        Compression::Zlib => {
            let mut bytes = Vec::new();
            let result = ZlibDecoder::new(stream.bytes()).take(most).read_to_end(&mut bytes);
            (bytes, result.err().map(|error| error.to_string()))
        }
        Compression::Rlz => {
            let (bytes, damage) = rlz::unpack(stream.bytes(), most);
            (bytes, damage.map(str::to_owned))
        }
        Compression::Unknown(number) => {
            return Err(stream.error(0, ResourceProblem::Compression(number)));
        }
    };
    let actual = bytes.len() as u64;
    if actual > budget.left {
        return Err(stream.error(0, Problem::Limit(budget.limits.hit(Limit::DecodedBytes))));
    }
    budget.left = budget.left.saturating_sub(actual);
    match damage {
        Some(reason) if bytes.is_empty() => return Err(stream.error(0, ResourceProblem::Stream(reason))),
        Some(reason) => {
            warnings.push(stream.error(0, ResourceProblem::StreamCut { kept: actual, reason }));
        }
        None => {
            if let Some(stated) = stated.filter(|stated| *stated != actual) {
                warnings.push(stream.error(0, ResourceProblem::Size { stated, actual }));
            }
        }
    }
    Ok(bytes)
}
