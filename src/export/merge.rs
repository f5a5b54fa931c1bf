//! Merges meshes, so that other programs get a few objects instead of an object for each draw.
//!
//! This is a step between scenes and writers, for models and frames alike.
//!
//! # Invariants
//! A merged scene has the same points, lines and triangles, with the same attributes, materials, joints and morph
//! targets. Blended primitives keep their order, because viewers that do not sort them draw them in file order.

use std::collections::BTreeMap;

use super::frame_notes::few_ranges;
use super::scene::{
    AlphaMode, BONE, Extra, Extras, Material, Mesh, MorphTarget, Node, Primitive, Scene, Topology, Transform,
};
use super::scene_builder::UniqueNames;
use crate::ge::never::OrNever;

/// A node's name lists no more ranges of draws than this. Its extras list all.
const RANGES_MAX: usize = 3;

/// Which meshes to merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// None: each draw in a frame, and each mesh in a model file, is an object.
    #[default]
    None,
    /// Meshes with the same material in the same place, under the same skin or bone. If this material blends, only
    /// neighbours in drawing order, to keep the order.
    Material,
    /// Meshes in the same place, under the same skin or bone. Each material becomes a primitive in the object.
    Object,
}

impl Merge {
    /// Returns how artists expect a scene: a model in one piece, and a frame by its materials.
    #[must_use]
    pub const fn usual(is_model: bool) -> Self {
        if is_model { Self::Object } else { Self::Material }
    }
}

impl Scene {
    /// Merges meshes. A mesh stays as it is if several nodes share it, or if it has nodes below it.
    #[must_use]
    pub fn merged(self, merge: Merge) -> Self {
        if merge == Merge::None { self } else { Merger::new(&self, merge).merge(self) }
    }
}

/// Where a mesh is and how it moves. Only meshes in the same place can be merged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    parent: Option<usize>,
    skin: Option<usize>,
    /// The morph targets' weights, as bits.
    weights: Vec<u32>,
    /// The material, if meshes with other materials do not fit.
    material: Option<usize>,
}

/// A mesh for others to merge into.
#[derive(Debug)]
struct Group {
    place: Place,
    weights: Vec<f32>,
    /// The first node's number in the old scene.
    node: usize,
    primitives: Vec<Primitive>,
    /// Finds the last primitive with this form.
    forms: BTreeMap<Form, usize>,
    /// The last primitive that blends.
    last_blended: Option<usize>,
    draws: Vec<u64>,
    /// The extras that all nodes share.
    extras: Extras,
}

struct Merger {
    merge: Merge,
    /// For each node, whether its mesh can be merged with others.
    is_free: Vec<bool>,
    /// For each material, whether it blends.
    blends: Vec<bool>,
    groups: Vec<Group>,
    /// Finds the last group in this place.
    places: BTreeMap<Place, usize>,
    /// The last group with a blended primitive.
    last_blended: Option<usize>,
}

impl Merger {
    fn new(scene: &Scene, merge: Merge) -> Self {
        let mut uses = vec![0_usize; scene.meshes.len()];
        let mut has_children = vec![false; scene.nodes.len()];
        for node in &scene.nodes {
            if let Some(uses) = node.mesh.and_then(|mesh| uses.get_mut(mesh)) {
                *uses += 1;
            }
            if let Some(parent) = node.parent.and_then(|parent| has_children.get_mut(parent)) {
                *parent = true;
            }
        }
        let rest = Transform::default();
        let is_free = |(node, has_children): (&Node, &bool)| {
            let is_used_once = node.mesh.is_some_and(|mesh| uses.get(mesh) == Some(&1));
            let is_moved_only =
                node.transform.rotation == rest.rotation && node.transform.scale == rest.scale;
            is_used_once && is_moved_only && !has_children && node.camera.is_none()
        };
        Self {
            merge,
            is_free: scene.nodes.iter().zip(&has_children).map(is_free).collect(),
            blends: scene.materials.iter().map(|material| material.alpha == AlphaMode::Blend).collect(),
            groups: Vec::new(),
            places: BTreeMap::new(),
            last_blended: None,
        }
    }

