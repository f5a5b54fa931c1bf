//! Describes a file's contents.

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

/// A file's contents: counts, bounds, members, textures, bones, animations, notes.
///
/// A model's vertices, triangles, bones and animations are counted as an export has them: vertices in a group that
/// are equal in every bit count once, triangles with a repeated vertex do not count, and a mesh with several
/// instances counts once. For a frame or a list they are the sums over all draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InfoDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The format's name.
    pub format: String,
    /// The format's version, as its documents call it.
    pub version: Option<String>,
    /// The id of the game from which this frame was recorded.
    pub game: Option<String>,
    /// What the file holds. A container is opened as the first model in it.
    pub content: ContentKind,
    /// The file's size in bytes.
    pub file_bytes: u64,
    /// The file's hash, to recognise equal files.
    pub file_hash: ContentHash,
    /// How many members a container has, by kind; null for other formats.
    pub member_counts: Option<MemberCounts>,
    /// How many meshes there are.
    pub meshes: Option<u64>,
    /// How many groups there are: primitives with the same vertex layout, material and bones, drawn by a single
    /// list.
    pub groups: Option<u64>,
    /// How many draws there are.
    pub draws: Option<u64>,
    /// How many vertices there are.
    pub vertices: Option<u64>,
    /// How many triangles there are.
    pub triangles: Option<u64>,
    /// How many materials there are.
    pub materials: Option<u64>,
    /// How many textures there are.
    pub textures: Option<u64>,
    /// How many bones there are.
    pub bones: Option<u64>,
    /// How many animations there are.
    pub animations: Option<u64>,
    /// How many commands a run executes.
    pub commands: Option<u64>,
    /// A model's counts as stored in its file.
    pub stored: Option<StoredCounts>,
    /// A frame's or list's counts as an export without options has them.
    pub exported: Option<ExportedCounts>,
    /// The box around all vertices outside through mode; null if there is no finite position.
    pub bounds: Option<BoundsInfo>,
    /// How many bytes of data a frame dump has.
    pub payload_bytes: Option<u64>,
    /// How many records of each kind a frame dump has, in the order of their first occurrence.
    pub records: Vec<RecordCount>,
    /// Counters that only this format has, named as in the format's documents.
    pub counters: BTreeMap<String, u64>,
    /// Files read along with the input.
    pub companions: Vec<CompanionInfo>,
    /// A container's members.
    pub members: Vec<MemberInfo>,
    /// All textures in the file.
    pub texture_list: Vec<TextureInfo>,
    /// All bones.
    pub bone_list: Vec<BoneInfo>,
    /// All animations.
    pub animation_list: Vec<AnimationInfo>,
    /// A model's levels of detail that draw something, with their groups.
    pub levels_of_detail: Vec<LevelInfo>,
    /// Fields in the file that are unknown or have no effect on drawing.
    pub fields: Vec<FieldInfo>,
    /// Notes on the file and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for InfoDocument {
    const NAME: &'static str = "info";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The contents of a file";
}

/// The kinds of content.
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

/// A model file's counts as other tools for its format report them, to compare with those tools. They include all
/// levels of detail and duplicate vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoredCounts {
    /// How many vertices are stored.
    pub vertices: u64,
    /// How many triangles are stored.
    pub triangles: u64,
    /// How many bones are stored.
    pub bones: u64,
}

/// An exported frame's counts: no clears and no draws in through mode, two triangles for a rectangle, and equal
/// vertices in a draw once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportedCounts {
    /// How many meshes there are before they are merged, which is a mesh for each draw.
    pub meshes: u64,
    /// How many vertices there are.
    pub vertices: u64,
    /// How many triangles there are.
    pub triangles: u64,
}

/// An axis-aligned bounding box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundsInfo {
    /// The smallest coordinates.
    pub min: [Float; 3],
    /// The largest coordinates.
    pub max: [Float; 3],
}

/// How many records of a kind a frame dump has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordCount {
    /// The kind, as the format names it.
    pub kind: String,
    /// How many records of this kind there are.
    pub count: u64,
}
