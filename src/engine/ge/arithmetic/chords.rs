//! Tables of straight lines, to approximate reciprocals and reciprocal square roots as the hardware does.
//!
//! A mantissa is split into a segment (its upper bits) and an offset (its lower 8 bits). Each segment has a start
//! and a slope, and the result is a point on this line, floored. The lines follow from rules that reproduce the
//! hardware's tables entry by entry. Source: [reciprocal](crate::reference::ge::numbers#reciprocal), [reciprocal
//! square root](crate::reference::ge::numbers#reciprocal-square-root), [setup
//! reciprocal](crate::reference::ge::numbers#set-up-reciprocal).

/// How many bits an offset within a segment has.
const OFFSET_BITS: u32 = 8;
const OFFSETS: i64 = 1 << OFFSET_BITS;

/// Masks a mantissa to get the offset.
const OFFSET_MASK: u32 = (1 << OFFSET_BITS) - 1;

/// A straight line: `(start + slope · offset) >> shift`, with the shift from its [`Chords`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chord {
    /// The value at offset 0, before the shift.
    pub(crate) start: i32,
    /// How much the value changes per offset, before the shift.
    pub(crate) slope: i32,
}

/// A function of the mantissa, approximated by `SEGMENTS` straight lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chords<const SEGMENTS: usize> {
    chords: [Chord; SEGMENTS],
    shift: u32,
}

impl<const SEGMENTS: usize> Chords<SEGMENTS> {
    /// Returns a segment's line, for callers that evaluate many offsets on it.
    #[inline(always)]
    pub(crate) const fn chord(&self, segment: u32) -> Chord {
        self.chords[segment as usize % SEGMENTS]
    }

    /// Returns the value for a mantissa without its leading 1 bit. Bits above the table's range are ignored.
    #[inline(always)]
    pub(crate) const fn value(&self, mantissa: u32) -> i32 {
        let Chord { start, slope } = self.chord(mantissa >> OFFSET_BITS);
        let [offset, ..] = mantissa.to_le_bytes();
        (start + slope * offset as i32) >> self.shift
    }
}

/// Straight lines, packed into a word each, so that a single load finds both start and slope.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedChords<const LINES: usize>([u32; LINES]);

/// How many bits a packed slope has. This holds the slope's magnitude, because no slope is positive.
const SLOPE_BITS: u32 = 9;

impl<const LINES: usize> PackedChords<LINES> {
    /// Packs lines from the transform unit's tables, which follow each other.
    const fn new(tables: &[&Chords<SEGMENTS>]) -> Self {
        let mut packed = [0; LINES];
        let mut line = 0;
        while line < LINES {
            let Chord { start, slope } = tables[line / SEGMENTS].chords[line % SEGMENTS];
            assert!(slope <= 0 && slope > -(1 << SLOPE_BITS), "the slope fits its field");
            packed[line] =
                // All starts end in the same bits, `ROUNDING`, so the word need not hold them.
                (start - ROUNDING).cast_unsigned() >> (SHIFT - 1) << SLOPE_BITS | slope.unsigned_abs();
            line += 1;
        }
        Self(packed)
    }

    /// Returns the value for an offset on this line.
    #[inline(always)]
    pub(super) const fn value(&self, line: u32, offset: u32) -> i32 {
        let packed = self.0[line as usize % LINES];
        let start = (packed >> SLOPE_BITS << (SHIFT - 1)).cast_signed() + ROUNDING;
        let slope = (packed & ((1 << SLOPE_BITS) - 1)).cast_signed();
        (start - slope * offset.cast_signed()) >> SHIFT
    }
}

impl PackedChords<SEGMENTS> {
    /// Returns the value for a 15-bit mantissa without its leading 1 bit.
    #[inline(always)]
    pub(super) const fn at(&self, mantissa: u32) -> i32 {
        self.value(mantissa >> OFFSET_BITS, mantissa & OFFSET_MASK)
    }
}

impl PackedChords<{ 2 * SEGMENTS }> {
    /// Returns the value for a 15-bit mantissa without its leading 1 bit, from the first or second table.
    #[inline(always)]
    pub(super) const fn at_of(&self, second: bool, mantissa: u32) -> i32 {
        let line = mantissa >> OFFSET_BITS | (second as u32) << SEGMENTS.trailing_zeros();
        self.value(line, mantissa & OFFSET_MASK)
    }
}

