//! Samples textures: wrapping, filtering, mipmaps.
//!
//! # Invariants
//! Weights are in sixteenths. Positions are cut towards zero to 1/16 texel, and the bilinear filter truncates after
//! each of its two steps. NaN coordinates count as 0. Infinite coordinates, like all positions beyond 32 bits,
//! select texel 0 (hardware test `vertices/texcoords`). Single arithmetic floors positions and truncates only once.
//! Source: [sampling](crate::reference::ge::sampling#texel-position) (hardware tests `filtering/nearest`,
//! `filtering/linear`, `filtering/mipmaplinear`, `textures/size`), [bilinear
//! filter](crate::reference::ge::sampling#bilinear-filter) (`reflection/reflection`). With linear filtering all four
//! texels are fetched, even those with weight 0 (chosen; only the texture cache can show it).

use arrayvec::ArrayVec;

use super::lod::LodSelection;
use super::texel_fetch::TexelFetch;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::texture::{TextureMode, TextureWrap};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::texture::{MAX_LEVEL, MAX_SIZE, Texture};
use crate::raster::fragments::fragment_record::{LevelRecord, TexelRecord, TextureRecord};
use crate::raster::fragments::recorder::Recorder;

/// Samples a draw's texture.
#[derive(Clone, Debug)]
pub(crate) struct Sampler<'a> {
    clut: &'a [u8; CLUT_BYTES],
    levels: ArrayVec<Texture, { MAX_LEVEL as usize + 1 }>,
    wrap: TextureWrap,
    /// Whether coordinates are in texels of level 0, rather than multiples of the texture size.
    through: bool,
    arithmetic: Arithmetic,
}

impl<'a> Sampler<'a> {
    /// Reads the texture from the registers.
    #[must_use]
    pub(crate) fn new(registers: &'a Registers, through: bool, arithmetic: Arithmetic) -> Self {
        let last = registers.get::<TextureMode>().max_level.min(MAX_LEVEL);
        let levels = (0..=last).map(|level| Texture::from_registers(registers, level)).collect();
        Self { clut: registers.clut(), levels, wrap: registers.get(), through, arithmetic }
    }

    /// Creates a sampler that finds texels but not their colours.
    #[must_use]
    pub(crate) const fn of_levels(
        levels: ArrayVec<Texture, { MAX_LEVEL as usize + 1 }>,
        wrap: TextureWrap,
        through: bool,
        arithmetic: Arithmetic,
    ) -> Self {
        Self { clut: &[0; CLUT_BYTES], levels, wrap, through, arithmetic }
    }

    /// Returns how many texels of level 0 a unit of the coordinates spans.
    #[must_use]
    pub(crate) fn scale(&self) -> [f64; 2] {
        self.levels.first().map_or([1.0; 2], |level| self.scale_of(level))
    }

    /// Samples the colour at s and t, which are already divided by q. Adds the levels and their texels to the
    /// texture's record.
    #[must_use]
    pub(crate) fn sample(
        &self,
        source: &mut impl TexelFetch,
        coordinates: [f64; 2],
        selection: LodSelection,
        recorder: &mut impl Recorder,
    ) -> [u8; 4] {
        let LodSelection { level, fraction, linear } = selection;
        let here = self.sample_level(source, coordinates, level, linear, recorder);
        if fraction == 0 {
            return here;
        }
        let next = self.sample_level(source, coordinates, level.saturating_add(1), linear, recorder);
        blend_levels(here, next, fraction)
    }

    /// Passes the texels that [`Self::sample`] fetches to `visit`, in the same order. This serves to follow the
    /// texture cache without drawing.
    pub(crate) fn visit(
        &self,
        coordinates: [f64; 2],
        LodSelection { level, fraction, linear }: LodSelection,
        visit: &mut impl FnMut(u8, &Texture, [u32; 2]),
    ) {
        for level in level..=level.saturating_add(u8::from(fraction > 0)) {
            let Some(texture) = self.levels.get(usize::from(level)) else { return };
            let LevelPosition { corners, .. } = self.position(texture, coordinates, linear);
            corners.into_iter().take(fetched(linear)).for_each(|at| visit(level, texture, at));
        }
    }

