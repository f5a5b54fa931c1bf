//! Parse options to choose which bones Portable 3rd's tracks move.
//!
//! Files do not name their monster, and the bone tables are inside the game's program, so the user has to choose.
//! Source: [tracks and bones](crate::reference::formats::pmo#tracks-and-bones).

use crate::formats::core::options::{ParseOption, ParseOptions};

/// Maps a monster's tracks to bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrackMap {
    /// Tracks and skipped bones count from this bone.
    pub(super) first: usize,
    /// Bones without a track, counted from `first`.
    pub(super) skipped: &'static [usize],
}

/// The first bone for most monsters.
pub(super) const FIRST_BONE: usize = 2;

const fn option(name: &'static str, about: &'static str) -> ParseOption {
    ParseOption { name, about }
}

/// Options for monsters with an unusual map.
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

/// The maps for [`OPTIONS`], in the same order.
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
    /// Finds the chosen map; `None` if no option is chosen.
    pub(super) fn of(options: ParseOptions<'_>) -> Option<Self> {
        OPTIONS.into_iter().zip(MAPS).find(|(option, _)| options.has(*option)).map(|(_, map)| map)
    }

    /// Lists the moved bones in track order.
    pub(super) fn bones(self) -> impl Iterator<Item = usize> {
        (0..)
            .filter(move |bone| !self.skipped.contains(bone))
            .map(move |bone| bone.saturating_add(self.first))
    }
}
