//! Finds out which indices and palettes belong together.
//!
//! Several textures may share a palette, and a texture may have several palettes. A changed colour then shows in all
//! of them, so a [`Group`] holds everything connected like this, to be written together.

use std::collections::{BTreeMap, BTreeSet};

use image::RgbaImage;

use super::bytes::FileBytes;
use super::pictures::smaller_levels;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::TexelFormat;
use crate::model::ModelTexture;
use crate::model::storage::{LevelStorage, PaletteStorage, StoredOffset, TexelStorage};
use crate::pipeline::texture::palette::Palette;

/// The most indices that a texel can choose from.
const INDICES: u32 = 256;

/// A level's indices: some bits in the numbers stored there.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) level: LevelStorage,
    /// Bits in a number, and whether the highest byte comes first.
    pub(super) number: (u32, bool),
    pub(super) shift: u32,
    pub(super) mask: u32,
    /// The palettes with which it is shown, as indices into [`Planes::palettes`].
    palettes: BTreeSet<usize>,
    /// The first palette named for it.
    main: Option<usize>,
    /// The pictures to write, by palette.
    pub(super) wanted: BTreeMap<usize, RgbaImage>,
    /// Whether these are made from a larger level.
    pub(super) follows: bool,
}

#[derive(Clone, Debug)]
pub(super) struct PlanePalette {
    /// Where it is in the file; `None` if it cannot be changed.
    pub(super) stored: Option<PaletteStorage>,
    /// The colour that each index shows.
    pub(super) colors: Vec<[u8; 4]>,
}

/// Connected planes and palettes. Each palette has its index in [`Planes::palettes`].
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) planes: Vec<&'a Plane>,
    pub(super) palettes: Vec<(usize, &'a PlanePalette)>,
}

/// Tells planes apart: the level's place, the shift and the mask.
type PlaneKey = (StoredOffset, u32, u32);

/// All planes and palettes in a file.
#[derive(Debug, Default)]
pub(super) struct Planes {
    planes: Vec<Plane>,
    by_place: BTreeMap<PlaneKey, usize>,
    palettes: Vec<PlanePalette>,
    palette_places: BTreeMap<StoredOffset, usize>,
    /// For each texture its palettes, as indices into `palettes`.
    of_textures: BTreeMap<usize, Vec<usize>>,
}

impl Plane {
    /// Returns how many indices a texel can have here.
    pub(super) fn reach(&self) -> usize {
        let largest = if self.number.0 >= 32 { u32::MAX } else { (1 << self.number.0) - 1 };
        let reach = (largest >> self.shift & self.mask & 0xFF) + 1;
        reach.min(INDICES) as usize
    }

    /// Reads an index; `None` if it is not in the file.
    pub(super) fn index(&self, bytes: &FileBytes, x: u32, y: u32) -> Option<usize> {
        let number = bytes.texel(&self.level, self.number, x, y)?;
        Some((number >> self.shift & self.mask & 0xFF) as usize)
    }

    pub(super) fn set_index(&self, bytes: &mut FileBytes, x: u32, y: u32, index: usize) {
        let Some(number) = bytes.texel(&self.level, self.number, x, y) else { return };
        let index = u32::try_from(index).unwrap_or(0);
        let number = number & !(self.mask << self.shift) | index << self.shift;
        bytes.set_texel(&self.level, self.number, (x, y), number);
    }
}

impl Planes {
    /// Collects planes and palettes for the textures in a single file. Textures without indices have none.
    pub(super) fn of(textures: &[ModelTexture], memory: &Memory, is_companion: bool) -> Self {
        let mut planes = Self::default();
        let storage_of = |texture: &ModelTexture| {
            texture.storage.clone().filter(|storage| storage.is_companion == is_companion)
        };
        for (number, texture) in textures.iter().enumerate() {
            let Some(storage) = storage_of(texture) else { continue };
            let TexelStorage::Index { bits, shift, mask, is_big } = storage.texels else { continue };
            let count = texture.palette.map_or(0, |palette| palette.count());
            let palettes: Vec<usize> = (0..count)
                .map(|palette| {
                    let stored = storage.palettes.get(palette as usize).copied().flatten();
                    planes.palette(stored, &texture.registers(memory, palette))
                })
                .collect();
            planes.of_textures.insert(number, palettes.clone());
            if let Some(level) = storage.levels.first() {
                planes.add(*level, (bits, is_big), (shift, mask), &palettes);
            }
        }
        // Smaller levels may be textures for themselves, with other palettes. Otherwise they share the first level's
        // palettes.
        for (number, texture) in textures.iter().enumerate() {
            let Some(storage) = storage_of(texture) else { continue };
            let TexelStorage::Index { bits, shift, mask, is_big } = storage.texels else { continue };
            let palettes = planes.of_textures.get(&number).cloned().unwrap_or_default();
            for level in storage.levels.iter().skip(1) {
                if !planes.by_place.contains_key(&(level.at, shift, mask)) {
                    planes.add(*level, (bits, is_big), (shift, mask), &palettes);
                }
            }
        }
        planes
    }

