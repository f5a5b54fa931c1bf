//! Draws that the texture cache need not follow yet, because each of their texels is as memory has it.
//!
//! # Invariants
//! While a draw is noted, its texture's bytes do not change. So the lines that it leaves are known at any later
//! time: those that it used last, with the bytes from memory.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::cache_lines::{
    CacheLines, CachedLine, LinePlace, LineTag, PixelWalk, SETS, WAYS, cached_bits, set_of,
};
use super::footprint::line_counts;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::Texture;
use crate::raster::fast::PipelineState;

/// From this many noted primitives on, the cache follows them.
pub(super) const MAX_PRIMITIVES: usize = 1 << 14;
/// How many lines to count at most, to find whether a set can be full.
const MAX_COUNTED: u32 = 1 << 10;

#[derive(Clone, Debug, Default)]
pub(super) struct NotedDraws {
    draws: Vec<NotedDraw>,
    /// The primitives of all draws.
    primitives: Vec<ScreenPrimitive>,
    /// Bytes of linear VRAM that hold all textures there.
    vram: Range<usize>,
}

#[derive(Clone, Debug)]
struct NotedDraw {
    state: Arc<PipelineState>,
    primitives: Range<usize>,
    number: u64,
}

/// A set's last used lines, the latest first.
type UsedLines = ArrayVec<UsedLine, WAYS>;

/// A line last used by a noted draw, or before all of them.
#[derive(Clone, Debug)]
enum UsedLine {
    Noted { tag: LineTag, texture: Texture, draw: u64 },
    Known(CachedLine),
}

impl UsedLine {
    const fn tag(&self) -> LineTag {
        match self {
            Self::Noted { tag, .. } | Self::Known(CachedLine { tag, .. }) => *tag,
        }
    }
}

/// Returns the smallest range that holds two ranges.
pub(super) fn enclosing(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

impl NotedDraws {
    pub(super) const fn is_empty(&self) -> bool {
        self.draws.is_empty()
    }

    /// Returns whether there are so many notes that the cache should follow them.
    pub(super) const fn is_full(&self) -> bool {
        self.primitives.len() >= MAX_PRIMITIVES
    }

    /// Returns a range of linear VRAM around all bytes that the draws read there.
    pub(super) const fn vram(&self) -> &Range<usize> {
        &self.vram
    }

    /// Notes a draw, whose texture is in these bytes of linear VRAM.
    pub(super) fn push(
        &mut self,
        state: &Arc<PipelineState>,
        vram: &Range<usize>,
        primitives: &[ScreenPrimitive],
        number: u64,
    ) {
        self.vram = enclosing(&self.vram, vram);
        let start = self.primitives.len();
        self.primitives.extend_from_slice(primitives);
        let primitives = start..self.primitives.len();
        self.draws.push(NotedDraw { state: Arc::clone(state), primitives, number });
    }

    pub(super) fn clear(&mut self) {
        self.draws.clear();
        self.primitives.clear();
        self.vram = 0..0;
    }

    /// Returns how many bytes the notes take.
    pub(super) const fn size(&self) -> usize {
        self.primitives.len() * size_of::<ScreenPrimitive>() + self.draws.len() * size_of::<NotedDraw>()
    }

    /// Iterates over the draws' states. Equal states that follow each other come once.
    pub(super) fn states(&self) -> impl Iterator<Item = &Arc<PipelineState>> {
        let mut last = None;
        self.draws.iter().map(|draw| &draw.state).filter(move |state| {
            let is_new = last.is_none_or(|last| !Arc::ptr_eq(last, state));
            last = Some(state);
            is_new
        })
    }

    /// Lets the cache follow all draws, and forgets them. Returns how many pixels it looked at.
    pub(super) fn play(&mut self, memory: &Memory, lines: &mut CacheLines) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let capacity = self.capacity();
        let mut used: [UsedLines; SETS] = Default::default();
        let mut pixels = 0;
        // Backwards, so that few pixels suffice: a set holds the lines used last.
        let _ = self
            .draws
            .iter()
            .rev()
            .try_for_each(|draw| self.find_used(draw, &capacity, &mut used, &mut pixels));
        let old = std::mem::take(lines);
        for ((used, old), lines) in used.iter_mut().zip(old.sets).zip(&mut lines.sets) {
            for line in old {
                if !used.is_full() && used.iter().all(|known| known.tag() != line.tag) {
                    used.push(UsedLine::Known(line));
                }
            }
            lines.extend(used.drain(..).map(|line| match line {
                UsedLine::Noted { tag, texture, draw } => CachedLine::load(memory, &texture, tag, draw),
                UsedLine::Known(line) => line,
            }));
        }
        self.clear();
        pixels
    }

    /// Adds the lines that a draw uses, from its last pixel to its first. Breaks when all sets have as many as they
    /// can.
    fn find_used(
        &self,
        draw: &NotedDraw,
        capacity: &[usize; SETS],
        used: &mut [UsedLines; SETS],
        pixels: &mut u64,
    ) -> ControlFlow<()> {
        let mut places = ArrayVec::<(LinePlace, Texture), 8>::new();
        let primitives =
            self.primitives.get(draw.primitives.clone()).or_never("a noted draw has kept its primitives");
        for primitive in primitives.iter().rev() {
            let Some(source) = draw.state.texel_source(primitive) else { continue };
            let walk = PixelWalk::new(primitive, draw.state.scissor());
            walk.backward(|x, y| {
                *pixels += 1;
                places.clear();
                source.visit(x, y, &mut |level, texture, at| {
                    places.push((LinePlace::of_texel(texture, level, at), *texture));
                });
                let mut is_new = false;
                for (LinePlace { set, tag }, texture) in places.drain(..).rev() {
                    let Some(used) = used.get_mut(usize::from(set)) else { continue };
                    if !used.is_full() && used.iter().all(|known| known.tag() != tag) {
                        used.push(UsedLine::Noted { tag, texture, draw: draw.number });
                        is_new = true;
                    }
                }
                let is_complete =
                    is_new && used.iter().zip(capacity).all(|(used, capacity)| used.len() >= *capacity);
                if is_complete { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Returns how many of the draws' lines each set can hold at most.
    fn capacity(&self) -> [usize; SETS] {
        let mut tags: [Vec<LineTag>; SETS] = Default::default();
        let levels = || self.states().flat_map(|state| state.cache_levels());
        let count = |level: &Texture| line_counts(level).iter().product::<u32>();
        if levels().fold(0_u32, |sum, (_, level)| sum.saturating_add(count(level))) > MAX_COUNTED {
            return [WAYS; SETS];
        }
        for (number, level) in levels() {
            let [columns, bands] = line_counts(level).map(|count| u8::try_from(count).unwrap_or(u8::MAX));
            for (column, band) in (0..columns).flat_map(|column| (0..bands).map(move |band| (column, band))) {
                let tag = LineTag { level: number, column, band };
                let set = usize::from(set_of(cached_bits(level), column, band));
                if let Some(tags) = tags.get_mut(set).filter(|tags| !tags.contains(&tag)) {
                    tags.push(tag);
                }
            }
        }
        tags.map(|tags| tags.len().min(WAYS))
    }
}
