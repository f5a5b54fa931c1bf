//! Errors and warnings for Mega Man Legends 2 archives.

use thiserror::Error;

use crate::formats::core::error::FormatError;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::model::FileNoteKind;

/// A problem in a Mega Man Legends 2 archive.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Mml2Problem {
    /// The file is empty or has only zeros.
    #[error("the archive has no sections")]
    Empty,
    /// A section type is undefined.
    #[error(
        "section type {0} does not exist; types are 1 to 63. The chain goes on at the next section that is found"
    )]
    SectionKind(u32),
    /// No section follows this section, because it is empty, reaches past the end of the file, or has another
    /// length.
    #[error("no section follows one of {sectors} sectors of 2 KiB; it is read with {used} bytes")]
    SectionLength {
        /// Sectors according to the header.
        sectors: u32,
        /// The length in bytes to use instead.
        used: u64,
    },
    /// The file ends inside a sector.
    #[error("the file ends after {0} bytes of a section header")]
    CutSector(u64),
    /// A payload is larger than its section.
    #[error("{size} bytes do not fit into the section, which has room for {room}; these are read")]
    PayloadSize {
        /// Payload size in bytes according to the header.
        size: u64,
        /// Bytes available after the header.
        room: u64,
    },
    /// A section has more sectors than its payload needs.
    #[error("{sectors} sectors are more than {size} bytes need")]
    SpareSectors {
        /// Sectors according to the header.
        sectors: u32,
        /// Payload size in bytes.
        size: u64,
    },
    /// The padding is not zero.
    #[error("the padding of the last sector is not zero")]
    Padding,
    /// No empty sector ends the archive.
    #[error("no empty sector ends the archive")]
    NoTerminator,
    /// LZ flags are not whole words inside the section.
    #[error("{0} bytes of LZ flags are not a whole number of words inside the section")]
    LzFlags(u64),
    /// Packed data do not unpack to the stated size.
    #[error("the packed data unpack to {produced} bytes, not {size}")]
    LzEnds {
        /// Size according to the header.
        size: u64,
        /// Bytes unpacked.
        produced: u64,
    },
    /// A copy reads bytes that are not unpacked yet.
    #[error("the packed data copy from {from:#x}, but only {produced:#x} bytes are unpacked so far")]
    LzAhead {
        /// Where the copied bytes start.
        from: u64,
        /// Bytes unpacked so far.
        produced: u64,
    },
    /// A problem in unpacked data.
    #[error("in its unpacked data, at {offset:#x}: {problem}")]
    Unpacked {
        /// Offset in the unpacked data.
        offset: u64,
        /// The problem.
        problem: Box<Problem>,
    },
    /// Image and palette sizes disagree with the payload.
    #[error("the palette and image need {needed} bytes, the section has {size}; missing ones are black")]
    ImageSize {
        /// Bytes the sizes require.
        needed: u64,
        /// Bytes available.
        size: u64,
    },
    /// An image lies outside video memory.
    #[error(
        "{width} by {height} words at {x}, {y} do not lie inside video memory, which has 1024 by 512; they are left out"
    )]
    OutsideVideo {
        /// Left.
        x: u16,
        /// Top.
        y: u16,
        /// Width in words.
        width: u16,
        /// Height.
        height: u16,
    },
    /// An image is wider than the GE supports.
    #[error("the image is {0} texels wide; only 512 are shown")]
    WideImage(u32),
    /// A pointer to a model is misaligned or points outside the data.
    #[error("the pointer {0:#x} to the model is outside the data or misaligned")]
    ModelPointer(u32),
    /// Another pointer is misaligned or points outside the data.
    #[error("the pointer {pointer:#x} to {target} is outside the data or misaligned; they are left out")]
    Pointer {
        /// The expected data.
        target: &'static str,
        /// The pointer.
        pointer: u32,
    },
    /// A model has no submesh to draw.
    #[error("the model has no submeshes that can be drawn")]
    NoMeshes,
    /// The bone count is invalid.
    #[error("the bone count is {stated}, but the links name {named} bones; these are used")]
    BoneCount {
        /// Count according to the first link.
        stated: u8,
        /// How many bones the links name.
        named: u8,
    },
    /// A bone does not exist.
    #[error("bone {bone} does not exist; there are {bones}. The root replaces it")]
    NoBone {
        /// The bone.
        bone: u8,
        /// How many exist.
        bones: u8,
    },
    /// The bones' parents form a cycle.
    #[error("the parents of the bones form a cycle; it is cut")]
    Circle,
    /// Some bones have no link.
    #[error("{0} bones are in no link of the hierarchy and have no parent")]
    UnlinkedBones(usize),
    /// The hierarchy's length disagrees with the submesh count.
    #[error("the hierarchy does not end where the materials begin")]
    LinkCount,
    /// A link names another submesh than its own number.
    #[error("link {number} of the hierarchy names submesh {mesh}")]
    LinkOrder {
        /// The submesh it names.
        mesh: u8,
        /// The link's number.
        number: usize,
    },
    /// A submesh has no link.
    #[error("submesh {0} has no link in the hierarchy; it uses bone 0")]
    NoLink(usize),
    /// The material count is invalid.
    #[error("the material count is {stated}; it must be 1 to 4, and {used} are read")]
    MaterialCount {
        /// Count according to the offset of the next table.
        stated: u64,
        /// How many are read.
        used: u64,
    },
    /// A material does not exist.
    #[error(
        "material {material} does not exist; there are {materials}. Its faces are drawn without a texture"
    )]
    NoMaterial {
        /// The material.
        material: usize,
        /// How many exist.
        materials: usize,
    },
    /// A vertex does not exist.
    #[error("vertex {index} does not exist; there are {vertices}. The face is left out")]
    NoVertex {
        /// The vertex.
        index: usize,
        /// How many exist.
        vertices: usize,
    },
    /// A triangle has a fourth corner.
    #[error("a triangle names a fourth vertex, which is not drawn")]
    FourthCorner,
    /// A submesh's scale is invalid.
    #[error("the submesh scale exponent {0} is outside -15 to 15; the submesh is left out")]
    Scale(i8),
    /// The model's scale is zero.
    #[error("the model's scale is zero on an axis; that of another is used")]
    NoScale,
    /// A vertex uses an empty weld slot.
    #[error("a vertex uses weld slot {0}, but no earlier vertex is kept there; it keeps its own position")]
    NoWeld(u8),
    /// A weld code is unknown.
    #[error("weld code {0:#x} is unknown; the vertex keeps its own position")]
    WeldCode(u8),
    /// A submesh has weld codes, but lacks the flag for welding.
    #[error("submesh {0} has weld codes but is not marked for welding")]
    UnflaggedWeld(usize),
    /// A table's first pointer does not point past the table.
    #[error("the first pointer of the table does not point past it; the table is left out")]
    Table,
    /// A clip plays a key set that does not exist.
    #[error("the clip plays key set {set}, which does not exist; there are {sets}. It is left out")]
    NoSet {
        /// The key set.
        set: usize,
        /// How many exist.
        sets: usize,
    },
    /// A clip has no frames.
    #[error("the clip has no frames; it is left out")]
    NoFrames,
    /// A pose lies outside the data.
    #[error("pose {pose} of key set {set} lies outside the data; the clip is left out")]
    NoPose {
        /// The pose.
        pose: u8,
        /// The key set.
        set: usize,
    },
    /// A clip plays poses from other key sets.
    #[error("clip {clip} plays poses past the end of key set {set}, from the sets that follow")]
    PosesOutsideSet {
        /// The clip.
        clip: usize,
        /// Its key set.
        set: usize,
    },
    /// A field that is otherwise zero is not.
    #[error("a field that is zero in other files is not zero")]
    NotZero,
    /// Entities share too much data.
    #[error("the entities share too much data")]
    TooMuchWork,
    /// A part cannot be read.
    #[error("{part} cannot be read: {problem}")]
    Unreadable {
        /// The part, such as a section or an entity.
        part: String,
        /// The problem.
        problem: Box<Problem>,
    },
}

