//! The binary part of glTF: numbers in little-endian order, and accessors that describe them.
//!
//! # Invariants
//! Every view starts at a multiple of four bytes. Data that are there already are not written again.
//! Source: the glTF 2.0 specification, section 3.6 (Binary Data Storage).

use std::collections::HashMap;

use twox_hash::XxHash3_64;

use super::schema::{Accessor, BufferView};

/// What data are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// Attributes of vertices.
    Vertices,
    /// Indices.
    Indices,
    /// Anything else.
    Other,
}

/// Number types, by the specification's codes.
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// All data so far.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
    /// Accessors by the hash of their bytes.
    known: HashMap<u64, Vec<usize>>,
}

impl Data {
    /// Vectors of floats, with their least and greatest components where `bounds` asks for them.
    pub(super) fn floats<const N: usize>(&mut self, values: &[[f32; N]], usage: Use, bounds: bool) -> usize {
        let bytes = values.as_flattened().iter().map(|value| value.to_le_bytes());
        let extreme = |pick: fn(f32, f32) -> f32, start: f32| -> Option<Vec<f64>> {
            let columns = (0..N).map(|column| values.iter().map(|value| value[column]).fold(start, pick));
            bounds.then(|| columns.map(f64::from).collect())
        };
        let (min, max) = (extreme(f32::min, f32::INFINITY), extreme(f32::max, f32::NEG_INFINITY));
        let accessor = Accessor { min, max, ..accessor(FLOAT, kind(N), values.len()) };
        self.add(bytes, usage, accessor)
    }

    /// Single floats, such as times.
    pub(super) fn scalars(&mut self, values: &[f32]) -> usize {
        let values: Vec<[f32; 1]> = values.iter().map(|&value| [value]).collect();
        self.floats(&values, Use::Other, true)
    }

    /// Colours of 16 bits a channel.
    pub(super) fn colors(&mut self, values: &[[u16; 4]]) -> usize {
        let bytes = values.as_flattened().iter().map(|value| value.to_le_bytes());
        let accessor = Accessor { normalized: true, ..accessor(UNSIGNED_SHORT, "VEC4", values.len()) };
        self.add(bytes, Use::Vertices, accessor)
    }

    /// Numbers of joints, as small as they fit.
    pub(super) fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let flat = values.as_flattened();
        let small: Option<Vec<u8>> = flat.iter().map(|&value| u8::try_from(value).ok()).collect();
        match small {
            Some(bytes) => {
                let bytes = bytes.into_iter().map(u8::to_le_bytes);
                self.add(bytes, Use::Vertices, accessor(UNSIGNED_BYTE, "VEC4", values.len()))
            }
            None => {
                let bytes = flat.iter().map(|value| value.to_le_bytes());
                self.add(bytes, Use::Vertices, accessor(UNSIGNED_SHORT, "VEC4", values.len()))
            }
        }
    }

    /// Indices below `vertices`, as small as they fit; the largest number of a width restarts primitives.
    pub(super) fn indices(&mut self, values: &[u32], vertices: usize) -> usize {
        if vertices < usize::from(u16::MAX) {
            let narrow = |&value: &u32| u16::try_from(value).unwrap_or(0).to_le_bytes();
            let bytes = values.iter().map(narrow);
            return self.add(bytes, Use::Indices, accessor(UNSIGNED_SHORT, "SCALAR", values.len()));
        }
        let bytes = values.iter().map(|value| value.to_le_bytes());
        self.add(bytes, Use::Indices, accessor(UNSIGNED_INT, "SCALAR", values.len()))
    }

    /// Matrices of four columns.
    pub(super) fn matrices(&mut self, values: &[[f32; 16]]) -> usize {
        self.floats(values, Use::Other, false)
    }

    /// Bytes of a file, such as a picture: gives the view.
    pub(super) fn file(&mut self, bytes: &[u8]) -> usize {
        self.view(bytes, Use::Other)
    }

    fn add<const N: usize>(
        &mut self,
        values: impl Iterator<Item = [u8; N]>,
        usage: Use,
        mut accessor: Accessor,
    ) -> usize {
        let start = self.start();
        // In place: there may be much of it.
        for value in values {
            self.bytes.extend_from_slice(&value);
        }
        let (before, bytes) = self.bytes.split_at(start);
        let same = self.known.entry(XxHash3_64::oneshot(bytes)).or_default();
        for &number in same.iter() {
            let known = &self.accessors[number];
            let view = &self.views[known.buffer_view];
            let held = before.get(view.byte_offset..view.byte_offset + view.byte_length);
            accessor.buffer_view = known.buffer_view;
            if *known == accessor && view.target == usage.target() && held == Some(bytes) {
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

    /// Where the next view starts.
    fn start(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.bytes.len()
    }

    fn view(&mut self, bytes: &[u8], usage: Use) -> usize {
        let start = self.start();
        self.bytes.extend_from_slice(bytes);
        self.view_from(start, usage)
    }

    /// A view of all bytes from there on.
    fn view_from(&mut self, byte_offset: usize, usage: Use) -> usize {
        let byte_length = self.bytes.len() - byte_offset;
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length, target: usage.target() });
        self.views.len() - 1
    }
}

impl Use {
    const fn target(self) -> Option<u32> {
        match self {
            Self::Vertices => Some(34962),
            Self::Indices => Some(34963),
            Self::Other => None,
        }
    }
}

const fn accessor(component_type: u32, kind: &'static str, count: usize) -> Accessor {
    Accessor { buffer_view: 0, component_type, normalized: false, count, kind, min: None, max: None }
}

const fn kind(components: usize) -> &'static str {
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
    fn the_same_data_are_written_once() {
        let mut data = Data::default();
        let first = data.scalars(&[0.0, 0.5, 1.0]);
        let other = data.scalars(&[0.0, 0.5]);
        assert_eq!(data.scalars(&[0.0, 0.5, 1.0]), first, "the same accessor");
        assert_ne!(first, other, "fewer");
        assert_eq!(data.bytes.len(), 20, "five floats");
        assert_eq!(data.accessors[first].max, Some(vec![1.0]), "bounds");
    }

    #[test]
    fn indices_leave_the_restart_value_alone() {
        let mut data = Data::default();
        let narrow = data.indices(&[0, 65533], 65534);
        let wide = data.indices(&[0, 65534], 65535);
        let types = [narrow, wide].map(|number| data.accessors[number].component_type);
        assert_eq!(types, [UNSIGNED_SHORT, UNSIGNED_INT], "by the number of vertices");
    }

    #[test]
    fn views_start_at_multiples_of_four() {
        let mut data = Data::default();
        data.file(&[1, 2, 3]);
        let second = data.file(&[4]);
        assert_eq!(data.views[second].byte_offset, 4, "behind one byte of filling");
    }
}
