//! Turns bones into nodes, and samples their animations.
//!
//! # Invariants
//! At each whole frame in an animation, a bone is where [`Sampler::sample`] puts it, except for rounding. If a
//! single node cannot express a bone's matrices, it becomes two nested nodes.
//!
//! [`Sampler::sample`]: crate::model::Sampler::sample

use super::decompose::{Decomposer, Decomposition, NodeForm};
use super::note::{ExportNote, ExportNoteKind};
use super::scene::{
    Animation as SceneAnimation, BONE, Extra, Extras, Node, Scene, Track, TrackValues, Transform,
};
use super::scene_builder::UniqueNames;
use crate::ge::never::OrNever;
use crate::model::matrix::{Affine, IDENTITY, single};
use crate::model::{Animation, Bone, Model, Skeleton};

/// Sample no more bone matrices than this, over all animations.
const MAX_SAMPLES: u64 = 4_000_000;
/// Frames per second if the format does not state them.
const DEFAULT_FRAME_RATE: f32 = 30.0;

/// A model's bones with all their matrices.
#[derive(Debug, Default)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    forms: Vec<NodeForm>,
    animations: Vec<SampledAnimation>,
    pub(super) notes: Vec<ExportNote>,
}

/// An animation as a list of frames, with a matrix for each bone.
#[derive(Debug)]
struct SampledAnimation {
    name: String,
    frames: Vec<Vec<Affine>>,
    frame_rate: Option<f32>,
    /// Whether to hold each frame until the next.
    stepped: bool,
}

/// The nodes for a single instance of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SkeletonInstance {
    /// The matrix applied after the bones.
    pub(super) world: Affine,
    /// The node above all bones.
    pub(super) root: usize,
    /// For each bone, the node for children and meshes to hang on. If nested, this is the inner node.
    pub(super) joints: Vec<usize>,
    /// For each bone, the node to translate and scale.
    outer: Vec<usize>,
    /// A joint that never moves, if a skin needs it.
    pub(super) static_joint: Option<usize>,
}

