//! An opened file with its content, for runs to take their list from, and the source to open its other parts.

use std::fmt::Debug;
use std::sync::Arc;

use crate::asset::{self, Asset, Error};
use crate::documents::InfoDocument;
use crate::documents::note::NoteInfo;
use crate::formats::ppdmp::Dump;
use crate::formats::{self, Content, ListedMember, Request};
use crate::ge::limits::Limits;
use crate::model::{FileNote, FileNoteKind};
use crate::pipeline::texture::content_hash::ContentHash;

use super::answer::{InputAnswer, InputKind};
use super::error::InspectError;
use super::first_view;
use super::request::{FileNumber, PartSpec, PoseSpec};

/// Opens the parts of a file: a container's members, and a model's alternatives.
pub trait FileSource: Debug + Send + Sync {
    /// Opens a part.
    ///
    /// # Errors
    /// Fails if the file has no such part, or if it is damaged.
    fn open(&self, part: &PartSpec) -> Result<InspectedFile, InspectError>;

    /// Lists the file's members, or those of a container in it.
    ///
    /// # Errors
    /// Fails if there is no such container, or if it is damaged.
    fn members(&self, member: Option<&str>) -> Result<Vec<ListedMember>, InspectError>;

    /// Returns all files that make up a part, so that they can be opened elsewhere.
    ///
    /// # Errors
    /// Fails if they cannot be read.
    fn files(&self, part: &PartSpec) -> Result<PartFiles, InspectError>;
}

/// The files that make up a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartFiles {
    /// Their names and bytes; the first holds the part.
    pub files: Vec<(String, Vec<u8>)>,
    /// The part's path in the first file, if that is a container.
    pub member: Option<String>,
}

/// A file to inspect, or a part of it.
#[derive(Debug)]
pub struct InspectedFile {
    name: String,
    /// The file's name without a member.
    container: String,
    part: PartSpec,
    hash: ContentHash,
    /// The content; `None` for a folder.
    asset: Option<Asset>,
    /// The contents of files other than frames and lists. Those would need a run, and a page lists their events
    /// anyway.
    info: Option<InfoDocument>,
    has_members: bool,
    /// Notes on files that came along but do not belong to this file.
    unused: Vec<FileNote>,
    /// The options with which this file was opened.
    options: Vec<String>,
    pose: Option<PoseSpec>,
    source: Option<Arc<dyn FileSource>>,
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
        let has_members =
            !asset.members().is_empty() || formats::sniff(bytes).is_some_and(formats::holds_members);
        Self { asset: Some(asset), info, has_members, ..Self::folder(name, ContentHash::of(bytes)) }
    }

    /// Creates a folder with several files. Its source opens them.
    #[must_use]
    pub fn folder(name: &str, hash: ContentHash) -> Self {
        Self {
            name: name.to_owned(),
            container: name.to_owned(),
            part: PartSpec::default(),
            hash,
            asset: None,
            info: None,
            has_members: true,
            unused: Vec::new(),
            options: Vec::new(),
            pose: None,
            source: None,
        }
    }

    /// Tells which part of a file this is, and that file's name.
    #[must_use]
    pub fn in_part(self, container: &str, part: PartSpec) -> Self {
        let name = match &part.member {
            Some(member) if self.name == container => format!("{container}#{member}"),
            _ => self.name,
        };
        Self { name, container: container.to_owned(), part, ..self }
    }

    /// Tells how to open other parts of the same file.
    #[must_use]
    pub fn with_source(self, source: Arc<dyn FileSource>) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Tells in which pose a page shows a model at first.
    #[must_use]
    pub fn with_pose(self, pose: Option<PoseSpec>) -> Self {
        Self { pose, ..self }
    }

    /// Tells the words of the command line's options with which this file was opened, for the page to repeat them in
    /// commands.
    #[must_use]
    pub fn with_options(self, options: Vec<String>) -> Self {
        Self { options, ..self }
    }

    /// Adds a note for each file that came along but does not belong to this file.
    pub(super) fn note_unused(&mut self, names: &[&str]) {
        let about = |name| format!("{name} is not used: it does not belong to {}", self.name);
        self.unused =
            names.iter().map(|name| FileNote::new(FileNoteKind::UnusedCompanion, about(name))).collect();
    }

    /// Checks that a model has the alternatives chosen by this part.
    ///
    /// # Errors
    /// Fails at the first missing alternative, and names those that exist.
    pub(super) fn check_alternatives(&self) -> Result<(), InspectError> {
        let PartSpec { lod, group, hidden, .. } = self.part;
        let missing = match self.asset.as_ref().and_then(Asset::model) {
            Some(model) => model.alternatives.missing(lod, group, hidden),
            None => Vec::new(),
        };
        let missing = missing.first().map(|missing| InspectError::inapplicable(&missing.reason));
        missing.map_or(Ok(()), Err)
    }

    /// Opens another part of the same file. It keeps this file's hash, because the hash tells files apart, not
    /// parts.
    ///
    /// # Errors
    /// Fails if the file has no such part.
    pub(super) fn open_part(&self, part: &PartSpec) -> Result<Self, InspectError> {
        let opened = self.source()?.open(part)?;
        Ok(Self { part: part.clone(), hash: self.hash, has_members: self.has_members, ..opened })
    }

    /// Returns the source for other parts of this file.
    ///
    /// # Errors
    /// Fails if it has none, because a program has opened the file for itself.
    pub(super) fn source(&self) -> Result<&dyn FileSource, InspectError> {
        let missing = || InspectError::inapplicable("other parts of this file cannot be opened");
        self.source.as_deref().ok_or_else(missing)
    }

    /// Returns the name under which this file was opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns which part of the file this is.
    #[must_use]
    pub const fn part(&self) -> &PartSpec {
        &self.part
    }

    /// Returns the content.
    ///
    /// # Errors
    /// Fails if this is a folder.
    pub fn asset(&self) -> Result<&Asset, InspectError> {
        let folder = || InspectError::inapplicable("this is a folder: choose one of its files");
        self.asset.as_ref().ok_or_else(folder)
    }

    /// Describes this file for a page.
    pub(super) fn answer(&self, file: FileNumber) -> InputAnswer {
        let asset = self.asset.as_ref();
        let kind = match asset.map(|asset| (asset.content(), asset.program())) {
            None => InputKind::Folder,
            Some((_, Some(_))) => InputKind::List,
            Some((Some(Content::Model(_)), _)) => InputKind::Model,
            Some((Some(Content::Frame { .. }), _)) => InputKind::Frame,
            Some(_) => InputKind::Other,
        };
        let notes = asset.map(Asset::notes).unwrap_or_default();
        let model = asset.and_then(Asset::model).zip(self.info.as_ref());
        InputAnswer {
            name: self.name.clone(),
            container: self.container.clone(),
            part: self.part.clone(),
            has_members: self.has_members,
            file,
            hash: self.hash,
            game: asset.and_then(Asset::dump).and_then(Dump::game),
            options: self.options.clone(),
            info: self.info.clone(),
            kind,
            is_runnable: !matches!(kind, InputKind::Folder | InputKind::Other),
            camera: model.and_then(|(model, info)| first_view::camera(model, info)),
            pose: self.pose,
            notes: notes.iter().chain(&self.unused).map(NoteInfo::of_file).collect(),
        }
    }
}
