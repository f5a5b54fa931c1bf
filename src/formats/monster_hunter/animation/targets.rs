//! Works out which bones the clips' tracks move.
//! Source: [tracks and bones](crate::reference::formats::pmo#tracks-and-bones).

use std::collections::HashSet;

use super::curve::Channel;
use super::options::{FIRST_BONE, TrackMap};
use super::pack::{Game, Pack};
use super::problem::AnimationProblem;
use crate::formats::core::error::Warnings;
use crate::formats::core::euler::Transform;
use crate::formats::core::options::ParseOptions;
use crate::formats::monster_hunter::ahi::{Ahi, RestBone};
use crate::model::Skeleton;

/// Maps tracks to bones, and keeps all bones' transforms at rest.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    /// For each part, the bone index for each track.
    pub(super) parts: Vec<Vec<usize>>,
    /// Empty if no skeleton is known.
    pub(super) rest: Vec<Transform>,
}

impl Targets {
    /// Maps tracks to a skeleton's bones. Notes each part if its bone and track counts differ.
    pub(super) fn of_skeleton(
        pack: &Pack<'_>,
        ahi: &Ahi,
        options: ParseOptions<'_>,
        warnings: &mut Warnings,
    ) -> Self {
        let rest: Vec<Transform> = ahi.rest.iter().map(|bone| bone.transform).collect();
        let mut note = |problem| warnings.push(pack.view.error_of_whole(problem));
        let mut parts = Vec::new();
        for part in 0..pack.parts() {
            let tracks = tracks_of(pack, part);
            parts.push(match pack.game {
                Game::Unite => {
                    let is_own = |bone: &RestBone| usize::try_from(bone.part) == Ok(part);
                    let bones: Vec<usize> = (0..)
                        .zip(&ahi.rest)
                        .filter(|(_, bone)| is_own(bone))
                        .map(|(index, _)| index)
                        .collect();
                    // A part without clips has no tracks for its bones to disagree with.
                    if tracks > 0 && bones.len() != tracks {
                        note(AnimationProblem::PartSize { part, bones: bones.len(), tracks });
                    }
                    bones
                }
                Game::Portable3rd => {
                    let map = TrackMap::of(options).unwrap_or_else(|| {
                        let map = assumed_map(pack, &ahi.skeleton);
                        note(AnimationProblem::AssumedBones { first: map.first });
                        map
                    });
                    let bones: Vec<usize> =
                        map.bones().take_while(|bone| *bone < rest.len()).take(tracks).collect();
                    if bones.len() < tracks {
                        note(AnimationProblem::MoreTracks { tracks, used: bones.len() });
                    }
                    bones
                }
            });
        }
        Self { parts, rest }
    }

    /// Assumes parts in order, for packs without a skeleton.
    pub(super) fn in_order(pack: &Pack<'_>, options: ParseOptions<'_>) -> Self {
        let map = match pack.game {
            Game::Unite => TrackMap { first: 0, skipped: &[] },
            Game::Portable3rd => {
                TrackMap::of(options).unwrap_or(TrackMap { first: FIRST_BONE, skipped: &[] })
            }
        };
        let mut bones = map.bones();
        let parts = (0..pack.parts()).map(|part| bones.by_ref().take(tracks_of(pack, part)).collect());
        Self { parts: parts.collect(), rest: Vec::new() }
    }
}

/// Finds the largest track count in a part's clips.
fn tracks_of(pack: &Pack<'_>, part: usize) -> usize {
    pack.clips_of_part(part).map(|clip| clip.tracks.len()).max().unwrap_or(0)
}

/// Guesses the map for a monster without skipped bones. Only bones from the root to the first fork are translated in
/// known files. So this starts at bone 0 if all translated tracks fit these bones only then, else at the usual bone.
fn assumed_map(pack: &Pack<'_>, skeleton: &Skeleton) -> TrackMap {
    let usual = TrackMap { first: FIRST_BONE, skipped: &[] };
    let other = TrackMap { first: 0, skipped: &[] };
    let bones = skeleton.bones();
    let mut children = vec![0_usize; bones.len()];
    for parent in bones.iter().filter_map(|bone| bone.parent) {
        if let Some(count) = children.get_mut(parent) {
            *count = count.saturating_add(1);
        }
    }
    // Walk from the first fork up to the root, to find the trunk.
    let mut trunk = HashSet::new();
    let mut at = children.iter().position(|children| *children > 1);
    while let Some(bone) = at {
        trunk.insert(bone);
        at = bones.get(bone).and_then(|bone| bone.parent);
    }
    let is_translated = |track: &[Channel]| track.iter().any(|channel| channel.component.is_translation());
    let mut translated = HashSet::new();
    for clip in &pack.clips {
        let tracks = (0_usize..).zip(&clip.tracks).filter(|(_, track)| is_translated(track));
        translated.extend(tracks.map(|(number, _)| number));
    }
    let fits =
        |map: TrackMap| translated.iter().all(|track| trunk.contains(&track.saturating_add(map.first)));
    if !fits(usual) && fits(other) { other } else { usual }
}
