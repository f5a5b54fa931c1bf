//! Tracks VRAM as a replay of the recording would have it, to find changes that the list did not make.

use std::ops::Range;

use crate::ge::address::{Address, VRAM_BASE, VRAM_SIZE, VramView};
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::Corner;
use crate::pipeline::framebuffer::DepthSurface;

/// Block size to compare VRAM, in bytes. In a block, all bytes from the first to the last change count as changed.
const BLOCK: usize = 256;
/// Bytes in a depth value.
const DEPTH_BYTES: u32 = 2;

/// A copy of VRAM, to find bytes changed by the host and not by the list.
#[derive(Clone)]
pub(super) struct VramCopy {
    bytes: Box<[u8]>,
}

impl VramCopy {
    /// Creates a copy for the start of a replay, where VRAM is zeroed.
    pub(super) fn zeroed() -> Self {
        Self { bytes: vec![0; VRAM_SIZE as usize].into() }
    }

    /// Copies VRAM after the list has drawn, because a replay draws the same bytes.
    pub(super) fn follow(&mut self, memory: &Memory) {
        if memory.vram().len() == self.bytes.len() {
            self.bytes.copy_from_slice(memory.vram());
        }
    }

    /// Forgets the replay's bytes, so that [`Self::take_changes`] lists all.
    pub(super) fn forget(&mut self, memory: &Memory) {
        for (known, now) in self.bytes.iter_mut().zip(memory.vram()) {
            *known = !*now;
        }
    }

    /// Lists the ranges in which memory differs, and takes over its bytes. Without VRAM there are none.
    pub(super) fn take_changes(&mut self, memory: &Memory) -> Vec<Range<usize>> {
        let mut changes: Vec<Range<usize>> = Vec::new();
        let blocks = self.bytes.chunks_mut(BLOCK).zip(memory.vram().chunks(BLOCK));
        for ((known, now), start) in blocks.zip((0..).step_by(BLOCK)) {
            if known == now {
                continue;
            }
            let differs = |(known, now): (&u8, &u8)| known != now;
            let first = known.iter().zip(now).position(differs).or_never("the blocks differ");
            let last = known.iter().zip(now).rposition(differs).unwrap_or(first);
            known.copy_from_slice(now);
            let changed = start + first..start + last + 1;
            match changes.last_mut() {
                Some(before) if before.end == changed.start => before.end = changed.end,
                _ => changes.push(changed),
            }
        }
        changes
    }
}

/// Cuts a range of VRAM into parts for a replay to write, each with its address. A host whose views all show VRAM in
/// the same order keeps its depth buffer in rows, but a replay keeps it in hardware order. Therefore depth is
/// written by the view that shows it in rows.
pub(super) fn replay_places(
    range: Range<usize>,
    memory: &Memory,
    registers: &Registers,
) -> impl Iterator<Item = (Address, Range<usize>)> {
    let (depth, view) = linear_depth(memory, registers);
    let cut = |at: usize| at.clamp(range.start, range.end);
    let (start, end) = (cut(depth.start), cut(depth.end));
    [(range.start..start, VRAM_BASE), (start..end, view), (end..range.end, VRAM_BASE)]
        .into_iter()
        .filter(|(part, _)| !part.is_empty())
        .map(|(part, base)| (Address::new(base.saturating_add(number(part.start))), part))
}

/// Returns the depth buffer's bytes and the start of the view that shows them in rows, if the host keeps it in rows.
fn linear_depth(memory: &Memory, registers: &Registers) -> (Range<usize>, u32) {
    let DepthSurface { address, stride, view } = DepthSurface::from_registers(registers);
    let rows = u32::from(registers.view::<Corner>(Opcode::SCISSOR2).y).saturating_add(1);
    let end = stride.saturating_mul(rows).saturating_mul(DEPTH_BYTES).saturating_add(address);
    let base = match view {
        VramView::Depth16 => VRAM_BASE | 0x20_0000,
        VramView::Depth32 => VRAM_BASE | 0x60_0000,
        VramView::Linear => VRAM_BASE,
    };
    if memory.translation() == Translation::Linear {
        (address as usize..end.min(VRAM_SIZE) as usize, base)
    } else {
        (0..0, base)
    }
}

fn number(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_once_and_joined() {
        let (mut copy, mut memory) = (VramCopy::zeroed(), Memory::default());
        memory.vram_mut()[200..300].fill(1);
        memory.vram_mut()[1000] = 2;
        assert_eq!(copy.take_changes(&memory), [200..300, 1000..1001], "joined over blocks");
        assert!(copy.take_changes(&memory).is_empty(), "once");
        copy.forget(&memory);
        let all: usize = copy.take_changes(&memory).into_iter().map(|range| range.len()).sum();
        assert_eq!(all, VRAM_SIZE as usize, "everything");
    }
}
