//! Draws into the same surfaces that read nothing of what is drawn: each of their pixels depends on no other, so that
//! rows may be filled in any order, and side by side.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::Job;
use super::depth::Stage;
use super::source::{Source, Tables};
use super::state::State;
use crate::address::VRAM_SIZE;
use crate::color;
use crate::edram::Translation;
use crate::framebuffer::{ColorSurface, DepthSurface};
use crate::memory::Memory;
use crate::raster::coverage::Area;
use crate::registers::Registers;

/// A draw's state and texture, looked up in its registers.
#[derive(Clone, Debug)]
pub(in crate::raster) struct Prepared {
    pub(super) state: State,
    pub(super) source: Option<Source>,
    footprint: Footprint,
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

/// Draws that may be filled together.
#[derive(Debug, Default)]
pub(super) struct Group<'j> {
    draws: ArrayVec<Job<'j>, DRAWS>,
    footprint: Option<Footprint>,
    reads: ArrayVec<Range<usize>, READS>,
}

/// Most draws in a group.
const DRAWS: usize = 512;
/// Most pieces of VRAM that its draws look at.
const READS: usize = 32;

impl<'j> Group<'j> {
    /// Takes a draw that is not tangled. Says whether it could: an empty group takes any, others what can be filled
    /// together with what they have.
    pub(super) fn push(&mut self, job: Job<'j>, translation: Translation) -> bool {
        let own = &job.prepared.footprint;
        let together = match &self.footprint {
            None => own.clone(),
            Some(footprint) => {
                let joined = footprint.join(own).filter(|joined| {
                    let surfaces = joined.surfaces(translation);
                    let mut reads = job.prepared.reads().chain(self.reads.iter().cloned());
                    surfaces.are_apart() && !reads.any(|read| surfaces.overlap(&read))
                });
                match joined {
                    Some(joined) => joined,
                    None => return false,
                }
            }
        };
        let new = job.prepared.reads().filter(|read| !self.reads.contains(read));
        if self.draws.is_full() || new.count() > self.reads.remaining_capacity() {
            return false;
        }
        self.footprint = Some(together);
        for read in job.prepared.reads() {
            if !self.reads.contains(&read) {
                self.reads.push(read);
            }
        }
        self.draws.push(job);
        true
    }

    /// The draws, in their order.
    pub(super) fn draws(&self) -> &[Job<'j>] {
        &self.draws
    }

    /// What all draws together may write; `None` without any.
    pub(super) fn footprint(&self) -> Option<Footprint> {
        self.footprint.clone()
    }

    /// Bytes of VRAM that texels may come from.
    pub(super) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.reads.iter().cloned()
    }

    pub(super) fn clear(&mut self) {
        self.draws.clear();
        self.reads.clear();
        self.footprint = None;
    }
}

/// The surfaces that are drawn into, and the part of them that may change.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) color: ColorSurface,
    /// Where depth takes part.
    pub(super) depth: Option<DepthSurface>,
    pub(super) rows: Range<usize>,
    /// The column behind the last one.
    pub(super) right: usize,
}

impl Footprint {
    /// What both may write, where their surfaces are the same.
    fn join(&self, other: &Self) -> Option<Self> {
        let depth_differs = self.depth.zip(other.depth).is_some_and(|(a, b)| a != b);
        (self.color == other.color && !depth_differs).then(|| Self {
            color: self.color,
            depth: self.depth.or(other.depth),
            rows: self.rows.start.min(other.rows.start)..self.rows.end.max(other.rows.end),
            right: self.right.max(other.right),
        })
    }

    /// The bytes that may change.
    pub(super) fn surfaces(&self, translation: Translation) -> Surfaces {
        let (address, stride) = (self.color.address as usize, self.color.stride as usize);
        let bytes = color::bytes(self.color.format) as usize;
        let start = address + self.rows.start * stride * bytes;
        let end = address + ((self.rows.end - 1) * stride + self.right) * bytes;
        let depth =
            self.depth.map_or(0..0, |depth| Stage::vram_of(&depth, translation, &self.rows, self.right));
        Surfaces { color: start..end, depth }
    }

    /// Whether rows share no bytes, so that each can be filled for itself.
    pub(super) fn can_be_cut(&self) -> bool {
        let wide = |stride: u32| self.right <= stride as usize;
        wide(self.color.stride) && self.depth.is_none_or(|depth| wide(depth.stride))
    }
}

/// Bytes of VRAM that may be written.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    pub(super) color: Range<usize>,
    pub(super) depth: Range<usize>,
}

impl Surfaces {
    /// Whether all bytes exist, and none is both colour and depth.
    fn are_apart(&self) -> bool {
        let end = VRAM_SIZE as usize;
        self.color.end <= end && self.depth.end <= end && !overlap(&self.color, &self.depth)
    }

    fn overlap(&self, range: &Range<usize>) -> bool {
        overlap(&self.color, range) || overlap(&self.depth, range)
    }
}

pub(in crate::raster) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
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
