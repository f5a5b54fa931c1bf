//! Writes the textures in a run as a pack, whose pictures can then be changed.

use std::collections::HashSet;
use std::fmt::Write as _;

use image::{RgbaImage, imageops};

use super::ini::Escaped;
use super::key::Key;
use super::settings::{Filter, Settings, VERSION};
use super::uses::PackUses;
use crate::ge::draw_set::DrawSet;
use crate::ge::never::OrNever;
use crate::pipeline::texture::MAX_SIZE;

/// A texture to put into a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedTexture {
    /// Its name.
    pub key: Key,
    /// Index into [`PackUses::textures`].
    pub texture: usize,
    /// Its levels, the largest first.
    pub pictures: Vec<RgbaImage>,
}

/// The textures to put into a pack, and how many are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackContents {
    /// The textures, ordered by first use.
    pub textures: Vec<PackedTexture>,
    /// How many textures the run may have drawn itself. PPSSPP does not replace these.
    pub rendered: usize,
    /// How many textures share another texture's name.
    pub same_name: usize,
    /// How many textures have a side above 512, of which a PSP reaches only a part.
    pub large: usize,
}

impl PackContents {
    /// Collects a run's textures; with `only`, those used by these draws.
    #[must_use]
    pub fn of(found: &PackUses, settings: &Settings, only: Option<&DrawSet>) -> Self {
        let mut contents = Self::default();
        let mut known: HashSet<Key> = HashSet::new();
        let mut same: HashSet<(Key, usize)> = HashSet::new();
        for found_use in &found.uses {
            let has_draw = |only: &DrawSet| {
                found_use.draws.ranges().iter().cloned().flatten().any(|draw| only.contains(draw))
            };
            if !only.is_none_or(has_draw) {
                continue;
            }
            let Some(texture) = found.textures.get(found_use.texture) else { continue };
            if found_use.is_rendered {
                contents.rendered = contents.rendered.saturating_add(1);
            } else if found_use.size.iter().any(|side| *side > MAX_SIZE) {
                contents.large = contents.large.saturating_add(1);
            } else if !same.insert((found_use.key, found_use.texture)) {
                // The same texture again: a draw uses another number of rows, another address, or the run has drawn
                // nearby since.
            } else if !known.insert(found_use.key) {
                contents.same_name = contents.same_name.saturating_add(1);
            } else {
                let count = if settings.ignore_mipmap { 1 } else { usize::MAX };
                let pictures = levels(&texture.pictures, found_use.region, count);
                contents.textures.push(PackedTexture {
                    key: found_use.key,
                    texture: found_use.texture,
                    pictures,
                });
            }
        }
        contents
    }
}

/// Returns each level's shown part, as long as each level has half the size of the level before.
fn levels(pictures: &[RgbaImage], region: [u32; 2], count: usize) -> Vec<RgbaImage> {
    let Some((width, height)) = pictures.first().map(RgbaImage::dimensions) else { return Vec::new() };
    let half = |side: u32, level: u32| side.checked_shr(level).unwrap_or(0).max(1);
    let halves = (0..)
        .zip(pictures)
        .take(count)
        .take_while(|(level, picture)| picture.dimensions() == (half(width, *level), half(height, *level)));
    let shown = |(level, picture): (u32, &RgbaImage)| {
        let [width, height] = region.map(|side| half(side, level));
        imageops::crop_imm(picture, 0, 0, width, height).to_image()
    };
    halves.map(shown).collect()
}

/// Writes `textures.ini`, which maps each texture's name to its files.
#[must_use]
pub fn ini(settings: &Settings, textures: &[(Key, Vec<String>)]) -> String {
    let Settings { hash, ignore_address, ignore_mipmap, reduce_hash, skipped_blocks, .. } = settings;
    let mut text = format!(
        "[options]\nversion = {VERSION}\nhash = {}\nignoreAddress = {ignore_address}\n\
         ignoreMipmap = {ignore_mipmap}\nreduceHash = {reduce_hash}\n",
        hash.name()
    );
    let mut line = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").or_never("a text takes any line");
    for (count, size) in skipped_blocks.iter().zip(["128x64", "128x128"]).filter(|(count, _)| **count > 0) {
        line(format_args!("skipLastDXT1Blocks{size} = {count}"));
    }
    line(format_args!("\n[hashes]"));
    for (key, files) in textures {
        for (level, file) in files.iter().enumerate() {
            line(format_args!("{} = {}", key.file_stem(level), Escaped(file)));
        }
    }
    let mut ranges: Vec<_> = settings.ranges.iter().collect();
    ranges.sort_unstable();
    if !ranges.is_empty() {
        line(format_args!("\n[hashranges]"));
    }
    for ((address, [width, height]), [to_width, to_height]) in ranges {
        line(format_args!("{address:08x},{width},{height} = {to_width},{to_height}"));
    }
    let mut filters: Vec<_> = settings.filters.iter().collect();
    filters.sort_unstable_by_key(|(key, _)| **key);
    if !filters.is_empty() {
        line(format_args!("\n[filtering]"));
    }
    for (key, filter) in filters {
        let filter = match filter {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
            Filter::Auto => "auto",
        };
        line(format_args!("{key} = {filter}"));
    }
    let mut reduced: Vec<_> = settings.reduced.iter().collect();
    reduced.sort_unstable_by_key(|(size, _)| **size);
    if !reduced.is_empty() {
        line(format_args!("\n[reducehashranges]"));
    }
    for ([width, height], part) in reduced {
        line(format_args!("{width},{height} = {part}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture_pack::ini::Ini;

    #[test]
    fn a_written_ini_is_read() {
        let text = "[options]\nhash = xxh32\nreduceHash = true\nskipLastDXT1Blocks128x128 = 4\n[hashranges]\n\
                    08801000,512,512 = 480,272\n[filtering]\n1 = nearest\n[reducehashranges]\n64,64 = 0.25";
        let mut settings = Settings::default();
        settings.read(&Ini::read(text.as_bytes()), false, &mut Vec::new()).expect("settings");
        let key = Key { texture: 0x0880_1000_1234_5678, data: 9 };
        let written = ini(&settings, &[(key, vec!["a#b.png".to_owned(), "c.png".to_owned()])]);
        let (mut again, mut problems) = (Settings::default(), Vec::new());
        let read = Ini::read(written.as_bytes());
        again.read(&read, false, &mut problems).expect("settings");
        assert_eq!((again, problems), (settings, Vec::new()), "{written}");
        let names: Vec<_> = read.section("hashes").iter().map(|line| (&*line.key, &*line.value)).collect();
        assert_eq!(
            names,
            [("088010001234567800000009", "a#b.png"), ("088010001234567800000009_1", "c.png")],
            "levels"
        );
    }

    #[test]
    fn levels_end_where_sizes_do_not_halve() {
        let picture = |width, height| RgbaImage::new(width, height);
        let pictures = [picture(8, 2), picture(4, 1), picture(2, 1), picture(2, 1)];
        let sizes = |region, count| {
            levels(&pictures, region, count).iter().map(RgbaImage::dimensions).collect::<Vec<_>>()
        };
        assert_eq!(sizes([8, 2], 9), [(8, 2), (4, 1), (2, 1)], "three levels");
        assert_eq!(sizes([5, 1], 2), [(5, 1), (2, 1)], "parts of two");
    }
}
