//! Writes pictures into textures that store palette indices.
//!
//! Texels with the same colours in all palettes of a group need only one index. If the palettes have these colours
//! already, only indices change. Otherwise new colours take the place of unused ones; if there are too many, the
//! palettes are chosen again, unless the old colours come closer.

use std::collections::HashMap;

use super::bytes::FileBytes;
use super::dither::Dither;
use super::pictures::is_same;
use super::planes::{Group, Plane};
use super::quantize::{self, Point};
use crate::model::storage::ColorStorage;

/// How many different colours to choose palettes from at most, to bound the time. Similar colours are joined until
/// no more are left.
const POINTS_MAX: usize = 4096;

/// A texel's colours in all palettes of the group.
type Colors = Vec<[u8; 4]>;

/// The texels that share the same colours.
#[derive(Clone, Debug, Default)]
struct Shade {
    count: u32,
    /// How many of these texels have each old index.
    old: HashMap<usize, u32>,
    /// Whether any of them is in a given picture or a kept texture, rather than in a smaller level made from one.
    is_given: bool,
    /// All of them can have indices below this.
    reach: usize,
    /// The new index.
    index: Option<usize>,
}

/// Writes all pictures wanted in a group.
pub(super) fn write(bytes: &mut FileBytes, group: &Group<'_>, dither: bool) {
    let table = Table::of(group);
    let mut shades: HashMap<Colors, Shade> = HashMap::new();
    for plane in &group.planes {
        for (x, y) in texels(plane) {
            let Some(old) = plane.index(bytes, x, y) else { continue };
            let shade = shades.entry(table.wanted(group, plane, old, x, y)).or_default();
            shade.count += 1;
            shade.is_given |= !plane.follows;
            shade.reach = if shade.count == 1 { plane.reach() } else { shade.reach.min(plane.reach()) };
            *shade.old.entry(old).or_default() += 1;
        }
    }
    let new = table.with(group, &mut shades);
    for plane in &group.planes {
        // Dithering needs a single palette, because an error in one palette says nothing about the others.
        let is_dithered = dither && group.palettes.len() == 1 && !plane.wanted.is_empty();
        write_indices(bytes, group, plane, (&table, &new), &shades, is_dithered);
    }
    write_colors(bytes, group, &new);
}

fn texels(plane: &Plane) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (width, height) = (plane.level.width, plane.level.height);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// The colours for each index in all palettes of a group.
#[derive(Clone, Debug)]
struct Table {
    entries: Vec<Colors>,
    /// How many entries any texel in the group can have.
    reach: usize,
    /// How many of these can be changed.
    writable: usize,
}

impl Table {
    fn of(group: &Group<'_>) -> Self {
        let count = group.palettes.iter().map(|(_, palette)| palette.colors.len()).min().unwrap_or(0);
        let entry = |index: usize| {
            group.palettes.iter().filter_map(|(_, palette)| palette.colors.get(index).copied()).collect()
        };
        let reach = group.planes.iter().map(|plane| plane.reach()).max().unwrap_or(0).min(count);
        let stored =
            group.palettes.iter().map(|(_, palette)| palette.stored.map_or(0, |stored| stored.colors));
        Self {
            entries: (0..count).map(entry).collect(),
            reach,
            writable: reach.min(stored.min().unwrap_or(0) as usize),
        }
    }

    /// Returns the colours that a texel should have, as far as the file can store them.
    fn wanted(&self, group: &Group<'_>, plane: &Plane, old: usize, x: u32, y: u32) -> Colors {
        let mut colors = self.entries.get(old).cloned().unwrap_or_default();
        for (color, (number, palette)) in colors.iter_mut().zip(&group.palettes) {
            let pixel = plane.wanted.get(number).and_then(|picture| picture.get_pixel_checked(x, y));
            if let Some(pixel) = pixel
                && !is_same(*color, pixel.0)
            {
                *color = palette.stored.map_or(pixel.0, |stored| rounded(pixel.0, &stored.color));
            }
        }
        colors
    }

