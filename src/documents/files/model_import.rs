//! Describes a model file after geometry was written into it.

use std::iter;

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::import::{GroupChange, WrittenGroup, WrittenModel};

/// A model file with its new geometry, and what each group became.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelImportDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The model as the user named it.
    pub input: String,
    /// The file with the new geometry.
    pub geometry: String,
    /// The file written.
    pub output: String,
    /// The second file written, with the lists and vertices; null if they are in the first.
    #[serde(default)]
    pub mesh_data: Option<String>,
    /// The model's size in bytes, with its second file.
    pub input_bytes: u64,
    /// The written files' size in bytes.
    pub output_bytes: u64,
    /// How many bytes differ from the same place in the input, counting those added or left out, too.
    pub changed_bytes: u64,
    /// The model's groups into which geometry can be written.
    pub groups: Vec<ImportedGroup>,
    /// Notes on the model.
    pub notes: Vec<NoteInfo>,
}

impl Document for ModelImportDocument {
    const NAME: &'static str = "model-import";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A file into which geometry was written";
}

/// A group in a model, and how it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedGroup {
    /// Its mesh, by index.
    pub mesh: u64,
    /// The group's index in the model before.
    pub group: u64,
    /// How it was written.
    pub result: GroupResult,
    /// How many groups it became.
    pub parts: u64,
    /// How many triangles it had and has, without those that only join strips.
    pub triangles: [u64; 2],
    /// How many vertices it had and has.
    pub vertices: [u64; 2],
    /// The largest distance along an axis between a new vertex and its stored position, which rounding causes.
    pub largest_difference: f32,
}

/// How a group was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GroupResult {
    /// Its bytes are as they were.
    Unchanged,
    /// Its vertices were rounded anew, because the model reaches farther now.
    Rounded,
    /// Only values in its vertices changed.
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
    /// Describes a model's files before and after: the first, and the second if the model has data outside the
    /// first.
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
