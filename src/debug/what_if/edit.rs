//! Edits a run as users write it, in the form of options for the command line.
//!
//! ```
//! use pspge::debug::what_if::edit::{Edit, Editor};
//! use pspge::{Arithmetic, Limits};
//!
//! let list = "PRIM primitive=POINTS count=1 | FINISH | END";
//! let mut capture = pspge::asm::assemble(list)?.capture();
//! let edit: Edit = "--set ZTEST=ALWAYS@0-3".parse()?;
//! Editor::new(Arithmetic::Hardware, &Limits::default()).apply(&edit, &mut capture)?;
//! assert_eq!(capture.overrides.all()[0].text, "--set ZTEST=ALWAYS@0-3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use image::RgbaImage;
use thiserror::Error;

use super::event_scope::EventScope;
use super::packed_textures::{PackedTextureError, replace_textures};
use super::replaced_texture::{ReplacedTexture, ReplacementError, replace_texture};
use crate::asm::{SettingError, parse_integer, parse_setting};
use crate::debug::session::NoSuchEvent;
use crate::debug::timeline::{self, Timeline};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::draw_set::DrawSet;
use crate::ge::event_set::EventSet;
use crate::ge::limits::Limits;
use crate::ge::overrides::{Change, Override, Overrides, Scope};
use crate::raster::{RasterOptions, Rasterizer};
use crate::texture_pack::pack::TexturePack;

/// An edit to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// `--set NAME=VALUE[@DRAWS]`: registers, fields and matrices have other values during draws and
    /// transfers.
    Set(Setting),
    /// `--skip DRAWS`: draws, block transfers and actions by the CPU are left out.
    Skip(EventSet),
    /// `--solo DRAWS`: all other draws are left out.
    Solo(DrawSet),
    /// `--wireframe=DRAWS`: triangles are drawn as their edges.
    Wireframe(DrawSet),
    /// `--replace-texture ADDRESS=FILE[@DRAWS]`: draws sample a picture instead of the texture at an address.
    /// A text cannot hold the picture, so this edit cannot be parsed from one.
    ReplaceTexture(Replacement),
    /// `--texture-pack PACK`: draws sample a texture pack's pictures. A text cannot hold the pack, so this edit
    /// cannot be parsed from one.
    TexturePack(PackEdit),
    /// `--cache off` or `--cache off@DRAWS`: texels come from memory, not from the texture cache.
    Cache(CacheSetting),
}

/// A picture for draws to sample instead of the texture at an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// This replacement in the user's words, for messages.
    pub text: String,
    /// The texture's address.
    pub address: Address,
    /// The picture. Each side must be a power of two up to 512.
    pub picture: Arc<RgbaImage>,
    /// The draws and events to change; `None` for all.
    pub events: Option<EventSet>,
}

/// `ADDRESS=FILE[@DRAWS]`: a replacement's text, without the picture in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacementFile {
    text: String,
    address: Address,
    /// The picture file's name.
    pub file: String,
    events: Option<EventSet>,
}

impl ReplacementFile {
    /// Returns this edit with its picture, once the file has been read.
    #[must_use]
    pub fn with_picture(self, picture: Arc<RgbaImage>) -> Edit {
        let Self { text, address, events, .. } = self;
        Edit::ReplaceTexture(Replacement { text, address, picture, events })
    }
}

impl FromStr for ReplacementFile {
    type Err = EditParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, file) = text.split_once('=').ok_or(EditParseError::Replacement)?;
        let address = parse_integer(address).ok().and_then(|address| u32::try_from(address).ok());
        let address = Address::new(address.ok_or(EditParseError::Replacement)?);
        // A file's name may hold an @.
        let (file, events) = split_events(file).unwrap_or((file, None));
        if file.is_empty() {
            return Err(EditParseError::Replacement);
        }
        Ok(Self { text: text.to_owned(), address, file: file.to_owned(), events })
    }
}

/// A texture pack whose pictures draws sample.
#[derive(Clone, Debug, PartialEq)]
pub struct PackEdit {
    /// The pack in the user's words, for messages.
    pub text: String,
    /// The pack.
    pub pack: Arc<TexturePack>,
}

/// `off`, or `off@DRAWS` for some draws.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheSetting {
    events: Option<EventSet>,
}

impl FromStr for CacheSetting {
    type Err = EditParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match split_events(text)? {
            ("off", events) => Ok(Self { events }),
            _ => Err(EditParseError::UnknownCache),
        }
    }
}

impl fmt::Display for CacheSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.events {
            None => f.write_str("off"),
            Some(events) => write!(f, "off@{events}"),
        }
    }
}

/// A value for registers: `NAME=VALUE`, or `NAME=VALUE@DRAWS` for some draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    text: String,
    changes: Vec<Change>,
    events: Option<EventSet>,
}

