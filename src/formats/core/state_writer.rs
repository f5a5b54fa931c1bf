//! Writing display lists without redundant state commands.

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::Register;
use crate::model::ModelTexture;
use crate::model::matrix::Affine;

/// Number of bone matrices of the GE.
pub const BONE_SLOTS: usize = 8;

/// A display list under construction, and the GE state as far as the list has set it.
///
/// Matrices are compared by a key `K` of the format's choice, for example the bone: equal keys mean equal
/// matrices. Commands pushed to [`Self::list_mut`] are always written, and do not change the known state.
#[derive(Clone, Debug)]
pub struct StateWriter<K = ()> {
    list: ListBuilder,
    known: KnownState<K>,
}

/// The known part of the GE state.
#[derive(Clone, Debug)]
pub struct KnownState<K> {
    /// Arguments of registers; `None` if not known.
    registers: [Option<u32>; 256],
    world: Option<K>,
    bones: [Option<K>; BONE_SLOTS],
    /// Index of the selected texture.
    texture: Option<usize>,
}

impl<K: Copy> Default for KnownState<K> {
    fn default() -> Self {
        Self { registers: [None; 256], world: None, bones: [None; BONE_SLOTS], texture: None }
    }
}

impl<K: Copy + PartialEq> StateWriter<K> {
    /// Creates a writer that continues a list, with all state unknown.
    #[must_use]
    pub fn new(list: ListBuilder) -> Self {
        Self { list, known: KnownState::default() }
    }

    /// Returns the list written so far.
    #[must_use]
    pub const fn list(&self) -> &ListBuilder {
        &self.list
    }

    /// Returns the list, for commands that are written unconditionally.
    pub const fn list_mut(&mut self) -> &mut ListBuilder {
        &mut self.list
    }

    /// Returns the address of the next word.
    #[must_use]
    pub fn here(&self) -> Address {
        self.list.here()
    }

    /// Returns the length of the list in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.list.words().len() as u64).saturating_mul(4)
    }

    /// Appends commands unconditionally.
    pub fn push_all(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            self.list.push(command);
        }
    }

    /// Writes a register, unless its known value is the same.
    pub fn set(&mut self, command: Command) {
        if self.replace(command.opcode(), Some(command.argument())) != Some(command.argument()) {
            self.list.push(command);
        }
    }

    /// Marks a register as known, because another list has written it.
    pub fn assume(&mut self, command: Command) {
        self.replace(command.opcode(), Some(command.argument()));
    }

    /// Marks a register as unknown.
    pub fn forget(&mut self, opcode: Opcode) {
        self.replace(opcode, None);
    }

    /// Marks all state as unknown, for a list that may be called from anywhere.
    pub fn forget_all(&mut self) {
        self.known = KnownState::default();
    }

    /// Replaces the known value of a register and returns the old one.
    fn replace(&mut self, opcode: Opcode, value: Option<u32>) -> Option<u32> {
        let known = self.known.registers.get_mut(usize::from(opcode.code()))?;
        std::mem::replace(known, value)
    }

    /// Appends commands that select a texture, unless it is selected already.
    pub fn select_texture(&mut self, index: usize, commands: impl FnOnce() -> Vec<Command>) {
        if self.known.texture.replace(index) != Some(index) {
            self.push_all(commands());
        }
    }

    /// Selects a texture and its first palette, unless the texture is selected already.
    pub fn texture(&mut self, texture: &ModelTexture) {
        self.select_texture(texture.index, || texture.commands(0).into_iter().collect());
    }

    /// Uploads WORLD or a bone matrix, unless it already holds the matrix of that key. Returns the
    /// address of the first element's command, or `None` without an upload.
    pub fn matrix(
        &mut self,
        matrix: Matrix,
        slot: usize,
        key: K,
        elements: impl FnOnce() -> Affine,
    ) -> Option<Address> {
        let known = match matrix {
            Matrix::World => &mut self.known.world,
            _ => self.known.bones.get_mut(slot)?,
        };
        if known.replace(key) == Some(key) {
            return None;
        }
        let at = self.here().offset(4);
        let first = u32::try_from(slot).unwrap_or(0).saturating_mul(12);
        self.list.matrix(matrix, first, &elements());
        Some(at)
    }

    /// Calls a list. Returns the address of the CALL.
    pub fn call(&mut self, start: Address) -> Address {
        self.list.address(Opcode::CALL, start);
        self.here().offset(4_u32.wrapping_neg())
    }

    /// Begins commands that may be skipped, and reserves `jump_words` words before them for a test and a
    /// jump.
    #[must_use]
    pub fn begin_skippable(&mut self, jump_words: u32) -> Skippable {
        let inner = ListBuilder::new(self.here().offset(jump_words.saturating_mul(4)));
        Skippable { outer: std::mem::replace(&mut self.list, inner), registers: self.known.registers }
    }

    /// Ends commands that may be skipped. `jump` must append the test and the jump to the list before them;
    /// it receives the address after them. Registers stay known only if they hold the same value either way.
    pub fn end_skippable(&mut self, begun: Skippable, jump: impl FnOnce(&mut ListBuilder, Address)) {
        let inner = std::mem::replace(&mut self.list, begun.outer);
        jump(&mut self.list, inner.here());
        self.push_all(inner.words().iter().map(|&word| Command::from_word(word)));
        for (known, before) in self.known.registers.iter_mut().zip(begun.registers) {
            if *known != before {
                *known = None;
            }
        }
    }
}

