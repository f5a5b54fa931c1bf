//! Builds skins: which joints move a draw's vertices, and their inverse bind matrices.
//!
//! A model file sums its joints' matrices, weighted and each after its inverse bind matrix. The GE sums its bone
//! matrices. Both agree if vertices are stored at rest and the inverse bind matrices undo the joints' rest matrices.
//! For this to work, all matrices for a vertex must agree on its rest position, and the rest matrices must have an
//! inverse. Any other draw keeps its vertices as stored, and gets its own skin with the bindings from its bone
//! matrices.
//!
//! # Invariants
//! A vertex's weights add up to 1. All joints in a skin exist, and a vertex has each joint at most once.

use super::collector::{CollectedDraw, MorphFrame, intern};
use super::note::{ExportNote, ExportNoteKind};
use super::rig::{SkeletonInstance, add_matrix_node};
use super::scene::{Influence, Scene, Skin};
use super::scene_builder::UniqueNames;
use crate::ge::never::OrNever;
use crate::model::matrix::{Affine, IDENTITY, inverse, single, then, transform};
use crate::pipeline::bounds::Bounds;
use crate::run::decode::Stored;

/// How far a vertex's rest positions may differ. This is relative to the draw's size or, if larger, to its distance
/// from the origin, because matrices have 16 bits of precision and move every vertex to its place.
const REST_TOLERANCE: f32 = 5e-5;
/// Weight sums this close to 1 count as 1.
const WEIGHT_SUM_TOLERANCE: f64 = 1e-4;

/// A bone matrix in effect at a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoneSlot {
    /// The bone's index in the skeleton; `None` for a matrix without a bone.
    pub(super) bone: Option<usize>,
    /// Maps vertices to the bone; without a bone, the matrix itself.
    pub(super) binding: Affine,
    /// The matrix at rest.
    pub(super) matrix: Affine,
}

/// All bone matrices in effect at a draw.
pub(super) type BoneSlots = [BoneSlot; 8];

/// How a draw is bound to a skin.
#[derive(Debug)]
pub(super) struct SkinBinding {
    /// Index of the skin.
    pub(super) skin: usize,
    /// Influences by vertex.
    pub(super) influences: Vec<Vec<Influence>>,
    /// Whether to keep the vertices as stored.
    pub(super) as_stored: bool,
}

/// Collects the skins for a scene.
#[derive(Debug, Default)]
pub(super) struct SkinBuilder {
    skins: Vec<SkinSource>,
    /// Counts vertices whose weights do not add up to 1.
    unnormalized: usize,
    /// Whether a bone moves a skinned draw through WORLD.
    pub(super) world_moved_by_bone: bool,
}

/// Where a skin's joints come from.
#[derive(Clone, Debug, PartialEq)]
enum SkinSource {
    /// All bones in this instance of the skeleton, bound at rest.
    AtRest(usize),
    /// The bone matrices a single draw uses, with an instance of the skeleton.
    AsStored(usize, Vec<BoneSlot>),
}

impl SkinBuilder {
    /// Binds a draw to an instance of the skeleton. `rest` holds the bones' rest matrices.
    pub(super) fn bind(
        &mut self,
        draw: &CollectedDraw,
        slots: &BoneSlots,
        instance: usize,
        rest: &[Affine],
    ) -> SkinBinding {
        let Some(frame) = draw.frames.first() else {
            return SkinBinding { skin: 0, influences: Vec::new(), as_stored: false };
        };
        let has_inverse = |slot: &BoneSlot| {
            slot.bone.is_none_or(|bone| rest.get(bone).is_some_and(|rest| inverse(rest).is_some()))
        };
        let used = used_slots(draw);
        let invertible = (0..8).filter(|&number| used[number]).all(|number| has_inverse(&slots[number]));
        let binds_at_rest = invertible && agree_at_rest(slots, frame, &draw.weights);
        let mut own: Vec<BoneSlot> = Vec::new();
        let own_joints: Vec<usize> =
            (0..8).map(|number| if used[number] { intern(&mut own, slots[number]) } else { 0 }).collect();
        let source =
            if binds_at_rest { SkinSource::AtRest(instance) } else { SkinSource::AsStored(instance, own) };
        let skin = intern(&mut self.skins, source);
        // The static joint follows the bones.
        let joint = |number: usize| match slots[number].bone {
            _ if !binds_at_rest => own_joints[number],
            Some(bone) => bone,
            None => rest.len(),
        };
        let influences = draw.weights.iter().map(|weights| self.influences(weights, &joint)).collect();
        SkinBinding { skin, influences, as_stored: !binds_at_rest }
    }

