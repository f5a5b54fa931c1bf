//! A PMO with scanned lists, and its companions.

use super::list::ScannedList;
use super::read;
use crate::formats::core::error::Warnings;
use crate::formats::monster_hunter::tmh::Tmh;
use crate::model::{ModelInfo, Skeleton};

/// A checked model file, ready to lower.
#[derive(Debug)]
pub(in crate::formats::monster_hunter) struct Pmo<'a> {
    pub(super) file: read::PmoTables<'a>,
    /// A list per group; `None` if the group cannot be drawn.
    pub(super) lists: Vec<Option<ScannedList>>,
    pub(super) warnings: Warnings,
}

/// A model's companion files, to lower together with it.
#[derive(Debug, Default)]
pub(in crate::formats::monster_hunter) struct Companions<'a> {
    /// The texture file's name and contents.
    pub(in crate::formats::monster_hunter) textures: Option<(&'a str, Tmh<'a>)>,
    pub(in crate::formats::monster_hunter) skeleton: Option<Skeleton>,
    /// The mesh data file's name, for a two-file model.
    pub(in crate::formats::monster_hunter) mesh_data: Option<&'a str>,
}

impl Pmo<'_> {
    /// Counts the file's contents, without companions.
    pub(super) fn info(&self) -> ModelInfo {
        let lists = || self.lists.iter().flatten();
        let sum = |count: fn(&ScannedList) -> usize| lists().map(count).fold(0, usize::saturating_add);
        let mut bones = [false; 256];
        for entry in &self.file.bones {
            if let Some(bone) = bones.get_mut(usize::from(entry.bone)) {
                *bone = true;
            }
        }
        ModelInfo {
            format: "pmo",
            version: Some(self.file.version.name().to_owned()),
            meshes: self.file.meshes.len(),
            groups: self.file.groups.len(),
            draws: sum(|scanned| scanned.draws),
            vertices: sum(|scanned| scanned.vertices),
            triangles: sum(|scanned| scanned.triangles),
            materials: self.file.materials.iter().filter(|material| material.is_counted).count(),
            textures: 0,
            bones: bones.iter().filter(|bone| **bone).count(),
            extra: vec![("bone_entries", self.file.bones.len() as u64)],
        }
    }
}
