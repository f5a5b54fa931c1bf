//! Binary structures in an MSH model's streams. Source: [nodes](crate::reference::formats::parkan#nodes),
//! [bounds and slots](crate::reference::formats::parkan#bounds-and-slots),
//! [batches](crate::reference::formats::parkan#batches),
//! [other streams](crate::reference::formats::parkan#other-streams).

use zerocopy::little_endian::{F32, I16, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Stream types. Source: [streams](crate::reference::formats::parkan#streams).
pub(super) mod stream {
    pub(in crate::formats::parkan::msh) const NODES: u32 = 1;
    pub(in crate::formats::parkan::msh) const SLOTS: u32 = 2;
    pub(in crate::formats::parkan::msh) const POSITIONS: u32 = 3;
    pub(in crate::formats::parkan::msh) const NORMALS: u32 = 4;
    pub(in crate::formats::parkan::msh) const TEXCOORDS: u32 = 5;
    pub(in crate::formats::parkan::msh) const INDICES: u32 = 6;
    pub(in crate::formats::parkan::msh) const TRIANGLES: u32 = 7;
    pub(in crate::formats::parkan::msh) const KEYS: u32 = 8;
    pub(in crate::formats::parkan::msh) const NAMES: u32 = 10;
    pub(in crate::formats::parkan::msh) const BATCHES: u32 = 13;
    pub(in crate::formats::parkan::msh) const EXTRA: u32 = 15;
    pub(in crate::formats::parkan::msh) const COLORS: u32 = 18;
    pub(in crate::formats::parkan::msh) const FRAMES: u32 = 19;

    /// The streams that a model needs to be drawn.
    pub(in crate::formats::parkan::msh) const REQUIRED: [u32; 5] =
        [NODES, SLOTS, POSITIONS, INDICES, BATCHES];
}

/// Stands for no slot, neighbour or parent.
pub(super) const NONE: u16 = 0xFFFF;

/// A node.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Node {
    pub(super) flags: U16,
    pub(super) parent: U16,
    pub(super) map_start: U16,
    pub(super) fallback_key: U16,
    /// Slot numbers by level of detail, then by group.
    pub(super) slots: [[U16; GROUPS]; LEVELS],
}

/// A node has this many levels of detail.
pub(super) const LEVELS: usize = 3;
/// A level has this many groups.
pub(super) const GROUPS: usize = 5;

/// Bounds for the whole model, at the start of the slot stream.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Bounds {
    pub(super) hull: [[F32; 3]; 8],
    pub(super) sphere: [F32; 4],
    pub(super) capsule: [F32; 7],
}

/// A slot: batches for nodes to draw together.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Slot {
    pub(super) triangle_start: U16,
    pub(super) triangle_count: U16,
    pub(super) batch_start: U16,
    pub(super) batch_count: U16,
    pub(super) min: [F32; 3],
    pub(super) max: [F32; 3],
    pub(super) center: [F32; 3],
    pub(super) radius: F32,
    pub(super) opaque: [U32; 5],
}

/// A batch: triangles with a common material.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Batch {
    pub(super) flags: U16,
    pub(super) material: U16,
    pub(super) opaque4: U16,
    pub(super) opaque6: U16,
    pub(super) index_count: U16,
    pub(super) index_start: U32,
    pub(super) opaque14: U16,
    pub(super) base_vertex: U32,
}

/// Describes a triangle for collision tests.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Triangle {
    pub(super) flags: U16,
    pub(super) links: [U16; 3],
    pub(super) normal: [I16; 3],
    pub(super) edges: U16,
}

/// An animation key.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Key {
    pub(super) position: [F32; 3],
    pub(super) time: F32,
    /// A quaternion as x, y, z, w, each times 32767.
    pub(super) rotation: [I16; 4],
}