    /// Gives each shade an index, and returns the table with the colours for these.
    ///
    /// Smaller levels made from a picture take part only if there is room for their colours, so that the picture
    /// itself loses nothing to them.
    fn with(&self, group: &Group<'_>, shades: &mut HashMap<Colors, Shade>) -> Self {
        let fitted = self.fitted(shades, |_| true).or_else(|| self.fitted(shades, |shade| shade.is_given));
        let table = fitted.unwrap_or_else(|| self.chosen(group, shades));
        let choices = table.points();
        for (colors, shade) in shades.iter_mut().filter(|(_, shade)| shade.index.is_none()) {
            let exact = table.entries.iter().take(shade.reach).position(|entry| entry == colors);
            let own = choices.get(..shade.reach).unwrap_or(&choices);
            shade.index = exact.or_else(|| Some(Point::new(colors, 1.0).nearest(own)));
        }
        table
    }

    /// Gives an index to the shades that count, and puts their new colours in place of unused ones. Returns `None`
    /// if there are too many.
    fn fitted(&self, shades: &mut HashMap<Colors, Shade>, counts: fn(&Shade) -> bool) -> Option<Self> {
        let mut first: HashMap<&Colors, usize> = HashMap::new();
        for (index, colors) in self.entries.iter().enumerate().take(self.reach) {
            first.entry(colors).or_insert(index);
        }
        let mut is_used = vec![false; self.entries.len()];
        for (colors, shade) in shades.iter_mut() {
            let known = first.get(colors).copied().filter(|index| *index < shade.reach);
            shade.index = known.filter(|_| counts(shade));
            // A palette may hold equal colours several times, and texels keep the index they have.
            for old in shade.old.keys().copied().filter(|_| counts(shade)).chain(shade.index) {
                if self.entries.get(old) == Some(colors)
                    && let Some(is_used) = is_used.get_mut(old)
                {
                    *is_used = true;
                }
            }
        }
        let mut missing: Vec<(&Colors, &mut Shade)> =
            shades.iter_mut().filter(|(_, shade)| shade.index.is_none() && counts(shade)).collect();
        if missing.len() > is_used.iter().take(self.writable).filter(|is_used| !**is_used).count() {
            return None;
        }
        // The hash table's order is random, so this sorts shades: few indices first, then the most texels.
        missing.sort_by(|(colors, shade), (others, other)| {
            let order = shade.reach.cmp(&other.reach).then(other.count.cmp(&shade.count));
            order.then(colors.cmp(others))
        });
        let mut table = self.clone();
        for (colors, shade) in missing {
            let end = self.writable.min(shade.reach);
            let is_free = |index: usize| index < end && is_used.get(index) == Some(&false);
            // If all texels of an index change their colour together, the index stays.
            let own = shade.old.iter().filter(|(old, _)| is_free(**old));
            let own = own.max_by_key(|(old, count)| (**count, std::cmp::Reverse(**old))).map(|(old, _)| *old);
            let index = own.or_else(|| (0..end).find(|index| is_free(*index)))?;
            shade.index = Some(index);
            if let Some(is_used) = is_used.get_mut(index) {
                *is_used = true;
            }
            if let Some(entry) = table.entries.get_mut(index) {
                entry.clone_from(colors);
            }
        }
        Some(table)
    }

    /// Returns the table with newly chosen palettes, or the old table if this is closer. Then no shade has an index.
    fn chosen(&self, group: &Group<'_>, shades: &mut HashMap<Colors, Shade>) -> Self {
        let points = points(shades);
        let mut table = self.clone();
        let mut new = quantize::choose(&points, self.writable);
        new.sort_unstable();
        for (entry, colors) in table.entries.iter_mut().zip(new) {
            for ((entry, color), (_, palette)) in entry.iter_mut().zip(colors).zip(&group.palettes) {
                *entry = palette.stored.map_or(color, |stored| rounded(color, &stored.color));
            }
        }
        shades.values_mut().for_each(|shade| shade.index = None);
        // The comparison includes colours that cannot be written, because both tables offer them.
        let error = |table: &Self| quantize::total_error(&points, &table.points());
        if error(&table) < error(self) { table } else { self.clone() }
    }

