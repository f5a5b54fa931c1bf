//! Binary structures in an archive and its sections. Source: [Mega Man Legends 2](crate::reference::formats::mml2).

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Words per row in video memory.
pub(super) const VIDEO_WIDTH: u32 = 1024;
/// Rows in video memory.
pub(super) const VIDEO_HEIGHT: u32 = 512;
/// Sections start at multiples of this many bytes.
pub(super) const SECTOR: u64 = 0x800;
/// How many bytes a section header has. The payload follows.
pub(super) const HEADER: u64 = 0x30;
/// Where an uncompressed image starts in the payload: a sector after the section's start.
pub(super) const IMAGE_START: u64 = SECTOR - HEADER;
/// Means "no clip" instead of a pointer.
pub(super) const NO_CLIP: u32 = 0x8455;
/// Pointers in players and weapons count from this address.
pub(super) const PLAYER_BASE: u32 = 0x8011_0800;

/// A section's header.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Section {
    pub(super) kind: U32,
    pub(super) size: U32,
    pub(super) sectors: U32,
    /// Load address, or a palette's position.
    pub(super) address: U32,
    pub(super) rest: [U16; 16],
}

/// An image section's header, from offset 0xC.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Tim {
    pub(super) palette: [U16; 2],
    pub(super) colors: U16,
    pub(super) palettes: U16,
    pub(super) image: [U16; 2],
    pub(super) width: U16,
    pub(super) height: U16,
    pub(super) unknown: [U16; 4],
    pub(super) flags: U16,
    pub(super) group: U16,
    pub(super) unknown_too: [U16; 4],
}

/// An entry in the list of entities.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) kind: U32,
    pub(super) model: U32,
    pub(super) tracks: U32,
    pub(super) control: U32,
}

/// The header of an entity's model.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Model {
    pub(super) meshes: [u8; 3],
    pub(super) mode: u8,
    pub(super) tables: [U32; 3],
    pub(super) skeleton: U32,
    pub(super) hierarchy: U32,
    pub(super) materials: U32,
    pub(super) collision: U32,
    pub(super) colors: [U32; 3],
    pub(super) distances: [U16; 2],
    pub(super) scale: [U16; 3],
    pub(super) zero: U16,
    pub(super) face_steps: [u8; 4],
}

/// A submesh's header. In players' strips two pointers follow.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Mesh {
    pub(super) triangles: u8,
    pub(super) quads: u8,
    pub(super) vertices: u8,
    pub(super) scale: i8,
    pub(super) triangle_data: U32,
    pub(super) quad_data: U32,
    pub(super) vertex_data: U32,
}

/// A strip in a player model.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Strip {
    pub(super) mesh: Mesh,
    /// The colours in use, and the colours to reset them from.
    pub(super) colors: [U32; 2],
}

/// A triangle or quad.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Face {
    pub(super) uv: [[u8; 2]; 4],
    /// Four indices with 7 bits each, then 2 bits for the material and 2 bits for flags.
    pub(super) word: U32,
}

/// Attaches a submesh to a bone.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Link {
    pub(super) mesh: u8,
    pub(super) parent: u8,
    pub(super) bone: u8,
    pub(super) flags: u8,
}

/// A colour and a weld code.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct ColorWeld {
    pub(super) rgb: [u8; 3],
    pub(super) weld: u8,
}

/// A clip's header.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Clip {
    pub(super) set: u8,
    pub(super) frames: u8,
    pub(super) zero: U16,
}

/// A frame in a clip.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Frame {
    pub(super) pose: u8,
    pub(super) ticks: u8,
    pub(super) event: u8,
    pub(super) code: u8,
}

/// Returns signed 10-bit field 0, 1 or 2 from a word.
pub(super) fn field(word: u32, number: u32) -> i16 {
    let shifted = word.wrapping_shr(number.wrapping_mul(10)) & 0x3FF;
    // This shifts the sign bit up to bit 15, then back arithmetically.
    let [low, high, ..] = shifted.wrapping_shl(6).to_le_bytes();
    i16::from_le_bytes([low, high]) >> 6
}

const _: () = {
    assert!(size_of::<Section>() as u64 == HEADER, "section header");
    assert!(size_of::<Tim>() as u64 == HEADER - 0xC, "image header");
    assert!(size_of::<Model>() == 0x3C && size_of::<Mesh>() == 0x10, "model and submesh");
    assert!(size_of::<Strip>() == 0x18 && size_of::<Face>() == 12, "strip and face");
};
