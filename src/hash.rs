//! A fast hash of many bytes, to find equal ones.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The hash of bytes: four words at a time.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut lanes = [FACTOR, 1, 2, 3];
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            let mixed = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
            *lane = (mixed ^ mixed >> 32).wrapping_mul(FACTOR);
        }
    }
    let mut hasher = DefaultHasher::new();
    (lanes, rest, bytes.len()).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::of_bytes;

    #[test]
    fn every_byte_counts() {
        let bytes = [7; 100];
        let mut hashes = HashSet::from([of_bytes(&bytes), of_bytes(&bytes[..99]), of_bytes(&bytes[..96])]);
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes;
                changed[place] ^= 1 << bit;
                assert!(hashes.insert(of_bytes(&changed)), "bit {bit} of byte {place}");
            }
        }
    }
}
