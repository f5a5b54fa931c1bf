//! The content of an opened file.

use std::any::Any;
use std::fmt;

use crate::ge::capture::Capture;
use crate::model::{AnimationSet, Model, Skeleton, TextureSet};

/// The content of an opened file, by its use.
#[derive(Debug)]
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
        /// Notes for the user.
        notes: Vec<String>,
    },
    /// Animations only.
    Animations(AnimationSet),
    /// A recorded frame.
    Frame {
        /// The frame as memory and a list to run.
        capture: Box<Capture>,
        /// The recording as its format has it.
        recording: Box<dyn Recording>,
    },
    /// A container without anything to draw.
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
