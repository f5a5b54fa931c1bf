//! Binary structures in a PMDL file, in either byte order. Source: [header](crate::reference::formats::pmdl#header),
//! [collections](crate::reference::formats::pmdl#collections), [skeleton](crate::reference::formats::pmdl#skeleton),
//! [actions](crate::reference::formats::pmdl#actions), [octree](crate::reference::formats::pmdl#octree).

use zerocopy::byteorder::{F32, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Every file starts with this.
pub(super) const MAGIC: [u8; 4] = *b"PMDL";
/// Marks little-endian files.
pub(super) const LITTLE: [u8; 4] = *b"_LIT";
/// Marks big-endian files.
pub(super) const BIG: [u8; 4] = *b"_BIG";

/// The header.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Header<O> {
    pub(super) magic: [u8; 4],
    pub(super) order: [u8; 4],
    pub(super) pointer_size: U32<O>,
    pub(super) sub_type: [u8; 4],
    pub(super) draw_format: [u8; 4],
    pub(super) min: [F32<O>; 3],
    pub(super) max: [F32<O>; 3],
    pub(super) collections: U32<O>,
    pub(super) collection_count: U32<O>,
    pub(super) shader_table: U32<O>,
    pub(super) bone_names: U32<O>,
    pub(super) pad: U32<O>,
}

/// A collection's header. Offsets count from the first header.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Collection<O> {
    pub(super) uv_layers: U16<O>,
    pub(super) weights: U16<O>,
    pub(super) vertices: U32<O>,
    pub(super) vertex_bytes: U32<O>,
    pub(super) elements: U32<O>,
    pub(super) element_bytes: U32<O>,
    pub(super) draw_index: U32<O>,
}

/// A mesh's header. Padding and room for a pointer follow.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Mesh<O> {
    pub(super) min: [F32<O>; 3],
    pub(super) max: [F32<O>; 3],
    pub(super) shader: I32<O>,
}

/// How a `__GX` rig record starts. Then follow as many [`Influence`]s as `influences` counts.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Rigged<O> {
    pub(super) influences: U32<O>,
    pub(super) identity: F32<O>,
}

/// A bone's weight in a rig record.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Influence<O> {
    pub(super) bone: U32<O>,
    pub(super) weight: F32<O>,
}

/// A bone. Its children's numbers follow.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Bone<O> {
    pub(super) name: U32<O>,
    pub(super) head: [F32<O>; 3],
    pub(super) parent: I32<O>,
    pub(super) children: U32<O>,
}

/// An action. Its tracks follow.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Action<O> {
    pub(super) tracks: U32<O>,
    pub(super) duration: F32<O>,
}

/// A key on a curve: time and value for the left handle, the key itself and the right handle.
pub(super) type Key<O> = [[F32<O>; 2]; 3];

const _: () = {
    type Any = zerocopy::LittleEndian;
    assert!(size_of::<Header<Any>>() == 0x40 && size_of::<Collection<Any>>() == 24, "file and collection");
    assert!(size_of::<Mesh<Any>>() == 28 && size_of::<Bone<Any>>() == 24, "mesh and bone");
    assert!(size_of::<Key<Any>>() == 24, "key");
};
