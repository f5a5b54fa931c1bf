//! Describes a trimmed run.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::debug::trim::TrimCounts;

/// A frame dump cut down to a range of a run's draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrimDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file written.
    pub output: String,
    /// The first draw kept, by number.
    pub first_draw: u64,
    /// The last draw kept, by number.
    pub last_draw: u64,
    /// How many draws it has.
    pub draws: u64,
    /// How many block transfers it has.
    pub transfers: u64,
    /// How many actions by the CPU change memory or its translation.
    pub actions: u64,
    /// How many commands it has, without pointers and list flow.
    pub commands: u64,
    /// How many of these commands only repeat the state handed on by earlier draws.
    pub carried_commands: u64,
    /// How many bytes of VRAM are not 0 at the start.
    pub vram_bytes: u64,
    /// The written file's size in bytes.
    pub output_bytes: u64,
    /// How many draws the whole run has, for comparison.
    pub run_draws: u64,
    /// How many commands the whole run has, for comparison.
    pub run_commands: u64,
    /// The input file's size in bytes; null if the input is no file.
    pub input_bytes: Option<u64>,
    /// Notes on the input, its run, and everything this file cannot hold.
    pub notes: Vec<NoteInfo>,
}

impl Document for TrimDocument {
    const NAME: &'static str = "trim";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A frame dump with a range of the draws of a run";
}

impl TrimDocument {
    /// Describes a trimmed run with these draws.
    #[must_use]
    pub fn new(input: &str, draws: (u64, u64), counts: &TrimCounts) -> Self {
        let TrimCounts { transfers, actions, commands, vram_bytes, carried_commands, .. } = *counts;
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            output: String::new(),
            first_draw: draws.0,
            last_draw: draws.1,
            draws: counts.draws,
            transfers,
            actions,
            commands,
            carried_commands,
            vram_bytes,
            output_bytes: 0,
            run_draws: counts.run_draws,
            run_commands: counts.run_commands,
            input_bytes: None,
            notes: Vec::new(),
        }
    }
}
