//! Checks whether the data for a draw exist (vertices, indices, texels), to warn about captures that miss some.
//!
//! # Invariants
//! A check never reads texels. It reads indices only if an index could lead out of memory. Its result has no effect
//! on the draw.

use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::note::NoteKind;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::texture::TextureMode;
use crate::ge::registers::vertex::{IndexFormat, VertexType};
use crate::pipeline::texture::{MAX_LEVEL, Texture};
use crate::pipeline::vertex::{LastAttributes, VertexReader};

/// The texture registers that decide which bytes a draw samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TextureKey {
    mode: u32,
    format: u32,
    /// TEXADDR, TEXBUFWIDTH and TEXSIZE for each level in use.
    levels: [[u32; 3]; MAX_LEVEL as usize + 1],
}

/// Checks textures. This remembers the last, so that consecutive draws with the same texture check it only once.
#[derive(Clone, Debug, Default)]
pub(super) struct TextureCheck {
    last: Option<TextureKey>,
}

impl TextureCheck {
    /// Returns a note if a draw with these registers misses its texture, unless the previous check was for the
    /// same.
    pub(super) fn check(&mut self, memory: &Memory, registers: &Registers) -> Option<NoteKind> {
        if !registers.is_on(Opcode::TEXENABLE) || registers.get::<ClearMode>().enabled {
            return None;
        }
        let last_level = registers.get::<TextureMode>().max_level.min(MAX_LEVEL);
        let mut key = TextureKey {
            mode: registers.argument(Opcode::TEXMODE),
            format: registers.argument(Opcode::TEXFORMAT),
            ..TextureKey::default()
        };
        for (words, level) in key.levels.iter_mut().zip(0..=last_level) {
            *words = [Opcode::TEXADDR0, Opcode::TEXBUFWIDTH0, Opcode::TEXSIZE0]
                .map(|opcode| registers.argument(opcode.plus(level)));
        }
        if self.last.replace(key) == Some(key) {
            return None;
        }
        (0..=last_level).find_map(|level| {
            let texture = Texture::from_registers(registers, level);
            let address = texture.address;
            if !memory.is_mapped(address, texture.bytes()) {
                Some(NoteKind::TextureUnmapped { level, address })
            } else if !memory.is_supplied(address) {
                Some(NoteKind::TextureUnwritten { level, address })
            } else {
                None
            }
        })
    }
}

/// Describes the vertex data for a draw or a box test.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexData {
    pub(super) vertices: Address,
    pub(super) indices: Address,
    pub(super) count: u32,
    /// How many bytes each vertex has.
    pub(super) bytes: u32,
}

/// Returns a note if some vertices or indices are missing. The first vertex must be mapped.
pub(super) fn check_vertices(memory: &Memory, registers: &Registers, data: VertexData) -> Option<NoteKind> {
    let VertexData { vertices, indices, count, bytes } = data;
    let vertex_type: VertexType = registers.get();
    if bytes == 0 || count == 0 {
        return None;
    }
    let exist = |count: u32| memory.is_mapped(vertices, count.saturating_mul(bytes));
    if vertex_type.index == IndexFormat::NONE {
        if !exist(count) {
            return Some(NoteKind::VerticesCut(vertices));
        }
    } else {
        if !memory.is_mapped(indices, count.saturating_mul(vertex_type.index.bytes())) {
            return Some(NoteKind::IndicesUnmapped(indices));
        }
        // Most vertex data lie far from memory's end. Then no index can lead out of memory, so none need be read.
        let reachable = if vertex_type.index == IndexFormat::BITS8 { 0x100 } else { 0x1_0000 };
        if !exist(reachable) {
            let reader = VertexReader::new(memory, registers, vertices, indices, LastAttributes::default());
            let missing = (0..count)
                .map(|nth| reader.index(nth))
                .find(|&index| !memory.is_mapped(vertices.offset(index.saturating_mul(bytes)), bytes));
            if let Some(index) = missing {
                return Some(NoteKind::IndexUnmapped(index));
            }
        }
    }
    // Draws without indices always read their first vertex, so this vertex decides. Other draws may leave it out.
    let is_read = vertex_type.index == IndexFormat::NONE;
    (is_read && !memory.is_supplied(vertices)).then_some(NoteKind::VerticesUnwritten(vertices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::vertex::VertexLayout;

    const DATA: Address = Address::new(0x0890_0000);

    fn vertices(settings: u32, vertices: Address, indices: Address, count: u32) -> Option<NoteKind> {
        let registers = Registers::with([(Opcode::VTYPE, settings)]);
        let mut memory = Memory::default();
        memory.write(DATA, &[0, 0, 9, 0, 0xFF, 0xFF]);
        let bytes = VertexLayout::new(registers.get()).bytes();
        check_vertices(&memory, &registers, VertexData { vertices, indices, count, bytes })
    }

    #[test]
    fn finds_missing_vertices_and_indices() {
        // Positions of 16 bits; indices of 16 bits.
        let (plain, indexed) = (2 << 7, 2 << 7 | 2 << 11);
        let end = Address::new(0x0C00_0000 - 60);
        assert_eq!(vertices(plain, DATA, DATA, 10), None, "all exist");
        let unwritten = DATA.offset(0x1_0000);
        let expected = Some(NoteKind::VerticesUnwritten(unwritten));
        assert_eq!(vertices(plain, unwritten, DATA, 10), expected, "memory that was never written");
        assert_eq!(vertices(plain, end, DATA, 11), Some(NoteKind::VerticesCut(end)), "ten fit");
        let last = Address::new(0x0C00_0000 - 2);
        assert_eq!(vertices(indexed, DATA, last, 2), Some(NoteKind::IndicesUnmapped(last)), "one index fits");
        assert_eq!(vertices(indexed, end, DATA, 2), None, "vertices 0 and 9 exist");
        assert_eq!(
            vertices(indexed, end, DATA, 3),
            Some(NoteKind::IndexUnmapped(0xFFFF)),
            "the last does not"
        );
    }

    #[test]
    fn finds_missing_textures_once() {
        let mut memory = Memory::default();
        memory.write(DATA, &[1; 64]);
        let settings = |address: Address, enabled: u32, max_level: u32| {
            let (low, high) = (address.get() & 0xFF_FFFF, address.get() >> 8 & 0xFF_0000);
            Registers::with([
                (Opcode::TEXENABLE, enabled),
                (Opcode::TEXADDR0, low),
                (Opcode::TEXBUFWIDTH0, high | 64),
                (Opcode::TEXSIZE0, 0x0303),
                (Opcode::TEXFORMAT, 3),
                (Opcode::TEXMODE, max_level << 16),
            ])
        };
        let mut check = TextureCheck::default();
        let mut found = |registers: &Registers| check.check(&memory, registers);
        assert_eq!(found(&settings(DATA, 1, 0)), None, "written");
        let nowhere = Address::new(0x0100_0000);
        let missing = Some(NoteKind::TextureUnmapped { level: 0, address: nowhere });
        assert_eq!(found(&settings(nowhere, 0, 0)), None, "texturing is off");
        assert_eq!(found(&settings(nowhere, 1, 0)), missing, "unmapped");
        assert_eq!(found(&settings(nowhere, 1, 0)), None, "noted already");
        let second = Some(NoteKind::TextureUnmapped { level: 1, address: Address::new(0) });
        assert_eq!(found(&settings(DATA, 1, 1)), second, "its second level");
        let empty = DATA.offset(0x1_0000);
        let unwritten = Some(NoteKind::TextureUnwritten { level: 0, address: empty });
        assert_eq!(found(&settings(empty, 1, 0)), unwritten, "never written");
    }
}
