//! Hashes the data that draws read, within a budget, to recognise equal textures and vertices.
//!
//! # Invariants
//! Unchanged bytes are hashed only once, and all hashing is charged against [`Limits::decoded_bytes`], so hostile
//! lists cannot make this slow. Keeping results never changes them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ge::address::Address;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::{Memory, Version};
use crate::ge::opcode::Opcode;
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::texture::content_hash::{self, ContentHash};
use crate::pipeline::texture::{StoredRows, Texture};

/// Hashing is this many times faster than decoding, so it pays less of the limit.
const HASHED_PER_DECODED: u64 = 16;
/// How many results are kept at once.
const KEPT_MAX: usize = 1 << 16;

/// Computes hashes for textures and vertices, and keeps each until its memory changes.
#[derive(Debug)]
pub struct ContentHashes {
    kept: HashMap<Source, (Version, ContentHash)>,
    budget: Budget,
    /// The last palette, because successive draws mostly share it.
    palette: Option<KnownPalette>,
}

/// A palette with everything that decides its hash.
#[derive(Debug)]
struct KnownPalette {
    /// The arguments of the commands that select its entries.
    arguments: [u32; 3],
    colors: Arc<[u8; CLUT_BYTES]>,
    hash: Option<ContentHash>,
}

/// Where hashed bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Source {
    start: Address,
    /// How many rows there are, bytes in a row, and bytes from row to row.
    rows: [u32; 3],
}

impl ContentHashes {
    /// Creates an empty store within these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { kept: HashMap::new(), budget: Budget::new(limits, Limit::DecodedBytes), palette: None }
    }

    /// Returns the limit if it has prevented a hash.
    #[must_use]
    pub fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// Returns the hash for a texture level, or `None` beyond the limit.
    pub fn level(&mut self, memory: &Memory, level: &Texture) -> Option<ContentHash> {
        let StoredRows { count, bytes, stride } = level.stored_rows();
        let source = Source { start: level.address, rows: [count, bytes, stride] };
        self.get(memory, source, || content_hash::level(memory, level))
    }

    /// Returns the hash for all levels of the texture set by the registers, or `None` beyond the limit.
    pub fn texture(&mut self, memory: &Memory, registers: &Registers) -> Option<ContentHash> {
        let mut levels = content_hash::levels(registers);
        // A single level can use a kept hash. Several levels are hashed together, for which nothing is kept.
        if let (Some(only), None) = (levels.next(), levels.next()) {
            return self.level(memory, &only);
        }
        self.budget.spend(content_hash::bytes(registers) / HASHED_PER_DECODED).ok()?;
        Some(content_hash::texture(memory, registers))
    }

    /// Returns the hash for the palette set by the registers, or `None` if texels are colours.
    pub fn palette(&mut self, registers: &Registers) -> Option<ContentHash> {
        let arguments =
            [Opcode::TEXMODE, Opcode::TEXFORMAT, Opcode::CLUTFORMAT].map(|opcode| registers.argument(opcode));
        let colors = registers.shared_clut();
        // Copies of the registers mostly share palette memory, so comparing pointers first is fast.
        if let Some(known) = &self.palette
            && known.arguments == arguments
            && (Arc::ptr_eq(&known.colors, colors) || known.colors == *colors)
        {
            return known.hash;
        }
        let hash = content_hash::palette(registers);
        self.palette = Some(KnownPalette { arguments, colors: Arc::clone(colors), hash });
        hash
    }

    /// Returns the hash for `length` bytes, or `None` beyond the limit.
    pub fn range(&mut self, memory: &Memory, start: Address, length: u32) -> Option<ContentHash> {
        let source = Source { start, rows: [1, length, length] };
        self.get(memory, source, || match memory.slice(start, length as usize) {
            Some(bytes) => ContentHash::of(bytes),
            None => {
                let mut bytes = vec![0; length as usize];
                memory.read(start, &mut bytes);
                ContentHash::of(&bytes)
            }
        })
    }

    fn get(
        &mut self,
        memory: &Memory,
        source: Source,
        compute: impl FnOnce() -> ContentHash,
    ) -> Option<ContentHash> {
        let [count, bytes, stride] = source.rows.map(u64::from);
        let extent = count.saturating_sub(1).saturating_mul(stride).saturating_add(bytes);
        // Without a version, changes to these bytes could go unnoticed, so such a hash is not kept.
        let version = usize::try_from(extent).ok().and_then(|extent| memory.version(source.start, extent));
        if let Some(version) = version
            && let Some((kept, hash)) = self.kept.get(&source)
            && *kept == version
        {
            return Some(*hash);
        }
        self.budget.spend(count.saturating_mul(bytes) / HASHED_PER_DECODED).ok()?;
        let hash = compute();
        if let Some(version) = version {
            // Dropping all results at once is simpler than tracking their ages, and happens rarely.
            if self.kept.len() >= KEPT_MAX {
                self.kept.clear();
            }
            self.kept.insert(source, (version, hash));
        }
        Some(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_are_those_of_the_registers() {
        let mut hashes = ContentHashes::new(&Limits::default());
        let mut registers = Registers::with([(Opcode::TEXFORMAT, 4), (Opcode::CLUTFORMAT, 0xFF03)]);
        for (index, (opcode, argument)) in
            [(Opcode::TEXFORMAT, 5), (Opcode::CLUTFORMAT, 0x1_FF03), (Opcode::TEXFORMAT, 3)]
                .into_iter()
                .enumerate()
        {
            let expected = content_hash::palette(&registers);
            assert_eq!([hashes.palette(&registers), hashes.palette(&registers)], [expected; 2], "kept");
            registers.clut_mut().fill(u8::try_from(index).unwrap_or(0).wrapping_add(7));
            assert_eq!(hashes.palette(&registers), content_hash::palette(&registers), "other colours");
            registers.write(crate::ge::command::Command::new(opcode, argument));
        }
        assert_eq!(hashes.palette(&registers), None, "texels are colours");
    }

    #[test]
    fn unchanged_bytes_cost_nothing() {
        let mut memory = Memory::default();
        let start = Address::new(0x0880_0000);
        memory.write(start, &[7; 64]);
        let limits = Limits::default().with(Limit::DecodedBytes, 8);
        let mut hashes = ContentHashes::new(&limits);
        for _ in 0..5 {
            assert_eq!(hashes.range(&memory, start, 64), Some(ContentHash::of(&[7; 64])), "kept");
        }
        memory.write(start, &[8; 64]);
        assert_eq!(hashes.range(&memory, start, 64), Some(ContentHash::of(&[8; 64])), "computed anew");
        assert_eq!(hashes.limit_hit(), None, "64 bytes cost 4");
        memory.write(start, &[9; 64]);
        assert_eq!(hashes.range(&memory, start, 64), None, "the budget is spent");
        assert_eq!(hashes.limit_hit().map(|hit| hit.limit), Some(Limit::DecodedBytes), "and says so");
    }
}
