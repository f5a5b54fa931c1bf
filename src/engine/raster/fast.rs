//! The fast engine computes the same pixels as the reference, but in batches.
//!
//! It decodes a draw's registers only once ([`pipeline_state`]), and not at all if the previous draw had the same
//! ([`pipeline_state_cache`]). Consecutive draws to the same surfaces form a [`render_pass`]. Its rows are split
//! into [`bands`], to let each thread fill bands of its own. In a band, [`fill`] turns primitives with the same
//! state into batches of up to 128 fragments, stored as arrays ([`batch`], [`batch_fill`]). Small primitives share a
//! batch, with a segment each. Each stage then processes 16 fragments at a time in vectors ([`lanes`]), compiled for
//! several instruction sets. [`interpolate`] and [`texcoords`](texels::texcoords) compute attributes from planes
//! ([`plane_lanes`]), which are set up when the first visible fragments need them. [`sampler`](texels::sampler)
//! fetches texels. [`pixel`](pixels::pixel) does the rest with [`shade`](pixels::shade),
//! [`stencil`](pixels::stencil), [`blend`](pixels::blend) and [`framebuffer_word`](pixels::framebuffer_word).
//!
//! Some cases have shortcuts. Rectangles read their texture row by row
//! ([`rectangle_texels`](texels::rectangle_texels)). Other textures are decoded once if they are sampled often
//! ([`texture_cache`](texels::texture_cache)). Rectangles in clear mode need no batches ([`clear`]). The
//! [`depth_cache`] holds depth in row order until other code accesses that VRAM.
//!
//! # Invariants
//! Every byte equals the result from [`super::rules::reference`], for any band height. The rasterizer gives a draw
//! to the reference if its pixels share bytes (surfaces that overlap, strides narrower than the scissor), if a
//! surface passes the end of VRAM, if REGION1 translates it, or if it samples a target that fits into the hardware's
//! texture cache. If other textures overlap the target
//! ([self-sampling](crate::reference::ge::textures#self-sampling)), primitives sample a copy if
//! [`texel_extent`](texels::texel_extent) shows that none of them changes a sampled texel. Otherwise, or if the copy
//! would cost more, the reference draws them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::dispatch::threads::Threads;
use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::memory::Vram;

mod bands;
mod batch;
mod batch_fill;
mod clear;
mod clipped_primitive;
mod depth_cache;
mod draw_call;
mod draw_memory;
mod fill;
mod integer_ramp;
mod interpolate;
mod lanes;
mod pass_extent;
mod pipeline_state;
mod pipeline_state_cache;
mod pixel_bounds;
mod pixels;
mod plane_lanes;
mod rectangle_table;
mod render_pass;
mod row_hulls;
mod span;
mod texels;

pub(super) use bands::BegunDraws;
use bands::{Band, split_bands};
use depth_cache::DepthCache;
pub(super) use depth_cache::{DepthCacheModel, enclosing_blocks};
pub(super) use draw_call::DrawCall;
pub(super) use draw_memory::DrawMemory;
use fill::{Scratch, StateFill};
pub(super) use pass_extent::{SurfaceBytes, overlap};
pub(super) use pipeline_state::PipelineState;
pub(super) use pipeline_state_cache::PipelineStateCache;
pub(super) use pixels::pixel_state::DrawMode;
use pixels::target::Target;
use render_pass::RenderPass;
pub(super) use texels::texel_copies::TexelCopies;
use texels::texel_memory::TexelMemory;
use texels::texture_cache::{LevelSlots, TextureCache};
pub(super) use texels::texture_state::ClutTableCache;

/// How many bands to make for a pass with a draw as big as its limit. Several are needed to stop it in the middle.
const BANDS_OF_BIG_DRAW: usize = 8;

/// Limits how much a render pass may fill, to let its caller stop it in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassLimits<'s> {
    /// The pass ends as soon as its draws may cover this many pixels.
    pub(super) max_pixels: u64,
    /// The first draws, if an earlier pass has begun them and was stopped in the middle.
    pub(super) begun: Option<BegunDraws>,
    /// Stops the pass before the next band.
    pub(super) stop: Option<&'s AtomicBool>,
}

impl PassLimits<'_> {
    pub(super) const NONE: Self = Self { max_pixels: u64::MAX, begun: None, stop: None };
}

/// Tells how far a render pass came.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassProgress {
    /// How many draws the pass has, even if it was stopped.
    pub(super) draws: usize,
    /// The same draws, if they were stopped in the middle.
    pub(super) begun: Option<BegunDraws>,
    /// How many pixels passed all tests.
    pub(super) pixels: u64,
}

