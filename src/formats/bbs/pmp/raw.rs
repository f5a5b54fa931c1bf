//! A [map's](crate::reference::formats::bbs#pmp-map) structures as stored in the file.

use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Magic to recognise a map by.
pub(in crate::formats) const MAGIC: [u8; 4] = *b"PMP\0";

/// The map's header.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 4],
    pub(super) version: U16,
    pub(super) padding_6: [u8; 9],
    pub(super) flag: u8,
    pub(super) instances: U16,
    pub(super) models: U16,
    pub(super) padding_14: U32,
    pub(super) padding_18: U16,
    pub(super) textures: U16,
    pub(super) texture_table: U32,
}

/// Places a model in this map.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Instance {
    pub(super) position: [F32; 3],
    pub(super) rotation: [F32; 3],
    pub(super) scale: [F32; 3],
    /// Offset to its model in the file; 0 for an empty instance.
    pub(super) model: U32,
    pub(super) unknown_28: U32,
    pub(super) flags: U16,
    pub(super) id: U16,
}

const _: () = {
    assert!(size_of::<Header>() == 0x20 && size_of::<Instance>() == 0x30, "header and instance");
};
