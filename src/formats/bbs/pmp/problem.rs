//! Problems of PMP maps.

use thiserror::Error;

use crate::formats::core::problem::FormatProblem;
use crate::model::FileNoteKind;

/// Errors and warnings of PMP maps.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmpProblem {
    /// Wrong magic.
    #[error("not a Birth by Sleep map")]
    Magic,
    /// An offset after the end of the file.
    #[error("the {what} at {offset:#x} starts after the end of the file")]
    Outside {
        /// The structure at the offset.
        what: &'static str,
        /// The offset.
        offset: u64,
    },
    /// An infinite or NaN position, rotation or scale.
    #[error("the transform of instance {0} has a value that is not a finite number")]
    NotFinite(usize),
    /// Models that share the same data too often.
    #[error("the models share the same data too often")]
    TooMuchWork,
    /// A model count that differs from the models of the instances.
    #[error("the header says {stated} models, the instances have {actual}")]
    ModelCount {
        /// The count in the header.
        stated: u16,
        /// Number of different models of the instances.
        actual: usize,
    },
    /// A skinned model in a map.
    #[error("the model of instance {0} has bones; maps show it in the rest pose")]
    Bones(usize),
    /// A sky, which here does not follow the camera.
    #[error("instance {0} follows the camera in the game (sky); here it stays in place")]
    Sky(usize),
}

impl FormatProblem for PmpProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Bones(_) | Self::Sky(_) => FileNoteKind::NotExpressed,
            _ => FileNoteKind::Mismatch,
        }
    }
}
