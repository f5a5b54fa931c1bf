//! Registers as plain data, to save and restore all registers. A [saved context](super::context) holds fewer.

use super::{CLUT_BYTES, MATRIX_ELEMENTS, Registers};
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// Everything in [`Registers`], including palette memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SavedRegisters {
    /// The last argument written to each register, in opcode order.
    arguments: Vec<u32>,
    /// The matrix elements for drawing, 24 bits each.
    matrices: Vec<u32>,
    /// The matrix elements for the CPU to read back, 24 bits each.
    visible: Vec<u32>,
    clut: Vec<u8>,
}

/// Why saved registers cannot be restored: no machine can have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedRegistersError {
    /// A part has too many or too few elements.
    #[error("the saved {part} have {count} elements, not {expected}")]
    Count {
        /// The part.
        part: &'static str,
        /// How many elements it has.
        count: usize,
        /// How many it must have.
        expected: usize,
    },
    /// A value has more than 24 bits.
    #[error("a saved value has more than 24 bits: 0x{0:08x}")]
    Value(u32),
}

impl SavedRegisters {
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Self {
        let bits = |elements: &[Float24]| elements.iter().map(|element| element.to_bits()).collect();
        Self {
            arguments: Opcode::all().map(|opcode| registers.argument(opcode)).collect(),
            matrices: bits(&registers.matrices),
            visible: bits(&registers.visible),
            clut: registers.clut.to_vec(),
        }
    }

    /// Turns this data back into registers.
    ///
    /// # Errors
    /// Fails if no machine can have these registers, because the data was changed.
    pub(crate) fn restore(&self) -> Result<Registers, SavedRegistersError> {
        let Self { arguments, matrices, visible, clut } = self;
        for (part, count, expected) in [
            ("registers", arguments.len(), 256),
            ("matrices", matrices.len(), MATRIX_ELEMENTS),
            ("matrices for the CPU", visible.len(), MATRIX_ELEMENTS),
            ("bytes of palette memory", clut.len(), CLUT_BYTES),
        ] {
            if count != expected {
                return Err(SavedRegistersError::Count { part, count, expected });
            }
        }
        if let Some(value) =
            [arguments, matrices, visible].into_iter().flatten().find(|value| **value > 0xFF_FFFF)
        {
            return Err(SavedRegistersError::Value(*value));
        }
        let mut registers = Registers::new();
        registers.set_words(arguments);
        for (elements, saved) in [(&mut registers.matrices, matrices), (&mut registers.visible, visible)] {
            for (element, bits) in elements.iter_mut().zip(saved) {
                *element = Float24::from_bits(*bits);
            }
        }
        registers.clut_mut().copy_from_slice(clut);
        Ok(registers)
    }
}