/// [`RECIPROCAL`], packed for HF16 numbers.
pub(super) static PACKED_RECIPROCAL: PackedChords<SEGMENTS> = PackedChords::new(&[&reciprocal()]);

/// `2^16 / √(1 + i / 2^15)` for a 15-bit mantissa `i` and an even exponent, then `2^16 / √(2 · (1 + i / 2^15))` for
/// an odd exponent, because half an odd exponent leaves a factor of √2.
pub(super) static PACKED_RECIPROCAL_SQRT: PackedChords<{ 2 * SEGMENTS }> =
    PackedChords::new(&[&reciprocal_sqrt(1), &reciprocal_sqrt(2)]);

/// How many segments the transform unit's tables have: the upper 7 of 15 mantissa bits select a segment.
const SEGMENTS: usize = 128;
/// How far the transform unit's tables shift a point on a line to the right.
pub(crate) const SHIFT: u32 = 7;
/// Added to a start, so that the shift rounds up over its first `SHIFT - 1` bits and floors only the last.
const ROUNDING: i32 = (1 << (SHIFT - 1)) - 1;

/// `2^31 / (2^15 + i)` for a 15-bit mantissa `i`: 16 significant bits, or 2^16 for `i` = 0.
pub(crate) static RECIPROCAL: Chords<SEGMENTS> = reciprocal();

/// `2^32 / (2^16 + i)` for a 16-bit mantissa `i`: the reciprocal of a triangle's area or a line's length.
pub(crate) static SETUP_RECIPROCAL: Chords<256> = setup_reciprocal();

const fn chord(start: i64, slope: i64) -> Chord {
    // The start gets `SHIFT - 1` fraction bits, 1 less than the shift, because starts are stored doubled.
    #[expect(clippy::cast_possible_truncation, reason = "starts have 18 bits, slopes 9")]
    Chord { start: (start << (SHIFT - 1)) as i32 + ROUNDING, slope: slope as i32 }
}

/// The values at the start of the reciprocal's lines. They are written out, because searching for them at compile
/// time takes the compiler 10 seconds; the tests search for them.
const RECIPROCAL_STARTS: [i64; SEGMENTS] = [
    131072, 130055, 129054, 128071, 127099, 126143, 125203, 124274, 123361, 122461, 121574, 120700, 119836,
    118986, 118150, 117323, 116508, 115704, 114913, 114130, 113358, 112599, 111847, 111107, 110375, 109654,
    108943, 108239, 107545, 106861, 106184, 105517, 104858, 104206, 103563, 102927, 102300, 101680, 101067,
    100463, 99865, 99273, 98689, 98113, 97542, 96977, 96421, 95869, 95326, 94786, 94255, 93727, 93207, 92691,
    92182, 91680, 91180, 90688, 90201, 89717, 89240, 88769, 88302, 87838, 87381, 86928, 86481, 86037, 85599,
    85164, 84732, 84307, 83885, 83468, 83055, 82646, 82241, 81839, 81442, 81049, 80659, 80275, 79892, 79513,
    79138, 78766, 78398, 78033, 77673, 77315, 76960, 76608, 76260, 75914, 75574, 75234, 74898, 74564, 74236,
    73908, 73584, 73264, 72944, 72628, 72316, 72005, 71697, 71393, 71090, 70789, 70493, 70197, 69906, 69615,
    69327, 69042, 68759, 68479, 68200, 67925, 67650, 67378, 67109, 66841, 66577, 66313, 66052, 65793,
];

