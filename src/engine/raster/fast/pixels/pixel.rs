//! The pixel pipeline for batches. This is [`crate::raster::rules::pixel`] for 16 fragments at a time.
//!
//! # Invariants
//! Every stage computes the same values as the reference. Tests without side effects may run earlier than there.

use super::pixel_state::{ColorTestState, PixelState};
use super::target::Target;
use super::{blend, framebuffer_word, shade, stencil};
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::{ClearMode, ColorComparison};
use crate::raster::fast::batch::{Batch, LANES, PADDED_SIZE, groups, groups_mut};
use crate::raster::fast::lanes::{self, ColorLanes, U16Lanes, compare, load};

/// Runs the tests for the open segment that need no colour: the depth range, and the depth test if it cannot affect
/// the stencil. Marks live fragments and returns whether any remain.
#[inline(always)]
pub(crate) fn early_tests<S: Simd>(
    simd: S,
    batch: &mut Batch,
    state: &PixelState,
    target: &Target<'_>,
) -> bool {
    if state.uses_depth() {
        target.load_depth(batch);
    }
    // With a stencil test, the depth test selects a stencil operation, so it cannot run early.
    let test = state.depth_test.filter(|_| state.stencil.is_none() && state.clear.is_none());
    let (segment, open_count) = (batch.open_segment(), batch.open_count());
    let Batch { z, old_z, live_mask, .. } = batch;
    let numbers = U16Lanes::simd_from(simd, LANE_NUMBERS);
    let mut live_bits = 0_u128;
    let depths = segment.of(z).iter().zip(segment.of(old_z));
    for (group, (out, (z, old))) in segment.of_mut(live_mask).iter_mut().zip(depths).enumerate() {
        let first = group * LANES;
        let remaining = U16Lanes::splat(simd, u16::try_from(open_count - first).unwrap_or(u16::MAX));
        let mut live_mask = lanes::from_mask(numbers.simd_lt(remaining));
        let z = load(simd, z);
        if let Some([low, high]) = state.depth_range {
            live_mask &= lanes::from_mask(z.simd_ge(low)) & lanes::from_mask(z.simd_le(high));
        }
        if let Some(function) = test {
            live_mask &= compare(simd, function, z, load(simd, old));
        }
        live_mask.store_array(out);
        live_bits |= u128::from(lanes::to_mask(live_mask).to_bitmask()) << first;
    }
    let live_count = live_bits.count_ones() as usize;
    // Compacting takes time, so it pays only if enough fragments are hidden.
    if live_count > 0 && live_count + live_count / 8 < open_count && state.clear.is_none() {
        batch.compact(live_bits);
    }
    live_count > 0
}