    fn influences(&mut self, weights: &[f32; 8], joint: &dyn Fn(usize) -> usize) -> Vec<Influence> {
        let mut shares: Vec<(usize, f64)> = Vec::new();
        for (number, &weight) in weights.iter().enumerate() {
            let weight = f64::from(weight);
            if weight > 0.0 && weight.is_finite() {
                let joint = joint(number);
                match shares.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, share)) => *share += weight,
                    None => shares.push((joint, weight)),
                }
            }
        }
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        if (total - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
            self.unnormalized += 1;
        }
        // A vertex without weights still needs a joint.
        if shares.is_empty() {
            return vec![Influence { joint: 0, weight: 1.0 }];
        }
        // Equal weights are sorted by joint, so that the order is always the same.
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let influence = |&(joint, share): &(usize, f64)| Influence {
            joint: u16::try_from(joint).or_never("a skin has few joints"),
            weight: single(share / total),
        };
        let mut influences: Vec<Influence> =
            shares.iter().map(influence).filter(|influence| influence.weight > 0.0).collect();
        // The first weight absorbs the rounding error.
        let others: f64 = influences.iter().skip(1).map(|influence| f64::from(influence.weight)).sum();
        if let Some(first) = influences.first_mut() {
            let rest = single(1.0 - others);
            first.weight = rest;
        }
        influences
    }

    /// Adds all skins to the scene.
    pub(super) fn finish(
        &self,
        scene: &mut Scene,
        names: &mut UniqueNames,
        instances: &[SkeletonInstance],
        rest: &[Affine],
    ) {
        for (number, source) in self.skins.iter().enumerate() {
            let (SkinSource::AtRest(instance) | SkinSource::AsStored(instance, _)) = source;
            let Some(instance) = instances.get(*instance) else { continue };
            let name = if number == 0 { "skin".to_owned() } else { format!("skin_{}", number + 1) };
            let (joints, matrices): (Vec<usize>, Vec<Affine>) = match source {
                SkinSource::AtRest(_) => {
                    let inverse_bind =
                        |matrix: &Affine| inverse(&then(matrix, &instance.world)).unwrap_or(IDENTITY);
                    let bones =
                        instance.joints.iter().zip(rest).map(|(&joint, rest)| (joint, inverse_bind(rest)));
                    bones
                        .chain(
                            instance.static_joint.map(|static_joint| (static_joint, inverse_bind(&IDENTITY))),
                        )
                        .unzip()
                }
                SkinSource::AsStored(_, slots) => {
                    let static_joint = instance.static_joint.unwrap_or(instance.root);
                    let mut joints: Vec<usize> = Vec::new();
                    for slot in slots {
                        let bone = slot.bone.and_then(|bone| instance.joints.get(bone));
                        let mut joint = bone.copied().unwrap_or(static_joint);
                        if joints.contains(&joint) {
                            // A bone with two bindings needs two joints.
                            joint = add_matrix_node(scene, names, "again", Some(joint), &IDENTITY);
                        }
                        joints.push(joint);
                    }
                    // A draw without any weight still needs a joint.
                    if joints.is_empty() {
                        joints.push(static_joint);
                    }
                    let bindings = slots.iter().map(|slot| slot.binding).chain([IDENTITY]);
                    joints.into_iter().zip(bindings).unzip()
                }
            };
            let inverse_bind = matrices.iter().map(to_columns).collect();
            scene.skins.push(Skin { name, root: instance.root, joints, inverse_bind });
        }
    }

    /// Notes everything a skin cannot express.
    pub(super) fn notes(&self) -> Vec<ExportNote> {
        let mut notes = Vec::new();
        let mut note = |message| notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
        if self.unnormalized > 0 {
            note(format!(
                "the weights of {} vertices do not add up to one: they rest at the engine's position, but \
                 move with normalised weights",
                self.unnormalized
            ));
        }
        if self.world_moved_by_bone {
            note("a bone moves a skinned mesh as a whole: that bone is exported at rest".to_owned());
        }
        notes
    }
}

/// Returns for each bone matrix whether any vertex has a weight for it.
pub(super) fn used_slots(draw: &CollectedDraw) -> [bool; 8] {
    std::array::from_fn(|number| draw.weights.iter().any(|weights| weights[number] > 0.0))
}

/// Checks for every vertex that all its matrices agree on its rest position.
fn agree_at_rest(slots: &BoneSlots, frame: &MorphFrame, weights: &[[f32; 8]]) -> bool {
    let Some(Bounds { min, max }) = Bounds::of(frame.vertices.iter().map(|vertex| vertex.position)) else {
        return true;
    };
    let sides = [0, 1, 2].map(|axis| (max[axis] - min[axis]).max(max[axis].abs()).max(min[axis].abs()));
    let tolerance = REST_TOLERANCE * sides.into_iter().fold(0.0, f32::max) + f32::MIN_POSITIVE;
    frame.stored.iter().zip(weights).all(|([position, _], weights): (&Stored, _)| {
        let used = slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let mut positions = used.map(|(slot, _)| transform(&slot.matrix, *position));
        let Some(first) = positions.next() else { return true };
        positions.all(|position| position.iter().zip(first).all(|(a, b)| (a - b).abs() <= tolerance))
    })
}

/// Converts an affine matrix to four columns of four elements.
fn to_columns(matrix: &Affine) -> [f32; 16] {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = *matrix;
    [xx, xy, xz, 0.0, yx, yy, yz, 0.0, zx, zy, zz, 0.0, tx, ty, tz, 1.0]
}
