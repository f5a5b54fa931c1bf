//! Writes archives for Mega Man Legends 2: sections, compression, submeshes.
//!
//! Source: [BIN archive](pspge::reference::formats::mml2#bin-archive), [LZ
//! compression](pspge::reference::formats::mml2#lz-compression),
//! [submeshes](pspge::reference::formats::mml2#submeshes).

use crate::bytes::{put_u16, put_u32};

/// Sections are aligned to this many bytes.
const SECTOR: usize = 0x800;
/// How many output bytes the window holds, and the step to move it by.
const WINDOW: usize = 0x2000;

/// Encodes a section's header and payload, padded to whole sectors. `rest` holds the header fields from 0x10
/// on.
pub(crate) fn section(kind: usize, address: usize, rest: &[u16], size: usize, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [kind, size, (0x30 + payload.len()).div_ceil(SECTOR), address] {
        put_u32(&mut bytes, word);
    }
    bytes.extend(rest.iter().flat_map(|half| half.to_le_bytes()));
    bytes.resize(0x30, 0);
    bytes.extend(payload);
    bytes.resize(bytes.len().next_multiple_of(SECTOR), 0);
    bytes
}

/// Encodes a section with a compressed payload. The flags' size goes to word `flags_at` in [`section`]'s `rest`.
pub(crate) fn packed_section(
    kind: usize,
    address: usize,
    rest: &[u16],
    flags_at: usize,
    payload: &[u8],
) -> Vec<u8> {
    let (flags, tokens) = pack(payload);
    let mut rest = rest.to_vec();
    rest.resize(16, 0);
    rest[flags_at] = u16::try_from(flags.len()).unwrap_or(u16::MAX);
    section(kind, address, &rest, payload.len(), &[flags, tokens].concat())
}

/// Compresses data to flags and tokens. A copy from the window replaces bytes only if it is at least four bytes long;
/// this takes the longest.
fn pack(data: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut bits = Vec::new();
    let mut tokens = Vec::new();
    let mut token = |is_copy: bool, token: usize| {
        bits.push(is_copy);
        put_u16(&mut tokens, token);
    };
    let (mut at, mut base) = (0, 0);
    while at < data.len() {
        while base + WINDOW < at {
            token(true, 0xFFFF);
            base += WINDOW;
        }
        let match_at = |from: usize| {
            let same = data[from..].iter().zip(&data[at..]).take_while(|(one, other)| one == other).count();
            same.min(18) / 2 * 2
        };
        let best = (base..at.min(base + WINDOW)).map(|from| (match_at(from), from)).max();
        match best {
            // A token with all bits set would move the window, so it must not be a copy.
            Some((length, from)) if length >= 4 && ((from - base) << 3 | (length / 2 - 2)) != 0xFFFF => {
                token(true, (from - base) << 3 | (length / 2 - 2));
                at += length;
            }
            _ => {
                token(false, usize::from(u16::from_le_bytes([data[at], data[at + 1]])));
                at += 2;
            }
        }
    }
    let flags = bits.chunks(32).flat_map(|bits| {
        let word =
            bits.iter().zip((0..32).rev()).fold(0u32, |word, (bit, place)| word | u32::from(*bit) << place);
        word.to_le_bytes()
    });
    (flags.collect(), tokens)
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    /// Exponent for the positions' factor.
    pub(crate) scale: i8,
    pub(crate) vertices: Vec<[i16; 3]>,
    /// Red, green, blue and a weld code per vertex.
    pub(crate) shades: Vec<[u8; 4]>,
    pub(crate) triangles: Vec<Face>,
    pub(crate) quads: Vec<Face>,
}

/// A face, with the corners in the file's order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) corners: [usize; 4],
    pub(crate) uv: [[u8; 2]; 4],
    pub(crate) material: usize,
    pub(crate) flags: usize,
}

/// Appends meshes: their table, faces and vertices. Returns the table's offset.
pub(crate) fn put_meshes(out: &mut Vec<u8>, meshes: &[Mesh]) -> usize {
    let table = out.len();
    let mut at = table + meshes.len() * 0x10;
    let mut data = Vec::new();
    for mesh in meshes {
        let counts = [mesh.triangles.len(), mesh.quads.len(), mesh.vertices.len()];
        out.extend(counts.map(|count| u8::try_from(count).unwrap_or(u8::MAX)));
        out.extend(mesh.scale.to_le_bytes());
        for count in [mesh.triangles.len() * 12, mesh.quads.len() * 12, mesh.vertices.len() * 4] {
            put_u32(out, at);
            at += count;
        }
        for face in mesh.triangles.iter().chain(&mesh.quads) {
            data.extend(face.uv.as_flattened());
            let [a, b, c, d] = face.corners;
            put_u32(&mut data, a | b << 7 | c << 14 | d << 21 | face.material << 28 | face.flags << 30);
        }
        for vertex in &mesh.vertices {
            put_u32(&mut data, packed_vector(*vertex, 0));
        }
    }
    out.extend(data);
    table
}

/// Appends the meshes' shading table and returns its offset.
pub(crate) fn put_shades(out: &mut Vec<u8>, meshes: &[Mesh]) -> usize {
    let at = out.len();
    out.extend(meshes.iter().flat_map(|mesh| mesh.shades.as_flattened()));
    at
}

/// Packs three signed 10-bit fields and their shift.
pub(crate) fn packed_vector(values: [i16; 3], shift: usize) -> usize {
    let field = |value: i16| usize::from(value.cast_unsigned() & 0x3FF);
    let [x, y, z] = values.map(field);
    x | y << 10 | z << 20 | shift << 30
}
