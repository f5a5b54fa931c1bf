//! Writes PMO models: header, texture table, mesh lists, skeleton.
//!
//! Source: [PMO header](pspge::reference::formats::bbs#pmo-header) and the sections after it.

use super::bon::{self, Bone};
use crate::bytes::{pad, put_f32, put_u16, put_u32};
use crate::modelling::maths::{Vec3, round};

/// A vertex before it is packed.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) position: Vec3,
    pub(crate) texcoord: [f64; 2],
    pub(crate) color: [u8; 4],
    /// Weights for the section's bones, in their order.
    pub(crate) weights: Vec<f64>,
}

/// Component formats, as in VTYPE.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ComponentFormats {
    pub(crate) texcoord: usize,
    pub(crate) color: usize,
    pub(crate) position: usize,
    pub(crate) weight: usize,
}

/// The vertices, by the primitives they form.
#[derive(Clone, Debug)]
pub(crate) enum Primitives {
    /// Strips, with a table for their lengths.
    Strips(Vec<Vec<Vertex>>),
    /// A single strip, without a table.
    Strip(Vec<Vertex>),
    /// Separate triangles.
    Triangles(Vec<Vertex>),
}

/// A section in a mesh list.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The mesh list: 0, or 1 for the second pass.
    pub(crate) list: usize,
    pub(crate) texture: u8,
    pub(crate) group: u8,
    pub(crate) attribute: usize,
    pub(crate) color: Option<[u8; 4]>,
    pub(crate) formats: ComponentFormats,
    /// Bones for the weights, or a rigid section's only bone.
    pub(crate) bones: Vec<u8>,
    pub(crate) shape: Primitives,
}

/// A texture: its name, its scroll speed and its file.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    pub(crate) name: &'static str,
    pub(crate) scroll: [f64; 2],
    pub(crate) file: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) sections: Vec<Section>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) bones: Vec<Bone>,
    pub(crate) scale: f64,
}

const HEADER: usize = 0xA0;
const TEXTURE_ENTRY: usize = 0x20;

impl Model {
    /// Encodes the file without textures, with 0 for texture offsets.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut file = vec![0; HEADER];
        for texture in &self.textures {
            put_u32(&mut file, 0);
            let end = file.len() + 12;
            file.extend(texture.name.as_bytes());
            file.resize(end, 0);
            texture.scroll.iter().for_each(|&speed| put_f32(&mut file, speed));
            file.extend([0; 8]);
        }
        let mut lists = [0; 2];
        for (number, start) in lists.iter_mut().enumerate() {
            let sections: Vec<_> = self.sections.iter().filter(|section| section.list == number).collect();
            if sections.is_empty() {
                continue;
            }
            pad(&mut file, 16);
            *start = file.len();
            for section in sections {
                section.write(&mut file, self.scale, !self.bones.is_empty());
                pad(&mut file, 4);
            }
            file.extend([0; 16]);
        }
        pad(&mut file, 16);
        let skeleton = if self.bones.is_empty() { 0 } else { file.len() };
        if skeleton > 0 {
            file.extend(bon::write(&self.bones));
        }
        file.splice(0..HEADER, self.header(skeleton, lists));
        file
    }

    /// Sets the offset for texture `number` in a model that starts at `base` in `file`.
    pub(crate) fn set_texture(file: &mut [u8], base: usize, number: usize, offset: usize) {
        let mut word = Vec::new();
        put_u32(&mut word, offset);
        let at = base + HEADER + number * TEXTURE_ENTRY;
        file[at..at + 4].copy_from_slice(&word);
    }

    fn header(&self, skeleton: usize, [first, second]: [usize; 2]) -> Vec<u8> {
        let mut out = b"PMO\0\x01\x01\x03\0".to_vec();
        put_u16(&mut out, self.textures.len());
        put_u16(&mut out, 0x0800);
        put_u32(&mut out, skeleton);
        put_u32(&mut out, first);
        put_u16(&mut out, self.sections.iter().map(Section::triangles).sum());
        put_u16(&mut out, self.sections.iter().map(|section| section.vertices().count()).sum());
        put_f32(&mut out, self.scale);
        put_u32(&mut out, second);
        let positions = || self.sections.iter().flat_map(Section::vertices).map(|vertex| vertex.position);
        let extreme = |pick: fn(f64, f64) -> f64, start: f64| {
            let all = |part: fn(Vec3) -> f64| positions().map(part).fold(start, pick);
            [all(|p| p.x), all(|p| p.y), all(|p| p.z)]
        };
        let (low, high) = (extreme(f64::min, f64::INFINITY), extreme(f64::max, f64::NEG_INFINITY));
        for corner in 0..8 {
            // x varies fastest, then z, then y.
            for (axis, bit) in [(0, 0), (1, 2), (2, 1)] {
                put_f32(&mut out, if corner >> bit & 1 == 0 { low[axis] } else { high[axis] });
            }
            put_f32(&mut out, 1.0);
        }
        out
    }
}

impl Section {
    fn strips(&self) -> &[Vec<Vertex>] {
        match &self.shape {
            Primitives::Strips(strips) => strips,
            Primitives::Strip(vertices) | Primitives::Triangles(vertices) => std::slice::from_ref(vertices),
        }
    }

