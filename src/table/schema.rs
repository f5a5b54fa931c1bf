//! The schemas of the tables.

use arrow_schema::SchemaRef;

use super::kind::Table;
use super::{commands, draws, frames, pixels, textures, vertices};

impl Table {
    /// Returns the schema: columns with their types. The metadata of a column has its `description` and, if there is one,
    /// its `unit`; the metadata of the schema has `pspge.schema`, which is [`SCHEMA`](super::SCHEMA), and `pspge.table`.
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
