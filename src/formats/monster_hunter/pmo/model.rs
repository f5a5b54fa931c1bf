//! A PMO file whose lists were looked through, and what it may come with.

use super::list::ScannedList;
use super::read;
use crate::formats::core::error::Warnings;
use crate::formats::monster_hunter::tmh::Tmh;
use crate::model::{ModelInfo, Skeleton};

/// A model file, read and checked, its lists looked through.
#[derive(Debug)]
pub(in crate::formats::monster_hunter) struct Pmo<'a> {
    pub(super) file: read::PmoTables<'a>,
    /// One per group.
    pub(super) lists: Vec<ScannedList>,
    pub(super) warnings: Warnings,
}

/// What a model may come with.
#[derive(Debug, Default)]
pub(in crate::formats::monster_hunter) struct Companions<'a> {
    /// Textures and the name of their file.
    pub(in crate::formats::monster_hunter) textures: Option<(&'a str, Tmh<'a>)>,
    pub(in crate::formats::monster_hunter) skeleton: Option<Skeleton>,
    /// Name of the second file, where there is one.
    pub(in crate::formats::monster_hunter) mesh_data: Option<&'a str>,
}

impl Pmo<'_> {
    /// What the file holds, without its companions.
    pub(super) fn info(&self) -> ModelInfo {
        let sum =
            |count: fn(&ScannedList) -> usize| self.lists.iter().map(count).fold(0, usize::saturating_add);
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
            materials: self.file.materials.len(),
            textures: 0,
            bones: bones.iter().filter(|bone| **bone).count(),
            extra: vec![("bone_entries", self.file.bones.len() as u64)],
        }
    }
}
