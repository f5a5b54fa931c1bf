//! The fast engine reads RAM and draws into VRAM.

use crate::ge::edram::Translation;
use crate::ge::memory::{Memory, Vram};

/// The parts of memory that a thread needs to draw.
#[derive(Debug)]
pub(in crate::raster) struct DrawMemory<'m> {
    pub(in crate::raster) ram: &'m [u8],
    pub(in crate::raster) vram: &'m mut Vram,
    pub(in crate::raster) translation: Translation,
}

impl<'m> DrawMemory<'m> {
    pub(in crate::raster) fn new(memory: &'m mut Memory) -> Self {
        let translation = memory.translation();
        let (ram, vram) = memory.ram_and_vram_mut();
        Self { ram, vram, translation }
    }
}
