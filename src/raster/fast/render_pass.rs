//! Render passes: consecutive draws to the same surfaces that read no byte of them while they are filled. If no two
//! rows share bytes ([`PassExtent::rows_are_disjoint`]), rows can be filled in any order and in parallel; otherwise
//! one band holds all.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::draw_call::DrawCall;
use super::pass_extent::PassExtent;
use crate::ge::edram::Translation;

/// Draws that can be filled together.
#[derive(Debug, Default)]
pub(super) struct RenderPass<'d> {
    draws: ArrayVec<DrawCall<'d>, MAX_DRAWS>,
    extent: Option<PassExtent>,
    reads: ArrayVec<Range<usize>, MAX_READS>,
}

/// Maximum number of draws in a pass.
const MAX_DRAWS: usize = 512;
/// Maximum number of byte ranges that its draws read.
const MAX_READS: usize = 32;

impl<'d> RenderPass<'d> {
    /// Adds a draw that does not need the reference. Returns `false` if it does not fit into this pass. An
    /// empty pass accepts any draw.
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

    /// Returns the draws in order.
    pub(super) fn draws(&self) -> &[DrawCall<'d>] {
        &self.draws
    }

    /// Returns the extent of all draws, or `None` for an empty pass.
    pub(super) fn extent(&self) -> Option<PassExtent> {
        self.extent.clone()
    }

    /// Lists the byte ranges of VRAM that texels may come from.
    pub(super) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.reads.iter().cloned()
    }
}
