//! Vertices as a group stores them, and in the model's units.

use crate::formats::core::geometry::NewVertex;
use crate::ge::registers::texture::PixelFormat;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, VertexType};
use crate::ge::vertex_layout::VertexLayout;
use crate::model::matrix::single;
use crate::model::storage::ColorStorage;

/// The bone for each weight.
pub(super) type Palette = [Option<u8>; 8];

/// A mesh's multipliers, as the Graphics Engine gets them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    pub(super) scale: [f32; 3],
    pub(super) uv_scale: [f32; 2],
    pub(super) uv_offset: [f32; 2],
}

/// Where a vertex's elements are in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) vtype: VertexType,
    texcoord: usize,
    color: usize,
    normal: usize,
    position: usize,
    /// How many bytes a vertex takes.
    pub(super) size: usize,
}

impl Layout {
    pub(super) fn of(vtype: VertexType) -> Self {
        let layout = VertexLayout::new(vtype);
        Self {
            vtype,
            texcoord: layout.texcoord() as usize,
            color: layout.color() as usize,
            normal: layout.normal() as usize,
            position: layout.position() as usize,
            size: layout.frame_bytes() as usize,
        }
    }

    /// Returns the stored weights.
    pub(super) fn weights(&self, bytes: &[u8]) -> Vec<f64> {
        (0..self.vtype.weights()).map(|number| unsigned(self.vtype.weight, bytes, 0, number)).collect()
    }

    pub(super) fn set_weights(&self, bytes: &mut [u8], weights: &[f64]) {
        for (number, weight) in weights.iter().enumerate() {
            set(self.vtype.weight, bytes, 0, number, weight * one(self.vtype.weight), 0.0, 65535.0);
        }
    }

    /// Returns a position, before bones move it.
    pub(super) fn position(&self, bytes: &[u8], scale: [f32; 3]) -> [f64; 3] {
        let raw = |axis: usize| signed(self.vtype.position, bytes, self.position, axis);
        [0, 1, 2].map(|axis: usize| raw(axis) * f64::from(scale[axis]))
    }

    /// Writes a position, rounded to a stored step.
    pub(super) fn set_position(&self, bytes: &mut [u8], position: [f64; 3], scale: [f32; 3]) {
        let format = self.vtype.position;
        for axis in 0..3 {
            let scale = f64::from(scale[axis]);
            let raw = if scale == 0.0 { 0.0 } else { position[axis] / scale };
            set(format, bytes, self.position, axis, raw * one(format), -one(format), one(format) - 1.0);
        }
    }

    /// Returns the largest fraction of the scale that can be stored; `None` if any can.
    pub(super) fn largest(&self) -> Option<f32> {
        let one = one(self.vtype.position);
        (one > 1.0).then(|| single((one - 1.0) / one))
    }

    /// Returns the direction in which a normal is drawn. This depends on the scale, which the bone and world
    /// matrices hold.
    fn normal(&self, bytes: &[u8], scale: [f32; 3]) -> [f32; 3] {
        let raw = |axis: usize| signed(self.vtype.normal, bytes, self.normal, axis);
        unit([0, 1, 2].map(|axis: usize| raw(axis) * f64::from(scale[axis])))
    }

    /// Writes a normal so that it is drawn in this direction.
    pub(super) fn set_normal(&self, bytes: &mut [u8], normal: [f32; 3], scale: [f32; 3]) {
        let back = |axis: usize| match scale[axis] {
            0.0 => 0.0,
            scale => f64::from(normal[axis]) / f64::from(scale),
        };
        let normal = unit([0, 1, 2].map(back)).map(f64::from);
        let format = self.vtype.normal;
        let (most, factor) = match format {
            ComponentFormat::FLOAT => (1.0, 1.0),
            _ => (one(format) - 1.0, one(format) - 1.0),
        };
        for (axis, coordinate) in normal.into_iter().enumerate() {
            set(format, bytes, self.normal, axis, coordinate * factor, -most, most);
        }
    }

    /// Returns how far apart stored coordinates are on each axis.
    pub(super) fn step(&self, scale: [f32; 3]) -> [f64; 3] {
        let parts = if self.vtype.position == ComponentFormat::FLOAT {
            8_388_608.0
        } else {
            one(self.vtype.position)
        };
        scale.map(|scale| (f64::from(scale) / parts).abs().max(1e-30))
    }

    /// Returns the least and the greatest texture coordinate on this axis; `None` if all can be stored.
    pub(super) fn texcoord_range(&self, units: &Units, axis: usize) -> Option<[f32; 2]> {
        let most = match self.vtype.texcoord {
            ComponentFormat::BITS8 => 255.0 / 128.0,
            ComponentFormat::BITS16 => 65535.0 / 32768.0,
            _ => return None,
        };
        let (scale, offset) = (units.uv_scale[axis], units.uv_offset[axis]);
        let ends = [offset, offset + most * scale];
        Some([ends[0].min(ends[1]), ends[0].max(ends[1])])
    }

