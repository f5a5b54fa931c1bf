//! The level of detail selects mip levels and a filter for each pixel.
//!
//! Source: [level of detail](crate::reference::ge::textures#level-of-detail) (hardware tests
//! `filtering/mipmaplinear`, `textures/mipmap`). Triangles take q once per
//! [span](crate::reference::ge::textures#span-rule). In single arithmetic only the change of s to the right and of t
//! downwards count, and w is taken at every pixel, as in emulators.

use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{LevelMode, TextureFilter, TextureLevel, TextureMode};

/// Steps per level.
const LOD_STEPS: i32 = 16;

/// The mip levels and the filter to sample with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LodSelection {
    /// The mip level to sample.
    pub level: u8,
    /// How much the next level weighs, in 1/16.
    pub fraction: u8,
    /// Whether to blend four texels instead of taking the nearest.
    pub linear: bool,
}

/// Selects levels for a draw's pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LodSelector {
    mode: LevelMode,
    /// In 1/16 levels.
    bias: i32,
    /// TEXLODSLOPE.
    slope: f64,
    filter: TextureFilter,
    max_level: u8,
}

impl LodSelector {
    /// Reads TEXLEVEL, TEXLODSLOPE, TEXFILTER and TEXMODE.
    #[must_use]
    pub(crate) fn from_registers(registers: &Registers) -> Self {
        let level: TextureLevel = registers.get();
        Self {
            mode: level.mode,
            bias: i32::from(level.bias),
            slope: f64::from(registers.float(Opcode::TEXLODSLOPE)),
            filter: registers.get(),
            max_level: registers.get::<TextureMode>().max_level,
        }
    }

    /// Returns the selection if it is the same for all pixels, to save computing it for each.
    #[must_use]
    pub(crate) fn constant(&self) -> Option<LodSelection> {
        if !matches!(self.mode, LevelMode::AUTO | LevelMode::SLOPE) {
            return Some(self.select_biased(self.bias));
        }
        // If both filters agree and there is only a single level, it does not matter whether pixels magnify or
        // minify.
        let minification = self.filter.minification;
        let one_level = !minification.uses_mipmaps() || self.max_level == 0;
        let same = self.filter.magnify_linear == minification.is_linear() && one_level;
        same.then(|| self.select_biased(0))
    }

    /// Returns whether this selection needs texel steps in single arithmetic.
    #[must_use]
    pub(crate) fn needs_steps(&self) -> bool {
        self.mode == LevelMode::AUTO
    }

    /// Returns whether this selection needs w in single arithmetic.
    #[must_use]
    pub(crate) fn needs_w(&self) -> bool {
        self.mode == LevelMode::SLOPE
    }

    /// Computes the level of detail for a pixel before the bias, in 1/16 levels. `largest_step` returns the largest
    /// change of s and t to a neighbouring pixel, before the division by q, in texels of level 0. `q` returns q.
    /// This calls each only if the level mode needs it, because both cost time.
    /// Source: [level modes](crate::reference::ge::textures#level-modes).
    #[must_use]
    pub(crate) fn lod(&self, largest_step: impl FnOnce() -> f64, q: impl FnOnce() -> f64) -> i32 {
        // A division by q is a subtraction of its logarithm.
        self.lod_at_q_of_1(largest_step) - if self.needs_q() { logarithm(q()) } else { 0 }
    }

    /// Returns the bias in 1/16 levels.
    pub(crate) const fn bias(&self) -> i32 {
        self.bias
    }

    /// Returns the level of detail for q = 1, before the bias, in 1/16 levels.
    pub(crate) fn lod_at_q_of_1(&self, largest_step: impl FnOnce() -> f64) -> i32 {
        match self.mode {
            LevelMode::AUTO => logarithm(largest_step()),
            LevelMode::SLOPE => LOD_STEPS + logarithm(self.slope),
            _ => 0,
        }
    }

    /// Returns whether this selection needs q.
    #[must_use]
    pub(crate) fn needs_q(&self) -> bool {
        matches!(self.mode, LevelMode::AUTO | LevelMode::SLOPE)
    }

    /// Selects for a pixel with single arithmetic. `steps` returns its texel steps in level 0, `w` its w. This calls
    /// each only if the level mode needs it.
    #[must_use]
    pub(crate) fn select_emulated(
        &self,
        steps: impl FnOnce() -> [f64; 2],
        w: impl FnOnce() -> f64,
    ) -> LodSelection {
        self.select_lod(self.lod_emulated(steps, w))
    }

    /// Computes the level of detail for a pixel before the bias, in 1/16 levels. This takes the same numbers as
    /// [`Self::select_emulated`].
    pub(super) fn lod_emulated(&self, steps: impl FnOnce() -> [f64; 2], w: impl FnOnce() -> f64) -> i32 {
        match self.mode {
            LevelMode::AUTO => Self::lod_of_steps(steps()),
            LevelMode::SLOPE => logarithm(2.0 * w() * self.slope),
            _ => 0,
        }
    }

    /// Computes the level of detail for texel steps, in 1/16 levels.
    #[inline(always)]
    pub(crate) fn lod_of_steps([s, t]: [f64; 2]) -> i32 {
        logarithm(s.max(t))
    }

    /// Selects for a level of detail without the bias.
    pub(crate) fn select_lod(&self, lod: i32) -> LodSelection {
        self.select_biased(lod + self.bias)
    }

