//! Skeleton, skins and actions of a model.

use super::curve::Action;
use crate::model::Skeleton;

/// Skeleton, skins and actions of a model.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skins: Vec<Skin>,
    pub(super) actions: Vec<Action>,
}

/// Bones to which the weights of a primitive refer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skin {
    pub(super) bones: Vec<u32>,
}
