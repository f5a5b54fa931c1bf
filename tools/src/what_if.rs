//! What-if options: registers with other values, draws left out, other textures.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use image::{Rgba, RgbaImage};
use pspge::Asset;
use pspge::asm::parse_integer;
use pspge::compare;
use pspge::debug::what_if::edit::{CacheSetting, Edit, PackEdit, Replacement, Setting, split_events};
use pspge::ge::address::Address;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::event_set::EventSet;
use pspge::ge::limits::Limits;

use crate::input::files;
use crate::input::texture_pack;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Heading of the options.
pub(crate) const HEADING: &str = "What if";

/// Changes to try on a run.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct WhatIfArgs {
    /// Set a register, field or matrix during draws; may be repeated
    ///
    /// NAME is REGISTER.FIELD, REGISTER, or a matrix or an element of one: WORLD, VIEW[11], PROJECTION, TEXTURE, BONE. Names
    /// and values are those of `pspge trace` and of assembly text: DEPTHTEST=ALWAYS@600-603. DRAWS are numbers of draws, or
    /// of events with the prefix `event:`; without them, all draws and block transfers. The rest of the run computes with
    /// its own values.
    #[arg(long, help_heading = HEADING, value_name = "NAME=VALUE[@DRAWS]")]
    set: Vec<Setting>,

    /// Leave out these draws, such as 7,40-57, or events: event:9
    ///
    /// A list of N, A-B, A- or -B. Events are draws, block transfers and actions of the CPU, by the numbers of
    /// `pspge state --events`.
    #[arg(long, help_heading = HEADING, value_name = "DRAWS", allow_hyphen_values = true)]
    skip: Option<EventSet>,

    /// Leave out all other draws
    #[arg(long, help_heading = HEADING, value_name = "DRAWS", allow_hyphen_values = true, hide_short_help = true)]
    solo: Option<DrawSet>,

    /// Sample memory instead of the texture cache, as emulators do: off, or off@DRAWS
    ///
    /// A PSP keeps texels until TEXFLUSH, whatever happens to memory and whichever texture a draw names.
    #[arg(long, help_heading = HEADING, value_name = "off[@DRAWS]", hide_short_help = true)]
    cache: Option<CacheSetting>,

    /// Sample a picture instead of the texture at an address: ADDRESS=FILE[@DRAWS]; may be repeated
    ///
    /// Each side of the picture must be a power of two up to 512. For draws in through mode, it must have the size of the
    /// texture.
    #[arg(long, help_heading = HEADING, value_name = "ADDRESS=FILE[@DRAWS]", hide_short_help = true)]
    replace_texture: Vec<ReplacementFile>,

    /// Sample the pictures of a texture pack: a folder with textures.ini, or its ZIP archive, as PPSSPP reads it
    ///
    /// A picture of any size is scaled to the size of its texture, because the Graphics Engine has textures of up to
    /// 512x512 texels: smaller by means of the pixels, larger by linear interpolation. A larger picture thus changes what
    /// a texture shows, but not how sharp it is. Only PNG is read. Draws whose pictures show the texture as it is stay as
    /// they are. `pspge check-pack` tells which entries a frame uses.
    #[arg(long, help_heading = HEADING, value_name = "DIR|ZIP", hide_short_help = true)]
    texture_pack: Option<PathBuf>,
}

/// `ADDRESS=FILE[@DRAWS]`.
#[derive(Clone, Debug)]
struct ReplacementFile {
    text: String,
    address: Address,
    file: PathBuf,
    events: Option<EventSet>,
}

impl FromStr for ReplacementFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "expected ADDRESS=FILE[@DRAWS], such as 0x08812600=new.png".to_owned();
        let (address, file) = text.split_once('=').ok_or_else(wrong)?;
        let address = parse_integer(address).ok().and_then(|address| u32::try_from(address).ok());
        let address = Address::new(address.ok_or_else(wrong)?);
        // The name of a file may hold an @.
        let (file, events) = split_events(file).unwrap_or((file, None));
        if file.is_empty() {
            return Err(wrong());
        }
        Ok(Self { text: text.to_owned(), address, file: file.into(), events })
    }
}

impl WhatIfArgs {
    /// Returns the given options, as messages name them.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            ("--set", !self.set.is_empty()),
            ("--skip", self.skip.is_some()),
            ("--solo", self.solo.is_some()),
            ("--cache", self.cache.is_some()),
            ("--replace-texture", !self.replace_texture.is_empty()),
            ("--texture-pack", self.texture_pack.is_some()),
        ];
        given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Returns the changes to an asset's run, in the order in which they are applied. Lines of a texture pack that do not count
    /// become notes.
    ///
    /// # Errors
    /// If a picture or a pack cannot be read.
    pub(crate) fn edits(
        &self,
        asset: &Asset,
        limits: &Limits,
        notes: &mut Notes,
    ) -> Result<Vec<Edit>, Failure> {
        let mut edits: Vec<Edit> = self.set.iter().cloned().map(Edit::Set).collect();
        if let Some(path) = &self.texture_pack {
            let pack = Arc::new(texture_pack::open(path, texture_pack::game(asset).as_deref(), limits)?);
            texture_pack::add_problems(&pack.problems, notes);
            edits.push(Edit::TexturePack(PackEdit { text: path.display().to_string(), pack }));
        }
        for ReplacementFile { text, address, file, events } in &self.replace_texture {
            edits.push(Edit::ReplaceTexture(Replacement {
                text: text.clone(),
                address: *address,
                picture: Arc::new(read_picture(file)?),
                events: events.clone(),
            }));
        }
        edits.extend(self.skip.clone().map(Edit::Skip));
        edits.extend(self.solo.clone().map(Edit::Solo));
        edits.extend(self.cache.clone().map(Edit::Cache));
        Ok(edits)
    }
}

/// Reads a picture file.
fn read_picture(file: &std::path::Path) -> Result<RgbaImage, Failure> {
    let name = file.display().to_string();
    let bytes = files::read(file)?;
    let picture =
        compare::read(&name, &bytes).map_err(|error| Failure::file_problem(&name, "picture", error))?;
    let picture = picture.picture;
    let [width, height] = picture.size();
    let most = u32::from(picture.depth().max_value());
    // 16 bits are rounded to the 8 that a texture has.
    let rounded = |sample: u16| u8::try_from((u32::from(sample) * 255 + most / 2) / most).unwrap_or(255);
    let pixel = |x, y| Rgba(picture.pixel(x, y).unwrap_or_default().map(rounded));
    Ok(RgbaImage::from_fn(width, height, pixel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_parse() {
        let replacement: ReplacementFile = "0x08812600=a@b.png@7".parse().expect("a replacement");
        assert_eq!(replacement.file, PathBuf::from("a@b.png"), "the last @ starts the draws");
        let replacement: ReplacementFile = "0x08812600=a@b.png".parse().expect("a replacement");
        assert_eq!((replacement.file, replacement.events), (PathBuf::from("a@b.png"), None), "no draws");
        for text in ["", "0x10", "x=a.png", "0x10=", "0x10=@7"] {
            assert!(text.parse::<ReplacementFile>().is_err(), "{text}");
        }
    }
}
