//! Records a machine whose CPU acts between the commands: it may have changed registers, palette memory, VRAM and
//! the eDRAM translation, and shows buffers on a screen.

use super::{RecordKind, Recorder};
use crate::formats::ppdmp::Record;
use crate::ge::address::Address;
use crate::ge::capture::Display;
use crate::ge::command::Command;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::CLUT_BYTES;
use crate::run::sink::{Observer as _, Step};

/// How many blocks with 32 bytes fill palette memory.
const PALETTE_BLOCKS: u32 = 32;

impl Recorder {
    /// Returns how many bytes the records refer to.
    pub(crate) fn size(&self) -> usize {
        self.writer.size()
    }

    /// Returns whether the dump is too large for readers.
    pub(crate) fn is_full(&self) -> bool {
        self.overflow || !self.writer.is_readable()
    }

    /// Records a command before it is executed. Returns whether a replay has its effect, also if a later record
    /// causes this; false if the command was left out.
    pub(crate) fn record(&mut self, memory: &Memory, step: &Step<'_>) -> bool {
        let before = self.commands;
        let goes_on = self.command(memory, step).is_continue();
        goes_on && (self.commands > before || self.overlapping.is_some())
    }

    /// Records a command that reads no memory.
    pub(crate) fn push_command(&mut self, command: Command) {
        self.pending_commands.push(command.word());
    }

    /// Records a TEXFLUSH before the latest recorded draw.
    pub(crate) fn flush_textures_before_draw(&mut self) {
        let draws = |word: u32| {
            matches!(
                Command::from_word(word).opcode(),
                Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE | Opcode::VAP
            )
        };
        let draw = self.pending_commands.pop_if(|word| draws(*word));
        self.push_command(Command::new(Opcode::TEXFLUSH, 0));
        self.pending_commands.extend(draw);
    }

    /// Records a draw whose vertices have these bytes.
    pub(crate) fn push_draw(&mut self, command: Command, vertices: &[u8]) {
        self.flush();
        self.writer.push(RecordKind::Vertices, vertices);
        self.push_command(command);
    }

    /// Records that the CPU wrote bytes to VRAM. Earlier commands that still wait would come after this record, so
    /// settle them first.
    pub(crate) fn copy(&mut self, to: Address, bytes: &[u8]) {
        self.writer.push_words(RecordKind::MemCpyDest, &[to.get()]);
        self.writer.push(RecordKind::MemCpyData, bytes);
    }

    /// Records all of palette memory, because something other than LOADCLUT has changed it.
    pub(crate) fn load_palette(&mut self, palette: &[u8; CLUT_BYTES]) {
        self.flush();
        self.writer.push(RecordKind::Clut, palette);
        self.push_command(Command::new(Opcode::LOADCLUT, PALETTE_BLOCKS));
        self.flush();
    }

    /// Records that the eDRAM translation changed.
    pub(crate) fn translate(&mut self, translation: Translation) {
        self.flush();
        self.writer.push_words(RecordKind::EdramTrans, &[translation.mode()]);
    }

    /// Records that the screen shows a buffer.
    pub(crate) fn show(&mut self, display: Display) {
        self.flush();
        let Display { address, stride, format } = display;
        self.writer.push_words(RecordKind::Display, &[address.get(), stride, format.number().into()]);
    }

    /// Completes the record of all commands so far. Memory must be as they left it.
    pub(crate) fn settle(&mut self, memory: &Memory) {
        self.transferred(memory);
        self.flush();
    }

    /// Returns how many records there are. Call [`Self::settle`] first.
    pub(crate) fn position(&self) -> usize {
        self.writer.records().len()
    }

    /// Inserts records before the records at a position.
    pub(crate) fn insert(&mut self, position: usize, record: impl FnOnce(&mut Self)) {
        self.flush();
        let end = self.position();
        record(self);
        self.flush();
        let records: &mut [Record] = self.writer.records_mut();
        if let Some(moved) = records.get_mut(position..)
            && let Some(count) = end.checked_sub(position)
        {
            moved.rotate_left(count);
        }
    }
}
