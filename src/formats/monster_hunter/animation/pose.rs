//! Poses a skeleton in an action.
//!
//! # Invariants
//! All parts play an action together, each at its own length. A bone without a track, or with an empty track, keeps
//! its transform at rest; a channel replaces a single value.
//! Source: [evaluation](crate::reference::formats::pmo#evaluation).

use std::sync::Arc;

use super::curve::Clip;
use super::targets::Targets;
use crate::formats::core::euler::{EulerOrder, Transform, decompose};
use crate::formats::monster_hunter::pose::locals;
use crate::model::matrix::{Affine, IDENTITY, scaled, then};
use crate::model::{Bone, Sampler, Skeleton};

/// Plays the clips of an action together.
#[derive(Debug)]
pub(super) struct ActionSampler {
    /// Each moving part's number, with its clip.
    pub(super) clips: Vec<(usize, Arc<Clip>)>,
    pub(super) targets: Arc<Targets>,
}

impl Sampler for ActionSampler {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        let frame = if frame.is_nan() { 0.0 } else { frame };
        let parents: Vec<Option<usize>> = skeleton.bones().iter().map(|bone| bone.parent).collect();
        let mut transforms = if self.targets.rest.len() == parents.len() {
            self.targets.rest.clone()
        } else {
            rest_of(skeleton)
        };
        for (part, clip) in &self.clips {
            let time = clip.time(frame);
            for (track, &bone) in self.targets.parts.get(*part).into_iter().flatten().enumerate() {
                if let Some(transform) = transforms.get_mut(bone) {
                    clip.apply(track, time, transform);
                }
            }
        }
        locals(&parents, &transforms)
    }
}

/// Works out bones' transforms at rest from their matrices, for skeletons without a file.
fn rest_of(skeleton: &Skeleton) -> Vec<Transform> {
    // In model space, a bone's matrix is a rotation after all scales together.
    let products: Vec<[f32; 3]> = skeleton
        .world(&skeleton.rest())
        .iter()
        .map(|world| decompose(world, EulerOrder::X_FIRST).scale)
        .collect();
    let transform = |bone: &Bone| {
        let above = bone.parent.and_then(|parent| products.get(parent)).copied().unwrap_or([1.0; 3]);
        let turned = decompose(&then(&bone.local, &scaled(IDENTITY, above)), EulerOrder::X_FIRST);
        let mut scale = turned.scale;
        for (own, above) in scale.iter_mut().zip(above) {
            // A flattened axis has no ratio, so this keeps its scale.
            *own /= if above == 0.0 { 1.0 } else { above };
        }
        let [.., x, y, z] = bone.local;
        Transform { translation: [x, y, z], scale, ..turned }
    };
    skeleton.bones().iter().map(transform).collect()
}
