//! Animations of a skeleton.
//!
//! # Invariants
//! A sampler returns a matrix for every bone at any frame, including frames outside the animation. The same
//! frame gives the same bits on every machine.

use std::fmt::Debug;
use std::sync::Arc;

use super::matrix::Affine;
use super::note::FileNote;
use super::skeleton::Skeleton;
use crate::ge::address::Address;

/// An animation of a skeleton.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// Number of frames.
    pub frames: u32,
    /// Playback speed, if the file or the format defines it.
    pub frames_per_second: Option<f32>,
    /// Number of animated values, as the format counts them.
    pub channels: usize,
    /// Number of keys in all channels.
    pub keys: usize,
    /// Evaluates the animation.
    pub sampler: Arc<dyn Sampler>,
}

/// Evaluates an animation at any time.
pub trait Sampler: Debug + Send + Sync {
    /// Computes the matrix of every bone relative to its parent, in skeleton order. `frame` may be
    /// fractional. Outside the animation the pose is clamped or repeats, as the format defines.
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine>;

    /// Returns the animated floats of the model's list that belong to no bone, such as texture offsets. Every
    /// frame has the same commands.
    fn floats(&self, frame: f64) -> Vec<FloatPatch> {
        let _ = frame;
        Vec::new()
    }
}

/// A new value for a float argument in a model's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatPatch {
    /// Address of the command.
    pub at: Address,
    /// The value, of which the upper 24 bits are written.
    pub value: f32,
}

/// The contents of an animation file: animations without a model.
#[derive(Clone, Debug)]
pub struct AnimationSet {
    /// The animations, in file order.
    pub animations: Vec<Animation>,
    /// Version of the format, as stored in the file.
    pub version: Option<String>,
    /// Number of bones that the animations move.
    pub bones: usize,
    /// Oddities of the file.
    pub notes: Vec<FileNote>,
}
