//! The mip levels and filters for a batch. This is [`LodSelection`] in lanes.

use std::ops::Range;

use fearless_simd::i32x8;

use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::fast::batch::{PADDED_SIZE, Segment};
use crate::raster::rules::lod::{LodRule, LodSelection};

/// The levels selected for each fragment.
#[derive(Clone, Debug)]
pub(super) struct LodLanes {
    /// Twice the level, plus 1 for linear filtering. A single comparison thus covers both.
    keys: [i32; PADDED_SIZE],
    /// How much the next level weighs, in 1/16.
    fractions: [i32; PADDED_SIZE],
}

impl LodLanes {
    pub(crate) const fn new() -> Self {
        Self { keys: [0; PADDED_SIZE], fractions: [0; PADDED_SIZE] }
    }

    pub(crate) fn set(&mut self, lane: usize, selection: LodSelection) {
        self.keys[lane] = key(selection);
        self.fractions[lane] = selection.fraction.into();
    }

    /// Sets the same levels for some lanes.
    pub(super) fn set_all(&mut self, lanes: Range<usize>, selection: LodSelection) {
        self.keys[lanes.clone()].fill(key(selection));
        self.fractions[lanes].fill(selection.fraction.into());
    }

    /// Selects levels for a segment. `lods` holds levels of detail before the bias.
    #[inline(always)]
    pub(crate) fn select<S: Simd>(
        &mut self,
        simd: S,
        rule: &LodRule,
        lods: &[i32; PADDED_SIZE],
        segment: Segment,
    ) {
        let [magnified, minified] =
            [rule.magnify_linear, rule.minify_linear].map(|linear| i32x8::splat(simd, linear.into()));
        let (keys, _) = segment.of_mut(&mut self.keys).as_flattened_mut().as_chunks_mut::<8>();
        let (fractions, _) = segment.of_mut(&mut self.fractions).as_flattened_mut().as_chunks_mut::<8>();
        let (lods, _) = segment.of(lods).as_flattened().as_chunks::<8>();
        for (lods, (key, fraction)) in lods.iter().zip(keys.iter_mut().zip(fractions)) {
            let lod = i32x8::simd_from(simd, *lods) + rule.bias;
            let linear = lod.simd_gt(0_i32).select(minified, magnified);
            let level = lod.max(0_i32).min(rule.limit) + rule.rounding;
            (((level >> 4_u32) << 1_u32) | linear).store_array(key);
            (level & rule.fraction_mask).store_array(fraction);
        }
    }

    /// Returns whether all fragments have the same level and filter.
    #[inline(always)]
    pub(super) fn is_uniform(&self, count: usize) -> bool {
        let [first, ..] = self.keys;
        self.keys.iter().take(count).fold(0, |differences, key| differences | (key ^ first)) == 0
    }

    /// Returns a lane's level and filter, with a bit for each lane that has the same.
    pub(crate) fn group(&self, lane: usize, count: usize) -> (LodSelection, u128) {
        let key = self.keys.get(lane).copied().unwrap_or(0);
        let bits = self.keys.iter().take(count).enumerate();
        let members = bits.fold(0, |members, (lane, other)| members | u128::from(*other == key) << lane);
        let level = u8::try_from(key >> 1).unwrap_or(0);
        (LodSelection { level, fraction: 0, linear: key & 1 == 1 }, members)
    }

    /// Returns how much the next level weighs for a lane.
    pub(crate) fn fraction(&self, lane: usize) -> i32 {
        self.fractions.get(lane).copied().unwrap_or(0)
    }

    /// Returns how much the next level weighs in each lane, or `None` if the first `count` are all 0.
    #[inline(always)]
    pub(crate) fn fractions(&self, count: usize) -> Option<&[i32]> {
        let any = self.fractions.iter().take(count).fold(0, |any, fraction| any | fraction);
        (any != 0).then_some(&self.fractions[..])
    }
}

/// Encodes level and filter as a number.
fn key(selection: LodSelection) -> i32 {
    i32::from(selection.level) << 1 | i32::from(selection.linear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::raster::fast::batch::LANES;
    use crate::raster::rules::lod::LodSelector;

    #[test]
    fn lanes_select_as_the_selector() {
        let mut lanes = LodLanes::new();
        for filter in (0..8).flat_map(|minify| [minify, minify | 0x100]) {
            for (bias, max_level) in [(0, 7), (0xF8, 7), (0x13, 3), (0x80, 0), (0x7F, 5)] {
                let selector = LodSelector::from_registers(&Registers::with([
                    (Opcode::TEXFILTER, filter),
                    (Opcode::TEXLEVEL, bias << 16),
                    (Opcode::TEXMODE, max_level << 16),
                ]));
                for start in [-300_i32, -64, 0, 64, 1 << 20] {
                    let lods: [i32; PADDED_SIZE] =
                        std::array::from_fn(|lane| start + i32::try_from(lane).unwrap_or(0));
                    let all = Segment { first: 0, groups: PADDED_SIZE / LANES };
                    lanes.select(simd::portable(), &selector.rule(), &lods, all);
                    for (lane, lod) in lods.iter().enumerate() {
                        let expected = selector.select_lod(*lod);
                        let found = (lanes.keys[lane], lanes.fractions[lane]);
                        assert_eq!(
                            found,
                            (key(expected), expected.fraction.into()),
                            "filter {filter:#x}, bias {bias:#x}, {lod}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn groups_have_equal_levels_and_filters() {
        let mut lanes = LodLanes::new();
        let selections = [(1, 3, true), (1, 0, true), (2, 0, true), (1, 0, false), (1, 9, true)];
        for (lane, (level, fraction, linear)) in selections.into_iter().enumerate() {
            lanes.set(lane, LodSelection { level, fraction, linear });
        }
        assert_eq!(lanes.group(1, 5), (LodSelection { level: 1, fraction: 0, linear: true }, 0b10011));
        assert_eq!(lanes.group(3, 5), (LodSelection { level: 1, fraction: 0, linear: false }, 0b1000));
        assert_eq!(lanes.group(0, 2).1, 0b11, "only the first two");
        assert!(lanes.is_uniform(2) && !lanes.is_uniform(3), "the third has another level");
        assert!(lanes.fractions(1).is_some(), "the first has a weight");
    }
}
