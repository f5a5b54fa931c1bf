//! What can be wrong with Mega Man Legends 2 archives.

use thiserror::Error;

use crate::formats::core::error::FormatError;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::model::FileNoteKind;

/// A problem in a Mega Man Legends 2 archive.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Mml2Problem {
    /// A file that is empty or has only zeros.
    #[error("the archive has no sections")]
    Empty,
    /// An undefined section type.
    #[error(
        "section type {0} does not exist; types are 1 to 63. The chain goes on at the next section that is found"
    )]
    SectionKind(u32),
    /// A section after which none follows, because it is empty, reaches past the end of the file, or has another
    /// length.
    #[error("no section follows one of {sectors} sectors of 2 KiB; it is read with {used} bytes")]
    SectionLength {
        /// Sectors according to the header.
        sectors: u32,
        /// Length in bytes that is used instead.
        used: u64,
    },
    /// A file that ends inside a sector.
    #[error("the file ends after {0} bytes of a section header")]
    CutSector(u64),
    /// A payload larger than its section.
    #[error("{size} bytes do not fit into the section, which has room for {room}; these are read")]
    PayloadSize {
        /// Payload size in bytes according to the header.
        size: u64,
        /// Bytes available after the header.
        room: u64,
    },
    /// More sectors than the payload needs.
    #[error("{sectors} sectors are more than {size} bytes need")]
    SpareSectors {
        /// Sectors according to the header.
        sectors: u32,
        /// Payload size in bytes.
        size: u64,
    },
    /// Nonzero padding.
    #[error("the padding of the last sector is not zero")]
    Padding,
    /// No empty sector at the end.
    #[error("no empty sector ends the archive")]
    NoTerminator,
    /// LZ flags that are not whole words inside the section.
    #[error("{0} bytes of LZ flags are not a whole number of words inside the section")]
    LzFlags(u64),
    /// Packed data that do not unpack to the stated size.
    #[error("the packed data unpack to {produced} bytes, not {size}")]
    LzEnds {
        /// Size according to the header.
        size: u64,
        /// Bytes unpacked.
        produced: u64,
    },
    /// A copy of bytes that are not unpacked yet.
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
    /// Image and palette sizes that disagree with the payload.
    #[error("the palette and image need {needed} bytes, the section has {size}; missing ones are black")]
    ImageSize {
        /// Bytes the sizes require.
        needed: u64,
        /// Bytes available.
        size: u64,
    },
    /// An image outside video memory.
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
    /// An image wider than the GE supports.
    #[error("the image is {0} texels wide; only 512 are shown")]
    WideImage(u32),
    /// A pointer to a model that is misaligned or points outside the data.
    #[error("the pointer {0:#x} to the model is outside the data or misaligned")]
    ModelPointer(u32),
    /// Another pointer that is misaligned or points outside the data.
    #[error("the pointer {pointer:#x} to {target} is outside the data or misaligned; they are left out")]
    Pointer {
        /// The expected data.
        target: &'static str,
        /// The pointer.
        pointer: u32,
    },
    /// A model without any submesh to draw.
    #[error("the model has no submeshes that can be drawn")]
    NoMeshes,
    /// An invalid bone count.
    #[error("the bone count is {stated}, but the links name {named} bones; these are used")]
    BoneCount {
        /// Count according to the first link.
        stated: u8,
        /// How many bones the links name.
        named: u8,
    },
    /// A bone that does not exist.
    #[error("bone {bone} does not exist; there are {bones}. The root replaces it")]
    NoBone {
        /// The bone.
        bone: u8,
        /// How many exist.
        bones: u8,
    },
    /// Bone parents that form a cycle.
    #[error("the parents of the bones form a cycle; it is cut")]
    Circle,
    /// Bones without a link.
    #[error("{0} bones are in no link of the hierarchy and have no parent")]
    UnlinkedBones(usize),
    /// A hierarchy whose length disagrees with the submesh count.
    #[error("the hierarchy does not end where the materials begin")]
    LinkCount,
    /// A link whose submesh is not its own number.
    #[error("link {number} of the hierarchy names submesh {mesh}")]
    LinkOrder {
        /// The submesh it names.
        mesh: u8,
        /// The link's number.
        number: usize,
    },
    /// A submesh without a link.
    #[error("submesh {0} has no link in the hierarchy; it uses bone 0")]
    NoLink(usize),
    /// An invalid material count.
    #[error("the material count is {stated}; it must be 1 to 4, and {used} are read")]
    MaterialCount {
        /// Count according to the offset of the next table.
        stated: u64,
        /// How many are read.
        used: u64,
    },
    /// A material that does not exist.
    #[error(
        "material {material} does not exist; there are {materials}. Its faces are drawn without a texture"
    )]
    NoMaterial {
        /// The material.
        material: usize,
        /// How many exist.
        materials: usize,
    },
    /// A vertex that does not exist.
    #[error("vertex {index} does not exist; there are {vertices}. The face is left out")]
    NoVertex {
        /// The vertex.
        index: usize,
        /// How many exist.
        vertices: usize,
    },
    /// A triangle with a fourth corner.
    #[error("a triangle names a fourth vertex, which is not drawn")]
    FourthCorner,
    /// An invalid submesh scale.
    #[error("the submesh scale exponent {0} is outside -15 to 15; the submesh is left out")]
    Scale(i8),
    /// A zero model scale.
    #[error("the model's scale is zero on an axis; that of another is used")]
    NoScale,
    /// A vertex that uses an empty weld slot.
    #[error("a vertex uses weld slot {0}, but no earlier vertex is kept there; it keeps its own position")]
    NoWeld(u8),
    /// An unknown weld code.
    #[error("weld code {0:#x} is unknown; the vertex keeps its own position")]
    WeldCode(u8),
    /// Weld codes in a submesh without the flag for welding.
    #[error("submesh {0} has weld codes but is not marked for welding")]
    UnflaggedWeld(usize),
    /// A table whose first pointer does not point past it.
    #[error("the first pointer of the table does not point past it; the table is left out")]
    Table,
    /// A clip with a key set that does not exist.
    #[error("the clip plays key set {set}, which does not exist; there are {sets}. It is left out")]
    NoSet {
        /// The key set.
        set: usize,
        /// How many exist.
        sets: usize,
    },
    /// A clip without frames.
    #[error("the clip has no frames; it is left out")]
    NoFrames,
    /// A pose outside the data.
    #[error("pose {pose} of key set {set} lies outside the data; the clip is left out")]
    NoPose {
        /// The pose.
        pose: u8,
        /// The key set.
        set: usize,
    },
    /// A clip with poses from other key sets.
    #[error("clip {clip} plays poses past the end of key set {set}, from the sets that follow")]
    PosesOutsideSet {
        /// The clip.
        clip: usize,
        /// Its key set.
        set: usize,
    },
    /// A nonzero value in a field that is otherwise zero.
    #[error("a field that is zero in other files is not zero")]
    NotZero,
    /// Entities that share too much data.
    #[error("the entities share too much data")]
    TooMuchWork,
    /// A part that cannot be read.
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
