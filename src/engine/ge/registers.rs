//! The register file: 256 raw words, five matrix memories and the palette memory.
//!
//! # Invariants
//! Every word is exactly the last written. Typed views are pure functions of the words; no decoded value is stored.
//! This makes a copy of [`Registers`] a snapshot: assigning it back restores the state.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;

#[cfg(feature = "serde")]
mod code_text;
#[doc(hidden)]
pub mod context;
#[doc(hidden)]
pub mod delta;
#[doc(hidden)]
pub mod draw_state;
pub mod field;
pub mod flow;
pub mod light;
pub mod pixel;
pub mod saved;
pub mod surface;
pub mod texture;
pub mod transform;
pub mod vertex;

use field::{Register, View};

/// Names a matrix memory. Source: [matrix upload](crate::reference::ge::commands#matrix-upload).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// Eight bone matrices with 12 elements each.
    Bone,
    /// Model to world, 12 elements.
    World,
    /// World to view, 12 elements.
    View,
    /// View to clip space, 16 elements.
    Projection,
    /// Texture matrix, 12 elements.
    Texture,
}

impl Matrix {
    /// All matrix memories, in the order of a saved context.
    pub const ALL: [Self; 5] = [Self::Bone, Self::World, Self::View, Self::Projection, Self::Texture];

    /// Returns the command to select an element in this matrix. The next opcode writes elements.
    #[must_use]
    pub const fn number_opcode(self) -> Opcode {
        match self {
            Self::Bone => Opcode::BONEMATRIXNUMBER,
            Self::World => Opcode::WORLDMATRIXNUMBER,
            Self::View => Opcode::VIEWMATRIXNUMBER,
            Self::Projection => Opcode::PROJMATRIXNUMBER,
            Self::Texture => Opcode::TGENMATRIXNUMBER,
        }
    }

    /// Returns the command to write elements to this matrix.
    #[must_use]
    pub const fn data_opcode(self) -> Opcode {
        self.number_opcode().plus(1)
    }

    /// Finds the matrix that a data command writes, or returns `None` for other commands.
    #[must_use]
    pub fn of_data_opcode(opcode: Opcode) -> Option<Self> {
        Self::ALL.into_iter().find(|matrix| matrix.data_opcode() == opcode)
    }

    /// Returns how many elements this matrix has for drawing.
    #[must_use]
    pub const fn elements(self) -> usize {
        match self {
            Self::Bone => 96,
            Self::Projection => 16,
            Self::World | Self::View | Self::Texture => 12,
        }
    }

    /// Returns where this matrix starts in a saved context's linear array, counted in elements.
    #[doc(hidden)]
    pub const fn start(self) -> usize {
        match self {
            Self::Bone => 0,
            Self::World => 96,
            Self::View => 108,
            Self::Projection => 120,
            Self::Texture => 136,
        }
    }

    /// Returns this matrix's positions in that array.
    #[doc(hidden)]
    pub const fn range(self) -> Range<usize> {
        let start = self.start();
        start..start.saturating_add(self.elements())
    }

    /// Masks the element index, for the copy to show to the CPU.
    const fn index_mask(self) -> u32 {
        if matches!(self, Self::Bone) { 0x7F } else { 0x0F }
    }
}

/// How many elements all matrix memories have together.
pub const MATRIX_ELEMENTS: usize = 148;
/// How many bytes palette memory has.
pub const CLUT_BYTES: usize = 1024;

/// The register file. After reset, every register holds argument 0 and all matrices are 0.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Command, Opcode, Registers};
///
/// let mut registers = Registers::new();
/// registers.write(Command::new(Opcode::FOGENABLE, 1));
/// assert!(registers.is_on(Opcode::FOGENABLE));
/// ```
#[derive(PartialEq, Eq)]
pub struct Registers {
    words: [u32; 256],
    matrices: [Float24; MATRIX_ELEMENTS],
    visible: [Float24; MATRIX_ELEMENTS],
    /// Copies share this until one loads a palette again, because most copies never do.
    clut: Arc<[u8; CLUT_BYTES]>,
}

