//! Writes display lists, setting state only when it changes.

use super::cursor::View;
use super::error::FormatError;
use super::problem::Problem;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::Register;
use crate::ge::registers::vertex::{BoundingBox, ComponentFormat, VertexType};
use crate::model::ModelTexture;
use crate::model::matrix::Affine;

/// How many bone matrices the engine holds.
pub(crate) const BONE_SLOTS: usize = 8;

/// Builds a display list, and tracks the engine's state to leave out commands without effect.
///
/// Matrices are compared by a key `K` chosen by the format, for example the bone, because computing elements costs
/// more: equal keys mean equal matrices. Commands pushed through [`Self::list_mut`] are always written and do not
/// update the known state.
#[derive(Clone, Debug)]
pub struct StateWriter<K = ()> {
    list: ListBuilder,
    known: KnownState<K>,
}

/// The engine's state, as far as this list determines it.
#[derive(Clone, Debug)]
pub(crate) struct KnownState<K> {
    /// Register arguments; `None` if unknown.
    registers: [Option<u32>; 256],
    world: Option<K>,
    bones: [Option<K>; BONE_SLOTS],
    /// Index of the selected texture; `None` if unknown.
    texture: Option<usize>,
}

impl<K: Copy> Default for KnownState<K> {
    fn default() -> Self {
        Self { registers: [None; 256], world: None, bones: [None; BONE_SLOTS], texture: None }
    }
}

impl<K: Copy + PartialEq> StateWriter<K> {
    /// Continues a list. Nothing is known about the state yet.
    #[must_use]
    pub fn new(list: ListBuilder) -> Self {
        Self { list, known: KnownState::default() }
    }

    /// Returns the list so far.
    #[must_use]
    pub const fn list(&self) -> &ListBuilder {
        &self.list
    }

    /// Gives access to the list, to write commands whatever is known.
    pub const fn list_mut(&mut self) -> &mut ListBuilder {
        &mut self.list
    }

    /// Returns the address for the next word.
    #[must_use]
    pub fn here(&self) -> Address {
        self.list.here()
    }

    /// Returns the list's length in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.list.words().len() as u64).saturating_mul(4)
    }

    /// Checks that the list so far fits into `room` bytes.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] for all of `file` if it does not.
    pub(crate) fn check_room(&self, room: u32, file: View<'_>) -> Result<(), FormatError> {
        let bytes = self.bytes();
        if bytes > room.into() {
            return Err(file.error_of_whole(Problem::OutOfMemory(bytes)));
        }
        Ok(())
    }

    /// Appends commands, whatever is known.
    pub fn push_all(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            self.list.push(command);
        }
    }

    /// Writes a register, unless it already holds this value.
    pub fn set(&mut self, command: Command) {
        if self.replace(command.opcode(), Some(command.argument())) != Some(command.argument()) {
            self.list.push(command);
        }
    }

    /// Records a register value written by another list.
    pub fn assume(&mut self, command: Command) {
        self.replace(command.opcode(), Some(command.argument()));
    }

    /// Forgets a register, because a called list may have changed it.
    pub fn forget(&mut self, opcode: Opcode) {
        self.replace(opcode, None);
    }

    /// Forgets everything. Call this to start a list with unknown callers.
    pub fn forget_all(&mut self) {
        self.known = KnownState::default();
    }

    fn replace(&mut self, opcode: Opcode, value: Option<u32>) -> Option<u32> {
        let known = self.known.registers.get_mut(usize::from(opcode.code()))?;
        std::mem::replace(known, value)
    }

    /// Appends commands to select a texture, unless it is selected already.
    pub fn select_texture(&mut self, index: usize, commands: impl FnOnce() -> Vec<Command>) {
        if self.known.texture.replace(index) != Some(index) {
            self.push_all(commands());
        }
    }

    /// Selects a texture and its first palette with the usual commands, unless it is selected already.
    pub fn texture(&mut self, texture: &ModelTexture) {
        self.select_texture(texture.index, || texture.commands(0).into_iter().collect());
    }

    /// Uploads WORLD or a bone matrix, unless it already holds the matrix for `key`. Returns the address of the
    /// first uploaded element, so that a pose can overwrite it; `None` without an upload.
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
        // The element words follow the command for the matrix index.
        let at = self.here().offset(4);
        let first = u32::try_from(slot).unwrap_or(0).saturating_mul(12);
        self.list.matrix(matrix, first, &elements());
        Some(at)
    }

    /// Calls a list. Returns the address of the CALL itself.
    pub fn call(&mut self, start: Address) -> Address {
        self.list.address(Opcode::CALL, start);
        // The builder is after the CALL now, which is its last word.
        self.here().offset(4_u32.wrapping_neg())
    }

    /// Tests whether a box is visible. `corners` holds three floats for each of its eight corners.
    fn test_box(&mut self, corners: Address) {
        self.list
            .write(VertexType { position: ComponentFormat::FLOAT, ..VertexType::default() })
            .address(Opcode::VADDR, corners)
            .write(BoundingBox { count: 8 });
    }

    /// Calls a list, unless the box with these `corners` is out of sight. Returns the address of the CALL itself.
    pub(crate) fn call_if_visible(&mut self, corners: Address, start: Address) -> Address {
        self.test_box(corners);
        // This jumps over four words: BASE and BJUMP, then BASE and CALL.
        let after = self.here().offset(16);
        self.list.address(Opcode::BJUMP, after);
        self.call(start)
    }

    /// Begins commands to skip if the box with these `corners` is out of sight.
    #[must_use]
    pub(crate) fn begin_if_visible(&mut self, corners: Address) -> Skippable<K> {
        self.test_box(corners);
        self.begin_skippable(2)
    }

    /// Ends commands begun by [`Self::begin_if_visible`].
    pub(crate) fn end_if_visible(&mut self, begun: Skippable<K>) {
        self.end_skippable(begun, |list, after| {
            list.address(Opcode::BJUMP, after);
        });
    }

    /// Begins skippable commands, and reserves `jump_words` words to test and jump.
    #[must_use]
    pub fn begin_skippable(&mut self, jump_words: u32) -> Skippable<K> {
        let inner = ListBuilder::new(self.here().offset(jump_words.saturating_mul(4)));
        Skippable { outer: std::mem::replace(&mut self.list, inner), known: self.known.clone() }
    }

    /// Ends skippable commands. `jump` must append test and jump to the list before them; it receives the address
    /// after them. Afterwards only state equal on both paths counts as known.
    pub fn end_skippable(&mut self, begun: Skippable<K>, jump: impl FnOnce(&mut ListBuilder, Address)) {
        let inner = std::mem::replace(&mut self.list, begun.outer);
        jump(&mut self.list, inner.here());
        self.push_all(inner.words().iter().map(|&word| Command::from_word(word)));
        self.known.keep_common(&begun.known);
    }
}

