//! Writes GMO models.
//!
//! Source: [GMO](pspge::reference::formats::psp_sdk#gmo-header).

use crate::bytes::{pad, put_f32, put_u16, put_u32};

/// The types of blocks.
pub(crate) const BONE: usize = 4;
pub(crate) const PART: usize = 5;
pub(crate) const MESH: usize = 6;
pub(crate) const ARRAYS: usize = 7;
pub(crate) const MATERIAL: usize = 8;
pub(crate) const LAYER: usize = 9;
pub(crate) const TEXTURE: usize = 0xA;
pub(crate) const MOTION: usize = 0xB;
pub(crate) const CURVE: usize = 0xC;

/// An argument for a command.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Word(usize),
    Float(f64),
    /// A reference to a block, by type and number.
    To(usize, usize),
}

/// Builds a file with a model.
pub(crate) fn file(name: &str, chunks: &[Vec<u8>]) -> Vec<u8> {
    let info = command_with(0xFF, &[], b"pspge\0samples\0");
    let model = block(3, name, chunks);
    let mut out = b"OMG.00.1PSP\0\0\0\0\0".to_vec();
    out.extend(block(2, "", &[model, info]));
    out
}

/// Builds a block from other chunks.
pub(crate) fn block(kind: usize, name: &str, children: &[Vec<u8>]) -> Vec<u8> {
    chunk(kind, name, &[], &[], children)
}

fn chunk(kind: usize, name: &str, args: &[usize], data: &[u8], children: &[Vec<u8>]) -> Vec<u8> {
    let mut name = name.as_bytes().to_vec();
    pad(&mut name, 4);
    let mut data = data.to_vec();
    pad(&mut data, 4);
    let data_at = 16 + name.len() + 4 * args.len();
    let child_at = data_at + data.len();
    let mut out = Vec::new();
    put_u16(&mut out, kind);
    put_u16(&mut out, 16 + name.len());
    for offset in [child_at + children.iter().map(Vec::len).sum::<usize>(), child_at, data_at] {
        put_u32(&mut out, offset);
    }
    out.extend(name);
    args.iter().for_each(|arg| put_u32(&mut out, *arg));
    out.extend(data);
    out.extend(children.concat());
    out
}

/// Builds a command from arguments.
pub(crate) fn command(kind: usize, args: &[Arg]) -> Vec<u8> {
    command_with(kind, args, &[])
}

/// Builds a command from floats.
pub(crate) fn floats(kind: usize, values: &[f64]) -> Vec<u8> {
    command(kind, &values.iter().map(|value| Arg::Float(*value)).collect::<Vec<_>>())
}

/// Builds a command from arguments and bytes.
pub(crate) fn command_with(kind: usize, args: &[Arg], bytes: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    for arg in args {
        match *arg {
            Arg::Word(word) => put_u32(&mut data, word),
            Arg::Float(value) => put_f32(&mut data, value),
            Arg::To(kind, number) => put_u32(&mut data, kind << 16 | 1 << 12 | number),
        }
    }
    data.extend_from_slice(bytes);
    pad(&mut data, 4);
    let mut out = Vec::new();
    put_u16(&mut out, kind | 0x8000);
    put_u16(&mut out, 0);
    put_u32(&mut out, 8 + data.len());
    out.extend(data);
    out
}

/// Builds vertices, for a layout with this VTYPE.
pub(crate) fn arrays(vertex_type: usize, count: usize, bytes: &[u8]) -> Vec<u8> {
    let morphs = (vertex_type >> 18 & 7) + 1;
    let stride = bytes.len() / (count * morphs).max(1);
    chunk(ARRAYS, "arrays", &[stride << 24 | vertex_type, count, morphs, 0], bytes, &[])
}

/// Builds a draw from the first arrays: mode, vertices in each primitive, primitives, and indices.
pub(crate) fn draw(mode: usize, vertices: usize, count: usize, indices: &[usize]) -> Vec<u8> {
    let mut bytes = Vec::new();
    indices.iter().for_each(|index| put_u16(&mut bytes, *index));
    command_with(0x66, &[Arg::To(ARRAYS, 0), Arg::Word(mode), Arg::Word(vertices), Arg::Word(count)], &bytes)
}

/// Builds a curve with these keys; each has a time, and values with their handles.
pub(crate) fn curve(format: usize, dimensions: usize, keys: &[Vec<f64>]) -> Vec<u8> {
    let mut data = Vec::new();
    for value in keys.iter().flatten() {
        if format & 0x80 == 0 {
            put_f32(&mut data, *value);
        } else {
            put_u16(&mut data, half(*value));
        }
    }
    chunk(CURVE, "curve", &[format, dimensions, keys.len(), 0], &data, &[])
}

/// Converts to a half float, and cuts the fraction. Small values become 0.
fn half(value: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is the purpose")]
    let bits = (value as f32).to_bits();
    let exponent = (bits >> 23 & 0xFF).saturating_sub(112);
    let number = if exponent == 0 { 0 } else { exponent << 10 | bits >> 13 & 0x3FF };
    (bits >> 16 & 0x8000 | number) as usize
}
