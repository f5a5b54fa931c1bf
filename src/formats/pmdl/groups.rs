//! Splits meshes into groups that fit the GE: at most eight bone matrices and 65536 vertices.
//!
//! # Invariants
//! Every triangle with three different corners is in a group, with unchanged winding. Source:
//! [as GE state](crate::reference::formats::pmdl#as-ge-state).

use std::collections::{BTreeSet, HashMap};

use arrayvec::ArrayVec;

use super::geometry::{Collection, Draw, Influence, Mesh, Topology};
use super::rig::Skin;
use crate::formats::core::geometry::has_distinct_corners;

/// How many bone matrices the GE has.
pub(super) const MATRICES: usize = 8;
/// How many vertices 16-bit indices can address.
const VERTICES: usize = 0x1_0000;
/// The most indices for a PRIM: the largest 16-bit number divisible by 6, so that lines and triangles stay whole.
const INDICES_MAX: usize = 65532;
/// How many recent groups to search for room before starting a new group.
const OPEN_GROUPS: usize = 32;

/// Everything that a single list draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    /// The bone for each matrix; `None` is the identity matrix.
    pub(super) palette: Vec<Option<u32>>,
    pub(super) vertices: Vec<GroupVertex>,
    /// Topology and indices for each PRIM.
    pub(super) draws: Vec<(Topology, Vec<u16>)>,
}

/// A vertex within a group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupVertex {
    /// Its number in the collection.
    pub(super) vertex: u32,
    /// A weight for each matrix in the palette.
    pub(super) weights: ArrayVec<f32, MATRICES>,
}

/// A mesh's groups, and how many primitives were reduced to eight matrices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    pub(super) reduced: usize,
}

/// Splits a mesh into groups. Its primitives stay whole if they all fit into a group per skin.
pub(super) fn split_mesh(mesh: &Mesh, collection: &Collection, skins: &[Skin]) -> Groups {
    let mut out = Groups::default();
    for run in mesh.draws.chunk_by(|a, b| a.skin == b.skin) {
        let skin = run.first().and_then(|draw| skins.get(draw.skin?));
        let corners = || run.iter().flat_map(|draw| &draw.corners).copied();
        let slots = slots_of(collection, corners());
        let distinct: BTreeSet<u32> = corners().collect();
        // Only a mesh that needs several groups has to be cut into single primitives.
        if distinct.len() > VERTICES || slots.len() > MATRICES {
            split_into_primitives(run, collection, skin, &mut out);
            continue;
        }
        let mut builder = GroupBuilder::default();
        for draw in run {
            let indices = draw.corners.iter().map(|&corner| builder.index(corner)).collect();
            builder.draws.push((draw.topology, indices));
        }
        builder.slots = slots;
        out.groups.extend(builder.finish(collection, skin));
    }
    out
}

/// Collects sort keys for the matrices these vertices use.
fn slots_of(collection: &Collection, corners: impl Iterator<Item = u32>) -> BTreeSet<u32> {
    corners.flat_map(|corner| collection.influences_of(corner)).map(Influence::key).collect()
}

impl Influence {
    /// Converts this slot to a sort key: bones in order, the identity matrix last.
    const fn key(&self) -> u32 {
        // Slot 0 wraps around to the largest number.
        self.slot.wrapping_sub(1)
    }
}

/// Sort key for the identity matrix.
const IDENTITY_KEY: u32 = u32::MAX;

/// Collects vertices and draws for a group.
#[derive(Default)]
struct GroupBuilder {
    slots: BTreeSet<u32>,
    vertices: Vec<u32>,
    numbers: HashMap<u32, u16>,
    draws: Vec<(Topology, Vec<u16>)>,
}

impl GroupBuilder {
    /// Finds a vertex in the group, and adds it if necessary.
    fn index(&mut self, vertex: u32) -> u16 {
        *self.numbers.entry(vertex).or_insert_with(|| {
            let number = u16::try_from(self.vertices.len()).unwrap_or(u16::MAX);
            self.vertices.push(vertex);
            number
        })
    }

    fn has_room(&self, slots: &BTreeSet<u32>, corners: &[u32]) -> bool {
        let added = slots.difference(&self.slots).count();
        self.slots.len().saturating_add(added) <= MATRICES
            && self.vertices.len().saturating_add(corners.len()) <= VERTICES
    }

    /// Adds a point, line or triangle.
    fn add(&mut self, topology: Topology, corners: &[u32], slots: BTreeSet<u32>) {
        self.slots.extend(slots);
        let indices: ArrayVec<u16, 3> = corners.iter().take(3).map(|&corner| self.index(corner)).collect();
        match self.draws.iter_mut().find(|(known, _)| *known == topology) {
            Some((_, all)) => all.extend(indices),
            None => self.draws.push((topology, indices.to_vec())),
        }
    }

