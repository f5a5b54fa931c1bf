//! The table with a row for each input. This includes inputs that failed, so that a query can list them.

use std::borrow::Cow;
use std::sync::LazyLock;

use arrow_array::RecordBatch;
use arrow_array::types::{Float32Type, UInt64Type};
use arrow_schema::ArrowError;
use serde::Serialize;

use super::column::Column;
use super::key::{self, FrameKey};
use super::kind::Table;
use super::rows::Layout;
use crate::documents::InfoDocument;
use crate::documents::error::ErrorInfo;
use crate::documents::info::{BoundsInfo, StoredCounts};
use crate::documents::note::NoteInfo;
use crate::documents::report::Status;
use crate::ge::address::Address;
use crate::ge::float::Float;
use crate::run::interpreter::Ending;

/// An input with its figures, its result and its notes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameRow {
    /// The key by which rows in other tables refer to this frame.
    #[doc(hidden)]
    pub key: FrameKey,
    /// The input as the user named it.
    pub input: String,
    /// The result.
    #[doc(hidden)]
    pub status: Status,
    /// The error, if this input failed.
    #[doc(hidden)]
    pub error: Option<ErrorInfo>,
    /// File size in bytes; `None` if the file cannot be read.
    pub file_bytes: Option<u64>,
    /// Describes the contents; `None` if the input failed.
    #[doc(hidden)]
    pub info: Option<Box<InfoDocument>>,
    /// Totals for the run; `None` if the input has no display list.
    pub run: Option<RunTotals>,
    /// Notes on the file and its run.
    #[doc(hidden)]
    pub notes: Vec<NoteInfo>,
}

/// Totals over a run, for a frame's row. For a model they include the clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunTotals {
    /// Why the run ended.
    pub ending: Ending,
    /// How many commands ran.
    pub commands: u64,
    /// How many draws ran.
    pub draws: u64,
    /// How many distinct vertices all draws have.
    pub vertices: u64,
    /// How many triangles there are before clipping and culling.
    pub triangles: u64,
    /// How many distinct textures draws use. A texture with several palettes counts once for each.
    pub textures: u64,
    /// How many primitives are left after clipping and culling.
    pub drawn_primitives: u64,
    /// How many triangles are left after clipping and culling.
    pub drawn_triangles: u64,
    /// How many pixels passed all tests.
    pub pixels: u64,
    /// How many block transfers ran.
    pub transfers: u64,
    /// How many pixels block transfers moved.
    pub transferred_pixels: u64,
}

impl FrameRow {
    /// Creates the row for an input that failed or was not run.
    #[must_use]
    #[doc(hidden)]
    pub fn without_run(key: FrameKey, input: &str, status: Status, error: Option<ErrorInfo>) -> Self {
        Self {
            key,
            input: input.to_owned(),
            status,
            error,
            file_bytes: None,
            info: None,
            run: None,
            notes: Vec::new(),
        }
    }

    /// Builds a batch for [`Table::Frames`].
    ///
    /// # Errors
    /// If an array cannot be built, because its texts take more than 2 GiB.
    pub fn batch(rows: &[Self]) -> Result<RecordBatch, ArrowError> {
        LAYOUT.batch(None, rows)
    }
}

/// The columns of [`FrameRow`].
pub(super) static LAYOUT: LazyLock<Layout<FrameRow>> = LazyLock::new(|| {
    let mut columns = key::columns(|row: &FrameRow| &row.key);
    columns.extend(result_columns());
    columns.extend(content_columns());
    columns.extend(figure_columns());
    columns.extend(run_columns());
    columns.push(Column::structures(
        "notes",
        "Notes on the file and its run.",
        note_columns(),
        |row: &FrameRow| row.notes.as_slice(),
    ));
    Layout::unkeyed(Table::Frames, columns)
});

/// Returns a value's word in documents, such as `limit-reached`.
fn word(value: impl Serialize) -> Cow<'static, str> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word.into(),
        // This cannot happen, because all callers pass enums, which are written as words.
        _ => "".into(),
    }
}

