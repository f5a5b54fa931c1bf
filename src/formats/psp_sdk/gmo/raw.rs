//! Constants in a GMO file.
//! Source: [GMO header](crate::reference::formats::psp_sdk#gmo-header), [GMO
//! tree](crate::reference::formats::psp_sdk#gmo-tree).

/// Every file starts with this.
pub(super) const MAGIC: [u8; 8] = *b"OMG.00.1";
/// Bytes before the first chunk.
pub(super) const HEADER: u64 = 16;

/// Block types.
pub(super) mod block {
    pub(in super::super) const FILE: u16 = 2;
    pub(in super::super) const MODEL: u16 = 3;
    pub(in super::super) const BONE: u16 = 4;
    pub(in super::super) const PART: u16 = 5;
    pub(in super::super) const MESH: u16 = 6;
    pub(in super::super) const ARRAYS: u16 = 7;
    pub(in super::super) const MATERIAL: u16 = 8;
    pub(in super::super) const LAYER: u16 = 9;
    pub(in super::super) const TEXTURE: u16 = 0xA;
    pub(in super::super) const MOTION: u16 = 0xB;
    pub(in super::super) const CURVE: u16 = 0xC;
    pub(in super::super) const BLIND: u16 = 0xF;
}

/// Command numbers, without the bit to mark a command.
pub(super) mod command {
    pub(in super::super) const FILE_NAME: u16 = 0x12;
    pub(in super::super) const FILE_IMAGE: u16 = 0x13;
    pub(in super::super) const BOUNDING_BOX: u16 = 0x14;
    pub(in super::super) const VERTEX_OFFSET: u16 = 0x15;
    pub(in super::super) const BOUNDING_POINTS: u16 = 0x16;
    pub(in super::super) const PARENT_BONE: u16 = 0x41;
    pub(in super::super) const VISIBILITY: u16 = 0x42;
    pub(in super::super) const MORPH_WEIGHTS: u16 = 0x43;
    pub(in super::super) const BLEND_BONES: u16 = 0x44;
    pub(in super::super) const BLEND_OFFSETS: u16 = 0x45;
    pub(in super::super) const PIVOT: u16 = 0x46;
    pub(in super::super) const MATRIX: u16 = 0x47;
    pub(in super::super) const TRANSLATE: u16 = 0x48;
    pub(in super::super) const ROTATE_ZYX: u16 = 0x49;
    pub(in super::super) const ROTATE_YXZ: u16 = 0x4A;
    pub(in super::super) const ROTATE_Q: u16 = 0x4B;
    pub(in super::super) const SCALE: u16 = 0x4C;
    pub(in super::super) const SCALE2: u16 = 0x4D;
    pub(in super::super) const DRAW_PART: u16 = 0x4E;
    pub(in super::super) const MORPH_INDEX: u16 = 0x4F;
    pub(in super::super) const SCALE3: u16 = 0xE1;
    pub(in super::super) const GROUP: u16 = 0xE2;
    pub(in super::super) const SET_MATERIAL: u16 = 0x61;
    pub(in super::super) const BLEND_SUBSET: u16 = 0x62;
    pub(in super::super) const SUBDIVISION: u16 = 0x63;
    pub(in super::super) const DRAW_ARRAYS: u16 = 0x66;
    pub(in super::super) const DRAW_SPLINE: u16 = 0x68;
    pub(in super::super) const DRAW_RECT_MESH: u16 = 0x69;
    pub(in super::super) const DRAW_RECT_PATCH: u16 = 0x6A;
    pub(in super::super) const RENDER_STATE: u16 = 0x81;
    pub(in super::super) const DIFFUSE: u16 = 0x82;
    pub(in super::super) const SPECULAR: u16 = 0x83;
    pub(in super::super) const EMISSION: u16 = 0x84;
    pub(in super::super) const AMBIENT: u16 = 0x85;
    pub(in super::super) const REFLECTION: u16 = 0x86;
    pub(in super::super) const REFRACTION: u16 = 0x87;
    pub(in super::super) const BUMP: u16 = 0x88;
    pub(in super::super) const SET_TEXTURE: u16 = 0x91;
    pub(in super::super) const MAP_TYPE: u16 = 0x92;
    pub(in super::super) const MAP_FACTOR: u16 = 0x93;
    pub(in super::super) const BLEND_FUNC: u16 = 0x94;
    pub(in super::super) const TEX_FUNC: u16 = 0x95;
    pub(in super::super) const TEX_FILTER: u16 = 0x96;
    pub(in super::super) const TEX_WRAP: u16 = 0x97;
    pub(in super::super) const TEX_CROP: u16 = 0x98;
    pub(in super::super) const TEX_GEN: u16 = 0x99;
    pub(in super::super) const TEX_MATRIX: u16 = 0x9A;
    pub(in super::super) const FRAME_LOOP: u16 = 0xB1;
    pub(in super::super) const FRAME_RATE: u16 = 0xB2;
    pub(in super::super) const ANIMATE: u16 = 0xB3;
    pub(in super::super) const FRAME_REPEAT: u16 = 0xB4;
    pub(in super::super) const BLIND_DATA: u16 = 0xF1;
    pub(in super::super) const FILE_INFO: u16 = 0xFF;
}
