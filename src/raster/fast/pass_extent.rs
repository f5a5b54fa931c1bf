//! The bytes of VRAM that draws may write.

use std::ops::Range;

use super::depth::Stage;
use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};

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
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
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
    pub(super) fn are_apart(&self) -> bool {
        let end = VRAM_SIZE as usize;
        self.color.end <= end && self.depth.end <= end && !overlap(&self.color, &self.depth)
    }

    pub(super) fn overlap(&self, range: &Range<usize>) -> bool {
        overlap(&self.color, range) || overlap(&self.depth, range)
    }
}

pub(in crate::raster) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}
