//! Problems of PMO files.

use thiserror::Error;

use crate::formats::core::problem::FormatProblem;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::FileNoteKind;

/// A problem of a PMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmoProblem {
    /// A wrong magic.
    #[error("not a PMO file")]
    Magic,
    /// An unsupported version.
    #[error("this PMO version is not supported; 1.0 and 102 are")]
    Version,
    /// A file size that disagrees with the header.
    #[error("the header says {stated} bytes, but there are {actual}")]
    FileSize {
        /// Size in bytes according to the header.
        stated: u32,
        /// Size in bytes.
        actual: u64,
    },
    /// A clipping distance that is smaller than the scale.
    #[error("the clipping distance is smaller than the scale")]
    ClippingDistance,
    /// An infinite or NaN scale or offset.
    #[error("a scale or offset is not a finite number")]
    NotFinite,
    /// Sections that overlap or are out of order.
    #[error("the {name} at {offset:#x} start before the lowest possible offset, {before:#x}")]
    SectionOrder {
        /// The section.
        name: &'static str,
        /// Its offset according to the header.
        offset: u64,
        /// The lowest valid offset.
        before: u64,
    },
    /// A section that starts after the end of the file.
    #[error("the {name} at {offset:#x} start past the end of the file")]
    SectionOutside {
        /// The section.
        name: &'static str,
        /// Its offset according to the header.
        offset: u64,
    },
    /// Mesh data that can only be in a second file.
    #[error("the mesh data at {offset:#x} is past the end of the file; it may be in a second file")]
    MeshDataElsewhere {
        /// Its offset according to the header.
        offset: u64,
    },
    /// Mesh headers that overlap the next section.
    #[error("{count} mesh headers do not fit before the tristrip headers")]
    TooManyMeshes {
        /// Number of meshes according to the header.
        count: u64,
    },
    /// A running count that does not continue the previous one.
    #[error("the {counter} count does not continue the previous one: {expected} expected, {found} found")]
    RunningCount {
        /// The counted items.
        counter: &'static str,
        /// The sum so far.
        expected: usize,
        /// The count in the file.
        found: usize,
    },
    /// Cumulative counts that are all 0.
    #[error("the cumulative {0} counts are 0: each mesh goes on where the one before ends")]
    CountsLeftOut(&'static str),
    /// Cumulative material counts that are all 0, with tristrips that use materials of other meshes.
    #[error("the cumulative material counts are 0: tristrips count through the materials of all meshes")]
    SharedMaterials,
    /// An entry of the remap table that the mesh headers do not count.
    #[error("the tristrip uses entry {index} of the remap table, of which the meshes count {counted}")]
    UncountedRemap {
        /// The entry.
        index: usize,
        /// Number of entries that the mesh headers count.
        counted: usize,
    },
    /// Mesh headers of an unusual size.
    #[error("the mesh headers are only valid if they are {stride:#x} bytes apart")]
    OtherStride {
        /// Bytes between successive headers.
        stride: u64,
    },
    /// A mesh scale that differs from that of the model.
    #[error("the scale of the mesh differs from that of the model; the mesh's own is used")]
    OwnScale,
    /// A texture number below -1.
    #[error("texture number {number} is below -1")]
    TextureNumber {
        /// The texture number.
        number: i32,
    },
    /// A texture missing from the texture file.
    #[error(
        "the material uses texture {number}, the texture file has {count}; it is drawn without a texture"
    )]
    NoTexture {
        /// The texture number.
        number: usize,
        /// Number of textures.
        count: usize,
    },
    /// An index past the end of the remap table.
    #[error("material {index} is outside the remap table")]
    OutsideRemap {
        /// The index.
        index: usize,
    },
    /// A material that does not exist.
    #[error("material {material} of {materials} does not exist")]
    NoMaterial {
        /// The material.
        material: usize,
        /// Number of materials.
        materials: usize,
    },
    /// More bones than bone matrices.
    #[error("{0} bones for one tristrip; the Graphics Engine has 8 bone matrices")]
    TooManyBones(u8),
    /// A bone matrix that does not exist.
    #[error("bone matrix {0} does not exist; there are 8")]
    BoneSlot(u8),
    /// A bone missing from the skeleton.
    #[error("bone {0} is not in the skeleton")]
    NoBone(u8),
    /// Weights for bone matrices without a bone.
    #[error("vertices have {weights} weights, but only {slots} bone matrices have a bone")]
    Unassigned {
        /// Weights per vertex.
        weights: usize,
        /// Number of matrices with a bone.
        slots: usize,
    },
    /// Weights that do not add up to 1.0.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// A list that starts outside the mesh data.
    #[error("the display list at 0x{0:x} of the mesh data is outside it")]
    ListOutside(u64),
    /// A misaligned list.
    #[error("the display list does not start at a multiple of 4")]
    Unaligned,
    /// A list without RET.
    #[error("the display list has no RET")]
    NoReturn,
    /// A command that models may not use.
    #[error("the display list uses {0}, which models may not use")]
    Forbidden(Opcode),
    /// VADDR or IADDR before ORIGIN.
    #[error("the display list uses an address before ORIGIN")]
    NoOrigin,
    /// An address outside the mesh data.
    #[error("the display list points outside the mesh data")]
    AddressOutside,
    /// A vertex type that models may not use.
    #[error("the vertex type is not allowed in models: {0}")]
    VertexType(&'static str),
    /// Undefined bits in VTYPE.
    #[error("the vertex type has undefined bits set")]
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
    /// A primitive type other than triangles and strips.
    #[error("the display list draws {0}; models have triangles and triangle strips")]
    Primitive(PrimitiveType),
    /// Vertices outside the mesh data.
    #[error("the vertices reach outside the mesh data")]
    VertexOutside,
    /// An index outside the vertices.
    #[error("index {0} is outside the vertices")]
    IndexOutside(u64),
    /// A header that disagrees with the display list.
    #[error("the tristrip header gives another offset for the {0} than its display list")]
    HeaderMismatch(&'static str),
    /// Lists that share too much data.
    #[error("the display lists share too much data")]
    TooMuchWork,
    /// A word in a mesh header that is not a plain state command.
    #[error("the mesh's display-list word {0:#010x} is skipped: it is not a plain state command")]
    MeshWord(u32),
}

impl FormatProblem for PmoProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::Version => "unsupported-version",
            Self::MeshDataElsewhere { .. } => "mesh-data-missing",
            Self::NoBone(_) => "wrong-companion",
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::OtherStride { .. } => FileNoteKind::Guessed,
            Self::NoTexture { .. } => FileNoteKind::TextureMissing,
            Self::VertexTypeBits => FileNoteKind::UnknownField,
            Self::Weights | Self::SharedMaterials | Self::UncountedRemap { .. } => FileNoteKind::Unusual,
            Self::CountsLeftOut(_) => FileNoteKind::Incomplete,
            Self::MeshWord(_) => FileNoteKind::LeftOut,
            _ => FileNoteKind::Mismatch,
        }
    }
}