impl Registers {
    /// Creates the registers as they are after reset.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "one word per opcode")]
    pub fn new() -> Self {
        let mut words = [0; 256];
        for opcode in Opcode::all() {
            words[usize::from(opcode.code())] = Command::new(opcode, 0).word();
        }
        Self {
            words,
            matrices: [Float24::default(); MATRIX_ELEMENTS],
            visible: [Float24::default(); MATRIX_ELEMENTS],
            clut: Arc::new([0; CLUT_BYTES]),
        }
    }

    /// Creates registers as after reset, and writes these arguments in order.
    #[must_use]
    pub fn with(settings: impl IntoIterator<Item = (Opcode, u32)>) -> Self {
        let mut registers = Self::new();
        for (opcode, argument) in settings {
            registers.write(Command::new(opcode, argument));
        }
        registers
    }

    /// Returns the last word written to this register.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "one word per opcode")]
    pub const fn command(&self, opcode: Opcode) -> Command {
        Command::from_word(self.words[opcode.code() as usize])
    }

    /// Returns the last argument written to this register.
    #[must_use]
    pub const fn argument(&self, opcode: Opcode) -> u32 {
        self.command(opcode).argument()
    }

    /// Returns the last word written to each register, by opcode.
    #[must_use]
    pub const fn words(&self) -> &[u32; 256] {
        &self.words
    }

    /// Decodes the register that belongs to view `R`.
    #[must_use]
    pub fn get<R: Register>(&self) -> R {
        self.view(R::OPCODE)
    }

    /// Decodes this register as view `V`. Use this for views shared by several registers, such as switches.
    #[must_use]
    pub fn view<V: View>(&self, opcode: Opcode) -> V {
        V::from_argument(self.argument(opcode))
    }

    /// Returns whether this register's switch, in bit 0, is on.
    #[must_use]
    pub const fn is_on(&self, opcode: Opcode) -> bool {
        self.argument(opcode) & 1 != 0
    }

    /// Returns this register's argument as a float.
    #[must_use]
    pub const fn float(&self, opcode: Opcode) -> f32 {
        Float24::from_bits(self.argument(opcode)).to_f32()
    }

    /// Returns this register's argument as red, green and blue.
    #[must_use]
    pub const fn rgb(&self, opcode: Opcode) -> [u8; 3] {
        let [red, green, blue, _] = self.argument(opcode).to_le_bytes();
        [red, green, blue]
    }

    /// Writes a command to its register. Matrix data also goes to its matrix memory and advances the index.
    #[expect(clippy::indexing_slicing, reason = "one word per opcode")]
    pub fn write(&mut self, command: Command) {
        self.words[usize::from(command.opcode().code())] = command.word();
        if let Some(matrix) = Matrix::of_data_opcode(command.opcode()) {
            self.write_matrix_element(matrix, Float24::from_bits(command.argument()));
        }
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "one word per opcode; starts and indices have at most 24 bits"
    )]
    fn write_matrix_element(&mut self, matrix: Matrix, value: Float24) {
        let number = matrix.number_opcode();
        let index = self.argument(number);
        // For drawing, writes past a matrix's end are ignored …
        if (index as usize) < matrix.elements()
            && let Some(element) = self.matrices.get_mut(matrix.start() + index as usize)
        {
            *element = value;
        }
        // … but in the CPU's copy they land in the next matrix.
        let position = matrix.start() + (index & matrix.index_mask()) as usize;
        let wraps = matrix == Matrix::Projection;
        let position = if wraps { matrix.start() + (index as usize & 15) } else { position };
        if let Some(element) = self.visible.get_mut(position) {
            *element = value;
        }
        self.words[usize::from(number.code())] = Command::new(number, index.wrapping_add(1)).word();
    }

    /// Replaces the last word written to each register, in opcode order, to restore saved registers. Matrices stay
    /// unchanged, even for words that write their elements. Only the words' arguments count, and words beyond the
    /// 256th are ignored.
    pub fn set_words(&mut self, words: &[u32]) {
        for ((register, opcode), word) in self.words.iter_mut().zip(Opcode::all()).zip(words) {
            *register = Command::new(opcode, Command::from_word(*word).argument()).word();
        }
    }

    /// Sets a matrix element, both for drawing and for the CPU, but keeps the index register. An element outside the
    /// matrix changes nothing.
    pub fn set_matrix_element(&mut self, matrix: Matrix, index: usize, value: Float24) {
        for elements in [&mut self.matrices, &mut self.visible] {
            if let Some(element) = elements.get_mut(matrix.range()).and_then(|part| part.get_mut(index)) {
                *element = value;
            }
        }
    }

    /// Returns all matrix elements for drawing: bones, world, view, projection, texture.
    #[must_use]
    pub const fn matrices(&self) -> &[Float24; MATRIX_ELEMENTS] {
        &self.matrices
    }

    /// Returns this matrix's elements for drawing.
    #[must_use]
    pub fn matrix(&self, matrix: Matrix) -> &[Float24] {
        self.matrices.get(matrix.range()).or_never("registers hold each matrix")
    }

    /// Returns this matrix's elements for the CPU to read back. They differ from those for drawing if a list wrote
    /// past a matrix's end. Source: [matrix upload](crate::reference::ge::commands#matrix-upload) (hardware test
    /// `ge/get`).
    #[must_use]
    pub fn visible_matrix(&self, matrix: Matrix) -> &[Float24] {
        self.visible.get(matrix.range()).or_never("registers hold each matrix")
    }

    /// Returns the palette memory, 1024 bytes.
    #[must_use]
    pub fn clut(&self) -> &[u8; CLUT_BYTES] {
        &self.clut
    }

    /// Returns the palette memory as an `Arc`. Clone this to keep the palette without copying it.
    #[doc(hidden)]
    pub const fn shared_clut(&self) -> &Arc<[u8; CLUT_BYTES]> {
        &self.clut
    }

    /// Returns the palette memory to load a palette. Copies it first if other registers share it.
    pub fn clut_mut(&mut self) -> &mut [u8; CLUT_BYTES] {
        Arc::make_mut(&mut self.clut)
    }
}

