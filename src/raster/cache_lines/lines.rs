//! The lines that the texture cache holds: 64 of them, in 16 sets of 4.
//! Source: [cache layout](crate::reference::ge::textures#cache-layout).

use arrayvec::ArrayVec;

use super::line::{CachedLine, LinePlace, LineTag};
use super::write_delay::WriteDelay;
use crate::ge::memory::Memory;
use crate::pipeline::texture::Texture;
use crate::raster::fragment_record::StaleTexel;
use crate::raster::texel_fetch::TexelFetch;

/// Number of sets.
pub(in crate::raster) const SETS: usize = 16;
/// Lines of a set.
pub(in crate::raster) const WAYS: usize = 4;

/// The cached lines. Each set begins with the line that was used last.
#[derive(Clone, Debug, Default)]
pub(in crate::raster) struct CacheLines {
    pub(in crate::raster) sets: [ArrayVec<CachedLine, WAYS>; SETS],
    /// The first texel of a draw that differs from memory, and that an earlier draw loaded.
    pub(in crate::raster) stale: Option<StaleTexel>,
}

impl CacheLines {
    /// Empties the cache.
    pub(in crate::raster) fn clear(&mut self) {
        self.sets.iter_mut().for_each(ArrayVec::clear);
    }

    /// Checks whether no line is cached, as after TEXFLUSH.
    pub(in crate::raster) fn is_empty(&self) -> bool {
        self.sets.iter().all(ArrayVec::is_empty)
    }

    /// Iterates over all lines with their sets.
    pub(in crate::raster) fn iter(&self) -> impl Iterator<Item = (u8, &CachedLine)> {
        (0..).zip(&self.sets).flat_map(|(set, lines)| lines.iter().map(move |line| (set, line)))
    }

    /// Finds a line without using it.
    pub(in crate::raster) fn find(&self, LinePlace { set, tag }: LinePlace) -> Option<&CachedLine> {
        self.sets.get(usize::from(set))?.iter().find(|line| line.tag == tag)
    }

    /// Uses a line: it is then the first of its set. Loads it with `load` if it is not cached, and drops the line that
    /// was used least recently. Returns the line, and whether it was cached.
    pub(in crate::raster) fn use_line(
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

/// Texels as a draw of the reference sees them: from cached lines, which are loaded from memory when they are first
/// needed.
pub(in crate::raster) struct CachedTexels<'a> {
    pub(in crate::raster) lines: &'a mut CacheLines,
    pub(in crate::raster) memory: &'a mut Memory,
    /// The pixels that the draw has written and that lines do not show yet; `None` if it does not write its texture.
    pub(in crate::raster) delay: Option<&'a WriteDelay>,
    /// The number of the draw.
    pub(in crate::raster) draw: u64,
}

impl TexelFetch for CachedTexels<'_> {
    fn stored(&mut self, level: u8, texture: &Texture, at: [u32; 2]) -> u32 {
        let Self { lines, memory, delay, draw } = self;
        let load = |tag| match delay {
            None => CachedLine::load(memory, texture, tag, *draw),
            Some(delay) => {
                let shown = delay.hide(memory);
                let line = CachedLine::load(memory, texture, tag, *draw);
                shown.show(memory);
                line
            }
        };
        let (line, _) = lines.use_line(LinePlace::of_texel(texture, level, at), load);
        let Some(line) = line else { return 0 };
        let stored = line.stored(texture, at);
        if line.draw != *draw {
            let stale = line.stale(memory, texture, at);
            lines.stale = lines.stale.or(stale);
        }
        stored
    }

    fn stale(&self, level: u8, texture: &Texture, at: [u32; 2]) -> Option<StaleTexel> {
        let line = self.lines.find(LinePlace::of_texel(texture, level, at))?;
        // A draw that samples its own target needs no TEXFLUSH.
        line.stale(self.memory, texture, at).filter(|stale| stale.draw != self.draw)
    }
}
