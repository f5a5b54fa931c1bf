//! Options for making tables.

use super::kind::Table;
use crate::asset::RunSpec;

/// Which tables to make, and how to run the frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TableOptions {
    /// The wanted tables. [`Table::Frames`] needs no place here, because its row is always returned.
    pub tables: Vec<Table>,
    /// How to draw a model, the arithmetic and the limits. The thread count is ignored: one thread draws.
    pub render: RunSpec,
    /// The most rows in a batch, to bound its memory. 0 counts as 1.
    pub rows_per_batch: usize,
}

impl Default for TableOptions {
    /// Returns the options for all tables except pixels, which would add a row for each pixel.
    fn default() -> Self {
        let tables = Table::ALL.into_iter().filter(|table| *table != Table::Pixels).collect();
        Self { tables, render: RunSpec::default(), rows_per_batch: 8192 }
    }
}

impl TableOptions {
    /// Selects the tables.
    #[must_use]
    pub fn tables(self, tables: impl IntoIterator<Item = Table>) -> Self {
        Self { tables: tables.into_iter().collect(), ..self }
    }

    /// Sets how to draw a model, the arithmetic and the limits.
    #[must_use]
    pub fn render(self, render: RunSpec) -> Self {
        Self { render, ..self }
    }

    /// Limits the rows in a batch.
    #[must_use]
    pub const fn rows_per_batch(mut self, rows: usize) -> Self {
        self.rows_per_batch = rows;
        self
    }

    /// Returns whether to make this table.
    pub(super) fn wants(&self, table: Table) -> bool {
        self.tables.contains(&table)
    }
}
