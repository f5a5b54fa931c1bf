//! Describes a frame recorded from a running emulator.

use serde::{Deserialize, Serialize};

use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};

/// A frame recorded from a running emulator and written as a frame dump.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaptureDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The emulator's address as the user named it.
    pub input: String,
    /// The frame dump written.
    pub output: String,
    /// The frame's number in this run, from 1.
    pub frame: u32,
    /// The emulator's own picture of this frame; null if it was not asked for.
    pub screenshot: Option<String>,
    /// The emulator's name and version, as it gives them.
    pub emulator: String,
    /// The game's id; null if the dump has none.
    pub game: Option<String>,
    /// The frame dump's size in bytes.
    pub output_bytes: u64,
    /// Notes on the frame dump and its picture.
    pub notes: Vec<NoteInfo>,
}

impl Document for CaptureDocument {
    const NAME: &'static str = "capture";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A frame that was recorded from a running emulator";
}
