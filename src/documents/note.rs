//! A note tells a user something worth knowing, although the work went on.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
#[cfg(feature = "export")]
use crate::export::ExportNote;
use crate::ge::address::Address;
use crate::ge::note::{Note, Severity};
use crate::model::{FileNote, MissingFile};
use crate::run::interpreter::Report;

/// A note on an input or on its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoteDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The note.
    pub note: NoteInfo,
}

impl Document for NoteDocument {
    const NAME: &'static str = "note";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A note on an input or on its run";
}

/// A note: an omission, a guess or an oddity, with the place where it first appeared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoteInfo {
    /// A word for this kind of note, for programs.
    pub code: String,
    /// How serious it is.
    pub severity: NoteSeverity,
    /// The note as a sentence.
    pub message: String,
    /// The file concerned; null for the input itself.
    pub file: Option<String>,
    /// The part of the input concerned, such as `textures`; null for the whole input.
    pub part: Option<String>,
    /// Offset in this file, in bytes.
    pub offset: Option<u64>,
    /// Address of the command that caused this; null for notes on the file.
    pub address: Option<Address>,
    /// How many commands had been executed before it; null for notes on the file.
    pub command: Option<u64>,
    /// How many draws had been executed before it; null for notes on the file.
    pub draw: Option<u64>,
    /// How many times this occurred.
    pub count: u64,
    /// The file that would supply the missing part, for programs that word this note themselves. Not in documents.
    #[serde(skip)]
    pub missing_file: Option<MissingFile>,
}

/// How serious a note is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NoteSeverity {
    /// A fact about the input. Nothing is missing because of it.
    Information,
    /// Something is missing, guessed or contradictory, so the result may be wrong.
    #[default]
    Problem,
}

impl NoteDocument {
    /// Creates the document for a note.
    #[must_use]
    pub fn new(input: &str, note: NoteInfo) -> Self {
        Self { schema: SchemaId::new(), input: input.to_owned(), note }
    }
}

impl NoteInfo {
    /// Creates a note about a problem, without a place.
    #[must_use]
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: code.to_owned(), message: message.to_owned(), count: 1, ..Self::default() }
    }

    /// Describes a note from a format's reader.
    #[must_use]
    pub fn of_file(note: &FileNote) -> Self {
        Self {
            severity: note.severity().into(),
            part: note.part.clone(),
            offset: note.offset,
            missing_file: note.missing_file.clone(),
            ..Self::new(note.kind.code(), &note.message)
        }
    }

    /// Describes a note from exporting a scene.
    #[cfg(feature = "export")]
    #[must_use]
    pub fn of_export(note: &ExportNote) -> Self {
        Self { severity: note.kind.severity().into(), ..Self::new(note.kind.code(), &note.message) }
    }

    /// Describes all notes from a run. If some were not kept, a further entry counts them. Overrides without effect
    /// come last.
    #[must_use]
    pub fn of_report(report: &Report) -> Vec<Self> {
        let mut notes: Vec<Self> = report.notes.iter().map(Self::of_run).collect();
        if report.notes_dropped > 0 {
            let message = format!("{} more notes of the run are not kept", report.notes_dropped);
            notes.push(Self::new("more-notes", &message));
        }
        notes.extend(report.unused_overrides.iter().map(|text| Self::of_unused(text)));
        notes
    }

    /// Describes an override without effect, by its text.
    #[must_use]
    pub fn of_unused(text: &str) -> Self {
        Self::new("override-unused", &format!("{text} changed nothing: the run has no such draw"))
    }

    /// Describes a note from a run.
    #[must_use]
    pub fn of_run(note: &Note) -> Self {
        Self {
            severity: note.kind.severity().into(),
            address: Some(note.at),
            command: Some(note.command),
            draw: Some(note.draw),
            ..Self::new(note.kind.code(), &note.kind.to_string())
        }
    }
}

impl From<Severity> for NoteSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Information => Self::Information,
            Severity::Problem => Self::Problem,
        }
    }
}
