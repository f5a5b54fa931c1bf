//! Textures that move: words of the list that hold texture offsets, and where they are at any moment.
//!
//! # Invariants
//! An offset stays within one texture, so that the list's short floats keep its fraction. The unit of the files'
//! speeds is not documented; a texture width or height in a frame is assumed.

use std::sync::Arc;

use crate::ge::address::Address;
use crate::model::matrix::Affine;
use crate::model::{Animation, FloatPatch, Sampler, Skeleton};

/// The name of the animation that only moves textures.
const NAME: &str = "texture-scroll";
/// The longest round that is worth showing.
const LONGEST: f64 = 36_000.0;

/// A texture offset in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scroll {
    /// The command whose argument is the offset.
    pub(super) at: Address,
    /// Textures in a frame.
    pub(super) speed: f32,
    /// How much of the engine's texture the file's one is.
    pub(super) scale: f32,
}

impl Scroll {
    fn value(&self, frame: f64) -> f32 {
        let turns = f64::from(self.speed) * frame;
        let offset = (turns - turns.floor()) * f64::from(self.scale);
        #[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
        let offset = offset as f32;
        if offset.is_finite() { offset } else { 0.0 }
    }

    /// Frames until it is where it was.
    fn round(&self) -> f64 {
        (1.0 / f64::from(self.speed).abs()).min(LONGEST).ceil().max(1.0)
    }
}

/// What bones do, with textures that move at the same time.
#[derive(Debug)]
struct Scrolling {
    bones: Option<Arc<dyn Sampler>>,
    scrolls: Arc<[Scroll]>,
}

impl Sampler for Scrolling {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        match &self.bones {
            Some(bones) => bones.sample(skeleton, frame),
            None => skeleton.rest(),
        }
    }

    fn floats(&self, frame: f64) -> Vec<FloatPatch> {
        let patch = |scroll: &Scroll| FloatPatch { at: scroll.at, value: scroll.value(frame) };
        self.scrolls.iter().map(patch).collect()
    }
}

/// The animations with the textures moving in all of them, and one in which nothing else does.
pub(super) fn with_scrolls(animations: Vec<Animation>, scrolls: Vec<Scroll>) -> Vec<Animation> {
    if scrolls.is_empty() {
        return animations;
    }
    let round = scrolls.iter().map(Scroll::round).fold(1.0, f64::max);
    let scrolls: Arc<[Scroll]> = scrolls.into();
    let joined = |animation: Animation| {
        let sampler = Scrolling { bones: Some(animation.sampler), scrolls: Arc::clone(&scrolls) };
        Animation { sampler: Arc::new(sampler), ..animation }
    };
    let mut animations: Vec<Animation> = animations.into_iter().map(joined).collect();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to LONGEST")]
    let frames = round as u32;
    animations.push(Animation {
        name: Some(NAME.to_owned()),
        frames,
        frames_per_second: None,
        channels: scrolls.len(),
        keys: 0,
        sampler: Arc::new(Scrolling { bones: None, scrolls }),
    });
    animations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_round() {
        let scroll = Scroll { at: Address::new(0x0890_0000), speed: -0.25, scale: 0.5 };
        let values = [0.0, 1.0, 4.0, 5.5].map(|frame| scroll.value(frame));
        assert_eq!(values, [0.0, 0.375, 0.0, 0.3125], "a quarter of half a texture backwards in each frame");
        assert_eq!(scroll.value(f64::INFINITY).to_bits(), 0.0_f32.to_bits(), "no moment, no offset");
        let animations = with_scrolls(Vec::new(), vec![scroll]);
        let shown: Vec<_> =
            animations.iter().map(|animation| (animation.name.as_deref(), animation.frames)).collect();
        assert_eq!(shown, [(Some(NAME), 4)], "one round");
        assert!(with_scrolls(Vec::new(), Vec::new()).is_empty(), "nothing moves");
    }
}
