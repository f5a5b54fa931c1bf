//! Puts a texture pack's pictures in place of textures. Their texels go to unused memory, and overrides make draws
//! sample them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use image::{RgbaImage, imageops};

use super::placed_texels::PlacedTexels;
use crate::ge::capture::Capture;
use crate::ge::limits::Limits;
use crate::ge::overrides::{Change, Override, Scope};
use crate::ge::registers::field::Register;
use crate::ge::registers::texture::TextureFilter;
use crate::pipeline::texture::MAX_SIZE;
use crate::raster::RasterOptions;
use crate::run::texture_uses::TextureUse;
use crate::texture_pack::pack::{PackPicture, PictureError, TexturePack};
use crate::texture_pack::settings::Filter;
use crate::texture_pack::uses::{self, PackUse};

/// Tells why a pack cannot replace textures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedTextureError {
    /// The picture for a texture in this run cannot be used.
    #[error("{file}: {reason}")]
    Picture {
        /// The picture's file.
        file: String,
        /// Why it cannot be used.
        reason: PictureError,
    },
    /// Memory has no room for the texels.
    #[error("memory has no unused room for all pictures; leave out draws or pictures")]
    NoRoom,
}

/// Puts the pictures for a run's textures into unused memory, and adds the overrides to make draws sample them. To
/// find these draws, this runs the capture once.
///
/// A picture with another size is scaled to the texture's. If the pictures show a texture as it is, its draws stay
/// as they are. If the pack is for none of the textures, this adds an override without effect, whose `text` then
/// becomes a note.
///
/// # Errors
/// If a picture cannot be used, or memory has no room. The capture then stays as it is.
pub(crate) fn replace_textures(
    capture: &mut Capture,
    text: &str,
    pack: &TexturePack,
    options: RasterOptions,
    limits: &Limits,
) -> Result<(), PackedTextureError> {
    let found = uses::find(&mut capture.clone(), &pack.settings, options, limits);
    let mut memory = capture.memory.clone();
    let mut texels = PlacedTexels::new(&mut memory);
    let mut overrides = capture.overrides.clone();
    let mut pictures: HashMap<&[String], Vec<PackPicture>> = HashMap::new();
    let mut placed = Placed::new();
    let mut is_used = false;
    for found_use in found.uses.iter().filter(|found| !found.is_rendered) {
        let Some((_, entry)) = pack.entry(found_use.key) else { continue };
        let Some(texture) = found.textures.get(found_use.texture) else { continue };
        is_used = true;
        let files = &*entry.files;
        if !pictures.contains_key(files) {
            let read = pack.pictures(entry, limits);
            let error = |(file, reason)| PackedTextureError::Picture {
                file: format!("{}/{file}", pack.files().name()),
                reason,
            };
            pictures.insert(files, read.map_err(error)?);
        }
        let Some(levels) = pictures.get(files).filter(|pictures| !pictures.is_empty()) else { continue };
        let key = (files, found_use.texture, found_use.region);
        if let Entry::Vacant(new) = placed.entry(key) {
            let levels = scaled_levels(levels, texture, found_use);
            let is_new = levels.iter().zip(&texture.pictures).any(|(new, old)| new != old);
            let changes =
                if is_new { Some(texels.put(&levels).ok_or(PackedTextureError::NoRoom)?) } else { None };
            new.insert(changes);
        }
        let mut changes = placed.get(&key).cloned().flatten().unwrap_or_default();
        changes.extend(pack.settings.filter(found_use.key).and_then(filter_change));
        if !changes.is_empty() {
            let scope = Scope::draws(found_use.draws.clone());
            overrides.push(Override { text: text.to_owned(), scope, texture: None, changes });
        }
    }
    if !is_used {
        let scope = Scope::default();
        overrides.push(Override { text: text.to_owned(), scope, texture: None, changes: Vec::new() });
    }
    (capture.memory, capture.overrides) = (memory, overrides);
    Ok(())
}

/// The changes for each set of files, texture and shown part; `None` if the pictures show the texture as it is.
type Placed<'a> = HashMap<(&'a [String], usize, [u32; 2]), Option<Vec<Change>>>;

/// Returns the pictures scaled to a texture's levels. Texels outside the part that pictures show stay.
fn scaled_levels(pictures: &[PackPicture], texture: &TextureUse, found: &PackUse) -> Vec<RgbaImage> {
    let level = |(level, (picture, old)): (usize, (&PackPicture, &RgbaImage))| {
        let mut new = old.clone();
        let existing = [old.width(), old.height()];
        let mut part = [0; 2];
        for (((part, size), region), existing) in
            part.iter_mut().zip(found.size).zip(found.region).zip(existing)
        {
            // Of larger levels, only the first texels exist.
            let side = existing.max(size.checked_shr(u32::try_from(level).unwrap_or(32)).unwrap_or(0));
            let side = if existing == MAX_SIZE { side } else { existing };
            *part = (u64::from(region) * u64::from(side) / u64::from(size).max(1)).max(1);
        }
        let part = part.map(|side| u32::try_from(side).unwrap_or(1));
        imageops::replace(&mut new, &scaled(&picture.pixels, part), 0, 0);
        new
    };
    pictures.iter().zip(&texture.pictures).enumerate().map(level).collect()
}

/// Scales a picture. If it becomes smaller, each pixel is the mean of those that it covers.
fn scaled(picture: &RgbaImage, [width, height]: [u32; 2]) -> RgbaImage {
    match picture.dimensions() {
        size if size == (width, height) => picture.clone(),
        (x, y) if x >= width && y >= height => imageops::thumbnail(picture, width, height),
        _ => imageops::resize(picture, width, height, imageops::FilterType::Triangle),
    }
}

/// Returns the change that forces a filter.
fn filter_change(filter: Filter) -> Option<Change> {
    // The lowest bit of the minification filter, and the magnification filter.
    let mask = 0x101;
    let bits = match filter {
        Filter::Nearest => 0,
        Filter::Linear => mask,
        Filter::Auto => return None,
    };
    Some(Change::Register { opcode: TextureFilter::OPCODE, mask, bits })
}
