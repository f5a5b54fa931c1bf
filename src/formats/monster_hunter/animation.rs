//! Animation packs: a monster's movements, in both games.
//!
//! A pack holds streams with slots, and each slot a clip: curves for the bones in a part of the skeleton. This file
//! recognises packs; `read` reads them, `curve` evaluates a clip, and `pose` moves the bones of a skeleton.
//! Source: [animation packs](crate::reference::formats::pmo#animation-packs).

mod curve;
mod options;
mod pack;
mod pose;
mod problem;
mod read;
mod targets;

pub(super) use options::OPTIONS;
use pack::Pack;
pub use problem::{AnimationProblem, ClipProblem};

use std::sync::Arc;

use super::ahi::Ahi;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError};
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::Problem;
use crate::model::{Animation, AnimationSet, FileNote};
use curve::Clip;
use pose::ActionSampler;
use read::Tables;
use targets::Targets;

/// Playback speed: monsters are updated 30 times a second, by two frames each time.
const FRAMES_PER_SECOND: f32 = 60.0;
/// Animations for a model.
#[derive(Debug, Default)]
pub(super) struct Motion {
    pub(super) animations: Vec<Animation>,
    pub(super) notes: Vec<FileNote>,
    /// The pack's counts, by name.
    pub(super) counts: Vec<(&'static str, u64)>,
}

/// Recognises a pack. It has no magic, so all its tables must be in place.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "mh-anim", FileRole::Input);
    Tables::find(view).is_some_and(|tables| tables.game(view).is_some())
}

/// Explains why bytes are no pack although they begin with its tables: they end before the first clip.
pub(super) fn looks_like(file: View<'_>) -> Option<FormatError> {
    let tables = Tables::find(file)?;
    let (needed, available) = (tables.end, file.len());
    if available < needed {
        let count = tables.streams.len() as u64;
        return Some(file.error(0, Problem::TableCut { entries: "streams", count, needed, available }));
    }
    match file.word(needed) {
        Ok(found) if tables.game(file).is_none() => Some(file.error(needed, AnimationProblem::Clip(found))),
        Ok(_) => None,
        Err(error) => Some(error),
    }
}

/// Reads a pack. Leaves out damaged clips with a note.
pub(super) fn read(file: View<'_>) -> Result<Pack<'_>, FormatError> {
    let tables = Tables::find(file).ok_or_else(|| file.error(0, AnimationProblem::Tables))?;
    let found = file.word(tables.end)?;
    let game = tables.game(file).ok_or_else(|| file.error(tables.end, AnimationProblem::Clip(found)))?;
    read::pack(file, &tables, game)
}

impl Pack<'_> {
    /// Creates the animations for a skeleton, in the game's order.
    pub(super) fn motion(&self, skeleton: Option<&Ahi>, options: ParseOptions<'_>) -> Motion {
        let mut warnings = self.warnings.clone();
        let mut animations = Vec::new();
        if let Some(ahi) = skeleton {
            let targets = Targets::of_skeleton(self, ahi, options, &mut warnings);
            animations = self.animations(Arc::new(targets));
        } else {
            warnings.push(self.view.error_of_whole(AnimationProblem::NoSkeleton));
        }
        let counts = self.counts().into();
        Motion { animations, notes: warnings.notes().collect(), counts }
    }

    /// Converts the pack to an animation set, for use without a model. Assumes parts in order.
    pub(super) fn animation_set(&self, options: ParseOptions<'_>) -> AnimationSet {
        let targets = Targets::in_order(self, options);
        AnimationSet {
            bones: targets.parts.iter().map(Vec::len).fold(0, usize::saturating_add),
            animations: self.animations(Arc::new(targets)),
            version: Some(self.game.name().to_owned()),
            notes: self.warnings.notes().collect(),
        }
    }

    /// Creates an animation for each action. All parts play it together.
    fn animations(&self, targets: Arc<Targets>) -> Vec<Animation> {
        let sum = |clips: &[(usize, Arc<Clip>)], count: fn(&Clip) -> usize| {
            clips.iter().map(|(_, clip)| count(clip)).fold(0, usize::saturating_add)
        };
        let animation = |(number, clips): (usize, Vec<(usize, Arc<Clip>)>)| Animation {
            name: Some(format!("action {number}")),
            frames: clips.iter().map(|(_, clip)| clip.frames()).max().unwrap_or(1),
            frames_per_second: Some(FRAMES_PER_SECOND),
            channels: sum(&clips, |clip| clip.channels),
            keys: sum(&clips, |clip| clip.keys),
            sampler: Arc::new(ActionSampler { clips, targets: Arc::clone(&targets) }),
        };
        self.actions().into_iter().map(animation).collect()
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
