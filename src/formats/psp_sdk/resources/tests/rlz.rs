//! Packs RLZ streams, to unpack them again. This packer looks for matches at a few distances only.

use super::super::rlz::unpack;

struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, held back because a carry may be added to it, and how many 0xFF bytes follow it.
    last: u8,
    full: usize,
    out: Vec<u8>,
    /// Probabilities, by the context's key.
    contexts: std::collections::HashMap<[usize; 4], u8>,
}

impl Encoder {
    fn bit(&mut self, key: [usize; 4], bit: bool) {
        let context = self.contexts.entry(key).or_insert(0x80);
        let middle = (self.range >> 8) * u32::from(*context);
        *context -= *context >> 3;
        if bit {
            self.range = middle;
            *context += 31;
        } else {
            self.low += u64::from(middle);
            self.range -= middle;
        }
        self.extend();
    }

    fn extend(&mut self) {
        if self.range < 1 << 24 {
            self.shift();
            self.range <<= 8;
        }
    }

    fn shift(&mut self) {
        // A carry may still change a byte 0xFF, so this only counts such bytes.
        if self.low >> 24 == 0xFF {
            self.full += 1;
        } else {
            let carry = u8::try_from(self.low >> 32).expect("one bit");
            self.out.push(self.last.wrapping_add(carry));
            self.out.extend(vec![0xFF_u8.wrapping_add(carry); self.full]);
            self.full = 0;
            self.last = u8::try_from(self.low >> 24 & 0xFF).expect("a byte");
        }
        self.low = self.low << 8 & 0xFFFF_FFFF;
    }

    /// Encodes a number's bits below the first.
    fn number(&mut self, [kind, first, second]: [usize; 3], number: usize, bits: usize) {
        let mut left = bits;
        for _ in 0..bits.saturating_sub(3).min(2) {
            left -= 1;
            self.bit([kind, first, second, 0], number >> left & 1 == 1);
        }
        if left > 3 {
            while left > 3 {
                left -= 1;
                self.range >>= 1;
                if number >> left & 1 == 0 {
                    self.low += u64::from(self.range);
                }
            }
            self.extend();
        }
        let last = left;
        while left > 0 {
            left -= 1;
            self.bit([kind, first, second, last - left], number >> left & 1 == 1);
        }
    }

    fn length(&mut self, length: usize, state: usize, at: usize) -> usize {
        let bits = (usize::BITS - length.leading_zeros()) as usize;
        for bit in 0..bits.min(8) {
            self.bit([0, bit, state, 0], true);
        }
        if bits < 8 {
            self.bit([0, bits, state, 0], false);
        }
        if bits > 1 {
            self.number([1, state * 8 + bits, at << (bits - 2) & 3], length, bits - 1);
        }
        bits
    }

    fn tree(&mut self, [kind, group]: [usize; 2], value: usize, bits: usize) {
        let mut node = 1;
        for bit in (0..bits).rev() {
            let is_one = value >> bit & 1 == 1;
            self.bit([kind, group, node, 0], is_one);
            node = node << 1 | usize::from(is_one);
        }
    }
}

pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    const MODE: u8 = 5;
    let mut encoder = Encoder {
        low: 0,
        range: u32::MAX,
        last: 0,
        full: 0,
        out: Vec::new(),
        contexts: std::collections::HashMap::new(),
    };
    let (mut at, mut state) = (0, 0);
    while at < bytes.len() {
        let same = |distance: usize| {
            let pairs = bytes[at..].iter().zip(&bytes[at - distance..]);
            pairs.take(255).take_while(|(one, other)| one == other).count()
        };
        let distances = [1, 2, 3, 4, 16, 77, 300, 5000].into_iter().filter(|distance| *distance <= at);
        let best = distances.map(|distance| (same(distance), distance)).max_by_key(|(length, _)| *length);
        // Short matches reach only 255 bytes back.
        let is_match = |(length, distance): &(usize, usize)| *length > 3 || *length > 1 && *distance < 256;
        if let Some((length, distance)) = best.filter(is_match) {
            let bits = encoder.length(length - 1, state, at);
            let wanted = (usize::BITS - 1 - distance.leading_zeros()) as usize;
            if length < 4 {
                encoder.tree([2, bits], wanted, 3);
            } else {
                encoder.tree([3, bits], wanted + 12, 5);
            }
            encoder.number([4, wanted, 0], distance, wanted);
            at += length;
            state = 7 - (at & 1);
        } else {
            encoder.length(0, state, at);
            let last = if at == 0 { 0 } else { bytes[at - 1] };
            let group = ((at & 7) << 8 | usize::from(last)) >> MODE & 7;
            encoder.tree([5, group], bytes[at].into(), 8);
            at += 1;
            state = state.saturating_sub(1);
        }
    }
    encoder.length(0xFF, state, at);
    (0..5).for_each(|_| encoder.shift());
    encoder.out[0] = MODE;
    encoder.out
}

#[test]
fn unpacks_literals_and_matches_of_every_length() {
    let mut bytes: Vec<u8> = (0..12_000_u32).map(|at| (at.wrapping_mul(at) >> 7).to_le_bytes()[0]).collect();
    for (length, distance) in [(2, 1), (3, 77), (5, 300), (254, 5000), (255, 2), (600, 1), (90, 5000)] {
        for _ in 0..length {
            bytes.push(bytes[bytes.len() - distance]);
        }
        bytes.extend(b"between");
    }
    for length in [0, 1, 2, 3, 100, bytes.len()] {
        let packed = pack(&bytes[..length]);
        assert_eq!(unpack(&packed, u64::MAX), (bytes[..length].to_vec(), None), "{length} bytes");
        let half = length / 2;
        assert_eq!(unpack(&packed, half as u64), (bytes[..half].to_vec(), None), "only {half} bytes");
    }
    let packed = pack(&bytes);
    assert!(packed.len() < bytes.len(), "packed to {}", packed.len());
    for length in (0..packed.len() - 8).step_by(97) {
        let (found, damage) = unpack(&packed[..length], 1 << 20);
        assert!(damage.is_some(), "{length} bytes: cut");
        let whole = found.iter().zip(&bytes).take_while(|(one, other)| one == other).count();
        assert!(whole + 300 > found.len(), "{length} bytes: {whole} of {} are right", found.len());
    }
    assert_eq!(unpack(b"\x80\0\0\0\x03abcd", 100), (b"abc".to_vec(), None), "stored");
    assert_eq!(unpack(b"\x80\0\0\0\x09abcd", 100), (b"abcd".to_vec(), Some("it ends early")), "cut");
    assert_eq!(unpack(b"\x40\0\0\0\x09abcd", 100).1, Some("its mode is not known"), "no mode");
}
