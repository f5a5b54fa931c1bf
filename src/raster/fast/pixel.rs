//! The pixel pipeline over batches: [`crate::raster::pixel`] with each stage a loop over lanes.
//!
//! # Invariants
//! The same values, stage by stage, as the reference. Tests without side effects may come earlier than there.
#![expect(clippy::cast_possible_truncation, reason = "lanes are cut to bytes by masks and limits")]

use super::batch::{Batch, LANES, SIZE, groups, groups_mut};
use super::state::{Blend, ColorTester, State, Stencil};
use super::target::Target;
use crate::arithmetic::simd::Simd;
use crate::raster::stencil;
use crate::registers::pixel::{BlendEquation, BlendFactor, ColorComparison, Comparison, LogicOperation};
use crate::registers::texture::{PixelFormat, TextureFunc, TextureFunction};

/// One group of lanes.
type Group = [u16; LANES];

/// Marks the fragments of a batch that pass the tests which need no colour, and says whether any did.
pub(super) fn begin<S: Simd>(simd: S, batch: &mut Batch, state: &State, target: &Target<'_>) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let count = batch.groups();
            let total = batch.count as u16;
            for (group, alive) in groups_mut(&mut batch.alive, count).iter_mut().enumerate() {
                for (lane, alive) in alive.iter_mut().enumerate() {
                    *alive = mask((group * LANES + lane) as u16 <= total.wrapping_sub(1));
                }
            }
            if let Some([low, high]) = state.depth_range {
                let values = groups(&batch.z, count).iter();
                for (alive, z) in groups_mut(&mut batch.alive, count).iter_mut().zip(values) {
                    for lane in 0..LANES {
                        alive[lane] &= mask(z[lane] >= low) & mask(z[lane] <= high);
                    }
                }
            }
            if state.clear.is_some() {
                return batch.count > 0;
            }
            if state.uses_depth() {
                target.load_depth(batch);
            }
            if let Some(function) = state.depth_test
                && state.stencil.is_none()
            {
                test_depth(batch, function);
            }
            let left = count_alive(batch) as usize;
            if left > 0 && left + left / 8 < batch.count {
                batch.close_gaps();
            }
            left > 0
        },
    )
}

/// Takes the fragments through the rest of the pipeline and stores them. Returns how many passed.
pub(super) fn finish<S: Simd>(simd: S, batch: &mut Batch, state: &State, target: &mut Target<'_>) -> u32 {
    if let Some(clear) = state.clear {
        return simd.vectorize(
            #[inline(always)]
            || {
                if clear.depth {
                    target.load_depth(batch);
                    target.store_depth(batch);
                }
                if state.protect != u32::MAX {
                    target.load_color(batch);
                    combine(batch, state, target.format);
                    target.store_color(batch);
                }
                count_alive(batch)
            },
        );
    }
    let tested = simd.vectorize(
        #[inline(always)]
        || {
            if state.textured {
                apply_texel(batch, state.function, state.environment);
            }
            if state.secondary {
                add_secondary(batch);
            }
            if let Some(test) = state.alpha_test {
                let (reference, mask) = (test.reference & test.mask, test.mask);
                let count = batch.groups();
                let alpha = groups(&batch.color[3], count).iter();
                for (alive, alpha) in groups_mut(&mut batch.alive, count).iter_mut().zip(alpha) {
                    let masked = alpha.map(|alpha| alpha & u16::from(mask));
                    compare(test.function, alive, &masked, &[u16::from(reference); LANES]);
                }
            }
            if let Some(fog) = state.fog {
                apply_fog(batch, fog);
            }
            if let Some(test) = state.color_test {
                test_color(batch, test);
            }
            (state.alpha_test.is_none() && state.color_test.is_none()) || any_alive(batch)
        },
    );
    if !tested {
        return 0;
    }
    simd.vectorize(
        #[inline(always)]
        || {
            target.load_color(batch);
            if state.needs_old_color() {
                decode(batch, target.format);
            }
            if let Some(stencil) = state.stencil {
                test_stencil(batch, state, stencil, target.format);
            }
            if state.depth_write {
                target.store_depth(batch);
            }
            if let Some(blend) = state.blend {
                apply_blend(batch, blend);
            }
            if state.stencil.is_some() {
                batch.color[3] = batch.stencil;
            }
            combine(batch, state, target.format);
            target.store_color(batch);
            count_alive(batch)
        },
    )
}

