//! The parts of a model that move it: skeleton, skins and actions.

use super::curve::Action;
use crate::model::Skeleton;

/// Everything a rigged model needs to move.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skins: Vec<Skin>,
    pub(super) actions: Vec<Action>,
}

/// The bones a primitive's weights refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skin {
    pub(super) bones: Vec<u32>,
}
