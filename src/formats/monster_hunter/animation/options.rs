//! Parse options of animations: the bones that tracks of Portable 3rd move.
//!
//! The files do not name the monster, and the table of its bones is in the game's program.
//! Source: [tracks and bones](crate::reference::formats::pmo#tracks-and-bones).

use crate::formats::core::options::{ParseOption, ParseOptions};

/// The bones that the tracks of a monster move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrackMap {
    /// The bone from which tracks and skipped bones are counted.
    pub(super) first: usize,
    /// Bones without a track, counted from `first`.
    pub(super) skipped: &'static [usize],
}

/// The usual first bone.
pub(super) const FIRST_BONE: usize = 2;

const fn option(name: &'static str, about: &'static str) -> ParseOption {
    ParseOption { name, about }
}

/// The options of monsters that need one.
pub(in crate::formats::monster_hunter) const OPTIONS: [ParseOption; 8] = [
    option("monster-1", "Portable 3rd animations: tracks skip bones as those of monsters 1, 2, 15 and 18"),
    option("monster-7", "Portable 3rd animations: tracks skip bones as those of monster 7"),
    option("monster-16", "Portable 3rd animations: tracks skip bones as those of monsters 16 and 56"),
    option("monster-22", "Portable 3rd animations: tracks skip bones as those of monster 22"),
    option(
        "monster-40",
        "Portable 3rd animations: tracks start at bone 0 and skip bones, as those of monster 40",
    ),
    option("monster-41", "Portable 3rd animations: tracks skip bones as those of monster 41"),
    option("monster-47", "Portable 3rd animations: tracks skip bones as those of monster 47"),
    option("monster-58", "Portable 3rd animations: tracks start at bone 0, as those of monster 58"),
];

/// The maps of [`OPTIONS`], in their order.
const MAPS: [TrackMap; 8] = [
    TrackMap { first: FIRST_BONE, skipped: &[8, 15, 25] },
    TrackMap { first: FIRST_BONE, skipped: &[21, 22] },
    TrackMap { first: FIRST_BONE, skipped: &[22, 23, 24] },
    TrackMap { first: FIRST_BONE, skipped: &[8] },
    TrackMap { first: 0, skipped: &[9, 10, 16, 17, 24, 31, 37, 38, 42, 47] },
    TrackMap { first: FIRST_BONE, skipped: &[8, 9, 15, 16, 25, 27, 30, 31, 32, 34, 43, 48] },
    TrackMap { first: FIRST_BONE, skipped: &[17] },
    TrackMap { first: 0, skipped: &[] },
];

impl TrackMap {
    /// Returns the map that the options choose; `None` if they choose none.
    pub(super) fn of(options: ParseOptions<'_>) -> Option<Self> {
        OPTIONS.into_iter().zip(MAPS).find(|(option, _)| options.has(*option)).map(|(_, map)| map)
    }

    /// Returns the bones that tracks move, in the order of the tracks.
    pub(super) fn bones(self) -> impl Iterator<Item = usize> {
        (0..)
            .filter(move |bone| !self.skipped.contains(bone))
            .map(move |bone| bone.saturating_add(self.first))
    }
}
