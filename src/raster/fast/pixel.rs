//! The pixel pipeline over batches: [`crate::raster::pixel`], sixteen fragments at a time.
//!
//! # Invariants
//! The same values, stage by stage, as the reference. Tests without side effects may come earlier than there.

use super::batch::{Batch, LANES, ROOM, SIZE, groups, groups_mut};
use super::state::{ColorTester, State};
use super::target::Target;
use super::words::{self, Colors, Words, compare, load};
use super::{blend, shade, stencil, stored};
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::{ClearMode, ColorComparison};

/// Marks the fragments of a batch that pass the tests which need no colour, and says whether any did.
#[inline(always)]
pub(super) fn begin<S: Simd>(simd: S, batch: &mut Batch, state: &State, target: &Target<'_>) -> bool {
    let count = batch.groups();
    let test = if state.clear.is_some() {
        None
    } else {
        if state.uses_depth() {
            target.load_depth(batch);
        }
        // Otherwise it has a say in the stencil.
        state.depth_test.filter(|_| state.stencil.is_none())
    };
    let numbers = Words::simd_from(simd, NUMBERS);
    let mut alive_bits = 0_u128;
    for group in 0..count {
        let first = group * LANES;
        let left = Words::splat(simd, u16::try_from(batch.count - first).unwrap_or(u16::MAX));
        let mut alive = words::bits(numbers.simd_lt(left));
        let z = load(simd, &groups(&batch.z, count)[group]);
        if let Some([low, high]) = state.depth_range {
            alive &= words::bits(z.simd_ge(low)) & words::bits(z.simd_le(high));
        }
        if let Some(function) = test {
            let old = load(simd, &groups(&batch.old_z[..SIZE], count)[group]);
            alive &= compare(simd, function, z, old);
        }
        alive.store_array(&mut groups_mut(&mut batch.alive, count)[group]);
        alive_bits |= u128::from(words::mask(alive).to_bitmask()) << first;
    }
    let left = alive_bits.count_ones() as usize;
    if left > 0 && left + left / 8 < batch.count && state.clear.is_none() {
        batch.close_gaps(alive_bits);
    }
    left > 0
}

