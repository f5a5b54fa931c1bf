//! Writes tables to Parquet files.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use pspge::table::Table;

use crate::output::PendingFile;
use crate::terminal::failure::Failure;

/// Rows in a group: as many as DuckDB reads at once. A group stays in memory until it is complete.
const ROWS_PER_GROUP: usize = 122_880;
/// Rows in a group for tables with many columns, to take about as much memory.
const ROWS_PER_WIDE_GROUP: usize = 16_384;
/// A table counts as wide from this many columns on.
const WIDE_COLUMNS: usize = 64;

pub(super) fn path_of(folder: &Path, table: Table) -> PathBuf {
    folder.join(format!("{table}.parquet"))
}

/// Files for all wanted tables.
pub(super) struct Writers(Vec<TableWriter>);

struct TableWriter {
    table: Table,
    path: PathBuf,
    writer: ArrowWriter<PendingFile>,
}

impl Writers {
    /// Creates the files. They get their names only when complete.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub(super) fn create(folder: &Path, tables: &[Table]) -> Result<Self, Failure> {
        let create = |table: &Table| {
            let path = path_of(folder, *table);
            let file = PendingFile::new(&path)?;
            let writer = ArrowWriter::try_new(file, table.schema(), Some(properties(*table)))
                .map_err(|error| failure(&path, &error))?;
            Ok(TableWriter { table: *table, path, writer })
        };
        tables.iter().map(create).collect::<Result<_, _>>().map(Self)
    }

    /// Adds rows to a table. Drops rows for a table that is not wanted.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&mut self, table: Table, batch: &RecordBatch) -> Result<(), Failure> {
        match self.0.iter_mut().find(|known| known.table == table) {
            Some(TableWriter { path, writer, .. }) => {
                writer.write(batch).map_err(|error| failure(path, &error))
            }
            None => Ok(()),
        }
    }

    /// Completes the files and gives them their names.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let mut complete = Vec::with_capacity(self.0.len());
        for TableWriter { path, writer, .. } in self.0 {
            complete.push(writer.into_inner().map_err(|error| failure(&path, &error))?);
        }
        // Files only get their names now, after all are complete: either every table is replaced, or none.
        complete.into_iter().try_for_each(PendingFile::finish)
    }
}

fn properties(table: Table) -> WriterProperties {
    let schema = table.schema();
    let metadata = schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let is_wide = schema.fields().len() >= WIDE_COLUMNS;
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(if is_wide { ROWS_PER_WIDE_GROUP } else { ROWS_PER_GROUP }))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("pspge {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata.collect()));
    // Texts keep dictionaries, which suit repeated words. Numbers are smaller as differences, because they are often
    // equal or rise from row to row. Numbers in lists repeat as whole lists, which the compression finds by itself.
    for field in schema.fields() {
        let (name, encoding) = match field.data_type() {
            kind if kind.is_integer() => (vec![field.name().clone()], Encoding::DELTA_BINARY_PACKED),
            DataType::Float32 => (vec![field.name().clone()], Encoding::BYTE_STREAM_SPLIT),
            DataType::List(element) if element.data_type().is_primitive() => {
                (vec![field.name().clone(), "list".to_owned(), element.name().clone()], Encoding::PLAIN)
            }
            _ => continue,
        };
        let column = ColumnPath::new(name);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, encoding);
    }
    properties.build()
}

fn failure(path: &Path, error: &ParquetError) -> Failure {
    Failure::file_problem(path.display(), "input-output", error)
}
