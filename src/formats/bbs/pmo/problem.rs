//! What can be wrong with a Birth by Sleep model.

use thiserror::Error;

use crate::formats::core::error::FormatProblem;
use crate::ge::registers::vertex::PrimitiveType;

/// What can be wrong with a Birth by Sleep model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BbsPmoProblem {
    /// Another magic.
    #[error("not a Birth by Sleep model")]
    Magic,
    /// Another version.
    #[error("PMO version {0} is not supported; 3, of Birth by Sleep, is (4 is Dream Drop Distance)")]
    Version(u8),
    /// A scale that is no number.
    #[error("the model's scale is not a finite number")]
    Scale,
    /// An offset that is no multiple of 4.
    #[error("the {what} at {offset:#x} does not start at a multiple of 4")]
    Unaligned {
        /// What starts there.
        what: &'static str,
        /// Where, from the start of the model.
        offset: u32,
    },
    /// Something outside the file.
    #[error("the {what} at {offset:#x} lies behind the end of the file")]
    Outside {
        /// What is said to start there.
        what: &'static str,
        /// Where.
        offset: u64,
    },
    /// No skeleton where the header says one is.
    #[error("there is no skeleton (BON) at {offset:#x}")]
    NoSkeleton {
        /// Where it is said to start, from the start of the model.
        offset: u64,
    },
    /// A skeleton for a model that has no use for it.
    #[error("the model has no bones; the skeleton that was given moves nothing")]
    SkeletonUnused,
    /// A mesh list that runs out of the file.
    #[error("the mesh list does not end: no section with 0 vertices")]
    NoEnd,
    /// More sections than a model can have.
    #[error("the mesh list goes on and on")]
    TooManySections,
    /// Sections that are not aligned as they should be.
    #[error("sections are padded by the remainder of their length, as some tools write them")]
    OtherPadding,
    /// A vertex type that sections cannot have.
    #[error("the vertex type is not one of a model: {0}")]
    VertexType(&'static str),
    /// A vertex size that does not follow from the type.
    #[error("a vertex is said to have {said} bytes, its type has {real}")]
    VertexSize {
        /// What the file says.
        said: u8,
        /// What follows from the type.
        real: u32,
    },
    /// A texture number outside the table.
    #[error("texture {number} is not in the table of {count}")]
    NoTexture {
        /// The number.
        number: u8,
        /// Entries of the table.
        count: usize,
    },
    /// A bone outside the skeleton.
    #[error("bone {bone} is not in the skeleton of {count}")]
    NoBone {
        /// The number.
        bone: u8,
        /// Bones of the skeleton.
        count: usize,
    },
    /// A primitive type beyond 6.
    #[error("primitive type {0} does not exist")]
    Primitive(u8),
    /// A primitive type that no known file has.
    #[error("the section has {0}; known models have triangles and triangle strips")]
    UnusualPrimitive(PrimitiveType),
    /// Strip lengths where there are no strips.
    #[error("the section has strip lengths, and {0}")]
    StripsOfLists(PrimitiveType),
    /// Vertices left over.
    #[error("{0} vertices are no whole number of triangles")]
    NoTriangles(u16),
    /// A strip too short for anything.
    #[error("a strip of {0} vertices is too short")]
    ShortStrip(u16),
    /// Strips that do not add up.
    #[error("the strips have {sum} vertices, the section has {vertices}")]
    StripSum {
        /// Sum of the strip lengths.
        sum: usize,
        /// Vertices of the section.
        vertices: u16,
    },
    /// A blend mode without a name.
    #[error("blend mode {0:#x} is not known; the section is drawn opaque")]
    Blend(u16),
    /// A reflection.
    #[error(
        "the section is an environment map, which needs normals; it is drawn with its texture coordinates"
    )]
    EnvironmentMap,
    /// Totals of the header that are wrong.
    #[error("the header says {said} {what}, the sections have {real}")]
    Total {
        /// What is counted.
        what: &'static str,
        /// What the header says.
        said: u16,
        /// What there is.
        real: usize,
    },
    /// A bounding box that does not bound.
    #[error("the bounding box does not hold the model")]
    Box,
    /// A texture that nobody supplied.
    #[error("texture \"{0}\" is in another file that was not given; it is drawn without")]
    TextureElsewhere(String),
    /// A texture outside the TIM2 format.
    #[error("there is no TIM2 texture at {0:#x}")]
    NoTim2(u64),
}

impl FormatProblem for BbsPmoProblem {}