    /// Selects for a level of detail that includes the bias. Up to 0 the texture is magnified.
    /// Source: [level choice](crate::reference::ge::textures#level-choice).
    fn select_biased(&self, lod: i32) -> LodSelection {
        if lod <= 0 {
            return LodSelection { level: 0, fraction: 0, linear: self.filter.magnify_linear };
        }
        let (minification, linear) = (self.filter.minification, self.filter.minification.is_linear());
        if !minification.uses_mipmaps() {
            return LodSelection { level: 0, fraction: 0, linear };
        }
        let lod = lod.min(i32::from(self.max_level) * LOD_STEPS);
        let (level, fraction) = if minification.blends_levels() {
            (lod / LOD_STEPS, lod % LOD_STEPS)
        } else {
            // Without blending, the nearest level is used.
            ((lod + LOD_STEPS / 2) / LOD_STEPS, 0)
        };
        let byte = |value: i32| u8::try_from(value).unwrap_or(0);
        LodSelection { level: byte(level), fraction: byte(fraction), linear }
    }
}

/// Finds levels without branches, to let vectors do so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LodRule {
    /// Number to add to the level of detail.
    pub(crate) bias: i32,
    /// The sum is clamped to the range from 0 to this.
    pub(crate) limit: i32,
    /// Number to add to the clamped sum. The level is a sixteenth of the result.
    pub(crate) rounding: i32,
    /// The result's bits that tell how much the next level weighs.
    pub(crate) fraction_mask: i32,
    pub(crate) magnify_linear: bool,
    pub(crate) minify_linear: bool,
}

impl LodSelector {
    /// Returns a rule with the same results as [`Self::select_lod`].
    pub(crate) fn rule(&self) -> LodRule {
        let minification = self.filter.minification;
        let blends = minification.blends_levels();
        LodRule {
            bias: self.bias,
            limit: if minification.uses_mipmaps() { i32::from(self.max_level) * LOD_STEPS } else { 0 },
            rounding: if blends { 0 } else { LOD_STEPS / 2 },
            fraction_mask: if blends { LOD_STEPS - 1 } else { 0 },
            magnify_linear: self.filter.magnify_linear,
            minify_linear: minification.is_linear(),
        }
    }
}

/// [`logarithm`] of zero.
pub(crate) const LOGARITHM_OF_ZERO: i32 = -1023 * LOD_STEPS;

/// Computes the binary logarithm of the magnitude in 1/16. It is linear between powers of two, because it consists
/// of the exponent and the upper four bits of the mantissa.
/// Source: [logarithm](crate::reference::ge::textures#logarithm).
#[inline(always)]
pub(crate) fn logarithm(value: f64) -> i32 {
    /// Biased exponent of 1.
    const BIAS: i32 = 1023;
    // The upper 16 bits are the sign, 11 exponent bits and 4 mantissa bits. The mask drops the sign.
    let [.., low, high] = value.to_bits().to_le_bytes();
    i32::from(u16::from_le_bytes([low, high]) & 0x7FFF) - BIAS * LOD_STEPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    fn registers(filter: u32, level: u32, max_level: u32) -> Registers {
        Registers::with([
            (Opcode::TEXFILTER, filter),
            (Opcode::TEXLEVEL, level),
            (Opcode::TEXMODE, max_level << 16),
        ])
    }

    #[test]
    fn logarithm_is_piecewise_linear() {
        for (value, expected) in [(1.0, 0), (2.0, 16), (1.5, 8), (3.0, 24), (0.5, -16), (1.0624, 0)] {
            assert_eq!(logarithm(value), expected, "{value}");
        }
        assert!(logarithm(0.0) < -1000, "a step of 0 magnifies");
        assert!(logarithm(f64::INFINITY) > 1000, "infinite steps minify");
    }

    #[test]
    fn magnification_and_minification() {
        let selector = LodSelector::from_registers;
        let selection = |filter, steps| {
            let selector = selector(&registers(filter, 0, 7));
            selector.select_lod(selector.lod(|| steps, || 1.0))
        };
        assert!(selection(0x100, 1.0).linear, "one texel per pixel magnifies");
        assert!(!selection(0x100, 2.0).linear, "two texels per pixel minify");
        assert_eq!(selection(0x001, 4.0), LodSelection { level: 0, fraction: 0, linear: true }, "no mipmaps");
        assert_eq!(
            selection(0x004, 4.0),
            LodSelection { level: 2, fraction: 0, linear: false },
            "nearest level"
        );
        assert_eq!(selection(0x004, 3.0).level, 2, "24 sixteenths round up");
        assert_eq!(
            selection(0x007, 3.0),
            LodSelection { level: 1, fraction: 8, linear: true },
            "between levels"
        );
        assert_eq!(
            selection(0x006, 1e9),
            LodSelection { level: 7, fraction: 0, linear: false },
            "the last one"
        );
    }

    #[test]
    fn constant_and_slope() {
        let select = |registers: &Registers, w: f64| {
            let selector = LodSelector::from_registers(registers);
            let selection = selector.select_lod(selector.lod(|| 9.0, || 1.0 / w));
            assert!(
                selector.constant().is_none_or(|constant| constant == selection),
                "constant() agrees with select()"
            );
            selection
        };
        let constant = registers(0x006, 0x18_0001, 7);
        assert_eq!(select(&constant, 1.0), LodSelection { level: 1, fraction: 8, linear: false }, "bias 24");
        let negative = registers(0x106, 0x80_0001, 7);
        assert_eq!(select(&negative, 1.0), LodSelection { level: 0, fraction: 0, linear: true }, "bias -128");
        let mut slope = registers(0x006, 0x00_0002, 7);
        slope.write(Command::new(Opcode::TEXLODSLOPE, 1.0f32.to_bits() >> 8));
        assert_eq!(select(&slope, 1.0).level, 1, "slope 1 is level 1");
        assert_eq!(select(&slope, 8.0).level, 4, "an eighth of the q is level 4");
    }
}