    fn sample_level(
        &self,
        source: &mut impl TexelFetch,
        coordinates: [f64; 2],
        level: u8,
        linear: bool,
        recorder: &mut impl Recorder,
    ) -> [u8; 4] {
        let Some(texture) = self.levels.get(usize::from(level)) else { return [0; 4] };
        let LevelPosition { position, corners } = self.position(texture, coordinates, linear);
        let [right, down] = position.map(|at| at.to_le_bytes()[0] & 15);
        // All fetches come first, and in a fixed order, because each may load a line into the cache.
        let mut stored = [0; 4];
        for (stored, at) in stored.iter_mut().zip(corners).take(fetched(linear)) {
            *stored = source.stored(level, texture, at);
        }
        let texel = |stored| texture.color_of(self.clut, stored);
        let color = if linear {
            match self.arithmetic {
                Arithmetic::Hardware => bilinear(stored.map(texel), right, down),
                Arithmetic::Single => emulated_bilinear(stored.map(texel), right, down),
            }
        } else {
            texel(stored[0])
        };
        recorder.record(|record| {
            let weights = if linear { bilinear_weights(right, down) } else { [256, 0, 0, 0] };
            let texels = corners.into_iter().zip(weights).zip(stored).take(fetched(linear));
            let texels = texels.map(|((at @ [u, v], weight), stored)| TexelRecord {
                position: at,
                address: texture.texel_address(u, v),
                palette_entry: texture.palette_entry(stored).map(u32::from),
                weight,
                color: texel(stored),
                stale: source.stale(level, texture, at),
            });
            let level = LevelRecord { level, position, texels: texels.collect(), color };
            record.texture.get_or_insert_with(TextureRecord::default).levels.push(level);
        });
        color
    }

    /// Finds the position for a sample in a level, and the texels around it.
    fn position(&self, texture: &Texture, [s, t]: [f64; 2], linear: bool) -> LevelPosition {
        let [width, height] = self.scale_of(texture);
        let place = |[u, v]: [i64; 2]| {
            let u = wrap_or_clamp(u, texture.width(), self.wrap.clamp_s);
            let v = wrap_or_clamp(v, texture.height(), self.wrap.clamp_t);
            [u, v]
        };
        let position = [s * width, t * height].map(|at| sixteenths(at, linear, self.arithmetic));
        let [left, top] = position.map(|at| at >> 4);
        let corners = [[left, top], [left + 1, top], [left, top + 1], [left + 1, top + 1]];
        LevelPosition { position, corners: corners.map(place) }
    }

    fn scale_of(&self, texture: &Texture) -> [f64; 2] {
        let size = [texture.width(), texture.height()].map(f64::from);
        match self.levels.first() {
            Some(first) if self.through => {
                [size[0] / f64::from(first.width()), size[1] / f64::from(first.height())]
            }
            _ => size,
        }
    }
}

/// Tells where a sample lies in a level.
struct LevelPosition {
    /// In 1/16 texel.
    position: [i64; 2],
    /// The texel at the position, then those to the right, below, and below to the right, after wrapping or
    /// clamping.
    corners: [[u32; 2]; 4],
}

/// Returns how many texels a filter fetches.
const fn fetched(linear: bool) -> usize {
    if linear { 4 } else { 1 }
}

/// Converts a position from texels to 1/16 texel. With linear filtering, it is relative to a texel's centre. The
/// hardware cuts towards zero, and positions outside 32 bits become the smallest. Emulators floor, to ±2^58 at most.
/// Returns 0 for NaN.
#[expect(clippy::cast_possible_truncation, reason = "the value is in range")]
#[must_use]
pub(crate) fn sixteenths(texels: f64, linear: bool, arithmetic: Arithmetic) -> i64 {
    match arithmetic {
        Arithmetic::Hardware => {
            let at = (texels * 16.0).trunc();
            let in_range = at.abs() < f64::from(i32::MIN).abs() || at.is_nan();
            let at = if in_range { at as i64 } else { i64::from(i32::MIN) };
            at - if linear { 8 } else { 0 }
        }
        Arithmetic::Single if linear => floor((texels - 0.5) * 16.0),
        Arithmetic::Single => floor(texels) << 4,
    }
}

/// Blends two upper and two lower texels with the fractions `right` and `down`, in 1/16. This blends each row first,
/// then the rows, and truncates after each step.
#[must_use]
pub(crate) fn bilinear([a, b, c, d]: [[u8; 4]; 4], right: u8, down: u8) -> [u8; 4] {
    blend_levels(blend_levels(a, b, right), blend_levels(c, d, right), down)
}

