//! Errors and warnings for PMDL files. Source: [limits](crate::reference::formats::pmdl#limits).

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::model::FileNoteKind;

/// An error or warning for a PMDL file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmdlProblem {
    /// The magic is not `PMDL`.
    #[error("not a PMDL file")]
    Magic,
    /// The byte order is unknown, and the pointer size does not tell it either.
    #[error("the byte order is neither _LIT nor _BIG")]
    ByteOrder,
    /// The byte order is unknown, but the pointer size tells it.
    #[error("the byte order is neither _LIT nor _BIG; that of the pointer size is used")]
    ByteOrderGuessed,
    /// The pointer size is neither 4 nor 8.
    #[error("pointers of {0} bytes; they have 4 or 8")]
    PointerSize(u32),
    /// The sub-type is unknown.
    #[error("the sub-type is none of PAR0, PAR1 and PAR2")]
    SubType,
    /// The draw format is unknown.
    #[error("the draw format is none of _GEN, __GX and _COL")]
    DrawFormat,
    /// A length or offset is not a multiple of 32.
    #[error("the {0} is not a multiple of 32")]
    Alignment(&'static str),
    /// A number is infinite or NaN.
    #[error("the {0} is not a finite number; 0 replaces it")]
    NotFinite(&'static str),
    /// A key has an infinite or NaN number.
    #[error("the key is not finite; it is left out")]
    NotFiniteKey,
    /// A box is inside out, infinite or NaN.
    #[error("the bounding box is inside out or not finite; that of the vertices is used")]
    Box,
    /// A box does not contain its vertices or meshes.
    #[error("the bounding box does not contain its {0}; the box of the {0} is used")]
    SmallBox(&'static str),
    /// Sections overlap or are out of order.
    #[error("the {name} at {offset:#x} begin before {before:#x}, where the section before them ends")]
    SectionOrder {
        /// The section's name.
        name: &'static str,
        /// Where it is in the file.
        offset: u64,
        /// Smallest valid offset.
        before: u64,
    },
    /// The collections are not in the file.
    #[error("the collections would be at {0:#x}, which is out of range")]
    NoCollections(u64),
    /// No mesh can be drawn.
    #[error("no mesh can be drawn: {0}")]
    NoMeshes(Box<Problem>),
    /// A part cannot be read.
    #[error("{part} cannot be read: {problem}")]
    Unreadable {
        /// The part, such as a collection or a mesh.
        part: String,
        /// The problem.
        problem: Box<Problem>,
    },
    /// A mesh's indices are shifted.
    #[error(
        "mesh {mesh} uses vertices that do not exist in {missing} of {corners} corners: its indices are shifted"
    )]
    ShiftedIndices {
        /// The mesh's number in its collection.
        mesh: usize,
        /// How many corners lack a vertex.
        missing: usize,
        /// How many corners there are.
        corners: usize,
    },
    /// The header counts more collections than the file can hold.
    #[error("{count} collections; the file has room for {stored}")]
    CollectionCount {
        /// How many collections the header counts.
        count: u64,
        /// How many fit.
        stored: u64,
    },
    /// A collection counts more meshes than have headers.
    #[error("{count} meshes; there is room for the headers of {stored}")]
    MeshCount {
        /// How many meshes the collection's header counts.
        count: u32,
        /// How many fit.
        stored: u32,
    },
    /// A buffer reaches past the end of the file.
    #[error("the {name} buffer has {length} bytes, of which the file has {stored}")]
    BufferCut {
        /// The buffer's name.
        name: &'static str,
        /// Length in its header.
        length: u32,
        /// How many bytes the file has.
        stored: u64,
    },
    /// An offset is out of range.
    #[error("the {name} would be at {offset:#x}, which is out of range")]
    Outside {
        /// Names the missing part.
        name: &'static str,
        /// Offset from the file's start.
        offset: u64,
    },
    /// A collision model does not have exactly 1 collection.
    #[error("{0} collections; a collision model has one")]
    Collections(u32),
    /// A collection has too many texture coordinate layers.
    #[error("{0} layers of texture coordinates; there are at most 8")]
    TexcoordLayers(u16),
    /// The weight count is not a multiple of four.
    #[error("{0} weights per vertex; they come in fours")]
    WeightCount(u16),
    /// A model without skins has weights.
    #[error("{0} weights per vertex in a model without skins; they are not used")]
    UselessWeights(u16),
    /// A buffer's length is not a multiple of its element size.
    #[error(
        "the {name} buffer of {length} bytes does not hold whole elements of {stride}; the rest is left out"
    )]
    PartialElement {
        /// The buffer's name.
        name: &'static str,
        /// Length in bytes.
        length: u64,
        /// Bytes per element.
        stride: u64,
    },
    /// A shader does not exist.
    #[error("shader {number} does not exist; there are {count}. The mesh has none")]
    Shader {
        /// The shader's number.
        number: i32,
        /// How many exist.
        count: usize,
    },
    /// A primitive type does not exist.
    #[error("primitive type {0} does not exist; the primitive is left out")]
    Primitive(u32),
    /// A collision model contains lines or points.
    #[error("a collision model of lines or points; it is made of triangles")]
    NoTriangles,
    /// A primitive's elements are out of range.
    #[error("elements {start} to {end} are drawn, there are {count}; the others are left out")]
    Elements {
        /// First element.
        start: u64,
        /// Where the range ends.
        end: u64,
        /// How many exist.
        count: u64,
    },
    /// An index is out of range.
    #[error("{name} index {index} is outside the {count} that there are; what uses it is left out")]
    Index {
        /// The indexed array's name.
        name: &'static str,
        /// The index.
        index: u32,
        /// How many exist.
        count: u64,
    },
    /// A vertex buffer is too short for its arrays.
    #[error(
        "the vertex buffer has {found} bytes, its arrays need {needed}; texture coordinates are left out"
    )]
    Arrays {
        /// Bytes the counts require.
        needed: u64,
        /// Available bytes.
        found: u64,
    },
    /// A GX command is not a draw.
    #[error("the display list uses GX command {0:#04x}; only draws are known, and the rest is left out")]
    GxCommand(u8),
    /// A GX vertex format is not defined.
    #[error("the display list uses GX vertex format {0}; only format 0 is set up, and replaces it")]
    GxFormat(u8),
    /// A skin has too many bones.
    #[error("a skin of {0} bones; there are at most 8")]
    SkinBones(u32),
    /// A skin does not exist.
    #[error("skin {skin} does not exist; there are {count}. The first replaces it")]
    Skin {
        /// The skin's number.
        skin: u32,
        /// How many exist.
        count: usize,
    },
    /// A bone does not exist.
    #[error("bone {bone} does not exist; there are {count}. What uses it does not move with it")]
    Bone {
        /// The bone's number.
        bone: i64,
        /// How many exist.
        count: usize,
    },
    /// The skeleton has too many bones.
    #[error("{0} bones; a model has at most 4096")]
    Bones(u64),
    /// The bones' parents form a circle.
    #[error("the parents of the bones form a circle; all bones are roots")]
    Circle,
    /// A list of children disagrees with the parents.
    #[error("the list of children does not agree with the parents")]
    Children,
    /// A name has no final zero.
    #[error("the name is not terminated")]
    Name,
    /// A vertex's weights do not add up to 1.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// A vertex has a weight for a bone its skin lacks.
    #[error("a vertex has a weight for bone {0} of its skin, which has fewer; that part does not move")]
    WeightWithoutBone(u32),
    /// A vertex has more than eight influences.
    #[error("a vertex uses {0} bone matrices; the heaviest 8 of them share its weight")]
    Influences(usize),
    /// Primitives need more than eight matrices.
    #[error("{0} primitives of the mesh use more than 8 bone matrices; the heaviest 8 share the weights")]
    Reduced(usize),
    /// An action's duration is negative, NaN or above an hour.
    #[error("an action of {0} seconds; it lasts up to an hour, and is cut to that")]
    Duration(f32),
    /// The times of a curve's keys descend.
    #[error("the keys of a curve go back in time; those that do are left out")]
    KeyOrder,
    /// Location curves for a bone with a parent are ignored.
    #[error("the runtime moves only roots; location curves of other bones are not used")]
    ChildLocation,
    /// A bone has a second track, which is ignored.
    #[error("bone {0} has a track already; the first counts")]
    SecondTrack(u32),
    /// An octree node's child has an invalid code.
    #[error("a child of the octree node has the type 3, which does not exist; it is left out")]
    NodeCode,
    /// An octree node has two parents.
    #[error("the octree comes to this node twice; the second time is left out")]
    NodeTwice,
    /// The octree is too deep.
    #[error("the octree is more than {0} nodes deep; the rest is left out")]
    NodeDepth(usize),
    /// A leaf lists a mesh that does not exist.
    #[error("mesh {mesh} of collection {collection} does not exist; the octree lists it")]
    LeafMesh {
        /// The collection's number.
        collection: u32,
        /// The mesh's number within the collection.
        mesh: u32,
    },
    /// Meshes are in no leaf of the octree.
    #[error("{0} meshes are in no leaf of the octree; each is tested on its own")]
    Unlisted(usize),
    /// Fields beyond the limit are dropped.
    #[error("{0} more fields are not listed")]
    Fields(usize),
    /// Parts share data so often that the work is out of proportion.
    #[error("the file uses the same data over and over, or more than the machine could hold")]
    TooMuchWork,
}