impl Rig {
    /// Collects a model's bones: the skeleton's, and others in its parts. This also samples the animations.
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
            let message = format!("{} bones are not in the skeleton; they do not move", bones.len() - known);
            notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
        }
        let skeleton = Skeleton::new(bones).or_never("bones without a parent close no circle");
        let mut rig = Self { forms: Vec::new(), animations: Vec::new(), skeleton, notes };
        match &model.skeleton {
            Some(own) => rig.sample(own, &model.animations),
            // These move something else, such as textures.
            None if !model.animations.is_empty() => {
                let message = format!(
                    "{} animations are left out: they move no bones, and model files hold no others",
                    model.animations.len()
                );
                rig.notes.push(ExportNote::new(ExportNoteKind::LeftOut, message));
            }
            None => {}
        }
        rig.find_node_forms();
        rig
    }

    pub(super) fn is_empty(&self) -> bool {
        self.skeleton.bones().is_empty()
    }

    fn sample(&mut self, skeleton: &Skeleton, animations: &[Animation]) {
        let mut remaining = MAX_SAMPLES;
        for (number, animation) in animations.iter().enumerate() {
            let name = animation.name.clone().unwrap_or_else(|| format!("animation_{number}"));
            let frames = animation.frames.max(1);
            // A sample is a matrix for each bone and frame, so memory depends on the product of both.
            let samples = u64::from(frames) * skeleton.bones().len().max(1) as u64;
            let Some(rest) = remaining.checked_sub(samples) else {
                let message = format!("animation {name} is left out: too many frames");
                self.notes.push(ExportNote::new(ExportNoteKind::LeftOut, message));
                continue;
            };
            remaining = rest;
            let at = |frame: f64| replace_non_finite(animation.sampler.sample(skeleton, frame), skeleton);
            let frames: Vec<Vec<Affine>> = (0..frames).map(|frame| at(f64::from(frame))).collect();
            let stepped = is_stepped(&frames, &|frame| at(frame));
            let frame_rate =
                animation.frames_per_second.filter(|frame_rate| frame_rate.is_finite() && *frame_rate > 0.0);
            self.animations.push(SampledAnimation { name, frames, frame_rate, stepped });
        }
    }

    /// Finds the simplest form to fit all of a bone's matrices, because a node cannot change its form over time.
    fn find_node_forms(&mut self) {
        let local = replace_non_finite(self.skeleton.rest(), &Skeleton::default());
        self.forms = local.iter().map(NodeForm::of).collect();
        for matrices in self.animations.iter().flat_map(|animation| &animation.frames) {
            for (form, matrix) in self.forms.iter_mut().zip(matrices) {
                *form = form.join(NodeForm::of(matrix));
            }
        }
    }

    fn rest(&self) -> Vec<(Decomposer, Decomposition)> {
        let local = replace_non_finite(self.skeleton.rest(), &Skeleton::default());
        let parts = local.iter().zip(&self.forms).map(|(matrix, &form)| {
            let mut decomposer = Decomposer::new(form);
            let parts = decomposer.next(matrix);
            (decomposer, parts)
        });
        parts.collect()
    }

    /// Adds nodes for all bones under a common root.
    pub(super) fn add_instance(
        &self,
        scene: &mut Scene,
        names: &mut UniqueNames,
        parent: Option<usize>,
        world: &Affine,
    ) -> SkeletonInstance {
        let root = add_matrix_node(scene, names, "skeleton", parent, world);
        let bones = self.skeleton.bones();
        let mut joints: Vec<Option<usize>> = vec![None; bones.len()];
        let mut outer = vec![root; bones.len()];
        let rest = self.rest();
        for index in self.skeleton.parents_first() {
            let (Some(bone), Some((_, parts))) = (bones.get(index), rest.get(index)) else { continue };
            let parent = bone.parent.and_then(|parent| joints.get(parent).copied().flatten()).unwrap_or(root);
            let name = bone.name.clone().unwrap_or_else(|| format!("bone_{}", bone.id));
            let name = names.unique(&name);
            let is_single = self.forms.get(index) == Some(&NodeForm::Single);
            let extras: Extras = vec![(BONE, Extra::Whole(bone.id.into()))];
            let mut node =
                Node { name, parent: Some(parent), transform: parts.outer, extras, ..Node::default() };
            outer[index] = scene.nodes.len();
            // Such a matrix needs two nodes: the inner rotates, and then the outer scales and places the result.
            if !is_single {
                let inner = Transform { rotation: parts.inner, ..Transform::default() };
                let outer_name = names.unique(&format!("{}_scale", node.name));
                let outer_node = Node { name: outer_name, transform: parts.outer, ..Node::default() };
                scene.nodes.push(Node { parent: Some(parent), ..outer_node });
                node.parent = Some(outer[index]);
                node.transform = inner;
            }
            joints[index] = Some(scene.nodes.len());
            scene.nodes.push(node);
        }
        let joints = joints.into_iter().map(|joint| joint.unwrap_or(root)).collect();
        SkeletonInstance { world: *world, root, joints, outer, static_joint: None }
    }

    /// Adds the animations. Each moves all instances of the skeleton.
    pub(super) fn animate(&self, scene: &mut Scene, instances: &[SkeletonInstance]) {
        let mut names = UniqueNames::default();
        for animation in &self.animations {
            let name = names.unique(&animation.name);
            let frame_rate = animation.frame_rate.unwrap_or(DEFAULT_FRAME_RATE);
            let times: Vec<f32> =
                (0..animation.frames.len()).map(|frame| seconds(frame, frame_rate)).collect();
            let mut tracks = Vec::new();
            for (index, (mut decomposer, rest)) in self.rest().into_iter().enumerate() {
                let matrices = animation.frames.iter().filter_map(|matrices| matrices.get(index));
                let parts: Vec<Decomposition> = matrices.map(|matrix| decomposer.next(matrix)).collect();
                for instance in instances {
                    let nodes = instance.outer.get(index).zip(instance.joints.get(index));
                    let Some((&outer, &joint)) = nodes else { continue };
                    add_tracks(&mut tracks, [outer, joint], &times, &parts, &rest, animation.stepped);
                }
            }
            if tracks.is_empty() {
                // No bone moves, but the animation keeps its length.
                let node = instances.first().and_then(|instance| instance.outer.first()).copied();
                let end_times: Vec<f32> = times.first().into_iter().chain(times.last()).copied().collect();
                let end_times = if times.len() > 1 { end_times } else { vec![0.0] };
                let rest_translation =
                    node.and_then(|node| scene.nodes.get(node)).map(|node| node.transform.translation);
                if let (Some(node), Some(rest_translation)) = (node, rest_translation) {
                    let values = TrackValues::Translation(vec![rest_translation; end_times.len()]);
                    tracks.push(Track { node, times: end_times, stepped: animation.stepped, values });
                }
            }
            let mut extras: Extras = vec![
                ("frames", Extra::Whole(animation.frames.len() as u64)),
                ("frames_per_second", Extra::Real(frame_rate)),
            ];
            if animation.frame_rate.is_none() {
                extras.push(("speed_assumed", Extra::Flag(true)));
            }
            scene.animations.push(SceneAnimation { name, tracks, extras });
        }
    }
}