/// Returns how much [`bilinear`] weighs each texel, in 1/256.
fn bilinear_weights(right: u8, down: u8) -> [u16; 4] {
    let [[left, right], [up, down]] = [right, down].map(|part| [16 - u16::from(part), u16::from(part)]);
    [left * up, right * up, left * down, right * down]
}

/// Blends four texels as [`bilinear`] does, but truncates only once at the end.
#[must_use]
pub(crate) fn emulated_bilinear([a, b, c, d]: [[u8; 4]; 4], right: u8, down: u8) -> [u8; 4] {
    let (right, down) = (u32::from(right & 15), u32::from(down & 15));
    [0, 1, 2, 3].map(|i| {
        let mix = |left: u8, other: u8| u32::from(left) * (16 - right) + u32::from(other) * right;
        let sum = mix(a[i], b[i]) * (16 - down) + mix(c[i], d[i]) * down;
        (sum >> 8).to_le_bytes()[0]
    })
}

/// Blends two colours, truncated. The second has a weight of `fraction` sixteenths.
pub(crate) fn blend_levels(first: [u8; 4], second: [u8; 4], fraction: u8) -> [u8; 4] {
    let fraction = u32::from(fraction & 15);
    [0, 1, 2, 3].map(|i| {
        let sum = u32::from(first[i]) * (16 - fraction) + u32::from(second[i]) * fraction;
        (sum >> 4).to_le_bytes()[0]
    })
}

/// Wraps or clamps a texel position. There are no texels from 512 on.
pub(crate) fn wrap_or_clamp(texel: i64, size: u32, clamp: bool) -> u32 {
    let last = i64::from(size.min(MAX_SIZE) - 1);
    let inside = if clamp { texel.clamp(0, last) } else { texel & last };
    u32::try_from(inside).unwrap_or(0)
}

