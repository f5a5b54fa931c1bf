//! Tells a pixel's history: every draw, block transfer and CPU action that touched it, in order.
//!
//! ```
//! use pspge::debug::Shot;
//!
//! let list = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
//!     SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v)
//!     VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | .align 4
//!     v: .rgba #ff8000ff | .s16 0 0 0 | .align 4 | .rgba #ff8000ff | .s16 20 10 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let history = Shot::new(capture).history(None, [3, 4])?;
//! assert_eq!(history.verdict(), "draw 0 of 1, rectangle 0: written, #ff800000 over #00000000");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::target::PixelTarget;
use crate::debug::draw::applied_rules::AppliedRule;
use crate::debug::timeline::{EventNumber, TimelineEvent};
use crate::ge::address::Address;
use crate::ge::capture::Action;
use crate::ge::color;
use crate::ge::draw_set::DrawSet;
use crate::ge::limits::LimitHit;
use crate::raster::WatchedFragment;
use crate::run::interpreter::Report;

/// A pixel's history.
#[derive(Clone, Debug)]
pub struct PixelHistory {
    /// The buffer.
    pub target: PixelTarget,
    /// Column and row in the buffer.
    pub position: [u32; 2],
    /// The pixel's address.
    pub address: Address,
    /// How many draws the run has.
    pub draws: u64,
    /// How many events the run has.
    pub events: u64,
    /// The pixel's bits at the run's start, 16 or 32.
    pub first: u32,
    /// The pixel's bits at the run's end.
    pub last: u32,
    /// Events that touched this pixel, in order.
    pub entries: Vec<HistoryEntry>,
    /// Which draws to show entries for, with the transfers and CPU actions before each.
    pub shown: DrawSet,
    /// The run's report.
    pub report: Report,
    /// The limit hit by the explanations, if they ended early.
    pub limit_hit: Option<LimitHit>,
}

/// An event that touched this pixel: it wrote the pixel, or was stopped there.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// The event.
    pub event: TimelineEvent,
    /// The pixel's bits before the event.
    pub before: u32,
    /// The pixel's bits after the event.
    pub after: u32,
    /// What the event did at this pixel.
    pub cause: HistoryCause,
    /// Special rules of the hardware that a draw's vertices meet. Rules that apply to most draws are left out.
    pub rules: Vec<AppliedRule>,
    /// Whether the explanation follows from the value before and leads to the value after, as the run drew it. This is
    /// false after a fault in this library or a limit.
    pub agrees: bool,
}

/// How an event touched the pixel.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryCause {
    /// A draw, with its fragments at the pixel in order.
    Draw(Vec<WatchedFragment>),
    /// A block transfer.
    Transfer {
        /// Where the copied bytes came from.
        from: Address,
        /// Whether it took place. If memory is missing, it did not.
        written: bool,
    },
    /// An action by the CPU.
    Cpu {
        /// The action.
        action: Action,
        /// Where the copied bytes came from; `None` for a fill.
        from: Option<Address>,
        /// Whether it wrote the pixel. It may not have, because copies from recordings spare bytes already
        /// drawn by the run.
        written: bool,
    },
}

impl HistoryEntry {
    /// Returns whether this event wrote the pixel, even with the same value.
    #[must_use]
    pub fn wrote(&self) -> bool {
        match &self.cause {
            HistoryCause::Draw(fragments) => fragments.iter().any(wrote),
            HistoryCause::Transfer { written, .. } | HistoryCause::Cpu { written, .. } => *written,
        }
    }

    /// Returns a draw's fragments; other events have none.
    #[must_use]
    pub fn fragments(&self) -> &[WatchedFragment] {
        match &self.cause {
            HistoryCause::Draw(fragments) => fragments,
            HistoryCause::Transfer { .. } | HistoryCause::Cpu { .. } => &[],
        }
    }
}

impl PixelHistory {
    /// Returns the last event to write the pixel, even with the same value; `None` if none did.
    #[must_use]
    pub fn last_writer(&self) -> Option<&HistoryEntry> {
        self.entries.iter().rev().find(|entry| entry.wrote())
    }

    /// Returns the last event to change the pixel, or `None` if it is as it was at the start.
    #[must_use]
    pub fn last_change(&self) -> Option<&HistoryEntry> {
        self.entries.iter().rev().find(|entry| entry.before != entry.after)
    }

    /// Converts this pixel's bits to red, green, blue and alpha.
    #[must_use]
    pub const fn color(&self, bits: u32) -> [u8; 4] {
        color::decode(self.target.format, bits)
    }

    /// Drops entries after an event, to end the history with it.
    pub fn end_after(&mut self, event: EventNumber) {
        self.entries.retain(|entry| entry.event.number <= event);
        self.last = self.entries.last().map_or(self.first, |entry| entry.after);
    }

    /// Lists the entries selected by [`Self::shown`].
    pub fn shown_entries(&self) -> impl Iterator<Item = &HistoryEntry> {
        self.entries.iter().filter(|entry| self.shown.contains(entry.event.draw))
    }
}

/// Returns whether a fragment wrote the watched bytes, even with the same value.
pub(super) fn wrote(fragment: &WatchedFragment) -> bool {
    let record = &fragment.record;
    let stores = if fragment.is_depth {
        record.depth_write.is_some()
    } else {
        record.passed && record.color_write.is_some_and(|write| write.protected != [255; 4])
    };
    fragment.before != fragment.after || stores
}

#[cfg(test)]
mod tests;
