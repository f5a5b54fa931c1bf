//! Arranges meshes in a tree of boxes for visibility tests. This follows the octree if the model has one.
//!
//! # Invariants
//! Every mesh with draws occurs once, and every box contains all its items, whatever the octree says: it only
//! decides which meshes are tested together. Source: [octree](crate::reference::formats::pmdl#octree),
//! [as GE state](crate::reference::formats::pmdl#as-ge-state).

use super::geometry::{Bounds, Mesh, SubType};
use super::model::Pmdl;
use super::octree::{Child, MeshLookup, Octree};

/// A node in the tree of boxes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DrawItem {
    /// A mesh, by number.
    Mesh(usize),
    /// Items to skip if their box is not visible.
    Box(Bounds, Vec<Self>),
}

/// Arranges a model's meshes. Returns the items, and how many meshes its octree lacks.
pub(super) fn plan(model: &Pmdl<'_>) -> (Vec<DrawItem>, usize) {
    let meshes = model.meshes.as_slice();
    let all = meshes.iter().enumerate().filter(|(_, mesh)| mesh.is_drawn()).map(|(number, _)| number);
    let (items, unlisted) = match (model.sub_type, &model.octree) {
        // Bones move vertices out of their boxes, so the runtime does not test them either.
        (SubType::Par1, _) => return (all.map(DrawItem::Mesh).collect(), 0),
        (SubType::Par2, Some(octree)) => Planner::new(octree, meshes).plan(model.bounds),
        (SubType::Par2, None) => (all.map(DrawItem::Mesh).collect(), 0),
        (SubType::Par0, _) => (all.map(|number| with_own_box(meshes, number)).collect(), 0),
    };
    (vec![DrawItem::Box(model.bounds, items)], unlisted)
}

/// Gives a mesh its own box test.
fn with_own_box(meshes: &[Mesh], number: usize) -> DrawItem {
    match meshes.get(number) {
        Some(mesh) => DrawItem::Box(mesh.bounds, vec![DrawItem::Mesh(number)]),
        None => DrawItem::Mesh(number),
    }
}

/// Where in the octree to draw a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
enum Placement {
    /// In no leaf so far.
    #[default]
    Unlisted,
    /// In a leaf, by node and octant.
    Leaf(usize, usize),
    /// At the deepest common node above all its leaves, as a path from the root.
    CommonNode(Vec<usize>),
}

struct Planner<'a> {
    octree: &'a Octree,
    meshes: &'a [Mesh],
    lookup: MeshLookup,
    placements: Vec<Placement>,
    /// Whether a mesh is in a leaf that contains it whole.
    is_final: Vec<bool>,
    /// For each mesh, the path from the root to the first leaf that lists it.
    paths: Vec<Vec<usize>>,
}

impl<'a> Planner<'a> {
    fn new(octree: &'a Octree, meshes: &'a [Mesh]) -> Self {
        Self {
            octree,
            meshes,
            lookup: MeshLookup::new(meshes),
            placements: vec![Placement::Unlisted; meshes.len()],
            is_final: vec![false; meshes.len()],
            paths: vec![Vec::new(); meshes.len()],
        }
    }

    fn plan(mut self, bounds: Bounds) -> (Vec<DrawItem>, usize) {
        self.assign(&mut Vec::new(), 0, bounds);
        let mut contents: NodeContents = NodeContents::default();
        let mut unlisted = Vec::new();
        let drawn =
            self.placements.iter().zip(self.meshes).enumerate().filter(|(_, (_, mesh))| mesh.is_drawn());
        for (number, (placement, _)) in drawn {
            match placement {
                // A mesh outside all leaves would never be drawn, so this tests it with its own box.
                Placement::Unlisted => unlisted.push(with_own_box(self.meshes, number)),
                Placement::Leaf(node, octant) => {
                    contents.entry((*node, Some(*octant))).or_default().push(number);
                }
                Placement::CommonNode(path) => {
                    let node = path.last().copied().unwrap_or(0);
                    contents.entry((node, None)).or_default().push(number);
                }
            }
        }
        let count = unlisted.len();
        let mut items = self.items(0, &contents);
        items.extend(unlisted);
        (items, count)
    }

