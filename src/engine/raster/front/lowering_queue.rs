//! Draws that wait for any thread to lower them.
//!
//! Lowering takes half the time in frames with many draws, and needs nothing from earlier draws but the registers.
//! So the front end copies the registers, and goes on to the next draw. Several draws form a batch, which the first
//! free thread lowers: a helper, or the front end itself once enough batches wait. The front end submits them in
//! order.
//!
//! # Invariants
//! Waiting draws have copies of their vertices, so that memory may change. This lets a host run a list in small
//! parts without waiting for draws at the end of each part.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::lowered_primitives::{LoweredPrimitives, PrimitivePool};
use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::draw::{CarriedState, Draw};
use crate::pipeline::geometry::patch::Patch;
use crate::raster::dispatch::loan::{Loan, Return};
use crate::raster::dispatch::queue::note_range;
use crate::raster::dispatch::threads::Threads;
use crate::raster::fast::{SurfaceBytes, overlap};
use crate::raster::options::RasterOptions;

/// A batch for the only helper is full at this much work, in vertices: about 50 µs.
const MAX_WORK: u64 = 512;
/// Batches for several helpers are smaller, to give all of them work early and to shorten the wait for the last.
const MAX_SHARED_WORK: u64 = 128;
/// It is also full if it holds copies of this many bytes.
const MAX_COPIES: usize = 1 << 16;
/// If more batches wait for each helper, the front end lowers a batch itself.
const BATCHES_PER_HELPER: usize = 8;
/// If more batches wait, the first is submitted, even if it is not lowered yet.
const MAX_BATCHES: usize = 64;
/// How many submitted batches keep their memory, 20 to 80 KB each plus the size of their copies.
const MAX_SPARE: usize = 16;
/// A draw's own work, which does not depend on its vertices.
const WORK_OF_DRAW: u64 = 16;

/// A draw that waits, with everything it needs but memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingDraw {
    pub(crate) registers: Registers,
    carried: CarriedState,
    at: Address,
    pub(crate) number: u64,
    primitive: PrimitiveType,
    patch: Option<Patch>,
    count: u32,
    vertices: Address,
    indices: Address,
    pub(crate) uncached: bool,
    options: RasterOptions,
    /// Whether TEXFLUSH came between the previous draw and this draw.
    pub(crate) follows_texflush: bool,
    /// Empty until this draw is lowered.
    pub(crate) lowered: LoweredPrimitives,
}

impl WaitingDraw {
    fn draw(&self) -> Draw<'_> {
        Draw {
            registers: &self.registers,
            at: self.at,
            number: self.number,
            primitive: self.primitive,
            patch: self.patch,
            count: self.count,
            vertices: self.vertices,
            indices: self.indices,
            carried: &self.carried,
            wireframe: self.options.wireframe,
            uncached: self.uncached,
            can_wait: true,
        }
    }

    fn lower(&mut self, copies: &Memory, max_primitives: u64) {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.lower(copies, &self.draw(), &self.options, max_primitives);
        lowered.compute_rows();
        self.lowered = lowered;
    }
}

/// Returns how much work it is to lower a draw, in vertices.
pub(super) fn lowering_work(draw: &Draw<'_>) -> u64 {
    let vertices = draw.patch.map_or(draw.total(), |patch| patch.cost(draw.registers));
    u64::from(vertices) + WORK_OF_DRAW
}

/// Consecutive draws, for a single thread to lower.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The vertices and indices of all draws, in main RAM.
    copies: Memory,
    /// The draws, followed by old draws kept to reuse their memory.
    draws: Vec<WaitingDraw>,
    count: usize,
    lowered: usize,
    /// A number of primitives that exceeds the rest of the pixel budget.
    max_primitives: u64,
    work: u64,
}

impl Default for Batch {
    fn default() -> Self {
        Self { copies: Memory::empty(), draws: Vec::new(), count: 0, lowered: 0, max_primitives: 0, work: 0 }
    }
}

impl Batch {
    /// Lowers the draws, beginning with the first not lowered yet.
    fn lower(&mut self) {
        for draw in self.draws.iter_mut().take(self.count).skip(self.lowered) {
            draw.lower(&self.copies, self.max_primitives);
            self.lowered += 1;
        }
    }

    /// Returns the lowered draws, to be submitted in this order.
    pub(crate) fn submit(&mut self) -> &mut [WaitingDraw] {
        self.draws.get_mut(..self.count).unwrap_or_default()
    }
}

/// A closed batch. The first thread that takes it lowers it.
#[derive(Debug)]
struct LoweringJob {
    batch: Mutex<Option<Batch>>,
    place: Arc<Return<Batch>>,
}

impl LoweringJob {
    fn take(&self) -> Option<Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Lowers the batch, unless another thread has taken it. Returns whether it did.
    fn work(&self) -> bool {
        let batch = self.take();
        let is_taken = batch.is_some();
        if let Some(batch) = batch {
            Loan::new(batch, Arc::clone(&self.place)).lend(|batch| batch.lower());
        }
        is_taken
    }
}

