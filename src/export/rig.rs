//! Bones as nodes, and what moves them.
//!
//! # Invariants
//! A bone at a whole frame of an animation is, to rounding, where [`Sampler::sample`] puts it: a bone whose matrices one
//! node cannot say is two nodes, one inside the other.
//!
//! [`Sampler::sample`]: crate::model::Sampler::sample

use super::build::Names;
use super::decompose::{Decomposer, Form, Pieces};
use super::scene::{Animation as SceneAnimation, BONE, Extra, Extras, Node, Scene, Track, Transform, Values};
use crate::model::matrix::{Affine, IDENTITY};
use crate::model::{Animation, Bone, Model, Skeleton};

/// Bone matrices of all frames of all animations that are sampled.
const MOST_SAMPLES: u64 = 4_000_000;
/// Frames a second where the format does not say.
const USUAL_SPEED: f32 = 30.0;

/// A model's bones, and all matrices that they go through.
#[derive(Debug, Default)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    forms: Vec<Form>,
    animations: Vec<Movement>,
    pub(super) notes: Vec<String>,
}

/// The matrices of all bones at each frame.
#[derive(Debug)]
struct Movement {
    name: String,
    frames: Vec<Vec<Affine>>,
    speed: Option<f32>,
    /// Each frame holds until the next.
    steps: bool,
}

/// The nodes of one copy of the bones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instance {
    /// What is done behind the bones.
    pub(super) world: Affine,
    /// The node above all.
    pub(super) root: usize,
    /// For each bone the node that things hang on; the one that is turned, where there are two.
    pub(super) joints: Vec<usize>,
    /// For each bone the node that is moved and scaled.
    outer: Vec<usize>,
    /// A joint that never moves, where something needs one.
    pub(super) still: Option<usize>,
}

impl Rig {
    /// The bones of a model: those of its skeleton, and those that it speaks of without one.
    pub(super) fn new(model: &Model) -> Self {
        let mut bones = model.skeleton.as_ref().map(|skeleton| skeleton.bones().to_vec()).unwrap_or_default();
        let known = bones.len();
        let mut ids: Vec<u32> = model
            .parts
            .iter()
            .flat_map(|part| {
                let uploads = part.uploads.iter().filter_map(|upload| upload.bone);
                part.palette.iter().take(part.weights).copied().flatten().chain(uploads)
            })
            .filter(|id| !bones.iter().any(|bone| bone.id == *id))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        bones.extend(ids.iter().map(|&id| Bone { id, name: None, parent: None, local: IDENTITY }));
        let mut notes = Vec::new();
        if bones.len() > known && known > 0 {
            notes.push(format!("{} bones are not in the skeleton; they rest", bones.len() - known));
        }
        let skeleton = Skeleton::new(bones).unwrap_or_default();
        let mut rig = Self { forms: Vec::new(), animations: Vec::new(), skeleton, notes };
        match &model.skeleton {
            Some(own) => rig.sample(own, &model.animations),
            // Such as textures that scroll.
            None if !model.animations.is_empty() => rig.notes.push(format!(
                "{} animations are left out: they move no bones, and files of models have no place for the rest",
                model.animations.len()
            )),
            None => {}
        }
        rig.find_forms();
        rig
    }

    pub(super) fn is_empty(&self) -> bool {
        self.skeleton.bones().is_empty()
    }

    fn sample(&mut self, skeleton: &Skeleton, animations: &[Animation]) {
        let mut left = MOST_SAMPLES;
        for (number, animation) in animations.iter().enumerate() {
            let name = animation.name.clone().unwrap_or_else(|| format!("animation_{number}"));
            let frames = animation.frames.max(1);
            let samples = u64::from(frames) * skeleton.bones().len().max(1) as u64;
            let Some(rest) = left.checked_sub(samples) else {
                self.notes.push(format!("animation {name} is left out: too many frames"));
                continue;
            };
            left = rest;
            let at = |frame: f64| finite(animation.sampler.sample(skeleton, frame), skeleton);
            let frames: Vec<Vec<Affine>> = (0..frames).map(|frame| at(f64::from(frame))).collect();
            let steps = holds(&frames, &|frame| at(frame));
            let speed = animation.frames_per_second.filter(|speed| speed.is_finite() && *speed > 0.0);
            self.animations.push(Movement { name, frames, speed, steps });
        }
    }

