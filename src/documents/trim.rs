//! Describes a trimmed run.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::debug::trim::TrimCounts;

/// A frame dump with a range of the draws of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrimDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file that was written.
    pub output: String,
    /// Number of the first draw.
    pub first_draw: u64,
    /// Number of the last draw.
    pub last_draw: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of block transfers.
    pub transfers: u64,
    /// Number of actions of the CPU that change memory or its translation.
    pub actions: u64,
    /// Number of commands, without pointers and list flow.
    pub commands: u64,
    /// Number of commands among them that repeat the state which earlier draws hand on.
    pub carried_commands: u64,
    /// Bytes of VRAM at the start that are not 0.
    pub vram_bytes: u64,
    /// Bytes of the file that was written.
    pub output_bytes: u64,
    /// Number of draws of the whole run.
    pub run_draws: u64,
    /// Number of commands of the whole run.
    pub run_commands: u64,
    /// Bytes of the input file; null if it is no file.
    pub input_bytes: Option<u64>,
    /// Notes on the input, its run, and everything that the file cannot hold.
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
