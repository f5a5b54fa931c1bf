//! Describes a file's parts: members, companions, textures, bones, animations, fields.

use serde::{Deserialize, Serialize};

use crate::formats::{CompanionFile, FileRole, Format, Member};
use crate::ge::float::Float;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::{Animation, Field, LevelOfDetail, ModelTexture, Skeleton};

/// A container's members, counted by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberCounts {
    /// All members.
    pub total: u64,
    /// Models and frames, by their formats.
    pub drawable: u64,
    /// Members in a format known to this library.
    pub recognised: u64,
    /// Members without bytes.
    pub empty: u64,
}

impl MemberCounts {
    /// Counts members.
    #[must_use]
    pub fn of(members: &[Member]) -> Self {
        let count = |is: fn(&&Member) -> bool| members.iter().filter(is).count() as u64;
        Self {
            total: members.len() as u64,
            drawable: count(|member| member.is_drawable),
            recognised: count(|member| member.format.is_some()),
            empty: count(|member| member.length == 0),
        }
    }
}

/// A member of a container.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberInfo {
    /// Its number.
    pub index: u64,
    /// Its name, if the container gives one.
    pub name: Option<String>,
    /// Its kind, as the container states it.
    pub kind: Option<String>,
    /// Its format; null if it was not recognised or is empty.
    pub format: Option<String>,
    /// Whether it is a model or a frame, by its format.
    pub drawable: bool,
    /// Its first byte's offset in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
}

impl From<&Member> for MemberInfo {
    fn from(member: &Member) -> Self {
        Self {
            index: member.index as u64,
            name: member.name.clone(),
            kind: member.kind.clone(),
            format: member.format.map(Format::name).map(str::to_owned),
            drawable: member.is_drawable,
            offset: member.offset,
            length: member.length,
        }
    }
}

/// A file read along with the input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompanionInfo {
    /// What it may hold for the input: `textures`, `skeleton`, `mesh-data`, `animations` or `library`.
    pub role: String,
    /// Its name.
    pub file: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it was found by its name, rather than named by the user.
    pub found: bool,
}

impl From<&CompanionFile> for CompanionInfo {
    fn from(companion: &CompanionFile) -> Self {
        let role = match companion.role {
            FileRole::Input => "input",
            FileRole::Textures => "textures",
            FileRole::Skeleton => "skeleton",
            FileRole::MeshData => "mesh-data",
            FileRole::Animations => "animations",
            FileRole::Library(_) => "library",
        };
        Self {
            role: role.to_owned(),
            file: companion.name.clone(),
            bytes: companion.bytes,
            found: !companion.is_given,
        }
    }
}

/// A texture, as its file describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureInfo {
    /// Its number in the file.
    pub index: u64,
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// Width in texels, as the file has it.
    pub width: u32,
    /// Height in texels, as the file has it.
    pub height: u32,
    /// How texels are stored.
    pub format: TexelFormat,
    /// How many palettes it has.
    pub palettes: u64,
    /// How their colours are stored; null without palettes.
    pub palette_format: Option<PixelFormat>,
}

impl From<&ModelTexture> for TextureInfo {
    fn from(texture: &ModelTexture) -> Self {
        Self {
            index: texture.index as u64,
            name: texture.name.clone(),
            width: texture.width.into(),
            height: texture.height.into(),
            format: texture.format,
            palettes: texture.palette.map_or(0, |palette| palette.count().into()),
            palette_format: texture.palette.map(|palette| palette.format),
        }
    }
}

/// A bone in a skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoneInfo {
    /// Its id in the file.
    pub id: u32,
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// Its parent's position in the list of bones; null for a root.
    pub parent: Option<u64>,
    /// Its position at rest, in model space.
    pub position: [Float; 3],
}

impl BoneInfo {
    /// Describes all bones in a skeleton.
    #[must_use]
    pub fn all(skeleton: &Skeleton) -> Vec<Self> {
        let world = skeleton.world(&skeleton.rest());
        let positions = world.into_iter().map(|[.., x, y, z]| Float::array([x, y, z]));
        let describe = |(bone, position): (&crate::model::Bone, _)| Self {
            id: bone.id,
            name: bone.name.clone(),
            parent: bone.parent.map(|parent| parent as u64),
            position,
        };
        skeleton.bones().iter().zip(positions).map(describe).collect()
    }
}

/// An animation and its size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnimationInfo {
    /// Its number in the file.
    pub index: u64,
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// How many frames it has.
    pub frames: u64,
    /// How many frames play in a second, if the file tells.
    pub frames_per_second: Option<Float>,
    /// How many values it animates.
    pub channels: u64,
    /// How many keys all channels have together.
    pub keys: u64,
}

impl AnimationInfo {
    /// Describes animations.
    #[must_use]
    pub fn all(animations: &[Animation]) -> Vec<Self> {
        let describe = |(index, animation): (u64, &Animation)| Self {
            index,
            name: animation.name.clone(),
            frames: animation.frames.into(),
            frames_per_second: animation.frames_per_second.map(Float),
            channels: animation.channels as u64,
            keys: animation.keys as u64,
        };
        (0..).zip(animations).map(describe).collect()
    }
}

/// A model's level of detail, with its groups of alternative parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelInfo {
    /// Its number; 0 is the finest.
    pub level: u64,
    /// The numbers of its groups.
    pub groups: Vec<u64>,
    /// How many meshes group 0 does not draw, but selecting hidden parts does.
    pub hidden_meshes: u64,
}

impl From<&LevelOfDetail> for LevelInfo {
    fn from(level: &LevelOfDetail) -> Self {
        Self {
            level: level.level as u64,
            groups: level.groups.iter().map(|group| *group as u64).collect(),
            hidden_meshes: level.hidden_meshes as u64,
        }
    }
}

/// A field in the file that is unknown or has no effect on drawing, for format research.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldInfo {
    /// Its name, or its structure's name.
    pub name: String,
    /// Its offset in the file.
    pub offset: u64,
    /// Its value, as text.
    pub value: String,
}

impl From<&Field> for FieldInfo {
    fn from(field: &Field) -> Self {
        Self { name: field.name.clone(), offset: field.offset, value: field.value.clone() }
    }
}
