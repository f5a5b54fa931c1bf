//! Runs an asset once to make rows for all tables.

use std::ops::ControlFlow;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use thiserror::Error as ThisError;

use super::frames::{FrameRow, RunTotals};
use super::key::FrameKey;
use super::kind::Table;
use super::options::TableOptions;
use super::pixels::{self, Picture};
use super::rows::{Output, Rows};
use super::sink::RowRecorder;
use super::textures::{self, TextureRow};
use crate::asset::{Asset, Error};
use crate::documents::InfoDocument;
use crate::documents::info::{FileIdentity, RunCounts};
use crate::documents::note::NoteInfo;
use crate::documents::report::Status;
use crate::ge::memory::Memory;
use crate::pipeline::bounds::Bounds;
use crate::pipeline::texture::content_hash::ContentHash;
use crate::run::replay::Replayed;
use crate::run::texture_uses::TextureUses;

/// Identifies a frame's file among the inputs, for the key in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameFile<'a> {
    /// The input's number in these tables, from 0.
    pub frame: u32,
    /// The input as the user named it.
    pub input: &'a str,
    /// The member inside a container; `None` for the file itself.
    pub member: Option<&'a str>,
    /// File size in bytes.
    pub bytes: u64,
    /// Hash over its bytes.
    pub hash: ContentHash,
}

/// Why an asset gives no rows.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum TableError {
    /// The asset cannot be run.
    #[error(transparent)]
    Asset(#[from] Error),
    /// A batch cannot be built.
    #[error("a batch of rows cannot be built: {0}")]
    Batch(#[from] ArrowError),
}

impl<'a> FrameFile<'a> {
    /// Describes the only input, from its name and its bytes.
    #[must_use]
    pub fn new(input: &'a str, bytes: &[u8]) -> Self {
        Self { frame: 0, input, member: None, bytes: bytes.len() as u64, hash: ContentHash::of(bytes) }
    }

    /// Returns the key to put into every row.
    #[must_use]
    #[doc(hidden)]
    pub fn key(&self) -> FrameKey {
        FrameKey { frame: self.frame, file_hash: Some(self.hash), member: self.member.map(ToOwned::to_owned) }
    }
}

/// Runs an asset once, and passes its rows to `out` as batches. Each table's batches arrive in order, but mixed with
/// those for other tables. To stop the run, let `out` break.
///
/// Returns the row for [`Table::Frames`], which is complete only after the run; use [`FrameRow::batch`] to collect
/// such rows from several assets. An asset without a display list gives no other rows.
///
/// # Errors
/// [`TableError::Asset`] if a model cannot be drawn at the size in the options; [`TableError::Batch`] if a batch cannot
/// be built, because the texts of its rows take more than 2 GiB.
///
/// ```
/// use std::ops::ControlFlow;
/// use pspge::table::{FrameFile, Table, TableOptions};
///
/// let bytes = b"FOGENABLE 1 | FOGENABLE 1 | FINISH | END";
/// let asset = pspge::open("list.ge", bytes)?;
/// let mut commands = 0;
/// let row = pspge::table::write(&asset, &FrameFile::new("list.ge", bytes), &TableOptions::default(), &mut |table, batch| {
///     commands += if table == Table::Commands { batch.num_rows() } else { 0 };
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((commands, row.run.map(|run| run.commands)), (4, Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    asset: &Asset,
    file: &FrameFile<'_>,
    options: &TableOptions,
    out: &mut dyn FnMut(Table, RecordBatch) -> ControlFlow<()>,
) -> Result<FrameRow, TableError> {
    let key = file.key();
    let identity = FileIdentity { bytes: file.bytes, hash: file.hash };
    let info = |run| InfoDocument::of_run(file.input, identity, asset, &options.render.limits, run);
    let row = |status, info: InfoDocument, run, notes| FrameRow {
        file_bytes: Some(file.bytes),
        info: Some(Box::new(info)),
        run,
        notes,
        ..FrameRow::without_run(key.clone(), file.input, status, None)
    };
    let mut notes: Vec<NoteInfo> = asset.notes().iter().map(NoteInfo::of_file).collect();
    if !asset.is_drawable() {
        return Ok(row(Status::Nothing, info(None), None, notes));
    }
    let mut output = Output::new(&key, options.rows_per_batch, out);
    let run = run(asset, options, &mut output)?;
    notes.extend(run.notes);
    if let Some(error) = output.into_error() {
        return Err(error.into());
    }
    // Only now are the totals known, so the frame's row comes last.
    let counts = RunCounts {
        draws: run.totals.draws,
        vertices: run.totals.vertices,
        triangles: run.totals.triangles,
        commands: run.totals.commands,
        bounds: run.bounds,
        notes: Vec::new(),
    };
    Ok(row(Status::Ok, info(Some(counts)), Some(run.totals), notes))
}

/// The results to put into the frame's row.
struct RunResult {
    totals: RunTotals,
    bounds: Option<Bounds>,
    notes: Vec<NoteInfo>,
}

/// Runs an asset, and sends the rows for all tables except frames.
fn run(asset: &Asset, options: &TableOptions, output: &mut Output<'_>) -> Result<RunResult, TableError> {
    let mut shot = asset.shot(&options.render)?;
    let sources = std::mem::take(&mut shot.capture.sources);
    let mut sink = TextureUses::new(shot.rasterizer()).without_pictures();
    let mut recorder = RowRecorder::new(options, &sources, output);
    let run = shot.run_here(&mut sink, &mut recorder);
    recorder.finish();
    let mut notes = NoteInfo::of_report(&run.report);
    if let Some(hit) = recorder.hashes.limit_hit() {
        notes.push(NoteInfo::new("limit", &format!("hashes of textures and vertices are left out: {hit}")));
    }
    let (drawn, geometry, bounds) = (sink.inner().statistics(), recorder.geometry, recorder.bounds);
    let textures = sink.into_textures();
    let totals = RunTotals {
        ending: run.report.ending,
        commands: run.report.commands,
        draws: run.report.draws,
        vertices: geometry.vertices,
        triangles: geometry.triangles,
        textures: textures.len() as u64,
        drawn_primitives: drawn.primitives,
        drawn_triangles: drawn.triangles,
        pixels: drawn.pixels,
        transfers: run.report.transfers,
        transferred_pixels: run.report.transferred_pixels,
    };
    // Textures collect their draws during the whole run, so their rows can be sent only after it.
    let mut rows = Rows::new(options.wants(Table::Textures).then_some(&textures::LAYOUT));
    for (number, texture) in (0..).zip(textures) {
        rows.push(TextureRow { number, texture }, output);
    }
    rows.send(output);
    if options.wants(Table::Pixels) {
        notes.extend(send_pixels(&shot.capture.memory, &run, output));
    }
    Ok(RunResult { totals, bounds, notes })
}

/// Sends the final picture's pixels, or returns a note with the reason if there is none.
fn send_pixels(memory: &Memory, run: &Replayed, output: &mut Output<'_>) -> Option<NoteInfo> {
    let reason = match Picture::of_run(memory, run) {
        Ok(Some(picture)) => {
            let mut rows = Rows::new(Some(&pixels::LAYOUT));
            for row in picture.rows() {
                rows.push(row, output);
            }
            rows.send(output);
            return None;
        }
        Ok(None) => "the run has set up no framebuffer".to_owned(),
        Err(error) => error.to_string(),
    };
    Some(NoteInfo::new("no-pixels", &format!("there are no pixels: {reason}")))
}
