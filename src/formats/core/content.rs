//! The content of an opened file.

use std::any::Any;
use std::fmt;

use crate::ge::capture::Capture;
use crate::model::{AnimationSet, Model, Skeleton, TextureSet};

/// The content of an opened file, by what can be done with it.
#[derive(Debug)]
pub enum Content {
    /// A model or map that can be drawn. A container is opened as its first model.
    Model(Box<Model>),
    /// Textures only.
    Textures(TextureSet),
    /// A skeleton only.
    Skeleton {
        /// Its bones.
        skeleton: Skeleton,
        /// The game's variant of the format.
        version: &'static str,
        /// Notes for the user.
        notes: Vec<String>,
    },
    /// Animations only.
    Animations(AnimationSet),
    /// A recorded frame.
    Frame {
        /// The capture to run.
        capture: Box<Capture>,
        /// The recording in the terms of its format.
        recording: Box<dyn Recording>,
    },
    /// A container without anything to draw.
    Archive,
}

impl Content {
    /// Returns the recording of a frame, or `None` for other content or another type.
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
    /// Borrows the recording as type `R`.
    #[must_use]
    pub fn downcast_ref<R: Recording>(&self) -> Option<&R> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// Downcasts the recording to type `R`.
    #[must_use]
    pub fn downcast<R: Recording>(self: Box<Self>) -> Option<Box<R>> {
        let any: Box<dyn Any> = self;
        any.downcast().ok()
    }
}
