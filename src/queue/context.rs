//! Saves and restores contexts in memory.
//!
//! Source: [saved context](crate::reference::ge::lists#saved-context).

use super::machine::Machine;
use crate::ge::address::{Address, Region};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::context::{CONTEXT_BYTES, REGISTER_WORDS, save_context};
use crate::pipeline::texture::palette;
use crate::run::interpreter::{CallFrame, FlowState};
use crate::run::sink::Sink;
use crate::run::watch::Watch;

/// The words of a saved context.
const WORDS: usize = CONTEXT_BYTES as usize / 4;
/// How many words before the registers are saved.
const FLOW_WORDS: usize = 10;
/// The position of the first register.
const FIRST_REGISTER: usize = 17;
/// Its offset in bytes.
const REGISTERS_OFFSET: u32 = 17 * 4;

/// In the execution flags: the last BBOX was visible.
const BOX_VISIBLE: u32 = 1 << 1;
/// In the execution flags: one CALL is open, or two.
const CALL_DEPTHS: [u32; 3] = [0, 0x100, 0x200];

/// Returns the register with the GE's execution flags, while the GE does not run.
pub(super) fn execution_flags(flow: &FlowState) -> u32 {
    let depth = CALL_DEPTHS.get(flow.stack.len()).or(CALL_DEPTHS.last()).copied().unwrap_or(0);
    depth | if flow.box_visible { BOX_VISIBLE } else { 0 }
}

/// Returns whether the last BBOX was visible, from the execution flags.
pub(super) const fn is_box_visible(flags: u32) -> bool {
    flags & BOX_VISIBLE != 0
}

/// Returns the return addresses of the first two CALLs, and their offsets.
pub(super) fn return_registers(flow: &FlowState) -> [u32; 4] {
    let frame = |level: usize| flow.stack.get(level).map_or((0, 0), |frame| (frame.pc.get(), frame.offset));
    let ((pc1, offset1), (pc2, offset2)) = (frame(0), frame(1));
    [pc1, pc2, offset1, offset2]
}

/// Returns whether the kernel takes an address for memory: the scratchpad, VRAM, or anything from main RAM on.
fn is_memory(address: Address) -> bool {
    address.region() != Region::Unmapped || address.get() >> 27 == 1
}

impl<S: Sink, W: Watch<S>> Machine<'_, S, W> {
    /// Saves registers, matrices and list flow. Words that the kernel does not write keep their values.
    pub(super) fn save_context(&mut self, at: Address) {
        let flow = self.flow();
        let [return1, return2, offset1, offset2] = return_registers(&flow);
        let flow_words: [u32; FLOW_WORDS] = [
            execution_flags(&flow),
            flow.pc.get(),
            flow.stall.map_or(0, Address::get),
            return1,
            return2,
            flow.vertices.get(),
            flow.indices.get(),
            flow.offset,
            offset1,
            offset2,
        ];
        self.write(at, &flow_words);
        let saved = save_context(self.interpreter.registers());
        let words = saved.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        let mut registers: Vec<u32> = words.skip(FIRST_REGISTER).collect();
        let is_end = |word: &u32| Command::from_word(*word).opcode() == Opcode::END;
        let end = registers.iter().position(is_end).unwrap_or(registers.len());
        registers.truncate(end.saturating_add(1));
        if is_memory(palette::source(self.interpreter.registers())) {
            let load = self.interpreter.registers().command(Opcode::LOADCLUT);
            registers.insert(REGISTER_WORDS, load.word());
        }
        self.write(at.offset(REGISTERS_OFFSET), &registers);
    }

    /// Restores what [`Self::save_context`] has saved. The registers are executed as a list, so that a LOADCLUT among them
    /// loads the palette again.
    pub(super) fn restore_context(&mut self, at: Address) {
        let words: [u32; WORDS] = self.words(at);
        for word in words.into_iter().skip(FIRST_REGISTER) {
            self.execute(word);
            if Command::from_word(word).opcode() == Opcode::END {
                break;
            }
        }
        let [flags, pc, stall, return1, return2, vertices, indices, offset, offset1, offset2, ..] = words;
        let calls = [(return1, offset1), (return2, offset2)];
        let depth = CALL_DEPTHS.iter().rposition(|depth| flags & depth != 0).unwrap_or(0);
        self.set_flow(|flow| {
            *flow = FlowState {
                pc: Address::new(pc),
                stall: (stall != 0).then(|| Address::new(stall)),
                offset,
                vertices: Address::new(vertices),
                indices: Address::new(indices),
                box_visible: is_box_visible(flags),
                stack: calls
                    .into_iter()
                    .take(depth)
                    .map(|(pc, offset)| CallFrame { pc: Address::new(pc), offset, base: None })
                    .collect(),
                ..FlowState::default()
            };
        });
    }
}
