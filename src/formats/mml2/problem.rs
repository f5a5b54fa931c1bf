//! What can be wrong with an archive of Mega Man Legends 2.

use thiserror::Error;

use crate::formats::core::error::{FormatProblem, Problem};

/// What can be wrong with an archive of Mega Man Legends 2.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Mml2Problem {
    /// A file of zeros, or of nothing.
    #[error("the archive has no sections")]
    Empty,
    /// A section of a type that cannot be.
    #[error("section type {0} does not exist; types are 1 to 63")]
    SectionType(u32),
    /// A section that is empty or reaches behind the end.
    #[error("a section of {sectors} sectors of 2 KiB does not lie inside the file")]
    SectionOutside {
        /// How many sectors it says it has.
        sectors: u32,
    },
    /// More payload than sectors.
    #[error("{size} bytes do not fit into the section, which has room for {room}")]
    PayloadSize {
        /// Bytes the header promises.
        size: u64,
        /// Bytes behind the header.
        room: u64,
    },
    /// Sectors that nothing fills.
    #[error("{sectors} sectors are more than {size} bytes need")]
    SpareSectors {
        /// How many sectors.
        sectors: u32,
        /// Bytes of payload.
        size: u64,
    },
    /// Something where zeros belong.
    #[error("the filling of the last sector is not zero")]
    Padding,
    /// No sector of zeros at the end.
    #[error("no empty sector ends the archive")]
    NoTerminator,
    /// Flags of packed data that cannot be.
    #[error("{0} bytes of packing flags are no whole words inside the section")]
    LzFlags(u64),
    /// Packed data that do not come out at the promised size.
    #[error("the packed data give {produced} bytes, not {size}")]
    LzEnds {
        /// What the header promises.
        size: u64,
        /// What there is.
        produced: u64,
    },
    /// A copy of what is not there yet.
    #[error("the packed data copy from {from:#x}, and only {produced:#x} bytes are unpacked by then")]
    LzAhead {
        /// Where the copy starts.
        from: u64,
        /// Bytes so far.
        produced: u64,
    },
    /// Something wrong with unpacked data.
    #[error("in its unpacked data, at {offset:#x}: {problem}")]
    Unpacked {
        /// Where in the unpacked data.
        offset: u64,
        /// What is wrong.
        problem: Box<Problem>,
    },
    /// Sizes of an image that disagree.
    #[error("the palette and image need {needed} bytes, the section has {size}")]
    ImageSize {
        /// Bytes the sizes promise.
        needed: u64,
        /// Bytes there are.
        size: u64,
    },
    /// An image outside video memory.
    #[error("{width} by {height} words at {x}, {y} do not lie inside video memory, which has 1024 by 512")]
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
    /// An image that the engine cannot show as one.
    #[error("the image is {0} texels wide; only 512 are shown")]
    WideImage(u32),
    /// A list of entities with an impossible count.
    #[error("{0} entities cannot be; there are 1 to 255")]
    EntityCount(u32),
    /// A pointer that leads nowhere.
    #[error("the pointer {pointer:#x} to {target} leads outside the data or to no multiple of its size")]
    Pointer {
        /// What it is to point at.
        target: &'static str,
        /// The pointer.
        pointer: u32,
    },
    /// A skeleton without submeshes.
    #[error("the model has a skeleton and no submeshes")]
    NoMeshes,
    /// A bone count that cannot be.
    #[error("{0} bones cannot be; there are 1 to 64")]
    BoneCount(u8),
    /// A bone that does not exist.
    #[error("bone {bone} does not exist; there are {bones}")]
    NoBone {
        /// The bone.
        bone: u8,
        /// How many there are.
        bones: u8,
    },
    /// Parents that never end.
    #[error("the bones hang on one another in a circle")]
    Circle,
    /// Bones that nothing hangs on.
    #[error("{0} bones are in no link of the hierarchy; they hang on nothing")]
    UnlinkedBones(usize),
    /// A hierarchy that is longer or shorter than the submeshes.
    #[error("the hierarchy does not end where the materials begin")]
    LinkCount,
    /// A link that does not stand at its submesh's place.
    #[error("link {number} of the hierarchy names submesh {mesh}")]
    LinkOrder {
        /// What it names.
        mesh: u8,
        /// Its number.
        number: usize,
    },
    /// A submesh that hangs on nothing.
    #[error("submesh {0} has no link in the hierarchy; it stays with bone 0")]
    NoLink(usize),
    /// A material count that cannot be.
    #[error("{0} materials cannot be; there are 1 to 4")]
    MaterialCount(u64),
    /// A material that does not exist.
    #[error("material {material} does not exist; there are {materials}")]
    NoMaterial {
        /// The material.
        material: usize,
        /// How many there are.
        materials: usize,
    },
    /// A vertex that does not exist.
    #[error("vertex {index} does not exist; there are {vertices}")]
    NoVertex {
        /// The vertex.
        index: usize,
        /// How many there are.
        vertices: usize,
    },
    /// A triangle with a fourth corner.
    #[error("a triangle names a fourth vertex, which is not drawn")]
    FourthCorner,
    /// A scale out of all proportion.
    #[error("a submesh scale of two to the power of {0} cannot be")]
    Scale(i8),
    /// A scale of nothing.
    #[error("the model's scale is zero")]
    NoScale,
    /// A vertex that takes a place nobody kept.
    #[error("a vertex takes the place in weld slot {0}, and no vertex before it was kept there")]
    NoWeld(u8),
    /// A weld code of unknown meaning.
    #[error("weld code {0:#x} is not known; the vertex keeps its own place")]
    WeldCode(u8),
    /// Welded vertices where the hierarchy has none.
    #[error("submesh {0} has weld codes and is not marked for welding")]
    UnflaggedWeld(usize),
    /// A table whose first pointer does not lead behind it.
    #[error("the first pointer of the table does not lead behind it")]
    Table,
    /// A clip of a set that does not exist.
    #[error("the clip plays key set {set}, which does not exist; there are {sets}")]
    NoSet {
        /// The set.
        set: usize,
        /// How many there are.
        sets: usize,
    },
    /// A clip without frames.
    #[error("the clip has no frames")]
    NoFrames,
    /// A frame whose pose is not in the file.
    #[error("pose {pose} of key set {set} lies outside the data")]
    NoPose {
        /// The pose.
        pose: u8,
        /// The set.
        set: usize,
    },
    /// A clip that reaches into other sets.
    #[error("clip {clip} plays poses behind the end of key set {set}, those of the sets that follow")]
    PosesOutsideSet {
        /// The clip.
        clip: usize,
        /// Its set.
        set: usize,
    },
    /// Something in a field that is zero elsewhere.
    #[error("a field that is zero elsewhere is not")]
    NotZero,
    /// Entities that use the same data over and over.
    #[error("the entities use the same data over and over")]
    TooMuchWork,
}

impl FormatProblem for Mml2Problem {}