fn result_columns() -> Vec<Column<FrameRow>> {
    fn error<T>(row: &FrameRow, value: fn(&ErrorInfo) -> Option<T>) -> Option<T> {
        row.error.as_ref().and_then(value)
    }
    vec![
        Column::text(
            "input",
            "The input as the user named it, or as it was found in a folder.",
            |row: &FrameRow| row.input.as_str().into(),
        ),
        Column::text(
            "status",
            "The result: `ok`, `nothing` if the input holds no display list, or `failed`.",
            |row: &FrameRow| word(row.status),
        ),
        Column::maybe_text(
            "error_code",
            "A word for the kind of error. Null without an error.",
            |row: &FrameRow| row.error.as_ref().map(|error| error.code.as_str().into()),
        ),
        Column::maybe_text(
            "error_message",
            "The error as a sentence, without its place. Null without an error.",
            |row: &FrameRow| row.error.as_ref().map(|error| error.message.as_str().into()),
        ),
        Column::maybe_text(
            "error_file",
            "The file at fault. Null without an error, or if it concerns no file.",
            |row: &FrameRow| row.error.as_ref()?.file.as_deref().map(Into::into),
        ),
        Column::maybe_number::<UInt64Type>(
            "error_offset",
            "Offset of the fault in that file. Null without an error or an offset.",
            |row: &FrameRow| error(row, |error| error.offset),
        )
        .unit("bytes"),
    ]
}

fn content_columns() -> Vec<Column<FrameRow>> {
    vec![
        Column::maybe_text("format", "Name of the format.", |row: &FrameRow| {
            row.info.as_ref().map(|info| info.format.as_str().into())
        }),
        Column::maybe_text(
            "version",
            "Version of the format, as its documents call it.",
            |row: &FrameRow| row.info.as_ref()?.version.as_deref().map(Into::into),
        ),
        Column::maybe_text("game", "Id of the game that a frame was recorded from.", |row: &FrameRow| {
            row.info.as_ref()?.game.as_deref().map(Into::into)
        }),
        Column::maybe_text(
            "content",
            "The kind of content: `model`, `textures`, `skeleton`, `animations`, `frame`, `list` or `archive`.",
            |row: &FrameRow| row.info.as_ref().map(|info| word(info.content)),
        ),
        Column::maybe_number::<UInt64Type>("file_bytes", "Size of the file.", |row: &FrameRow| {
            row.file_bytes
        })
        .unit("bytes"),
    ]
}

/// Columns with the figures that `pspge info` prints.
fn figure_columns() -> Vec<Column<FrameRow>> {
    let figure = |name, description, value: fn(&InfoDocument) -> Option<u64>| {
        Column::maybe_number::<UInt64Type>(name, description, move |row: &FrameRow| {
            row.info.as_ref().and_then(|info| value(info))
        })
    };
    let stored = |name, description, value: fn(&StoredCounts) -> u64| {
        Column::maybe_number::<UInt64Type>(name, description, move |row: &FrameRow| {
            row.info.as_ref()?.stored.as_ref().map(value)
        })
    };
    let bounds = |name, description, value: fn(&BoundsInfo) -> [Float; 3]| {
        Column::maybe_list::<Float32Type>(name, description, move |row: &FrameRow, out| {
            let bounds = row.info.as_ref().and_then(|info| info.bounds.as_ref());
            out.extend(bounds.into_iter().flat_map(|bounds| value(bounds).map(|Float(number)| number)));
            bounds.is_some()
        })
        .unit("units of the world")
    };
    vec![
        figure("payload_bytes", "Bytes of the data of a frame dump.", |info| info.payload_bytes)
            .unit("bytes"),
        figure("meshes", "Number of meshes of a model.", |info| info.meshes),
        figure("groups", "Number of groups of a model: primitives that one list draws.", |info| info.groups),
        figure(
            "draws",
            "Number of draws, as `pspge info` counts them. Of a model, without the clear.",
            |info| info.draws,
        ),
        figure(
            "vertices",
            "Number of vertices, as `pspge info` counts them. Of a model, those that an export has.",
            |info| info.vertices,
        ),
        figure(
            "triangles",
            "Number of triangles, as `pspge info` counts them. Of a model, those that an export has.",
            |info| info.triangles,
        ),
        figure("materials", "Number of materials of a model.", |info| info.materials),
        figure("textures", "Number of textures that the file stores.", |info| info.textures),
        figure("bones", "Number of bones.", |info| info.bones),
        figure("animations", "Number of animations.", |info| info.animations),
        figure(
            "commands",
            "Number of executed commands, as `pspge info` counts them. Of a model, without camera and clear.",
            |info| info.commands,
        ),
        stored("stored_vertices", "Number of vertices of a model as its file stores them.", |stored| {
            stored.vertices
        }),
        stored("stored_triangles", "Number of triangles of a model as its file stores them.", |stored| {
            stored.triangles
        }),
        stored("stored_bones", "Number of bones of a model as its file stores them.", |stored| stored.bones),
        bounds(
            "bounds_min",
            "Smallest x, y and z of all vertices outside through mode. Null if there is none.",
            |bounds| bounds.min,
        ),
        bounds(
            "bounds_max",
            "Largest x, y and z of all vertices outside through mode. Null if there is none.",
            |bounds| bounds.max,
        ),
    ]
}

