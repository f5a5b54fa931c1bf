//! Parses the octree in a `PAR2` file. Source: [octree](crate::reference::formats::pmdl#octree).
//!
//! # Invariants
//! Parents come before their children, so that traversal ends. Damaged nodes and leaves are empty.

use std::collections::HashSet;

use zerocopy::ByteOrder;
use zerocopy::byteorder::{U16, U32};

use super::context::{Context, target, word};
use super::geometry::Mesh;
use super::problem::PmdlProblem;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

/// An octree may have this many levels. Each level halves the box.
const DEPTH_MAX: usize = 24;

/// An octree. Its first node is the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Octree {
    pub(super) nodes: Vec<Node>,
}

/// A node: its eight octants. In an octant's number, bit 0 is set for +x, bit 1 for +y, bit 2 for +z.
pub(super) type Node = [Child; 8];

/// An octant's contents.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Child {
    /// Nothing to draw.
    #[default]
    Empty,
    /// Another node, by number.
    Node(usize),
    /// A leaf, with its meshes.
    Leaf(Vec<Entry>),
}

/// A mesh listed in a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where the list entry is in the file.
    offset: u64,
    collection: u32,
    mesh: u32,
}

/// A node still to parse.
struct Pending {
    at: u64,
    depth: usize,
    /// Which node and octant refer to it.
    parent: Option<(usize, usize)>,
}

/// Parses an octree; `None` if this section is empty, because the exporter leaves it so.
pub(super) fn read<O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'_>,
) -> Result<Option<Octree>, FormatError> {
    if section.is_empty() {
        return Ok(None);
    }
    let mut octree = Octree::default();
    let mut seen = HashSet::new();
    let mut pending = vec![Pending { at: 0, depth: 1, parent: None }];
    // This keeps a list of pending nodes instead of recursing, so that a damaged file cannot exhaust the stack.
    while let Some(Pending { at, depth, parent }) = pending.pop() {
        let problem = match (depth > DEPTH_MAX, seen.insert(at)) {
            (true, _) => Some(PmdlProblem::NodeDepth(DEPTH_MAX)),
            (false, false) => Some(PmdlProblem::NodeTwice),
            (false, true) => None,
        };
        if let Some(problem) = problem {
            context.warnings.push(section.error(at, problem));
            continue;
        }
        let number = octree.nodes.len();
        if let Some((node, octant)) = parent
            && let Some(child) = octree.nodes.get_mut(node).and_then(|node| node.get_mut(octant))
        {
            *child = Child::Node(number);
        }
        let mut node = Node::default();
        let Ok([codes, _]) = section.read::<[U16<O>; 2]>(at) else {
            octree.nodes.push(node);
            continue;
        };
        let mut offset_at = at.saturating_add(4);
        for (octant, child) in node.iter_mut().enumerate() {
            // Each octant has two bits. Only octants with content have an offset.
            let code = codes.get() >> octant.saturating_mul(2) & 3;
            if code == 0 {
                continue;
            }
            let offset = word::<O>(section, offset_at).map(u64::from).and_then(|offset| {
                target(section, offset, "octree node", (section, offset_at)).map(|_| offset)
            });
            offset_at = offset_at.saturating_add(4);
            let offset = match offset {
                Ok(offset) => offset,
                Err(error) => {
                    context.warnings.push(error);
                    continue;
                }
            };
            match code {
                1 => pending.push(Pending {
                    at: offset,
                    depth: depth.saturating_add(1),
                    parent: Some((number, octant)),
                }),
                2 => {
                    let leaf = read_leaf::<O>(context, section, offset);
                    *child = Child::Leaf(context.or_default("leaf of the octree", leaf)?);
                }
                _ => context.warnings.push(section.error(at, PmdlProblem::NodeCode)),
            }
        }
        octree.nodes.push(node);
    }
    Ok(Some(octree))
}

fn read_leaf<O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'_>,
    at: u64,
) -> Result<Vec<Entry>, FormatError> {
    let count = u64::from(word::<O>(section, at)?);
    let first = at.saturating_add(4);
    let pairs: &[[U32<O>; 2]] = section.array(first, count)?;
    context.budget.spend(section, at, count.saturating_add(1))?;
    let entry = |(pair, offset): (&[U32<O>; 2], u64)| {
        let [collection, mesh] = pair.map(U32::get);
        Entry { offset, collection, mesh }
    };
    Ok(pairs.iter().zip((section.file_offset(first)..).step_by(8)).map(entry).collect())
}

impl Octree {
    pub(super) fn leaves(&self) -> usize {
        self.nodes.iter().flatten().filter(|child| matches!(child, Child::Leaf(_))).count()
    }

    /// Warns about listed meshes that do not exist.
    pub(super) fn check(&self, context: &mut Context<'_>, meshes: &[Mesh]) {
        let lookup = MeshLookup::new(meshes);
        let leaves = self.nodes.iter().flatten().filter_map(|child| match child {
            Child::Leaf(entries) => Some(entries),
            _ => None,
        });
        let missing = leaves.flatten().filter(|entry| lookup.of(**entry).is_none());
        for &Entry { offset, collection, mesh } in missing {
            context.warn(offset, PmdlProblem::LeafMesh { collection, mesh });
        }
    }
}

/// Finds the meshes to which leaves refer.
pub(super) struct MeshLookup {
    /// For each collection, the range of its mesh numbers.
    ranges: Vec<std::ops::Range<usize>>,
}

impl MeshLookup {
    /// Creates the lookup. `meshes` must be in file order.
    pub(super) fn new(meshes: &[Mesh]) -> Self {
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for (number, mesh) in meshes.iter().enumerate() {
            while ranges.len() <= mesh.collection {
                ranges.push(number..number);
            }
            if let Some(range) = ranges.get_mut(mesh.collection) {
                range.end = number.saturating_add(1);
            }
        }
        Self { ranges }
    }

    /// Finds a mesh's number in the whole file; `None` if it does not exist.
    pub(super) fn of(&self, entry: Entry) -> Option<usize> {
        let range = self.ranges.get(usize::try_from(entry.collection).ok()?)?.clone();
        range.clone().nth(usize::try_from(entry.mesh).ok()?)
    }
}
