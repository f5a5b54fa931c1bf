//! Splits a run into render passes, and collects facts about each.
//!
//! # Invariants
//! A pass is a run of draws with the same colour buffer: its address, row length and format. A draw starts a new
//! pass if
//! * it has another colour buffer than the draw before,
//! * it tests or stores depth in another depth buffer than an earlier draw in the pass,
//! * or since the draw before, a block transfer or the CPU has read bytes that a draw in the pass wrote.
//!
//! This ensures that everything a pass reads from other events comes from earlier passes and copies.

use std::collections::BTreeMap;

use super::pixel_access::{PixelAccess, Store};
use super::pixel_mask::DrawnBox;
use crate::debug::timeline::EventNumber;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};

/// A render pass.
#[derive(Clone, Debug, PartialEq)]
pub struct PassFacts {
    /// The colour buffer.
    pub color: ColorSurface,
    /// The depth buffer; `None` if no draw in this pass tests or stores depth.
    pub depth: Option<DepthUse>,
    /// The first and the last draw's events.
    pub events: [EventNumber; 2],
    /// The first and the last draw's numbers.
    pub draws: [u64; 2],
    /// How many primitives remain after clipping and culling.
    pub primitives: u64,
    /// How many pixels are covered inside the scissor. Pixels covered by several draws count several times.
    pub pixels: u64,
    /// The box around all covered pixels in the buffers; `None` if no pixel is covered.
    pub drawn: Option<DrawnBox>,
    /// The draws in clear mode.
    pub clears: Vec<Clear>,
    /// Whether a draw may store colour or stencil.
    pub stores_color: bool,
    /// How many bytes covered by this pass were last written by which event outside the pass, and how the draws used
    /// these old values.
    pub old_values: BTreeMap<(OldValue, EventNumber), u64>,
}

/// How a depth buffer is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthUse {
    /// The buffer.
    pub surface: DepthSurface,
    /// Whether a draw compares against this depth.
    pub is_tested: bool,
    /// Whether a draw may store depth.
    pub is_stored: bool,
}

/// A draw in clear mode, and which buffers it clears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ClearInfo"))]
pub struct Clear {
    /// The draw's number.
    pub draw: u64,
    /// Whether it clears colour.
    pub color: bool,
    /// Whether it clears stencil.
    pub stencil: bool,
    /// Whether it clears depth.
    pub depth: bool,
}

/// How a draw uses a value already in its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OldValue {
    /// Colour, by blending, a logic operation or a mask.
    Color,
    /// Stencil, by the stencil test or a blend factor.
    Stencil,
    /// Depth, by the depth test.
    Depth,
}

/// Splits draws into passes.
#[derive(Clone, Debug, Default)]
pub(super) struct PassSplitter {
    pub(super) passes: Vec<PassFacts>,
    /// Whether something read the last pass's results, so that the next draw starts a new pass.
    was_read: bool,
}

impl PassSplitter {
    /// Returns the last pass's number; `None` before the first draw.
    pub(super) fn current(&self) -> Option<usize> {
        self.passes.len().checked_sub(1)
    }

    /// Notes that a copy reads bytes written by a draw in this pass.
    pub(super) fn note_copied(&mut self, pass: usize) {
        self.was_read |= Some(pass) == self.current();
    }

    /// Adds a draw to the last pass or to a new pass, and returns this pass.
    pub(super) fn add(&mut self, access: &PixelAccess, event: EventNumber, draw: u64) -> &mut PassFacts {
        let is_same = |pass: &PassFacts| {
            pass.color == access.color
                && !(access.uses_depth() && pass.depth.is_some_and(|depth| depth.surface != access.depth))
        };
        let continues = !self.was_read && self.passes.last().is_some_and(is_same);
        self.was_read = false;
        if !continues {
            self.passes.push(PassFacts::new(access.color, event, draw));
        }
        let last = self.passes.len().saturating_sub(1);
        #[expect(clippy::indexing_slicing, reason = "a pass was just found or added")]
        let pass = &mut self.passes[last];
        pass.add(access, event, draw);
        pass
    }
}

impl PassFacts {
    const fn new(color: ColorSurface, event: EventNumber, draw: u64) -> Self {
        Self {
            color,
            depth: None,
            events: [event; 2],
            draws: [draw; 2],
            primitives: 0,
            pixels: 0,
            drawn: None,
            clears: Vec::new(),
            stores_color: false,
            old_values: BTreeMap::new(),
        }
    }

    fn add(&mut self, access: &PixelAccess, event: EventNumber, draw: u64) {
        (self.events[1], self.draws[1]) = (event, draw);
        self.stores_color |= access.color_store != Store::Never;
        if access.uses_depth() {
            let unused = DepthUse { surface: access.depth, is_tested: false, is_stored: false };
            let depth = self.depth.get_or_insert(unused);
            depth.is_tested |= access.reads_depth;
            depth.is_stored |= access.depth_store != Store::Never;
        }
        if let Some(clear) = access.clear {
            let ClearMode { color, stencil, depth, .. } = clear;
            self.clears.push(Clear { draw, color, stencil, depth });
        }
    }

    /// Counts the draws.
    #[must_use]
    pub const fn draw_count(&self) -> u64 {
        self.draws[1].saturating_sub(self.draws[0]).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    fn access(settings: &[(Opcode, u32)]) -> PixelAccess {
        let defaults = [(Opcode::FRAMEBUFWIDTH, 64), (Opcode::ZBUFPTR, 0x8000), (Opcode::ZBUFWIDTH, 64)];
        PixelAccess::of(&Registers::with(defaults.into_iter().chain(settings.iter().copied())))
    }

    #[test]
    fn buffers_and_copies_split_passes() {
        let depth = |at| vec![(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 7), (Opcode::ZBUFPTR, at)];
        let draws = [
            (vec![], 0),
            // The first draw to use depth.
            (depth(0x8000), 0),
            // A draw without depth.
            (vec![(Opcode::ZBUFPTR, 0x9000)], 0),
            (depth(0x9000), 1),
            (vec![(Opcode::FRAMEBUFPTR, 0x1000)], 2),
            (vec![(Opcode::FRAMEBUFPTR, 0x1000), (Opcode::FRAMEBUFPIXFORMAT, 1)], 3),
            (vec![(Opcode::CLEARMODE, 0x501)], 4),
        ];
        let mut splitter = PassSplitter::default();
        for (number, (settings, pass)) in (0..).zip(draws) {
            splitter.add(&access(&settings), EventNumber(number + 10), number.into());
            assert_eq!(splitter.current(), Some(pass), "draw {number}");
        }
        splitter.note_copied(0);
        splitter.add(&access(&[]), EventNumber(20), 7);
        assert_eq!(splitter.current(), Some(4), "a copy of an earlier pass");
        splitter.note_copied(4);
        splitter.add(&access(&[]), EventNumber(21), 8);
        assert_eq!(splitter.current(), Some(5), "a copy of this pass");
        let first = &splitter.passes[0];
        assert_eq!(
            (first.draws, first.events.map(|event| event.0), first.draw_count()),
            ([0, 2], [10, 12], 3),
            "draws"
        );
        assert!(first.depth.is_some_and(|depth| depth.is_tested && depth.is_stored), "depth");
        let clear = splitter.passes[4].clears.first().expect("a clear");
        assert_eq!((clear.color, clear.stencil, clear.depth), (true, false, true), "a clear");
    }
}