#[inline(always)]
fn mask(value: bool) -> u16 {
    if value { 0xFFFF } else { 0 }
}

#[inline(always)]
fn any_alive(batch: &Batch) -> bool {
    let mut any = [0; LANES];
    for alive in groups(&batch.alive, batch.groups()) {
        for lane in 0..LANES {
            any[lane] |= alive[lane];
        }
    }
    any.iter().fold(0, |any, lane| any | lane) != 0
}

#[inline(always)]
fn count_alive(batch: &Batch) -> u32 {
    let mut sum = [0_u16; LANES];
    for alive in groups(&batch.alive, batch.groups()) {
        for lane in 0..LANES {
            sum[lane] = sum[lane].wrapping_sub(alive[lane]);
        }
    }
    sum.iter().map(|sum| u32::from(*sum)).sum()
}

/// Keeps the lanes where `new` passes against `old`.
#[inline(always)]
fn compare(function: Comparison, alive: &mut Group, new: &Group, old: &Group) {
    macro_rules! keep {
        ($operator:tt) => {
            for lane in 0..LANES {
                alive[lane] &= mask(new[lane] $operator old[lane]);
            }
        };
    }
    match function {
        Comparison::NEVER => *alive = [0; LANES],
        Comparison::ALWAYS => {}
        Comparison::EQUAL => keep!(==),
        Comparison::NOT_EQUAL => keep!(!=),
        Comparison::LESS => keep!(<),
        Comparison::LESS_EQUAL => keep!(<=),
        Comparison::GREATER => keep!(>),
        _ => keep!(>=),
    }
}

#[inline(always)]
fn test_depth(batch: &mut Batch, function: Comparison) {
    let count = batch.groups();
    let values = groups(&batch.z, count).iter().zip(groups(&batch.old_z[..SIZE], count));
    for (alive, (z, old)) in groups_mut(&mut batch.alive, count).iter_mut().zip(values) {
        compare(function, alive, z, old);
    }
}

/// The texture function ([`crate::raster::texture_function`]); sums and products fit 16 bits.
#[inline(always)]
fn apply_texel(batch: &mut Batch, function: TextureFunc, environment: [u8; 3]) {
    let count = batch.groups();
    let texels = groups(&batch.texel[..SIZE], count);
    let [red, green, blue, alpha] = &mut batch.color;
    let [red, green, blue] = [red, green, blue].map(|channel| groups_mut(channel, count));
    let alpha = groups_mut(alpha, count);
    let replaces = function.function == TextureFunction::REPLACE;
    let with_alpha = function.use_alpha && function.function != TextureFunction::DECAL;
    macro_rules! each {
        (|$p:ident, $t:ident, $environment:ident, $alpha:ident| $result:expr) => {
            for (group, texels) in texels.iter().enumerate() {
                let (low, high) = halves(texels);
                let mut texel = [[0; LANES]; 4];
                for lane in 0..LANES {
                    texel[0][lane] = low[lane] & 255;
                    texel[1][lane] = low[lane] >> 8;
                    texel[2][lane] = high[lane] & 255;
                    texel[3][lane] = high[lane] >> 8;
                }
                let colors = [&mut red[group], &mut green[group], &mut blue[group]];
                for ((color, texels), $environment) in colors.into_iter().zip(&texel).zip(environment) {
                    let $environment = u16::from($environment);
                    for lane in 0..LANES {
                        let ($p, $t, $alpha) = (color[lane], texels[lane], texel[3][lane]);
                        color[lane] = ($result).min(255);
                    }
                }
                if with_alpha && replaces {
                    alpha[group] = texel[3];
                } else if with_alpha {
                    for lane in 0..LANES {
                        alpha[group][lane] = ((alpha[group][lane] + 1) * texel[3][lane]) >> 8;
                    }
                }
            }
        };
    }
    match (function.function, function.double) {
        (TextureFunction::MODULATE, false) => each!(|p, t, _e, _a| ((p + 1) * t) >> 8),
        (TextureFunction::MODULATE, true) => each!(|p, t, _e, _a| ((p + 1) * t) >> 7),
        (TextureFunction::DECAL, false) if function.use_alpha => {
            each!(|p, t, _e, a| ((p + 1) * (255 - a) + (t + 1) * a) >> 8);
        }
        (TextureFunction::DECAL, true) if function.use_alpha => {
            each!(|p, t, _e, a| ((p + 1) * (255 - a) + (t + 1) * a) >> 7);
        }
        (TextureFunction::BLEND, false) => each!(|p, t, e, _a| ((255 - t) * p + t * e + 255) >> 8),
        (TextureFunction::BLEND, true) => each!(|p, t, e, _a| ((255 - t) * p + t * e + 255) >> 7),
        (TextureFunction::DECAL | TextureFunction::REPLACE, false) => each!(|_p, t, _e, _a| t),
        (TextureFunction::DECAL | TextureFunction::REPLACE, true) => each!(|_p, t, _e, _a| t * 2),
        (_, false) => each!(|p, t, _e, _a| p + t),
        (_, true) => each!(|p, t, _e, _a| (p + t) * 2),
    }
}

