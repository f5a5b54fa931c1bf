//! Problems of PMP maps.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// Errors and warnings of PMP maps.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmpProblem {
    /// Wrong magic.
    #[error("not a Birth by Sleep map")]
    Magic,
    /// Instances of models of which none can be read.
    #[error("none of the models of {0} instances can be read")]
    NoModels(u16),
    /// More instances than fit into the file.
    #[error("the header says {stated} instances, the file has room for {actual}; those are used")]
    InstanceCount {
        /// The count in the header.
        stated: u16,
        /// The number of whole entries in the file.
        actual: usize,
    },
    /// A texture table that is not in the file. The models have tables of their own.
    #[error("the texture table at {0:#x} is not in the file; the tables of the models are used")]
    TextureTable(u64),
    /// A model that cannot be read.
    #[error("instance {instance} is left out: its model at {offset:#x} cannot be read: {reason}")]
    BrokenModel {
        /// Number of the instance.
        instance: usize,
        /// Offset of the model in the file.
        offset: u32,
        /// The error of the model.
        reason: String,
    },
    /// An infinite or NaN position, rotation or scale.
    #[error("instance {0} is left out: its transform has a value that is not a finite number")]
    NotFinite(usize),
    /// Models that share the same data too often.
    #[error("the models share the same data too often; models from instance {0} on are left out")]
    TooMuchWork(usize),
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
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a map and is none"),
        Refusal::new("NoModels", "the model of no instance can be read"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Bones(_) | Self::Sky(_) => FileNoteKind::NotExpressed,
            Self::BrokenModel { .. } | Self::NotFinite(_) | Self::TooMuchWork(_) => FileNoteKind::LeftOut,
            _ => FileNoteKind::Mismatch,
        }
    }
}