impl FormatProblem for PmdlProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a model and is none"),
        Refusal::new("ByteOrder", "neither mark nor pointer size tells the byte order"),
        Refusal::new("PointerSize", "the size of pointers is neither 4 nor 8 bytes"),
        Refusal::new("SubType", "the layout of other kinds of models is not known"),
        Refusal::new("DrawFormat", "the layout of other draw formats is not known"),
        Refusal::new("NoCollections", "no collection of meshes can be read"),
        Refusal::new("NoMeshes", "no mesh can be read"),
        Refusal::new(
            "ShiftedIndices",
            "so many indices lie outside the positions that they belong to something else",
        )
        .known("bad_par0_gx_be32_exporter_index_bug.pmdl"),
        Refusal::new(
            "TooMuchWork",
            "a limit of this program protects against files that share their data too often",
        ),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Fields(_) => FileNoteKind::MoreNotes,
            Self::Alignment(_) | Self::WeightCount(_) | Self::Weights | Self::Unlisted(_) => {
                FileNoteKind::Unusual
            }
            Self::ByteOrderGuessed => FileNoteKind::Guessed,
            Self::UselessWeights(_)
            | Self::ChildLocation
            | Self::SecondTrack(_)
            | Self::Unreadable { .. }
            | Self::Primitive(_)
            | Self::Elements { .. }
            | Self::Index { .. }
            | Self::GxCommand(_)
            | Self::NotFiniteKey
            | Self::KeyOrder
            | Self::NodeCode
            | Self::NodeTwice
            | Self::NodeDepth(_) => FileNoteKind::LeftOut,
            Self::Reduced(_) | Self::Influences(_) => FileNoteKind::NotExpressed,
            _ => FileNoteKind::Mismatch,
        }
    }
}
