//! Notes on an input: everything missing, left out, guessed or cut short, for standard error and JSON.
//!
//! # Invariants
//! Equal notes become a single note with a count. Notes keep the order of their first appearance.

use std::fmt;

use pspge::documents::note::NoteInfo;
use pspge::documents::note_list::NoteList;

use super::failure::{Failure, one_line};

/// The code for notes on options that cannot apply.
const IGNORED: &str = "option-ignored";

/// At most this many notes with the same code are printed, and the rest counted. JSON has all of them.
const PRINTED_PER_CODE: usize = 8;

#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// All notes, including those on ignored options.
    pub(crate) list: NoteList,
    /// Whether the input belongs to a batch.
    is_batch: bool,
    /// Options that cannot apply to the input, and why. For a single input they are errors instead.
    ignored_options: Vec<IgnoredOption>,
}

/// An option that cannot apply to an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IgnoredOption {
    /// The option as messages name it.
    pub(crate) option: String,
    /// Why it cannot apply.
    pub(crate) reason: String,
}

impl Notes {
    /// Use this for an input in a batch.
    pub(crate) fn of_batch() -> Self {
        Self { is_batch: true, ..Self::default() }
    }

    /// Reports an option that cannot apply to the input. In a batch, this adds a note.
    ///
    /// # Errors
    /// If there is no other input.
    pub(crate) fn ignore_option(&mut self, input: &str, option: &str, reason: &str) -> Result<(), Failure> {
        if !self.is_batch {
            return Err(Failure::inapplicable(input, option, reason));
        }
        self.ignored_options.push(IgnoredOption { option: option.to_owned(), reason: reason.to_owned() });
        self.list.add(IGNORED, format!("{option} is ignored: {reason}"));
        Ok(())
    }

    pub(crate) fn empty_for_same(&self) -> Self {
        Self { is_batch: self.is_batch, ..Self::default() }
    }

    /// Adds only notes about options. Use this in a command whose results already hold the other notes on the input.
    pub(crate) fn add_ignored_options(&mut self, notes: Self) {
        self.ignored_options.extend(notes.ignored_options);
        let entries = notes.list.into_entries().into_iter();
        entries.filter(|note| note.code == IGNORED).for_each(|note| self.list.push(note));
    }

    pub(crate) fn ignored_options(&self) -> &[IgnoredOption] {
        &self.ignored_options
    }

    /// Takes the options out, together with notes about them, for a command that decides itself whether they apply.
    pub(crate) fn take_ignored_options(&mut self) -> Vec<IgnoredOption> {
        let ignored = std::mem::take(&mut self.ignored_options);
        self.list.remove(IGNORED);
        ignored
    }

    /// Removes notes about options, for an input that turned out to hold nothing to work on.
    pub(crate) fn forget_ignored_options(&mut self) {
        self.take_ignored_options();
    }

    pub(crate) fn add_all(&mut self, notes: Self) {
        notes.list.into_entries().into_iter().for_each(|note| self.list.push(note));
    }

    /// Adds notes on another file than the input.
    pub(crate) fn add_all_of(&mut self, file: &str, notes: Self) {
        for note in notes.list.into_entries() {
            self.list.push(NoteInfo { file: Some(file.to_owned()), ..note });
        }
    }

    pub(crate) fn lines(&self, input: &str) -> Vec<String> {
        let input = one_line(if input == "-" { "standard input" } else { input });
        let mut lines = Vec::new();
        let mut codes: Vec<(&str, usize)> = Vec::new();
        for note in self.list.entries() {
            let seen = match codes.iter_mut().find(|(code, _)| *code == note.code) {
                Some((_, seen)) => {
                    *seen += 1;
                    *seen
                }
                None => {
                    codes.push((&note.code, 1));
                    1
                }
            };
            if seen <= PRINTED_PER_CODE {
                let file = note.file.as_deref().map(one_line);
                lines.push(format!("note: {}: {}", file.as_deref().unwrap_or(&input), NoteText(note)));
            }
        }
        for (code, count) in codes.into_iter().filter(|(_, count)| *count > PRINTED_PER_CODE) {
            let more = count - PRINTED_PER_CODE;
            lines.push(format!("note: {input}: {more} more notes of the kind {code} (--json lists them)"));
        }
        lines
    }
}

/// Writes a note in a line, with its count and where it first appeared.
pub(crate) struct NoteText<'a>(pub(crate) &'a NoteInfo);

impl fmt::Display for NoteText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(note) = self;
        if let Some(part) = &note.part {
            write!(f, "{}: ", one_line(part))?;
        }
        if let Some(offset) = note.offset {
            write!(f, "at {offset:#x}: ")?;
        }
        if let Some(address) = note.address {
            write!(f, "at address {address}: ")?;
        }
        f.write_str(&one_line(&note.message))?;
        if let Some(missing) = &note.missing_file {
            // Roles are named like the options for their files.
            let option = missing.role.replace(' ', "-");
            let file = missing.name.as_deref().map_or("FILE".to_owned(), one_line);
            write!(f, " (use --{option} {file})")?;
        }
        match note.count {
            1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use pspge::model::{FileNote, FileNoteKind, MissingFile};

    use super::*;

    #[test]
    fn equal_notes_are_counted() {
        let mut notes = Notes::default();
        for message in ["a texture is missing", "guessed", "a texture is missing"] {
            notes.list.add("file", message);
        }
        let lines = ["note: x.pmo: a texture is missing (2 times)", "note: x.pmo: guessed"];
        assert_eq!(notes.lines("x.pmo"), lines, "in order of first appearance");
    }

    #[test]
    fn missing_files_are_named_by_their_option() {
        for (name, expected) in [(Some("PL00T.BIN"), "PL00T.BIN"), (None, "FILE")] {
            let note = FileNote {
                missing_file: Some(MissingFile { role: "textures", name: name.map(str::to_owned) }),
                ..FileNote::new(FileNoteKind::TextureMissing, "page 5 is missing")
            };
            let mut notes = Notes::default();
            notes.list.add_file(&[note]);
            let line = format!("note: x.bin: page 5 is missing (use --textures {expected})");
            assert_eq!(notes.lines("x.bin"), [line], "the option that supplies it");
        }
    }

    #[test]
    fn many_notes_of_one_kind_are_summed_up() {
        let mut notes = Notes::default();
        for number in 0..20 {
            notes.list.add("texture-missing", format!("texture {number} is missing"));
        }
        let lines = notes.lines("-");
        assert_eq!(lines.len(), PRINTED_PER_CODE + 1, "the first ones and a sum");
        let last = "note: standard input: 12 more notes of the kind texture-missing (--json lists them)";
        assert_eq!(lines.last().map(String::as_str), Some(last), "the sum");
        assert_eq!(notes.list.entries().len(), 20, "JSON has all");
    }
}
