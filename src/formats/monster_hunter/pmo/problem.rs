//! Errors and warnings for PMO files.
//!
//! # Invariants
//! Each variant is used in a single way: to refuse the file, as a note, or to tell why a group is left out, inside
//! [`PmoProblem::GroupLeftOut`] or [`PmoProblem::NothingDrawn`].

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::FileNoteKind;

/// A problem in a PMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmoProblem {
    // Refusals: nothing sensible can be drawn.
    /// The magic is wrong.
    #[error("not a PMO file")]
    Magic,
    /// The version is unsupported.
    #[error("this PMO version is not supported, and its layout is neither that of 1.0 nor that of 102")]
    Version,
    /// The version belongs to the game for iOS, which has no display lists.
    #[error(
        "PMO version 2.0 belongs to the game for iOS: it has no display lists; 1.0 and 102 are supported"
    )]
    IosVersion,
    /// The mesh or group headers start past the end of the file.
    #[error("the {name} at {offset:#x} start past the end of the file")]
    TableOutside {
        /// The table.
        name: &'static str,
        /// Its offset, as stated in the header.
        offset: u64,
    },
    /// The mesh data must be in a second file, but this was not given.
    #[error(
        "the mesh data at {offset:#x} is past the end of the file: it is in a second file, which has to be given as \
         mesh data"
    )]
    MeshDataElsewhere {
        /// Its offset, as stated in the header.
        offset: u64,
    },
    /// No group can be drawn.
    #[error("none of the {groups} groups can be drawn; the first cannot because {first}")]
    NothingDrawn {
        /// The group count.
        groups: usize,
        /// Why the first cannot be drawn.
        first: Box<Problem>,
    },

    // Notes: the reader goes on.
    /// The version is unknown. The layout of a known version fits.
    #[error("the version is unknown: the file is read as version {0}")]
    GuessedVersion(&'static str),
    /// A command of a display list cannot run. The others do.
    #[error("a command of the display list is left out: {0}")]
    CommandLeftOut(Box<Problem>),
    /// An index is outside the mesh data. The index before it is used instead, so that only its triangles are
    /// missing.
    #[error("the vertex of index {0} is outside the mesh data: its triangles are left out")]
    IndexLeftOut(u64),
    /// A draw goes on past the end of the mesh data.
    #[error("{count} vertices are drawn, and the mesh data end after {room}: the others are left out")]
    DrawCut {
        /// How many vertices PRIM draws.
        count: u64,
        /// How many vertices there are.
        room: u64,
    },
    /// The list is misaligned. The Graphics Engine ignores the low bits of its address.
    #[error("the display list does not start at a multiple of 4: it runs from the multiple before")]
    Unaligned,
    /// A group cannot be drawn. The others are still drawn.
    #[error("group {group} is left out: {problem}")]
    GroupLeftOut {
        /// This group's number.
        group: usize,
        /// Why it cannot be drawn.
        problem: Box<Problem>,
    },
    /// Groups have a transparent material, so the game does not draw them.
    #[error("groups that the game does not draw, because their material has alpha 0: {0}")]
    Transparent(usize),
    /// The user gave mesh data, but the model has its own.
    #[error("the model has its own mesh data: the given file is not used")]
    OwnMeshData,
    /// The file size disagrees with the header.
    #[error("the header says {stated} bytes, but there are {actual}")]
    FileSize {
        /// Size in the header, in bytes.
        stated: u32,
        /// The actual size in bytes.
        actual: u64,
    },
    /// The clipping distance is smaller than the scale.
    #[error("the clipping distance is smaller than the scale")]
    ClippingDistance,
    /// A scale or offset is infinite or NaN. A usual value replaces it.
    #[error("a scale or offset is not a finite number: {0} replaces it")]
    NotFinite(f32),
    /// Sections overlap or are out of order.
    #[error("the {name} at {offset:#x} start before {before:#x}, the lowest usual offset")]
    SectionOrder {
        /// The section.
        name: &'static str,
        /// Its offset, as stated in the header.
        offset: u64,
        /// The lowest usual offset.
        before: u64,
    },
    /// A section starts past the end of the file, but the model can be drawn without it.
    #[error("the {name} at {offset:#x} start past the end of the file: the model is drawn without them")]
    SectionOutside {
        /// The section.
        name: &'static str,
        /// Its offset, as stated in the header.
        offset: u64,
    },
    /// A table ends before its last counted entry.
    #[error("{counted} {name} are counted, and there is room for {room}")]
    TableShort {
        /// The table.
        name: &'static str,
        /// Entry count in the headers.
        counted: u64,
        /// How many entries there is room for.
        room: u64,
    },
    /// A running count does not continue the previous count.
    #[error("the {counter} count does not continue the previous one: {expected} expected, {found} found")]
    RunningCount {
        /// The counted items.
        counter: &'static str,
        /// The sum so far.
        expected: usize,
        /// The count in the file.
        found: usize,
    },
    /// All cumulative counts are 0.
    #[error("the cumulative {0} counts are 0: each mesh goes on where the one before ends")]
    CountsLeftOut(&'static str),
    /// All cumulative material counts are 0, but tristrips use materials from other meshes.
    #[error("the cumulative material counts are 0: tristrips count through the materials of all meshes")]
    SharedMaterials,
    /// A tristrip uses an entry past the count in the headers.
    #[error("the tristrip uses entry {index} of the {table}, of which the headers count {counted}")]
    Uncounted {
        /// The table.
        table: &'static str,
        /// The entry.
        index: usize,
        /// Entry count in the headers.
        counted: usize,
    },
    /// Mesh headers have an unusual size.
    #[error("the mesh headers are only valid if they are {stride:#x} bytes apart")]
    OtherStride {
        /// Bytes from a header to the next.
        stride: u64,
    },
    /// A mesh has its own scale, different from the model's.
    #[error("the scale of the mesh differs from that of the model; the mesh's own is used")]
    OwnScale,
    /// Draw flags have bits unset in all known files.
    #[error("the draw flags {0:#010x} have bits of unknown meaning")]
    DrawFlags(u32),
    /// The blend word is no BLENDMODE command.
    #[error("the blend word {0:#010x} is not a BLENDMODE command: the mesh is blended by source alpha")]
    BlendWord(u32),
    /// A texture is missing from the texture file.
    #[error(
        "the material uses texture {number}, the texture file has {count}; it is drawn without a texture"
    )]
    NoTexture {
        /// The texture number.
        number: usize,
        /// The texture count.
        count: usize,
    },
    /// There are more bones than bone matrices.
    #[error("{0} bones for one tristrip; the Graphics Engine has 8 bone matrices")]
    TooManyBones(u8),
    /// A bone matrix does not exist.
    #[error("bone matrix {0} does not exist; there are 8")]
    BoneSlot(usize),
    /// A bone is missing from the skeleton.
    #[error("bone {0} is not in the skeleton: its vertices stay at rest")]
    NoBone(u8),
    /// Vertices have more weights than bone matrices have bones.
    #[error("vertices have {weights} weights, but only {slots} bone matrices have a bone")]
    Unassigned {
        /// Weights per vertex.
        weights: usize,
        /// How many matrices have a bone.
        slots: usize,
    },
    /// An index is outside the vertices, but inside the mesh data.
    #[error("index {0} is outside the vertices: the bytes there are drawn as a vertex")]
    IndexOutside(u64),
    /// No group has a valid material.
    #[error("no group has a material that exists: all are white")]
    NoMaterials,
    /// Weights do not add up to 1.0.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// VTYPE has undefined bits.
    #[error("the vertex type has undefined bits set")]
    VertexTypeBits,
    /// The header disagrees with the display list.
    #[error("the tristrip header gives another offset for the {0} than its display list")]
    HeaderMismatch(&'static str),

    // Reasons why a group is left out.
    /// An index is past the end of the remap table.
    #[error("material {index} is outside the remap table")]
    OutsideRemap {
        /// The index.
        index: usize,
    },
    /// A material does not exist.
    #[error("material {material} of {materials} does not exist")]
    NoMaterial {
        /// The material.
        material: usize,
        /// The material count.
        materials: usize,
    },
    /// The list starts outside the mesh data.
    #[error("the display list at 0x{0:x} of the mesh data is outside it")]
    ListOutside(u64),
    /// The list has no RET.
    #[error("the display list has no RET")]
    NoReturn,
    /// The list uses a command forbidden to models.
    #[error("the display list uses {0}, which models may not use")]
    Forbidden(Opcode),
    /// VADDR or IADDR comes before ORIGIN.
    #[error("the display list uses an address before ORIGIN")]
    NoOrigin,
    /// An address is outside the mesh data.
    #[error("the display list points outside the mesh data")]
    AddressOutside,
    /// The vertex type is forbidden to models.
    #[error("the vertex type is not allowed in models: {0}")]
    VertexType(&'static str),
    /// PRIM comes before VTYPE or VADDR.
    #[error("the display list draws before it sets {0}")]
    NotSet(Opcode),
    /// An indexed PRIM comes before IADDR.
    #[error("the display list draws indexed vertices before it sets IADDR")]
    NoIndices,
    /// The primitive type is neither triangles nor strips.
    #[error("the display list draws {0}; models have triangles and triangle strips")]
    Primitive(PrimitiveType),
    /// Vertices reach outside the mesh data.
    #[error("the vertices reach outside the mesh data")]
    VertexOutside,
    /// An index's vertex is outside the mesh data, or the engine cannot use it.
    #[error("the vertex of index {0} is outside the mesh data")]
    VertexMissing(u64),
    /// Lists share too much data, so scanning on would take too long.
    #[error("the display lists share too much data")]
    TooMuchWork,
}

impl FormatProblem for PmoProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a model and is none"),
        Refusal::new("Version", "neither known layout fits the file"),
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
            Self::OtherStride { .. }
            | Self::NotFinite(_)
            | Self::NoMaterials
            | Self::GuessedVersion(_)
            | Self::Unaligned => FileNoteKind::Guessed,
            Self::NoTexture { .. } => FileNoteKind::TextureMissing,
            Self::VertexTypeBits | Self::DrawFlags(_) => FileNoteKind::UnknownField,
            Self::Weights | Self::SharedMaterials | Self::Uncounted { .. } | Self::Transparent(_) => {
                FileNoteKind::Unusual
            }
            Self::CountsLeftOut(_) | Self::TableShort { .. } => FileNoteKind::Incomplete,
            Self::GroupLeftOut { .. }
            | Self::SectionOutside { .. }
            | Self::CommandLeftOut(_)
            | Self::IndexLeftOut(_)
            | Self::DrawCut { .. } => FileNoteKind::LeftOut,
            Self::OwnMeshData => FileNoteKind::UnusedCompanion,
            _ => FileNoteKind::Mismatch,
        }
    }
}