/// How much four offsets lower the reciprocal on each line.
const RECIPROCAL_SLOPES: [i64; SEGMENTS] = [
    254, 250, 246, 243, 239, 235, 232, 228, 225, 222, 219, 216, 212, 209, 207, 204, 201, 198, 196, 193, 190,
    188, 185, 183, 180, 178, 176, 173, 171, 169, 167, 165, 163, 161, 159, 157, 155, 153, 151, 150, 148, 146,
    144, 143, 141, 139, 138, 136, 135, 133, 132, 130, 129, 127, 126, 125, 123, 122, 121, 119, 118, 117, 116,
    114, 113, 112, 111, 110, 109, 108, 106, 105, 104, 103, 102, 101, 100, 99, 98, 97, 96, 96, 95, 94, 93, 92,
    91, 90, 90, 89, 88, 87, 86, 85, 85, 84, 83, 82, 82, 81, 80, 80, 79, 78, 78, 77, 76, 76, 75, 74, 74, 73,
    73, 72, 71, 71, 70, 70, 69, 69, 68, 67, 67, 66, 66, 65, 65, 64,
];

const fn reciprocal() -> Chords<SEGMENTS> {
    let mut chords = [chord(0, 0); SEGMENTS];
    let mut segment = 0;
    while segment < SEGMENTS {
        chords[segment] = chord(RECIPROCAL_STARTS[segment], -RECIPROCAL_SLOPES[segment]);
        segment += 1;
    }
    Chords { chords, shift: SHIFT }
}

/// Makes lines from the floored value at each segment's start, with the slope to the next segment cut towards zero.
const fn reciprocal_sqrt(parity: u128) -> Chords<SEGMENTS> {
    let mut chords = [chord(0, 0); SEGMENTS];
    let mut segment = 0;
    while segment < SEGMENTS {
        let (start, end) = (scaled_sqrt(parity, segment), scaled_sqrt(parity, segment + 1));
        chords[segment] = chord(start >> SCALE_BITS, -((start - end) >> (SCALE_BITS + 2)));
        segment += 1;
    }
    Chords { chords, shift: SHIFT }
}

/// How many fraction bits [`scaled_sqrt`] has.
const SCALE_BITS: u32 = 30;

/// Computes `2^17 / √(parity · (1 + segment / 128))` with [`SCALE_BITS`] fraction bits.
const fn scaled_sqrt(parity: u128, segment: usize) -> i64 {
    let square = (1_u128 << (41 + 2 * SCALE_BITS)) / (parity * (SEGMENTS + segment) as u128);
    #[expect(clippy::cast_possible_truncation, reason = "47 bits")]
    let root = square.isqrt() as i64;
    root
}