    fn palette(&mut self, stored: Option<PaletteStorage>, registers: &Registers) -> usize {
        let all = Palette::from_registers(registers, TexelFormat::CLUT8, 0);
        let lookup = Palette { shift: 0, mask: 0xFF, ..all };
        let colors = (0..INDICES).map(|index| lookup.color(registers.clut(), index)).collect();
        let new = PlanePalette { stored, colors };
        let place = self.palettes.len();
        let Some(at) = stored.map(|stored| stored.at) else {
            self.palettes.push(new);
            return place;
        };
        let place = *self.palette_places.entry(at).or_insert(place);
        let count = |palette: &PlanePalette| palette.stored.map_or(0, |stored| stored.colors);
        match self.palettes.get_mut(place) {
            // A texture with 4 bits may load only the first colours of a palette that others use as a whole.
            Some(known) if count(known) < count(&new) => *known = new,
            Some(_) => {}
            None => self.palettes.push(new),
        }
        place
    }

    fn add(
        &mut self,
        level: LevelStorage,
        number: (u32, bool),
        (shift, mask): (u32, u32),
        palettes: &[usize],
    ) {
        let next = self.planes.len();
        let place = *self.by_place.entry((level.at, shift, mask)).or_insert(next);
        if place == next {
            self.planes.push(Plane {
                level,
                number,
                shift,
                mask,
                palettes: BTreeSet::new(),
                main: palettes.first().copied(),
                wanted: BTreeMap::new(),
                follows: false,
            });
        }
        if let Some(plane) = self.planes.get_mut(place) {
            plane.palettes.extend(palettes);
        }
    }

    /// Finds the plane of a texture's first level, and a palette.
    fn place(&self, (number, texture): (usize, &ModelTexture), palette: u32) -> Option<(usize, usize)> {
        let storage = texture.storage.as_ref()?;
        let TexelStorage::Index { shift, mask, .. } = storage.texels else { return None };
        let plane = self.by_place.get(&(storage.levels.first()?.at, shift, mask))?;
        Some((*plane, *self.of_textures.get(&number)?.get(palette as usize)?))
    }

    /// Returns whether the file's indices show a texture's picture with this palette.
    pub(super) fn show(
        &self,
        bytes: &FileBytes,
        texture: (usize, &ModelTexture),
        palette: u32,
        picture: &RgbaImage,
    ) -> bool {
        let Some((plane, palette)) = self.place(texture, palette) else { return false };
        let (Some(plane), Some(palette)) = (self.planes.get(plane), self.palettes.get(palette)) else {
            return false;
        };
        picture.enumerate_pixels().all(|(x, y, pixel)| {
            plane.index(bytes, x, y).is_none_or(|index| palette.colors.get(index) == Some(&pixel.0))
        })
    }

    /// Asks to write a picture for a texture with this palette. With `with_levels`, this asks for the smaller levels
    /// made from it instead, unless they have a picture already.
    pub(super) fn want(
        &mut self,
        (number, texture): (usize, &ModelTexture),
        palette: u32,
        picture: &RgbaImage,
        with_levels: bool,
    ) {
        let Some((first, place)) = self.place((number, texture), palette) else { return };
        let Some(plane) = self.planes.get_mut(first) else { return };
        let is_main = plane.main == Some(place);
        if !with_levels {
            plane.wanted.insert(place, picture.clone());
            return;
        }
        let Some(storage) = &texture.storage else { return };
        let TexelStorage::Index { shift, mask, .. } = storage.texels else { return };
        for (level, picture) in storage.levels.iter().zip(smaller_levels(picture, &storage.levels)).skip(1) {
            let found = self.by_place.get(&(level.at, shift, mask)).copied();
            let Some(plane) = found.and_then(|found| self.planes.get_mut(found)) else { continue };
            let own = match plane.main {
                _ if plane.palettes.contains(&place) => place,
                // This level has another palette.
                Some(own) if is_main => own,
                _ => continue,
            };
            plane.follows |= plane.wanted.is_empty();
            plane.wanted.entry(own).or_insert(picture);
        }
    }

    /// Lists the connected groups in which a picture is wanted.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, plane) in self.planes.iter().enumerate() {
            for palette in &plane.palettes {
                users.entry(*palette).or_default().push(number);
            }
        }
        let mut groups = Vec::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for (first, _) in self.planes.iter().enumerate().filter(|(_, plane)| !plane.wanted.is_empty()) {
            if !seen.insert(first) {
                continue;
            }
            let (mut numbers, mut palettes) = (vec![first], BTreeSet::new());
            let mut next = 0;
            while let Some(plane) = numbers.get(next).and_then(|number| self.planes.get(*number)) {
                next += 1;
                for palette in &plane.palettes {
                    if palettes.insert(*palette) {
                        let others = users.get(palette).into_iter().flatten().copied();
                        numbers.extend(others.filter(|number| seen.insert(*number)));
                    }
                }
            }
            let palette = |number: usize| Some((number, self.palettes.get(number)?));
            groups.push(Group {
                planes: numbers.iter().filter_map(|number| self.planes.get(*number)).collect(),
                palettes: palettes.into_iter().filter_map(palette).collect(),
            });
        }
        groups
    }
}
