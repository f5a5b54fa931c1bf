//! The fast engine: the pixels of the reference, computed in batches.
//!
//! The registers of a draw are decoded once ([`pipeline_state`]). Consecutive draws to the same surfaces form
//! a [`render_pass`]. Its rows are split into [`bands`], each filled by one thread. In a band, [`fill`] turns
//! primitives into a [`batch`] of up to 128 fragments, stored as arrays. Each stage then processes 16
//! fragments at a time in vectors ([`lanes`]), compiled for several instruction sets: [`interpolate`] and
//! [`texcoords`] compute attributes, [`sampler`] fetches texels, [`pixel`] does the rest with [`shade`],
//! [`stencil`], [`blend`] and [`framebuffer_word`]. Textures that are sampled often are decoded once
//! ([`texture_cache`]). The [`depth_cache`] holds depth in row order until other code accesses that VRAM.
//!
//! # Invariants
//! Every byte equals the result of [`super::reference`], for any size of bands. Draws that batches cannot
//! draw in the right order go to the reference: if textures overlap the target, surfaces overlap each other,
//! or a surface passes the end of VRAM. The first is
//! [self-sampling](crate::reference::ge::textures#self-sampling). So do draws that REGION1 translates.

use std::ops::Range;

use super::reference;
use super::small_textures::SmallTextureCache;
use super::threads::Threads;
use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;

mod bands;
mod batch;
mod blend;
mod depth_cache;
mod draw_call;
mod emulated_texcoords;
mod fill;
mod framebuffer_word;
mod interpolate;
mod lanes;
mod lod_probe;
mod pass_extent;
mod pipeline_state;
mod pixel;
mod pixel_state;
mod rectangle_table;
mod render_pass;
mod sampler;
mod shade;
mod span;
mod stencil;
mod target;
mod texcoords;
mod texel_memory;
mod texel_position;
mod texture_cache;
mod texture_state;

use bands::{Band, split_bands};
use depth_cache::DepthCache;
pub(super) use depth_cache::DepthCacheModel;
pub(super) use draw_call::DrawCall;
use fill::{DrawFill, Scratch};
pub(super) use pass_extent::overlap;
pub(super) use pipeline_state::PipelineState;
pub(super) use pixel_state::DrawMode;
use render_pass::RenderPass;
use target::Target;
use texel_memory::TexelMemory;
use texture_cache::{LevelSlots, TextureCache};
use texture_state::ClutTableCache;

/// The fast engine with its caches.
#[derive(Debug, Default)]
pub(super) struct FastEngine {
    instructions: Instructions,
    /// Rows of a band; 0 picks a height for the number of threads.
    band_rows: u32,
    depth_cache: DepthCache,
    clut_tables: ClutTableCache,
    textures: TextureCache,
    /// Cache slots of the textures of the current pass, per draw.
    slots: Vec<LevelSlots>,
    scratch: Vec<Box<Scratch>>,
    small_textures: SmallTextureCache,
}

impl Clone for FastEngine {
    /// Decoded textures and scratch memory are not cloned: they do not affect results.
    fn clone(&self) -> Self {
        Self {
            depth_cache: self.depth_cache.clone(),
            small_textures: self.small_textures.clone(),
            ..Self::new(self.instructions, self.band_rows)
        }
    }
}

impl FastEngine {
    /// Creates an engine for an instruction set and a height of bands.
    pub(super) fn new(instructions: Instructions, band_rows: u32) -> Self {
        Self { instructions, band_rows, ..Self::default() }
    }

    /// Decodes the registers of a draw. Returns `None` if its scissor is empty.
    pub(super) fn pipeline_state(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mode: DrawMode,
    ) -> Option<Box<PipelineState>> {
        let state = PipelineState::new(memory, registers, mode, &mut self.clut_tables)?;
        if state.has_copies() && !self.depth_cache.vram_range().is_empty() {
            self.write_back(memory);
            return PipelineState::new(memory, registers, mode, &mut self.clut_tables);
        }
        Some(state)
    }

