//! Options of tables.

use super::kind::Table;
use crate::asset::RunSpec;

/// The tables that are wanted, and how the frame is run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TableOptions {
    /// The wanted tables. [`Table::Frames`] is always complete: its row is returned.
    pub tables: Vec<Table>,
    /// How a model is drawn, the arithmetic and the limits. One thread draws.
    pub render: RunSpec,
    /// The most rows of a batch, at least 1.
    pub rows_per_batch: usize,
}

impl Default for TableOptions {
    /// Returns the options for all tables but that of pixels.
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

    /// Sets how a model is drawn, the arithmetic and the limits.
    #[must_use]
    pub fn render(self, render: RunSpec) -> Self {
        Self { render, ..self }
    }

    /// Sets the most rows of a batch.
    #[must_use]
    pub const fn rows_per_batch(mut self, rows: usize) -> Self {
        self.rows_per_batch = rows;
        self
    }

    /// Returns whether a table is wanted.
    pub(super) fn wants(&self, table: Table) -> bool {
        self.tables.contains(&table)
    }
}
