//! Describes an action by the CPU during a run.

use serde::{Deserialize, Serialize};

use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::capture::{Action, Event};
use crate::ge::registers::texture::PixelFormat;

/// An action by the CPU while the list waits. Members that this action does not have are null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Address of the word at which the list waits: the next to be executed.
    pub address: Address,
    /// The kind of action.
    pub action: ActionName,
    /// Address of the first byte written; for a display, of its first pixel.
    pub to: Option<Address>,
    /// Address of the first byte read.
    pub from: Option<Address>,
    /// How many bytes are copied, filled or loaded.
    pub length: Option<u32>,
    /// The value to fill each byte with, or the eDRAM translation's mode.
    pub value: Option<u32>,
    /// How far apart display rows start, in pixels.
    pub stride: Option<u32>,
    /// The display's pixel format.
    pub format: Option<PixelFormat>,
    /// The action as a sentence.
    pub text: String,
}

impl Document for EventDocument {
    const NAME: &'static str = "event";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "An action of the CPU during a run";
}

/// The kinds of actions by the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ActionName {
    /// Copies bytes.
    Copy,
    /// Copies bytes to VRAM, except where the list may have drawn.
    CopyUndrawn,
    /// Fills memory with a byte.
    Fill,
    /// Restores all registers.
    Restore,
    /// Loads palette memory.
    LoadPalette,
    /// Selects an eDRAM address translation.
    Translate,
    /// Selects the buffer for the screen to show.
    Display,
    /// Makes the screen show the last draw's colour buffer.
    DisplayTarget,
}

impl EventDocument {
    /// Describes an action by the CPU.
    #[must_use]
    pub fn new(input: &str, event: &Event) -> Self {
        let empty = Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            address: event.at,
            action: ActionName::from(&event.action),
            to: None,
            from: None,
            length: None,
            value: None,
            stride: None,
            format: None,
            text: event.action.to_string(),
        };
        match event.action {
            Action::Copy { to, from, length } | Action::CopyUndrawn { to, from, length } => {
                Self { to: Some(to), from: Some(from), length: Some(length), ..empty }
            }
            Action::Fill { to, value, length } => {
                Self { to: Some(to), value: Some(value.into()), length: Some(length), ..empty }
            }
            Action::LoadPalette { from, length } => Self { from: Some(from), length: Some(length), ..empty },
            Action::Translate(translation) => Self { value: Some(translation.mode()), ..empty },
            Action::Display(display) => Self {
                to: Some(display.address),
                stride: Some(display.stride),
                format: Some(display.format),
                ..empty
            },
            Action::Restore(_) | Action::DisplayTarget => empty,
        }
    }
}

impl From<&Action> for ActionName {
    fn from(action: &Action) -> Self {
        match action {
            Action::Copy { .. } => Self::Copy,
            Action::CopyUndrawn { .. } => Self::CopyUndrawn,
            Action::Fill { .. } => Self::Fill,
            Action::Restore(_) => Self::Restore,
            Action::LoadPalette { .. } => Self::LoadPalette,
            Action::Translate(_) => Self::Translate,
            Action::Display(_) => Self::Display,
            Action::DisplayTarget => Self::DisplayTarget,
        }
    }
}
