//! Draws into the same surfaces that read nothing of what is drawn: each of their pixels depends on no other, so that
//! rows may be filled in any order, and side by side.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::draw_call::Job;
use super::pass_extent::Footprint;
use crate::ge::edram::Translation;

/// Draws that may be filled together.
#[derive(Debug, Default)]
pub(super) struct Group<'j> {
    draws: ArrayVec<Job<'j>, DRAWS>,
    footprint: Option<Footprint>,
    reads: ArrayVec<Range<usize>, READS>,
}

/// Most draws in a group.
const DRAWS: usize = 512;
/// Most pieces of VRAM that its draws look at.
const READS: usize = 32;

impl<'j> Group<'j> {
    /// Takes a draw that is not tangled. Says whether it could: an empty group takes any, others what can be filled
    /// together with what they have.
    pub(super) fn push(&mut self, job: Job<'j>, translation: Translation) -> bool {
        let own = &job.prepared.footprint;
        let together = match &self.footprint {
            None => own.clone(),
            Some(footprint) => {
                let joined = footprint.join(own).filter(|joined| {
                    let surfaces = joined.surfaces(translation);
                    let mut reads = job.prepared.reads().chain(self.reads.iter().cloned());
                    surfaces.are_apart() && !reads.any(|read| surfaces.overlap(&read))
                });
                match joined {
                    Some(joined) => joined,
                    None => return false,
                }
            }
        };
        let new = job.prepared.reads().filter(|read| !self.reads.contains(read));
        if self.draws.is_full() || new.count() > self.reads.remaining_capacity() {
            return false;
        }
        self.footprint = Some(together);
        for read in job.prepared.reads() {
            if !self.reads.contains(&read) {
                self.reads.push(read);
            }
        }
        self.draws.push(job);
        true
    }

    /// The draws, in their order.
    pub(super) fn draws(&self) -> &[Job<'j>] {
        &self.draws
    }

    /// What all draws together may write; `None` without any.
    pub(super) fn footprint(&self) -> Option<Footprint> {
        self.footprint.clone()
    }

    /// Bytes of VRAM that texels may come from.
    pub(super) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.reads.iter().cloned()
    }

    pub(super) fn clear(&mut self) {
        self.draws.clear();
        self.reads.clear();
        self.footprint = None;
    }
}
