//! A draw's state, decoded from its registers only once.

use std::ops::Range;
use std::sync::Arc;

use super::pass_extent::{PassExtent, SurfaceBytes};
use super::pixels::pixel_state::{DrawMode, PixelState};
use super::texels::texel_copies::TexelCopies;
use super::texels::texel_extent::{sampled_bytes, written_extent};
use super::texels::texture_state::{ClutTableCache, TextureState};
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::Texture;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::region::RegionTranslation;
use crate::raster::rules::texel_source::TexelSource;

/// A draw's state: pixel state, texture and target.
#[derive(Clone, Debug)]
pub(crate) struct PipelineState {
    pub(super) pixel: PixelState,
    pub(super) texture: Option<TextureState>,
    pub(super) extent: PassExtent,
    /// The VRAM bytes that this draw may write.
    surfaces: SurfaceBytes,
    hazard: Hazard,
}

/// Tells how a draw accesses the bytes that it writes, to find out who can draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hazard {
    /// Each pixel has its own bytes.
    None,
    /// Texels may come from the surfaces.
    OwnTarget,
    /// Pixels share bytes, lie beyond the end of VRAM, or are translated by the region.
    Reference,
}

impl PipelineState {
    /// Decodes a draw's registers. Returns `None` if its scissor is empty.
    pub(in crate::raster) fn new(
        memory: &Memory,
        registers: &Registers,
        mode: DrawMode,
        tables: &mut ClutTableCache,
    ) -> Option<Arc<Self>> {
        let pixel = PixelState::new(registers, mode);
        let [columns, rows] = pixel.scissor.in_buffer().map(|range| range.start as usize..range.end as usize);
        if rows.is_empty() {
            return None;
        }
        let texture = pixel.textured.then(|| TextureState::new(memory, registers, mode.through, tables));
        let extent = PassExtent {
            color: pixel.color,
            depth: pixel.uses_depth().then_some(pixel.depth),
            rows: rows.clone(),
            column_end: columns.end,
        };
        let is_translated = !RegionTranslation::from_registers(registers).is_identity();
        let surfaces =
            if is_translated { SurfaceBytes::unknown() } else { extent.surface_bytes(memory.translation()) };
        // With a stride below the scissor's width, rows overlap. A single row cannot.
        let narrow = |stride: u32| rows.len() > 1 && (stride as usize) < columns.len();
        let needs_reference = is_translated
            || !surfaces.are_disjoint()
            || narrow(extent.color.stride)
            || extent.depth.is_some_and(|depth| narrow(depth.stride));
        let samples_surfaces = || {
            let ranges = |texture: &TextureState| {
                texture.vram_ranges().chain(texture.copied_ranges()).any(|read| surfaces.overlaps(&read))
            };
            texture.as_ref().is_some_and(ranges)
        };
        let hazard = match needs_reference {
            true => Hazard::Reference,
            false if samples_surfaces() => Hazard::OwnTarget,
            false => Hazard::None,
        };
        Some(Arc::new(Self { pixel, texture, extent, surfaces, hazard }))
    }

