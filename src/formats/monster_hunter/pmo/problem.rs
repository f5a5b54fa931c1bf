//! Problems of PMO files.
//!
//! # Invariants
//! A variant is always a refusal of the file, or always a note, or always the reason why a group is left out, inside
//! [`PmoProblem::GroupLeftOut`] or [`PmoProblem::NothingDrawn`].

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::FileNoteKind;

/// A problem of a PMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmoProblem {
    // Refusals: nothing sensible can be drawn.
    /// A wrong magic.
    #[error("not a PMO file")]
    Magic,
    /// An unsupported version.
    #[error("this PMO version is not supported; 1.0 and 102 are")]
    Version,
    /// The version of the game for iOS, which has no display lists.
    #[error(
        "PMO version 2.0 belongs to the game for iOS: it has no display lists; 1.0 and 102 are supported"
    )]
    IosVersion,
    /// The headers of meshes or groups start past the end of the file.
    #[error("the {name} at {offset:#x} start past the end of the file")]
    TableOutside {
        /// The table.
        name: &'static str,
        /// Its offset according to the header.
        offset: u64,
    },
    /// Mesh data that can only be in a second file.
    #[error(
        "the mesh data at {offset:#x} is past the end of the file: it is in a second file, which has to be given as \
         mesh data"
    )]
    MeshDataElsewhere {
        /// Its offset according to the header.
        offset: u64,
    },
    /// No group can be drawn.
    #[error("none of the {groups} groups can be drawn; the first cannot because {first}")]
    NothingDrawn {
        /// Number of groups.
        groups: usize,
        /// Why the first cannot be drawn.
        first: Box<Problem>,
    },

    // Notes: the reader goes on.
    /// A group that cannot be drawn. The others are.
    #[error("group {group} is left out: {problem}")]
    GroupLeftOut {
        /// Number of the group.
        group: usize,
        /// Why it cannot be drawn.
        problem: Box<Problem>,
    },
    /// Groups whose material is transparent, which the game does not draw.
    #[error("groups that the game does not draw, because their material has alpha 0: {0}")]
    Transparent(usize),
    /// Mesh data that was given to a model with its own.
    #[error("the model has its own mesh data: the given file is not used")]
    OwnMeshData,
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
    /// An infinite or NaN scale or offset, which a usual value replaces.
    #[error("a scale or offset is not a finite number: {0} replaces it")]
    NotFinite(f32),
    /// Sections that overlap or are out of order.
    #[error("the {name} at {offset:#x} start before {before:#x}, the lowest usual offset")]
    SectionOrder {
        /// The section.
        name: &'static str,
        /// Its offset according to the header.
        offset: u64,
        /// The lowest usual offset.
        before: u64,
    },
    /// A section that starts after the end of the file, without which the model can be drawn.
    #[error("the {name} at {offset:#x} start past the end of the file: the model is drawn without them")]
    SectionOutside {
        /// The section.
        name: &'static str,
        /// Its offset according to the header.
        offset: u64,
    },
    /// A table that ends before the last entry that is counted.
    #[error("{counted} {name} are counted, and there is room for {room}")]
    TableShort {
        /// The table.
        name: &'static str,
        /// Number of entries according to the headers.
        counted: u64,
        /// Number of entries that can exist.
        room: u64,
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
    /// An entry of a table that the headers do not count.
    #[error("the tristrip uses entry {index} of the {table}, of which the headers count {counted}")]
    Uncounted {
        /// The table.
        table: &'static str,
        /// The entry.
        index: usize,
        /// Number of entries that the headers count.
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
    /// Bits of the draw flags that no known file sets.
    #[error("the draw flags {0:#010x} have bits of unknown meaning")]
    DrawFlags(u32),
    /// A blend word that is no BLENDMODE command.
    #[error("the blend word {0:#010x} is not a BLENDMODE command: the mesh is blended by source alpha")]
    BlendWord(u32),
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
    /// More bones than bone matrices.
    #[error("{0} bones for one tristrip; the Graphics Engine has 8 bone matrices")]
    TooManyBones(u8),
    /// A bone matrix that does not exist.
    #[error("bone matrix {0} does not exist; there are 8")]
    BoneSlot(usize),
    /// A bone missing from the skeleton.
    #[error("bone {0} is not in the skeleton: its vertices stay at rest")]
    NoBone(u8),
    /// Weights for bone matrices without a bone.
    #[error("vertices have {weights} weights, but only {slots} bone matrices have a bone")]
    Unassigned {
        /// Weights per vertex.
        weights: usize,
        /// Number of matrices with a bone.
        slots: usize,
    },
    /// An index outside the vertices, but inside the mesh data.
    #[error("index {0} is outside the vertices: the bytes there are drawn as a vertex")]
    IndexOutside(u64),
    /// No group has a material that exists.
    #[error("no group has a material that exists: all are white")]
    NoMaterials,
    /// Weights that do not add up to 1.0.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// Undefined bits in VTYPE.
    #[error("the vertex type has undefined bits set")]
    VertexTypeBits,
    /// A header that disagrees with the display list.
    #[error("the tristrip header gives another offset for the {0} than its display list")]
    HeaderMismatch(&'static str),

    // Reasons why a group is left out.
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
    /// An index whose vertex is outside the mesh data, or that the engine cannot use.
    #[error("the vertex of index {0} is outside the mesh data")]
    VertexMissing(u64),
    /// Lists that share too much data.
    #[error("the display lists share too much data")]
    TooMuchWork,
}

impl FormatProblem for PmoProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a model and is none"),
        Refusal::new("Version", "the layout of other versions is not known"),
        Refusal::new("IosVersion", "the file has plain vertex buffers and no display lists")
            .known("models of the iOS edition (version 2.0)"),
        Refusal::new("TableOutside", "headers of meshes or groups, or the lists themselves, are cut off"),
        Refusal::new("MeshDataElsewhere", "the lists and vertices are in a second file that was not given")
            .known("monsters of Portable 3rd without their second file"),
        Refusal::new("NothingDrawn", "the list of no group can run"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::Version | Self::IosVersion => "unsupported-version",
            Self::MeshDataElsewhere { .. } => "mesh-data-missing",
            Self::NothingDrawn { first, .. } => first.code(),
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::OtherStride { .. } | Self::NotFinite(_) | Self::NoMaterials => FileNoteKind::Guessed,
            Self::NoTexture { .. } => FileNoteKind::TextureMissing,
            Self::VertexTypeBits | Self::DrawFlags(_) => FileNoteKind::UnknownField,
            Self::Weights | Self::SharedMaterials | Self::Uncounted { .. } | Self::Transparent(_) => {
                FileNoteKind::Unusual
            }
            Self::CountsLeftOut(_) | Self::TableShort { .. } => FileNoteKind::Incomplete,
            Self::GroupLeftOut { .. } | Self::SectionOutside { .. } => FileNoteKind::LeftOut,
            Self::OwnMeshData => FileNoteKind::UnusedCompanion,
            _ => FileNoteKind::Mismatch,
        }
    }
}
