//! A model's structures as stored in the file.

use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Magic to recognise a model by. Monster Hunter's format spells it in lower case.
pub(in crate::formats) const MAGIC: [u8; 4] = *b"PMO\0";

/// The [header](crate::reference::formats::bbs#pmo-header).
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(in crate::formats::bbs) struct Header {
    pub(in crate::formats::bbs) magic: [u8; 4],
    pub(in crate::formats::bbs) number: u8,
    pub(in crate::formats::bbs) group: u8,
    pub(in crate::formats::bbs) version: u8,
    pub(in crate::formats::bbs) padding_7: u8,
    pub(in crate::formats::bbs) textures: u8,
    pub(in crate::formats::bbs) padding_9: u8,
    pub(in crate::formats::bbs) flag: U16,
    pub(in crate::formats::bbs) skeleton: U32,
    pub(in crate::formats::bbs) first_list: U32,
    pub(in crate::formats::bbs) triangles: U16,
    pub(in crate::formats::bbs) vertices: U16,
    pub(in crate::formats::bbs) scale: F32,
    pub(in crate::formats::bbs) second_list: U32,
    /// Corners of the bounding box: x, y, z, w.
    pub(in crate::formats::bbs) corners: [[F32; 4]; 8],
}

/// An entry in a model's or map's [texture table](crate::reference::formats::bbs#texture-table).
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(in crate::formats::bbs) struct Texture {
    /// Offset to the TIM2 in the file; 0 for a texture in another file.
    pub(in crate::formats::bbs) offset: U32,
    pub(in crate::formats::bbs) name: [u8; 12],
    pub(in crate::formats::bbs) scroll: [F32; 2],
    pub(in crate::formats::bbs) padding: [U32; 2],
}

/// Header for a [section](crate::reference::formats::bbs#sections) in a mesh list.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Section {
    pub(super) vertices: U16,
    pub(super) texture: u8,
    pub(super) vertex_size: u8,
    pub(super) flags: U32,
    pub(super) group: u8,
    pub(super) strips: u8,
    pub(super) attribute: U16,
}

const _: () = {
    assert!(size_of::<Header>() == 0xA0, "the header");
    assert!(size_of::<Texture>() == 0x20 && size_of::<Section>() == 0x0C, "texture and section");
};
