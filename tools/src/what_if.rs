//! What-if options: registers with other values, draws left out, other textures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::RgbaImage;
use pspge::Asset;
use pspge::compare;
use pspge::debug::what_if::edit::{CacheSetting, Edit, PackEdit, ReplacementFile, Setting};
use pspge::ge::draw_set::DrawSet;
use pspge::ge::event_set::EventSet;
use pspge::ge::limits::Limits;

use crate::input::files;
use crate::input::texture_pack;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Groups these options in the help.
pub(crate) const HEADING: &str = "What if";

/// Changes to try on a run.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct WhatIfArgs {
    /// Set a register, field or matrix during draws; may be repeated
    ///
    /// NAME is REGISTER.FIELD, REGISTER, or a matrix or one of its elements: WORLD, VIEW[11], PROJECTION, TEXTURE,
    /// BONE. Names and values are as in `pspge trace` and in assembly text: DEPTHTEST=ALWAYS@600-603. DRAWS are draw
    /// numbers, or event numbers with the prefix `event:`; without them, all draws and block transfers. The rest of
    /// the run computes with its own values.
    #[arg(long, help_heading = HEADING, value_name = "NAME=VALUE[@DRAWS]")]
    set: Vec<Setting>,

    /// Leave out these draws, such as 7,40-57, or events: event:9
    ///
    /// A list of N, A-B, A- or -B. Events are draws, block transfers and CPU actions, by the numbers of
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
    /// Each side of the picture must be a power of two up to 512. For through-mode draws, it must have the texture's
    /// size.
    #[arg(long, help_heading = HEADING, value_name = "ADDRESS=FILE[@DRAWS]", hide_short_help = true)]
    replace_texture: Vec<ReplacementFile>,

    /// Sample the pictures of a texture pack: a folder with textures.ini, or its ZIP archive, as PPSSPP reads it
    ///
    /// A picture of any size is scaled to its texture's size, because the Graphics Engine has textures of up to
    /// 512x512 texels: to get smaller, pixels are averaged; to get larger, this interpolates linearly. A larger
    /// picture thus changes what a texture shows, but not how sharp it is. Only PNG is read. Draws whose pictures
    /// show the texture as it is stay as they are. `pspge check-pack` tells which entries a frame uses.
    #[arg(long, help_heading = HEADING, value_name = "DIR|ZIP", hide_short_help = true)]
    texture_pack: Option<PathBuf>,
}

impl WhatIfArgs {
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

    /// Returns the changes to an asset's run, in the order to apply them. Lines in a texture pack that do not count
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
        for replacement in &self.replace_texture {
            let picture = read_picture(&replacement.file)?;
            edits.push(replacement.clone().with_picture(Arc::new(picture)));
        }
        edits.extend(self.skip.clone().map(Edit::Skip));
        edits.extend(self.solo.clone().map(Edit::Solo));
        edits.extend(self.cache.clone().map(Edit::Cache));
        Ok(edits)
    }
}

fn read_picture(name: &str) -> Result<RgbaImage, Failure> {
    let bytes = files::read(Path::new(name))?;
    let read = compare::read(name, &bytes).map_err(|error| Failure::file_problem(name, "picture", error))?;
    Ok(read.picture.to_rgba8())
}
