//! Describes how a run ended.

use serde::{Deserialize, Serialize};

use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::run::interpreter::{Ending, Report};

/// How a run ended, and its totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Why the run ended.
    pub ending: Ending,
    /// Address of the next command: the command not executed, or the word after END.
    pub address: Address,
    /// How many commands were executed.
    pub commands: u64,
    /// How many draws were executed.
    pub draws: u64,
    /// How many vertices draws and bounding-box tests had.
    pub vertices: u64,
    /// How many vertices and control points divided patches had.
    pub patch_vertices: u64,
    /// How many pixels block transfers moved.
    pub transferred_pixels: u64,
    /// How many notes this run made.
    pub note_count: u64,
}

impl Document for EndDocument {
    const NAME: &'static str = "end";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The end of a run";
}

impl EndDocument {
    /// Describes how a run ended.
    #[must_use]
    pub fn new(input: &str, report: &Report) -> Self {
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            ending: report.ending,
            address: report.at,
            commands: report.commands,
            draws: report.draws,
            vertices: report.vertices,
            patch_vertices: report.patch_vertices,
            transferred_pixels: report.transferred_pixels,
            note_count: (report.notes.len() as u64).saturating_add(report.notes_dropped),
        }
    }
}
