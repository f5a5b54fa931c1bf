//! Limits the work and memory that an input may take, to stop hostile or broken files in time.
//!
//! # Invariants
//! All limits but [`Limits::time`] count the input's demands, so every run stops at the same point on every machine.
//! Time is unlimited by default.
//!
//! # Defaults
//! The defaults are more than ten times the largest demand in the test corpus. `cargo dev hostile usage` measures
//! this, and a test checks it. Together they stop a hostile input of 1 MiB within 5 seconds and 1 GiB of memory, as
//! `cargo dev hostile worst` shows.
//!
//! | limit | largest demand of a game frame | default |
//! | --- | --- | --- |
//! | commands | 50,726 | 1,000,000 |
//! | draws | 6,608 | 100,000 |
//! | vertices | 306,605 | 8,000,000 |
//! | patch vertices | 252,051 | 2,600,000 |
//! | pixels | 6,865,046 | 80,000,000 |
//! | decoded bytes | 10,606,592 | 160,000,000 |
//! | memory | 45,760,888 | 500,000,000 |
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::limits::{Limit, Limits};
//!
//! let limits = Limits::default().with(Limit::Pixels, 1_000_000).with(Limit::Commands, 50_000);
//! assert_eq!(limits.get(Limit::Pixels), 1_000_000);
//! ```

use std::fmt;
use std::time::Duration;

/// The limits to apply while reading and running an input.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Limit, Limits};
///
/// let limits = Limits::default().with(Limit::Commands, 100);
/// assert_eq!(limits.get(Limit::Commands), 100);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many commands to execute at most.
    pub commands: u64,
    /// How many draws to execute at most.
    pub draws: u64,
    /// How many vertices to pass to the sink or to test at most, over all draws. Each morph frame and each bone
    /// matrix adds another, because it adds work to its vertex.
    pub vertices: u64,
    /// How many vertices to divide patches into at most. Each sub-patch adds another 16 for its control points.
    pub patch_vertices: u64,
    /// How many pixels to process at most, including those that fail a test. Slow pixels count several times (see
    /// `crate::raster::cost`). Block transfers are counted separately, with each pixel twice, against the same
    /// limit.
    pub pixels: u64,
    /// How many bytes decompression and texture decoding may produce for a file, or for an exported frame.
    pub decoded_bytes: u64,
    /// How many bytes of geometry to keep at most while decoding or exporting draws, including data derived from it
    /// for the output file. Memory that does not depend on the input, such as the emulated machine's own, is not
    /// counted.
    pub memory: u64,
    /// How long a run may take by the clock. With this limit, runs stop at different points. It is ignored on
    /// `wasm32-unknown-unknown`, which has no clock.
    pub time: Option<Duration>,
    /// How many notes to keep. Later notes are only counted.
    pub notes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            commands: 1_000_000,
            draws: 100_000,
            vertices: 8_000_000,
            patch_vertices: 2_600_000,
            pixels: 80_000_000,
            decoded_bytes: 160_000_000,
            memory: 500_000_000,
            time: None,
            notes: 1000,
        }
    }
}

/// Names a limit, to set it or to report that it was reached.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// let limit = pspge::Limit::from_name("commands").expect("a known limit");
/// assert_eq!(limit.name(), "commands");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::commands`].
    Commands,
    /// [`Limits::draws`].
    Draws,
    /// [`Limits::vertices`].
    Vertices,
    /// [`Limits::patch_vertices`].
    PatchVertices,
    /// [`Limits::pixels`].
    Pixels,
    /// [`Limits::decoded_bytes`].
    DecodedBytes,
    /// [`Limits::memory`], in bytes.
    Memory,
    /// [`Limits::time`], in milliseconds.
    Time,
}

impl Limit {
    /// All limits, to list them for users.
    pub const ALL: [Self; 8] = [
        Self::Commands,
        Self::Draws,
        Self::Vertices,
        Self::PatchVertices,
        Self::Pixels,
        Self::DecodedBytes,
        Self::Memory,
        Self::Time,
    ];

