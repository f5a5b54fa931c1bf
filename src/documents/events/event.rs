//! Describes an action of the CPU during a run.

use serde::{Deserialize, Serialize};

use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::capture::{Action, Event};
use crate::ge::registers::texture::PixelFormat;

/// An action of the CPU while the list waits. Members that the action does not have are null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Address of the word that the list waits at: the next one to execute.
    pub address: Address,
    /// The action.
    pub action: ActionName,
    /// Address of the first byte that is written; of a display, of its first pixel.
    pub to: Option<Address>,
    /// Address of the first byte that is read.
    pub from: Option<Address>,
    /// Number of bytes.
    pub length: Option<u32>,
    /// Value of each byte that a fill writes, or the mode of the eDRAM translation.
    pub value: Option<u32>,
    /// Pixels from one row of a display to the next.
    pub stride: Option<u32>,
    /// Format of the pixels of a display.
    pub format: Option<PixelFormat>,
    /// The action as a sentence.
    pub text: String,
}

impl Document for EventDocument {
    const NAME: &'static str = "event";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "An action of the CPU during a run";
}

/// The kind of an action of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ActionName {
    /// Copies bytes.
    Copy,
    /// Copies bytes to VRAM, except to those that the list may have drawn.
    CopyUndrawn,
    /// Fills memory with a byte.
    Fill,
    /// Restores all registers.
    Restore,
    /// Loads palette memory.
    LoadPalette,
    /// Selects an eDRAM address translation.
    Translate,
    /// Selects the buffer that the screen shows.
    Display,
    /// Makes the screen show the colour buffer of the last draw.
    DisplayTarget,
}

impl EventDocument {
    /// Describes an action of the CPU.
    #[must_use]
    pub fn new(input: &str, event: &Event) -> Self {
        let empty = Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            address: event.at,
            action: ActionName::Restore,
            to: None,
            from: None,
            length: None,
            value: None,
            stride: None,
            format: None,
            text: event.action.to_string(),
        };
        match event.action {
            Action::Copy { to, from, length } => Self {
                action: ActionName::Copy,
                to: Some(to),
                from: Some(from),
                length: Some(length),
                ..empty
            },
            Action::CopyUndrawn { to, from, length } => Self {
                action: ActionName::CopyUndrawn,
                to: Some(to),
                from: Some(from),
                length: Some(length),
                ..empty
            },
            Action::Fill { to, value, length } => Self {
                action: ActionName::Fill,
                to: Some(to),
                value: Some(value.into()),
                length: Some(length),
                ..empty
            },
            Action::Restore(_) => empty,
            Action::LoadPalette { from, length } => {
                Self { action: ActionName::LoadPalette, from: Some(from), length: Some(length), ..empty }
            }
            Action::Translate(translation) => {
                Self { action: ActionName::Translate, value: Some(translation.mode()), ..empty }
            }
            Action::Display(display) => Self {
                action: ActionName::Display,
                to: Some(display.address),
                stride: Some(display.stride),
                format: Some(display.format),
                ..empty
            },
            Action::DisplayTarget => Self { action: ActionName::DisplayTarget, ..empty },
        }
    }
}
