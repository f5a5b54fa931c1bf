//! Saves and restores an interpreter: its list flow, or all of its state.

use super::flow::FlowState;
use super::saved_state::{SavedScreenVertex, SavedState, SavedStateError, SavedVertex};
use super::{ImmediateAssembler, Interpreter};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::saved::SavedRegisters;
use crate::ge::registers::surface::ImmediateVertex;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::draw::CarriedState;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::vertex::LastAttributes;

impl Interpreter {
    /// Returns the next word's address.
    #[must_use]
    pub const fn pc(&self) -> Address {
        self.flow.pc
    }

    /// Returns the list flow, to save or show it.
    #[must_use]
    pub fn flow_state(&self) -> FlowState {
        self.flow.clone()
    }

    /// Replaces the list flow. This aligns addresses to words.
    pub fn set_flow_state(&mut self, state: &FlowState) {
        self.flow = FlowState { pc: state.pc.align_down(4), ..state.clone() };
        for frame in &mut self.flow.stack {
            frame.pc = frame.pc.align_down(4);
            frame.base = frame.base.map(|argument| argument & 0xFF_FFFF);
        }
    }

    /// Copies all state that lists depend on, to restore it later. This leaves out counts, notes, overrides and the
    /// arithmetic.
    #[must_use]
    pub fn save(&self) -> SavedState {
        let CarriedState { last, zero_normal, primitive, vertices, reversed } = &self.carried;
        SavedState {
            registers: SavedRegisters::new(&self.registers),
            flow: self.flow_state(),
            last_texcoord: last.texcoord.map(f32::to_bits),
            last_normal: last.normal.map(f32::to_bits),
            zero_normal: match zero_normal {
                ZeroNormal::Positive => 1,
                ZeroNormal::Negative => -1,
                ZeroNormal::Zero => 0,
            },
            primitive: primitive.number(),
            is_reversed: *reversed,
            vertices: vertices.iter().map(SavedVertex::new).collect(),
            immediate_start: self.immediate.first.to(Opcode::VAP).argument(),
            immediate_is_reversed: self.immediate.reversed,
            immediate_vertices: self.immediate.leftover.iter().map(SavedScreenVertex::new).collect(),
        }
    }

    /// Replaces all state that lists depend on.
    ///
    /// # Errors
    /// If no interpreter can have this state. The old state then stays.
    pub fn restore(&mut self, saved: &SavedState) -> Result<(), SavedStateError> {
        let registers = saved.registers.restore()?;
        let carried = CarriedState {
            last: LastAttributes {
                texcoord: saved.last_texcoord.map(f32::from_bits),
                normal: saved.last_normal.map(f32::from_bits),
            },
            zero_normal: match saved.zero_normal {
                1 => ZeroNormal::Positive,
                -1 => ZeroNormal::Negative,
                0 => ZeroNormal::Zero,
                other => return Err(SavedStateError::ZeroNormal(other)),
            },
            primitive: PrimitiveType::from_number(saved.primitive & 7),
            vertices: saved.vertices.iter().map(SavedVertex::restore).collect::<Result<_, _>>()?,
            reversed: saved.is_reversed,
        };
        let immediate = ImmediateAssembler {
            first: ImmediateVertex::from_argument(Command::from_word(saved.immediate_start).argument()),
            leftover: saved
                .immediate_vertices
                .iter()
                .map(SavedScreenVertex::restore)
                .collect::<Result<_, _>>()?,
            reversed: saved.immediate_is_reversed,
        };
        *self.registers_mut() = registers;
        self.carried = carried;
        self.immediate = immediate;
        self.set_flow_state(&saved.flow);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::limits::Limits;
    use crate::ge::memory::Memory;
    use crate::ge::registers::Registers;
    use crate::raster::{RasterOptions, Rasterizer};
    use crate::run::interpreter::Ending;
    use crate::run::sink::NullObserver;

    /// Two halves of a strip, two halves of an immediate strip, and matrices, with a signal to pause in the middle.
    const LIST: &str = "
        FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
        BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
        PRIM primitive=TRIANGLE_STRIP count=3
        VSCX 0x8000 | VSCY 0x8000 | VAP primitive=TRIANGLE_STRIP
        VSCX 0x8100 | VSCY 0x8000 | VAP primitive=CONTINUE
        WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1.0 | WORLDMATRIXDATA 2.0
        SIGNAL behavior=HANDLER_PAUSE | END | FINISH | END
        PRIM primitive=CONTINUE count=1
        VSCX 0x8000 | VSCY 0x8100 | VAP primitive=CONTINUE
        FINISH | END
    .align 4
    corners:
        .rgba #ff0000ff | .s16 20 20 0 | .align 4
        .rgba #ff00ffff | .s16 60 20 0 | .align 4
        .rgba #ffff00ff | .s16 20 60 0 | .align 4
        .rgba #00ff00ff | .s16 60 60 0 | .align 4
    ";

    /// Runs the list. If this `changes` the interpreter at the pause, another goes on with the saved state.
    fn draw(changes: bool) -> (Vec<u8>, SavedState) {
        let program = assemble(LIST).expect("a correct list");
        let mut memory: Memory = program.capture().memory;
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let mut raster = Rasterizer::new(RasterOptions::default());
        let limits = Limits::default();
        let observer = &mut NullObserver;
        let report = interpreter.run(&mut memory, program.entry, &mut raster, observer, &limits);
        assert_eq!(report.ending, Ending::Paused, "{:?}", report.notes);
        let saved = interpreter.save();
        if changes {
            interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
            assert_ne!(interpreter.save(), saved, "another state");
            interpreter.restore(&saved).expect("a possible state");
            assert_eq!(interpreter.save(), saved, "the same state");
        }
        let report = interpreter.resume(&mut memory, &mut raster, observer, &limits);
        assert_eq!(report.ending, Ending::Finished, "{:?}", report.notes);
        (memory.vram().to_vec(), saved)
    }

    #[test]
    fn restored_interpreter_draws_the_same() {
        let (expected, saved) = draw(false);
        assert!(saved.vertices.len() == 2 && saved.immediate_vertices.len() == 2, "unfinished: {saved:?}");
        let pixel = |x: usize, y: usize| expected.get((y * 64 + x) * 4..).and_then(<[u8]>::first_chunk::<4>);
        assert!(pixel(55, 55).is_some_and(|pixel| *pixel != [0; 4]), "the second half of the strip is drawn");
        assert!(draw(true).0 == expected, "the same bytes of VRAM");
    }

    #[test]
    fn impossible_states_are_errors() {
        let (_, saved) = draw(false);
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let before = interpreter.save();
        let wrong_sign = SavedState { zero_normal: 2, ..saved.clone() };
        assert_eq!(interpreter.restore(&wrong_sign), Err(SavedStateError::ZeroNormal(2)), "a sign");
        let mut far = saved;
        if let Some(vertex) = far.immediate_vertices.first_mut() {
            vertex.x = 0x1_0000;
        }
        let error = SavedStateError::Position { x: 0x1_0000, y: 0 };
        assert_eq!(interpreter.restore(&far), Err(error), "a position");
        assert_eq!(interpreter.save(), before, "nothing has changed");
    }
}