impl<K: PartialEq> KnownState<K> {
    /// Forgets everything not known to be equal in `other`.
    fn keep_common(&mut self, other: &Self) {
        fn keep<T: PartialEq>(known: &mut Option<T>, other: &Option<T>) {
            if known != other {
                *known = None;
            }
        }
        let Self { registers, world, bones, texture } = self;
        registers.iter_mut().zip(&other.registers).for_each(|(known, other)| keep(known, other));
        bones.iter_mut().zip(&other.bones).for_each(|(known, other)| keep(known, other));
        keep(world, &other.world);
        keep(texture, &other.texture);
    }
}

/// The list and the known state from before skippable commands.
#[derive(Clone, Debug)]
pub struct Skippable<K = ()> {
    outer: ListBuilder,
    known: KnownState<K>,
}

/// Creates the command for a register's typed view.
#[must_use]
pub fn word<R: Register>(value: R) -> Command {
    Command::new(R::OPCODE, value.to_argument())
}

/// Creates a command with a float argument, cut to 24 bits.
#[must_use]
pub fn float(opcode: Opcode, value: f32) -> Command {
    Command::new(opcode, Float24::from_f32(value).to_bits())
}

/// Creates the command to switch something off.
#[must_use]
pub const fn off(opcode: Opcode) -> Command {
    Command::new(opcode, 0)
}

/// Creates the command to switch something on.
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
    fn state_is_written_when_it_changes() {
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
    fn matrices_are_compared_by_key() {
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
    fn skipped_commands_are_not_taken_for_written() {
        let mut writer = writer();
        writer.set(on(Opcode::CULLENABLE));
        let begun = writer.begin_skippable(2);
        writer.set(on(Opcode::CULLENABLE));
        writer.set(on(Opcode::BLENDENABLE));
        writer.end_skippable(begun, |list, after| {
            list.address(Opcode::BJUMP, after);
        });
        assert_eq!(writer.list().words().len(), 4, "one before, the jump, one that may be skipped");
        assert_eq!(writer.list().words()[2] & 0xFF_FFFF, 0x90_0010, "the jump leads to the end");
        writer.set(on(Opcode::CULLENABLE));
        assert_eq!(writer.list().words().len(), 4, "unchanged by the commands inside");
        writer.set(on(Opcode::BLENDENABLE));
        assert_eq!(writer.list().words().len(), 5, "it may have been skipped");
    }

    #[test]
    fn skipped_matrices_and_textures_are_not_taken_for_written() {
        let mut writer = writer();
        let texture = |writer: &mut StateWriter<u8>, index| {
            let before = writer.here();
            writer.select_texture(index, || vec![on(Opcode::TEXENABLE)]);
            writer.here() != before
        };
        writer.matrix(Matrix::World, 0, 1, || IDENTITY);
        writer.matrix(Matrix::Bone, 3, 1, || IDENTITY);
        texture(&mut writer, 0);
        let begun = writer.begin_skippable(2);
        writer.matrix(Matrix::World, 0, 2, || IDENTITY);
        writer.matrix(Matrix::Bone, 4, 2, || IDENTITY);
        texture(&mut writer, 1);
        writer.end_skippable(begun, |list, after| {
            list.address(Opcode::BJUMP, after);
        });
        let mut upload = |matrix, slot, key| writer.matrix(matrix, slot, key, || IDENTITY).is_some();
        assert!(!upload(Matrix::Bone, 3, 1), "unchanged by the commands inside");
        assert!(upload(Matrix::World, 0, 2), "the upload may have been skipped");
        assert!(upload(Matrix::Bone, 4, 2), "that of a bone, too");
        assert!(texture(&mut writer, 1), "and the texture");
    }
}
