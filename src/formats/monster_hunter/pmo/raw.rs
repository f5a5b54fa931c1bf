//! A PMO's data structures, byte for byte.
//! Source: [PMO header](crate::reference::formats::pmo#pmo-header) and the sections after it.

use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Magic to recognise a PMO.
pub(in crate::formats) const MAGIC: [u8; 4] = *b"pmo\0";

/// The file header.
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 4],
    pub(super) version: [u8; 4],
    pub(super) file_size: U32,
    pub(super) clipping_distance: F32,
    pub(super) scale: [F32; 3],
    pub(super) mesh_count: U16,
    pub(super) material_count: U16,
    pub(super) mesh_headers: U32,
    pub(super) group_headers: U32,
    pub(super) material_remap: U32,
    pub(super) bone_data: U32,
    pub(super) materials: U32,
    pub(super) mesh_data: U32,
}

/// The last part, common to both mesh headers.
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct MeshCounts {
    pub(super) flags: U32,
    pub(super) blend_word: U32,
    pub(super) materials: u8,
    pub(super) unused: u8,
    pub(super) first_material: U16,
    pub(super) groups: U16,
    pub(super) first_group: U16,
}

/// Mesh header in version `1.0`.
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Mesh10 {
    pub(super) uv_scale: [F32; 2],
    pub(super) counts: MeshCounts,
}

/// Mesh header in version `102`.
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Mesh102 {
    pub(super) scale: [F32; 3],
    pub(super) scale_w: F32,
    pub(super) uv_scale: [F32; 2],
    pub(super) uv_offset: [F32; 2],
    pub(super) counts: MeshCounts,
}

/// Header for a group of primitives ("tristrip").
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Group {
    pub(super) material: u8,
    pub(super) bones: u8,
    pub(super) first_bone: U16,
    pub(super) list: U32,
    pub(super) vertices: U32,
    pub(super) indices: U32,
}

/// An entry in the bone data: a matrix slot and a bone.
pub(super) type BoneEntry = [u8; 2];

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Material {
    pub(super) diffuse: [u8; 4],
    pub(super) ambient: [u8; 4],
    pub(super) texture: u8,
    pub(super) unused: [u8; 7],
}

const _: () = {
    assert!(size_of::<Header>() == 0x38, "the header's used part");
    assert!(size_of::<Mesh10>() == 0x18 && size_of::<Mesh102>() == 0x30, "mesh headers");
    assert!(size_of::<Group>() == 0x10 && size_of::<Material>() == 0x10, "group and material");
};
