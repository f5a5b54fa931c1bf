//! Describes a frame that was recorded from a running emulator.

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};

/// A frame of a running emulator, written as a frame dump.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaptureDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The emulator's address as the user named it.
    pub input: String,
    /// The frame dump that was written.
    pub output: String,
    /// The frame's number in this run, from 1.
    pub frame: u32,
    /// The emulator's own picture of the frame; null if it was not asked for.
    pub screenshot: Option<String>,
    /// Name and version of the emulator, as it gives them.
    pub emulator: String,
    /// Id of the game; null if the dump has none.
    pub game: Option<String>,
    /// Bytes of the frame dump.
    pub output_bytes: u64,
    /// Notes on the frame dump and its picture.
    pub notes: Vec<NoteInfo>,
}

impl Document for CaptureDocument {
    const NAME: &'static str = "capture";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A frame that was recorded from a running emulator";
}
