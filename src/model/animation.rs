//! Movement of a skeleton over time.
//!
//! # Invariants
//! A sampler gives a matrix for every bone, at any frame, also before the first and behind the last one; the same frame
//! gives the same bits on every machine.

use std::fmt::Debug;
use std::sync::Arc;

use super::matrix::Affine;
use super::skeleton::Skeleton;
use crate::ge::address::Address;

/// What a skeleton does over time.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name, where the file gives one.
    pub name: Option<String>,
    /// How many frames it has; the last one is `frames - 1`.
    pub frames: u32,
    /// Its speed, where the file or the format gives one.
    pub frames_per_second: Option<f32>,
    /// Values that change over time, as the format counts them.
    pub channels: usize,
    /// Stored keys of all channels.
    pub keys: usize,
    /// Where the bones are at any moment.
    pub sampler: Arc<dyn Sampler>,
}

/// The bones' matrices at any moment.
pub trait Sampler: Debug + Send + Sync {
    /// The matrix of every bone of `skeleton`, in its order and relative to the parent, at `frame`, which need not be a
    /// whole number. Frames outside the animation give its nearest pose, or repeat it, as the format has it.
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine>;

    /// Floats of the model's list that are not bones' and change over time, such as texture offsets, at `frame`.
    /// Every frame gives the same ones.
    fn floats(&self, frame: f64) -> Vec<FloatPatch> {
        let _ = frame;
        Vec::new()
    }
}

/// A float in a model's list at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatPatch {
    /// The command whose argument it is.
    pub at: Address,
    /// Its value, of which the upper 24 bits are written.
    pub value: f32,
}

/// Animations without a model: the content of an animation file.
#[derive(Clone, Debug)]
pub struct AnimationSet {
    /// The animations, in file order.
    pub animations: Vec<Animation>,
    /// Version of the format, as the file spells it.
    pub version: Option<String>,
    /// How many bones they move.
    pub bones: usize,
    /// What the user should know.
    pub notes: Vec<String>,
}
