//! An opened file with its content, from which a run takes its list.

use crate::asset::{self, Asset, Error};
use crate::documents::InfoDocument;
use crate::documents::note::NoteInfo;
use crate::formats::ppdmp::Dump;
use crate::formats::{Content, Request};
use crate::ge::limits::Limits;
use crate::model::{FileNote, FileNoteKind};
use crate::pipeline::texture::content_hash::ContentHash;

use super::answer::{InputAnswer, InputKind};
use super::request::FileNumber;

/// A file to inspect.
#[derive(Debug)]
pub struct InspectedFile {
    name: String,
    hash: ContentHash,
    asset: Asset,
    /// The contents of other files than frames and lists. Those would need a run, and a page lists their
    /// events anyway.
    info: Option<InfoDocument>,
    /// Notes on files that came along but do not belong to this one.
    unused: Vec<FileNote>,
    /// The options with which it was opened.
    options: Vec<String>,
}

impl InspectedFile {
    /// Opens a file with its companions.
    ///
    /// # Errors
    /// Returns the same errors as [`crate::open_with`].
    pub fn open(request: &Request<'_>) -> Result<Self, Error> {
        let asset = asset::open_with(request)?;
        Ok(Self::new(request.input.name, request.input.bytes, asset, &request.limits))
    }

    /// Creates the file from an open asset. `bytes` are its content.
    #[must_use]
    pub fn new(name: &str, bytes: &[u8], asset: Asset, limits: &Limits) -> Self {
        let is_listed = !matches!(asset.content(), None | Some(Content::Frame { .. }));
        let info = is_listed.then(|| InfoDocument::of_asset(name, bytes, &asset, limits));
        let (name, hash) = (name.to_owned(), ContentHash::of(bytes));
        Self { name, hash, asset, info, unused: Vec::new(), options: Vec::new() }
    }

    /// Tells the words of the command line's options with which it was opened. A page repeats them in commands.
    #[must_use]
    pub fn with_options(self, options: Vec<String>) -> Self {
        Self { options, ..self }
    }

    /// Adds a note for each file that came along but does not belong to this one.
    pub(super) fn note_unused(&mut self, names: &[&str]) {
        let about = |name| format!("{name} is not used: it does not belong to {}", self.name);
        self.unused =
            names.iter().map(|name| FileNote::new(FileNoteKind::UnusedCompanion, about(name))).collect();
    }

    /// Returns the name under which it was opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the content.
    #[must_use]
    pub const fn asset(&self) -> &Asset {
        &self.asset
    }

    /// Returns the facts about the file.
    pub(super) fn answer(&self, file: FileNumber) -> InputAnswer {
        let kind = match (self.asset.content(), self.asset.program()) {
            (_, Some(_)) => InputKind::List,
            (Some(Content::Model(_)), _) => InputKind::Model,
            (Some(Content::Frame { .. }), _) => InputKind::Frame,
            _ => InputKind::Other,
        };
        InputAnswer {
            name: self.name.clone(),
            file,
            hash: self.hash,
            game: self.asset.dump().and_then(Dump::game),
            options: self.options.clone(),
            info: self.info.clone(),
            kind,
            is_runnable: kind != InputKind::Other,
            notes: self.asset.notes().iter().chain(&self.unused).map(NoteInfo::of_file).collect(),
        }
    }
}
