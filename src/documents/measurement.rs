//! Describes a measurement of speed.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};

/// The time to execute a list and draw its picture, and the work in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Number of runs.
    pub runs: u32,
    /// Threads that drew.
    pub threads: u64,
    /// Median time of a run in milliseconds.
    pub median_ms: f64,
    /// Shortest time of a run in milliseconds.
    pub min_ms: f64,
    /// Longest time of a run in milliseconds.
    pub max_ms: f64,
    /// Least CPU time of a run in milliseconds, all threads together; null if the system does not tell it.
    pub min_cpu_ms: Option<f64>,
    /// Commands of a run.
    pub commands: u64,
    /// Draws of a run.
    pub draws: u64,
    /// Triangles of a run after clipping and culling.
    pub triangles: u64,
    /// Pixels that passed all tests.
    pub pixels: u64,
    /// Most memory of the process in bytes; null if the system does not tell it.
    pub peak_bytes: Option<u64>,
    /// Notes of a run.
    pub notes: Vec<NoteInfo>,
}

impl Document for MeasurementDocument {
    const NAME: &'static str = "measurement";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The time to execute a list and draw its picture";
}