    /// Decodes a vertex to the model's units.
    pub(super) fn decode(&self, bytes: &[u8], palette: &Palette, units: &Units) -> NewVertex {
        let vtype = self.vtype;
        let weights = self.weights(bytes);
        let sum = if weights.is_empty() { 1.0 } else { weights.iter().sum() };
        let mut influences: Vec<(u32, f32)> = Vec::new();
        for (weight, bone) in weights.iter().zip(palette) {
            let (Some(bone), true) = (bone, *weight > 0.0) else { continue };
            let share = single(weight / sum);
            match influences.iter_mut().find(|(known, _)| *known == u32::from(*bone)) {
                Some((_, known)) => *known += share,
                None => influences.push((u32::from(*bone), share)),
            }
        }
        let normal = (vtype.normal != ComponentFormat::NONE).then(|| self.normal(bytes, units.scale));
        let texcoord = (vtype.texcoord != ComponentFormat::NONE).then(|| {
            let raw = |axis: usize| unsigned(vtype.texcoord, bytes, self.texcoord, axis);
            [0, 1].map(|axis: usize| {
                single(raw(axis) * f64::from(units.uv_scale[axis]) + f64::from(units.uv_offset[axis]))
            })
        });
        NewVertex {
            position: self.position(bytes, units.scale).map(|coordinate| single(coordinate * sum)),
            normal,
            texcoord,
            color: self.color(bytes),
            influences,
        }
    }

    fn color(&self, bytes: &[u8]) -> Option<[u8; 4]> {
        let byte = |number: usize| bytes.get(self.color + number).copied().unwrap_or(0);
        Some(color_storage(self.vtype.color)?.decode(u32::from_le_bytes([0, 1, 2, 3].map(byte))))
    }

    /// Encodes a vertex, starting from zeros. Weights are in the palette's order; without weights, the vertex
    /// follows no bone.
    pub(super) fn encode(&self, vertex: &NewVertex, palette: &Palette, units: &Units) -> Vec<u8> {
        let vtype = self.vtype;
        let mut bytes = vec![0; self.size];
        self.set_weights(&mut bytes, &self.shares(vertex, palette));
        if let Some(texcoord) = vertex.texcoord {
            for (axis, coordinate) in texcoord.into_iter().enumerate() {
                let scale = f64::from(units.uv_scale[axis]);
                let value = f64::from(coordinate) - f64::from(units.uv_offset[axis]);
                let raw = if scale == 0.0 { 0.0 } else { value / scale * one(vtype.texcoord) };
                let most = if vtype.texcoord == ComponentFormat::BITS8 { 255.0 } else { 65535.0 };
                set(vtype.texcoord, &mut bytes, self.texcoord, axis, raw, 0.0, most);
            }
        }
        if let Some(normal) = vertex.normal {
            self.set_normal(&mut bytes, normal, units.scale);
        }
        if let Some(storage) = color_storage(vtype.color) {
            let word = storage.encode(vertex.color.unwrap_or([255; 4]), 0);
            put(&mut bytes, self.color, &word.to_le_bytes()[..vtype.color.bytes() as usize]);
        }
        self.set_position(&mut bytes, vertex.position.map(f64::from), units.scale);
        bytes
    }

    /// Converts a vertex from another layout that differs only in its weights.
    pub(super) fn converted(&self, from: &Self, bytes: &[u8], weights: &[f64]) -> Vec<u8> {
        let mut converted = vec![0; self.size];
        let elements = [
            (self.texcoord, from.texcoord, 2 * self.vtype.texcoord.bytes()),
            (self.color, from.color, self.vtype.color.bytes()),
            (self.normal, from.normal, 3 * self.vtype.normal.bytes()),
            (self.position, from.position, 3 * self.vtype.position.bytes()),
        ];
        for (to, at, length) in elements {
            put(&mut converted, to, bytes.get(at..at + length as usize).unwrap_or_default());
        }
        self.set_weights(&mut converted, weights);
        converted
    }

    /// Rounds weights so that they add up to exactly 1: those losing most by rounding down are rounded up.
    fn shares(&self, vertex: &NewVertex, palette: &Palette) -> Vec<f64> {
        let one = one(self.vtype.weight);
        let mut shares = vec![0.0; self.vtype.weights()];
        for (bone, weight) in &vertex.influences {
            let slot = palette.iter().position(|known| known.map(u32::from) == Some(*bone));
            if let Some(share) = slot.and_then(|slot| shares.get_mut(slot)) {
                *share += f64::from(*weight) * one;
            }
        }
        if self.vtype.weight == ComponentFormat::FLOAT {
            return shares;
        }
        let mut order: Vec<usize> = (0..shares.len()).collect();
        order.sort_by(|a, b| shares[*b].fract().total_cmp(&shares[*a].fract()));
        let mut left = one - shares.iter().map(|share| share.floor()).sum::<f64>();
        for slot in order {
            let more = if left >= 1.0 && shares[slot] > 0.0 { 1.0 } else { 0.0 };
            left -= more;
            shares[slot] = (shares[slot].floor() + more) / one;
        }
        shares
    }