    /// Places all meshes listed below a node. The parser's depth limit bounds the recursion.
    fn assign(&mut self, path: &mut Vec<usize>, number: usize, bounds: Bounds) {
        path.push(number);
        let octree = self.octree;
        for (octant, child) in octree.nodes.get(number).into_iter().flatten().enumerate() {
            let bounds = octant_of(&bounds, octant);
            match child {
                Child::Empty => {}
                Child::Node(child) => self.assign(path, *child, bounds),
                Child::Leaf(entries) => {
                    for entry in entries {
                        if let Some(mesh) = self.lookup.of(*entry) {
                            self.visit_listing(mesh, path, octant, &bounds);
                        }
                    }
                }
            }
        }
        path.pop();
    }

    /// Updates a mesh's placement for another leaf. The first leaf to contain this mesh whole wins. Otherwise it
    /// goes to its only leaf, or to the deepest common node above its leaves.
    fn visit_listing(&mut self, mesh: usize, path: &[usize], octant: usize, bounds: &Bounds) {
        let node = path.last().copied().unwrap_or(0);
        let whole = self.meshes.get(mesh).is_some_and(|mesh| bounds.holds(&mesh.bounds));
        let (Some(placement), Some(is_final), Some(first)) =
            (self.placements.get_mut(mesh), self.is_final.get_mut(mesh), self.paths.get_mut(mesh))
        else {
            return;
        };
        // A leaf already contains this mesh whole, so no other leaf can place it better.
        if *is_final {
            return;
        }
        let common = |other: &[usize]| -> Vec<usize> {
            other.iter().zip(path).take_while(|(a, b)| a == b).map(|(node, _)| *node).collect()
        };
        *is_final = whole;
        *placement = match placement {
            _ if whole => Placement::Leaf(node, octant),
            Placement::Unlisted => Placement::Leaf(node, octant),
            Placement::Leaf(known, place) if (*known, *place) == (node, octant) => return,
            Placement::Leaf(..) => Placement::CommonNode(common(first)),
            Placement::CommonNode(other) => Placement::CommonNode(common(other)),
        };
        if first.is_empty() {
            first.extend(path);
        }
    }

    /// Collects everything to draw below a node.
    fn items(&self, number: usize, contents: &NodeContents) -> Vec<DrawItem> {
        let of = |octant| contents.get(&(number, octant)).map_or(&[][..], Vec::as_slice);
        let mut items = Vec::new();
        for (octant, child) in self.octree.nodes.get(number).into_iter().flatten().enumerate() {
            let inner = match child {
                Child::Empty => continue,
                Child::Node(child) => self.items(*child, contents),
                Child::Leaf(_) => of(Some(octant)).iter().map(|&mesh| DrawItem::Mesh(mesh)).collect(),
            };
            if let Some(bounds) = self.bounds_of(&inner) {
                items.push(DrawItem::Box(bounds, inner));
            }
        }
        items.extend(of(None).iter().map(|&mesh| with_own_box(self.meshes, mesh)));
        items
    }

    /// Computes the box around items from their meshes, so that it is correct even if the octants are not.
    fn bounds_of(&self, items: &[DrawItem]) -> Option<Bounds> {
        let bounds = items.iter().filter_map(|item| match item {
            DrawItem::Mesh(number) => self.meshes.get(*number).map(|mesh| mesh.bounds),
            DrawItem::Box(bounds, _) => Some(*bounds),
        });
        bounds.reduce(|a, b| a.union(&b))
    }
}

/// Meshes placed at each node (octant `None`) and in each leaf.
type NodeContents = std::collections::HashMap<(usize, Option<usize>), Vec<usize>>;

/// Computes an octant's box. In its number, bit 0 is set for +x, bit 1 for +y, bit 2 for +z.
fn octant_of(bounds: &Bounds, number: usize) -> Bounds {
    let mut out = *bounds;
    for (axis, (min, max)) in out.min.iter_mut().zip(&mut out.max).enumerate() {
        // This halves first, so that the sum of large numbers stays finite.
        let middle = *min / 2.0 + *max / 2.0;
        if number >> axis & 1 == 1 {
            *min = middle;
        } else {
            *max = middle;
        }
    }
    out
}
