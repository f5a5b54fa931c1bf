//! Describes the contents of a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::float::Float;
use crate::pipeline::texture::content_hash::ContentHash;

#[cfg(feature = "export")]
mod build;
#[cfg(feature = "export")]
mod counts;
#[cfg(feature = "export")]
mod identity;
mod parts;

#[cfg(feature = "table")]
pub(crate) use counts::RunCounts;
#[cfg(feature = "table")]
pub(crate) use identity::FileIdentity;
pub use parts::{
    AnimationInfo, BoneInfo, CompanionInfo, FieldInfo, LevelInfo, MemberCounts, MemberInfo, TextureInfo,
};

/// The contents of a file: counts, bounds, members, textures, bones, animations, notes.
///
/// The vertices, triangles, bones and animations of a model are those that an export has: vertices of a group that are
/// equal in every bit count once, triangles with a repeated vertex do not count, and a mesh with several instances
/// counts once. For a frame or a list they are the sums over all draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InfoDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Name of the format.
    pub format: String,
    /// Version of the format, as its documents call it.
    pub version: Option<String>,
    /// Id of the game that a frame was recorded from.
    pub game: Option<String>,
    /// The kind of content. A container is opened as the first model in it.
    pub content: ContentKind,
    /// Size of the file in bytes.
    pub file_bytes: u64,
    /// Hash of the file.
    pub file_hash: ContentHash,
    /// Members of a container by kind; null for other formats.
    pub member_counts: Option<MemberCounts>,
    /// Number of meshes.
    pub meshes: Option<u64>,
    /// Number of groups: primitives with the same vertex layout, material and bones, drawn by one list.
    pub groups: Option<u64>,
    /// Number of draws.
    pub draws: Option<u64>,
    /// Number of vertices.
    pub vertices: Option<u64>,
    /// Number of triangles.
    pub triangles: Option<u64>,
    /// Number of materials.
    pub materials: Option<u64>,
    /// Number of textures.
    pub textures: Option<u64>,
    /// Number of bones.
    pub bones: Option<u64>,
    /// Number of animations.
    pub animations: Option<u64>,
    /// Number of commands that a run executes.
    pub commands: Option<u64>,
    /// Counts of a model as stored in its file.
    pub stored: Option<StoredCounts>,
    /// Counts of a frame or a list as an export without options has them.
    pub exported: Option<ExportedCounts>,
    /// The box around all vertices outside through mode; null if there is no finite position.
    pub bounds: Option<BoundsInfo>,
    /// Bytes of the data of a frame dump.
    pub payload_bytes: Option<u64>,
    /// The records of a frame dump, by kind in the order of their first occurrence.
    pub records: Vec<RecordCount>,
    /// Counters that only this format has, by the names of its documents.
    pub counters: BTreeMap<String, u64>,
    /// Files that were read along with the input.
    pub companions: Vec<CompanionInfo>,
    /// Members of a container.
    pub members: Vec<MemberInfo>,
    /// Textures.
    pub texture_list: Vec<TextureInfo>,
    /// Bones.
    pub bone_list: Vec<BoneInfo>,
    /// Animations.
    pub animation_list: Vec<AnimationInfo>,
    /// The levels of detail of a model that draw something, with their groups.
    pub levels_of_detail: Vec<LevelInfo>,
    /// Fields of the file that are unknown or have no effect on drawing.
    pub fields: Vec<FieldInfo>,
    /// Notes on the file and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for InfoDocument {
    const NAME: &'static str = "info";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The contents of a file";
}

/// The kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ContentKind {
    /// A model.
    Model,
    /// Textures only.
    Textures,
    /// A skeleton only.
    Skeleton,
    /// Animations only.
    Animations,
    /// A recorded frame.
    Frame,
    /// A display list.
    List,
    /// A container without anything to draw.
    Archive,
}

/// Counts of a model file as other tools for its format report them, with all levels of detail and duplicate vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoredCounts {
    /// Number of vertices.
    pub vertices: u64,
    /// Number of triangles.
    pub triangles: u64,
    /// Number of bones.
    pub bones: u64,
}

/// Counts of an exported frame: no clears and no draws in through mode, two triangles for a rectangle, and equal
/// vertices of a draw once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportedCounts {
    /// Number of meshes before they are merged: one for each draw.
    pub meshes: u64,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of triangles.
    pub triangles: u64,
}

/// An axis-aligned bounding box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundsInfo {
    /// Smallest coordinates.
    pub min: [Float; 3],
    /// Largest coordinates.
    pub max: [Float; 3],
}

/// The number of records of one kind in a frame dump.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordCount {
    /// The kind, as the format names it.
    pub kind: String,
    /// The number of records.
    pub count: u64,
}
