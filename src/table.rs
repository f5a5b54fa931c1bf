//! Turns frames into Arrow record batches, for databases and data frames.
//!
//! [`write()`] runs an asset once and passes batches for each [`Table`] on during the run, so that even a long list
//! needs little memory. The command saves them as Parquet; another program can take the Arrow data as it is. [The
//! guide](crate::guides::tables) lists all columns and asks questions in SQL.
//!
//! | file | holds |
//! | --- | --- |
//! | `write` | the run to make rows for all tables |
//! | `sink` | the sink and the observer of this run |
//! | `kind`, `schema` | the tables, their names and schemas |
//! | `key` | the columns shared by all tables |
//! | `frames`, `draws`, `commands`, `textures`, `vertices`, `pixels` | the columns for each table |
//! | `column`, `rows` | columns and batches in general |
//! | `page` | the column reference as a page |
//!
//! # Invariants
//! * The memory for rows is bounded, however long the list is.
//! * Equal inputs give equal batches.
//! * A column has the same name and values as its member in documents, if they have it.

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
pub use kind::Table;
pub use options::TableOptions;
pub use write::{FrameFile, TableError, write};
#[doc(hidden)]
pub use {key::FrameKey, kind::SCHEMA, page::reference};