    /// Lists the VRAM bytes from which texels are read while this draw is filled.
    pub(in crate::raster) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.texture.iter().flat_map(TextureState::vram_ranges)
    }

    /// Lists the VRAM bytes that [`Self::copy_texels`] reads.
    pub(in crate::raster) fn copied_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.texture.iter().flat_map(TextureState::copied_ranges)
    }

    /// Lists the VRAM bytes that may be written: colour and depth.
    pub(in crate::raster) fn writes(&self) -> [Range<usize>; 2] {
        [self.surfaces.color.clone(), self.surfaces.depth.clone()]
    }

    /// Returns whether texels must be copied with [`Self::copy_texels`] before the draw.
    pub(in crate::raster) fn has_copies(&self) -> bool {
        self.texture.as_ref().is_some_and(TextureState::has_copies)
    }

    /// Returns whether decoding the same registers again would give the same state. This is not so with copied
    /// texels, because each draw takes its own.
    pub(in crate::raster) fn is_current(&self, memory: &Memory) -> bool {
        self.texture.as_ref().is_none_or(|texture| texture.is_current(memory))
    }

    /// Copies texels that cannot be read in place. Earlier draws into [`Self::copied_ranges`] must be complete.
    pub(in crate::raster) fn copy_texels(&mut self, memory: &Memory, copies: &mut TexelCopies) {
        if let Some(texture) = &mut self.texture {
            texture.copy_texels(memory, copies);
        }
    }

    /// Requires a copy of all texels in VRAM.
    pub(in crate::raster) fn require_copies(&mut self) {
        if let Some(texture) = &mut self.texture {
            texture.require_copies();
        }
    }

    /// Returns whether primitives are sure to sample no byte that any of them writes.
    pub(in crate::raster) fn samples_apart(
        &self,
        primitives: &[ScreenPrimitive],
        translation: Translation,
    ) -> bool {
        let sampled = self.texture.as_ref().and_then(|texture| sampled_bytes(texture, primitives));
        let written = written_extent(&self.extent, &self.pixel.scissor, primitives);
        let apart =
            |(written, sampled): (PassExtent, _)| !written.surface_bytes(translation).overlaps(&sampled);
        written.zip(sampled).is_some_and(apart)
    }

    /// Returns the pixels that may be drawn.
    pub(in crate::raster) const fn scissor(&self) -> &PixelRect {
        &self.pixel.scissor
    }

    /// Iterates over the mip levels that may be sampled, with their numbers.
    pub(in crate::raster) fn cache_levels(&self) -> impl Iterator<Item = (u8, &Texture)> {
        let levels = self.texture.iter().flat_map(|texture| &texture.levels);
        (0..).zip(levels.map(|level| &level.texture))
    }

    /// Returns whether both states have a texture with its lines in the same places of memory.
    pub(in crate::raster) fn has_texture_of(&self, other: &Self) -> bool {
        let levels = |state: &Self| state.texture.as_ref().map(|texture| texture.levels.len());
        levels(self).is_some()
            && levels(self) == levels(other)
            && self.cache_levels().zip(other.cache_levels()).all(|((_, a), (_, b))| {
                // The palette is applied after the cache, so it may differ.
                Texture { palette: b.palette, ..*a } == *b
            })
    }

    /// Returns whether s and t are clamped.
    pub(in crate::raster) fn clamps(&self) -> [bool; 2] {
        self.texture.as_ref().map_or([false; 2], |texture| [texture.wrap.clamp_s, texture.wrap.clamp_t])
    }

    /// Sets up a search for a primitive's texels. Returns `None` without texture, and for a triangle without area.
    pub(in crate::raster) fn texel_source(
        &self,
        primitive: &ScreenPrimitive,
    ) -> Option<TexelSource<'static>> {
        self.texture.as_ref()?.texel_source(primitive)
    }

    /// Gives this draw to the reference.
    pub(in crate::raster) const fn require_reference(&mut self) {
        self.hazard = Hazard::Reference;
    }

    /// Returns how many texture bytes are copied.
    pub(in crate::raster) fn copied_bytes(&self) -> u64 {
        self.texture.as_ref().map_or(0, TextureState::copied_bytes)
    }

    pub(in crate::raster) const fn color(&self) -> ColorSurface {
        self.extent.color
    }

    /// Returns the rows inside the scissor.
    pub(in crate::raster) const fn rows(&self) -> &Range<usize> {
        &self.extent.rows
    }

    /// Returns the depth surface, rows and column end, if this draw uses depth.
    pub(in crate::raster) fn depth(&self) -> Option<(DepthSurface, &Range<usize>, usize)> {
        self.extent.depth.map(|depth| (depth, &self.extent.rows, self.extent.column_end))
    }

    /// Returns whether this draw must go to the reference, because pixels share bytes, lie beyond the end of VRAM,
    /// or are translated by the region.
    pub(in crate::raster) fn needs_reference(&self) -> bool {
        self.hazard == Hazard::Reference
    }

    /// Returns whether texels may come from the surfaces, so that primitives need copies.
    pub(in crate::raster) fn samples_own_target(&self) -> bool {
        self.hazard == Hazard::OwnTarget
    }
}