impl FormatProblem for Mml2Problem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Empty", "the archive has no sections"),
        Refusal::new("ModelPointer", "the entity has no model"),
        Refusal::new("NoMeshes", "no face can be read"),
        Refusal::new(
            "TooMuchWork",
            "a limit of this program protects against files that share their data too often",
        ),
        Refusal::new("Unpacked", "the packed section cannot be read"),
        Refusal::new("Unreadable", "the part that is wanted cannot be read"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Padding | Self::NotZero => FileNoteKind::UnknownField,
            Self::NoTerminator | Self::NoLink(_) | Self::UnlinkedBones(_) => FileNoteKind::Incomplete,
            Self::SpareSectors { .. } | Self::PosesOutsideSet { .. } => FileNoteKind::Unusual,
            Self::WeldCode(_) => FileNoteKind::Guessed,
            Self::Unpacked { problem, .. } => problem.note_kind(),
            Self::FourthCorner
            | Self::WideImage(_)
            | Self::Unreadable { .. }
            | Self::Pointer { .. }
            | Self::NoVertex { .. }
            | Self::OutsideVideo { .. }
            | Self::Scale(_)
            | Self::Table
            | Self::NoSet { .. }
            | Self::NoFrames
            | Self::NoPose { .. } => FileNoteKind::LeftOut,
            _ => FileNoteKind::Mismatch,
        }
    }
}

/// Warns about a part that cannot be read.
pub(super) fn unreadable(error: &FormatError, part: String) -> FormatError {
    let problem = Box::new(error.kind.clone());
    FormatError { kind: Mml2Problem::Unreadable { part, problem }.into(), ..error.clone() }
}