/// Floors a value and clamps it to ±2^58. Returns 0 for NaN. Numbers beyond 2^53 are all even, and so is the bound.
#[expect(clippy::cast_possible_truncation, reason = "the value is in range")]
pub(crate) fn floor(value: f64) -> i64 {
    const LIMIT: f64 = (1u64 << 58) as f64;
    value.floor().clamp(-LIMIT, LIMIT) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::command::Command;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::raster::fragments::recorder::NoRecorder;

    const NEAREST: LodSelection = LodSelection { level: 0, fraction: 0, linear: false };
    const LINEAR: LodSelection = LodSelection { level: 0, fraction: 0, linear: true };

    /// A 4×4 texture without palette at the start of VRAM, red = 64 u and green = 64 v, with a second level of 2×2
    /// white texels.
    fn scene(wrap: u32) -> (Memory, Registers) {
        let mut memory = Memory::default();
        for texel in 0..16u8 {
            let at = Address::vram(u32::from(texel) * 4);
            memory.write(at, &[texel % 4 * 64, texel / 4 * 64, 0, 255]);
        }
        memory.write(Address::vram(0x1000), &[255; 64]);
        let mut registers = Registers::new();
        for (opcode, argument) in [
            (Opcode::TEXBUFWIDTH0, 0x04_0004),
            (Opcode::TEXSIZE0, 0x0202),
            (Opcode::TEXADDR0.plus(1), 0x1000),
            (Opcode::TEXBUFWIDTH0.plus(1), 0x04_0004),
            (Opcode::TEXSIZE0.plus(1), 0x0101),
            (Opcode::TEXFORMAT, 3),
            (Opcode::TEXMODE, 1 << 16),
            (Opcode::TEXWRAP, wrap),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        (memory, registers)
    }

    #[test]
    fn positions_are_cut_towards_zero() {
        for (texels, linear, expected) in [
            (-0.06, false, 0),
            (-0.07, false, -1),
            (0.99, false, 15),
            (0.5, true, 0),
            (-0.06, true, -8),
            (1e12, false, i64::from(i32::MIN)),
            (-1e300, false, i64::from(i32::MIN)),
            (f64::NAN, false, 0),
        ] {
            assert_eq!(
                sixteenths(texels, linear, Arithmetic::Hardware),
                expected,
                "{texels}, linear {linear}"
            );
        }
        assert_eq!(sixteenths(-0.01, false, Arithmetic::Single), -16, "emulators floor");
    }

    #[test]
    fn nearest_takes_the_texel_around_coordinates() {
        let (memory, registers) = scene(0);
        let sampler = Sampler::new(&registers, true, Arithmetic::Hardware);
        assert_eq!(
            sampler.sample(&mut &memory, [1.99, 3.0], NEAREST, &mut NoRecorder),
            [64, 192, 0, 255],
            "texel (1, 3)"
        );
        assert_eq!(
            sampler.sample(&mut &memory, [-0.07, 4.0], NEAREST, &mut NoRecorder),
            [192, 0, 0, 255],
            "wraps both ways"
        );
        let sampler = Sampler::new(&registers, false, Arithmetic::Hardware);
        assert_eq!(
            sampler.sample(&mut &memory, [0.5, 0.25], NEAREST, &mut NoRecorder),
            [128, 64, 0, 255],
            "fractions of the size"
        );
    }

    #[test]
    fn linear_blends_sixteenths() {
        let (memory, registers) = scene(0x101);
        let sampler = Sampler::new(&registers, true, Arithmetic::Hardware);
        assert_eq!(
            sampler.sample(&mut &memory, [1.5, 1.5], LINEAR, &mut NoRecorder),
            [64, 64, 0, 255],
            "centre of a texel"
        );
        assert_eq!(
            sampler.sample(&mut &memory, [2.0, 1.5], LINEAR, &mut NoRecorder),
            [96, 64, 0, 255],
            "half way"
        );
        assert_eq!(
            sampler.sample(&mut &memory, [1.56, 1.5], LINEAR, &mut NoRecorder),
            [64, 64, 0, 255],
            "below a sixteenth"
        );
        assert_eq!(
            sampler.sample(&mut &memory, [0.0, 1.5], LINEAR, &mut NoRecorder),
            [0, 64, 0, 255],
            "clamped"
        );
        let (memory, registers) = scene(0);
        let sampler = Sampler::new(&registers, true, Arithmetic::Hardware);
        assert_eq!(
            sampler.sample(&mut &memory, [0.0, 1.5], LINEAR, &mut NoRecorder),
            [96, 64, 0, 255],
            "wrapped"
        );
    }

    #[test]
    fn bilinear_truncates_twice() {
        let texels = [[255, 1, 0, 0], [255, 0, 0, 0], [255, 0, 3, 0], [255, 0, 0, 255]];
        assert_eq!(bilinear(texels, 8, 8), [255, 0, 0, 63], "equal parts: half of 127");
        assert_eq!(bilinear(texels, 15, 15), [255, 0, 0, 224], "15/16 of 239");
        assert_eq!(bilinear([[1; 4], [2; 4], [1; 4], [2; 4]], 15, 1), [1; 4], "31/16 is cut in each row");
        assert_eq!(bilinear([[3; 4], [0; 4], [0; 4], [5; 4]], 8, 8), [1; 4], "half of 1 and 2");
        assert_eq!(emulated_bilinear([[3; 4], [0; 4], [0; 4], [5; 4]], 8, 8), [2; 4], "a quarter of 8");
    }

    #[test]
    fn blends_levels() {
        let (memory, registers) = scene(0);
        let sampler = Sampler::new(&registers, true, Arithmetic::Hardware);
        let selection = LodSelection { level: 0, fraction: 4, linear: false };
        // (0 × 12 + 255 × 4) >> 4
        assert_eq!(
            sampler.sample(&mut &memory, [0.5, 0.5], selection, &mut NoRecorder),
            [63, 63, 63, 255],
            "a quarter of white"
        );
    }

    #[test]
    fn handles_nan_infinite_and_huge_coordinates() {
        let (memory, registers) = scene(0x101);
        let sampler = Sampler::new(&registers, false, Arithmetic::Hardware);
        for selection in [NEAREST, LINEAR] {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
                let far = sampler.sample(&mut &memory, [value, value], selection, &mut NoRecorder);
                assert!(far == [0, 0, 0, 255] || far == [192, 192, 0, 255], "{value}: {far:?}");
            }
        }
        let (memory, registers) = scene(0);
        let sampler = Sampler::new(&registers, false, Arithmetic::Hardware);
        assert_eq!(
            sampler.sample(&mut &memory, [f64::INFINITY; 2], NEAREST, &mut NoRecorder),
            [0, 0, 0, 255],
            "infinity is even"
        );
        assert_eq!(wrap_or_clamp(600, 1024, true), 511, "no texel beyond 511");
        assert_eq!(wrap_or_clamp(600, 1024, false), 88, "also with wrap");
    }
}
