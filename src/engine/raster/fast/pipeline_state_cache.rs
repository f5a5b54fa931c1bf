//! Keeps the previous draw's state. Most draws change only vertices, matrices and lights, so they can share it.

use std::ops::Range;
use std::sync::Arc;

use super::pipeline_state::PipelineState;
use super::pixels::pixel_state::DrawMode;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{CLUT_BYTES, Registers};

/// The registers on which a pipeline state depends, as opcode ranges. The most changeable come first, so that a
/// comparison ends early.
const STATE_REGISTERS: [(Opcode, Opcode); 9] = [
    (Opcode::TEXADDR0, Opcode::TEXBUFWIDTH7),
    (Opcode::TEXMODE, Opcode::TEXFORMAT),
    (Opcode::CLUTFORMAT, Opcode::TEXENVCOLOR),
    (Opcode::TEXSIZE0, Opcode::TEXSIZE7),
    (Opcode::FOGCOLOR, Opcode::MASKALPHA),
    (Opcode::TEXENABLE, Opcode::LOGICOPENABLE),
    (Opcode::LIGHTMODE, Opcode::LIGHTMODE),
    (Opcode::FRAMEBUFPTR, Opcode::ZBUFWIDTH),
    (Opcode::REGION1, Opcode::REGION2),
];

/// The last draw's state, and everything from which it was decoded.
#[derive(Debug, Default)]
pub(in crate::raster) struct PipelineStateCache {
    /// The words in all registers.
    words: Vec<u32>,
    clut: Option<Arc<[u8; CLUT_BYTES]>>,
    mode: Option<DrawMode>,
    translation: Translation,
    state: Option<Arc<PipelineState>>,
}

impl PipelineStateCache {
    /// Returns the last draw's state if a draw with these registers has the same.
    pub(in crate::raster) fn look_up(
        &self,
        memory: &Memory,
        registers: &Registers,
        mode: DrawMode,
    ) -> Option<Arc<PipelineState>> {
        let state = self.state.as_ref().filter(|_| self.mode == Some(mode))?;
        let same_registers = STATE_REGISTERS.iter().all(|range| {
            let range = words_of(range);
            registers.words().get(range.clone()) == self.words.get(range)
        });
        let same_clut = || self.clut.as_ref().is_some_and(|clut| Arc::ptr_eq(clut, registers.shared_clut()));
        let is_same = same_registers
            && same_clut()
            && self.translation == memory.translation()
            && state.is_current(memory);
        is_same.then(|| Arc::clone(state))
    }

    pub(in crate::raster) fn keep(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        mode: DrawMode,
        state: &Arc<PipelineState>,
    ) {
        self.words.clear();
        self.words.extend_from_slice(registers.words());
        self.clut = Some(Arc::clone(registers.shared_clut()));
        self.mode = Some(mode);
        self.translation = memory.translation();
        self.state = Some(Arc::clone(state));
    }
}

/// Returns the positions of these registers in the register file.
fn words_of((first, last): &(Opcode, Opcode)) -> Range<usize> {
    usize::from(first.code())..usize::from(last.code()) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::command::Command;
    use crate::raster::fast::ClutTableCache;

    const MODE: DrawMode = DrawMode { through: false, arithmetic: Arithmetic::Hardware };

    fn state(memory: &Memory, registers: &Registers, mode: DrawMode) -> Arc<PipelineState> {
        PipelineState::new(memory, registers, mode, &mut ClutTableCache::default()).expect("it has a scissor")
    }

    /// Registers in which all stages are on.
    fn registers() -> Registers {
        let mut registers = Registers::with([
            (Opcode::SCISSOR2, 100 | 100 << 10),
            (Opcode::REGION2, 0xF_FFFF),
            (Opcode::FRAMEBUFWIDTH, 512),
            (Opcode::ZBUFPTR, 0x10_0000),
            (Opcode::ZBUFWIDTH, 512),
            (Opcode::TEXMODE, 7 << 16),
            (Opcode::TEXFORMAT, 5),
            (Opcode::MAXZ, 0xFFFE),
            (Opcode::LIGHTMODE, 1),
        ]);
        for code in Opcode::TEXENABLE.code()..=Opcode::LOGICOPENABLE.code() {
            registers.write(Command::new(Opcode::new(code), 1));
        }
        for level in 0..8 {
            registers.write(Command::new(Opcode::TEXBUFWIDTH0.plus(level), 0x08_0010));
        }
        registers
    }

    #[test]
    fn knows_all_registers_that_states_depend_on() {
        let memory = Memory::default();
        let plain = registers();
        let mut cache = PipelineStateCache::default();
        let kept = state(&memory, &plain, MODE);
        cache.keep(&memory, &plain, MODE, &kept);
        assert!(cache.look_up(&memory, &plain, MODE).is_some(), "same registers");
        let mut hits = 0;
        for opcode in Opcode::all() {
            for bit in 0..24 {
                let mut changed = plain.clone();
                changed.write(Command::new(opcode, plain.argument(opcode) ^ 1 << bit));
                if cache.look_up(&memory, &changed, MODE).is_some() {
                    let changed = state(&memory, &changed, MODE);
                    assert_eq!(format!("{changed:?}"), format!("{kept:?}"), "bit {bit} of {opcode}");
                    hits += 1;
                }
            }
        }
        assert!(hits > 24 * 128, "matrices and lights do not count");
    }

    #[test]
    fn notices_other_changes() {
        let mut memory = Memory::default();
        let plain = registers();
        let mut cache = PipelineStateCache::default();
        cache.keep(&memory, &plain, MODE, &state(&memory, &plain, MODE));
        let through = DrawMode { through: true, ..MODE };
        assert!(cache.look_up(&memory, &plain, through).is_none(), "through mode");
        let single = DrawMode { arithmetic: Arithmetic::Single, ..MODE };
        assert!(cache.look_up(&memory, &plain, single).is_none(), "another arithmetic");
        let mut loaded = plain.clone();
        loaded.clut_mut()[0] = 1;
        assert!(cache.look_up(&memory, &loaded, MODE).is_none(), "another palette");
        memory.write(Address::new(0x0800_0000), &[1]);
        assert!(cache.look_up(&memory, &plain, MODE).is_none(), "other texels");
    }
}
