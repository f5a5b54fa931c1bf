//! Draws into the same surfaces that read nothing of what is drawn: each of their pixels depends on no other, so that
//! rows may be filled in any order, and side by side.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::draw_call::DrawCall;
use super::pass_extent::PassExtent;
use crate::ge::edram::Translation;

/// Draws that may be filled together.
#[derive(Debug, Default)]
pub(super) struct RenderPass<'d> {
    draws: ArrayVec<DrawCall<'d>, MAX_DRAWS>,
    extent: Option<PassExtent>,
    reads: ArrayVec<Range<usize>, MAX_READS>,
}

/// Most draws in a group.
const MAX_DRAWS: usize = 512;
/// Most pieces of VRAM that its draws look at.
const MAX_READS: usize = 32;

impl<'d> RenderPass<'d> {
    /// Takes a draw that is not tangled. Says whether it could: an empty group takes any, others what can be filled
    /// together with what they have.
    pub(super) fn push(&mut self, call: DrawCall<'d>, translation: Translation) -> bool {
        let added = &call.state.extent;
        let union = match &self.extent {
            None => added.clone(),
            Some(extent) => {
                let union = extent.union(added).filter(|union| {
                    let surfaces = union.surface_bytes(translation);
                    let mut reads = call.state.reads().chain(self.reads.iter().cloned());
                    surfaces.are_disjoint() && !reads.any(|read| surfaces.overlaps(&read))
                });
                match union {
                    Some(union) => union,
                    None => return false,
                }
            }
        };
        let new_reads = call.state.reads().filter(|read| !self.reads.contains(read));
        if self.draws.is_full() || new_reads.count() > self.reads.remaining_capacity() {
            return false;
        }
        self.extent = Some(union);
        for read in call.state.reads() {
            if !self.reads.contains(&read) {
                self.reads.push(read);
            }
        }
        self.draws.push(call);
        true
    }

    /// The draws, in their order.
    pub(super) fn draws(&self) -> &[DrawCall<'d>] {
        &self.draws
    }

    /// What all draws together may write; `None` without any.
    pub(super) fn extent(&self) -> Option<PassExtent> {
        self.extent.clone()
    }

    /// Bytes of VRAM that texels may come from.
    pub(super) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.reads.iter().cloned()
    }

    pub(super) fn clear(&mut self) {
        self.draws.clear();
        self.reads.clear();
        self.extent = None;
    }
}
