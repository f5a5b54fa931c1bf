//! Collects notes on a dump's replay, to tell the user about missing records and values, and about data left out.

use super::dump::RecordKind;
use crate::ge::opcode::Opcode;
use crate::ge::registers::CLUT_BYTES;
use crate::model::{FileNote, FileNoteKind};

/// Counts how often something happened, and to which record first.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: u64,
    /// How many bytes this affected in total.
    bytes: u64,
    /// The first affected record's number.
    first: usize,
}

impl Tally {
    fn add(&mut self, record: usize, bytes: u64) {
        if self.count == 0 {
            self.first = record;
        }
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Formats the first record, to put before a message.
    fn first(&self) -> String {
        format!("record {}", self.first)
    }
}

/// Collects oddities in a dump's records while they are lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayNotes {
    has_init: bool,
    has_display: bool,
    old_contexts: Tally,
    cut_writes: Tally,
    lost_copies: Tally,
    partial_words: Tally,
    long_palettes: Tally,
    flow: Tally,
    /// The first flow command left out, for the message.
    first_flow: Option<Opcode>,
    early_palettes: Tally,
    unused: Tally,
}

impl ReplayNotes {
    /// Notes a record before it is lowered.
    pub(super) const fn record(&mut self, kind: RecordKind) {
        match kind {
            RecordKind::Init => self.has_init = true,
            RecordKind::Display => self.has_display = true,
            _ => {}
        }
    }

    /// Notes a saved context in the form used by old recorders.
    pub(super) fn old_context(&mut self, record: usize) {
        self.old_contexts.add(record, 0);
    }

    /// Notes a CPU write past the end of VRAM. `bytes` counts the bytes beyond it.
    pub(super) fn cut_write(&mut self, record: usize, bytes: u32) {
        self.cut_writes.add(record, bytes.into());
    }

    /// Notes a copy without a destination.
    pub(super) fn lost_copy(&mut self, record: usize, bytes: u32) {
        self.lost_copies.add(record, bytes.into());
    }

    /// Notes a record of command words if its length is no multiple of 4.
    pub(super) fn words(&mut self, record: usize, bytes: u32) {
        if !bytes.is_multiple_of(4) {
            self.partial_words.add(record, (bytes & 3).into());
        }
    }

    /// Notes initial palette contents if they are longer than palette memory.
    pub(super) fn initial_palette(&mut self, record: usize, bytes: u32) {
        let more = u64::from(bytes).saturating_sub(CLUT_BYTES as u64);
        if more > 0 {
            self.long_palettes.add(record, more);
        }
    }

    /// Notes a recorded control flow command.
    pub(super) fn flow(&mut self, record: usize, opcode: Opcode) {
        self.flow.add(record, 4);
        self.first_flow.get_or_insert(opcode);
    }

    /// Notes a draw with palette lookups before palette memory is known.
    pub(super) fn early_palette(&mut self, record: usize) {
        self.early_palettes.add(record, 0);
    }

    /// Notes a record whose data no command uses.
    pub(super) fn unused(&mut self, record: usize) {
        self.unused.add(record, 0);
    }

    /// Turns the counts into notes. All are located at `offset`, where this file's records are.
    pub(super) fn finish(self, offset: u64) -> Vec<FileNote> {
        use FileNoteKind as Kind;
        let mut notes = Vec::new();
        let mut note = |kind, message: String| notes.push(FileNote::new(kind, message).at(offset));
        if !self.has_init {
            note(Kind::Incomplete, "no INIT record: all registers are 0 at the start".to_owned());
        }
        let Tally { count, .. } = self.early_palettes;
        if count > 0 {
            let first = self.early_palettes.first();
            let rest = "before any palette is recorded: its colours are 0";
            note(Kind::Incomplete, format!("{first}: {count} draws look up a palette {rest}"));
        }
        let Tally { count, bytes, .. } = self.lost_copies;
        if count > 0 {
            let rest = "the file does not record their destination";
            note(Kind::LeftOut, format!("{count} CPU copies of {bytes} bytes are left out: {rest}"));
        }
        for (tally, unit, event) in [
            (self.cut_writes, "CPU writes", "pass the end of VRAM"),
            (self.partial_words, "records of commands", "end inside a word"),
            (self.long_palettes, "initial palettes", "are longer than palette memory"),
        ] {
            let Tally { count, bytes, .. } = tally;
            if count > 0 {
                let first = tally.first();
                note(Kind::LeftOut, format!("{first}: {count} {unit} {event}: {bytes} bytes are left out"));
            }
        }
        if let Some(opcode) = self.first_flow {
            let (first, Tally { count, .. }) = (self.flow.first(), self.flow);
            let rest = "a recording has no control flow";
            note(Kind::LeftOut, format!("{first}: {count} commands like {opcode} are left out: {rest}"));
        }
        let Tally { count, .. } = self.unused;
        if count > 0 {
            note(
                Kind::LeftOut,
                format!("{}: no command uses the data of {count} records", self.unused.first()),
            );
        }
        if !self.has_display {
            let message = "no DISPLAY record: the framebuffer of the last registers is shown";
            note(Kind::Guessed, message.to_owned());
        }
        let Tally { count, .. } = self.old_contexts;
        if count > 0 {
            let rest = "in the form of old recorders: their matrices are read as floats";
            note(Kind::Unusual, format!("{}: {count} saved contexts {rest}", self.old_contexts.first()));
        }
        notes
    }
}
