//! Skins: which joints move a draw's vertices, and where they start from.
//!
//! A file of a model puts a vertex at the sum of its joints' matrices behind their inverse bind matrices; the engine at
//! the sum of its bone matrices. Both are the same where vertices stand as they do at rest and inverse bind matrices undo
//! the joints' rest. That needs all matrices of a vertex to agree on where it rests, and joints that can be undone; a
//! draw that has them not keeps its vertices as they are stored, and its own skin has the draw's bindings.
//!
//! # Invariants
//! Weights of a vertex add up to one. Joints of a skin exist, and no vertex has a joint twice.

use super::build::Names;
use super::collect::{Drawn, Frame, place};
use super::rig::{Instance, place_matrix};
use super::scene::{Influence, Scene, Skin};
use crate::model::bounds::Bounds;
use crate::model::matrix::{Affine, IDENTITY, inverse, then, transform};
use crate::run::decode::Stored;

/// Parts of a draw's size by which its matrices may disagree on where a vertex rests.
const AGREEMENT: f32 = 5e-5;
/// Sums of weights this near to one count as one.
const WHOLE: f64 = 1e-4;

/// A bone matrix of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    /// The bone, by its place in the skeleton; `None` for a matrix that nothing moves.
    pub(super) bone: Option<usize>,
    /// From the vertices to the bone; without a bone the matrix itself.
    pub(super) binding: Affine,
    /// The matrix at rest.
    pub(super) matrix: Affine,
}

/// All bone matrices of a draw.
pub(super) type Slots = [Slot; 8];

/// How a draw hangs on its bones.
#[derive(Debug)]
pub(super) struct Bound {
    /// Number of the skin.
    pub(super) skin: usize,
    /// Of each vertex.
    pub(super) influences: Vec<Vec<Influence>>,
    /// Vertices are to stay as they are stored.
    pub(super) as_stored: bool,
}

/// All skins so far.
#[derive(Debug, Default)]
pub(super) struct Binder {
    skins: Vec<Kind>,
    /// Vertices whose weights do not add up to one.
    uneven: usize,
    /// Something moves WORLD behind a skin.
    pub(super) moved_behind: bool,
}

/// What a skin is made of.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// All bones of a copy of the skeleton, from where they rest.
    Rest(usize),
    /// The bone matrices that one draw uses.
    Stored(usize, Vec<Slot>),
}

impl Binder {
    /// Binds a draw to a copy of the skeleton.
    pub(super) fn bind(&mut self, drawn: &Drawn, slots: &Slots, instance: usize, rest: &[Affine]) -> Bound {
        let Some(frame) = drawn.frames.first() else {
            return Bound { skin: 0, influences: Vec::new(), as_stored: false };
        };
        let agrees = |slot: &Slot| {
            slot.bone.is_none_or(|bone| rest.get(bone).is_some_and(|rest| inverse(rest).is_some()))
        };
        let used = used(drawn);
        let undone = (0..8).filter(|&number| used[number]).all(|number| agrees(&slots[number]));
        let at_rest = undone && agree(slots, frame, &drawn.weights);
        let mut own: Vec<Slot> = Vec::new();
        let own_joints: Vec<usize> =
            (0..8).map(|number| if used[number] { place(&mut own, slots[number]) } else { 0 }).collect();
        let kind = if at_rest { Kind::Rest(instance) } else { Kind::Stored(instance, own) };
        let skin = place(&mut self.skins, kind);
        // The joint that never moves stands behind the bones.
        let joint = |number: usize| match slots[number].bone {
            _ if !at_rest => own_joints[number],
            Some(bone) => bone,
            None => rest.len(),
        };
        let influences = drawn.weights.iter().map(|weights| self.influences(weights, &joint)).collect();
        Bound { skin, influences, as_stored: !at_rest }
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
        if (total - 1.0).abs() > WHOLE {
            self.uneven += 1;
        }
        if shares.is_empty() {
            return vec![Influence { joint: 0, weight: 1.0 }];
        }
        // The greatest first; those of one size by their joints.
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        #[expect(clippy::cast_possible_truncation, reason = "rounded to single once")]
        let influence = |&(joint, share): &(usize, f64)| Influence {
            joint: u16::try_from(joint).unwrap_or(0),
            weight: (share / total) as f32,
        };
        let mut influences: Vec<Influence> =
            shares.iter().map(influence).filter(|influence| influence.weight > 0.0).collect();
        // What rounding left goes to the greatest.
        let others: f64 = influences.iter().skip(1).map(|influence| f64::from(influence.weight)).sum();
        if let Some(first) = influences.first_mut() {
            #[expect(clippy::cast_possible_truncation, reason = "rounded to single once")]
            let rest = (1.0 - others) as f32;
            first.weight = rest;
        }
        influences
    }

