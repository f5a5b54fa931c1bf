//! The content of an opened file.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::ge::capture::Capture;
use crate::model::{AnimationSet, FileNote, FileNoteKind, Model, Skeleton, TextureSet};

/// A file's content, sorted by use.
///
/// ```
/// use pspge::Content;
///
/// let asset = pspge::open("list.ge", b"FINISH | END")?;
/// match asset.content() {
///     Some(Content::Model(model)) => println!("{} draws", model.info.draws),
///     Some(_) => println!("a file without a model"),
///     None => println!("assembly text"),
/// }
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Content {
    /// A model. A container opens as its first model.
    Model(Box<Model>),
    /// Textures only.
    Textures(TextureSet),
    /// A skeleton only.
    Skeleton {
        /// The skeleton.
        skeleton: Skeleton,
        /// The game whose variant of the format this is.
        version: &'static str,
        /// Oddities in the file.
        notes: Vec<FileNote>,
    },
    /// Animations only.
    Animations(AnimationSet),
    /// A recorded frame: memory and a list to run.
    Frame {
        /// The frame, ready to run.
        capture: Box<Capture>,
        /// The recording in its own format's terms.
        recording: Arc<dyn Recording>,
        /// Everything the list leaves out or guesses.
        notes: Vec<FileNote>,
    },
    /// A container without anything to draw.
    Archive {
        /// Oddities in the container.
        notes: Vec<FileNote>,
    },
}

impl Content {
    /// Creates the content for a container with nothing to draw.
    #[must_use]
    pub const fn archive() -> Self {
        Self::Archive { notes: Vec::new() }
    }

    /// Names the kind of content for messages, with an article.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Model(_) => "a model",
            Self::Textures(_) => "a file of textures",
            Self::Skeleton { .. } => "a skeleton",
            Self::Animations(_) => "a file of animations",
            Self::Frame { .. } => "a frame dump",
            Self::Archive { .. } => "a container without a model",
        }
    }

    /// Lists oddities in the file: guesses, skipped damage, missing companions.
    #[must_use]
    pub fn notes(&self) -> &[FileNote] {
        match self {
            Self::Model(model) => &model.notes,
            Self::Textures(set) => &set.notes,
            Self::Animations(set) => &set.notes,
            Self::Skeleton { notes, .. } | Self::Frame { notes, .. } | Self::Archive { notes } => notes,
        }
    }

    /// Gives access to the notes, to add more.
    pub fn notes_mut(&mut self) -> &mut Vec<FileNote> {
        match self {
            Self::Model(model) => &mut model.notes,
            Self::Textures(set) => &mut set.notes,
            Self::Animations(set) => &mut set.notes,
            Self::Skeleton { notes, .. } | Self::Frame { notes, .. } | Self::Archive { notes } => notes,
        }
    }

    /// Extracts a frame's recording. `None` if the content is no frame or its recording is no `R`.
    #[must_use]
    pub fn recording<R: Recording>(self) -> Option<Arc<R>> {
        match self {
            Self::Frame { recording, .. } => recording.downcast(),
            _ => None,
        }
    }
}

/// Creates the note for a container with several models, because only the first was opened.
#[must_use]
pub(crate) fn other_members(models: usize) -> Option<FileNote> {
    let message = format!("the container holds {models} models; this is the first");
    (models > 1).then(|| FileNote::new(FileNoteKind::OtherMembers, message))
}

/// Creates the note for an archive with several files, because only the first was opened.
#[must_use]
pub fn other_files(files: usize, name: &str) -> FileNote {
    let message = format!("the archive holds {files} files that can be opened; this is the first, {name}");
    FileNote::new(FileNoteKind::OtherMembers, message)
}

/// A recorded frame in its format's terms. Programs that know the format can downcast to it.
pub trait Recording: fmt::Debug + Any + Send + Sync {}

impl dyn Recording {
    /// Borrows the recording as `R`, if it is an `R`.
    #[must_use]
    pub fn downcast_ref<R: Recording>(&self) -> Option<&R> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// Shares the recording as `R`, if it is an `R`.
    #[must_use]
    pub fn downcast<R: Recording>(self: Arc<Self>) -> Option<Arc<R>> {
        let any: Arc<dyn Any + Send + Sync> = self;
        any.downcast().ok()
    }
}