/// The lower and upper halves of words.
#[inline(always)]
fn halves(words: &[u32; LANES]) -> (Group, Group) {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        low[lane] = words[lane] as u16;
        high[lane] = (words[lane] >> 16) as u16;
    }
    (low, high)
}

#[inline(always)]
fn add_secondary(batch: &mut Batch) {
    let count = batch.groups();
    for (color, secondary) in batch.color.iter_mut().zip(&batch.secondary) {
        for (color, secondary) in groups_mut(color, count).iter_mut().zip(groups(secondary, count)) {
            for lane in 0..LANES {
                color[lane] = (color[lane] + secondary[lane]).min(255);
            }
        }
    }
}

/// [`crate::raster::fog::apply`].
#[inline(always)]
fn apply_fog(batch: &mut Batch, fog: [u8; 3]) {
    let count = batch.groups();
    for (color, fog) in batch.color.iter_mut().zip(fog.map(u16::from)) {
        for (color, factor) in groups_mut(color, count).iter_mut().zip(groups(&batch.fog, count)) {
            for lane in 0..LANES {
                color[lane] = (color[lane] * factor[lane] + fog * (255 - factor[lane]) + 255) >> 8;
            }
        }
    }
}

#[inline(always)]
fn test_color(batch: &mut Batch, test: ColorTester) {
    let count = batch.groups();
    for (group, alive) in groups_mut(&mut batch.alive, count).iter_mut().enumerate() {
        let mut different = [0; LANES];
        for channel in 0..3 {
            let (wanted, bits) = (u16::from(test.reference[channel]), u16::from(test.mask[channel]));
            let color = &groups(&batch.color[channel], count)[group];
            for lane in 0..LANES {
                different[lane] |= (color[lane] ^ wanted) & bits;
            }
        }
        for lane in 0..LANES {
            alive[lane] &= match test.function {
                ColorComparison::NEVER => 0,
                ColorComparison::ALWAYS => 0xFFFF,
                ColorComparison::EQUAL => mask(different[lane] == 0),
                _ => mask(different[lane] != 0),
            };
        }
    }
}

