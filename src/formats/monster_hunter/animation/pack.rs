//! A pack in memory: its streams of slots, and the actions of the game that they hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::curve::Clip;
use crate::formats::core::cursor::View;
use crate::formats::core::error::Warnings;
use crate::formats::monster_hunter::ahi;

/// Streams of a part in Freedom Unite: actions 0 to 99, then 100 to 199.
const STREAMS_PER_PART: usize = 2;
/// Slots of a stream that the games can reach.
pub(super) const STREAM_SLOTS: usize = 100;

/// The game that a pack belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Game {
    /// Freedom Unite: clips of one part of the skeleton each.
    Unite,
    /// Portable 3rd: clips of the whole skeleton.
    Portable3rd,
}

/// A pack, read and checked.
#[derive(Clone, Debug)]
pub(in crate::formats::monster_hunter) struct Pack<'a> {
    pub(super) view: View<'a>,
    pub(super) game: Game,
    /// The clip of each slot of each stream.
    pub(super) streams: Vec<Vec<Option<Arc<Clip>>>>,
    /// Each clip once. Slots may share them.
    pub(super) clips: Vec<Arc<Clip>>,
    pub(super) warnings: Warnings,
}

impl Pack<'_> {
    /// Returns the counts of streams, slots and clips.
    pub(in crate::formats::monster_hunter) fn counts(&self) -> [(&'static str, u64); 4] {
        let slots = || self.streams.iter().flatten();
        [
            ("animation_streams", self.streams.len() as u64),
            ("animation_slots", slots().count() as u64),
            ("filled_animation_slots", slots().flatten().count() as u64),
            ("animation_clips", self.clips.len() as u64),
        ]
    }

    /// Returns the number of parts of the skeleton that the clips move.
    pub(super) fn parts(&self) -> usize {
        match self.game {
            Game::Unite => self.streams.len().div_ceil(STREAMS_PER_PART),
            Game::Portable3rd => 1,
        }
    }

    /// Returns all clips of a part.
    pub(super) fn clips_of_part(&self, part: usize) -> impl Iterator<Item = &Clip> {
        let (first, count) = match self.game {
            Game::Unite => (part.saturating_mul(STREAMS_PER_PART), STREAMS_PER_PART),
            Game::Portable3rd => (0, self.streams.len()),
        };
        let streams = self.streams.iter().skip(first).take(count);
        streams.flatten().flatten().map(|clip| &**clip)
    }

    /// Returns the clips of each action, with the part that each moves.
    pub(super) fn actions(&self) -> BTreeMap<usize, Vec<(usize, Arc<Clip>)>> {
        let mut actions: BTreeMap<usize, Vec<(usize, Arc<Clip>)>> = BTreeMap::new();
        for (number, stream) in self.streams.iter().enumerate() {
            let (part, set) = match self.game {
                Game::Unite => (number / STREAMS_PER_PART, number % STREAMS_PER_PART),
                Game::Portable3rd => (0, number),
            };
            let first = set.saturating_mul(STREAM_SLOTS);
            // The games look slots up by numbers of two digits, so they cannot reach more.
            for (slot, clip) in stream.iter().enumerate().take(STREAM_SLOTS) {
                if let Some(clip) = clip {
                    let action = actions.entry(first.saturating_add(slot)).or_default();
                    action.push((part, Arc::clone(clip)));
                }
            }
        }
        actions
    }
}

impl Game {
    /// Returns the name, as in the version of skeletons.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Unite => ahi::MHFU,
            Self::Portable3rd => ahi::MHP3RD,
        }
    }
}
