//! Unpacks RLZ, the PSP firmware's compression: a range coder for literals and matches.
//! Source: [RLZ](crate::reference::formats::psp_sdk#rlz).
//!
//! # Invariants
//! Every step gives at least 1 byte, so the wanted length bounds the work.

/// A match with this length less 1 ends the stream.
const END: u32 = 0xFF;
/// Below this, the range is extended by a byte.
const RANGE_MIN: u32 = 1 << 24;
/// How many states there are. A state tells how recently there was a match.
const STATES: usize = 8;
/// Contexts for a number: the first for its highest bits, then another for each of the lowest three.
const NUMBER: usize = 4;
/// The most bits in a distance, after the first.
const DISTANCE_BITS: usize = 20;

/// Unpacks at most `most` bytes. If the stream is damaged, this also tells why.
pub(super) fn unpack(stream: &[u8], most: u64) -> (Vec<u8>, Option<&'static str>) {
    let Some(([mode, start @ ..], rest)) = stream.split_first_chunk::<5>() else {
        return (Vec::new(), Some("it has no header"));
    };
    let code = u32::from_be_bytes(*start);
    match mode {
        0..0x20 => {}
        // The bytes follow uncompressed.
        0x80.. => {
            let length = u64::from(code).min(most);
            let bytes: Vec<u8> =
                rest.iter().copied().take(usize::try_from(length).unwrap_or(usize::MAX)).collect();
            let is_cut = (bytes.len() as u64) < length;
            return (bytes, is_cut.then_some("it ends early"));
        }
        _ => return (Vec::new(), Some("its mode is not known")),
    }
    let coder = Coder { range: u32::MAX, code, rest: rest.iter(), is_past_end: false };
    let mut decoder =
        Decoder { coder, contexts: Contexts::new(*mode), literal_shift: mode & 7, out: Vec::new() };
    let damage = decoder.run(most);
    (decoder.out, damage)
}

/// Decodes bits from a stream.
struct Coder<'s> {
    range: u32,
    code: u32,
    rest: std::slice::Iter<'s, u8>,
    /// Set after the stream's end, beyond which bytes read as 0.
    is_past_end: bool,
}

impl Coder<'_> {
    /// Decodes a bit with its probability, and adapts the probability to the result.
    fn bit(&mut self, context: Option<&mut u8>) -> bool {
        let Some(context) = context else { return false };
        // Divide the range in proportion to the probability of a 1.
        let middle = (self.range >> 8).wrapping_mul((*context).into());
        let decayed = context.saturating_sub(*context >> 3);
        let is_one = self.code < middle;
        if is_one {
            self.range = middle;
            *context = decayed.saturating_add(31);
        } else {
            self.code = self.code.wrapping_sub(middle);
            self.range = self.range.wrapping_sub(middle);
            *context = decayed;
        }
        self.extend();
        is_one
    }

    /// Decodes bits with equal probability.
    fn plain(&mut self, count: usize) -> u32 {
        let mut number = 0_u32;
        for _ in 0..count {
            self.range >>= 1;
            let is_one = self.code < self.range;
            if !is_one {
                self.code = self.code.wrapping_sub(self.range);
            }
            number = number << 1 | u32::from(is_one);
        }
        self.extend();
        number
    }

    fn extend(&mut self) {
        if self.range < RANGE_MIN {
            let byte = self.rest.next();
            self.is_past_end |= byte.is_none();
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(byte.copied().unwrap_or(0));
        }
    }

    /// Decodes a number of `count` bits by walking down a tree. The result has a leading 1 above them.
    fn tree(&mut self, count: usize, context: impl Fn(usize) -> usize, contexts: &mut [u8]) -> usize {
        let mut node = 1_usize;
        for _ in 0..count {
            let bit = self.bit(contexts.get_mut(context(node)));
            node = node << 1 | usize::from(bit);
        }
        node
    }

    /// Decodes a number of `count` bits below a leading 1. The highest two share a context, the lowest three have
    /// their own, and those between have none.
    fn number(&mut self, count: usize, contexts: &mut [u8]) -> u32 {
        let mut number = 1_u32;
        for _ in 0..count.saturating_sub(3).min(2) {
            number = number << 1 | u32::from(self.bit(contexts.first_mut()));
        }
        let plain = count.saturating_sub(5);
        if plain > 0 {
            number = number.wrapping_shl(u32::try_from(plain).unwrap_or(0)) | self.plain(plain);
        }
        for bit in 0..count.min(3) {
            number = number << 1 | u32::from(self.bit(contexts.get_mut(bit.saturating_add(1))));
        }
        number
    }
}

