//! The content of an opened file.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::ge::capture::Capture;
use crate::model::{AnimationSet, FileNote, FileNoteKind, Model, Skeleton, TextureSet};

/// The content of an opened file, by its use.
#[derive(Clone, Debug)]
pub enum Content {
    /// A model. A container is opened as the first model in it.
    Model(Box<Model>),
    /// Textures only.
    Textures(TextureSet),
    /// A skeleton only.
    Skeleton {
        /// The skeleton.
        skeleton: Skeleton,
        /// Which game's variant of the format it is.
        version: &'static str,
        /// Oddities of the file.
        notes: Vec<FileNote>,
    },
    /// Animations only.
    Animations(AnimationSet),
    /// A recorded frame.
    Frame {
        /// The frame as memory and a list to run.
        capture: Box<Capture>,
        /// The recording as its format has it.
        recording: Arc<dyn Recording>,
        /// Everything that the list leaves out or guesses.
        notes: Vec<FileNote>,
    },
    /// A container without anything to draw.
    Archive {
        /// Oddities of the container.
        notes: Vec<FileNote>,
    },
}

impl Content {
    /// Returns the content of a container without anything to draw.
    #[must_use]
    pub const fn archive() -> Self {
        Self::Archive { notes: Vec::new() }
    }

    /// Returns the kind of content in words, with an article, for messages.
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

    /// Returns what was odd about the file: guesses, damage that was skipped, missing companions.
    #[must_use]
    pub fn notes(&self) -> &[FileNote] {
        match self {
            Self::Model(model) => &model.notes,
            Self::Textures(set) => &set.notes,
            Self::Animations(set) => &set.notes,
            Self::Skeleton { notes, .. } | Self::Frame { notes, .. } | Self::Archive { notes } => notes,
        }
    }

    /// Returns the notes, to add more.
    pub fn notes_mut(&mut self) -> &mut Vec<FileNote> {
        match self {
            Self::Model(model) => &mut model.notes,
            Self::Textures(set) => &mut set.notes,
            Self::Animations(set) => &mut set.notes,
            Self::Skeleton { notes, .. } | Self::Frame { notes, .. } | Self::Archive { notes } => notes,
        }
    }

    /// Returns the recording of a frame, if the content is one and has that type.
    #[must_use]
    pub fn recording<R: Recording>(self) -> Option<Arc<R>> {
        match self {
            Self::Frame { recording, .. } => recording.downcast(),
            _ => None,
        }
    }
}

/// Returns the note on a container of several models, of which the first was opened.
#[must_use]
pub fn other_members(models: usize) -> Option<FileNote> {
    let message = format!("the container holds {models} models; this is the first");
    (models > 1).then(|| FileNote::new(FileNoteKind::OtherMembers, message))
}

/// A recorded frame in the terms of its format, for programs that know the format.
pub trait Recording: fmt::Debug + Any + Send + Sync {}

impl dyn Recording {
    /// Returns the recording, if it has that type.
    #[must_use]
    pub fn downcast_ref<R: Recording>(&self) -> Option<&R> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// Returns the recording as that type, if it has it.
    #[must_use]
    pub fn downcast<R: Recording>(self: Arc<Self>) -> Option<Arc<R>> {
        let any: Arc<dyn Any + Send + Sync> = self;
        any.downcast().ok()
    }
}