    /// Places the entries that texels can have in colour space.
    fn points(&self) -> Vec<Point> {
        self.entries.iter().take(self.reach).map(|colors| Point::new(colors, 1.0)).collect()
    }
}

/// Places the shades of given pictures in colour space. The more there are, the more similar shades are joined.
fn points(shades: &HashMap<Colors, Shade>) -> Vec<Point> {
    let given = shades.iter().filter(|(_, shade)| shade.is_given);
    let mut sorted: Vec<(&Colors, u32)> = given.map(|(colors, shade)| (colors, shade.count)).collect();
    sorted.sort_unstable();
    for bits in 0..8 {
        let mut together: Vec<(Colors, Colors, u32)> = Vec::new();
        let mut known: HashMap<Colors, usize> = HashMap::new();
        for (colors, count) in &sorted {
            let key: Colors = colors.iter().map(|color| color.map(|channel| channel >> bits)).collect();
            let next = together.len();
            match together.get_mut(*known.entry(key.clone()).or_insert(next)) {
                // The most frequent colour stands for all.
                Some((kept, _, sum)) => {
                    if *count > *sum {
                        kept.clone_from(colors);
                    }
                    *sum += count;
                }
                None => together.push(((*colors).clone(), key, *count)),
            }
        }
        if together.len() <= POINTS_MAX || bits == 7 {
            #[expect(clippy::cast_precision_loss, reason = "a weight")]
            return together.iter().map(|(colors, _, count)| Point::new(colors, *count as f32)).collect();
        }
    }
    Vec::new()
}

fn write_indices(
    bytes: &mut FileBytes,
    group: &Group<'_>,
    plane: &Plane,
    (old_table, table): (&Table, &Table),
    shades: &HashMap<Colors, Shade>,
    is_dithered: bool,
) {
    let mut dither = Dither::new(plane.level.width, is_dithered);
    let mut choices = if is_dithered { table.points() } else { Vec::new() };
    choices.truncate(plane.reach());
    let mut found: HashMap<[u8; 4], usize> = HashMap::new();
    for y in 0..plane.level.height {
        for x in 0..plane.level.width {
            let Some(old) = plane.index(bytes, x, y) else { continue };
            let colors = old_table.wanted(group, plane, old, x, y);
            if table.entries.get(old) == Some(&colors) && old < table.reach {
                continue;
            }
            let Some(mut index) = shades.get(&colors).and_then(|shade| shade.index) else { continue };
            if is_dithered && let [color] = colors[..] {
                let adjusted = dither.adjusted(x, color);
                index =
                    *found.entry(adjusted).or_insert_with(|| Point::new(&[adjusted], 1.0).nearest(&choices));
                let shown = table.entries.get(index).and_then(|colors| colors.first());
                dither.spread(x, adjusted, shown.copied().unwrap_or(adjusted));
            }
            if index != old {
                plane.set_index(bytes, x, y, index);
            }
        }
        dither.next_row();
    }
}

/// Writes the colours that differ from the old palettes.
fn write_colors(bytes: &mut FileBytes, group: &Group<'_>, table: &Table) {
    for (place, (_, palette)) in group.palettes.iter().enumerate() {
        let Some(stored) = &palette.stored else { continue };
        for (entry, (colors, old)) in (0..stored.colors).zip(table.entries.iter().zip(&palette.colors)) {
            let Some(color) = colors.get(place).filter(|color| *color != old) else { continue };
            if let Some(number) = bytes.color(stored, entry) {
                bytes.set_color(stored, entry, stored.color.encode(*color, number));
            }
        }
    }
}

/// Returns how a colour looks after it was stored.
fn rounded(color: [u8; 4], storage: &ColorStorage) -> [u8; 4] {
    storage.decode(storage.encode(color, 0))
}
