//! Builds glTF's binary buffer: little-endian numbers, and accessors to describe them.
//!
//! # Invariants
//! Every view starts at a multiple of four bytes. Equal data with equal types are stored only once. Source: the glTF
//! 2.0 specification, section 3.6 (Binary Data Storage).

use std::collections::HashMap;

use twox_hash::XxHash3_64;

use super::schema::{Accessor, BufferView};
use crate::ge::never::OrNever;

/// How viewers use a buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BufferUsage {
    /// Vertex attributes.
    Vertices,
    /// Indices.
    Indices,
    /// Anything else.
    Other,
}

/// Component types, with the specification's codes.
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// The buffer so far, with its views and accessors.
#[derive(Debug, Default)]
pub(super) struct BufferBuilder {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
    /// Finds accessors by a hash over their bytes.
    known: HashMap<u64, Vec<usize>>,
}

impl BufferBuilder {
    /// Adds vectors, with their minimum and maximum if `bounds` is set. Returns the accessor.
    pub(super) fn floats<const N: usize>(
        &mut self,
        values: &[[f32; N]],
        usage: BufferUsage,
        bounds: bool,
    ) -> usize {
        let bytes = values.as_flattened().iter().map(|value| value.to_le_bytes());
        let bound = |combine: fn(f32, f32) -> f32, start: f32| -> Option<Vec<f64>> {
            let columns = (0..N).map(|column| values.iter().map(|value| value[column]).fold(start, combine));
            bounds.then(|| columns.map(f64::from).collect())
        };
        let (min, max) = (bound(f32::min, f32::INFINITY), bound(f32::max, f32::NEG_INFINITY));
        let accessor = Accessor { min, max, ..accessor(FLOAT, accessor_type(N), values.len()) };
        self.add(bytes, usage, accessor)
    }

    /// Adds single floats with their bounds, such as times. Returns the accessor.
    pub(super) fn scalars(&mut self, values: &[f32]) -> usize {
        let values: Vec<[f32; 1]> = values.iter().map(|&value| [value]).collect();
        self.floats(&values, BufferUsage::Other, true)
    }

    /// Adds colours with 16 bits per channel. Returns the accessor.
    pub(super) fn colors(&mut self, values: &[[u16; 4]]) -> usize {
        let bytes = values.as_flattened().iter().map(|value| value.to_le_bytes());
        let accessor = Accessor { normalized: true, ..accessor(UNSIGNED_SHORT, "VEC4", values.len()) };
        self.add(bytes, BufferUsage::Vertices, accessor)
    }