/// Stored bits as red, green, blue and stencil ([`crate::framebuffer::ColorSurface::decode`]).
#[inline(always)]
fn decode(batch: &mut Batch, format: PixelFormat) {
    let count = batch.groups();
    let [red, green, blue, alpha] = &mut batch.old;
    let (red, green) = (groups_mut(red, count), groups_mut(green, count));
    let (blue, alpha) = (groups_mut(blue, count), groups_mut(alpha, count));
    macro_rules! each {
        (|$low:ident, $high:ident| $red:expr, $green:expr, $blue:expr, $alpha:expr) => {
            for (group, bits) in groups(&batch.bits[..SIZE], count).iter().enumerate() {
                let (low, high) = halves(bits);
                for lane in 0..LANES {
                    let ($low, $high) = (low[lane], high[lane]);
                    red[group][lane] = $red;
                    green[group][lane] = $green;
                    blue[group][lane] = $blue;
                    alpha[group][lane] = $alpha;
                }
            }
        };
    }
    let five = |bits: u16| (bits & 31) << 3 | (bits & 31) >> 2;
    let six = |bits: u16| (bits & 63) << 2 | (bits & 63) >> 4;
    let four = |bits: u16| (bits & 15) * 17;
    match format {
        PixelFormat::BGR5650 => each!(|bits, _high| five(bits), six(bits >> 5), five(bits >> 11), 0),
        PixelFormat::ABGR5551 => {
            each!(|bits, _high| five(bits), five(bits >> 5), five(bits >> 10), (bits >> 15) * 255);
        }
        PixelFormat::ABGR4444 => {
            each!(|bits, _high| four(bits), four(bits >> 4), four(bits >> 8), four(bits >> 12));
        }
        _ => each!(|low, high| low & 255, low >> 8, high & 255, high >> 8),
    }
}

/// Stencil test, and the depth test where it has a say in the stencil. Fragments that fail leave their stencil in the
/// bits to be stored, the others in [`Batch::stencil`]: blending looks at the old one.
#[inline(always)]
fn test_stencil(batch: &mut Batch, state: &State, stencil: Stencil, format: PixelFormat) {
    let Stencil { test, operations } = stencil;
    let count = batch.groups();
    let kept = state.protect | !alpha_bits(format);
    for group in 0..count {
        let old = groups(&batch.old[3], count)[group];
        let before = groups(&batch.alive, count)[group];
        let mut alive = before;
        let reference = u16::from(test.reference & test.mask);
        let masked = old.map(|old| old & u16::from(test.mask));
        compare(test.function, &mut alive, &[reference; LANES], &masked);
        let passed_stencil = alive;
        if let Some(function) = state.depth_test {
            let depths = groups(&batch.old_z[..SIZE], count);
            compare(function, &mut alive, &groups(&batch.z, count)[group], &depths[group]);
        }
        for lane in 0..LANES {
            if before[lane] == 0 {
                continue;
            }
            let operation = if passed_stencil[lane] == 0 {
                operations.stencil_fail
            } else if alive[lane] == 0 {
                operations.depth_fail
            } else {
                operations.pass
            };
            let new = stencil::operate(operation, old[lane] as u8, test.reference, format);
            if alive[lane] == 0 {
                let bits = &mut batch.bits[group * LANES + lane];
                let stored = crate::color::encode(format, [0, 0, 0, new]);
                *bits = stored & !kept | *bits & kept;
            } else {
                batch.stencil[group * LANES + lane] = u16::from(new);
            }
        }
        groups_mut(&mut batch.alive, count)[group] = alive;
    }
}

fn alpha_bits(format: PixelFormat) -> u32 {
    crate::color::encode(format, [0, 0, 0, 255])
}

/// Blending ([`crate::raster::blend`]). Results are not limited: they are signed numbers.
#[inline(always)]
fn apply_blend(batch: &mut Batch, Blend { mode, fixed }: Blend) {
    let by_alpha = (BlendFactor::SOURCE_ALPHA, BlendFactor::ONE_MINUS_SOURCE_ALPHA);
    match (mode.equation, (mode.source, mode.destination)) {
        // What most draws use, without a choice for each group.
        (BlendEquation::ADD, factors) if factors == by_alpha => {
            let count = batch.groups();
            let [red, green, blue, alpha] = &mut batch.color;
            for (color, old) in [red, green, blue].into_iter().zip(&batch.old) {
                let old = groups(old, count).iter().zip(groups(alpha, count));
                for (color, (old, alpha)) in groups_mut(color, count).iter_mut().zip(old) {
                    let mut rest = [0; LANES];
                    for lane in 0..LANES {
                        rest[lane] = 255 - alpha[lane];
                    }
                    let (from_source, from_old) = (multiply(color, alpha), multiply(old, &rest));
                    for lane in 0..LANES {
                        color[lane] = from_source[lane] + from_old[lane];
                    }
                }
            }
        }
        _ => apply_any_blend(batch, Blend { mode, fixed }),
    }
}

