//! Keeps the last transform for the next draw to use, if no register has changed in between.
//!
//! This pays because most draws in games differ from the draw before only in their vertex address.

use crate::ge::arithmetic::Real;
use crate::ge::registers::Registers;
use crate::ge::registers::draw_state::DrawState;
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::zero_normal::ZeroNormal;

/// Takes vertices from memory to clip space, for a fixed register state.
#[derive(Clone, Debug)]
pub(super) struct DrawTransform<R> {
    pub(super) source: ModelVertices<R>,
    pub(super) transform: Transform<R>,
}

impl<R: Real> DrawTransform<R> {
    fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
        let transform = Transform::new(registers, zero_normal);
        let source = ModelVertices::new(registers);
        let source = if transform.uses_normals() { source } else { source.without_normals() };
        Self { source, transform }
    }
}

/// The last draw's [`DrawTransform`], if any.
#[derive(Debug, Default)]
pub(super) struct TransformCache<R>(Option<Last<R>>);

/// A transform, and the state for which it was computed.
#[derive(Debug)]
struct Last<R> {
    state: DrawState,
    zero_normal: ZeroNormal,
    transform: DrawTransform<R>,
}

impl<R: Real> TransformCache<R> {
    /// Returns the transform for these registers, as [`Transform::new`] and [`ModelVertices::new`] would.
    pub(super) fn get(&mut self, registers: &Registers, zero_normal: ZeroNormal) -> &DrawTransform<R> {
        if self.0.as_ref().is_some_and(|last| last.zero_normal != zero_normal || !last.state.is_of(registers))
        {
            self.0 = None;
        }
        let last = self.0.get_or_insert_with(|| Last {
            state: DrawState::of(registers),
            zero_normal,
            transform: DrawTransform::new(registers, zero_normal),
        });
        &last.transform
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Matrix;

    /// After each change to a register or matrix, the cache gives the same as a new transform.
    #[test]
    fn follows_every_change_of_state() {
        let mut registers = Registers::new();
        let mut cache = TransformCache::<f32>::default();
        let text = |transform: &DrawTransform<f32>| format!("{transform:?}");
        let mut changes = 0;
        let switches =
            [Opcode::LIGHTINGENABLE, Opcode::LIGHTENABLE0, Opcode::LIGHTENABLE1, Opcode::FOGENABLE];
        let matrices = Matrix::ALL.map(Matrix::data_opcode);
        let opcodes = switches.into_iter().chain(Opcode::all()).chain(matrices);
        for opcode in opcodes {
            let before = text(cache.get(&registers, ZeroNormal::Zero));
            registers.write(Command::new(opcode, 0x3F_8003));
            let after = text(cache.get(&registers, ZeroNormal::Zero));
            assert_eq!(after, text(&DrawTransform::new(&registers, ZeroNormal::Zero)), "{opcode}");
            changes += usize::from(after != before);
        }
        assert!(changes > 30, "only {changes} registers count");
        let other = text(cache.get(&registers, ZeroNormal::Positive));
        assert_eq!(other, text(&DrawTransform::new(&registers, ZeroNormal::Positive)), "another zero normal");
    }
}