/// Numbers for the lanes in a group.
const LANE_NUMBERS: [u16; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Runs the rest of the pipeline and stores the fragments. Returns how many passed all tests.
#[inline(always)]
pub(crate) fn shade_and_store<S: Simd>(
    simd: S,
    batch: &mut Batch,
    state: &PixelState,
    target: &mut Target<'_>,
) -> u32 {
    batch.end_live_mask();
    if let Some(clear) = state.clear {
        return clear_and_store(simd, batch, state, clear, target);
    }
    let format = target.format;
    target.load_color(batch);
    let offsets = state.dither.as_ref().map(|matrix| dither_offsets(batch, matrix, target.first_row));
    // The bits that may change if the tests pass, then those that may change if a test fails.
    let writable_bits = framebuffer_word::splat(simd, !state.protected_bits);
    let [low, high] = framebuffer_word::stencil_bits(simd, format);
    let stencil_bits = [low & writable_bits[0], high & writable_bits[1]];
    let count = batch.groups();
    let (mut passed, mut changed) = (0, false);
    for group in 0..count {
        let mut live_mask = load(simd, &groups(&batch.live_mask, count)[group]);
        let mut color = shaded(simd, batch, state, count, group, &mut live_mask);
        if lanes::to_mask(live_mask).all_false() {
            continue;
        }
        changed = true;
        let mut packed = framebuffer_word::load(simd, batch, group, format);
        let old = if state.reads_framebuffer() {
            framebuffer_word::decode(simd, packed, format)
        } else {
            [U16Lanes::splat(simd, 0); 4]
        };
        let mut alpha = color[3];
        if let Some(test) = state.stencil {
            let z = load(simd, &groups(&batch.z, count)[group]);
            let old_z = load(simd, &groups(&batch.old_z, count)[group]);
            let depth = state.depth_test.map(|function| (function, z, old_z));
            let tested = stencil::test(simd, test, format, live_mask, old[3], depth);
            let failed = framebuffer_word::encode(simd, [tested.failed; 4], format);
            let change = live_mask & !tested.live_mask;
            let [low, high] = stencil_bits;
            packed = framebuffer_word::merge(packed, failed, [change & low, change & high]);
            live_mask = tested.live_mask;
            alpha = tested.passed;
        }
        if let Some(mode) = state.blend {
            color = blend::blend(simd, color, old, mode);
        }
        // Blending has used the fragment's own alpha. From here on alpha is the stencil to store.
        color[3] = alpha;
        if state.blend.is_some() || offsets.is_some() {
            let offsets = offsets.as_ref().map(|offsets| load_offsets(simd, offsets, group));
            color = framebuffer_word::dither_and_clamp(simd, color, offsets);
        }
        if let Some(operation) = state.logic {
            color = framebuffer_word::apply_logic(color, old, operation);
        }
        let new = framebuffer_word::encode(simd, color, format);
        let [low, high] = writable_bits;
        let new = framebuffer_word::merge(packed, new, [live_mask & low, live_mask & high]);
        framebuffer_word::store(new, batch, group, format);
        if state.depth_write {
            merge_depth(simd, batch, count, group, live_mask);
        }
        passed += lanes::to_mask(live_mask).to_bitmask().count_ones();
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

/// Stores fragments in clear mode. The depth range is the only test, and it has already run.
#[inline(always)]
fn clear_and_store<S: Simd>(
    simd: S,
    batch: &mut Batch,
    state: &PixelState,
    clear: ClearMode,
    target: &mut Target<'_>,
) -> u32 {
    let (count, format) = (batch.groups(), target.format);
    let writes_color = state.protected_bits != u32::MAX;
    if writes_color {
        target.load_color(batch);
    }
    let offsets = state.dither.as_ref().map(|matrix| dither_offsets(batch, matrix, target.first_row));
    let [low, high] = framebuffer_word::splat(simd, !state.protected_bits);
    let mut passed = 0;
    for group in 0..count {
        let live_mask = load(simd, &groups(&batch.live_mask, count)[group]);
        if clear.depth {
            merge_depth(simd, batch, count, group, live_mask);
        }
        if writes_color {
            let mut color = color_of(simd, batch, count, group);
            if let Some(offsets) = &offsets {
                color =
                    framebuffer_word::dither_and_clamp(simd, color, Some(load_offsets(simd, offsets, group)));
            }
            let (packed, new) = (
                framebuffer_word::load(simd, batch, group, format),
                framebuffer_word::encode(simd, color, format),
            );
            let new = framebuffer_word::merge(packed, new, [live_mask & low, live_mask & high]);
            framebuffer_word::store(new, batch, group, format);
        }
        passed += lanes::to_mask(live_mask).to_bitmask().count_ones();
    }
    if clear.depth {
        target.store_depth(batch);
    }
    if writes_color {
        target.store_color(batch);
    }
    passed
}

/// Loads a group's interpolated colours.
#[inline(always)]
fn color_of<S: Simd>(simd: S, batch: &Batch, count: usize, group: usize) -> ColorLanes<S> {
    let [red, green, blue, alpha] = &batch.color;
    let load_channel = |channel| load(simd, &groups(channel, count)[group]);
    [load_channel(red), load_channel(green), load_channel(blue), load_channel(alpha)]
}

/// Computes a group's colours after texturing and fog. Applies the alpha and colour tests to `live_mask`.
#[inline(always)]
fn shaded<S: Simd>(
    simd: S,
    batch: &Batch,
    state: &PixelState,
    count: usize,
    group: usize,
    live_mask: &mut U16Lanes<S>,
) -> ColorLanes<S> {
    let mut color = color_of(simd, batch, count, group);
    if state.textured {
        let texels = &groups(&batch.texel, count)[group];
        color = shade::apply_texture(simd, color, texels, state.function, state.environment);
    }
    if state.secondary {
        let [red, green, blue] = &batch.secondary;
        let load_channel = |channel| load(simd, &groups(channel, count)[group]);
        let secondary = [load_channel(red), load_channel(green), load_channel(blue)];
        color = shade::add_secondary(color, secondary, state.double_secondary);
    }
    if let Some(test) = state.alpha_test {
        let reference = U16Lanes::splat(simd, u16::from(test.reference & test.mask));
        *live_mask &= compare(simd, test.function, color[3] & u16::from(test.mask), reference);
    }
    if let Some(fog) = state.fog {
        color = shade::apply_fog(simd, color, load(simd, &groups(&batch.fog, count)[group]), fog);
    }
    if let Some(test) = state.color_test {
        *live_mask &= passes_color_test(simd, color, test);
    }
    color
}

/// Sets all bits in lanes that pass the colour test.
#[inline(always)]
fn passes_color_test<S: Simd>(simd: S, color: ColorLanes<S>, test: ColorTestState) -> U16Lanes<S> {
    let mut different = U16Lanes::splat(simd, 0);
    for (color, (reference, mask)) in color.into_iter().zip(test.reference.into_iter().zip(test.mask)) {
        different |= (color ^ u16::from(reference)) & u16::from(mask);
    }
    let equal = lanes::from_mask(different.simd_eq(0_u16));
    match test.function {
        ColorComparison::NEVER => U16Lanes::splat(simd, 0),
        ColorComparison::ALWAYS => U16Lanes::splat(simd, u16::MAX),
        ColorComparison::EQUAL => equal,
        _ => !equal,
    }
}

/// Replaces depths, but only for live fragments.
#[inline(always)]
fn merge_depth<S: Simd>(simd: S, batch: &mut Batch, count: usize, group: usize, live_mask: U16Lanes<S>) {
    let z = load(simd, &groups(&batch.z, count)[group]);
    let old = &mut groups_mut(&mut batch.old_z, count)[group];
    let stored = load(simd, old);
    (stored ^ ((stored ^ z) & live_mask)).store_array(old);
}

/// Looks up a dither offset for each fragment.
#[inline(always)]
fn dither_offsets(batch: &Batch, matrix: &[[u16; 4 + LANES]; 4], first_row: usize) -> [u16; PADDED_SIZE] {
    let mut offsets = [0; PADDED_SIZE];
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
fn load_offsets<S: Simd>(simd: S, offsets: &[u16; PADDED_SIZE], group: usize) -> U16Lanes<S> {
    load(simd, &groups(offsets, PADDED_SIZE / LANES)[group])
}
