//! Writes display lists, as a program does in its list buffer.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::Register;
use crate::ge::registers::vertex::{Prim, PrimitiveType};

/// A display list under construction. It starts at a fixed address, so that jumps and pointers can refer to its
/// words.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Address, ListBuilder, Memory, Opcode};
///
/// let mut memory = Memory::default();
/// let mut list = ListBuilder::new(Address::new(0x0880_0000));
/// list.set(Opcode::FRAMEBUFWIDTH, 512).finish();
/// list.store(&mut memory);
/// assert_eq!(memory.read_u32(list.start()) >> 24, 0x9D);
/// ```
#[derive(Clone, Debug)]
pub struct ListBuilder {
    start: Address,
    words: Vec<u32>,
}

impl ListBuilder {
    /// Creates an empty list at `start`, which is rounded down to a multiple of 4.
    #[must_use]
    pub const fn new(start: Address) -> Self {
        Self { start: start.align_down(4), words: Vec::new() }
    }

    /// Returns the address of this list's first word.
    #[must_use]
    pub const fn start(&self) -> Address {
        self.start
    }

    /// Returns the next word's address, to jump to it later.
    #[must_use]
    pub fn here(&self) -> Address {
        let bytes = u32::try_from(self.words.len().saturating_mul(4)).unwrap_or(u32::MAX);
        self.start.offset(bytes)
    }

    /// Appends a command.
    pub fn push(&mut self, command: Command) -> &mut Self {
        self.words.push(command.word());
        self
    }

    /// Appends a command from its opcode and argument.
    pub fn set(&mut self, opcode: Opcode, argument: u32) -> &mut Self {
        self.push(Command::new(opcode, argument))
    }

    /// Appends a command to write a register, from its typed view.
    pub fn write<R: Register>(&mut self, register: R) -> &mut Self {
        self.set(R::OPCODE, register.to_argument())
    }

    /// Appends a command with a float as its argument, cut to 24 bits.
    pub fn float(&mut self, opcode: Opcode, value: f32) -> &mut Self {
        self.set(opcode, Float24::from_f32(value).to_bits())
    }

    /// Appends commands to upload matrix elements, from element `first` on.
    pub fn matrix(&mut self, matrix: Matrix, first: u32, elements: &[f32]) -> &mut Self {
        self.set(matrix.number_opcode(), first);
        for &element in elements {
            self.float(matrix.data_opcode(), element);
        }
        self
    }

    /// Appends BASE for the upper address bits, then `opcode` with the lower 24 bits. Use this only while the offset
    /// register is 0.
    pub fn address(&mut self, opcode: Opcode, address: Address) -> &mut Self {
        self.set(Opcode::BASE, (address.get() >> 8) & 0x000F_0000).set(opcode, address.get())
    }

    /// Appends a draw.
    pub fn prim(&mut self, primitive: PrimitiveType, count: u16) -> &mut Self {
        self.write(Prim { primitive, count })
    }

    /// Appends FINISH and END.
    pub fn finish(&mut self) -> &mut Self {
        self.set(Opcode::FINISH, 0).set(Opcode::END, 0)
    }

    /// Returns this list's words so far.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Writes this list to memory at its start address, ready to run.
    pub fn store(&self, memory: &mut Memory) {
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory.write(self.start, &bytes);
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn addresses_split_into_base_and_argument() {
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        list.address(Opcode::VADDR, Address::new(0x0934_5678)).finish();
        assert_eq!(
            list.words(),
            [0x1009_0000, 0x0134_5678, 0x0F00_0000, 0x0C00_0000],
            "BASE, VADDR, FINISH, END"
        );
        assert_eq!(list.here(), Address::new(0x0880_0010), "four words");
    }
}
