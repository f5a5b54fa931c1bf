//! Unpacks compressed sections.
//! Source: [LZ compression](crate::reference::formats::mml2#lz-compression).

use super::problem::Mml2Problem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, Warnings};

/// The token 0xFFFF advances the window by this many bytes.
const WINDOW_STEP: u64 = 0x2000;

/// A packed byte unpacks to at most this many: a token with 2 bytes gives at most 18.
pub(super) const LARGEST_RATIO: u64 = 9;

/// Unpacked bytes, and how much packed data they used.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// Number of packed bytes read.
    pub(super) consumed: u64,
}

/// Unpacks `size` bytes from `flags` bytes of flag words and the tokens after them.
///
/// The packed size limits the work: a flag and a token yield at most 18 bytes. Warns if the flags are not whole
/// words, the packed data end early, a copy reads bytes that do not exist yet, or the output does not end at `size`.
/// The result then has all bytes up to there.
pub(super) fn unpack(
    packed: View<'_>,
    flags: u64,
    size: u64,
    warnings: &mut Warnings,
) -> Result<Unpacked, FormatError> {
    if !flags.is_multiple_of(4) || flags > packed.len() {
        warnings.push(packed.error(0, Mml2Problem::LzFlags(flags)));
    }
    let flags = flags.min(packed.len());
    let mut words = Cursor::new(packed, 0);
    let mut tokens = Cursor::new(packed, flags);
    let mut out: Vec<u8> = Vec::new();
    let mut window = 0u64;
    let mut bits = 0u32;
    let mut bits_left = 0u32;
    while (out.len() as u64) < size {
        if bits_left == 0 {
            if words.at().saturating_add(4) > flags {
                break;
            }
            bits = words.word()?;
            bits_left = 32;
        }
        // Flags go from the highest bit to the lowest.
        let is_copy = bits & 0x8000_0000 != 0;
        bits = bits.wrapping_shl(1);
        bits_left = bits_left.saturating_sub(1);
        let at = tokens.at();
        let Ok(token) = tokens.read().map(u16::from_le_bytes) else { break };
        match (is_copy, token) {
            (false, _) => out.extend(token.to_le_bytes()),
            (true, 0xFFFF) => window = window.saturating_add(WINDOW_STEP),
            (true, _) => {
                let from = window.saturating_add(u64::from(token >> 3));
                let length = (u64::from(token & 7).saturating_add(2)).saturating_mul(2);
                let produced = out.len() as u64;
                if from >= produced {
                    warnings.push(packed.error(at, Mml2Problem::LzAhead { from, produced }));
                }
                // Copy byte by byte, because source and destination may overlap.
                for position in (from..).take(usize::try_from(length).unwrap_or(0)) {
                    let byte = usize::try_from(position).ok().and_then(|position| out.get(position)).copied();
                    // Missing bytes become zero, so that later bytes keep their places.
                    out.push(byte.unwrap_or(0));
                }
            }
        }
    }
    if out.len() as u64 != size {
        warnings.push(packed.error(0, Mml2Problem::LzEnds { size, produced: out.len() as u64 }));
    }
    Ok(Unpacked { bytes: out, consumed: tokens.at() })
}