/// Probabilities of a 1 bit, in 256ths.
struct Contexts {
    literals: Vec<u8>,
    /// By length bits, then state.
    length_bits: Vec<u8>,
    /// By state, length bits and position.
    lengths: Vec<u8>,
    /// By node, then length bits.
    short_distance_bits: Vec<u8>,
    long_distance_bits: Vec<u8>,
    distances: Vec<u8>,
}

impl Contexts {
    fn new(mode: u8) -> Self {
        let start = 4_u8.saturating_sub(mode >> 3 & 3) << 5;
        let of = |count: usize| vec![start; count];
        Self {
            literals: of(8 * 256),
            length_bits: of(8 * STATES),
            lengths: of(STATES * 8 * 4 * NUMBER),
            short_distance_bits: of(8 * 8),
            long_distance_bits: of(32 * 8),
            distances: of(DISTANCE_BITS * NUMBER),
        }
    }
}

struct Decoder<'s> {
    coder: Coder<'s>,
    contexts: Contexts,
    /// How far to shift the position and the last byte to select a literal's contexts.
    literal_shift: u8,
    out: Vec<u8>,
}

impl Decoder<'_> {
    /// Decodes until the end, or until there are `most` bytes.
    fn run(&mut self, most: u64) -> Option<&'static str> {
        let mut state = 0_usize;
        while (self.out.len() as u64) < most {
            if self.coder.is_past_end {
                return Some("it ends early");
            }
            let bits = self.length_bits(state);
            let Some(rest) = bits.checked_sub(1) else {
                self.literal();
                state = state.saturating_sub(1);
                continue;
            };
            let length = self.length(rest, state);
            if length == END {
                return None;
            }
            let from = self.distance(rest, length).and_then(|distance| self.out.len().checked_sub(distance));
            let Some(from) = from else { return Some("it refers to bytes before its start") };
            let left = most.saturating_sub(self.out.len() as u64);
            for at in
                (from..).take(usize::try_from(u64::from(length).saturating_add(1).min(left)).unwrap_or(0))
            {
                // Copy byte by byte, because a match may overlap its own result.
                self.out.extend(self.out.get(at).copied());
            }
            state = 7_usize.saturating_sub(self.out.len() & 1);
        }
        None
    }

    /// Decodes how many bits a length less 1 has; 0 for a literal.
    fn length_bits(&mut self, state: usize) -> usize {
        for bits in 0..8_usize {
            let at = bits << 3 | state;
            if !self.coder.bit(self.contexts.length_bits.get_mut(at)) {
                return bits;
            }
        }
        8
    }

    fn literal(&mut self) {
        let last = self.out.last().copied().unwrap_or(0);
        // The group comes from the position's lowest three bits and the last byte.
        let group =
            ((self.out.len() & 7) << 8 | usize::from(last)).wrapping_shr(self.literal_shift.into()) & 7;
        let literals = &mut self.contexts.literals;
        let byte = self.coder.tree(8, |node| group << 8 | node & 0xFF, literals);
        self.out.push(byte.to_le_bytes()[0]);
    }

    /// Decodes a length less 1, with `rest` bits after the first.
    fn length(&mut self, rest: usize, state: usize) -> u32 {
        let Some(shift) = rest.checked_sub(1) else { return 1 };
        // The context for short lengths depends on the position.
        let place = self.out.len().wrapping_shl(u32::try_from(shift).unwrap_or(0)) & 3;
        let at = ((state << 3 | shift) << 2 | place).saturating_mul(NUMBER);
        let contexts = self.contexts.lengths.get_mut(at..at.saturating_add(NUMBER));
        self.coder.number(rest, contexts.unwrap_or(&mut []))
    }

    /// Decodes a distance; `None` if it has too few bits.
    fn distance(&mut self, length_bits: usize, length: u32) -> Option<usize> {
        let context = |node: usize| node << 3 | length_bits;
        let bits = if length < 3 {
            let node = self.coder.tree(3, context, &mut self.contexts.short_distance_bits);
            node.saturating_sub(8)
        } else {
            // Remove the tree's leading 1, and 12, because the bit count is stored that much higher.
            let node = self.coder.tree(5, context, &mut self.contexts.long_distance_bits);
            node.checked_sub(32 + 12)?
        };
        let at = bits.saturating_sub(1).saturating_mul(NUMBER);
        let contexts = self.contexts.distances.get_mut(at..at.saturating_add(NUMBER));
        usize::try_from(self.coder.number(bits, contexts.unwrap_or(&mut []))).ok()
    }
}