impl FromStr for Setting {
    type Err = EditParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (setting, events) = split_events(text)?;
        Ok(Self { text: text.to_owned(), changes: parse_setting(setting)?, events })
    }
}

/// Splits a text at its last @. The draws and events come after it.
///
/// # Errors
/// If there is an @ but no set of events after it.
fn split_events(text: &str) -> Result<(&str, Option<EventSet>), EditParseError> {
    match text.rsplit_once('@') {
        None => Ok((text, None)),
        Some((text, events)) => events
            .parse()
            .map(|events| (text, Some(events)))
            .map_err(|error| EditParseError::Events(format!("{error}"))),
    }
}

/// Tells why a text is not an edit.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditParseError {
    /// The text does not begin with an option that edits a run.
    #[error("expected --set, --skip, --solo, --wireframe or --cache with a value, such as '--skip 40-57'")]
    UnknownOption,
    /// The value of `--cache` is neither `off` nor `off@DRAWS`.
    #[error("expected 'off', or 'off@DRAWS' for some draws")]
    UnknownCache,
    /// The value of `--replace-texture` has no address or no file.
    #[error("expected ADDRESS=FILE[@DRAWS], such as 0x08812600=new.png")]
    Replacement,
    /// The value is not a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The draws or events are not a list of numbers.
    #[error("{0}")]
    Events(String),
}

impl FromStr for Edit {
    type Err = EditParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Without draws this means all of them.
        let text = if text.trim() == "--wireframe" { "--wireframe=0-" } else { text };
        let (option, value) = text.split_once([' ', '=']).ok_or(EditParseError::UnknownOption)?;
        let value = value.trim();
        let wrong = |error: &dyn fmt::Display| EditParseError::Events(error.to_string());
        match option {
            "--set" => Ok(Self::Set(value.parse()?)),
            "--skip" => value.parse().map(Self::Skip).map_err(|error| wrong(&error)),
            "--solo" => value.parse().map(Self::Solo).map_err(|error| wrong(&error)),
            "--cache" => Ok(Self::Cache(value.parse()?)),
            "--wireframe" => value.parse().map(Self::Wireframe).map_err(|error| wrong(&error)),
            _ => Err(EditParseError::UnknownOption),
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(setting) => write!(f, "--set {}", setting.text),
            Self::Skip(events) => write!(f, "--skip {events}"),
            Self::Solo(draws) => write!(f, "--solo {draws}"),
            Self::Wireframe(draws) => write!(f, "--wireframe={draws}"),
            Self::ReplaceTexture(replacement) => write!(f, "--replace-texture {}", replacement.text),
            Self::TexturePack(edit) => write!(f, "--texture-pack {}", edit.text),
            Self::Cache(setting) => write!(f, "--cache {setting}"),
        }
    }
}

/// Tells why an edit does not apply to a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{edit} cannot apply: {reason}")]
pub struct EditError {
    /// The edit in the user's words, for messages.
    pub edit: String,
    /// Why it does not apply.
    pub reason: EditProblem,
}

