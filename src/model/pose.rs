//! Finds animations by the names users give, and poses models with them.

use std::fmt;

use super::{Animation, Model};

/// Why a model cannot be posed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// The model has no such animation.
    #[error("{known}")]
    NoAnimation {
        /// The animations to choose from instead.
        known: AnimationNames,
    },
    /// The animation has no such frame.
    #[error("animation {animation} has {frames} frames, counted from 0")]
    NoFrame {
        /// The animation as the user named it.
        animation: String,
        /// How many frames it has.
        frames: u32,
    },
}

/// Prints how many animations a model has, and the first few by number and name, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnimationNames {
    count: usize,
    first: Vec<Option<String>>,
}

impl AnimationNames {
    /// Name no more than this many, to keep messages short.
    const MOST: usize = 12;

    fn of(animations: &[Animation]) -> Self {
        let names = animations.iter().take(Self::MOST).map(|animation| animation.name.clone());
        Self { count: animations.len(), first: names.collect() }
    }
}

impl fmt::Display for AnimationNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            0 => return f.write_str("the model has no animations"),
            1 => f.write_str("the model has 1 animation: ")?,
            count => write!(f, "the model has {count} animations: ")?,
        }
        for (number, name) in self.first.iter().enumerate() {
            let separator = if number > 0 { ", " } else { "" };
            match name {
                Some(name) => write!(f, "{separator}{number} {name}")?,
                None => write!(f, "{separator}{number}")?,
            }
        }
        f.write_str(if self.count > Self::MOST { ", ..." } else { "" })
    }
}

impl Model {
    /// Finds an animation by name or by number, and returns its index. Tries the name first.
    ///
    /// # Errors
    /// If the model has no such animation.
    pub fn find_animation(&self, wanted: &str) -> Result<usize, PoseError> {
        let by_name = self.animations.iter().position(|animation| animation.name.as_deref() == Some(wanted));
        let by_number = || wanted.parse().ok().filter(|&number| number < self.animations.len());
        let missing = || PoseError::NoAnimation { known: AnimationNames::of(&self.animations) };
        by_name.or_else(by_number).ok_or_else(missing)
    }

    /// Poses the model by a frame from an animation, given by name or number. Unlike [`Self::animate`] this checks
    /// both.
    ///
    /// # Errors
    /// If the model has no such animation, or the animation no such frame.
    pub fn pose_by(&mut self, animation: &str, frame: f64) -> Result<(), PoseError> {
        let number = self.find_animation(animation)?;
        let frames = self.animations.get(number).map_or(0, |animation| animation.frames);
        if !(0.0..=f64::from(frames.saturating_sub(1))).contains(&frame) {
            return Err(PoseError::NoFrame { animation: animation.to_owned(), frames });
        }
        self.animate(number, frame);
        Ok(())
    }
}