/// The lanes of a group.
const NUMBERS: [u16; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Takes the fragments through the rest of the pipeline and stores them. Returns how many passed.
#[inline(always)]
pub(super) fn finish<S: Simd>(simd: S, batch: &mut Batch, state: &State, target: &mut Target<'_>) -> u32 {
    if let Some(clear) = state.clear {
        return finish_clear(simd, batch, state, clear, target);
    }
    let format = target.format;
    target.load_color(batch);
    let offsets = state.dither.as_ref().map(|matrix| dither_offsets(batch, matrix, target.first));
    // Bits that may change, at all and where the stencil test fails.
    let open_bits = stored::splat(simd, !state.protect);
    let [low, high] = stored::stencil_bits(simd, format);
    let stencil_bits = [low & open_bits[0], high & open_bits[1]];
    let count = batch.groups();
    let (mut passed, mut changed) = (0, false);
    for group in 0..count {
        let mut alive = load(simd, &groups(&batch.alive, count)[group]);
        let mut color = shaded(simd, batch, state, count, group, &mut alive);
        if words::mask(alive).all_false() {
            continue;
        }
        changed = true;
        let mut kept = stored::load(simd, batch, group, format);
        let old = if state.needs_old_color() {
            stored::decode(simd, kept, format)
        } else {
            [Words::splat(simd, 0); 4]
        };
        let mut alpha = color[3];
        if let Some(test) = state.stencil {
            let z = load(simd, &groups(&batch.z, count)[group]);
            let old_z = load(simd, &groups(&batch.old_z[..SIZE], count)[group]);
            let depth = state.depth_test.map(|function| (function, z, old_z));
            let tested = stencil::test(simd, test, format, alive, old[3], depth);
            let failed = stored::encode(simd, [tested.failed; 4], format);
            let change = alive & !tested.alive;
            let [low, high] = stencil_bits;
            kept = stored::merge(kept, failed, [change & low, change & high]);
            alive = tested.alive;
            alpha = tested.passed;
        }
        if let Some(mode) = state.blend {
            color = blend::blend(simd, color, old, mode);
        }
        // Blending looks at the colour's own alpha, what is stored is the stencil.
        color[3] = alpha;
        if state.blend.is_some() || offsets.is_some() {
            let offsets = offsets.as_ref().map(|offsets| offset(simd, offsets, group));
            color = stored::limit(simd, color, offsets);
        }
        if let Some(operation) = state.logic {
            color = stored::combine(color, old, operation);
        }
        let new = stored::encode(simd, color, format);
        let [low, high] = open_bits;
        let new = stored::merge(kept, new, [alive & low, alive & high]);
        stored::store(new, batch, group, format);
        if state.depth_write {
            keep_depth(simd, batch, count, group, alive);
        }
        passed += words::mask(alive).to_bitmask().count_ones();
    }
    if !changed {
        return 0;
    }
    if state.depth_write {
        target.store_depth(batch);
    }
    target.store_color(batch);
    passed
}

/// A draw in clear mode: no tests.
#[inline(always)]
fn finish_clear<S: Simd>(
    simd: S,
    batch: &mut Batch,
    state: &State,
    clear: ClearMode,
    target: &mut Target<'_>,
) -> u32 {
    let (count, format) = (batch.groups(), target.format);
    if clear.depth {
        target.load_depth(batch);
    }
    let writes_color = state.protect != u32::MAX;
    if writes_color {
        target.load_color(batch);
    }
    let offsets = state.dither.as_ref().map(|matrix| dither_offsets(batch, matrix, target.first));
    let [low, high] = stored::splat(simd, !state.protect);
    let mut passed = 0;
    for group in 0..count {
        let alive = load(simd, &groups(&batch.alive, count)[group]);
        if clear.depth {
            keep_depth(simd, batch, count, group, alive);
        }
        if writes_color {
            let mut color = color_of(simd, batch, count, group);
            if let Some(offsets) = &offsets {
                color = stored::limit(simd, color, Some(offset(simd, offsets, group)));
            }
            let (kept, new) = (stored::load(simd, batch, group, format), stored::encode(simd, color, format));
            let new = stored::merge(kept, new, [alive & low, alive & high]);
            stored::store(new, batch, group, format);
        }
        passed += words::mask(alive).to_bitmask().count_ones();
    }
    if clear.depth {
        target.store_depth(batch);
    }
    if writes_color {
        target.store_color(batch);
    }
    passed
}

/// The colours of a group.
#[inline(always)]
fn color_of<S: Simd>(simd: S, batch: &Batch, count: usize, group: usize) -> Colors<S> {
    let [red, green, blue, alpha] = &batch.color;
    let lanes = |channel| load(simd, &groups(channel, count)[group]);
    [lanes(red), lanes(green), lanes(blue), lanes(alpha)]
}

/// A group's colours up to the colour test, and who passes it.
#[inline(always)]
fn shaded<S: Simd>(
    simd: S,
    batch: &Batch,
    state: &State,
    count: usize,
    group: usize,
    alive: &mut Words<S>,
) -> Colors<S> {
    let mut color = color_of(simd, batch, count, group);
    if state.textured {
        let texels = &groups(&batch.texel[..SIZE], count)[group];
        color = shade::texture(simd, color, texels, state.function, state.environment);
    }
    if state.secondary {
        let [red, green, blue] = &batch.secondary;
        let lanes = |channel| load(simd, &groups(channel, count)[group]);
        color = shade::add_secondary(color, [lanes(red), lanes(green), lanes(blue)]);
    }
    if let Some(test) = state.alpha_test {
        let reference = Words::splat(simd, u16::from(test.reference & test.mask));
        *alive &= compare(simd, test.function, color[3] & u16::from(test.mask), reference);
    }
    if let Some(fog) = state.fog {
        color = shade::fog(simd, color, load(simd, &groups(&batch.fog, count)[group]), fog);
    }
    if let Some(test) = state.color_test {
        *alive &= passes_color_test(simd, color, test);
    }
    color
}

/// The colour test.
#[inline(always)]
fn passes_color_test<S: Simd>(simd: S, color: Colors<S>, test: ColorTester) -> Words<S> {
    let mut different = Words::splat(simd, 0);
    for (color, (wanted, bits)) in color.into_iter().zip(test.reference.into_iter().zip(test.mask)) {
        different |= (color ^ u16::from(wanted)) & u16::from(bits);
    }
    let equal = words::bits(different.simd_eq(0_u16));
    match test.function {
        ColorComparison::NEVER => Words::splat(simd, 0),
        ColorComparison::ALWAYS => Words::splat(simd, u16::MAX),
        ColorComparison::EQUAL => equal,
        _ => !equal,
    }
}

/// Depths to be stored: new ones of fragments that are alive.
#[inline(always)]
fn keep_depth<S: Simd>(simd: S, batch: &mut Batch, count: usize, group: usize, alive: Words<S>) {
    let z = load(simd, &groups(&batch.z, count)[group]);
    let old = &mut groups_mut(&mut batch.old_z[..SIZE], count)[group];
    let kept = load(simd, old);
    (kept ^ ((kept ^ z) & alive)).store_array(old);
}

/// What the dither matrix adds to each fragment.
#[inline(always)]
fn dither_offsets(batch: &Batch, matrix: &[[u16; 4 + LANES]; 4], first_row: usize) -> [u16; ROOM] {
    let mut offsets = [0; ROOM];
    for run in &batch.runs {
        let row = &matrix[(run.y + first_row) & 3];
        let Some(pattern) = row[run.x & 3..].first_chunk::<LANES>() else { continue };
        for lanes in offsets[run.lane..].chunks_exact_mut(LANES).take(run.count.div_ceil(LANES)) {
            lanes.copy_from_slice(pattern);
        }
    }
    offsets
}

#[inline(always)]
fn offset<S: Simd>(simd: S, offsets: &[u16; ROOM], group: usize) -> Words<S> {
    load(simd, &groups(offsets, ROOM / LANES)[group])
}