    /// Writes all skins.
    pub(super) fn finish(
        &self,
        scene: &mut Scene,
        names: &mut Names,
        instances: &[Instance],
        rest: &[Affine],
    ) {
        for (number, kind) in self.skins.iter().enumerate() {
            let (Kind::Rest(instance) | Kind::Stored(instance, _)) = kind;
            let Some(instance) = instances.get(*instance) else { continue };
            let name = if number == 0 { "skin".to_owned() } else { format!("skin_{}", number + 1) };
            let (joints, matrices): (Vec<usize>, Vec<Affine>) = match kind {
                Kind::Rest(_) => {
                    let undo = |matrix: &Affine| inverse(&then(matrix, &instance.world)).unwrap_or(IDENTITY);
                    let bones = instance.joints.iter().zip(rest).map(|(&joint, rest)| (joint, undo(rest)));
                    bones.chain(instance.still.map(|still| (still, undo(&IDENTITY)))).unzip()
                }
                Kind::Stored(_, slots) => {
                    let still = instance.still.unwrap_or(instance.root);
                    let mut joints: Vec<usize> = Vec::new();
                    for slot in slots {
                        let bone = slot.bone.and_then(|bone| instance.joints.get(bone));
                        let mut joint = bone.copied().unwrap_or(still);
                        if joints.contains(&joint) {
                            // A bone that binds in two ways is two joints.
                            joint = place_matrix(scene, names, "again", Some(joint), &IDENTITY);
                        }
                        joints.push(joint);
                    }
                    // A draw whose vertices have no weight at all still needs a joint.
                    if joints.is_empty() {
                        joints.push(still);
                    }
                    let bindings = slots.iter().map(|slot| slot.binding).chain([IDENTITY]);
                    joints.into_iter().zip(bindings).unzip()
                }
            };
            let inverse_bind = matrices.iter().map(columns).collect();
            scene.skins.push(Skin { name, root: instance.root, joints, inverse_bind });
        }
    }

    /// What could not be said.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.uneven > 0 {
            notes.push(format!(
                "the weights of {} vertices do not add up to one: they stand where the engine puts them at rest, and move \
                 with weights that do",
                self.uneven
            ));
        }
        if self.moved_behind {
            notes.push("a bone moves what other bones move already: that one rests".to_owned());
        }
        notes
    }
}

/// Which of the bone matrices some vertex of a draw has a weight for.
pub(super) fn used(drawn: &Drawn) -> [bool; 8] {
    std::array::from_fn(|number| drawn.weights.iter().any(|weights| weights[number] > 0.0))
}

/// Whether all matrices that a vertex uses put it at the same place.
fn agree(slots: &Slots, frame: &Frame, weights: &[[f32; 8]]) -> bool {
    let Some(Bounds { min, max }) = Bounds::of(frame.looks.iter().map(|look| look.position)) else {
        return true;
    };
    let size = [0, 1, 2].map(|axis| max[axis] - min[axis]).into_iter().fold(0.0, f32::max);
    let slack = AGREEMENT * size + f32::MIN_POSITIVE;
    frame.stored.iter().zip(weights).all(|([position, _], weights): (&Stored, _)| {
        let used = slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let mut places = used.map(|(slot, _)| transform(&slot.matrix, *position));
        let Some(first) = places.next() else { return true };
        places.all(|place| place.iter().zip(first).all(|(a, b)| (a - b).abs() <= slack))
    })
}

/// Twelve elements as columns of four.
fn columns(matrix: &Affine) -> [f32; 16] {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = *matrix;
    [xx, xy, xz, 0.0, yx, yy, yz, 0.0, zx, zy, zz, 0.0, tx, ty, tz, 1.0]
}
