//! Contexts as the firmware saves and restores them: registers, matrices and list flow as 512 words.
//!
//! Source: [saved context](crate::reference::ge::lists#saved-context).

use super::{CallFrame, FlowState, Interpreter};
use crate::ge::address::{Address, Region};
use crate::ge::command::Command;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::context::{
    CONTEXT_WORDS, FIRST as FIRST_REGISTER, firmware_words, palette_load, restore_into,
};
use crate::pipeline::texture::palette;
use crate::run::sink::{NullObserver, Sink};

/// How many words a context has before the registers.
const FLOW_WORDS: usize = 10;

/// This execution flag says that the last BBOX was visible.
const BOX_VISIBLE: u32 = 1 << 1;
/// The execution flags for no, one and two open CALLs.
const CALL_DEPTHS: [u32; 3] = [0, 0x100, 0x200];

impl Interpreter {
    /// Lists the context parts that the firmware writes, each with its first word's number and its words. All other
    /// words stay as they are (hardware test `gpu/ge/context`).
    #[must_use]
    pub fn context_parts(&self) -> [(usize, Vec<u32>); 2] {
        let flow = &self.flow;
        let [return1, return2, offset1, offset2] = flow.return_registers();
        let flow_words: [u32; FLOW_WORDS] = [
            flow.execution_flags(),
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
        let is_loadable = is_memory(palette::source(&self.registers));
        [(0, flow_words.to_vec()), (FIRST_REGISTER, firmware_words(&self.registers, is_loadable))]
    }

    /// Executes a context's words up to END, as the firmware does to restore it: registers not in these words stay,
    /// and a LOADCLUT among the words loads the palette. Returns the context's list flow, which does not take
    /// effect here.
    pub(crate) fn restore_context(
        &mut self,
        words: &[u32; CONTEXT_WORDS],
        memory: &mut Memory,
        sink: &mut impl Sink,
        limits: &Limits,
    ) -> FlowState {
        for word in words.iter().skip(FIRST_REGISTER) {
            let command = Command::from_word(*word);
            self.execute(memory, command, sink, &mut NullObserver, limits);
            if command.opcode() == Opcode::END {
                break;
            }
        }
        FlowState::from_context(words)
    }

    /// Restores the registers from a context of any origin, including old recorders. This has the same effects as
    /// the firmware's way: registers not in the context stay, a LOADCLUT loads the palette, and the texture cache
    /// is empty. But each word only gives the argument for the register that belongs to its place, because old
    /// recorders saved raw floats. Returns the context's list flow, which does not take effect here.
    pub fn restore_registers(
        &mut self,
        words: &[u32; CONTEXT_WORDS],
        memory: &mut Memory,
        sink: &mut impl Sink,
    ) -> FlowState {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        restore_into(&mut self.registers, &bytes);
        sink.flush_textures();
        if let Some(load) = palette_load(&bytes) {
            self.execute(memory, load, sink, &mut NullObserver, &Limits::none());
        }
        FlowState::from_context(words)
    }
}

impl FlowState {
    /// Returns the GE's execution flags as they read while the GE does not run.
    pub(crate) fn execution_flags(&self) -> u32 {
        let depth = CALL_DEPTHS.get(self.stack.len()).or(CALL_DEPTHS.last()).copied().unwrap_or(0);
        depth | if self.box_visible { BOX_VISIBLE } else { 0 }
    }

    /// Whether the last BBOX was visible, according to these execution flags.
    pub(crate) const fn is_box_visible(flags: u32) -> bool {
        flags & BOX_VISIBLE != 0
    }

    /// Returns the first two CALLs' return addresses, then their offsets.
    pub(crate) fn return_registers(&self) -> [u32; 4] {
        let frame =
            |level: usize| self.stack.get(level).map_or((0, 0), |frame| (frame.pc.get(), frame.offset));
        let ((pc1, offset1), (pc2, offset2)) = (frame(0), frame(1));
        [pc1, pc2, offset1, offset2]
    }

