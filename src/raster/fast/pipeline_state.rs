//! A draw's registers, looked up once.

use std::ops::Range;

use super::pass_extent::{Footprint, Surfaces};
use super::source::{Source, Tables};
use super::state::State;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::DepthSurface;
use crate::raster::coverage::Area;

/// A draw's state and texture, looked up in its registers.
#[derive(Clone, Debug)]
pub(in crate::raster) struct Prepared {
    pub(super) state: State,
    pub(super) source: Option<Source>,
    pub(super) footprint: Footprint,
    /// Bytes of VRAM that may be written.
    surfaces: Surfaces,
    tangled: bool,
}

impl Prepared {
    /// Looks a draw up; `None` where the scissor leaves nothing.
    pub(super) fn new(
        memory: &Memory,
        registers: &Registers,
        through: bool,
        tables: &mut Tables,
    ) -> Option<Box<Self>> {
        let state = State::new(registers, through);
        let area = Rectangle::new(&state.area)?;
        let source = state.textured.then(|| Source::new(memory, registers, through, tables));
        let footprint = Footprint {
            color: state.color,
            depth: state.uses_depth().then_some(state.depth),
            rows: area.rows.clone(),
            right: area.columns.end,
        };
        let surfaces = footprint.surfaces(memory.translation());
        let narrow = |stride: u32| area.rows.len() > 1 && (stride as usize) < area.columns.len();
        let tangled = !surfaces.are_apart()
            || narrow(footprint.color.stride)
            || footprint.depth.is_some_and(|depth| narrow(depth.stride))
            || source.iter().flat_map(Source::vram).any(|read| surfaces.overlap(&read));
        Some(Box::new(Self { state, source, footprint, surfaces, tangled }))
    }

    /// Bytes of VRAM that texels may come from.
    pub(in crate::raster) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.source.iter().flat_map(Source::vram)
    }

    /// Bytes of VRAM that may be written.
    pub(in crate::raster) fn writes(&self) -> [Range<usize>; 2] {
        [self.surfaces.color.clone(), self.surfaces.depth.clone()]
    }

    /// Whether texels were copied, so that nothing may change before it is drawn.
    pub(in crate::raster) fn has_copies(&self) -> bool {
        self.source.as_ref().is_some_and(Source::has_copies)
    }

    /// Bytes of texels that were copied.
    pub(in crate::raster) fn copied(&self) -> u64 {
        self.source.as_ref().map_or(0, Source::copied)
    }

    /// Where depth takes part: its surface, rows, and the column behind the last one.
    pub(in crate::raster) fn depth(&self) -> Option<(DepthSurface, &Range<usize>, usize)> {
        self.footprint.depth.map(|depth| (depth, &self.footprint.rows, self.footprint.right))
    }

    /// Whether pixels share bytes, lie behind the end of VRAM, or are their own texture.
    pub(in crate::raster) const fn is_tangled(&self) -> bool {
        self.tangled
    }
}

/// The pixels inside the scissor.
#[derive(Clone, Debug)]
struct Rectangle {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Rectangle {
    fn new(area: &Area) -> Option<Self> {
        let range = |range: &Range<i64>| {
            Some(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
                .filter(|range| !range.is_empty())
        };
        Some(Self { columns: range(&area.x)?, rows: range(&area.y)? })
    }
}
