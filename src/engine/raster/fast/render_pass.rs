//! A render pass holds consecutive draws to the same surfaces, which read none of their bytes while they are filled.
//! If rows share no bytes ([`PassExtent::rows_are_disjoint`]), they can be filled in any order and in parallel.
//! Otherwise a single band holds them all.

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

const MAX_DRAWS: usize = 512;
/// How many byte ranges its draws read at most.
const MAX_READS: usize = 32;

impl<'d> RenderPass<'d> {
    /// Replaces the draws by the first of `calls`, as many as fit, until they may cover `max_pixels`. This changes
    /// the pass in place, because it is too big to be moved for each draw.
    pub(super) fn collect(
        &mut self,
        calls: impl Iterator<Item = DrawCall<'d>>,
        max_pixels: u64,
        translation: Translation,
    ) {
        self.draws.clear();
        self.reads.clear();
        self.extent = None;
        let mut pixels = 0_u64;
        for call in calls {
            if pixels >= max_pixels || !self.push(call, translation) {
                break;
            }
            pixels = pixels.saturating_add(call.max_pixels);
        }
    }

    /// Adds a draw that does not need the reference. Returns `false` if it does not fit into this pass. An empty
    /// pass accepts any draw.
    fn push(&mut self, call: DrawCall<'d>, translation: Translation) -> bool {
        let added = &call.state.extent;
        let union = match &self.extent {
            None => added.clone(),
            Some(extent) => {
                // The union may grow into bytes that earlier draws read, so all reads are checked, not only the new
                // ones.
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

    pub(super) fn draws(&self) -> &[DrawCall<'d>] {
        &self.draws
    }

    /// Returns an extent for all draws, or `None` if this pass is empty.
    pub(super) fn extent(&self) -> Option<PassExtent> {
        self.extent.clone()
    }

    /// Lists the VRAM bytes from which texels may be read.
    pub(super) fn reads(&self) -> impl Iterator<Item = Range<usize>> {
        self.reads.iter().cloned()
    }
}
