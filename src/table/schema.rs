//! Looks up the schema for each table.

use arrow_schema::SchemaRef;

use super::kind::Table;
use super::{commands, draws, frames, pixels, textures, vertices};

impl Table {
    /// Returns the columns with their types. A column's metadata has its `description` and, if it has one, its
    /// `unit`. The schema's metadata has `pspge.schema`, which is [`SCHEMA`](super::SCHEMA), and `pspge.table`.
    #[must_use]
    pub fn schema(self) -> SchemaRef {
        match self {
            Self::Frames => frames::LAYOUT.schema(),
            Self::Draws => draws::LAYOUT.schema(),
            Self::Commands => commands::LAYOUT.schema(),
            Self::Textures => textures::LAYOUT.schema(),
            Self::Vertices => vertices::LAYOUT.schema(),
            Self::Pixels => pixels::LAYOUT.schema(),
        }
    }
}