    /// The simplest form that says all matrices of each bone.
    fn find_forms(&mut self) {
        let local = finite(self.skeleton.rest(), &Skeleton::default());
        self.forms = local.iter().map(Form::of).collect();
        for matrices in self.animations.iter().flat_map(|animation| &animation.frames) {
            for (form, matrix) in self.forms.iter_mut().zip(matrices) {
                *form = form.join(Form::of(matrix));
            }
        }
    }

    fn rest(&self) -> Vec<(Decomposer, Pieces)> {
        let local = finite(self.skeleton.rest(), &Skeleton::default());
        let pieces = local.iter().zip(&self.forms).map(|(matrix, &form)| {
            let mut decomposer = Decomposer::new(form);
            let pieces = decomposer.next(matrix);
            (decomposer, pieces)
        });
        pieces.collect()
    }

    /// Adds nodes for all bones, under one root.
    pub(super) fn place(
        &self,
        scene: &mut Scene,
        names: &mut Names,
        parent: Option<usize>,
        world: &Affine,
    ) -> Instance {
        let root = place_matrix(scene, names, "skeleton", parent, world);
        let bones = self.skeleton.bones();
        let mut joints: Vec<Option<usize>> = vec![None; bones.len()];
        let mut outer = vec![root; bones.len()];
        let rest = self.rest();
        for index in parents_first(bones) {
            let (Some(bone), Some((_, pieces))) = (bones.get(index), rest.get(index)) else { continue };
            let parent = bone.parent.and_then(|parent| joints.get(parent).copied().flatten()).unwrap_or(root);
            let name = bone.name.clone().unwrap_or_else(|| format!("bone_{}", bone.id));
            let name = names.unique(&name);
            let is_one = self.forms.get(index) == Some(&Form::One);
            let extras: Extras = vec![(BONE, Extra::Whole(bone.id.into()))];
            let mut node =
                Node { name, parent: Some(parent), transform: pieces.outer, extras, ..Node::default() };
            outer[index] = scene.nodes.len();
            if !is_one {
                let inner = Transform { rotation: pieces.inner, ..Transform::default() };
                let around = names.unique(&format!("{}_scale", node.name));
                let outside = Node { name: around, transform: pieces.outer, ..Node::default() };
                scene.nodes.push(Node { parent: Some(parent), ..outside });
                node.parent = Some(outer[index]);
                node.transform = inner;
            }
            joints[index] = Some(scene.nodes.len());
            scene.nodes.push(node);
        }
        let joints = joints.into_iter().map(|joint| joint.unwrap_or(root)).collect();
        Instance { world: *world, root, joints, outer, still: None }
    }

    /// Adds the animations, which move all copies of the bones.
    pub(super) fn animate(&self, scene: &mut Scene, instances: &[Instance]) {
        let mut names = Names::default();
        for movement in &self.animations {
            let name = names.unique(&movement.name);
            let speed = movement.speed.unwrap_or(USUAL_SPEED);
            let times: Vec<f32> = (0..movement.frames.len()).map(|frame| seconds(frame, speed)).collect();
            let mut tracks = Vec::new();
            for (index, (mut decomposer, rest)) in self.rest().into_iter().enumerate() {
                let matrices = movement.frames.iter().filter_map(|matrices| matrices.get(index));
                let pieces: Vec<Pieces> = matrices.map(|matrix| decomposer.next(matrix)).collect();
                for instance in instances {
                    let nodes = instance.outer.get(index).zip(instance.joints.get(index));
                    let Some((&outer, &joint)) = nodes else { continue };
                    add_tracks(&mut tracks, [outer, joint], &times, &pieces, &rest, movement.steps);
                }
            }
            if tracks.is_empty() {
                // Nothing moves, which takes its time all the same.
                let node = instances.first().and_then(|instance| instance.outer.first()).copied();
                let ends: Vec<f32> = times.first().into_iter().chain(times.last()).copied().collect();
                let ends = if times.len() > 1 { ends } else { vec![0.0] };
                let still =
                    node.and_then(|node| scene.nodes.get(node)).map(|node| node.transform.translation);
                if let (Some(node), Some(still)) = (node, still) {
                    let values = Values::Translation(vec![still; ends.len()]);
                    tracks.push(Track { node, times: ends, steps: movement.steps, values });
                }
            }
            let mut extras: Extras = vec![
                ("frames", Extra::Whole(movement.frames.len() as u64)),
                ("frames_per_second", Extra::Real(speed)),
            ];
            if movement.speed.is_none() {
                extras.push(("speed_assumed", Extra::Flag(true)));
            }
            scene.animations.push(SceneAnimation { name, tracks, extras });
        }
    }
}

