//! Problems of Birth by Sleep models.

use thiserror::Error;

use crate::formats::core::problem::FormatProblem;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::FileNoteKind;

/// Errors and warnings of Birth by Sleep models.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BbsPmoProblem {
    /// Wrong magic.
    #[error("not a Birth by Sleep model")]
    Magic,
    /// Unsupported version.
    #[error("PMO version {0} is not supported; Birth by Sleep has 3 (4 is Dream Drop Distance)")]
    Version(u8),
    /// Infinite or NaN scale.
    #[error("the model's scale is not a finite number")]
    Scale,
    /// An offset that is not a multiple of 4.
    #[error("the {what} at {offset:#x} does not start at a multiple of 4")]
    Unaligned {
        /// The structure at the offset.
        what: &'static str,
        /// The offset from the start of the model.
        offset: u32,
    },
    /// An offset after the end of the file.
    #[error("the {what} at {offset:#x} starts after the end of the file")]
    Outside {
        /// The structure at the offset.
        what: &'static str,
        /// The offset.
        offset: u64,
    },
    /// No BON at the skeleton offset of the header.
    #[error("no skeleton (BON) at {offset:#x}")]
    NoSkeleton {
        /// The offset from the start of the model.
        offset: u64,
    },
    /// A skeleton was given for a model without bones.
    #[error("the model has no bones; the given skeleton is not used")]
    SkeletonUnused,
    /// A mesh list without an end before the end of the file.
    #[error("the mesh list does not end: no section with 0 vertices")]
    NoEnd,
    /// More sections than the reader accepts.
    #[error("the mesh list has too many sections")]
    TooManySections,
    /// Sections with the padding of `OpenKh`.
    #[error("sections are padded by the remainder of their length, as some tools write them")]
    OtherPadding,
    /// A vertex type that sections cannot have.
    #[error("the vertex type is not one of a model: {0}")]
    VertexType(&'static str),
    /// A vertex size that does not follow from the vertex type.
    #[error("the vertex size is given as {stated} bytes; its type has {actual}")]
    VertexSize {
        /// The size in the file.
        stated: u8,
        /// The size of the vertex type.
        actual: u32,
    },
    /// A texture number outside the texture table.
    #[error("texture {number} is not in the table of {count}")]
    NoTexture {
        /// The number.
        number: u8,
        /// Number of entries in the table.
        count: usize,
    },
    /// A bone outside the skeleton.
    #[error("bone {bone} is not in the skeleton of {count}")]
    NoBone {
        /// The bone's number.
        bone: u8,
        /// Number of bones in the skeleton.
        count: usize,
    },
    /// A primitive type above 6.
    #[error("primitive type {0} does not exist")]
    Primitive(u8),
    /// A primitive type that no known file has.
    #[error("the section has {0}; known models have triangles and triangle strips")]
    UnusualPrimitive(PrimitiveType),
    /// Strip lengths for primitives that are not strips or fans.
    #[error("the section has strip lengths, but its primitives are {0}")]
    UnexpectedStrips(PrimitiveType),
    /// A list of triangles with an incomplete one.
    #[error("{0} vertices are not a multiple of 3, as triangles need")]
    PartialTriangle(u16),
    /// A strip without a primitive.
    #[error("a strip of {0} vertices is too short")]
    ShortStrip(u16),
    /// Strip lengths with a wrong sum.
    #[error("the strips have {sum} vertices, the section has {vertices}")]
    StripSum {
        /// Sum of the strip lengths.
        sum: usize,
        /// Number of vertices of the section.
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
    /// Wrong totals in the header.
    #[error("the header says {stated} {what}, the sections have {actual}")]
    Total {
        /// The counted items.
        what: &'static str,
        /// The count in the header.
        stated: u16,
        /// The count of all sections.
        actual: usize,
    },
    /// A bounding box that does not contain all vertices.
    #[error("the bounding box does not contain the model")]
    BoundingBox,
    /// A texture of another file that was not found.
    #[error("texture \"{0}\" is in another file that was not given; its sections are drawn without it")]
    MissingTexture(String),
    /// A texture that is not a TIM2.
    #[error("no TIM2 texture at {0:#x}")]
    NoTim2(u64),
}

impl FormatProblem for BbsPmoProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "unsupported-version",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::SkeletonUnused => FileNoteKind::UnusedCompanion,
            Self::OtherPadding | Self::UnknownBlend(_) => FileNoteKind::Guessed,
            Self::UnusualPrimitive(_) => FileNoteKind::Unusual,
            Self::EnvironmentMap => FileNoteKind::NotExpressed,
            Self::MissingTexture(_) => FileNoteKind::TextureMissing,
            _ => FileNoteKind::Mismatch,
        }
    }
}
