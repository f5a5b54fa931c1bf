//! Builds the frame graph: a frame's passes, copies and screens, and which reads results of which.
//!
//! # Invariants
//! An edge goes from an earlier node to a later node, or from a pass that samples its own target to itself.
//!
//! ```
//! use pspge::debug::Shot;
//! use pspge::debug::passes::frame_graph::{EdgeKind, FrameGraph, Node};
//!
//! let list = "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=15 y=15 | REGION2 x=63 y=63
//!     BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | .align 4 | v: .s16 0 0 0 16 16 0";
//! let found = Shot::new(pspge::asm::assemble(list)?.capture()).dependencies(None);
//! let graph = FrameGraph::new(&found);
//! let edge = &graph.edges[0];
//! assert_eq!((edge.from, edge.to, edge.kind), (Node::Pass(0), Node::Screen(None), EdgeKind::Screen));
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::dependencies::{Dependencies, Origin, ReadKind};
use super::splitter::OldValue;
use crate::debug::timeline::EventNumber;

/// A step in a frame: a pass, a transfer, a copy, or a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// The render pass with this number.
    Pass(u32),
    /// A block transfer.
    Transfer(EventNumber),
    /// A copy by the CPU from bytes the frame wrote.
    Copy(EventNumber),
    /// The screen: selected by an event, or as it is at the end.
    Screen(Option<EventNumber>),
}

/// How a node uses another node's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// As a texture.
    Texture,
    /// As a palette.
    Palette,
    /// As vertices.
    Vertices,
    /// As indices.
    Indices,
    /// To copy them.
    Copy,
    /// To show them.
    Screen,
    /// As the old colour in its buffer: by blending, a logic operation or a mask.
    Color,
    /// As the old stencil in its buffer.
    Stencil,
    /// As the old depth in its buffer: by the depth test.
    Depth,
}

/// Connects a node with another that uses its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Which node wrote the bytes.
    pub from: Node,
    /// Which node reads them.
    pub to: Node,
    /// How it uses them.
    pub kind: EdgeKind,
    /// The events in `to` that read them, rising; none for old values and the screen at the end.
    pub readers: Vec<EventNumber>,
    /// The events in `from` that wrote them, rising.
    pub writers: Vec<EventNumber>,
    /// How many bytes are read. If several events read a byte, it counts for each.
    pub bytes: u64,
}

/// A frame's nodes and their dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameGraph {
    /// All passes, and the other nodes whose bytes a pass read or wrote, in their events' order.
    pub nodes: Vec<Node>,
    /// The dependencies, ordered by reader and then by writer.
    pub edges: Vec<Edge>,
}

impl EdgeKind {
    /// Returns the kind's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Texture => "texture",
            Self::Palette => "palette",
            Self::Vertices => "vertices",
            Self::Indices => "indices",
            Self::Copy => "copy",
            Self::Screen => "screen",
            Self::Color => "old colour",
            Self::Stencil => "old stencil",
            Self::Depth => "old depth",
        }
    }
}

impl fmt::Display for EdgeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<ReadKind> for EdgeKind {
    fn from(kind: ReadKind) -> Self {
        match kind {
            ReadKind::Texture => Self::Texture,
            ReadKind::Palette => Self::Palette,
            ReadKind::Vertices => Self::Vertices,
            ReadKind::Indices => Self::Indices,
            ReadKind::Copy => Self::Copy,
            ReadKind::Screen => Self::Screen,
        }
    }
}

impl From<OldValue> for EdgeKind {
    fn from(value: OldValue) -> Self {
        match value {
            OldValue::Color => Self::Color,
            OldValue::Stencil => Self::Stencil,
            OldValue::Depth => Self::Depth,
        }
    }
}

/// Collects an edge's readers, writers and bytes.
#[derive(Default)]
struct EdgeSum {
    readers: BTreeSet<EventNumber>,
    writers: BTreeSet<EventNumber>,
    bytes: u64,
}