    fn vertices(&self) -> impl Iterator<Item = &Vertex> {
        self.strips().iter().flatten()
    }

    fn triangles(&self) -> usize {
        match &self.shape {
            Primitives::Triangles(vertices) => vertices.len() / 3,
            _ => self.strips().iter().map(|strip| strip.len() - 2).sum(),
        }
    }

    fn write(&self, out: &mut Vec<u8>, scale: f64, has_bones: bool) {
        const UNIFORM: usize = 1 << 24;
        const RIGID: usize = 1 << 25;
        let ComponentFormats { texcoord, color, position, weight } = self.formats;
        let mut flags = texcoord | color << 2 | position << 7 | weight << 9;
        if weight > 0 {
            flags |= (self.bones.len() - 1) << 14;
        } else {
            flags |= RIGID;
        }
        if self.color.is_some() {
            flags |= UNIFORM;
        }
        flags |= if matches!(self.shape, Primitives::Triangles(_)) { 3 } else { 4 } << 28;
        let mut vertices = Vec::new();
        for vertex in self.vertices() {
            self.write_vertex(&mut vertices, vertex, scale);
        }
        let count = self.vertices().count();
        put_u16(out, count);
        out.extend([self.texture, u8::try_from(vertices.len() / count).unwrap_or(0)]);
        put_u32(out, flags);
        let table = if let Primitives::Strips(strips) = &self.shape { strips.as_slice() } else { &[] };
        out.extend([self.group, u8::try_from(table.len()).unwrap_or(0)]);
        put_u16(out, self.attribute);
        if has_bones {
            let mut bones = self.bones.clone();
            bones.resize(8, 0xFF);
            out.extend(bones);
        }
        out.extend(self.color.into_iter().flatten());
        table.iter().for_each(|strip| put_u16(out, strip.len()));
        out.extend(vertices);
    }

    fn write_vertex(&self, out: &mut Vec<u8>, vertex: &Vertex, scale: f64) {
        let start = out.len();
        let ComponentFormats { texcoord, color, position, weight } = self.formats;
        let align = |out: &mut Vec<u8>, size: usize| {
            out.resize(start + (out.len() - start).next_multiple_of(size), 0);
        };
        let size = |format: usize| [1, 1, 2, 4][format];
        let color_size = [1, 1, 1, 1, 2, 2, 2, 4][color];
        if weight > 0 {
            write_weights(out, &vertex.weights, weight);
        }
        if texcoord > 0 {
            align(out, size(texcoord));
            vertex.texcoord.iter().for_each(|&value| put_unsigned(out, value, texcoord));
        }
        let [red, green, blue, alpha] = vertex.color.map(usize::from);
        align(out, color_size);
        match color {
            4 => put_u16(out, red >> 3 | green >> 2 << 5 | blue >> 3 << 11),
            5 => put_u16(out, red >> 3 | green >> 3 << 5 | blue >> 3 << 10 | alpha >> 7 << 15),
            6 => put_u16(out, red >> 4 | green >> 4 << 4 | blue >> 4 << 8 | alpha >> 4 << 12),
            7 => out.extend(vertex.color),
            _ => {}
        }
        align(out, size(position));
        let Vec3 { x, y, z } = vertex.position * (1.0 / scale);
        [x, y, z].iter().for_each(|&value| put_signed(out, value, position));
        let largest = [size(texcoord), size(position), size(weight), color_size].into_iter().max();
        align(out, largest.unwrap_or(1));
    }
}

/// Writes weights that add up to exactly 1.
fn write_weights(out: &mut Vec<u8>, weights: &[f64], format: usize) {
    let whole = if format == 1 { 128 } else { 32768 };
    let mut left = whole;
    for (number, &weight) in weights.iter().enumerate() {
        let is_last = number + 1 == weights.len();
        let steps = if is_last { left } else { round(weight * f64::from(whole)).min(left) };
        left -= steps;
        put_unsigned(out, f64::from(steps) / f64::from(whole), format);
    }
}

fn put_unsigned(out: &mut Vec<u8>, value: f64, format: usize) {
    match format {
        1 => out.push(u8::try_from(round(value * 128.0).max(0)).unwrap_or(u8::MAX)),
        2 => out.extend(u16::try_from(round(value * 32768.0).max(0)).unwrap_or(u16::MAX).to_le_bytes()),
        _ => put_f32(out, value),
    }
}

fn put_signed(out: &mut Vec<u8>, value: f64, format: usize) {
    match format {
        1 => out.extend(i8::try_from(round(value * 128.0)).unwrap_or(i8::MAX).to_le_bytes()),
        2 => out.extend(i16::try_from(round(value * 32768.0)).unwrap_or(i16::MAX).to_le_bytes()),
        _ => put_f32(out, value),
    }
}

/// Encodes the file, followed by all textures except `without`.
pub(crate) fn write(model: &Model, without: Option<&str>) -> Vec<u8> {
    let mut file = model.bytes();
    for (number, texture) in model.textures.iter().enumerate() {
        if Some(texture.name) == without {
            continue;
        }
        pad(&mut file, 16);
        let offset = file.len();
        Model::set_texture(&mut file, 0, number, offset);
        file.extend(&texture.file);
    }
    file
}