/// Columns with totals over the run, to save summing over the other tables.
fn run_columns() -> Vec<Column<FrameRow>> {
    let total = |name, description, value: fn(&RunTotals) -> u64| {
        Column::maybe_number::<UInt64Type>(name, description, move |row: &FrameRow| {
            row.run.as_ref().map(value)
        })
    };
    vec![
        Column::maybe_text("run_ending", "Why the run ended, such as `finished`.", |row: &FrameRow| {
            row.run.map(|run| word(run.ending))
        }),
        total("run_commands", "Number of rows of `commands`.", |run| run.commands),
        total("run_draws", "Number of rows of `draws`. Of a model, with the clear.", |run| run.draws),
        total("run_vertices", "Number of rows of `vertices`.", |run| run.vertices),
        total("run_triangles", "Number of triangles before clipping and culling.", |run| run.triangles),
        total("run_textures", "Number of rows of `textures`.", |run| run.textures),
        total("run_drawn_primitives", "Number of primitives after clipping and culling.", |run| {
            run.drawn_primitives
        }),
        total("run_drawn_triangles", "Number of triangles after clipping and culling.", |run| {
            run.drawn_triangles
        }),
        total(
            "run_pixels",
            "Number of pixels that passed all tests. Those that are drawn several times count each time.",
            |run| run.pixels,
        )
        .unit("pixels"),
        total("run_transfers", "Number of block transfers.", |run| run.transfers),
        total("run_transferred_pixels", "Number of pixels moved by block transfers.", |run| {
            run.transferred_pixels
        })
        .unit("pixels"),
    ]
}

fn note_columns() -> Vec<Column<NoteInfo>> {
    let place = |name, description, value: fn(&NoteInfo) -> Option<u64>| {
        Column::maybe_number::<UInt64Type>(name, description, value)
    };
    vec![
        Column::text("code", "A word for the kind of note.", |note: &NoteInfo| note.code.as_str().into()),
        Column::text(
            "severity",
            "How serious it is: `problem` if something is missing, guessed or contradictory, else `information`.",
            |note: &NoteInfo| word(note.severity),
        ),
        Column::text("message", "The note as a sentence.", |note: &NoteInfo| note.message.as_str().into()),
        Column::maybe_text(
            "file",
            "The file that it is on. Null if it is on the input.",
            |note: &NoteInfo| note.file.as_deref().map(Into::into),
        ),
        Column::maybe_text(
            "part",
            "The part of the input that it concerns. Null if it is the whole.",
            |note: &NoteInfo| note.part.as_deref().map(Into::into),
        ),
        place("offset", "Offset in the file. Null for notes on the run.", |note| note.offset).unit("bytes"),
        place("address", "Address of the command that caused it. Null for notes on the file.", |note| {
            note.address.map(Address::get).map(u64::from)
        }),
        place("command", "Number of commands executed before it. Null for notes on the file.", |note| {
            note.command
        }),
        place("draw", "Number of draws executed before it. Null for notes on the file.", |note| note.draw),
        Column::number::<UInt64Type>("count", "How many times it occurred.", |note: &NoteInfo| note.count),
    ]
}
