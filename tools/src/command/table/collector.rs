//! Collects rows while several inputs are worked on, to write them in the order of the inputs.
//!
//! # Invariants
//! * Files have the rows for input 0, then for input 1, and so on, for any number of threads.
//! * Rows for the first unfinished input are written at once. Later rows wait in memory, within a budget: an input
//!   that exceeds it waits for its turn.

use std::collections::BTreeMap;
use std::mem;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pspge::documents::report::Status;
use pspge::table::{FrameKey, FrameRow, Table};

use super::writers::Writers;
use crate::job::{Task, TaskResult};
use crate::terminal::failure::Failure;

/// How many bytes rows may take while they wait for their turn.
const WAITING_BYTES: usize = 64 << 20;

pub(super) struct Collector {
    state: Mutex<State>,
    changed: Condvar,
    /// Used only for the input whose turn it is.
    writers: Mutex<Writers>,
}

#[derive(Default)]
struct State {
    /// The first unfinished input's number.
    turn: usize,
    waiting: BTreeMap<usize, Vec<(Table, RecordBatch)>>,
    waiting_bytes: usize,
    /// Rows for the frame table, until their turn.
    rows: BTreeMap<usize, FrameRow>,
    /// Whether the command ends before all inputs are finished.
    is_stopped: bool,
    /// Why a file could not be written.
    failure: Option<Failure>,
}

impl Collector {
    pub(super) fn new(writers: Writers) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), writers: Mutex::new(writers) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, batches: &[(Table, RecordBatch)]) -> Result<(), Failure> {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        batches.iter().try_for_each(|(table, batch)| writers.write(*table, batch))
    }

    /// Sets an input's own row, to be written when the input is finished.
    pub(super) fn set_row(&self, number: usize, row: FrameRow) {
        self.state().rows.insert(number, row);
    }

    /// Adds rows for an input. Breaks if the command ends.
    pub(super) fn push(&self, number: usize, table: Table, batch: RecordBatch) -> ControlFlow<()> {
        let bytes = batch.get_array_memory_size();
        let must_wait = |state: &mut State| {
            let fits = state.waiting_bytes.saturating_add(bytes) <= WAITING_BYTES;
            !state.is_stopped && state.turn != number && !fits
        };
        let guard = self.changed.wait_while(self.state(), must_wait);
        let mut state = guard.unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            return ControlFlow::Break(());
        }
        state.waiting.entry(number).or_default().push((table, batch));
        state.waiting_bytes = state.waiting_bytes.saturating_add(bytes);
        if state.turn != number {
            return ControlFlow::Continue(());
        }
        let batches = self.take_waiting(&mut state, number);
        // Writing happens without the lock, so that later inputs can go on.
        drop(state);
        match self.write(&batches) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.state().failure.get_or_insert(failure);
                self.stop();
                ControlFlow::Break(())
            }
        }
    }

    fn take_waiting(&self, state: &mut State, number: usize) -> Vec<(Table, RecordBatch)> {
        let batches = state.waiting.remove(&number).unwrap_or_default();
        let bytes = batches.iter().map(|(_, batch)| batch.get_array_memory_size()).sum();
        state.waiting_bytes = state.waiting_bytes.saturating_sub(bytes);
        self.changed.notify_all();
        batches
    }

    /// Writes an input's remaining rows and its own row, and then gives the turn to the next input.
    ///
    /// # Errors
    /// If a file cannot be written, now or before.
    pub(super) fn finish(&self, task: &Task, result: &TaskResult<'_>) -> Result<(), Failure> {
        self.write_rest(task, result).inspect_err(|_| self.stop())
    }

    fn write_rest(&self, task: &Task, result: &TaskResult<'_>) -> Result<(), Failure> {
        let mut state = self.state();
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        let batches = self.take_waiting(&mut state, task.number);
        let row = state.rows.remove(&task.number);
        drop(state);
        self.write(&batches)?;
        let key = FrameKey { frame: u32::try_from(task.number).unwrap_or(u32::MAX), ..FrameKey::default() };
        let mut row = row.unwrap_or_else(|| FrameRow::without_run(key, &task.input, Status::Failed, None));
        row.status = result.status;
        row.error = result.error.cloned();
        row.notes = result.notes.list.entries().to_vec();
        let batch =
            FrameRow::batch(&[row]).map_err(|error| Failure::input(&task.input, "table", None, error))?;
        self.write(&[(Table::Frames, batch)])?;
        let mut state = self.state();
        state.turn = task.number.saturating_add(1);
        self.changed.notify_all();
        Ok(())
    }

    pub(super) fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }

    /// Returns the files, unless the work was ended early. Returns `None` also if no input is finished, because then
    /// the inputs could not be listed.
    pub(super) fn into_complete(self) -> Option<Writers> {
        let state = mem::take(&mut *self.state());
        let writers = self.writers.into_inner().unwrap_or_else(PoisonError::into_inner);
        (!state.is_stopped && state.turn > 0).then_some(writers)
    }
}

/// Ends the work on all inputs if its thread panics, because the others would wait for its turn to pass.
pub(super) struct StopOnPanic<'a>(pub(super) &'a Collector);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
