//! Describes the result for an input in a batch.

use serde::{Deserialize, Serialize};

use super::error::ErrorInfo;
use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};

/// The result for one input in a batch, to find the failures among many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it, or as it was found in a folder.
    pub input: String,
    /// The files written for it.
    pub output: Vec<String>,
    /// The result.
    pub status: Status,
    /// The error, if this failed; or why a file found in a folder has no known format.
    pub error: Option<ErrorInfo>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
    /// How long this input took, in milliseconds.
    pub duration_ms: f64,
}

impl Document for ReportDocument {
    const NAME: &'static str = "report";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The result of one input of a batch";
}

/// The possible results for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The work is done.
    Ok,
    /// The work is done, and its result counts as a difference.
    Different,
    /// The input holds nothing for this command to work on.
    Nothing,
    /// The output exists and was to be kept.
    Skipped,
    /// The input could not be read, is damaged, or cannot be worked on. The error says why.
    Failed,
}
