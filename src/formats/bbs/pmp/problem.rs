//! Errors and warnings for PMP maps.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a PMP map.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmpProblem {
    /// Wrong magic.
    #[error("not a Birth by Sleep map")]
    Magic,
    /// There are instances, but no model is readable.
    #[error("none of the models of {0} instances can be read")]
    NoModels(u16),
    /// The header promises more instances than fit into the file.
    #[error("the header says {stated} instances, the file has room for {actual}; those are used")]
    InstanceCount {
        /// The count in the header.
        stated: u16,
        /// How many whole entries this file has.
        actual: usize,
    },
    /// The texture table lies outside the file. Models have their own tables.
    #[error("the texture table at {0:#x} is not in the file; the tables of the models are used")]
    TextureTable(u64),
    /// A model is unreadable.
    #[error("instance {instance} is left out: its model at {offset:#x} cannot be read: {reason}")]
    BrokenModel {
        /// The instance's number.
        instance: usize,
        /// Offset to the model in the file.
        offset: u32,
        /// The error in this model.
        reason: String,
    },
    /// A position, rotation or scale is infinite or NaN.
    #[error("instance {0} is left out: its transform has a value that is not a finite number")]
    NotFinite(usize),
    /// Models share the same data too often, so reading on would take too long.
    #[error("the models share the same data too often; models from instance {0} on are left out")]
    TooMuchWork(usize),
    /// The header's model count differs from the models in use.
    #[error("the header says {stated} models, the instances have {actual}")]
    ModelCount {
        /// The count in the header.
        stated: u16,
        /// How many distinct models are in use.
        actual: usize,
    },
    /// A map contains a skinned model.
    #[error("the model of instance {0} has bones; maps show it in the rest pose")]
    Bones(usize),
    /// A sky, which does not follow the camera here.
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
