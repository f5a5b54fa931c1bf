//! What can be wrong with a PMO file.

use thiserror::Error;

use crate::formats::core::error::FormatProblem;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;

/// What can be wrong with a PMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmoProblem {
    /// Another magic.
    #[error("not a PMO file")]
    Magic,
    /// Another version than the two known ones.
    #[error("this PMO version is not supported; 1.0 and 102 are")]
    Version,
    /// The header disagrees with the file's length.
    #[error("the header says {stated} bytes, there are {actual}")]
    FileSize {
        /// What the header says.
        stated: u32,
        /// What there is.
        actual: u64,
    },
    /// The clipping distance does not cover the scale.
    #[error("the clipping distance is smaller than the scale")]
    ClippingDistance,
    /// Infinity or no number where a scale belongs.
    #[error("a scale or offset is not a finite number")]
    NotFinite,
    /// Sections overlap or change places.
    #[error("the {name} at {offset:#x} begin before {before:#x}, where the section before them does")]
    SectionOrder {
        /// Which section.
        name: &'static str,
        /// Where it is said to start.
        offset: u64,
        /// Where it may start at the earliest.
        before: u64,
    },
    /// A section outside the file.
    #[error("the {name} at {offset:#x} lie behind the end of the file")]
    SectionOutside {
        /// Which section.
        name: &'static str,
        /// Where it is said to start.
        offset: u64,
    },
    /// Mesh data that can only be in another file.
    #[error("the mesh data at {offset:#x} lies behind the end of the file; it may be in a second file")]
    MeshDataElsewhere {
        /// Where it is said to start.
        offset: u64,
    },
    /// The mesh headers reach into the next section.
    #[error("{count} mesh headers do not fit before the tristrip headers")]
    TooManyMeshes {
        /// How many there are said to be.
        count: u64,
    },
    /// A running count that does not continue the one before.
    #[error("the {counter} count does not continue the one before: {expected} expected, {found} found")]
    RunningCount {
        /// What is counted.
        counter: &'static str,
        /// The sum so far.
        expected: usize,
        /// What the file says.
        found: usize,
    },
    /// Mesh headers of an unusual size.
    #[error("the mesh headers make sense only {stride:#x} bytes apart")]
    OtherStride {
        /// Bytes from one to the next.
        stride: u64,
    },
    /// The mesh's scale is not that of the model.
    #[error("the mesh has another scale than the model; its own is used")]
    OwnScale,
    /// A texture number below -1.
    #[error("texture number {number} cannot be")]
    TextureNumber {
        /// The number.
        number: i32,
    },
    /// A texture number that the texture file does not have.
    #[error("the material uses texture {number}, the texture file has {count}; it is drawn without")]
    NoTexture {
        /// The number.
        number: usize,
        /// How many textures there are.
        count: usize,
    },
    /// An index outside the remap table.
    #[error("material {index} is outside the remap table")]
    OutsideRemap {
        /// The index.
        index: usize,
    },
    /// A material that does not exist.
    #[error("material {material} of {materials} does not exist")]
    NoMaterial {
        /// The material's number.
        material: usize,
        /// How many there are.
        materials: usize,
    },
    /// More bones than matrices.
    #[error("{0} bones for one tristrip; the Graphics Engine has 8 bone matrices")]
    TooManyBones(u8),
    /// A bone matrix that does not exist.
    #[error("bone matrix {0} does not exist; there are 8")]
    BoneSlot(u8),
    /// A bone that the skeleton lacks.
    #[error("bone {0} is not in the skeleton")]
    NoBone(u8),
    /// Weights for matrices that no bone was ever assigned to.
    #[error("vertices have {weights} weights, only {slots} bone matrices have a bone")]
    Unassigned {
        /// Weights per vertex.
        weights: usize,
        /// Matrices with a bone.
        slots: usize,
    },
    /// Weights that do not add up to one.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// A list that starts behind the end of the mesh data.
    #[error("the display list at 0x{0:x} of the mesh data lies outside it")]
    ListOutside(u64),
    /// A list that does not start on a word.
    #[error("the display list does not start at a multiple of 4")]
    Unaligned,
    /// A list that runs out of the file.
    #[error("the display list has no RET")]
    NoReturn,
    /// A command that has no business in a model.
    #[error("the display list uses {0}, which models may not")]
    Forbidden(Opcode),
    /// VADDR or IADDR before ORIGIN.
    #[error("the display list uses an address before ORIGIN")]
    NoOrigin,
    /// An address outside the mesh data.
    #[error("the display list points outside the mesh data")]
    AddressOutside,
    /// A vertex type that models may not have.
    #[error("the vertex type is not one of a model: {0}")]
    VertexType(&'static str),
    /// Bits of VTYPE without meaning.
    #[error("the vertex type has bits set that mean nothing")]
    VertexTypeBits,
    /// PRIM before VTYPE.
    #[error("the display list draws before it sets VTYPE")]
    NoVertexType,
    /// PRIM before VADDR.
    #[error("the display list draws before it sets VADDR")]
    NoVertices,
    /// An indexed PRIM before IADDR.
    #[error("the display list draws indexed vertices before it sets IADDR")]
    NoIndices,
    /// Something else than triangles.
    #[error("the display list draws {0}; models have triangles and triangle strips")]
    Primitive(PrimitiveType),
    /// Vertices outside the mesh data.
    #[error("the vertices reach outside the mesh data")]
    VertexOutside,
    /// An index outside the vertices.
    #[error("index {0} is outside the vertices")]
    IndexOutside(u64),
    /// The header says another place than the list.
    #[error("the tristrip header gives another place for the {0} than its display list")]
    HeaderMismatch(&'static str),
    /// Lists that use the same data over and over.
    #[error("the display lists use the same data over and over")]
    TooMuchWork,
    /// A word of a mesh header that is no harmless command.
    #[error("the mesh's display-list word {0:#010x} is not executed: it is no plain state")]
    MeshWord(u32),
}

impl FormatProblem for PmoProblem {}
