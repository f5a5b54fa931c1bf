//! Errors and warnings for Birth by Sleep models.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::FileNoteKind;

/// An error or a warning in a Birth by Sleep model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BbsPmoProblem {
    /// Wrong magic.
    #[error("not a Birth by Sleep model")]
    Magic,
    /// A model from Dream Drop Distance, which has other mesh lists.
    #[error("PMO version {0} is not supported; Birth by Sleep has 3 (4 is Dream Drop Distance)")]
    Version(u8),
    /// The mesh lists in the header have no readable section.
    #[error("the model has mesh lists at {0:#x} and {1:#x}, but no section can be read from them")]
    NoSections(u32, u32),
    /// No known file has this version.
    #[error("PMO version {0} is not known; the file is read as version 3")]
    UnknownVersion(u8),
    /// The scale is infinite, NaN or zero.
    #[error("the model's scale is {0}; 1 is used")]
    Scale(f32),
    /// The texture table reaches into the next structure.
    #[error("the header says {stated} textures, the table has room for {actual}")]
    TextureCount {
        /// The count in the header.
        stated: u8,
        /// Count of whole entries before the next structure.
        actual: usize,
    },
    /// A mesh list's offset is not a multiple of 4.
    #[error("the mesh list at {0:#x} does not start at a multiple of 4")]
    Unaligned(u32),
    /// A mesh list starts after the end of the file.
    #[error("the mesh list at {0:#x} starts after the end of the file; it is left out")]
    Outside(u32),
    /// There is no BON at the header's skeleton offset.
    #[error("no skeleton (BON) at {offset:#x}; the model is drawn without bones, in its rest pose")]
    NoSkeleton {
        /// The offset from the model's start.
        offset: u64,
    },
    /// A skeleton was given for a model without bones.
    #[error("the model has no bones; the given skeleton is not used")]
    SkeletonUnused,
    /// A mesh list does not end before the file does.
    #[error("the mesh list does not end: no section with 0 vertices")]
    NoEnd,
    /// A section's size is damaged, and no section follows.
    #[error("no section follows; the rest of the mesh list is left out")]
    Lost,
    /// There are more sections than the reader accepts.
    #[error("the mesh list has too many sections; the rest is left out")]
    TooManySections,
    /// This section is padded as `OpenKh` does it.
    #[error("the section is padded by the remainder of its length, as some tools write it")]
    OtherPadding,
    /// The vertex type has bits found in no model.
    #[error("bits {0:#x} of the vertex type belong to no model; they are ignored")]
    VertexType(u32),
    /// The vertices have no position.
    #[error("the vertices have no position; the section is left out")]
    NoPosition,
    /// Both the vertices and the section have colours.
    #[error("both the vertices and the section have colours; those of the vertices are drawn")]
    TwoColors,
    /// A rigid section has weights.
    #[error("the section is marked as rigid, but its vertices have weights, which are used")]
    RigidWeights,
    /// The vertices have weights, but the model has no bones.
    #[error("the vertices have weights, but the model has no skeleton; they are drawn where they are")]
    WeightsWithoutBones,
    /// The vertex size does not follow from the vertex type.
    #[error("the vertex size is given as {stated} bytes; its type has {actual}, which is used")]
    VertexSize {
        /// The size in the file.
        stated: u8,
        /// Size of the vertex type.
        actual: u32,
    },
    /// The vertices do not match their type's size.
    #[error("the vertices have {stated} bytes, their type has {actual}; the section is left out")]
    VertexLayout {
        /// The size in the file.
        stated: u8,
        /// Size of the vertex type.
        actual: u32,
    },
    /// The vertex count does not lead to the next section.
    #[error("the section says {stated} vertices, {actual} are in the file before the next section")]
    VertexCount {
        /// The count in the section.
        stated: u16,
        /// How many vertices are drawn.
        actual: u64,
    },
    /// A texture number is outside the texture table.
    #[error("texture {number} is not in the table of {count}; the section is drawn without it")]
    NoTexture {
        /// The number.
        number: u8,
        /// Length of the table.
        count: usize,
    },
    /// A bone is outside the skeleton.
    #[error("bone {bone} is not in the skeleton of {count}; its vertices stay in the rest pose")]
    NoBone {
        /// Number of the bone.
        bone: u8,
        /// Length of the skeleton.
        count: usize,
    },
    /// The primitive type is above 6.
    #[error("primitive type {number} does not exist; the section is drawn as {guess}")]
    Primitive {
        /// The number.
        number: u8,
        /// The type to fit the counts.
        guess: PrimitiveType,
    },
    /// No known file has this primitive type.
    #[error("the section has {0}; known models have triangles and triangle strips")]
    UnusualPrimitive(PrimitiveType),
    /// There are strip lengths, but no strips or fans.
    #[error("the section has strip lengths, but its primitives are {0}")]
    UnexpectedStrips(PrimitiveType),
    /// A triangle list ends with an incomplete triangle.
    #[error("{0} vertices are not a multiple of 3, as triangles need")]
    PartialTriangle(u16),
    /// A strip is too short to draw anything.
    #[error("a strip of {0} vertices is too short to draw")]
    ShortStrip(u16),
    /// The strip lengths do not add up to the vertex count.
    #[error("the strips have {sum} vertices, the section has {vertices}")]
    StripSum {
        /// Sum of the strip lengths.
        sum: usize,
        /// Vertex count of the section.
        vertices: u16,
    },
    /// An unknown blend mode.
    #[error("blend mode {0:#x} is not known; the section is drawn opaque")]
    UnknownBlend(u16),
    /// An environment map.
    #[error(
        "the section is an environment map, which needs normals; it is drawn with its texture coordinates"
    )]
    EnvironmentMap,
    /// The header's totals are wrong.
    #[error("the header says {stated} {what}, the sections have {actual}")]
    Total {
        /// The counted items.
        what: &'static str,
        /// The count in the header.
        stated: u16,
        /// The count over all sections.
        actual: usize,
    },
    /// The bounding box does not contain all vertices.
    #[error("the bounding box does not contain the model")]
    BoundingBox,
    /// A texture from another file was not found.
    #[error("texture \"{0}\" is in another file that was not given; its sections are drawn without it")]
    MissingTexture(String),
    /// A texture is unreadable.
    #[error("texture \"{name}\" is left out: {reason}")]
    BrokenTexture {
        /// The name in the texture table.
        name: String,
        /// The error in its file.
        reason: String,
    },
    /// The skeleton is unreadable.
    #[error("the skeleton is left out: {0}")]
    BrokenSkeleton(String),
    /// A texture is no TIM2.
    #[error("no TIM2 texture at {0:#x}; its sections are drawn without it")]
    NoTim2(u64),
}

impl FormatProblem for BbsPmoProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a model and is none"),
        Refusal::new(
            "Version",
            "Dream Drop Distance has mesh lists of another layout, which this reader does not know",
        )
        .known("models of Dream Drop Distance (version 4)"),
        Refusal::new("NoSections", "the header names mesh lists, and no section can be read from them"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "unsupported-version",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::SkeletonUnused => FileNoteKind::UnusedCompanion,
            Self::UnknownVersion(_)
            | Self::Scale(_)
            | Self::OtherPadding
            | Self::UnknownBlend(_)
            | Self::Primitive { .. } => FileNoteKind::Guessed,
            Self::UnusualPrimitive(_) => FileNoteKind::Unusual,
            Self::EnvironmentMap => FileNoteKind::NotExpressed,
            Self::MissingTexture(_) | Self::BrokenTexture { .. } | Self::NoTim2(_) => {
                FileNoteKind::TextureMissing
            }
            Self::Outside(_)
            | Self::Lost
            | Self::TooManySections
            | Self::NoPosition
            | Self::VertexLayout { .. }
            | Self::NoSkeleton { .. }
            | Self::BrokenSkeleton(_) => FileNoteKind::LeftOut,
            _ => FileNoteKind::Mismatch,
        }
    }
}
