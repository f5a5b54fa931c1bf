//! Reads a draw's vertices and indices.

use std::iter;

use super::attributes::{LastAttributes, Vertex};
use super::decode::decode;
use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::ge::vertex_layout::{MAX_VERTEX_BYTES, VertexLayout};

/// Vertices that span more bytes than this are not copied.
const MAX_COPIED_BYTES: usize = 1 << 20;
/// Vertices that span more than this many times the bytes that a draw reads are not copied either.
const MAX_SPARSENESS: usize = 4;

/// Reads a draw's vertices and indices.
#[derive(Clone, Copy, Debug)]
pub struct VertexReader<'a> {
    memory: &'a Memory,
    layout: VertexLayout,
    vertices: Address,
    indices: Address,
    index_format: IndexFormat,
    /// Holds the values for components that the vertices lack.
    missing: Vertex,
}

impl<'a> VertexReader<'a> {
    /// Creates a reader for the vertices at `vertices`. This uses `indices` only if the vertex type has indices.
    #[must_use]
    pub fn new(
        memory: &'a Memory,
        registers: &Registers,
        vertices: Address,
        indices: Address,
        last: LastAttributes,
    ) -> Self {
        let vertex_type: VertexType = registers.get();
        let [red, green, blue] = registers.rgb(Opcode::MATERIALAMBIENT);
        let alpha = registers.argument(Opcode::MATERIALALPHA).to_le_bytes()[0];
        Self {
            memory,
            layout: VertexLayout::new(vertex_type),
            vertices,
            indices,
            index_format: vertex_type.index,
            // Vertices without a colour take the material's ambient colour.
            missing: Vertex {
                color: [red, green, blue, alpha],
                texcoord: last.texcoord,
                normal: last.normal,
                ..Vertex::default()
            },
        }
    }

    /// Returns how the vertices are laid out.
    #[must_use]
    pub const fn layout(&self) -> &VertexLayout {
        &self.layout
    }

