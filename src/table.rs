//! Tables: frames as Arrow record batches, for databases and data frames.
//!
//! [`write()`] runs an asset once and passes batches of [`Table`]s on while the run goes on. The command writes them as
//! Parquet, and any other program that takes Arrow data can have them, too. [The guide](crate::guides::tables) has the
//! columns of all tables and questions to them in SQL.
//!
//! | file | holds |
//! | --- | --- |
//! | `write` | the run that makes rows of all tables |
//! | `sink` | the sink and the observer of that run |
//! | `kind`, `schema` | the tables, their names and schemas |
//! | `key` | the columns that all tables share |
//! | `frames`, `draws`, `commands`, `textures`, `vertices`, `pixels` | the columns of each table |
//! | `column`, `rows` | columns and batches in general |
//! | `page` | the reference of all columns as a page |
//!
//! # Invariants
//! * The memory for rows is bounded, however long the list is.
//! * Equal inputs give equal batches.
//! * Columns that a document has, too, have the name and the values of its members.

mod column;
mod commands;
mod draws;
mod frames;
mod key;
mod kind;
mod options;
mod page;
mod pixels;
mod rows;
mod schema;
mod sink;
mod textures;
mod vertices;
mod write;

pub use frames::{FrameRow, RunTotals};
pub use key::FrameKey;
pub use kind::{SCHEMA, Table};
pub use options::TableOptions;
pub use page::reference;
pub use write::{FrameFile, TableError, write};