/// The fast engine with its caches.
#[derive(Debug, Default)]
pub(super) struct FastEngine {
    instructions: Instructions,
    /// How many rows a band has; 0 picks a height to suit the threads.
    band_rows: u32,
    depth_cache: DepthCache,
    textures: TextureCache,
    /// Cache slots for the textures of each draw in the current pass.
    slots: Vec<LevelSlots>,
    /// Scratch memory for each thread that fills bands.
    scratch: Vec<Box<Scratch>>,
}

impl FastEngine {
    /// Creates an engine for an instruction set, with bands of a given height.
    pub(super) fn new(instructions: Instructions, band_rows: u32) -> Self {
        Self { instructions, band_rows, ..Self::default() }
    }

    /// Returns whether bands have a given height, so that they may split a draw even on a single thread.
    pub(super) const fn has_bands(&self) -> bool {
        self.band_rows > 0
    }

    /// Draws a single render pass. It takes calls from the beginning until they no longer fit or may cover
    /// `max_pixels`. Returns how far it came. No call may need the reference.
    pub(super) fn draw_pass<'d>(
        &mut self,
        memory: &mut DrawMemory<'_>,
        threads: &Threads,
        calls: impl Iterator<Item = DrawCall<'d>> + Clone,
        limits: PassLimits<'_>,
    ) -> PassProgress {
        let translation = memory.translation;
        let mut pass = RenderPass::default();
        pass.collect(calls.clone(), limits.max_pixels, translation);
        if let Some(begun) = limits.begun
            && !pass.extent().is_some_and(|extent| extent.rows_are_disjoint())
        {
            // Without bands, the draws not begun yet need a pass of their own.
            pass.collect(calls.take(begun.count), limits.max_pixels, translation);
        }
        self.fill_pass(memory, threads, &pass, limits)
    }

    fn fill_pass(
        &mut self,
        memory: &mut DrawMemory<'_>,
        threads: &Threads,
        pass: &RenderPass<'_>,
        limits: PassLimits<'_>,
    ) -> PassProgress {
        let translation = memory.translation;
        let mut progress = PassProgress { draws: pass.draws().len(), begun: None, pixels: 0 };
        let Some(mut extent) = pass.extent() else { return progress };
        let surface = Address::vram(extent.color.address);
        let _span = tracing::debug_span!(target: "pspge::raster::fast", "render_pass", %surface, draws = pass.draws().len()).entered();
        // Rows that share bytes are filled as a single band, so such a pass cannot stop in the middle.
        let stop = limits.stop.filter(|_| extent.rows_are_disjoint());
        let mut begun = limits.begun;
        if let Some(rows) = begun.take_if(|begun| begun.count >= pass.draws().len()) {
            extent.rows.start = extent.rows.start.max(rows.next_row);
        }
        let surfaces = extent.surface_bytes(translation);
        // Colour and texels are read directly from VRAM, so cached depth in those bytes has to go back first. This
        // must precede `look_up`, because it compares versions.
        let cached = self.depth_cache.vram_range();
        if overlap(&cached, &surfaces.color) || pass.reads().any(|read| overlap(&cached, &read)) {
            self.write_back(memory.vram, threads);
        }
        self.textures.begin_pass();
        let mut requests = Vec::new();
        self.slots.clear();
        self.slots.extend(pass.draws().iter().map(|call| match &call.state.texture {
            Some(texture) => {
                let reads_rows = texels::rectangle_texels::are_rectangles(call.primitives);
                self.textures.look_up(memory.vram, texture, (call.max_pixels, reads_rows), &mut requests)
            }
            None => LevelSlots::default(),
        }));
        // Loading depth may write another surface back into `cached`, so these bytes are needed too.
        let vram = memory.vram.bytes_mut([surfaces.color.clone(), surfaces.depth.clone(), cached]);
        let depth = match &extent.depth {
            Some(depth) => self.depth_cache.load(vram, depth, translation, &extent.rows, extent.column_end),
            None => &mut [],
        };
        let Some((low, color, high)) = split(vram, &surfaces.color) else { return progress };
        let texel_memory = TexelMemory { ram: memory.ram, low, high: (high, surfaces.color.end) };
        self.textures.decode(self.instructions, threads, texel_memory, &mut requests);
        let target = Target {
            color,
            color_stride: extent.color.stride as usize,
            format: extent.color.format,
            depth,
            depth_stride: extent.depth.map_or(0, |depth| depth.stride as usize),
            first_row: extent.rows.start,
            end_row: extent.rows.end,
        };
        let height = if extent.rows_are_disjoint() {
            let is_big = pass.draws().iter().any(|call| call.max_pixels >= limits.max_pixels);
            let parts = if stop.is_some() && is_big { BANDS_OF_BIG_DRAW } else { 1 };
            bands::band_height(extent.rows.len(), self.band_rows, threads.count(), parts)
        } else {
            extent.rows.len()
        };
        let mut bands = split_bands(target, height, begun);
        let (draws, slots, textures, instructions) =
            (pass.draws(), &self.slots, &self.textures, self.instructions);
        let goes_on = || !stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        threads.for_each(&mut self.scratch, bands.iter_mut().take_while(|_| goes_on()), |scratch, band| {
            let _span = tracing::trace_span!(target: "pspge::raster::fast", "band", first_row = band.target.first_row).entered();
            band.passed = Some(dispatch!(instructions, simd => fill_band(
                simd, band, scratch, (draws, slots), textures, texel_memory
            )));
        });
        // Threads take bands in order, so a stop leaves the last bands.
        let next = bands.iter().find(|band| band.passed.is_none()).map(|band| band.target.first_row);
        progress.begun = next.map(|next_row| BegunDraws { count: progress.draws, next_row });
        progress.pixels = bands.iter().filter_map(|band| band.passed).sum();
        progress
    }

    /// Returns which VRAM bytes the depth cache holds. The range is empty if there are none.
    pub(super) fn cached_depth(&self) -> Range<usize> {
        self.depth_cache.vram_range()
    }

    pub(super) fn write_back(&mut self, vram: &mut Vram, threads: &Threads) {
        let bytes = vram.bytes_mut([self.depth_cache.vram_range()]);
        self.depth_cache.write_back(bytes, threads);
    }

    /// Writes the depth cache back to VRAM if it might hold any of these bytes.
    pub(super) fn write_back_for(&mut self, vram: &mut Vram, bytes: &Range<usize>, threads: &Threads) {
        if overlap(bytes, &self.depth_cache.vram_range()) {
            self.write_back(vram, threads);
        }
    }
}