    fn merge(mut self, mut scene: Scene) -> Scene {
        let nodes = std::mem::take(&mut scene.nodes);
        let mut meshes: Vec<Option<Mesh>> = std::mem::take(&mut scene.meshes).into_iter().map(Some).collect();
        for (number, node) in nodes.iter().enumerate() {
            let is_free = self.is_free.get(number) == Some(&true);
            let mesh = node.mesh.filter(|_| is_free).and_then(|mesh| meshes.get_mut(mesh)?.take());
            if let Some(mesh) = mesh {
                self.add(number, node, mesh);
            }
        }
        // Meshes that stay get new numbers.
        let mut numbers = Vec::new();
        for mesh in meshes {
            numbers.push(scene.meshes.len());
            scene.meshes.extend(mesh);
        }
        let mut mesh_names = UniqueNames::default();
        for mesh in &scene.meshes {
            mesh_names.unique(&mesh.name);
        }
        // A merged mesh is named after all nodes that stay have their names.
        let mut node_names = UniqueNames::default();
        for (node, _) in nodes.iter().zip(&self.is_free).filter(|(_, is_free)| !**is_free) {
            node_names.unique(&node.name);
        }
        let mut new_numbers = Vec::with_capacity(nodes.len());
        let mut groups = self.groups.into_iter().peekable();
        for (number, node) in nodes.iter().enumerate() {
            new_numbers.push(scene.nodes.len());
            let new_number =
                |old: usize| new_numbers.get(old).copied().or_never("a parent comes before its nodes");
            let parent = node.parent.map(new_number);
            if self.is_free.get(number) != Some(&true) {
                let mesh = node.mesh.and_then(|mesh| numbers.get(mesh)).copied();
                scene.nodes.push(Node { parent, mesh, ..node.clone() });
            }
            // A node's primitives may have become several meshes.
            while let Some(group) = groups.next_if(|group| group.node == number) {
                let bone = group.place.parent.and_then(|parent| nodes.get(parent));
                let name = name(&group, &scene, bone);
                let Group { place, weights, primitives, draws, mut extras, .. } = group;
                if !draws.is_empty() {
                    extras.push(("draws", Extra::Text(few_ranges(&draws, usize::MAX))));
                }
                let mesh = Some(scene.meshes.len());
                scene.meshes.push(Mesh { name: mesh_names.unique(&name), primitives, weights });
                let name = node_names.unique(&name);
                scene.nodes.push(Node { name, parent, mesh, skin: place.skin, extras, ..Node::default() });
            }
        }
        let renumber = |node: &mut usize| *node = new_numbers.get(*node).copied().or_never("the node exists");
        for skin in &mut scene.skins {
            renumber(&mut skin.root);
            skin.joints.iter_mut().for_each(renumber);
        }
        for track in scene.animations.iter_mut().flat_map(|animation| &mut animation.tracks) {
            renumber(&mut track.node);
        }
        scene
    }

    /// Adds a node's mesh to the groups that it fits into.
    fn add(&mut self, number: usize, node: &Node, mesh: Mesh) {
        for mut primitive in mesh.primitives {
            if node.transform.translation != [0.0; 3] {
                let [x, y, z] = node.transform.translation;
                for position in &mut primitive.positions {
                    *position = [position[0] + x, position[1] + y, position[2] + z];
                }
            }
            let blends = self.blends.get(primitive.material) == Some(&true);
            let place = Place {
                parent: node.parent,
                skin: node.skin,
                weights: mesh.weights.iter().map(|weight| weight.to_bits()).collect(),
                material: (self.merge == Merge::Material).then_some(primitive.material),
            };
            let known = self.places.get(&place).copied();
            // Blended primitives keep their order, because a later primitive is blended over the earlier.
            let fits = |known: &usize| !blends || self.last_blended.is_none_or(|last| last <= *known);
            let index = known.filter(fits).unwrap_or_else(|| {
                self.places.insert(place.clone(), self.groups.len());
                self.groups.push(Group::new(place, mesh.weights.clone(), number, node));
                self.groups.len() - 1
            });
            if blends {
                self.last_blended = Some(index);
            }
            if let Some(group) = self.groups.get_mut(index) {
                group.add(node, primitive, blends);
            }
        }
    }
}

