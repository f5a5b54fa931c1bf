//! Errors and warnings for MSH models. Source: [limits](crate::reference::formats::parkan#limits).

use thiserror::Error;

use super::raw::stream;
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// Names a stream in words.
pub(super) fn stream_name(type_id: u32) -> String {
    let name = match type_id {
        stream::NODES => "nodes",
        stream::SLOTS => "slots",
        stream::POSITIONS => "positions",
        stream::NORMALS => "normals",
        stream::TEXCOORDS => "texture coordinates",
        stream::INDICES => "indices",
        stream::TRIANGLES => "triangles",
        stream::KEYS => "animation keys",
        stream::NAMES => "names",
        stream::BATCHES => "batches",
        stream::EXTRA => "extra values",
        stream::COLORS => "vertex colours",
        stream::FRAMES => "frame map words",
        _ => return format!("values of type {type_id}"),
    };
    format!("{name} (type {type_id})")
}

/// An error or warning in an MSH model, or in its materials.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MshProblem {
    /// A stream is missing that every drawing needs.
    #[error("the model has no {}", stream_name(*.0))]
    Missing(u32),
    /// The nodes are missing.
    #[error("the model has no nodes: each slot is drawn once, at the origin")]
    NoNodes,
    /// No batch can be drawn.
    #[error("the model has no batch that can be drawn")]
    NoBatches,
    /// The frame map is too short for the frame count.
    #[error("the frame map has too few words for {stated} frames; {used} are read")]
    Frames {
        /// Count in the directory.
        stated: u32,
        /// How many frames this reads.
        used: u32,
    },
    /// Two streams have the same type.
    #[error("the model has {} twice; the first counts", stream_name(*.0))]
    Twice(u32),
    /// A stream's size is not a multiple of its stride.
    #[error("the {} take {size} bytes, which is no multiple of {stride}; the rest is left out", stream_name(*stream))]
    Size {
        /// The stream's type.
        stream: u32,
        /// Size in bytes.
        size: u64,
        /// Bytes per structure.
        stride: u64,
    },
    /// The slot stream is too short for the bounds at its start.
    #[error("the slots take {size} bytes, and the bounds ahead of them {header}")]
    Header {
        /// The stream's size in bytes.
        size: u64,
        /// The bounds' size in bytes.
        header: u64,
    },
    /// The count in the directory differs from the number of structures.
    #[error("the directory says {declared} {}, there are {found}", stream_name(*stream))]
    Count {
        /// The stream's type.
        stream: u32,
        /// Count in the directory.
        declared: u32,
        /// How many structures exist.
        found: usize,
    },
    /// A stream has fewer or more values than the model has vertices.
    #[error("there are {found} {} for {vertices} vertices", stream_name(*stream))]
    PerVertex {
        /// The stream's type.
        stream: u32,
        /// How many values it has.
        found: usize,
        /// How many vertices the model has.
        vertices: usize,
    },
    /// The nodes have 24 bytes.
    #[error("the nodes have 24 bytes of unknown meaning: each slot is drawn once, at the origin")]
    ShortNodes,
    /// A position is infinite or NaN.
    #[error("the position of vertex {0} is not a finite number; 0 replaces it")]
    Position(usize),
    /// A slot's batches are out of range.
    #[error(
        "slot {slot} draws {count} batches from {start} on, which do not all exist; those that do are drawn"
    )]
    Batches {
        /// The slot's number.
        slot: usize,
        /// First batch.
        start: u16,
        /// How many are wanted.
        count: u16,
    },
    /// A slot's triangle descriptors are out of range.
    #[error("slot {slot} has {count} triangles from {start} on, which do not all exist")]
    Triangles {
        /// The slot's number.
        slot: usize,
        /// First triangle.
        start: u16,
        /// How many are wanted.
        count: u16,
    },
    /// A box is infinite, NaN or inside out.
    #[error("the box of slot {0} is not finite, or inside out")]
    Box(usize),
    /// A box does not contain its slot's vertices.
    #[error("vertices of slot {0} lie outside its box; it is drawn without the test of the box")]
    OutsideBox(usize),
    /// A radius is negative, infinite or NaN.
    #[error("the radius of slot {0} is negative or not finite")]
    Radius(usize),
    /// A batch's index count is not a multiple of 3.
    #[error("batch {batch} has {count} indices, which is no multiple of 3; the rest is left out")]
    IndexCount {
        /// The batch's number.
        batch: usize,
        /// How many indices it has.
        count: u16,
    },
    /// A batch's indices are out of range.
    #[error(
        "batch {batch} takes {count} indices from {start} on, which do not all exist; those that do are drawn"
    )]
    Indices {
        /// The batch's number.
        batch: usize,
        /// First index.
        start: u32,
        /// How many are wanted.
        count: u16,
    },
    /// A batch uses a vertex that does not exist.
    #[error("batch {batch} draws vertex {vertex} of {vertices}; its triangles are left out")]
    Vertex {
        /// The batch's number.
        batch: usize,
        /// The vertex's number, base included.
        vertex: u64,
        /// How many exist.
        vertices: u64,
    },
    /// Nodes, slots or batches share data so often that the work is out of proportion.
    #[error("nodes, slots or batches use the same data over and over")]
    TooMuchWork,
    /// The model has nodes but no animation keys.
    #[error("the model has no animation keys; its nodes rest at the origin")]
    NoKeys,
    /// A node's parent does not come before it.
    #[error("the parent of node {node} is node {parent}, which does not come before it; the node is a root")]
    Parent {
        /// The node's number.
        node: usize,
        /// Its parent's number.
        parent: u16,
    },
    /// A node's frame map words are out of range.
    #[error(
        "node {node} takes {frames} words of the frame map from {start} on; it has {words}, so the node does not move"
    )]
    Map {
        /// The node's number.
        node: usize,
        /// First word of the frame map.
        start: u16,
        /// How many frames the animation has.
        frames: u32,
        /// How many words the frame map has.
        words: usize,
    },
    /// A node's fallback key does not exist.
    #[error("node {node} falls back to key {key} of {keys}; it rests at the origin of its parent")]
    Key {
        /// The node's number.
        node: usize,
        /// The key's number.
        key: u16,
        /// How many exist.
        keys: usize,
    },
    /// A node selects a slot that does not exist.
    #[error("node {node} selects slot {slot} of {slots}; it is left out")]
    Slot {
        /// The node's number.
        node: usize,
        /// The slot's number.
        slot: u16,
        /// How many exist.
        slots: usize,
    },
    /// A triangle's neighbour does not exist.
    #[error("triangle {triangle} has neighbour {link}, which does not exist")]
    Link {
        /// The triangle's number.
        triangle: usize,
        /// The neighbour's number.
        link: u16,
    },
    /// A node name is out of range or has no final zero.
    #[error(
        "the name of node {0} does not fit into the names, or has no end; it and later ones are left out"
    )]
    Name(usize),
    /// Bytes follow the last name.
    #[error("{0} bytes follow the last name")]
    NamesEnd(u64),
    /// A WEAR table has no row count, or 0 rows.
    #[error("the WEAR table needs a count of rows here")]
    WearCount,
    /// A WEAR table has too few rows, or a row without a name.
    #[error(
        "row {row} of {count} of the WEAR table is missing, or has no name; it and later ones are left out"
    )]
    WearRow {
        /// The row's number.
        row: usize,
        /// How many rows the table counts.
        count: usize,
    },
    /// Unexpected text follows a WEAR table's rows.
    #[error("only a blank line and LIGHTMAPS may follow the rows of a WEAR table")]
    WearRest,
    /// A material has too many animation blocks.
    #[error("a material has less than 20 animation blocks, not {0}; they are left out")]
    Blocks(u16),
    /// The material ends inside its phases or blocks.
    #[error("the material ends inside its {0}; those before are read")]
    MaterialCut(&'static str),
    /// Bytes follow a material's last block.
    #[error("{0} bytes follow the material")]
    MaterialEnd(u64),
}

impl FormatProblem for MshProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Missing", "slots, positions, indices or batches are missing"),
        Refusal::new("Header", "there are no slots"),
        Refusal::new("NoBatches", "no batch can be drawn"),
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
            Self::Twice(_)
            | Self::Vertex { .. }
            | Self::Slot { .. }
            | Self::Name(_)
            | Self::WearRow { .. }
            | Self::Blocks(_) => FileNoteKind::LeftOut,
            Self::ShortNodes => FileNoteKind::Guessed,
            Self::NoKeys | Self::NoNodes | Self::MaterialCut(_) => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
        }
    }
}
