//! Describes how fast an input is drawn.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};

/// How long it takes to execute a list and draw its picture, and how much work that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// How many runs were timed.
    pub runs: u32,
    /// How many threads drew.
    pub threads: u64,
    /// A run's median time in milliseconds.
    pub median_ms: f64,
    /// The shortest run's time in milliseconds.
    pub min_ms: f64,
    /// The longest run's time in milliseconds.
    pub max_ms: f64,
    /// The least CPU time for a run in milliseconds, all threads together; null if the system does not tell.
    pub min_cpu_ms: Option<f64>,
    /// How many commands a run executes.
    pub commands: u64,
    /// How many draws a run has.
    pub draws: u64,
    /// How many triangles are left in a run after clipping and culling.
    pub triangles: u64,
    /// How many pixels passed all tests.
    pub pixels: u64,
    /// The most memory taken by this process, in bytes; null if the system does not tell.
    pub peak_bytes: Option<u64>,
    /// Notes from a run.
    pub notes: Vec<NoteInfo>,
}

impl Document for MeasurementDocument {
    const NAME: &'static str = "measurement";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The time to execute a list and draw its picture";
}