    /// Whether the draw has indices.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.index_format != IndexFormat::NONE
    }

    /// Reads the index of the draw's `nth` vertex. Only an index's low 16 bits count.
    /// Source: [indices](crate::reference::ge::vertices#indices) (hardware test `primitives/indices32`).
    #[must_use]
    pub fn index(&self, nth: u32) -> u32 {
        let at = self.indices.offset(nth.wrapping_mul(self.index_format.bytes()));
        match self.index_format {
            IndexFormat::BITS8 => u32::from(self.memory.read_u8(at)),
            IndexFormat::BITS16 => u32::from(self.memory.read_u16(at)),
            IndexFormat::BITS32 => u32::from(self.memory.read_u16(at)),
            _ => nth,
        }
    }

    /// Computes the address of the draw's `nth` vertex.
    #[must_use]
    pub fn address(&self, nth: u32) -> Address {
        self.address_of(self.index(nth))
    }

    /// Computes the address of the vertex with this index.
    fn address_of(&self, index: u32) -> Address {
        self.vertices.offset(index.wrapping_mul(self.layout.bytes()))
    }

    /// Returns how many bytes the vertices from an index to another take, including both.
    fn spanned(&self, lowest: u32, highest: u32) -> usize {
        let count = (highest.saturating_sub(lowest) as usize).saturating_add(1);
        count.saturating_mul(self.layout.bytes() as usize)
    }

    /// Decodes the first morph frame of the draw's `nth` vertex.
    #[must_use]
    pub fn vertex(&self, nth: u32) -> Vertex {
        self.frames(self.index(nth), |frames| frames(0))
    }

    /// Decodes the first morph frame at each of these indices and appends the vertices to `out`.
    pub(crate) fn append(&self, indices: impl ExactSizeIterator<Item = u32> + Clone, out: &mut Vec<Vertex>) {
        // If memory is contiguous from the lowest to the highest vertex, a single look-up serves all of them.
        let (lowest, highest) = extent(indices.clone());
        let bytes = self.layout.bytes() as usize;
        let length = self.spanned(lowest, highest);
        let Some(all) = self.memory.slice(self.address_of(lowest), length) else {
            return out.extend(indices.map(|index| self.frames(index, |frames| frames(0))));
        };
        let frames = indices.map(|index| {
            let start = (index.wrapping_sub(lowest) as usize).wrapping_mul(bytes);
            all.get(start..).unwrap_or(&[])
        });
        let first = out.len();
        out.resize(first.saturating_add(frames.len()), self.missing);
        decode(&self.layout, frames, out.get_mut(first..).unwrap_or_default());
    }

    /// Decodes the first morph frame of the first `count` vertices, whatever their indices, and appends the
    /// vertices to `out`. Without indices, vertices follow each other, so this need not compute the place of each.
    pub(crate) fn append_first(&self, count: u32, out: &mut Vec<Vertex>) {
        let bytes = self.layout.bytes() as usize;
        let length = (count as usize).saturating_mul(bytes);
        match self.memory.slice(self.vertices, length) {
            Some(all) if bytes > 0 => {
                let first = out.len();
                out.resize(first.saturating_add(count as usize), self.missing);
                decode(&self.layout, all.chunks_exact(bytes), out.get_mut(first..).unwrap_or_default());
            }
            _ => self.append(0..count, out),
        }
    }

    /// Copies the first `count` vertices and their indices to the end of main RAM in `copies`, to read them after
    /// memory has changed. Returns the addresses of the vertex with index 0, which may itself be missing, and of
    /// the first index. Returns `None` if the bytes are not in one piece, or if copying would take longer than
    /// reading: vertices far from each other, or very many.
    pub(crate) fn copy(&self, count: u32, copies: &mut Memory) -> Option<(Address, Address)> {
        let last = count.checked_sub(1)?;
        let (indices, (lowest, highest)) = match self.index_format.bytes() as usize {
            0 => (&[][..], (0, last)),
            bytes => {
                let indices = self.memory.slice(self.indices, bytes.saturating_mul(count as usize))?;
                (indices, extent(indices.chunks_exact(bytes).map(stored_index)))
            }
        };
        let (spanned, read) = (self.spanned(lowest, highest), self.spanned(0, last));
        if spanned > MAX_COPIED_BYTES || spanned / MAX_SPARSENESS > read {
            return None;
        }
        let start = lowest.wrapping_mul(self.layout.bytes());
        let vertices = copies.append_to_ram(self.memory.slice(self.vertices.offset(start), spanned)?);
        Some((vertices.offset(start.wrapping_neg()), copies.append_to_ram(indices)))
    }

    /// Decodes the vertex at this index, which may have several morph frames. `use_frames` gets a function to
    /// decode each frame by its number.
    pub fn frames<T>(&self, index: u32, use_frames: impl FnOnce(&dyn Fn(usize) -> Vertex) -> T) -> T {
        let address = self.address_of(index);
        let bytes = self.layout.bytes() as usize;
        // The vertex may cross a gap in memory. A buffer on the stack then collects its bytes.
        let mut copy;
        let vertex = match self.memory.slice(address, bytes) {
            Some(vertex) => vertex,
            None => {
                copy = [0; MAX_VERTEX_BYTES];
                let copy = copy.get_mut(..bytes).unwrap_or_default();
                self.memory.read(address, copy);
                copy
            }
        };
        use_frames(&|frame| {
            let start = frame.saturating_mul(self.layout.frame_bytes() as usize);
            let mut decoded = [self.missing];
            decode(&self.layout, iter::once(vertex.get(start..).unwrap_or(&[])), &mut decoded);
            let [decoded] = decoded;
            decoded
        })
    }
}

fn extent(indices: impl Iterator<Item = u32>) -> (u32, u32) {
    indices.fold((u32::MAX, 0), |(lowest, highest), index| (lowest.min(index), highest.max(index)))
}