    /// Returns the name for users to set this limit by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Commands => "commands",
            Self::Draws => "draws",
            Self::Vertices => "vertices",
            Self::PatchVertices => "patch-vertices",
            Self::Pixels => "pixels",
            Self::DecodedBytes => "decoded-bytes",
            Self::Memory => "memory",
            Self::Time => "time",
        }
    }

    /// Finds a limit by its exact name, or returns `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }

    /// Returns this limit's unit, for messages.
    fn unit(self) -> String {
        match self {
            Self::Memory => "bytes of memory".to_owned(),
            Self::Time => "milliseconds".to_owned(),
            counted => counted.name().replace('-', " "),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Limits {
    /// Creates limits that no run reaches. Use this only for inputs known to be harmless.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            commands: u64::MAX,
            draws: u64::MAX,
            vertices: u64::MAX,
            patch_vertices: u64::MAX,
            pixels: u64::MAX,
            decoded_bytes: u64::MAX,
            memory: u64::MAX,
            time: None,
            notes: usize::MAX,
        }
    }

    /// Sets a limit to `value`: a count, bytes, or milliseconds for [`Limit::Time`].
    #[must_use]
    pub const fn with(mut self, limit: Limit, value: u64) -> Self {
        match limit {
            Limit::Commands => self.commands = value,
            Limit::Draws => self.draws = value,
            Limit::Vertices => self.vertices = value,
            Limit::PatchVertices => self.patch_vertices = value,
            Limit::Pixels => self.pixels = value,
            Limit::DecodedBytes => self.decoded_bytes = value,
            Limit::Memory => self.memory = value,
            Limit::Time => self.time = Some(Duration::from_millis(value)),
        }
        self
    }

    /// Lifts a limit, so that no run reaches it.
    #[must_use]
    pub const fn without(self, limit: Limit) -> Self {
        match limit {
            Limit::Time => Self { time: None, ..self },
            limit => self.with(limit, u64::MAX),
        }
    }

    /// Changes how many notes to keep.
    #[must_use]
    pub const fn with_notes(mut self, notes: usize) -> Self {
        self.notes = notes;
        self
    }

    /// Returns a limit's value, in the units for [`Self::with`]; `u64::MAX` if time is unlimited.
    #[must_use]
    pub fn get(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Commands => self.commands,
            Limit::Draws => self.draws,
            Limit::Vertices => self.vertices,
            Limit::PatchVertices => self.patch_vertices,
            Limit::Pixels => self.pixels,
            Limit::DecodedBytes => self.decoded_bytes,
            Limit::Memory => self.memory,
            Limit::Time => {
                self.time.map_or(u64::MAX, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
            }
        }
    }

    /// Creates the report to return when this limit was reached.
    #[must_use]
    pub fn hit(&self, limit: Limit) -> LimitHit {
        LimitHit { limit, value: self.get(limit) }
    }
}

/// A reached limit, to report it. The work beyond was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitHit {
    /// The limit.
    pub limit: Limit,
    /// Its value.
    pub value: u64,
}

impl fmt::Display for LimitHit {
    /// Names the limit, so that users can set another value: [`Limits::with`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, value } = self;
        write!(f, "the limit of {value} {} was reached (limit `{limit}`)", limit.unit())
    }
}

/// Counts down from a limit, to stop work before it exceeds this limit.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    limit: LimitHit,
    left: u64,
    is_exceeded: bool,
}

impl Budget {
    /// Creates a budget with everything the limit allows.
    #[must_use]
    pub fn new(limits: &Limits, limit: Limit) -> Self {
        let limit = limits.hit(limit);
        Self { limit, left: limit.value, is_exceeded: false }
    }

    /// Returns whether this budget can run out at all.
    pub(crate) const fn is_limited(&self) -> bool {
        self.limit.value < u64::MAX
    }

    /// Takes an amount from this budget. Call this before the work, to refuse it in time.
    ///
    /// # Errors
    /// Returns the limit if less than the amount is left. The budget then stays unchanged, and [`Self::limit_hit`]
    /// returns the limit from now on.
    pub const fn spend(&mut self, amount: u64) -> Result<(), LimitHit> {
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.is_exceeded = true;
                Err(self.limit)
            }
        }
    }

    /// Takes an amount, or the rest if less is left. Use this to charge work that is not refused.
    pub const fn drain(&mut self, amount: u64) {
        if self.spend(amount).is_err() {
            self.left = 0;
        }
    }

    /// Returns how much is left to spend.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Returns how much was spent so far.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.limit.value.saturating_sub(self.left)
    }

    /// Returns the limit if a caller asked for more than was left, to report this later.
    #[must_use]
    pub fn limit_hit(&self) -> Option<LimitHit> {
        self.is_exceeded.then_some(self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_by_name() {
        for limit in Limit::ALL {
            assert_eq!(Limit::from_name(limit.name()), Some(limit), "{limit}");
            let limits = Limits::default().with(limit, 7);
            assert_eq!(limits.get(limit), 7, "{limit} is set");
            let others = Limit::ALL.into_iter().filter(|other| *other != limit);
            for other in others {
                assert_eq!(limits.get(other), Limits::default().get(other), "{other} is unchanged");
            }
        }
        assert_eq!(Limit::from_name("Commands"), None, "names are exact");
    }

    #[test]
    fn budget_refuses_more_than_is_left() {
        let limits = Limits::default().with(Limit::Pixels, 10);
        let mut budget = Budget::new(&limits, Limit::Pixels);
        assert_eq!((budget.spend(6), budget.left(), budget.limit_hit()), (Ok(()), 4, None), "enough");
        let hit = budget.spend(5).expect_err("one too many");
        assert_eq!((budget.left(), budget.limit_hit()), (4, Some(hit)), "nothing was taken");
        let text = "the limit of 10 pixels was reached (limit `pixels`)";
        assert_eq!(hit.to_string(), text, "the message names the limit");
    }
}
