//! Copies of texture bytes from the last flush of the sink, to tell later whether somebody has changed them since.

use super::footprint::line_bytes;
use crate::ge::address::Address;
use crate::ge::memory::{Memory, Version};
use crate::pipeline::texture::Texture;

#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    levels: Vec<LevelBytes>,
}

#[derive(Clone, Debug)]
struct LevelBytes {
    address: Address,
    bytes: Vec<u8>,
    version: Option<Version>,
}

impl Snapshot {
    pub(super) const fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.levels.clear();
    }

    /// Copies the bytes of mip levels, in place of all others.
    pub(super) fn take<'t>(&mut self, memory: &Memory, textures: impl Iterator<Item = &'t Texture>) {
        self.clear();
        for texture in textures {
            let (address, length) = (texture.address, line_bytes(texture) as usize);
            let is_known = |known: &LevelBytes| known.address == address && known.bytes.len() >= length;
            if !self.levels.iter().any(is_known) {
                self.levels.push(LevelBytes::read(memory, address, length));
            }
        }
    }

    /// Returns whether memory has other bytes now.
    pub(super) fn differs(&self, memory: &Memory) -> bool {
        self.levels.iter().any(|level| level.differs(memory))
    }

    /// Writes the bytes, and returns those that they replace.
    pub(super) fn restore(&self, memory: &mut Memory) -> Self {
        let replaced = |level: &LevelBytes| LevelBytes::read(memory, level.address, level.bytes.len());
        let replaced = Self { levels: self.levels.iter().map(replaced).collect() };
        for level in &self.levels {
            memory.write(level.address, &level.bytes);
        }
        replaced
    }
}

impl LevelBytes {
    fn read(memory: &Memory, address: Address, length: usize) -> Self {
        let mut bytes = vec![0; length];
        memory.read(address, &mut bytes);
        Self { address, bytes, version: memory.version(address, length) }
    }

    fn differs(&self, memory: &Memory) -> bool {
        let version = memory.version(self.address, self.bytes.len());
        if version.is_some() && version == self.version {
            return false;
        }
        Self::read(memory, self.address, self.bytes.len()).bytes != self.bytes
    }
}
