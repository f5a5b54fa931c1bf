//! What a format makes of a file.

use std::any::Any;
use std::fmt;

use crate::ge::capture::Capture;
use crate::model::{AnimationSet, Model, Skeleton, TextureSet};

/// What can be done with an opened file.
#[derive(Debug)]
pub enum Content {
    /// It can be drawn. A container is opened as the first model in it.
    Model(Box<Model>),
    /// It holds textures only.
    Textures(TextureSet),
    /// It holds a skeleton only.
    Skeleton {
        /// The skeleton.
        skeleton: Skeleton,
        /// Which game's variant of the format it is.
        version: &'static str,
        /// What the user should know.
        notes: Vec<String>,
    },
    /// It holds animations only.
    Animations(AnimationSet),
    /// It is a recorded frame.
    Frame {
        /// What to run.
        capture: Box<Capture>,
        /// The recording as its format has it.
        recording: Box<dyn Recording>,
    },
    /// It is a container in which nothing can be drawn.
    Archive,
}

impl Content {
    /// Returns the recording of a frame, if the content is one and has that type.
    #[must_use]
    pub fn recording<R: Recording>(self) -> Option<Box<R>> {
        match self {
            Self::Frame { recording, .. } => recording.downcast(),
            _ => None,
        }
    }
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
    pub fn downcast<R: Recording>(self: Box<Self>) -> Option<Box<R>> {
        let any: Box<dyn Any> = self;
        any.downcast().ok()
    }
}