#[inline(always)]
fn apply_any_blend(batch: &mut Batch, Blend { mode, fixed }: Blend) {
    let count = batch.groups();
    for group in 0..count {
        let source_alpha = groups(&batch.color[3], count)[group];
        let old_alpha = groups(&batch.old[3], count)[group];
        for (channel, (fixed_source, fixed_old)) in fixed[0].into_iter().zip(fixed[1]).enumerate() {
            let old = groups(&batch.old[channel], count)[group];
            let color = &mut groups_mut(&mut batch.color[channel], count)[group];
            let alphas = (&source_alpha, &old_alpha);
            let source = *color;
            let from_source = || multiply(&source, &factor(mode.source, &old, alphas, fixed_source));
            let from_old = || multiply(&old, &factor(mode.destination, &source, alphas, fixed_old));
            macro_rules! each {
                (|$a:ident, $b:ident| $result:expr; $first:expr, $second:expr) => {{
                    let (first, second) = ($first, $second);
                    for lane in 0..LANES {
                        let ($a, $b) = (first[lane], second[lane]);
                        color[lane] = $result;
                    }
                }};
            }
            match mode.equation {
                BlendEquation::ADD => each!(|s, d| s + d; from_source(), from_old()),
                BlendEquation::SUBTRACT => each!(|s, d| s.wrapping_sub(d); from_source(), from_old()),
                BlendEquation::REVERSE_SUBTRACT => each!(|s, d| d.wrapping_sub(s); from_source(), from_old()),
                BlendEquation::MIN => each!(|s, d| s.min(d); &source, &old),
                BlendEquation::MAX => each!(|s, d| s.max(d); &source, &old),
                BlendEquation::ABSOLUTE_DIFFERENCE => each!(|s, d| s.abs_diff(d); &source, &old),
                _ => {}
            }
        }
    }
}

/// [`crate::raster::blend::multiply`]: the product's upper half, moved by six bits beforehand.
#[inline(always)]
fn multiply(values: &Group, factors: &Group) -> Group {
    let mut products = [0; LANES];
    for lane in 0..LANES {
        let (a, b) = ((2 * values[lane] + 1) << 6, 2 * factors[lane] + 1);
        products[lane] = ((u32::from(a) * u32::from(b)) >> 16) as u16;
    }
    products
}

#[inline(always)]
fn factor(factor: BlendFactor, other: &Group, (source, old): (&Group, &Group), fixed: u8) -> Group {
    let mut factors = [u16::from(fixed); LANES];
    macro_rules! each {
        (|$value:ident| $result:expr; $values:expr) => {
            for (factor, value) in factors.iter_mut().zip($values) {
                let $value = *value;
                *factor = $result;
            }
        };
    }
    match factor {
        BlendFactor::COLOR => each!(|value| value; other),
        BlendFactor::ONE_MINUS_COLOR => each!(|value| 255 - value; other),
        BlendFactor::SOURCE_ALPHA => each!(|value| value; source),
        BlendFactor::ONE_MINUS_SOURCE_ALPHA => each!(|value| 255 - value; source),
        BlendFactor::DESTINATION_ALPHA => each!(|value| value; old),
        BlendFactor::ONE_MINUS_DESTINATION_ALPHA => each!(|value| 255 - value; old),
        BlendFactor::DOUBLE_SOURCE_ALPHA => each!(|value| 2 * value; source),
        BlendFactor::ONE_MINUS_DOUBLE_SOURCE_ALPHA => each!(|value| 255 - (2 * value).min(255); source),
        BlendFactor::DOUBLE_DESTINATION_ALPHA => each!(|value| 2 * value; old),
        BlendFactor::ONE_MINUS_DOUBLE_DESTINATION_ALPHA => each!(|value| 255 - (2 * value).min(255); old),
        _ => {}
    }
    factors
}

