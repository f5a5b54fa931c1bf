//! The textures of draws as pictures, each decoded once.
//!
//! # Invariants
//! No two images have the same pixels. A texture is decoded from memory as it is at the draw, so that what a list draws
//! or copies in between shows.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use image::RgbaImage;
use twox_hash::XxHash3_64;

use super::scene::{Extra, Extras, Image, Minify, Texture as SceneTexture, Wrap};
use crate::ge::address::Address;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{ClutFormat, TextureFilter, TextureMode, TextureWrap};
use crate::pipeline::texture::{Texture, is_compressed, palette};

/// Bytes of textures that can be looked at for the cost of a decoded one.
const LOOKED_AT: u64 = 32;
/// The same for bytes of views of VRAM in another order.
const GATHERED: u64 = 4;

/// All pictures so far.
#[derive(Clone, Debug)]
pub(super) struct Pictures {
    pub(super) images: Vec<Image>,
    /// Where each image's texels and palette lay; several places may hold the same picture.
    pub(super) origins: Vec<Vec<Origin>>,
    /// Whether each has pixels that are not opaque.
    pub(super) has_alpha: Vec<bool>,
    /// By what was read from registers and memory.
    known: HashMap<Key, usize>,
    /// By the hash of the pixels.
    by_content: HashMap<u64, Vec<usize>>,
    /// Decoded bytes that are left.
    budget: Budget,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            origins: Vec::new(),
            has_alpha: Vec::new(),
            known: HashMap::new(),
            by_content: HashMap::new(),
            budget: Budget::new(&Limits::default(), Limit::DecodedBytes),
        }
    }
}

/// Where a picture lay in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    pub(super) texels: Address,
    /// Of textures that have one.
    pub(super) palette: Option<Address>,
}

/// All that a decoded texture depends on, memory and palette as hashes, and where it lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    origin: Origin,
    words: [u32; 5],
    texels: u64,
    palette: u64,
    with_alpha: bool,
}

impl Pictures {
    pub(super) fn begin(&mut self, limits: &Limits) {
        self.budget = Budget::new(limits, Limit::DecodedBytes);
    }

    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// The image of the texture that the registers select, without its alpha where that does not count. `None` where
    /// there are too many pictures already.
    pub(super) fn add(&mut self, memory: &Memory, registers: &Registers, with_alpha: bool) -> Option<usize> {
        let texture = Texture::from_registers(registers, 0);
        let bytes = texture.bytes();
        let is_whole = memory.slice(texture.address, bytes as usize).is_some();
        self.budget.spend(u64::from(bytes) / if is_whole { LOOKED_AT } else { GATHERED }).ok()?;
        let key = key(memory, registers, &texture, with_alpha);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let [width, height] = picture_size(&texture);
        self.budget.spend(u64::from(width) * u64::from(height) * 4).ok()?;
        let mut decoded = texture.decode(memory, registers.clut());
        if !with_alpha {
            decoded.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        }
        let index = self.insert(decoded, key.origin, &|| describe(registers, &texture));
        self.known.insert(key, index);
        Some(index)
    }

    fn insert(&mut self, pixels: RgbaImage, origin: Origin, extras: &dyn Fn() -> Extras) -> usize {
        let hash = hash_of(&(pixels.dimensions(), XxHash3_64::oneshot(pixels.as_raw())));
        let same = self.by_content.entry(hash).or_default();
        if let Some(&index) = same.iter().find(|&&index| self.images[index].pixels == pixels) {
            if let Some(origins) = self.origins.get_mut(index)
                && !origins.contains(&origin)
            {
                origins.push(origin);
            }
            return index;
        }
        let index = self.images.len();
        same.push(index);
        let image = Image { name: format!("texture_{index:02}"), pixels, extras: extras() };
        self.has_alpha.push(image.has_alpha());
        self.origins.push(vec![origin]);
        self.images.push(image);
        index
    }
}

/// How the registers sample an image.
pub(super) fn sampled(registers: &Registers, image: usize) -> SceneTexture {
    let wrap: TextureWrap = registers.get();
    let filter: TextureFilter = registers.get();
    let clamped = |clamp| if clamp { Wrap::Clamp } else { Wrap::Repeat };
    let minify = filter.minification;
    let has_levels = minify.uses_mipmaps() && registers.get::<TextureMode>().max_level > 0;
    SceneTexture {
        image,
        wrap: [clamped(wrap.clamp_s), clamped(wrap.clamp_t)],
        magnify_linear: filter.magnify_linear,
        minify: Minify { linear: minify.is_linear(), mipmaps: has_levels.then(|| minify.blends_levels()) },
    }
}

/// What coordinates have to be multiplied by: the picture is cut to the texels that exist.
pub(super) fn coordinate_scale(registers: &Registers) -> [f32; 2] {
    let texture = Texture::from_registers(registers, 0);
    let [width, height] = picture_size(&texture);
    [texture.width() / width, texture.height() / height].map(ratio)
}

/// Texels of the texture that the registers select, to divide through mode's coordinates by.
pub(super) fn texels(registers: &Registers) -> [f32; 2] {
    picture_size(&Texture::from_registers(registers, 0)).map(ratio)
}

#[expect(clippy::cast_precision_loss, reason = "at most 32768")]
fn ratio(whole: u32) -> f32 {
    whole as f32
}

fn picture_size(texture: &Texture) -> [u32; 2] {
    [texture.width(), texture.height()].map(|size| size.min(crate::pipeline::texture::MAX_SIZE))
}

fn key(memory: &Memory, registers: &Registers, texture: &Texture, with_alpha: bool) -> Key {
    let words =
        [Opcode::TEXADDR0, Opcode::TEXBUFWIDTH0, Opcode::TEXSIZE0, Opcode::TEXMODE, Opcode::TEXFORMAT]
            .map(|opcode| registers.argument(opcode));
    let length = texture.bytes() as usize;
    let texels = match memory.slice(texture.address, length) {
        Some(bytes) => XxHash3_64::oneshot(bytes),
        None => {
            let mut bytes = vec![0; length];
            memory.read(texture.address, &mut bytes);
            XxHash3_64::oneshot(&bytes)
        }
    };
    let palette = match is_indexed(texture) {
        true => hash_of(&(registers.argument(Opcode::CLUTFORMAT), registers.clut())),
        false => 0,
    };
    let place = is_indexed(texture).then(|| palette::source(registers));
    let origin = Origin { texels: texture.address, palette: place };
    Key { origin, words, texels, palette, with_alpha }
}

/// Only compared within one run, so it may differ from one version of the standard library to the next.
fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn is_indexed(texture: &Texture) -> bool {
    matches!(texture.format.number(), 4..=7)
}

fn describe(registers: &Registers, texture: &Texture) -> Extras {
    let mut extras = vec![
        ("format", Extra::text(texture.format)),
        ("address", Extra::text(texture.address)),
        ("width", Extra::Whole(texture.width().into())),
        ("height", Extra::Whole(texture.height().into())),
        ("row_bytes", Extra::Whole(texture.row_bytes.into())),
    ];
    if !is_compressed(texture.format) {
        extras.push(("swizzled", Extra::Flag(texture.swizzled)));
    }
    if is_indexed(texture) {
        let clut: ClutFormat = registers.get();
        let table = vec![
            ("format", Extra::text(clut.format)),
            ("shift", Extra::Whole(clut.shift.into())),
            ("mask", Extra::Whole(clut.mask.0.into())),
            ("start", Extra::Whole(u64::from(clut.start) * 16)),
            ("address", Extra::text(palette::source(registers))),
        ];
        extras.push(("clut", Extra::Table(table)));
    }
    extras
}
