//! A pack in memory: its streams of slots, and the game actions in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::curve::Clip;
use crate::formats::core::cursor::View;
use crate::formats::core::error::Warnings;
use crate::formats::monster_hunter::ahi;

/// Streams per part in Freedom Unite: actions 0 to 99, then 100 to 199.
const STREAMS_PER_PART: usize = 2;
/// How many slots in a stream the games can reach.
pub(super) const STREAM_SLOTS: usize = 100;

/// Tells the games apart, because each encodes packs differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Game {
    /// Freedom Unite: each clip moves a part of the skeleton.
    Unite,
    /// Portable 3rd: each clip moves the whole skeleton.
    Portable3rd,
}

/// A checked pack.
#[derive(Clone, Debug)]
pub(in crate::formats::monster_hunter) struct Pack<'a> {
    pub(super) view: View<'a>,
    pub(super) game: Game,
    /// For each stream, its slots with their clips.
    pub(super) streams: Vec<Vec<Option<Arc<Clip>>>>,
    /// Each clip once, because slots may share them.
    pub(super) clips: Vec<Arc<Clip>>,
    pub(super) warnings: Warnings,
}

impl Pack<'_> {
    /// Counts streams, slots and clips.
    pub(in crate::formats::monster_hunter) fn counts(&self) -> [(&'static str, u64); 4] {
        let slots = || self.streams.iter().flatten();
        [
            ("animation_streams", self.streams.len() as u64),
            ("animation_slots", slots().count() as u64),
            ("filled_animation_slots", slots().flatten().count() as u64),
            ("animation_clips", self.clips.len() as u64),
        ]
    }

    /// Counts the parts to which clips belong.
    pub(super) fn parts(&self) -> usize {
        match self.game {
            Game::Unite => self.streams.len().div_ceil(STREAMS_PER_PART),
            Game::Portable3rd => 1,
        }
    }

    /// Lists all clips for a part.
    pub(super) fn clips_of_part(&self, part: usize) -> impl Iterator<Item = &Clip> {
        let (first, count) = match self.game {
            Game::Unite => (part.saturating_mul(STREAMS_PER_PART), STREAMS_PER_PART),
            Game::Portable3rd => (0, self.streams.len()),
        };
        let streams = self.streams.iter().skip(first).take(count);
        streams.flatten().flatten().map(|clip| &**clip)
    }

    /// Groups the clips by action, each with the part it moves.
    pub(super) fn actions(&self) -> BTreeMap<usize, Vec<(usize, Arc<Clip>)>> {
        let mut actions: BTreeMap<usize, Vec<(usize, Arc<Clip>)>> = BTreeMap::new();
        for (number, stream) in self.streams.iter().enumerate() {
            let (part, set) = match self.game {
                Game::Unite => (number / STREAMS_PER_PART, number % STREAMS_PER_PART),
                Game::Portable3rd => (0, number),
            };
            let first = set.saturating_mul(STREAM_SLOTS);
            // The games look slots up by two-digit numbers, so they cannot reach more.
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
    /// Returns the same name as skeletons use for their version.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Unite => ahi::MHFU,
            Self::Portable3rd => ahi::MHP3RD,
        }
    }
}
