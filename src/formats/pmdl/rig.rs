//! What moves a model.

use super::curve::Action;
use crate::model::Skeleton;

/// What moves a model.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skins: Vec<Skin>,
    pub(super) actions: Vec<Action>,
}

/// The bones that the weights of a primitive mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skin {
    pub(super) bones: Vec<u32>,
}
