//! Describes a file into which geometry was written.

use std::iter;

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::import::{GroupChange, WrittenGroup, WrittenModel};

/// A file with other geometry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelImportDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The model as the user named it.
    pub input: String,
    /// The file with the new geometry.
    pub geometry: String,
    /// The file that was written.
    pub output: String,
    /// The second file that was written, with the lists and vertices; null if they are in the first.
    #[serde(default)]
    pub mesh_data: Option<String>,
    /// Bytes of the model's file, and of its second one.
    pub input_bytes: u64,
    /// Bytes of the files that were written.
    pub output_bytes: u64,
    /// How many bytes differ in the same place, with those that were added or left out.
    pub changed_bytes: u64,
    /// The model's groups that can be written.
    pub groups: Vec<ImportedGroup>,
    /// Notes on the model.
    pub notes: Vec<NoteInfo>,
}

impl Document for ModelImportDocument {
    const NAME: &'static str = "model-import";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A file into which geometry was written";
}

/// A group of a model, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedGroup {
    /// Index of its mesh.
    pub mesh: u64,
    /// Index of the group in the model before.
    pub group: u64,
    /// What became of it.
    pub result: GroupResult,
    /// How many groups it became.
    pub parts: u64,
    /// Triangles before and after, without those that only join strips.
    pub triangles: [u64; 2],
    /// Vertices before and after.
    pub vertices: [u64; 2],
    /// The largest distance along an axis between a new vertex and where the file has it.
    pub largest_difference: f32,
}

/// What became of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GroupResult {
    /// Its bytes are as they were.
    Unchanged,
    /// Its vertices were rounded anew, because the model reaches farther now.
    Rounded,
    /// Only values of its vertices changed.
    Vertices,
    /// Its list, vertices and indices are new.
    Rebuilt,
}

impl From<&WrittenGroup> for ImportedGroup {
    fn from(group: &WrittenGroup) -> Self {
        let WrittenGroup { mesh, group, change, triangles, vertices, largest_difference } = *group;
        let (result, parts) = match change {
            GroupChange::Unchanged => (GroupResult::Unchanged, 1),
            GroupChange::Rounded => (GroupResult::Rounded, 1),
            GroupChange::Vertices => (GroupResult::Vertices, 1),
            GroupChange::Rebuilt(parts) => (GroupResult::Rebuilt, parts as u64),
        };
        Self {
            mesh: mesh as u64,
            group: group as u64,
            result,
            parts,
            triangles: triangles.map(|count| count as u64),
            vertices: vertices.map(|count| count as u64),
            largest_difference,
        }
    }
}

impl ModelImportDocument {
    /// Describes the files of a model before and after: the first, and the second if the model has one outside the first.
    #[must_use]
    pub fn new(
        [input, geometry, output]: [&str; 3],
        mesh_data: Option<String>,
        (first, second): (&[u8], Option<&[u8]>),
        written: &WrittenModel,
        notes: Vec<NoteInfo>,
    ) -> Self {
        let second = second.zip(written.mesh_data.as_deref());
        let (mut input_bytes, mut output_bytes, mut changed_bytes) = (0, 0, 0);
        for (before, after) in iter::once((first, written.bytes.as_slice())).chain(second) {
            let differing = before.iter().zip(after).filter(|(before, after)| before != after).count();
            input_bytes += before.len() as u64;
            output_bytes += after.len() as u64;
            changed_bytes += (differing + before.len().abs_diff(after.len())) as u64;
        }
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            geometry: geometry.to_owned(),
            output: output.to_owned(),
            mesh_data,
            input_bytes,
            output_bytes,
            changed_bytes,
            groups: written.groups.iter().map(ImportedGroup::from).collect(),
            notes,
        }
    }
}