/// All draws that wait, in submission order.
#[derive(Debug, Default)]
pub(crate) struct LoweringQueue {
    jobs: VecDeque<Arc<LoweringJob>>,
    /// The last draws, not given to a thread yet.
    open: Batch,
    /// VRAM ranges that the draws may write.
    writes: Vec<Range<usize>>,
    /// Whether TEXFLUSH came after the last draw.
    pub(crate) follows_texflush: bool,
    spare: Vec<Batch>,
}

impl LoweringQueue {
    pub(crate) fn is_empty(&self) -> bool {
        self.open.count == 0 && self.jobs.is_empty()
    }

    /// Returns whether a waiting draw may write any of these VRAM bytes.
    pub(crate) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    /// Appends a draw with these options. Returns `false` if it cannot wait, because its vertices cannot be copied.
    pub(crate) fn push(
        &mut self,
        memory: &Memory,
        draw: &Draw<'_>,
        options: &RasterOptions,
        max_primitives: u64,
        pool: &mut PrimitivePool,
    ) -> bool {
        let Some((vertices, indices)) = draw.copy_vertices(memory, &mut self.open.copies) else {
            return false;
        };
        let SurfaceBytes { color, depth } = SurfaceBytes::bound(draw.registers, memory.translation());
        note_range(&mut self.writes, color);
        note_range(&mut self.writes, depth);
        let batch = &mut self.open;
        if batch.count == batch.draws.len() {
            batch.draws.push(WaitingDraw::default());
        }
        if batch.count == 0 {
            batch.max_primitives = max_primitives;
        }
        let Some(waiting) = batch.draws.get_mut(batch.count) else { return false };
        waiting.registers.clone_from(draw.registers);
        waiting.carried = draw.taken_over();
        waiting.lowered = pool.take();
        (waiting.at, waiting.number, waiting.primitive) = (draw.at, draw.number, draw.primitive);
        (waiting.patch, waiting.count) = (draw.patch, draw.count);
        (waiting.vertices, waiting.indices) = (vertices, indices);
        (waiting.uncached, waiting.options) = (draw.uncached, *options);
        waiting.follows_texflush = std::mem::take(&mut self.follows_texflush);
        batch.count += 1;
        batch.work = batch.work.saturating_add(lowering_work(draw));
        true
    }

    /// Returns whether the last draws are enough work for a thread.
    pub(super) fn is_batch_full(&self, threads: &Threads) -> bool {
        let max_work = if threads.count() > 2 { MAX_SHARED_WORK } else { MAX_WORK };
        self.open.work >= max_work || self.open.copies.ram_size() >= MAX_COPIES
    }

    /// Gives the last draws to the first free thread.
    pub(crate) fn start(&mut self, threads: &Threads) {
        let batch = self.close();
        let job = Arc::new(LoweringJob { batch: Mutex::new(Some(batch)), place: Arc::default() });
        self.jobs.push_back(Arc::clone(&job));
        threads.spawn(move || {
            job.work();
        });
    }

    fn close(&mut self) -> Batch {
        let next = self.spare.pop().unwrap_or_default();
        std::mem::replace(&mut self.open, next)
    }

    /// Lowers a batch on this thread if the helpers are late. Meanwhile each has more batches to go on with.
    pub(super) fn keep_pace(&self, threads: &Threads) {
        let helpers = threads.count() - 1;
        if self.jobs.len() > BATCHES_PER_HELPER * helpers {
            self.lower_one();
        }
    }

    /// Lowers the first batch that no thread has taken. Returns `false` if there is none.
    fn lower_one(&self) -> bool {
        self.jobs.iter().any(|job| job.work())
    }

    /// Returns whether to submit the first batch, because it is lowered or too many wait.
    pub(super) fn is_due(&self) -> bool {
        self.jobs.len() > MAX_BATCHES || self.jobs.front().is_some_and(|job| job.place.is_back())
    }

    /// Takes the first batch, lowered.
    pub(crate) fn next(&mut self) -> Option<Batch> {
        let Some(job) = self.jobs.pop_front() else {
            if self.open.count == 0 {
                return None;
            }
            let mut batch = self.close();
            batch.lower();
            return Some(batch);
        };
        // While another thread lowers this batch, this thread lowers later batches.
        let is_taken = !job.work();
        while is_taken && !job.place.is_back() && self.lower_one() {}
        let mut batch = job.place.wait();
        // If the other thread has panicked, this thread does the rest, and so panics in turn.
        batch.lower();
        Some(batch)
    }

    /// Keeps a submitted batch's memory for reuse.
    pub(crate) fn recycle(&mut self, mut batch: Batch) {
        (batch.count, batch.lowered, batch.work) = (0, 0, 0);
        batch.copies.clear_ram();
        if self.spare.len() < MAX_SPARE {
            self.spare.push(batch);
        }
        if self.is_empty() {
            self.writes.clear();
        }
    }
}
