//! Holds an input for every kind of note, to drive each kind through the library and through every command.

mod dumps;
pub mod files;
mod lists;

use pspge::formats::{FileError, FileProvider, ProvidedFile};

/// The step to run for a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteSource {
    /// Opening the file: [`pspge::model::FileNoteKind`].
    File,
    /// Running its list: [`pspge::ge::note::NoteKind`].
    Run,
    /// Exporting its geometry: [`pspge::export::ExportNoteKind`].
    Export,
}

/// A drawable file that leads to a note of some kind, and the files next to it.
#[derive(Clone, Debug)]
pub struct NoteInput {
    /// The step to run for this note.
    pub source: NoteSource,
    /// The code for the note's kind.
    pub code: &'static str,
    /// The file's name. Inputs for different kinds may share it.
    pub name: &'static str,
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Other files in the same folder, by name.
    pub companions: Vec<(&'static str, Vec<u8>)>,
}

impl NoteInput {
    /// Creates an input from a single file.
    fn new(source: NoteSource, code: &'static str, name: &'static str, bytes: Vec<u8>) -> Self {
        Self { source, code, name, bytes, companions: Vec::new() }
    }
}

/// Returns an input for every kind of note, for tests to try them all.
#[must_use]
pub fn all() -> Vec<NoteInput> {
    let mut all = files::inputs();
    all.extend(dumps::inputs());
    all.extend(lists::inputs());
    all
}

/// The files next to an input.
impl FileProvider for NoteInput {
    fn folder(&self) -> String {
        "folder".to_owned()
    }

    fn names(&self) -> Vec<String> {
        self.companions.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let found = self.companions.iter().find(|(known, _)| *known == name);
        Ok(found.map(|(name, bytes)| ProvidedFile { name: (*name).to_owned(), bytes: bytes.clone() }))
    }
}