impl FrameGraph {
    /// Builds a frame's graph.
    #[must_use]
    pub fn new(found: &Dependencies) -> Self {
        let mut edges: BTreeMap<(Node, Node, EdgeKind), EdgeSum> = BTreeMap::new();
        let mut add = |from: Option<Node>, to, kind, (reader, writer, bytes)| {
            let Some(from) = from else { return };
            let sum: &mut EdgeSum = edges.entry((to, from, kind)).or_default();
            sum.readers.extend(reader);
            sum.writers.insert(writer);
            sum.bytes = sum.bytes.saturating_add(bytes);
        };
        for read in &found.reads {
            let to = match (read.kind, read.reader) {
                (ReadKind::Screen, event) => Some(Node::Screen(event)),
                (_, Some(event)) => node_of(found, event),
                (_, None) => None,
            };
            let Some(to) = to else { continue };
            for part in read.writers.iter() {
                let facts = (read.reader, part.writer, part.bytes);
                add(node_of(found, part.writer), to, read.kind.into(), facts);
            }
        }
        for (number, pass) in (0..).zip(&found.passes) {
            for ((value, writer), bytes) in &pass.old_values {
                let facts = (None, *writer, *bytes);
                add(node_of(found, *writer), Node::Pass(number), EdgeKind::from(*value), facts);
            }
        }
        let edges: Vec<Edge> = edges
            .into_iter()
            .map(|((to, from, kind), sum)| Edge {
                from,
                to,
                kind,
                readers: sum.readers.into_iter().collect(),
                writers: sum.writers.into_iter().collect(),
                bytes: sum.bytes,
            })
            .collect();
        let passes = (0..).zip(&found.passes).map(|(number, _)| Node::Pass(number));
        let nodes: BTreeSet<Node> =
            passes.chain(edges.iter().flat_map(|edge| [edge.from, edge.to])).collect();
        let mut nodes: Vec<Node> = nodes.into_iter().collect();
        nodes.sort_by_key(|node| first_event(found, *node));
        Self { nodes, edges }
    }

    /// Lists the edges to a node, which tell what it reads.
    pub fn inputs(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.to == node)
    }

    /// Lists the edges from a node, which tell who reads it.
    pub fn outputs(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.from == node)
    }

    /// Returns whether another node reads this node's results.
    #[must_use]
    pub fn is_read(&self, node: Node) -> bool {
        self.outputs(node).any(|edge| edge.to != node)
    }

    /// Returns the nodes whose results reach a screen, directly or through other nodes.
    #[must_use]
    pub fn shown(&self) -> BTreeSet<Node> {
        let mut shown: BTreeSet<Node> =
            self.nodes.iter().copied().filter(|node| matches!(node, Node::Screen(_))).collect();
        let mut open: Vec<Node> = shown.iter().copied().collect();
        while let Some(node) = open.pop() {
            for edge in self.inputs(node) {
                if shown.insert(edge.from) {
                    open.push(edge.from);
                }
            }
        }
        shown
    }
}

/// Returns an event's node; `None` for uploads.
fn node_of(found: &Dependencies, event: EventNumber) -> Option<Node> {
    match found.origins.get(event.index())? {
        Origin::Pass(number) => Some(Node::Pass(*number)),
        Origin::Transfer => Some(Node::Transfer(event)),
        Origin::Copy => Some(Node::Copy(event)),
        Origin::Upload => None,
    }
}

/// Returns the event by which to order a node.
fn first_event(found: &Dependencies, node: Node) -> EventNumber {
    match node {
        Node::Pass(number) => {
            let pass = found.passes.get(number as usize);
            pass.map_or(EventNumber::default(), |pass| pass.events[0])
        }
        Node::Transfer(event) | Node::Copy(event) | Node::Screen(Some(event)) => event,
        Node::Screen(None) => EventNumber(u32::MAX),
    }
}