    /// Returns whether a new vertex equals an old one: each value it has is the nearest that can be stored.
    pub(super) fn is_same(&self, old: &NewVertex, new: &NewVertex, units: &Units) -> bool {
        let step = self.step(units.scale);
        // Half a step is not enough for values in the middle, as weights of rounded vertices are.
        let near = |a: f32, b: f32, step: f64| f64::from((a - b).abs()) <= step * 0.501;
        let uv_step = |axis: usize| match self.vtype.texcoord {
            ComponentFormat::FLOAT => 1e-5,
            format => f64::from(units.uv_scale[axis]).abs() / one(format) + 1e-7,
        };
        let weight = |list: &[(u32, f32)], bone: u32| {
            list.iter().find(|(known, _)| *known == bone).map_or(0.0, |(_, weight)| *weight)
        };
        (0..3).all(|axis| near(old.position[axis], new.position[axis], step[axis]))
            && old.normal.zip(new.normal).is_none_or(|(old, new)| {
                let is_near = |new: [f32; 3]| {
                    let dot: f64 = old.iter().zip(new).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
                    dot > 0.999_99 || old == [0.0; 3]
                };
                // A stored normal need not have length 1, so another may be the nearest.
                is_near(new) || {
                    let mut bytes = vec![0; self.size];
                    self.set_normal(&mut bytes, new, units.scale);
                    is_near(self.normal(&bytes, units.scale))
                }
            })
            && old
                .texcoord
                .zip(new.texcoord)
                .is_none_or(|(old, new)| (0..2).all(|axis| near(old[axis], new[axis], uv_step(axis))))
            && old.color.zip(new.color).is_none_or(|(old, new)| {
                let storage = color_storage(self.vtype.color);
                let storage = storage.unwrap_or_else(|| ColorStorage::of(PixelFormat::ABGR8888));
                storage.encode(old, 0) == storage.encode(new, 0)
            })
            && (new.influences.is_empty()
                || old.influences.iter().chain(&new.influences).all(|(bone, _)| {
                    near(weight(&old.influences, *bone), weight(&new.influences, *bone), 1.0 / 128.0)
                }))
    }
}

/// Returns how colours are stored; `None` without colours.
fn color_storage(format: ColorFormat) -> Option<ColorStorage> {
    // Vertex colours have the formats of pixels, in the same order from 4 on.
    let number = format.number().checked_sub(ColorFormat::BGR5650.number())?;
    Some(ColorStorage::of(PixelFormat::from_number(number)))
}

/// Returns the stored number for 1.
fn one(format: ComponentFormat) -> f64 {
    match format {
        ComponentFormat::BITS8 => 128.0,
        ComponentFormat::BITS16 => 32768.0,
        _ => 1.0,
    }
}

fn unsigned(format: ComponentFormat, bytes: &[u8], start: usize, number: usize) -> f64 {
    match element(format, bytes, start, number) {
        [a, ..] if format == ComponentFormat::BITS8 => f64::from(a) / 128.0,
        [a, b, ..] if format == ComponentFormat::BITS16 => f64::from(u16::from_le_bytes([a, b])) / 32768.0,
        bytes => finite(bytes),
    }
}

fn signed(format: ComponentFormat, bytes: &[u8], start: usize, number: usize) -> f64 {
    match element(format, bytes, start, number) {
        [a, ..] if format == ComponentFormat::BITS8 => f64::from(i8::from_le_bytes([a])) / 128.0,
        [a, b, ..] if format == ComponentFormat::BITS16 => f64::from(i16::from_le_bytes([a, b])) / 32768.0,
        bytes => finite(bytes),
    }
}

fn finite(bytes: [u8; 4]) -> f64 {
    Some(f64::from(f32::from_le_bytes(bytes))).filter(|value| value.is_finite()).unwrap_or(0.0)
}

/// Returns a number's bytes, with zeros after them.
fn element(format: ComponentFormat, bytes: &[u8], start: usize, number: usize) -> [u8; 4] {
    let size = format.bytes() as usize;
    let at = start + size * number;
    let mut element = [0; 4];
    if let Some(found) = bytes.get(at..at + size) {
        element[..size].copy_from_slice(found);
    }
    element
}

/// Writes a number in stored units, rounded and kept between `min` and `max`. Floats are stored as they are.
#[expect(clippy::cast_possible_truncation, reason = "rounded and clamped before, or a float")]
fn set(format: ComponentFormat, bytes: &mut [u8], start: usize, number: usize, raw: f64, min: f64, max: f64) {
    let size = format.bytes() as usize;
    let element = match format {
        ComponentFormat::FLOAT => (raw as f32).to_le_bytes(),
        _ => (raw.round().clamp(min, max) as i32).to_le_bytes(),
    };
    put(bytes, start + size * number, &element[..size]);
}

fn put(bytes: &mut [u8], at: usize, element: &[u8]) {
    if let Some(to) = bytes.get_mut(at..at + element.len()) {
        to.copy_from_slice(element);
    }
}

/// Returns a vector of length 1, or zeros.
pub(super) fn unit(vector: [f64; 3]) -> [f32; 3] {
    let length = vector.iter().map(|coordinate| coordinate * coordinate).sum::<f64>().sqrt();
    vector.map(|coordinate| if length > 0.0 { single(coordinate / length) } else { 0.0 })
}
