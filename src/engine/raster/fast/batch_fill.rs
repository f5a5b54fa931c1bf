//! Draws a batch: fetches texels, runs the pixel stages, stores the pixels.

use super::batch::Batch;
use super::draw_call::DrawCall;
use super::pipeline_state::PipelineState;
use super::pixels::pixel;
use super::pixels::pixel_state::PixelState;
use super::pixels::target::Target;
use super::texels::rectangle_texels::RectangleTexels;
use super::texels::sampler::{BatchSampler, TextureBinding};
use super::texels::texel_memory::TexelMemory;
use super::texels::texture_cache;
use super::texels::texture_state::TextureState;
use crate::ge::arithmetic::simd::Simd;

/// A batch in progress, with the state to draw its fragments.
#[derive(Debug)]
pub(super) struct BatchFill<'a> {
    pub(super) state: &'a PixelState,
    pub(super) texture: Option<&'a TextureState>,
    pub(super) memory: TexelMemory<'a>,
    pub(super) cached: &'a texture_cache::CachedLevels<'a>,
    pub(super) batch: &'a mut Batch,
    pub(super) sampler: &'a mut BatchSampler,
    /// How many pixels passed all tests.
    pub(super) passed: u64,
}

impl<'a> BatchFill<'a> {
    /// Begins with an empty batch, for draws with the same state.
    pub(super) fn new(
        call: &DrawCall<'a>,
        memory: TexelMemory<'a>,
        cached: &'a texture_cache::CachedLevels<'a>,
        batch: &'a mut Batch,
        sampler: &'a mut BatchSampler,
    ) -> Self {
        let PipelineState { pixel, texture, .. } = call.state;
        batch.clear();
        Self { state: pixel, texture: texture.as_ref(), memory, cached, batch, sampler, passed: 0 }
    }

    /// Draws the last fragments. Returns how many pixels passed all tests.
    pub(super) fn finish<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> u64 {
        self.flush(simd, target, None);
        // The cache learns how often levels were fetched from, to find out which are worth decoding.
        for (cached_level, fetches) in self.cached.iter().zip(self.sampler.take_fetch_counts()) {
            if let Some(cached_level) = cached_level.filter(|_| fetches > 0) {
                cached_level.count_fetches(fetches);
            }
        }
        self.passed
    }

    /// Draws the fragments and empties the batch. This requires the attributes of all segments. Texels come from
    /// `rectangle` or from the texture coordinates.
    pub(super) fn flush<S: Simd>(
        &mut self,
        simd: S,
        target: &mut Target<'_>,
        rectangle: Option<&mut RectangleTexels<'_>>,
    ) {
        if self.batch.count == 0 {
            return;
        }
        if let Some(texture) = self.texture {
            let binding = TextureBinding {
                texture,
                memory: self.memory,
                cached: self.cached,
                arithmetic: self.state.arithmetic,
            };
            match rectangle {
                Some(rectangle) => self.sampler.sample_rectangle(simd, self.batch, binding, rectangle),
                None => self.sampler.sample(simd, self.batch, binding),
            }
        }
        let passed = simd.vectorize(
            #[inline(always)]
            || pixel::shade_and_store(simd, self.batch, self.state, target),
        );
        self.passed += u64::from(passed);
        self.batch.clear();
    }
}
