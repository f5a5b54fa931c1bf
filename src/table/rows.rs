//! Collects rows and sends them as record batches.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::{PrimitiveBuilder, StringDictionaryBuilder};
use arrow_array::types::{Int32Type, UInt32Type};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};

use super::column::{Column, text_type};
use super::key::{self, FrameKey};
use super::kind::{METADATA_SCHEMA, METADATA_TABLE, SCHEMA, Table};

/// A table's columns, and their schema.
pub(super) struct Layout<R> {
    table: Table,
    columns: Vec<Column<R>>,
    schema: SchemaRef,
}

impl<R: 'static> Layout<R> {
    /// Creates the layout of a table whose rows begin with their frame's key.
    pub(super) fn keyed(table: Table, columns: Vec<Column<R>>) -> Self {
        Self::with_fields(table, key_fields(), columns)
    }

    /// Creates the layout of a table without added key columns.
    pub(super) fn unkeyed(table: Table, columns: Vec<Column<R>>) -> Self {
        Self::with_fields(table, Vec::new(), columns)
    }

    fn with_fields(table: Table, mut fields: Vec<Field>, columns: Vec<Column<R>>) -> Self {
        fields.extend(columns.iter().map(Column::field));
        let metadata = [(METADATA_SCHEMA, SCHEMA), (METADATA_TABLE, table.name())]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        Self { table, columns, schema: Arc::new(Schema::new_with_metadata(fields, metadata)) }
    }

    /// Returns the schema that all batches share.
    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Builds a batch. Keyed tables need `key`, to fill the columns with which they begin.
    ///
    /// # Errors
    /// If an array cannot be built.
    pub(super) fn batch(&self, key: Option<&FrameKey>, rows: &[R]) -> Result<RecordBatch, ArrowError> {
        let rows: Vec<&R> = rows.iter().collect();
        let mut arrays = key.map(|key| key_arrays(key, rows.len())).transpose()?.unwrap_or_default();
        for column in &self.columns {
            arrays.push(column.array(&rows)?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        RecordBatch::try_new_with_options(self.schema(), arrays, &options)
    }
}

/// The key columns, which come first in keyed tables.
fn key_fields() -> Vec<Field> {
    key::columns(|key: &FrameKey| key).iter().map(Column::field).collect()
}

/// Repeats a frame's key for each row.
fn key_arrays(key: &FrameKey, rows: usize) -> Result<Vec<ArrayRef>, ArrowError> {
    let mut frames = PrimitiveBuilder::<UInt32Type>::with_capacity(rows);
    frames.append_value_n(key.frame, rows);
    let text = |text: Option<String>| -> Result<ArrayRef, ArrowError> {
        let mut builder = StringDictionaryBuilder::<Int32Type>::new();
        match text {
            Some(text) => builder.append_n(text, rows).map(|_| ())?,
            None => builder.append_nulls(rows),
        }
        let array: ArrayRef = Arc::new(builder.finish());
        debug_assert_eq!(array.data_type(), &text_type(), "the type of all texts");
        Ok(array)
    };
    Ok(vec![
        Arc::new(frames.finish()),
        text(key.file_hash.map(|hash| hash.to_string()))?,
        text(key.member.clone())?,
    ])
}

/// Passes batches to the receiver, with the key of the current frame.
pub(super) struct Output<'a> {
    key: &'a FrameKey,
    out: &'a mut dyn FnMut(Table, RecordBatch) -> ControlFlow<()>,
    /// The most rows in a batch.
    rows_per_batch: usize,
    /// True after the receiver refused further batches, or after a batch could not be built.
    is_stopped: bool,
    error: Option<ArrowError>,
}

impl<'a> Output<'a> {
    /// Creates an output whose batches have at most `rows_per_batch` rows.
    pub(super) fn new(
        key: &'a FrameKey,
        rows_per_batch: usize,
        out: &'a mut dyn FnMut(Table, RecordBatch) -> ControlFlow<()>,
    ) -> Self {
        Self { key, out, rows_per_batch: rows_per_batch.max(1), is_stopped: false, error: None }
    }

    /// Returns whether the run should stop, because nobody takes further rows.
    pub(super) const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Returns the error that stopped this output; `None` if there was none.
    pub(super) fn into_error(self) -> Option<ArrowError> {
        self.error
    }

    fn send<R: 'static>(&mut self, layout: &Layout<R>, rows: &[R]) {
        if self.is_stopped {
            return;
        }
        match layout.batch(Some(self.key), rows) {
            Ok(batch) => self.is_stopped = (self.out)(layout.table, batch).is_break(),
            Err(error) => {
                self.is_stopped = true;
                self.error = Some(error);
            }
        }
    }
}

/// Keeps a table's rows until they fill a batch.
pub(super) struct Rows<R: 'static> {
    /// `None` if the table is not wanted.
    layout: Option<&'static Layout<R>>,
    rows: Vec<R>,
}

impl<R: 'static> Rows<R> {
    /// Creates an empty list. Without a layout, rows are dropped.
    pub(super) const fn new(layout: Option<&'static Layout<R>>) -> Self {
        Self { layout, rows: Vec::new() }
    }

    /// Returns whether this table is wanted. Ask this first, to save the work of making rows.
    pub(super) const fn is_wanted(&self) -> bool {
        self.layout.is_some()
    }

    /// Adds a row, and sends a batch if it is full.
    pub(super) fn push(&mut self, row: R, output: &mut Output<'_>) {
        if self.layout.is_none() || output.is_stopped() {
            return;
        }
        self.rows.push(row);
        if self.rows.len() >= output.rows_per_batch {
            self.send(output);
        }
    }

    /// Sends the rest, which does not fill a batch. Call this at the end.
    pub(super) fn send(&mut self, output: &mut Output<'_>) {
        if let Some(layout) = self.layout
            && !self.rows.is_empty()
        {
            output.send(layout, &self.rows);
        }
        self.rows.clear();
    }
}