/// Dither, limits, logic operation and masks: bits to be stored. Alpha is the stencil by now.
#[inline(always)]
fn combine(batch: &mut Batch, state: &State, format: PixelFormat) {
    let count = batch.groups();
    if let Some(matrix) = &state.dither {
        let (left, top) = batch.origin;
        for at in 0..(count * LANES).min(SIZE) {
            let row = matrix[(batch.y[at] + top) as usize & 3];
            let offset = row[(batch.x[at] + left) as usize & 3];
            for color in &mut batch.color[..3] {
                color[at] = (color[at] as i16).wrapping_add(offset) as u16;
            }
        }
    }
    if state.dither.is_some() || state.blend.is_some() {
        for color in &mut batch.color[..3] {
            for color in groups_mut(color, count).as_flattened_mut() {
                *color = (*color as i16).clamp(0, 255) as u16;
            }
        }
    }
    if let Some(operation) = state.logic
        && state.clear.is_none()
    {
        apply_logic(batch, operation);
    }
    macro_rules! each {
        (|$red:ident, $green:ident, $blue:ident, $alpha:ident| $low:expr, $high:expr) => {
            for group in 0..count {
                let [red, green, blue, alpha] =
                    batch.color.each_ref().map(|color| &groups(color, count)[group]);
                let (mut low, mut high) = ([0_u16; LANES], [0_u16; LANES]);
                for lane in 0..LANES {
                    let ($red, $green) = (red[lane], green[lane]);
                    let ($blue, $alpha) = (blue[lane], alpha[lane]);
                    low[lane] = $low;
                    high[lane] = $high;
                }
                let alive = &groups(&batch.alive, count)[group];
                let bits = &mut groups_mut(&mut batch.bits[..SIZE], count)[group];
                for lane in 0..LANES {
                    let kept = state.protect | !(alive[lane] as i16 as i32 as u32);
                    let new = u32::from(low[lane]) | u32::from(high[lane]) << 16;
                    bits[lane] = new & !kept | bits[lane] & kept;
                }
            }
        };
    }
    match format {
        PixelFormat::BGR5650 => each!(|r, g, b, _a| r >> 3 | g >> 2 << 5 | b >> 3 << 11, 0),
        PixelFormat::ABGR5551 => each!(|r, g, b, a| r >> 3 | g >> 3 << 5 | b >> 3 << 10 | a >> 7 << 15, 0),
        PixelFormat::ABGR4444 => each!(|r, g, b, a| r >> 4 | g >> 4 << 4 | b >> 4 << 8 | a >> 4 << 12, 0),
        _ => each!(|r, g, b, a| r | g << 8, b | a << 8),
    }
}

/// [`crate::raster::logic`].
#[inline(always)]
fn apply_logic(batch: &mut Batch, operation: LogicOperation) {
    let count = batch.groups();
    for (color, old) in batch.color.iter_mut().zip(&batch.old).take(3) {
        macro_rules! each {
            (|$s:ident, $d:ident| $result:expr) => {
                for (color, old) in groups_mut(color, count).iter_mut().zip(groups(old, count)) {
                    for lane in 0..LANES {
                        let ($s, $d) = (color[lane], old[lane]);
                        color[lane] = ($result) & 255;
                    }
                }
            };
        }
        match operation {
            LogicOperation::CLEAR => each!(|_s, _d| 0),
            LogicOperation::AND => each!(|s, d| s & d),
            LogicOperation::AND_REVERSE => each!(|s, d| s & !d),
            LogicOperation::COPY => each!(|s, _d| s),
            LogicOperation::AND_INVERTED => each!(|s, d| !s & d),
            LogicOperation::NOOP => each!(|_s, d| d),
            LogicOperation::XOR => each!(|s, d| s ^ d),
            LogicOperation::OR => each!(|s, d| s | d),
            LogicOperation::NOR => each!(|s, d| !(s | d)),
            LogicOperation::EQUIVALENCE => each!(|s, d| !(s ^ d)),
            LogicOperation::INVERT => each!(|_s, d| !d),
            LogicOperation::OR_REVERSE => each!(|s, d| s | !d),
            LogicOperation::COPY_INVERTED => each!(|s, _d| !s),
            LogicOperation::OR_INVERTED => each!(|s, d| !s | d),
            LogicOperation::NAND => each!(|s, d| !(s & d)),
            _ => each!(|_s, _d| 0xFF),
        }
    }
}