/// Returns an index from its little-endian bytes. Only the low 16 bits count.
fn stored_index(bytes: &[u8]) -> u32 {
    match *bytes {
        [] => 0,
        [low] => u32::from(low),
        [low, high, ..] => u32::from(u16::from_le_bytes([low, high])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::memory::RamSize;

    /// Reads indices in one format from little-endian bytes.
    fn indices(index: IndexFormat, bytes: &[u8], count: u32) -> Vec<u32> {
        let at = Address::new(0x0880_0000);
        let mut memory = Memory::new(RamSize::default());
        memory.write(at, bytes);
        let mut registers = Registers::new();
        registers.write(VertexType { index, ..VertexType::default() }.to(Opcode::VTYPE));
        let reader = VertexReader::new(&memory, &registers, at, at, LastAttributes::default());
        (0..count).map(|nth| reader.index(nth)).collect()
    }

    /// In the middle of RAM, across its end, and in a permuted view of VRAM, where vertices are not contiguous.
    #[test]
    fn vertices_in_a_row_are_decoded_as_alone() {
        let mut memory = Memory::new(RamSize::default());
        let end = 0x0C00_0000;
        for at in [0x0880_0002, end - 100, 0x0460_0100].map(Address::new) {
            for number in 0..400 {
                memory.write(at.offset(number), &[(number * 37 % 251) as u8]);
            }
            for vertex_type in [0x122, 0x8B22, 0x19F, 0x80_011D, 0x4_0142, 0] {
                let registers = Registers::with([(Opcode::VTYPE, vertex_type)]);
                let reader = VertexReader::new(&memory, &registers, at, at, LastAttributes::default());
                let (mut all, mut alone) = (Vec::new(), Vec::new());
                reader.append_first(9, &mut all);
                (0..9).for_each(|index| alone.push(reader.frames(index, |frames| frames(0))));
                assert_eq!(format!("{all:?}"), format!("{alone:?}"), "type {vertex_type:#x} at {at}");
            }
        }
    }

    /// Covers indices in any order and format, also after other copies, and vertices that are not copied.
    #[test]
    fn copies_read_as_the_original() {
        let (vertices, indices) = (Address::new(0x0880_0002), Address::new(0x0890_0001));
        let mut memory = Memory::default();
        for number in 0..4000 {
            memory.write(vertices.offset(number), &[(number * 37 % 251) as u8]);
        }
        let mut copies = Memory::empty();
        let mut check = |vertex_type: u32, written: &[u8], count: u32, is_copied: bool| {
            memory.write(indices, written);
            let registers = Registers::with([(Opcode::VTYPE, vertex_type)]);
            let read = |memory: &Memory, vertices, indices| {
                let reader =
                    VertexReader::new(memory, &registers, vertices, indices, LastAttributes::default());
                let all: Vec<_> = (0..count).map(|nth| reader.vertex(nth)).collect();
                format!("{all:?}")
            };
            let reader = VertexReader::new(&memory, &registers, vertices, indices, LastAttributes::default());
            let found = reader.copy(count, &mut copies);
            let copied = found.map(|(vertices, indices)| read(&copies, vertices, indices));
            let expected = is_copied.then(|| read(&memory, vertices, indices));
            assert_eq!(copied, expected, "type {vertex_type:#x}, indices {written:?}, {count} vertices");
        };
        let index = |format: u32| format << 11;
        for vertex_type in [0x122, 0x19F, 0x80_011D, 0x4_0142] {
            check(vertex_type, &[], 9, true);
            check(vertex_type, &[], 0, false);
            check(vertex_type | index(1), &[9, 5, 7, 5], 4, true);
            check(vertex_type | index(2), &[9, 0, 5, 0, 7, 0], 3, true);
            check(vertex_type | index(3), &[9, 0, 8, 8, 5, 0, 8, 8], 2, true);
            check(vertex_type | index(1), &[9, 250], 2, false);
            check(vertex_type | index(2), &[9, 0, 5, 200], 2, false);
        }
    }

    #[test]
    fn indices_have_16_bits_at_most() {
        let bytes = [1, 0, 0, 0, 0xFF, 0xFF, 2, 0];
        assert_eq!(indices(IndexFormat::BITS8, &bytes, 5), [1, 0, 0, 0, 255], "8 bits");
        assert_eq!(indices(IndexFormat::BITS16, &bytes, 4), [1, 0, 65535, 2], "16 bits");
        assert_eq!(indices(IndexFormat::BITS32, &bytes, 2), [1, 65535], "the low half of 32 bits");
        assert_eq!(indices(IndexFormat::NONE, &bytes, 3), [0, 1, 2], "without indices");
    }
}