/// Adds a node at a matrix, or two, one inside the other; gives the inner one.
pub(super) fn place_matrix(
    scene: &mut Scene,
    names: &mut Names,
    name: &str,
    parent: Option<usize>,
    matrix: &Affine,
) -> usize {
    let form = Form::of(matrix);
    let pieces = Decomposer::new(form).next(matrix);
    let name = names.unique(name);
    if form == Form::One {
        scene.nodes.push(Node { name, parent, transform: pieces.outer, ..Node::default() });
        return scene.nodes.len() - 1;
    }
    let around = names.unique(&format!("{name}_scale"));
    scene.nodes.push(Node { name: around, parent, transform: pieces.outer, ..Node::default() });
    let parent = Some(scene.nodes.len() - 1);
    let transform = Transform { rotation: pieces.inner, ..Transform::default() };
    scene.nodes.push(Node { name, parent, transform, ..Node::default() });
    scene.nodes.len() - 1
}

/// Tracks of a bone's properties that do not stay as they are at rest. `nodes` are the outer and the inner one.
fn add_tracks(
    tracks: &mut Vec<Track>,
    nodes: [usize; 2],
    times: &[f32],
    pieces: &[Pieces],
    rest: &Pieces,
    steps: bool,
) {
    let [outer, joint] = nodes;
    let mut add = |node: usize, values: Values| {
        tracks.push(Track { node, times: times.to_vec(), steps, values });
    };
    let translations: Vec<[f32; 3]> = pieces.iter().map(|pieces| pieces.outer.translation).collect();
    if translations.iter().any(|value| *value != rest.outer.translation) {
        add(outer, Values::Translation(translations));
    }
    let turns: Vec<[f32; 4]> = pieces.iter().map(|pieces| pieces.outer.rotation).collect();
    if turns.iter().any(|value| *value != rest.outer.rotation) {
        add(outer, Values::Rotation(turns));
    }
    let scales: Vec<[f32; 3]> = pieces.iter().map(|pieces| pieces.outer.scale).collect();
    if scales.iter().any(|value| *value != rest.outer.scale) {
        add(outer, Values::Scale(scales));
    }
    let turns: Vec<[f32; 4]> = pieces.iter().map(|pieces| pieces.inner).collect();
    if outer != joint && turns.iter().any(|value| *value != rest.inner) {
        add(joint, Values::Rotation(turns));
    }
}

/// Whether every frame holds until the next: half way between two that differ nothing has moved yet.
fn holds(frames: &[Vec<Affine>], at: &dyn Fn(f64) -> Vec<Affine>) -> bool {
    let mut moves = false;
    for (number, pair) in frames.windows(2).enumerate() {
        if let [before, behind] = pair
            && before != behind
        {
            moves = true;
            #[expect(clippy::cast_precision_loss, reason = "at most 4 million")]
            if at(number as f64 + 0.5) != *before {
                return false;
            }
        }
    }
    moves
}

/// Matrices with numbers only; a bone whose matrix has others rests, or stands at its parent.
fn finite(matrices: Vec<Affine>, skeleton: &Skeleton) -> Vec<Affine> {
    let is_finite = |matrix: &Affine| matrix.iter().all(|element| element.is_finite());
    let rest = |index: usize| skeleton.bones().get(index).map(|bone| bone.local).filter(is_finite);
    let one = |(index, matrix): (usize, Affine)| {
        if is_finite(&matrix) { matrix } else { rest(index).unwrap_or(IDENTITY) }
    };
    matrices.into_iter().enumerate().map(one).collect()
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded to single once")]
fn seconds(frame: usize, speed: f32) -> f32 {
    (frame as f64 / f64::from(speed)) as f32
}

/// The numbers of bones, each behind its parent's; otherwise in file order.
fn parents_first(bones: &[Bone]) -> Vec<usize> {
    let mut order = Vec::with_capacity(bones.len());
    let mut placed = vec![false; bones.len()];
    let mut chain = Vec::new();
    for start in 0..bones.len() {
        let mut at = Some(start);
        while let Some(index) = at.filter(|&index| !placed[index]) {
            chain.push(index);
            at = bones[index].parent;
        }
        while let Some(index) = chain.pop() {
            placed[index] = true;
            order.push(index);
        }
    }
    order
}
