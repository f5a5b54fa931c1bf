//! A PMDL file after parsing and validation.

use super::curve::Action;
use super::geometry::{Bounds, Collection, Draw, Mesh, SubType};
use super::octree::Octree;
use super::rig::Rig;
use crate::formats::core::cursor::View;
use crate::formats::core::error::Warnings;
use crate::formats::core::geometry::has_distinct_corners;
use crate::model::{Field, ModelInfo};

/// A model file whose parts are all in range, ready to be lowered.
#[derive(Debug)]
pub(super) struct Pmdl<'a> {
    pub(super) file: View<'a>,
    /// Sub-type, draw format and byte order, spelt as in the file.
    pub(super) version: String,
    pub(super) pointer_size: u32,
    pub(super) sub_type: SubType,
    /// A box around all meshes.
    pub(super) bounds: Bounds,
    pub(super) collections: Vec<Collection>,
    pub(super) meshes: Vec<Mesh>,
    /// How many primitives the file has.
    pub(super) primitives: u64,
    pub(super) shaders: Vec<[u8; 20]>,
    pub(super) rig: Option<Rig>,
    pub(super) octree: Option<Octree>,
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
}

impl Pmdl<'_> {
    pub(super) fn actions(&self) -> &[Action] {
        self.rig.as_ref().map_or(&[], |rig| &rig.actions)
    }

    /// Counts this file's contents, to show them to the user.
    pub(super) fn info(&self) -> ModelInfo {
        let draws = || self.meshes.iter().flat_map(|mesh| &mesh.draws);
        let count = |distinct: bool| {
            draws()
                .flat_map(Draw::triangles)
                .filter(|&triangle| has_distinct_corners(triangle) == distinct)
                .count()
        };
        let most = |of: fn(&Collection) -> u16| self.collections.iter().map(of).max().unwrap_or(0).into();
        let has_unshaded = self.meshes.iter().any(|mesh| mesh.shader.is_none());
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let sum = |counts: &mut dyn Iterator<Item = usize>| number(counts.fold(0, usize::saturating_add));
        let skins = self.rig.as_ref().map_or(&[][..], |rig| &rig.skins);
        let vertices = self.collections.iter().map(|collection| collection.vertex_count);
        ModelInfo {
            format: "pmdl",
            version: Some(self.version.clone()),
            meshes: self.meshes.len(),
            vertices: usize::try_from(vertices.fold(0, u64::saturating_add)).unwrap_or(usize::MAX),
            triangles: count(true),
            materials: self.shaders.len().saturating_add(usize::from(has_unshaded)),
            bones: self.rig.as_ref().map_or(0, |rig| rig.skeleton.bones().len()),
            extra: vec![
                ("file_bytes", self.file.len()),
                ("pointer_size", self.pointer_size.into()),
                ("collections", number(self.collections.len())),
                ("primitives", self.primitives),
                ("degenerate_triangles", number(count(false))),
                ("uv_layers", most(|collection| collection.layers)),
                ("weights", most(|collection| collection.weights)),
                ("shaders", number(self.shaders.len())),
                ("skins", number(skins.len())),
                ("skin_bones", sum(&mut skins.iter().map(|skin| skin.bones.len()))),
                ("actions", number(self.actions().len())),
                ("curves", sum(&mut self.actions().iter().map(|action| action.curves().count()))),
                ("keys", sum(&mut self.actions().iter().map(Action::keys))),
                ("octree_nodes", self.octree.as_ref().map_or(0, |octree| number(octree.nodes.len()))),
                ("octree_leaves", self.octree.as_ref().map_or(0, |octree| number(octree.leaves()))),
            ],
            ..ModelInfo::default()
        }
    }
}
