//! The texture cache can hold 64 lines, in 16 sets of 4.
//! Source: [cache layout](crate::reference::ge::textures#cache-layout).

use arrayvec::ArrayVec;

use super::line::{CachedLine, LinePlace, LineTag};
use super::write_delay::WriteDelay;
use crate::ge::memory::Memory;
use crate::pipeline::texture::Texture;
use crate::raster::fragments::fragment_record::StaleTexel;
use crate::raster::rules::texel_fetch::TexelFetch;

pub(crate) const SETS: usize = 16;
/// Lines per set.
pub(crate) const WAYS: usize = 4;

/// The cached lines. In each set they are sorted by their last use, the latest first, to drop the oldest easily.
#[derive(Clone, Debug, Default)]
pub(crate) struct CacheLines {
    pub(crate) sets: [ArrayVec<CachedLine, WAYS>; SETS],
    /// The first texel of a draw that differs from memory although an earlier draw loaded it. This means that
    /// TEXFLUSH is missing.
    pub(crate) stale: Option<StaleTexel>,
}

impl CacheLines {
    pub(crate) fn clear(&mut self) {
        self.sets.iter_mut().for_each(ArrayVec::clear);
    }

    /// Checks whether no line is cached, as after TEXFLUSH.
    pub(crate) fn is_empty(&self) -> bool {
        self.sets.iter().all(ArrayVec::is_empty)
    }

    /// Iterates over all lines with their sets.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, &CachedLine)> {
        (0..).zip(&self.sets).flat_map(|(set, lines)| lines.iter().map(move |line| (set, line)))
    }

    /// Finds a line without counting this as a use.
    pub(crate) fn find(&self, LinePlace { set, tag }: LinePlace) -> Option<&CachedLine> {
        self.sets.get(usize::from(set))?.iter().find(|line| line.tag == tag)
    }

    /// Uses a line and moves it to the front of its set. If it is not cached, `load` loads it, in place of the line
    /// unused for the longest time. Returns the line and whether it was cached.
    pub(crate) fn use_line(
        &mut self,
        LinePlace { set, tag }: LinePlace,
        load: impl FnOnce(LineTag) -> CachedLine,
    ) -> (Option<&mut CachedLine>, bool) {
        let Some(lines) = self.sets.get_mut(usize::from(set)) else { return (None, false) };
        let found = lines.iter().position(|line| line.tag == tag);
        match found {
            Some(0) => {}
            Some(position) => lines.get_mut(..=position).unwrap_or_default().rotate_right(1),
            None => {
                lines.truncate(WAYS - 1);
                lines.insert(0, load(tag));
            }
        }
        (lines.first_mut(), found.is_some())
    }
}

/// Gives a draw its texels from cached lines. A line is loaded from memory when a texel first needs it.
pub(crate) struct CachedTexels<'a> {
    pub(crate) lines: &'a mut CacheLines,
    pub(crate) memory: &'a mut Memory,
    /// Pixels of this draw that lines do not show yet; `None` if the draw does not write its texture.
    pub(crate) delay: Option<&'a WriteDelay>,
    pub(crate) draw: u64,
}

impl TexelFetch for CachedTexels<'_> {
    fn stored(&mut self, level: u8, texture: &Texture, at: [u32; 2]) -> u32 {
        let Self { lines, memory, delay, draw } = self;
        let load = |tag| match delay {
            None => CachedLine::load(memory, texture, tag, *draw),
            Some(delay) => {
                // To load what the hardware would see, memory gets its earlier bits back for a moment.
                let shown = delay.hide(memory);
                let line = CachedLine::load(memory, texture, tag, *draw);
                shown.show(memory);
                line
            }
        };
        let (line, _) = lines.use_line(LinePlace::of_texel(texture, level, at), load);
        let Some(line) = line else { return 0 };
        let stored = line.stored(texture, at);
        // Lines loaded by this draw show its own writes late by design, so only older lines are compared.
        if line.draw != *draw {
            let stale = line.stale(memory, texture, at);
            lines.stale = lines.stale.or(stale);
        }
        stored
    }

    fn stale(&self, level: u8, texture: &Texture, at: [u32; 2]) -> Option<StaleTexel> {
        let line = self.lines.find(LinePlace::of_texel(texture, level, at))?;
        // A draw that samples its own target needs no TEXFLUSH, so its own lines never count as stale.
        line.stale(self.memory, texture, at).filter(|stale| stale.draw != self.draw)
    }
}
