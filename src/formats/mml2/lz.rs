//! Unpacks and packs compressed sections. Source: [LZ compression](crate::reference::formats::mml2#lz-compression).

use std::collections::HashMap;

use super::problem::Mml2Problem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, Warnings};

/// The token 0xFFFF advances the window by this many bytes.
const WINDOW_STEP: u64 = 0x2000;

/// A packed byte unpacks to no more bytes than this, because a token with 2 bytes gives at most 18.
pub(super) const LARGEST_RATIO: u64 = 9;

/// Unpacked bytes, and how much packed data they used.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// How many packed bytes this read.
    pub(super) consumed: u64,
}

/// Unpacks `size` bytes from `flags` bytes of flag words and the tokens after them.
///
/// The packed size limits the work, because a flag and a token yield at most 18 bytes. This warns if the flags are
/// not whole words, the packed data end early, a copy reads bytes that do not exist yet, or the output does not end
/// at `size`. The result then has all bytes up to there.
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
                // This copies byte by byte, because source and destination may overlap.
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

/// How many words a token copies: from 2 to 9.
const COPIED_WORDS: std::ops::RangeInclusive<usize> = 2..=9;

/// Packed data: flag words, and the tokens after them.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) flags: Vec<u8>,
    pub(super) tokens: Vec<u8>,
    /// The flags that do not fill a word yet, and how many.
    word: (u32, u32),
}

impl Packed {
    fn token(&mut self, is_copy: bool, token: u16) {
        let (word, count) = &mut self.word;
        *word = word.wrapping_shl(1) | u32::from(is_copy);
        *count = count.saturating_add(1);
        if *count == u32::BITS {
            self.flags.extend(word.to_le_bytes());
            self.word = (0, 0);
        }
        self.tokens.extend(token.to_le_bytes());
    }

    /// Fills up the last word of flags.
    fn finish(mut self) -> Self {
        let (word, count) = self.word;
        if count > 0 {
            self.flags.extend(word.wrapping_shl(u32::BITS.saturating_sub(count)).to_le_bytes());
        }
        self
    }
}

/// Packs bytes for [`unpack`]. The window moves on whenever it is full, as in the game's files, because both known
/// readings of the token that moves it agree then. All tokens cost the same, so the longest copy is the best.
pub(super) fn pack(bytes: &[u8]) -> Packed {
    let mut packed = Packed::default();
    let step = usize::try_from(WINDOW_STEP).unwrap_or(usize::MAX);
    for (number, window) in bytes.chunks(step).enumerate() {
        if number > 0 {
            packed.token(true, 0xFFFF);
        }
        // Where each 4 bytes occur, which are the shortest copy.
        let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
        let mut at = 0;
        while at < window.len() {
            let rest = window.get(at..).unwrap_or_default();
            let words = |from: usize| {
                let earlier = window.get(from..).unwrap_or_default();
                let equal = earlier.iter().zip(rest).take_while(|(one, other)| one == other).count();
                (equal / 2).min(*COPIED_WORDS.end())
            };
            let known =
                rest.get(..4).and_then(|start| places.get(start)).map(Vec::as_slice).unwrap_or_default();
            let mut best = (0, 0);
            for from in known {
                let found = words(*from);
                if found > best.0 {
                    best = (found, *from);
                }
                if found == *COPIED_WORDS.end() {
                    break;
                }
            }
            let (words, from) = best;
            let length = if let Some(more) = words.checked_sub(*COPIED_WORDS.start()) {
                let token = from.saturating_mul(8).saturating_add(more);
                packed.token(true, u16::try_from(token).unwrap_or(u16::MAX));
                words.saturating_mul(2)
            } else {
                let byte = |at: usize| rest.get(at).copied().unwrap_or(0);
                packed.token(false, u16::from_le_bytes([byte(0), byte(1)]));
                2
            };
            for place in at..at.saturating_add(length) {
                if let Some(start) = window.get(place..place.saturating_add(4)) {
                    places.entry(start).or_default().push(place);
                }
            }
            at = at.saturating_add(length);
        }
    }
    packed.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::core::error::FileRole;

    fn unpacked(packed: &Packed, size: usize) -> Vec<u8> {
        let bytes = [packed.flags.as_slice(), &packed.tokens].concat();
        let view = View::new(&bytes, 0, "mml2", FileRole::Input);
        let mut warnings = Warnings::default();
        let found = unpack(view, packed.flags.len() as u64, size as u64, &mut warnings).expect("whole");
        assert!(warnings.as_slice().is_empty(), "{:?}", warnings.as_slice());
        assert_eq!(found.consumed, bytes.len() as u64, "all packed data");
        found.bytes
    }

    #[test]
    fn packed_bytes_unpack_to_the_same() {
        let noise = |number: u32| number.wrapping_mul(2_654_435_761).to_le_bytes()[3];
        let cases: [Vec<u8>; 6] = [
            vec![],
            vec![1, 2],
            vec![7; 0x2000],
            vec![7; 0x4002],
            (0..0x9000).map(noise).collect(),
            (0..0x9000).map(|number| noise(number % 97) & 3).collect(),
        ];
        for bytes in cases {
            assert!(unpacked(&pack(&bytes), bytes.len()) == bytes, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn repeats_become_short() {
        let packed = pack(&[7; 0x2000]);
        // A literal word, then nine words at a time.
        assert_eq!(packed.tokens.len() / 2, 1 + (0x1000 - 1_usize).div_ceil(9), "tokens");
    }
}
