//! What can be wrong with a PMP map.

use thiserror::Error;

use crate::formats::core::error::FormatProblem;

/// What can be wrong with a PMP map.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmpProblem {
    /// Another magic.
    #[error("not a Birth by Sleep map")]
    Magic,
    /// Something outside the file.
    #[error("the {what} at {offset:#x} lies behind the end of the file")]
    Outside {
        /// What is said to start there.
        what: &'static str,
        /// Where.
        offset: u64,
    },
    /// An instance that is nowhere.
    #[error("the place of instance {0} holds what is not a finite number")]
    NotFinite(usize),
    /// Models that use the same data over and over.
    #[error("the models use the same data over and over")]
    TooMuchWork,
    /// A model count that does not agree with the instances.
    #[error("the header says {said} models, the instances have {real}")]
    Models {
        /// What the header says.
        said: u16,
        /// Different models of instances.
        real: usize,
    },
    /// Weights in a map.
    #[error("the model of instance {0} has bones; in a map they rest")]
    Bones(usize),
    /// A sky, whose camera the map cannot move.
    #[error("instance {0} follows the camera in the game (sky); here it stands where the map says")]
    Sky(usize),
}

impl FormatProblem for PmpProblem {}