    /// Draws calls in order. Returns the number of pixels that passed all tests.
    pub(super) fn draw<'d>(
        &mut self,
        memory: &mut Memory,
        threads: &Threads,
        calls: impl Iterator<Item = DrawCall<'d>>,
    ) -> u64 {
        let mut passed = 0;
        let mut pass = RenderPass::default();
        for call in calls {
            if call.state.needs_reference() {
                passed += self.draw_pass(memory, threads, &mut pass);
                self.write_back(memory);
                let cache = &mut self.small_textures;
                let draw = |primitive| {
                    reference::draw_primitive(memory, call.registers, primitive, cache, call.texture_flushes)
                };
                passed += call.primitives.iter().map(draw).sum::<u64>();
            } else if !pass.push(call, memory.translation()) {
                passed += self.draw_pass(memory, threads, &mut pass);
                pass.push(call, memory.translation());
            }
        }
        passed + self.draw_pass(memory, threads, &mut pass)
    }

    /// Draws all calls of a pass and empties it. Returns the number of pixels that passed all tests.
    fn draw_pass(&mut self, memory: &mut Memory, threads: &Threads, pass: &mut RenderPass<'_>) -> u64 {
        let translation = memory.translation();
        let Some(extent) = pass.extent() else { return 0 };
        let surface = Address::vram(extent.color.address);
        let _span = tracing::debug_span!("render_pass", %surface, draws = pass.draws().len()).entered();
        let surfaces = extent.surface_bytes(translation);
        let cached = self.depth_cache.vram_range();
        if overlap(&cached, &surfaces.color) || pass.reads().any(|read| overlap(&cached, &read)) {
            self.write_back(memory);
        }
        self.textures.evict_if_full();
        let mut requests = Vec::new();
        self.slots.clear();
        self.slots.extend(pass.draws().iter().map(|call| match &call.state.texture {
            Some(texture) => self.textures.look_up(memory, texture, call.max_pixels, &mut requests),
            None => LevelSlots::default(),
        }));
        let (ram, vram) = memory.ram_and_vram_mut([surfaces.color.clone(), surfaces.depth.clone(), cached]);
        let depth = match &extent.depth {
            Some(depth) => self.depth_cache.load(vram, depth, translation, &extent.rows, extent.column_end),
            None => &mut [],
        };
        let Some((low, color, high)) = split(vram, &surfaces.color) else { return 0 };
        let texel_memory = TexelMemory { ram, low, high: (high, surfaces.color.end) };
        self.textures.decode(threads, texel_memory, &mut requests);
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
            bands::band_height(extent.rows.len(), self.band_rows, threads.count())
        } else {
            extent.rows.len()
        };
        let mut bands = split_bands(target, height, &mut self.scratch);
        let (draws, slots, textures, instructions) =
            (pass.draws(), &self.slots, &self.textures, self.instructions);
        threads.for_each(&mut bands, |band| {
            let draws = draws.iter().zip(slots);
            band.passed =
                dispatch!(instructions, simd => fill_band(simd, band, draws, textures, texel_memory));
        });
        let passed = bands.iter().map(|band| band.passed).sum();
        pass.clear();
        passed
    }

    /// Writes the depth cache back to VRAM.
    pub(super) fn write_back(&mut self, memory: &mut Memory) {
        let (_, vram) = memory.ram_and_vram_mut([self.depth_cache.vram_range()]);
        self.depth_cache.write_back(vram);
    }

    /// Writes the depth cache back to VRAM if it may hold any of these bytes.
    pub(super) fn write_back_for(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        if overlap(bytes, &self.depth_cache.vram_range()) {
            self.write_back(memory);
        }
    }
}

/// Finds the bytes of linear VRAM that a range of addresses can reach, or `None` if it is outside VRAM.
pub(super) fn vram_bytes(start: Address, length: u32) -> Option<Range<usize>> {
    let all = 0..VRAM_SIZE as usize;
    match start.region() {
        Region::Vram(VramView::Linear, offset) => {
            let bytes = offset as usize..offset as usize + length as usize;
            // The next view of the same bytes follows the linear view.
            Some(if bytes.end > all.end { all } else { bytes })
        }
        _ if start.is_vram() || start.offset(length).is_vram() => Some(all),
        _ => None,
    }
}

/// Draws the part of all calls that lies in a band.
#[inline(always)]
fn fill_band<'a, S: Simd>(
    simd: S,
    band: &mut Band<'_>,
    draws: impl Iterator<Item = (&'a DrawCall<'a>, &'a LevelSlots)>,
    textures: &TextureCache,
    texel_memory: TexelMemory<'_>,
) -> u64 {
    let Band { target, scratch, .. } = band;
    let fill_draw = |(call, slots): (&DrawCall<'_>, &LevelSlots)| {
        let cached = textures.cached_levels(slots);
        DrawFill::new(*call, texel_memory, &cached, scratch).fill_primitives(simd, target)
    };
    draws.map(fill_draw).sum()
}

/// Splits memory into the bytes before a range, the range, and the bytes after it.
fn split<'a>(vram: &'a mut [u8], range: &Range<usize>) -> Option<(&'a [u8], &'a mut [u8], &'a [u8])> {
    let (low, rest) = vram.split_at_mut_checked(range.start)?;
    let (middle, high) = rest.split_at_mut_checked(range.end - range.start)?;
    Some((low, middle, high))
}
