//! Draws the fragments of a batch: texels, pixel stages, stores.

use super::batch::Batch;
use super::draw_call::DrawCall;
use super::pipeline_state::PipelineState;
use super::pixel;
use super::pixel_state::PixelState;
use super::rectangle_texels::RectangleTexels;
use super::sampler::{BatchSampler, TextureBinding};
use super::target::Target;
use super::texel_memory::TexelMemory;
use super::texture_cache;
use super::texture_state::TextureState;
use crate::ge::arithmetic::simd::Simd;

/// The batch of draws in progress, and the state by which its fragments are drawn.
#[derive(Debug)]
pub(super) struct BatchFill<'a> {
    pub(super) state: &'a PixelState,
    pub(super) texture: Option<&'a TextureState>,
    pub(super) memory: TexelMemory<'a>,
    pub(super) cached: &'a texture_cache::CachedLevels<'a>,
    pub(super) batch: &'a mut Batch,
    pub(super) sampler: &'a mut BatchSampler,
    /// Number of pixels that passed all tests.
    pub(super) passed: u64,
}

impl<'a> BatchFill<'a> {
    /// Begins draws of one state with an empty batch.
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

    /// Draws the last fragments. Returns the number of pixels that passed all tests.
    pub(super) fn finish<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> u64 {
        self.flush(simd, target, None);
        for (cached_level, fetches) in self.cached.iter().zip(self.sampler.take_fetch_counts()) {
            if let Some(cached_level) = cached_level.filter(|_| fetches > 0) {
                cached_level.count_fetches(fetches);
            }
        }
        self.passed
    }

    /// Draws the fragments of the batch and empties it. The attributes of all segments must be computed. Texels come
    /// from `rectangle` or from the texture coordinates.
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