/// The reasons why an edit does not apply to a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditProblem {
    /// The run does not have this event.
    #[error(transparent)]
    NoSuchEvent(#[from] NoSuchEvent),
    /// Registers cannot be set for an action by the CPU.
    #[error("an event of the set is an action of the CPU, which has no registers")]
    NoRegisters,
    /// The picture cannot replace the texture.
    #[error(transparent)]
    Replacement(#[from] ReplacementError),
    /// A texture pack cannot replace textures.
    #[error(transparent)]
    TexturePack(#[from] PackedTextureError),
}

/// Applies edits to captures of the same run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Editor {
    arithmetic: Arithmetic,
    limits: Limits,
    /// The run's events, once an edit has needed them.
    timeline: Option<Timeline>,
}

impl Editor {
    /// Creates an editor. If an edit names events by numbers, this runs the capture once, within the limits, to find
    /// them.
    #[must_use]
    pub fn new(arithmetic: Arithmetic, limits: &Limits) -> Self {
        Self { arithmetic, limits: *limits, timeline: None }
    }

    /// Adds an edit to a capture's overrides.
    ///
    /// # Errors
    /// If the edit names an event that the run does not have, or registers for an action by the CPU, or if a
    /// picture cannot be a texture.
    pub fn apply(&mut self, edit: &Edit, capture: &mut Capture) -> Result<(), EditError> {
        let text = edit.to_string();
        let (scope, changes) = match edit {
            Edit::Set(Setting { changes, events, .. }) => {
                (self.scope_or_all(&text, events.as_ref(), capture)?, changes.clone())
            }
            Edit::Skip(events) => {
                let skipped = self.find(&text, events, capture)?;
                skipped.skip_actions(capture);
                if skipped.scope == Scope::default() {
                    return Ok(());
                }
                (skipped.scope, vec![Change::Skip])
            }
            Edit::Solo(draws) => match draws.complement() {
                Some(others) => (Scope::draws(others), vec![Change::Skip]),
                None => return Ok(()),
            },
            Edit::Wireframe(draws) => (Scope::draws(draws.clone()), vec![Change::Wireframe]),
            Edit::ReplaceTexture(Replacement { address, picture, events, .. }) => {
                let scope = self.scope_or_all(&text, events.as_ref(), capture)?;
                let replaced = ReplacedTexture { text: &text, address: *address, picture, scope };
                return replace_texture(capture, replaced, self.arithmetic, &self.limits)
                    .map_err(|error| EditError { edit: text, reason: error.into() });
            }
            Edit::TexturePack(PackEdit { pack, .. }) => {
                let options = RasterOptions { arithmetic: self.arithmetic, ..RasterOptions::default() };
                return replace_textures(capture, &text, pack, options, &self.limits)
                    .map_err(|error| EditError { edit: text, reason: error.into() });
            }
            Edit::Cache(CacheSetting { events }) => {
                (self.scope_or_all(&text, events.as_ref(), capture)?, vec![Change::Uncached])
            }
        };
        capture.overrides.push(Override { text, scope, texture: None, changes });
        Ok(())
    }

    /// Returns the draws and transfers in a set. Without a set, these are all.
    fn scope_or_all(
        &mut self,
        text: &str,
        set: Option<&EventSet>,
        capture: &Capture,
    ) -> Result<Scope, EditError> {
        let Some(set) = set else { return Ok(Scope::all()) };
        let EventScope { scope, actions } = self.find(text, set, capture)?;
        if actions.is_empty() {
            return Ok(scope);
        }
        Err(EditError { edit: text.to_owned(), reason: EditProblem::NoRegisters })
    }

    fn find(&mut self, text: &str, set: &EventSet, capture: &Capture) -> Result<EventScope, EditError> {
        let empty = Timeline::default();
        let timeline = if set.events().is_none() {
            &empty
        } else {
            let Self { arithmetic, limits, timeline } = self;
            timeline.get_or_insert_with(|| {
                let options = RasterOptions { arithmetic: *arithmetic, ..RasterOptions::default() };
                let mut raster = Rasterizer::new(options);
                // Users number events as in the run without changes, so the capture runs without them here.
                let mut capture = Capture { overrides: Overrides::default(), ..capture.clone() };
                timeline::record(&mut capture, *arithmetic, &mut raster, limits).0
            })
        };
        EventScope::new(set, timeline)
            .map_err(|error| EditError { edit: text.to_owned(), reason: error.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    #[test]
    fn replacements_have_a_file() {
        let parse = |text: &str| text.parse::<ReplacementFile>();
        let replacement = parse("0x08812600=a@b.png@7").expect("a replacement");
        assert_eq!(replacement.file, "a@b.png", "the last @ starts the draws");
        let edit = replacement.with_picture(Arc::default());
        assert_eq!(edit.to_string(), "--replace-texture 0x08812600=a@b.png@7");
        let replacement = parse("0x08812600=a@b.png").expect("a replacement");
        assert_eq!((replacement.file.as_str(), replacement.events), ("a@b.png", None), "no draws");
        for text in ["", "0x10", "x=a.png", "0x10=", "0x10=@7"] {
            assert_eq!(parse(text), Err(EditParseError::Replacement), "{text}");
        }
    }

    #[test]
    fn edits_are_options() {
        for text in [
            "--set ZTEST=ALWAYS@600-603,event:9",
            "--set WORLD[3]=1.5",
            "--skip 7,40-57,event:9",
            "--solo 3-",
            "--wireframe=0-",
            "--cache off",
            "--cache off@3-7",
        ] {
            assert_eq!(text.parse::<Edit>().map(|edit| edit.to_string()), Ok(text.to_owned()), "{text}");
        }
        let all: Edit = "--wireframe".parse().expect("all draws");
        assert_eq!(all.to_string(), "--wireframe=0-", "as the command has it");
        for wrong in [
            "",
            "--cache on",
            "--skip",
            "--skip x",
            "--keep 4",
            "--set JUMP=4",
            "--set ZTEST=ALWAYS@",
            "--solo event:3",
        ] {
            assert!(wrong.parse::<Edit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_events_are_named() {
        let capture = assemble("PRIM primitive=POINTS count=1 | FINISH | END").expect("a list").capture();
        let mut editor = Editor::new(Arithmetic::Hardware, &Limits::default());
        let mut error = |text: &str| {
            let edit: Edit = text.parse().expect("an edit");
            editor.apply(&edit, &mut capture.clone()).expect_err(text).to_string()
        };
        assert_eq!(
            error("--skip event:5"),
            "--skip event:5 cannot apply: event 5 is beyond the end: the run has 0 events"
                .replace("has 0 events", "has no events")
        );
        assert!(error("--set ZTEST=ALWAYS@event:1").contains("beyond the end"), "registers");
    }
}