    /// Reads the list flow from a context's first words.
    fn from_context(words: &[u32; CONTEXT_WORDS]) -> Self {
        let [flags, pc, stall, return1, return2, vertices, indices, offset, offset1, offset2, ..] = *words;
        let calls = [(return1, offset1), (return2, offset2)];
        let depth = CALL_DEPTHS.iter().rposition(|depth| flags & depth != 0).unwrap_or(0);
        Self {
            pc: Address::new(pc),
            stall: (stall != 0).then(|| Address::new(stall)),
            offset,
            vertices: Address::new(vertices),
            indices: Address::new(indices),
            box_visible: Self::is_box_visible(flags),
            stack: calls
                .into_iter()
                .take(depth)
                .map(|(pc, offset)| CallFrame { pc: Address::new(pc), offset, base: None })
                .collect(),
            ..Self::default()
        }
    }
}

/// Whether the kernel takes an address for memory: the scratchpad, VRAM, or anything from main RAM on.
fn is_memory(address: Address) -> bool {
    address.region() != Region::Unmapped || address.get() >> 27 == 1
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::context::save_context;
    use crate::ge::registers::{Matrix, Registers};
    use crate::run::sink::NullSink;

    fn interpreter(settings: &[(Opcode, u32)]) -> Interpreter {
        Interpreter::new(Registers::with(settings.iter().copied()), Arithmetic::Hardware)
    }

    fn context(interpreter: &Interpreter) -> [u32; CONTEXT_WORDS] {
        let mut words = [0x5555_5555; CONTEXT_WORDS];
        for (first, part) in interpreter.context_parts() {
            words[first..first + part.len()].copy_from_slice(&part);
        }
        words
    }

    #[test]
    fn firmware_leaves_words_alone() {
        let plain = context(&interpreter(&[]));
        let untouched = |words: &[u32]| (0..words.len()).filter(|at| words[*at] == 0x5555_5555).collect();
        let expected: Vec<usize> = (10..17).chain(385..512).collect();
        assert_eq!(expected, Vec::from_iter::<Vec<usize>>(untouched(&plain)), "without a palette");
        let loads = context(&interpreter(&[(Opcode::CLUTADDRUPPER, 0x08_0000), (Opcode::LOADCLUT, 3)]));
        let expected: Vec<usize> = (10..17).chain(386..512).collect();
        assert_eq!(expected, Vec::from_iter::<Vec<usize>>(untouched(&loads)), "with a palette: word 386");
        assert_eq!(loads[17 + 209], 0xC400_0003, "LOADCLUT after the registers");
    }

    #[test]
    fn contexts_hold_the_matrices_that_the_cpu_sees() {
        let written = [(Opcode::WORLDMATRIXNUMBER, 13), (Opcode::WORLDMATRIXDATA, 7)];
        let saved = context(&interpreter(&written));
        assert_eq!(saved[336 + 1 + 1], 0x3D00_0007, "world 13 is view 1");
    }

    #[test]
    fn registers_that_a_context_lacks_stay() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x0880_0000), &[9; 64]);
        let limits = Limits::default();
        let mut saved = interpreter(&[
            (Opcode::ALPHATEST, 7),
            (Opcode::CLUTADDR, 0x80_0000),
            (Opcode::CLUTADDRUPPER, 0x08_0000),
            (Opcode::LOADCLUT, 1),
        ]);
        saved.set_flow_state(&FlowState { vertices: Address::new(0x0890_0000), ..FlowState::default() });
        let mut current = interpreter(&[(Opcode::TRANSFERSTART, 1), (Opcode::ALPHATEST, 1)]);
        let flow = FlowState { pc: Address::new(0x0840_0000), offset: 5, ..FlowState::default() };
        current.set_flow_state(&flow);
        let words = context(&saved);
        let mut executed = current.clone();
        let restored = current.restore_registers(&words, &mut memory, &mut NullSink);
        assert_eq!(restored.vertices, Address::new(0x0890_0000), "the flow of the context");
        assert_eq!(current.flow_state(), flow, "the list stays");
        let registers = current.registers();
        assert_eq!(registers.argument(Opcode::ALPHATEST), 7, "a saved register");
        assert_eq!(registers.argument(Opcode::TRANSFERSTART), 1, "a register that no context holds");
        assert_eq!(registers.clut()[31..33], [9, 0], "the palette is loaded again");
        assert_eq!(executed.restore_context(&words, &mut memory, &mut NullSink, &limits), restored, "flow");
        assert!(executed.registers() == registers, "executing the words does the same");
        // A recorder's old context: raw floats, and no END.
        let mut old = [0; CONTEXT_WORDS];
        let current_words = save_context(saved.registers());
        for (word, bytes) in old.iter_mut().zip(current_words.as_chunks().0).take(17 + 209) {
            *word = u32::from_le_bytes(*bytes);
        }
        old[17 + 209 + 5 + 96] = 0x3F80_0000;
        current.registers_mut().write(Command::new(Opcode::ALPHATEST, 1));
        current.restore_registers(&old, &mut memory, &mut NullSink);
        let registers = current.registers();
        assert_eq!(registers.argument(Opcode::ALPHATEST), 7, "a saved register");
        assert_eq!(registers.argument(Opcode::TRANSFERSTART), 1, "a register that no context holds");
        assert_eq!(registers.matrix(Matrix::World)[0].to_bits(), 0x3F_8000, "a matrix");
    }
}