    /// Adds joint numbers: as bytes if all fit, else with 16 bits. Returns the accessor.
    pub(super) fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let flat = values.as_flattened();
        let narrow: Option<Vec<u8>> = flat.iter().map(|&value| u8::try_from(value).ok()).collect();
        match narrow {
            Some(bytes) => {
                let bytes = bytes.into_iter().map(u8::to_le_bytes);
                self.add(bytes, BufferUsage::Vertices, accessor(UNSIGNED_BYTE, "VEC4", values.len()))
            }
            None => {
                let bytes = flat.iter().map(|value| value.to_le_bytes());
                self.add(bytes, BufferUsage::Vertices, accessor(UNSIGNED_SHORT, "VEC4", values.len()))
            }
        }
    }

    /// Adds indices less than `vertices`, with 16 bits if possible. This never uses the largest number for a width,
    /// because it restarts primitives. Returns the accessor.
    pub(super) fn indices(&mut self, values: &[u32], vertices: usize) -> usize {
        if vertices < usize::from(u16::MAX) {
            let narrow = |&value: &u32| {
                u16::try_from(value).or_never("an index is below the count of vertices").to_le_bytes()
            };
            let bytes = values.iter().map(narrow);
            return self.add(bytes, BufferUsage::Indices, accessor(UNSIGNED_SHORT, "SCALAR", values.len()));
        }
        let bytes = values.iter().map(|value| value.to_le_bytes());
        self.add(bytes, BufferUsage::Indices, accessor(UNSIGNED_INT, "SCALAR", values.len()))
    }

    /// Adds matrices with four columns each. Returns the accessor.
    pub(super) fn matrices(&mut self, values: &[[f32; 16]]) -> usize {
        self.floats(values, BufferUsage::Other, false)
    }

    /// Adds a file as it is, such as an image. Returns the view.
    pub(super) fn file(&mut self, bytes: &[u8]) -> usize {
        self.view(bytes, BufferUsage::Other)
    }

    fn add<const N: usize>(
        &mut self,
        values: impl Iterator<Item = [u8; N]>,
        usage: BufferUsage,
        mut accessor: Accessor,
    ) -> usize {
        let start = self.start();
        // This appends directly, because the data may be large, and drops the bytes again if they are known.
        for value in values {
            self.bytes.extend_from_slice(&value);
        }
        let (before, bytes) = self.bytes.split_at(start);
        let same = self.known.entry(XxHash3_64::oneshot(bytes)).or_default();
        for &number in same.iter() {
            let known = &self.accessors[number];
            let view = &self.views[known.buffer_view];
            let stored = before.get(view.byte_offset..view.byte_offset + view.byte_length);
            accessor.buffer_view = known.buffer_view;
            if *known == accessor && view.target == usage.target() && stored == Some(bytes) {
                self.bytes.truncate(start);
                return number;
            }
        }
        let number = self.accessors.len();
        same.push(number);
        accessor.buffer_view = self.view_from(start, usage);
        self.accessors.push(accessor);
        number
    }

    /// Pads the buffer, and returns where the next view starts.
    fn start(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.bytes.len()
    }

    fn view(&mut self, bytes: &[u8], usage: BufferUsage) -> usize {
        let start = self.start();
        self.bytes.extend_from_slice(bytes);
        self.view_from(start, usage)
    }

    /// Adds a view from an offset to the end of the buffer.
    fn view_from(&mut self, byte_offset: usize, usage: BufferUsage) -> usize {
        let byte_length = self.bytes.len() - byte_offset;
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length, target: usage.target() });
        self.views.len() - 1
    }
}

impl BufferUsage {
    const fn target(self) -> Option<u32> {
        match self {
            Self::Vertices => Some(34962),
            Self::Indices => Some(34963),
            Self::Other => None,
        }
    }
}

const fn accessor(component_type: u32, accessor_type: &'static str, count: usize) -> Accessor {
    Accessor { buffer_view: 0, component_type, normalized: false, count, accessor_type, min: None, max: None }
}

const fn accessor_type(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_equal_data_once() {
        let mut data = BufferBuilder::default();
        let first = data.scalars(&[0.0, 0.5, 1.0]);
        let other = data.scalars(&[0.0, 0.5]);
        assert_eq!(data.scalars(&[0.0, 0.5, 1.0]), first, "the same accessor");
        assert_ne!(first, other, "another length");
        assert_eq!(data.bytes.len(), 20, "five floats");
        assert_eq!(data.accessors[first].max, Some(vec![1.0]), "largest value");
    }

    #[test]
    fn indices_never_use_the_restart_value() {
        let mut data = BufferBuilder::default();
        let narrow = data.indices(&[0, 65533], 65534);
        let wide = data.indices(&[0, 65534], 65535);
        let types = [narrow, wide].map(|number| data.accessors[number].component_type);
        assert_eq!(types, [UNSIGNED_SHORT, UNSIGNED_INT], "by the number of vertices");
    }

    #[test]
    fn views_are_aligned_to_four_bytes() {
        let mut data = BufferBuilder::default();
        data.file(&[1, 2, 3]);
        let second = data.file(&[4]);
        assert_eq!(data.views[second].byte_offset, 4, "after three bytes of padding");
    }
}
