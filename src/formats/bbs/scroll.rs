//! Scrolls textures: patches TEXOFFSET commands in the list with their values at any frame.
//!
//! # Invariants
//! This writes only an offset's fraction, so that 24-bit floats keep its precision. The unit for speeds in files is
//! unknown; this assumes [texture widths and heights per frame](crate::reference::formats::bbs#texture-table).

use std::sync::Arc;

use crate::ge::address::Address;
use crate::model::matrix::{Affine, single};
use crate::model::{Animation, FloatPatch, Sampler, Skeleton};

/// Names the extra animation, which only scrolls textures.
const NAME: &str = "texture-scroll";
/// The longest period in frames. Slower textures jump back early.
const PERIOD_MAX: f64 = 36_000.0;

/// A texture offset in the list, to change over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scroll {
    /// Address of the offset's command.
    pub(super) at: Address,
    /// Speed in texture widths or heights per frame.
    pub(super) speed: f32,
}

impl Scroll {
    /// Computes the offset at a frame, from 0 to 1.
    fn offset_at(&self, frame: f64) -> f32 {
        let turns = f64::from(self.speed) * frame;
        let offset = single(turns - turns.floor());
        // Huge speeds overflow to infinity or NaN.
        if offset.is_finite() { offset } else { 0.0 }
    }

    /// Returns after how many frames the offset repeats.
    fn period(&self) -> f64 {
        (1.0 / f64::from(self.speed).abs()).min(PERIOD_MAX).ceil().max(1.0)
    }
}

/// Adds scrolling to an animation's samples.
#[derive(Debug)]
struct ScrollSampler {
    bones: Option<Arc<dyn Sampler>>,
    scrolls: Arc<[Scroll]>,
}

impl Sampler for ScrollSampler {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        match &self.bones {
            Some(bones) => bones.sample(skeleton, frame),
            None => skeleton.rest(),
        }
    }

    fn floats(&self, frame: f64) -> Vec<FloatPatch> {
        let patch = |scroll: &Scroll| FloatPatch { at: scroll.at, value: scroll.offset_at(frame) };
        self.scrolls.iter().map(patch).collect()
    }
}

/// Adds scrolling to all animations, and adds another animation to scroll without moving bones.
pub(super) fn with_scrolls(animations: Vec<Animation>, scrolls: Vec<Scroll>) -> Vec<Animation> {
    if scrolls.is_empty() {
        return animations;
    }
    // The slowest scroll decides how long this other animation is.
    let period = scrolls.iter().map(Scroll::period).fold(1.0, f64::max);
    let scrolls: Arc<[Scroll]> = scrolls.into();
    let joined = |animation: Animation| {
        let sampler = ScrollSampler { bones: Some(animation.sampler), scrolls: Arc::clone(&scrolls) };
        Animation { sampler: Arc::new(sampler), ..animation }
    };
    let mut animations: Vec<Animation> = animations.into_iter().map(joined).collect();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to PERIOD_MAX")]
    let frames = period as u32;
    animations.push(Animation {
        name: Some(NAME.to_owned()),
        frames,
        frames_per_second: None,
        channels: scrolls.len(),
        keys: 0,
        sampler: Arc::new(ScrollSampler { bones: None, scrolls }),
    });
    animations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_wrap_around() {
        let scroll = Scroll { at: Address::new(0x0890_0000), speed: -0.25 };
        let values = [0.0, 1.0, 4.0, 5.5].map(|frame| scroll.offset_at(frame));
        assert_eq!(values, [0.0, 0.75, 0.0, 0.625], "backwards by a quarter of the texture per frame");
        assert_eq!(
            scroll.offset_at(f64::INFINITY).to_bits(),
            0.0_f32.to_bits(),
            "offset 0 at an infinite frame"
        );
        let animations = with_scrolls(Vec::new(), vec![scroll]);
        let shown: Vec<_> =
            animations.iter().map(|animation| (animation.name.as_deref(), animation.frames)).collect();
        assert_eq!(shown, [(Some(NAME), 4)], "one period");
        assert!(with_scrolls(Vec::new(), Vec::new()).is_empty(), "no animation without scrolling");
    }
}
