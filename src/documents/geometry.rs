//! Describes an input's decoded primitives.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::asset::{Geometry, GeometryDraw};

/// An input's decoded primitives, in world space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeometryDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The draws, in the order in which they ran.
    pub draws: Vec<GeometryDraw>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for GeometryDocument {
    const NAME: &'static str = "geometry";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The decoded primitives of an input";
}

impl GeometryDocument {
    /// Creates the document for decoded primitives, with the notes from their run.
    #[must_use]
    pub fn new(input: &str, geometry: Geometry) -> Self {
        let notes = geometry.notes.iter().map(NoteInfo::of_run).collect();
        Self { schema: SchemaId::new(), input: input.to_owned(), draws: geometry.draws, notes }
    }
}
