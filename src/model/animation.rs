//! Animations of a skeleton.
//!
//! # Invariants
//! A sampler returns a matrix for every bone at any frame, even outside the animation. This gives the same bits on
//! every machine.

use std::fmt::Debug;
use std::sync::Arc;

use super::matrix::Affine;
use super::note::FileNote;
use super::skeleton::Skeleton;
use crate::ge::address::Address;
use crate::ge::command::Command;

/// An animation of a skeleton.
///
/// ```
/// /// Prints the animations of a model.
/// fn list_animations(model: &pspge::Model) {
///     for animation in &model.animations {
///         let animation: &pspge::Animation = animation;
///         println!("{:?}: {} frames", animation.name, animation.frames);
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// How many frames it has.
    pub frames: u32,
    /// Playback speed, if the file or the format defines it.
    pub frames_per_second: Option<f32>,
    /// How many values it animates, as the format counts them.
    pub channels: usize,
    /// How many keys it has, summed over channels.
    pub keys: usize,
    /// Evaluates the animation.
    pub sampler: Arc<dyn Sampler>,
}

/// Evaluates an animation at any time.
pub trait Sampler: Debug + Send + Sync {
    /// Computes a matrix for every bone relative to its parent, in skeleton order. `frame` may be fractional. Outside
    /// the animation the pose is clamped or repeats, as the format defines.
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine>;

    /// Returns animated floats for the model's list, such as texture offsets: values that belong to no bone. The
    /// commands are the same in every frame.
    fn floats(&self, frame: f64) -> Vec<FloatPatch> {
        let _ = frame;
        Vec::new()
    }

    /// Returns animated commands of the model's list, such as texture addresses and colours. The addresses are the same
    /// in every frame.
    fn commands(&self, frame: f64) -> Vec<CommandPatch> {
        let _ = frame;
        Vec::new()
    }
}

/// Gives a new value to a float argument in a model's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatPatch {
    /// The command to change, by address.
    pub at: Address,
    /// The value. Only its upper 24 bits are written, because arguments are 24 bits wide.
    pub value: f32,
}

/// Replaces a command in a model's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandPatch {
    /// The command to replace, by address.
    pub at: Address,
    /// The new command.
    pub command: Command,
}

/// Animations from a file without a model.
#[derive(Clone, Debug)]
pub struct AnimationSet {
    /// The animations, in file order.
    pub animations: Vec<Animation>,
    /// The format's version, as stored in the file.
    pub version: Option<String>,
    /// How many bones the animations move.
    pub bones: usize,
    /// Oddities in the file.
    pub notes: Vec<FileNote>,
}
