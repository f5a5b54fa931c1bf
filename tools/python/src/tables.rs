//! An asset's tables, through the Arrow PyCapsule interface: pyarrow, pandas, polars, DuckDB and others take them
//! without a copy.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::ArrowError;
use pspge::documents::note::NoteInfo;
use pspge::documents::note_list::NoteList;
use pspge::pipeline::texture::content_hash::ContentHash;
use pspge::table::{self, FrameFile, FrameRow, TableError, TableOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::asset::Asset;
use crate::convert::to_object;
use crate::failure::Failure;
use crate::options::RunOptions;

/// A table: its rows in batches.
#[pyclass(frozen, module = "pspge._native")]
pub(crate) struct Table {
    table: table::Table,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    /// How many rows this table has.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The columns: name, type and description.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        let schema = self.table.schema();
        let column = |field: &arrow_schema::FieldRef| {
            let description = field.metadata().get("description").cloned().unwrap_or_default();
            (field.name().clone(), field.data_type().to_string(), description)
        };
        schema.fields().iter().map(column).collect()
    }

    /// Returns the schema as a capsule named `arrow_schema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.table.schema()).map_err(|error| exception(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Returns the rows as a capsule named `arrow_array_stream`. A requested schema is only a wish, so it is
    /// ignored.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        // This shares the arrays and copies nothing.
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.table.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }
}

fn exception(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Asset {
    /// Runs the list, and returns the wanted tables by name, and the notes.
    fn tables<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        names: Vec<String>,
        member: Option<String>,
    ) -> PyResult<(BTreeMap<&'static str, Table>, Bound<'py, PyAny>)> {
        let (tables, notes) = py.detach(|| {
            self.make_tables(&options, &names, member.as_deref()).map_err(|error| error.of_input(&self.name))
        })?;
        Ok((tables, to_object(py, &notes.into_entries())?))
    }
}

impl Asset {
    fn make_tables(
        &self,
        options: &RunOptions,
        names: &[String],
        member: Option<&str>,
    ) -> Result<(BTreeMap<&'static str, Table>, NoteList), Failure> {
        if options.has_changes() {
            return Err(Failure::inapplicable("a change to try", "tables are of the file as it is"));
        }
        let wanted = names.iter().map(|name| wanted_table(name)).collect::<Result<Vec<_>, _>>()?;
        let mut spec = self.spec(options)?;
        let asset = match self.inner.posed(&spec).map_err(|error| options.failure(error))? {
            Some(Cow::Owned(posed)) => {
                let mut asset = self.inner.clone();
                if let Some(model) = asset.model_mut() {
                    *model = posed;
                }
                Cow::Owned(asset)
            }
            _ => Cow::Borrowed(&self.inner),
        };
        spec.pose = None;
        let settings = TableOptions::default().tables(wanted.iter().copied()).render(spec);
        let file = FrameFile {
            frame: 0,
            input: &self.name,
            member,
            bytes: self.bytes.len() as u64,
            hash: ContentHash::of(&self.bytes),
        };
        let mut tables: BTreeMap<_, Vec<RecordBatch>> =
            wanted.iter().map(|table| (*table, Vec::new())).collect();
        let row = table::write(&asset, &file, &settings, &mut |table, batch| {
            tables.entry(table).or_default().push(batch);
            ControlFlow::Continue(())
        });
        let mut row = row.map_err(failure)?;
        let mut notes = NoteList::default();
        row.notes.iter().cloned().for_each(|note: NoteInfo| notes.push(note));
        row.notes = notes.entries().to_vec();
        if let Some(frames) = tables.get_mut(&table::Table::Frames) {
            frames.push(FrameRow::batch(&[row]).map_err(|error| failure(TableError::from(error)))?);
        }
        let tables = tables.into_iter().map(|(table, batches)| (table.name(), Table { table, batches }));
        Ok((tables.collect(), notes))
    }
}

/// Looks a table up by name.
fn wanted_table(name: &str) -> Result<table::Table, Failure> {
    table::Table::from_name(name).ok_or_else(|| {
        let names = table::Table::ALL.map(table::Table::name).join(", ");
        Failure::usage(format_args!("tables: unknown table {name:?}; use one of {names}"))
    })
}

fn failure(error: TableError) -> Failure {
    match error {
        TableError::Asset(error) => error.into(),
        error => Failure::content("too-large", error),
    }
}
