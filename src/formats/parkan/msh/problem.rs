//! What can be wrong with an MSH model.

use thiserror::Error;

use super::raw::stream;
use crate::formats::core::error::FormatProblem;

/// What a stream holds, as users know it.
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

/// What can be wrong with an MSH model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MshProblem {
    /// A stream without which there is no model.
    #[error("the model has no {}", stream_name(*.0))]
    Missing(u32),
    /// Two streams of a type.
    #[error("the model has {} twice", stream_name(*.0))]
    Twice(u32),
    /// A stream that ends inside a structure.
    #[error("the {} take {size} bytes, which is no multiple of {stride}", stream_name(*stream))]
    Size {
        /// The stream's type.
        stream: u32,
        /// Bytes it has.
        size: u64,
        /// Bytes of one structure.
        stride: u64,
    },
    /// Slots without room for what is ahead of them.
    #[error("the slots take {size} bytes, and the bounds ahead of them {header}")]
    Header {
        /// Bytes the stream has.
        size: u64,
        /// Bytes needed.
        header: u64,
    },
    /// A count that is not that of the structures.
    #[error("the directory says {declared} {}, there are {found}", stream_name(*stream))]
    Count {
        /// The stream's type.
        stream: u32,
        /// What the directory says.
        declared: u32,
        /// What there is.
        found: usize,
    },
    /// Too few or too many values for the vertices.
    #[error("there are {found} {} for {vertices} vertices", stream_name(*stream))]
    PerVertex {
        /// The stream's type.
        stream: u32,
        /// Values there are.
        found: usize,
        /// Vertices there are.
        vertices: usize,
    },
    /// Nodes of 24 bytes.
    #[error("the nodes have 24 bytes, whose meaning is not known: every slot is drawn where it stands")]
    ShortNodes,
    /// A vertex that is nowhere.
    #[error("the position of vertex {0} is not a finite number")]
    Position(usize),
    /// Batches that a slot does not have.
    #[error("slot {slot} draws {count} batches from {start} on, which do not all exist")]
    Batches {
        /// The slot.
        slot: usize,
        /// First batch.
        start: u16,
        /// How many.
        count: u16,
    },
    /// Triangles that a slot does not have.
    #[error("slot {slot} has {count} triangles from {start} on, which do not all exist")]
    Triangles {
        /// The slot.
        slot: usize,
        /// First triangle.
        start: u16,
        /// How many.
        count: u16,
    },
    /// A box that is none.
    #[error("the box of slot {0} is not finite, or ends before it begins")]
    Box(usize),
    /// A box that its own vertices stick out of.
    #[error("vertices of slot {0} lie outside its box; it is drawn without looking at the box")]
    OutsideBox(usize),
    /// A sphere that is none.
    #[error("the radius of slot {0} is negative or not finite")]
    Radius(usize),
    /// Indices that make no whole triangles.
    #[error("batch {batch} has {count} indices, which is no multiple of 3")]
    IndexCount {
        /// The batch.
        batch: usize,
        /// Its indices.
        count: u16,
    },
    /// Indices that do not exist.
    #[error("batch {batch} takes {count} indices from {start} on, which do not all exist")]
    Indices {
        /// The batch.
        batch: usize,
        /// First index.
        start: u32,
        /// How many.
        count: u16,
    },
    /// A vertex that does not exist.
    #[error("batch {batch} draws vertex {vertex} of {vertices}")]
    Vertex {
        /// The batch.
        batch: usize,
        /// The vertex, base included.
        vertex: u64,
        /// How many there are.
        vertices: u64,
    },
    /// Nodes, slots or batches that use the same data over and over.
    #[error("nodes, slots or batches use the same data over and over")]
    TooMuchWork,
    /// Nodes without poses.
    #[error("the model has no animation keys; its nodes stand at the origin")]
    NoKeys,
    /// A parent that does not come before the node.
    #[error("node {node} hangs on node {parent}, which does not come before it")]
    Parent {
        /// The node.
        node: usize,
        /// Its parent.
        parent: u16,
    },
    /// Frame map words that do not exist.
    #[error("node {node} takes {frames} words of the frame map from {start} on; it has {words}")]
    Map {
        /// The node.
        node: usize,
        /// First word.
        start: u16,
        /// Frames of the animation.
        frames: u32,
        /// Words there are.
        words: usize,
    },
    /// A fallback key that does not exist.
    #[error("node {node} falls back to key {key} of {keys}")]
    Key {
        /// The node.
        node: usize,
        /// The key.
        key: u16,
        /// How many there are.
        keys: usize,
    },
    /// A slot that does not exist.
    #[error("node {node} selects slot {slot} of {slots}")]
    Slot {
        /// The node.
        node: usize,
        /// The slot.
        slot: u16,
        /// How many there are.
        slots: usize,
    },
    /// A neighbour that does not exist.
    #[error("triangle {triangle} has neighbour {link}, which does not exist")]
    Link {
        /// The triangle.
        triangle: usize,
        /// The neighbour.
        link: u16,
    },
    /// A name that does not end.
    #[error("the name of node {0} does not fit into the names, or has no end")]
    Name(usize),
    /// Something behind the last name.
    #[error("{0} bytes follow the last name")]
    NamesEnd(u64),
    /// A WEAR table that starts with no count, or with 0.
    #[error("the WEAR table needs a count of rows here")]
    WearCount,
    /// A WEAR table with fewer rows than it says, or with a row without a name.
    #[error("row {row} of {count} of the WEAR table is missing, or has no name")]
    WearRow {
        /// The row.
        row: usize,
        /// Rows there should be.
        count: usize,
    },
    /// Something behind the rows of a WEAR table.
    #[error("only a blank line and LIGHTMAPS may follow the rows of a WEAR table")]
    WearRest,
    /// Too many animation blocks.
    #[error("a material has less than 20 animation blocks, not {0}")]
    Blocks(u16),
    /// Something behind a material.
    #[error("{0} bytes follow the material")]
    MaterialEnd(u64),
    /// A group that nodes do not have.
    #[error("group {0} does not exist; nodes have groups 0 to 4")]
    Group(usize),
}

impl FormatProblem for MshProblem {}