impl Clone for Registers {
    fn clone(&self) -> Self {
        let Self { words, matrices, visible, clut } = self;
        Self { words: *words, matrices: *matrices, visible: *visible, clut: Arc::clone(clut) }
    }

    /// Copies field by field. Each draw that hands on vertices calls this, and the default would copy twice.
    fn clone_from(&mut self, source: &Self) {
        let Self { words, matrices, visible, clut } = source;
        (self.words, self.matrices, self.visible) = (*words, *matrices, *visible);
        if !Arc::ptr_eq(&self.clut, clut) {
            self.clut = Arc::clone(clut);
        }
    }
}

impl Default for Registers {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Registers {
    /// Lists only registers that differ from their value after reset.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(Opcode::all().map(|opcode| self.command(opcode)).filter(|c| c.argument() != 0))
            .finish()
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    fn upload(registers: &mut Registers, matrix: Matrix, first: u32, count: u32) {
        registers.write(Command::new(matrix.number_opcode(), first));
        for i in 0..count {
            registers.write(Command::new(matrix.data_opcode(), first + i + 1));
        }
    }

    #[test]
    fn matrix_index_counts_up() {
        let mut registers = Registers::new();
        upload(&mut registers, Matrix::World, 3, 2);
        assert_eq!(registers.matrix(Matrix::World)[4].to_bits(), 5, "second element written");
        assert_eq!(registers.argument(Opcode::WORLDMATRIXNUMBER), 5, "index register moved on");
    }

    #[test]
    fn writes_past_the_end_show_in_the_visible_copy_only() {
        let mut registers = Registers::new();
        upload(&mut registers, Matrix::World, 11, 3);
        assert_eq!(registers.visible_matrix(Matrix::View)[1].to_bits(), 14, "world 13 is view 1");
        assert_eq!(registers.matrix(Matrix::View)[1].to_bits(), 0, "drawing does not see it");
    }

    /// Hardware test `ge/get`: 20 writes to PROJ leave elements 16..19 in 0..3.
    #[test]
    fn projection_wraps_at_16() {
        let mut registers = Registers::new();
        upload(&mut registers, Matrix::Projection, 0, 20);
        assert_eq!(registers.visible_matrix(Matrix::Projection)[3].to_bits(), 20, "element 19 landed in 3");
        assert_eq!(registers.matrix(Matrix::Projection)[3].to_bits(), 4, "drawing keeps element 3");
    }
}