    /// Completes the group; `None` if it draws nothing.
    fn finish(self, collection: &Collection, skin: Option<&Skin>) -> Option<Group> {
        let bone = |&key: &u32| match skin {
            _ if key == IDENTITY_KEY => None,
            // If the skin lacks this bone, its weights use the identity.
            Some(skin) => usize::try_from(key).ok().and_then(|slot| skin.bones.get(slot)).copied(),
            None => Some(key),
        };
        let group_vertex = |&vertex: &u32| GroupVertex { vertex, weights: self.weights(collection, vertex) };
        let split = |(topology, indices): &(Topology, Vec<u16>)| {
            let topology = *topology;
            split_primitive(topology, indices).map(move |chunk| (topology, chunk)).collect::<Vec<_>>()
        };
        let group = Group {
            palette: self.slots.iter().map(bone).collect(),
            vertices: self.vertices.iter().map(group_vertex).collect(),
            draws: self.draws.iter().flat_map(split).collect(),
        };
        (!group.draws.is_empty()).then_some(group)
    }

    /// Computes weights for a vertex. If this group lacks some of its matrices, the other weights grow to the same
    /// sum.
    fn weights(&self, collection: &Collection, vertex: u32) -> ArrayVec<f32, MATRICES> {
        let influences = collection.influences_of(vertex);
        let of = |key: u32| influences.iter().find(|influence| influence.key() == key);
        let mut weights: ArrayVec<f32, MATRICES> =
            self.slots.iter().take(MATRICES).map(|&key| of(key).map_or(0.0, |found| found.weight)).collect();
        if influences.iter().any(|influence| !self.slots.contains(&influence.key())) {
            let total: f32 = influences.iter().map(|influence| influence.weight).sum();
            let kept: f32 = weights.iter().sum();
            if kept != 0.0 {
                weights.iter_mut().for_each(|weight| *weight *= total / kept);
            }
        }
        weights
    }
}

/// Splits draws into points, lines and triangles, and adds each to the first open group with room.
fn split_into_primitives(run: &[Draw], collection: &Collection, skin: Option<&Skin>, out: &mut Groups) {
    let mut groups: Vec<GroupBuilder> = Vec::new();
    let mut add = |topology: Topology, corners: &[u32]| {
        let mut slots = slots_of(collection, corners.iter().copied());
        if slots.len() > MATRICES {
            slots = heaviest(collection, corners);
            out.reduced = out.reduced.saturating_add(1);
        }
        // Only the newest groups stay open, because searching all would take quadratic time.
        let recent = groups.len().saturating_sub(OPEN_GROUPS);
        let open = groups.iter().skip(recent).position(|group| group.has_room(&slots, corners));
        let number = open.map_or(groups.len(), |open| open.saturating_add(recent));
        if number == groups.len() {
            groups.push(GroupBuilder::default());
        }
        if let Some(group) = groups.get_mut(number) {
            group.add(topology, corners, slots);
        }
    };
    for draw in run {
        match draw.topology {
            Topology::Points => draw.corners.chunks_exact(1).for_each(|point| add(Topology::Points, point)),
            Topology::Lines => draw.corners.chunks_exact(2).for_each(|line| add(Topology::Lines, line)),
            Topology::LineStrip => draw.corners.windows(2).for_each(|line| add(Topology::Lines, line)),
            _ => {
                let whole = draw.triangles().filter(|&triangle| has_distinct_corners(triangle));
                whole.for_each(|triangle| add(Topology::Triangles, &triangle));
            }
        }
    }
    out.groups.extend(groups.into_iter().filter_map(|group| group.finish(collection, skin)));
}

/// Selects matrices for a primitive that needs too many: the heaviest at each corner, then the heaviest overall.
fn heaviest(collection: &Collection, corners: &[u32]) -> BTreeSet<u32> {
    let heavier = |a: &&Influence, b: &&Influence| a.weight.total_cmp(&b.weight);
    let mut chosen = BTreeSet::new();
    let mut all = Vec::new();
    for &corner in corners {
        let influences = collection.influences_of(corner);
        chosen.extend(influences.iter().max_by(heavier).map(Influence::key));
        all.extend(influences);
    }
    all.sort_by(|a, b| heavier(b, a));
    for influence in all {
        if chosen.len() < MATRICES {
            chosen.insert(influence.key());
        }
    }
    chosen
}

/// Splits a primitive's indices so that each part fits into a PRIM.
fn split_primitive(topology: Topology, indices: &[u16]) -> impl Iterator<Item = Vec<u16>> {
    let (step, overlap) = match topology {
        Topology::Points | Topology::Lines | Topology::Triangles => (INDICES_MAX, 0),
        Topology::LineStrip | Topology::TriangleFan => (INDICES_MAX, 1),
        // The step is even, so that each part starts with a triangle of regular winding.
        Topology::TriangleStrip => (INDICES_MAX, 2),
    };
    // Each part repeats this many indices, to go on where the previous part ended.
    let stride = step.saturating_sub(overlap);
    let count = match indices.len() {
        0 => 0,
        length => length.saturating_sub(overlap).div_ceil(stride).max(1),
    };
    (0..count).map(move |number| {
        let start = stride.saturating_mul(number);
        let chunk = indices.get(start..).unwrap_or_default();
        let chunk = chunk.get(..step).unwrap_or(chunk);
        match indices.first() {
            // All parts of a fan share its first corner.
            Some(&first) if topology == Topology::TriangleFan && number > 0 => {
                std::iter::once(first).chain(chunk.iter().copied()).collect()
            }
            _ => chunk.to_vec(),
        }
    })
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests;
