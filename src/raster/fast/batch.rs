//! Fragments by lanes: what is known of up to [`SIZE`] pixels of one primitive, an array for each value.
//!
//! # Invariants
//! No two fragments of a batch lie on the same pixel, so that all may be read before any is written. Lanes behind the
//! last fragment hold anything; nothing that counts depends on them.

/// Lanes that a loop handles at a time.
pub(super) const LANES: usize = 16;
/// Most fragments in a batch.
pub(super) const SIZE: usize = 128;
/// What runs may write behind their end.
pub(super) const ROOM: usize = SIZE + LANES;

/// Fragments that lie side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The first one's lane.
    pub(super) lane: usize,
    /// How many; all lanes up to the next run's.
    pub(super) count: usize,
    /// The first one's column, from the target's left edge.
    pub(super) x: usize,
    /// Their row, from the target's first.
    pub(super) y: usize,
}

/// The fragments. Positions count from the primitive's upper left.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) count: usize,
    /// At most one for each fragment.
    pub(super) runs: Vec<Run>,
    /// What [`Self::close_gaps`] builds.
    next_runs: Vec<Run>,
    pub(super) x: [i32; ROOM],
    pub(super) y: [i32; ROOM],
    /// Texture coordinates, divided by q.
    pub(super) s: [f64; ROOM],
    pub(super) t: [f64; ROOM],
    pub(super) texel: [u32; ROOM],
    /// Red, green, blue, alpha.
    pub(super) color: [[u16; SIZE]; 4],
    pub(super) secondary: [[u16; SIZE]; 3],
    pub(super) z: [u16; SIZE],
    pub(super) fog: [u16; SIZE],
    /// All bits set where the fragment is still there, else none.
    pub(super) alive: [u16; SIZE],
    /// What the framebuffer holds.
    pub(super) bits: [u32; ROOM],
    /// The same, as red, green, blue and stencil.
    pub(super) old: [[u16; SIZE]; 4],
    pub(super) old_z: [u16; ROOM],
    /// The stencil to be stored.
    pub(super) stencil: [u16; SIZE],
    /// Column and row of the primitive's upper left.
    pub(super) origin: (i32, i32),
}

impl Batch {
    pub(super) fn new() -> Self {
        Self {
            count: 0,
            runs: Vec::with_capacity(SIZE),
            next_runs: Vec::with_capacity(SIZE),
            x: [0; ROOM],
            y: [0; ROOM],
            s: [0.0; ROOM],
            t: [0.0; ROOM],
            texel: [0; ROOM],
            color: [[0; SIZE]; 4],
            secondary: [[0; SIZE]; 3],
            z: [0; SIZE],
            fog: [0; SIZE],
            alive: [0; SIZE],
            bits: [0; ROOM],
            old: [[0; SIZE]; 4],
            old_z: [0; ROOM],
            stencil: [0; SIZE],
            origin: (0, 0),
        }
    }

    /// Closes the gaps that fragments left which are no longer there: what stands behind moves up, and runs fall apart.
    /// Positions and depths move along, nothing else.
    #[inline(always)]
    pub(super) fn close_gaps(&mut self) {
        self.next_runs.clear();
        let mut to = 0;
        for &Run { lane, count, x, y } in &self.runs {
            let end = (lane + count).min(SIZE);
            let mut from = lane;
            while from < end {
                if self.alive[from] == 0 {
                    from += 1;
                    continue;
                }
                let rest = &self.alive[from..end];
                let count = rest.iter().position(|alive| *alive == 0).unwrap_or(rest.len());
                if to != from {
                    let lanes = from..from + count;
                    self.x.copy_within(lanes.clone(), to);
                    self.y.copy_within(lanes.clone(), to);
                    self.z.copy_within(lanes.clone(), to);
                    self.old_z.copy_within(lanes, to);
                }
                self.next_runs.push(Run { lane: to, count, x: x + (from - lane), y });
                to += count;
                from += count;
            }
        }
        std::mem::swap(&mut self.runs, &mut self.next_runs);
        self.count = to;
        self.alive[..to].fill(u16::MAX);
        self.alive[to..].fill(0);
    }

    /// How many groups of lanes hold fragments.
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.count.div_ceil(LANES).min(SIZE / LANES)
    }
}

/// The groups of an array's lanes.
#[inline(always)]
pub(super) fn groups<T>(lanes: &[T], count: usize) -> &[[T; LANES]] {
    let (groups, _) = lanes.as_chunks::<LANES>();
    &groups[..count.min(groups.len())]
}

/// The groups of an array's lanes, to be changed.
#[inline(always)]
pub(super) fn groups_mut<T>(lanes: &mut [T], count: usize) -> &mut [[T; LANES]] {
    let (groups, _) = lanes.as_chunks_mut::<LANES>();
    let count = count.min(groups.len());
    &mut groups[..count]
}