/// Makes lines from the reciprocal at each segment's start, rounded down to a multiple of 16, with the tangent's
/// slope there. The first segment has its own line.
const fn setup_reciprocal() -> Chords<256> {
    let mut chords = [Chord { start: 2 * 8_388_735, slope: -257 }; 256];
    let mut segment = 1;
    while segment < chords.len() {
        let mantissa = (1_i64 << 16) + OFFSETS * segment as i64;
        let start = (1_i64 << 39) / mantissa / 16 * 16;
        let slope = -((1_i64 << 40) / (mantissa * mantissa));
        #[expect(clippy::cast_possible_truncation, reason = "starts have 24 bits, slopes 9")]
        {
            chords[segment] = Chord { start: 2 * start as i32, slope: slope as i32 };
        }
        segment += 1;
    }
    Chords { chords, shift: OFFSET_BITS }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error against the exact reciprocal. This is a fraction, to make comparisons exact.
    #[derive(Clone, Copy)]
    struct Deviation {
        numerator: i64,
        denominator: i64,
    }

    impl Deviation {
        fn exceeds(self, other: Self) -> bool {
            self.numerator * other.denominator > other.numerator * self.denominator
        }
    }

    /// Finds a segment's best line, whose largest error is smallest. Only the first must start at 2^16.
    fn best_chord(segment: i64) -> Chord {
        let segments = SEGMENTS as i64;
        let exact_start = (1 << 24) / (segments + segment);
        let exact_end = (1 << 24) / (segments + segment + 1);
        // The best line is within this distance of the chord through the exact ends, so a small search finds it.
        let (middle_slope, slope_reach, start_reach) = ((exact_end - exact_start) / 4, 2, 5);
        let mut best = chord(exact_start, middle_slope);
        let mut smallest = Deviation { numerator: i64::MAX >> 32, denominator: 1 };
        let mut slope = middle_slope - slope_reach;
        while slope <= middle_slope + slope_reach {
            let mut start = exact_start - start_reach;
            while start <= exact_start + start_reach {
                let candidate = chord(start, slope);
                let starts_at_one = candidate.start >> SHIFT == 1 << 16;
                if segment > 0 || starts_at_one {
                    let largest = largest_deviation(candidate, segment, smallest);
                    if smallest.exceeds(largest) {
                        (best, smallest) = (candidate, largest);
                    }
                }
                start += 1;
            }
            slope += 1;
        }
        best
    }

    /// Returns a line's largest error in a segment, or gives up at the first error that is at least `limit`.
    fn largest_deviation(chord: Chord, segment: i64, limit: Deviation) -> Deviation {
        let mut largest = Deviation { numerator: 0, denominator: 1 };
        let mut step = 0;
        while step < OFFSETS {
            // Try both ends first, because most lines fail there.
            let offset = if step % 2 == 0 { step / 2 } else { OFFSETS - 1 - step / 2 };
            let value = (chord.start as i64 + chord.slope as i64 * offset) >> SHIFT;
            let denominator = (1 << 15) + OFFSETS * segment + offset;
            let deviation = Deviation { numerator: (value * denominator - (1 << 31)).abs(), denominator };
            if deviation.exceeds(largest) {
                largest = deviation;
                if !limit.exceeds(largest) {
                    return largest;
                }
            }
            step += 1;
        }
        largest
    }

    /// The rule behind the lines: [reciprocal](crate::reference::ge::numbers#rule-for-the-reciprocal-table).
    #[test]
    fn reciprocals_are_the_best_lines() {
        for segment in 0..SEGMENTS {
            assert_eq!(RECIPROCAL.chords[segment], best_chord(segment as i64), "segment {segment}");
        }
    }

    /// Returns the CRC32 of all values as little-endian words, and their sum.
    fn checksum<const N: usize>(chords: &Chords<N>) -> (u32, i64) {
        let mantissas = u32::try_from(N * 256).expect("small");
        let values: Vec<i32> = (0..mantissas).map(|mantissa| chords.value(mantissa)).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        (crc32fast::hash(&bytes), values.iter().copied().map(i64::from).sum())
    }

    /// The checksums of the measured tables: [numbers](crate::reference::ge::numbers#reciprocal).
    #[test]
    fn tables_have_the_measured_checksums() {
        assert_eq!(checksum(&RECIPROCAL), (0x79c4_97e7, 1_488_542_782), "reciprocal");
        assert_eq!(checksum(&reciprocal_sqrt(1)), (0xc2d5_44bb, 1_779_054_544), "root, even exponents");
        assert_eq!(checksum(&reciprocal_sqrt(2)), (0xb812_ce01, 1_257_984_688), "root, odd exponents");
        assert_eq!(checksum(&SETUP_RECIPROCAL), (0xe352_b631, 2_977_033_289), "setup");
    }

    #[test]
    fn packed_tables_have_the_same_values() {
        let (even, odd) = (reciprocal_sqrt(1), reciprocal_sqrt(2));
        for mantissa in 0..1 << 15 {
            assert_eq!(PACKED_RECIPROCAL.at(mantissa), RECIPROCAL.value(mantissa), "reciprocal {mantissa}");
            let roots = [false, true].map(|odd| PACKED_RECIPROCAL_SQRT.at_of(odd, mantissa));
            assert_eq!(roots, [even.value(mantissa), odd.value(mantissa)], "root {mantissa}");
        }
    }

    /// Single values measured on a real PSP.
    #[test]
    fn tables_have_measured_values() {
        for (mantissa, expected) in
            [(0, 65536), (1, 65534), (909, 63768), (13408, 46507), (28463, 35072), (32767, 32769)]
        {
            assert_eq!(RECIPROCAL.value(mantissa), expected, "reciprocal of 1 + {mantissa}/32768");
        }
        for (mantissa, expected) in [(0, 65536), (254, 65282), (256, 65280), (41275, 40211), (65534, 32768)] {
            assert_eq!(
                SETUP_RECIPROCAL.value(mantissa),
                expected,
                "setup reciprocal of 1 + {mantissa}/65536"
            );
        }
    }
}