/// Adds a node with a matrix, or two nested nodes if a single node cannot express it. Returns the inner node.
pub(super) fn add_matrix_node(
    scene: &mut Scene,
    names: &mut UniqueNames,
    name: &str,
    parent: Option<usize>,
    matrix: &Affine,
) -> usize {
    let form = NodeForm::of(matrix);
    let parts = Decomposer::new(form).next(matrix);
    let name = names.unique(name);
    if form == NodeForm::Single {
        scene.nodes.push(Node { name, parent, transform: parts.outer, ..Node::default() });
        return scene.nodes.len() - 1;
    }
    let outer_name = names.unique(&format!("{name}_scale"));
    scene.nodes.push(Node { name: outer_name, parent, transform: parts.outer, ..Node::default() });
    let parent = Some(scene.nodes.len() - 1);
    let transform = Transform { rotation: parts.inner, ..Transform::default() };
    scene.nodes.push(Node { name, parent, transform, ..Node::default() });
    scene.nodes.len() - 1
}

/// Adds tracks for a bone's properties if they ever leave their rest value. `nodes` are the outer and the inner
/// node.
fn add_tracks(
    tracks: &mut Vec<Track>,
    nodes: [usize; 2],
    times: &[f32],
    parts: &[Decomposition],
    rest: &Decomposition,
    stepped: bool,
) {
    let [outer, joint] = nodes;
    let mut add = |node: usize, values: TrackValues| {
        tracks.push(Track { node, times: times.to_vec(), stepped, values });
    };
    let translations: Vec<[f32; 3]> = parts.iter().map(|parts| parts.outer.translation).collect();
    if translations.iter().any(|value| *value != rest.outer.translation) {
        add(outer, TrackValues::Translation(translations));
    }
    let rotations: Vec<[f32; 4]> = parts.iter().map(|parts| parts.outer.rotation).collect();
    if rotations.iter().any(|value| *value != rest.outer.rotation) {
        add(outer, TrackValues::Rotation(rotations));
    }
    let scales: Vec<[f32; 3]> = parts.iter().map(|parts| parts.outer.scale).collect();
    if scales.iter().any(|value| *value != rest.outer.scale) {
        add(outer, TrackValues::Scale(scales));
    }
    // If there is an inner node, it only rotates.
    let rotations: Vec<[f32; 4]> = parts.iter().map(|parts| parts.inner).collect();
    if outer != joint && rotations.iter().any(|value| *value != rest.inner) {
        add(joint, TrackValues::Rotation(rotations));
    }
}

/// Returns whether every frame holds until the next: half-way between two different frames, all bones must still be
/// where they were.
fn is_stepped(frames: &[Vec<Affine>], at: &dyn Fn(f64) -> Vec<Affine>) -> bool {
    let mut moves = false;
    for (number, pair) in frames.windows(2).enumerate() {
        if let [before, after] = pair
            && before != after
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

/// Replaces matrices that have infinities or NaN by the bone's rest matrix, or by the identity.
fn replace_non_finite(matrices: Vec<Affine>, skeleton: &Skeleton) -> Vec<Affine> {
    let is_finite = |matrix: &Affine| matrix.iter().all(|element| element.is_finite());
    let rest = |index: usize| skeleton.bones().get(index).map(|bone| bone.local).filter(is_finite);
    let replace = |(index, matrix): (usize, Affine)| {
        if is_finite(&matrix) { matrix } else { rest(index).unwrap_or(IDENTITY) }
    };
    matrices.into_iter().enumerate().map(replace).collect()
}

#[expect(clippy::cast_precision_loss, reason = "at most 4 million")]
fn seconds(frame: usize, frame_rate: f32) -> f32 {
    single(frame as f64 / f64::from(frame_rate))
}