/// Finds the bytes in linear VRAM that a range of addresses can reach. Returns `None` if it is outside VRAM.
pub(super) fn vram_bytes(start: Address, length: u32) -> Option<Range<usize>> {
    let all = 0..VRAM_SIZE as usize;
    match start.region() {
        Region::Vram(VramView::Linear, offset) => {
            let bytes = offset as usize..offset as usize + length as usize;
            // The next view shows the same bytes again, so a range that passes the end may reach any byte.
            Some(if bytes.end > all.end { all } else { bytes })
        }
        // Permuted views scatter a range over VRAM, so it may reach any byte.
        _ if start.is_vram() || start.offset(length).is_vram() => Some(all),
        _ => None,
    }
}

/// Draws the part of each call that lies in a band. Consecutive calls with the same state can share batches.
#[inline(always)]
fn fill_band<S: Simd>(
    simd: S,
    band: &mut Band<'_>,
    scratch: &mut Scratch,
    (mut draws, mut slots): (&[DrawCall<'_>], &[LevelSlots]),
    textures: &TextureCache,
    texel_memory: TexelMemory<'_>,
) -> u64 {
    let target = &mut band.target;
    (draws, slots) = (&draws[band.filled_draws..], &slots[band.filled_draws..]);
    let mut passed = 0;
    while let (Some(call), Some(levels)) = (draws.first(), slots.first()) {
        // Slots are compared too, because equal states may have different slots: draws with few pixels do without
        // the texture cache.
        let has_same_state = |(other, others): &(&DrawCall<'_>, &LevelSlots)| {
            std::ptr::eq(call.state, other.state) && *others == levels
        };
        let count = draws.iter().zip(slots).take_while(has_same_state).count();
        let cached = textures.cached_levels(levels);
        let mut fill = StateFill::new(call, texel_memory, &cached, scratch);
        for call in &draws[..count] {
            fill.fill_primitives(simd, target, call);
        }
        passed += fill.finish(simd, target);
        (draws, slots) = (&draws[count..], &slots[count..]);
    }
    passed
}

/// Splits memory into a range and the bytes before and after it.
fn split<'a>(vram: &'a mut [u8], range: &Range<usize>) -> Option<(&'a [u8], &'a mut [u8], &'a [u8])> {
    let (low, rest) = vram.split_at_mut_checked(range.start)?;
    let (middle, high) = rest.split_at_mut_checked(range.end - range.start)?;
    Some((low, middle, high))
}