/// The list and the known registers before commands that may be skipped.
#[derive(Clone, Debug)]
pub struct Skippable {
    outer: ListBuilder,
    registers: [Option<u32>; 256],
}

/// Builds the command that writes a register's typed view.
#[must_use]
pub fn word<R: Register>(value: R) -> Command {
    Command::new(R::OPCODE, value.to_argument())
}

/// Builds a command with a float argument, truncated to 24 bits.
#[must_use]
pub fn float(opcode: Opcode, value: f32) -> Command {
    Command::new(opcode, Float24::from_f32(value).to_bits())
}

/// Builds the command that sets a switch to off.
#[must_use]
pub const fn off(opcode: Opcode) -> Command {
    Command::new(opcode, 0)
}

/// Builds the command that sets a switch to on.
#[must_use]
pub const fn on(opcode: Opcode) -> Command {
    Command::new(opcode, 1)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::matrix::IDENTITY;

    fn writer() -> StateWriter<u8> {
        StateWriter::new(ListBuilder::new(Address::new(0x0890_0000)))
    }

    #[test]
    fn writes_only_changed_registers() {
        let mut writer = writer();
        for argument in [1, 1, 0, 0] {
            writer.set(Command::new(Opcode::CULLENABLE, argument));
        }
        writer.assume(on(Opcode::CULLENABLE));
        writer.set(on(Opcode::CULLENABLE));
        writer.forget(Opcode::CULLENABLE);
        writer.set(on(Opcode::CULLENABLE));
        let arguments: Vec<u32> = writer.list().words().iter().map(|word| word & 1).collect();
        assert_eq!(arguments, [1, 0, 1], "changes, and after forgetting");
    }

    #[test]
    fn uploads_matrix_only_for_new_key() {
        let mut writer = writer();
        let mut upload = |slot, key| writer.matrix(Matrix::Bone, slot, key, || IDENTITY).is_some();
        assert_eq!(
            [upload(0, 1), upload(0, 1), upload(1, 1), upload(0, 2)],
            [true, false, true, true],
            "keys"
        );
        assert!(!upload(BONE_SLOTS, 1), "no such slot");
    }

    #[test]
    fn registers_set_in_skippable_commands_are_unknown() {
        let mut writer = writer();
        writer.set(on(Opcode::CULLENABLE));
        let begun = writer.begin_skippable(2);
        writer.set(on(Opcode::CULLENABLE));
        writer.set(on(Opcode::BLENDENABLE));
        writer.end_skippable(begun, |list, after| {
            list.address(Opcode::BJUMP, after);
        });
        assert_eq!(writer.list().words().len(), 4, "one before, two for the jump, one that may be skipped");
        assert_eq!(writer.list().words()[2] & 0xFF_FFFF, 0x90_0010, "the jump leads to the end");
        writer.set(on(Opcode::CULLENABLE));
        assert_eq!(writer.list().words().len(), 4, "same value either way");
        writer.set(on(Opcode::BLENDENABLE));
        assert_eq!(writer.list().words().len(), 5, "it may have been skipped");
    }
}