impl Group {
    fn new(place: Place, weights: Vec<f32>, number: usize, node: &Node) -> Self {
        let extras = node.extras.clone();
        Self {
            place,
            weights,
            node: number,
            primitives: Vec::new(),
            forms: BTreeMap::new(),
            last_blended: None,
            draws: Vec::new(),
            extras,
        }
    }

    fn add(&mut self, node: &Node, primitive: Primitive, blends: bool) {
        keep_common(&mut self.extras, &node.extras);
        let draw = node.extras.iter().find_map(|(name, value)| match value {
            Extra::Whole(number) if *name == "draw" => Some(*number),
            _ => None,
        });
        self.draws.extend(draw.filter(|draw| self.draws.last() != Some(draw)));
        let form = Form::of(&primitive);
        let known = self.forms.get(&form).copied();
        let fits = |known: &usize| !blends || self.last_blended.is_none_or(|last| last <= *known);
        let index = match known.filter(fits) {
            Some(index) => {
                append(&mut self.primitives[index], primitive);
                index
            }
            None => {
                self.forms.insert(form, self.primitives.len());
                self.primitives.push(primitive);
                self.primitives.len() - 1
            }
        };
        if blends {
            self.last_blended = Some(index);
        }
    }
}

/// The properties that two primitives must share to be merged.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    topology: Topology,
    material: usize,
    /// Which attributes the vertices have.
    attributes: [bool; 4],
    /// Which attributes each morph target changes.
    targets: Vec<[bool; 4]>,
}

impl Form {
    fn of(primitive: &Primitive) -> Self {
        let Primitive { topology, material, normals, texcoords, colors, influences, targets, .. } = primitive;
        let changed = |target: &MorphTarget| {
            let MorphTarget { positions, normals, texcoords, colors } = target;
            [!positions.is_empty(), !normals.is_empty(), !texcoords.is_empty(), !colors.is_empty()]
        };
        Self {
            topology: *topology,
            material: *material,
            attributes: [
                !normals.is_empty(),
                !texcoords.is_empty(),
                !colors.is_empty(),
                !influences.is_empty(),
            ],
            targets: targets.iter().map(changed).collect(),
        }
    }
}

/// Appends a primitive with the same form.
fn append(to: &mut Primitive, from: Primitive) {
    let first = u32::try_from(to.positions.len()).or_never("limits bound the vertices of a scene");
    to.indices.extend(from.indices.into_iter().map(|index| index.saturating_add(first)));
    to.positions.extend(from.positions);
    to.normals.extend(from.normals);
    to.texcoords.extend(from.texcoords);
    to.colors.extend(from.colors);
    to.influences.extend(from.influences);
    for (to, from) in to.targets.iter_mut().zip(from.targets) {
        to.positions.extend(from.positions);
        to.normals.extend(from.normals);
        to.texcoords.extend(from.texcoords);
        to.colors.extend(from.colors);
    }
    keep_common(&mut to.extras, &from.extras);
}

/// Keeps only extras that `others` has, too.
fn keep_common(extras: &mut Extras, others: &Extras) {
    extras.retain(|extra| others.contains(extra));
}

/// Names a merged mesh after the scene or the bone that moves it, its material, and its draws.
fn name(group: &Group, scene: &Scene, parent: Option<&Node>) -> String {
    let material = group.place.material.and_then(|material| scene.materials.get(material));
    let mut words: Vec<String> = Vec::new();
    match (material, parent) {
        (Some(Material { name, .. }), _) => words.push(name.clone()),
        // Other nodes only turn the model upright, or hold draws on the screen.
        (None, Some(parent)) if parent.extras.iter().any(|(name, _)| *name == BONE) => {
            words.push(format!("{} {}", scene.name, parent.name));
        }
        (None, _) => words.push(scene.name.clone()),
    }
    if !group.draws.is_empty() {
        let plural = if group.draws.len() > 1 { "s" } else { "" };
        words.push(format!("draw{plural} {}", few_ranges(&group.draws, RANGES_MAX)));
    }
    words.join(" ")
}
