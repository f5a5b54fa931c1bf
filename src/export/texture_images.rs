//! Turns the draws' textures into images, and decodes each only once.
//!
//! # Invariants
//! No two images have the same pixels. A texture is decoded at its draw, before memory changes, so that render
//! targets and copies within a list come out right.

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
use crate::pipeline::texture::{Texture, palette};

/// Hashing this many bytes costs as much as decoding 1.
const HASHED_PER_DECODED: u64 = 32;
/// The same for textures in a view of VRAM that reorders bytes, which takes longer to gather.
const GATHERED_PER_DECODED: u64 = 4;

/// Remembers images, so that equal textures share them.
#[derive(Clone, Debug)]
pub(super) struct TextureImages {
    pub(super) images: Vec<Image>,
    /// The memory locations of each image, because several may hold the same pixels.
    pub(super) locations: Vec<Vec<TextureLocation>>,
    /// Whether an image has any transparent pixel.
    pub(super) has_alpha: Vec<bool>,
    /// Finds an image without decoding, by everything read from registers and memory.
    known: HashMap<DecodeKey, usize>,
    /// Finds images by a hash over their pixels.
    by_content: HashMap<u64, Vec<usize>>,
    /// Remaining decoded bytes.
    budget: Budget,
}

impl Default for TextureImages {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            locations: Vec::new(),
            has_alpha: Vec::new(),
            known: HashMap::new(),
            by_content: HashMap::new(),
            budget: Budget::new(&Limits::default(), Limit::DecodedBytes),
        }
    }
}

/// Where a texture lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TextureLocation {
    pub(super) texels: Address,
    /// The palette; `None` for formats that need none.
    pub(super) palette: Option<Address>,
}

/// Everything a decoded texture depends on. Memory and palette enter as hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DecodeKey {
    location: TextureLocation,
    texture_registers: [u32; 5],
    texels: u64,
    palette: u64,
    with_alpha: bool,
}

impl TextureImages {
    pub(super) fn begin(&mut self, limits: &Limits) {
        self.budget = Budget::new(limits, Limit::DecodedBytes);
    }

    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// Returns the image for the current texture, and decodes it if it is new. Without `with_alpha`, all pixels
    /// become opaque. Returns `None` if the budget is spent.
    pub(super) fn add(&mut self, memory: &Memory, registers: &Registers, with_alpha: bool) -> Option<usize> {
        let texture = Texture::from_registers(registers, 0);
        let bytes = texture.bytes();
        let is_contiguous = memory.slice(texture.address, bytes as usize).is_some();
        // To hash scattered texels, this has to gather them first, which costs more.
        self.budget
            .spend(u64::from(bytes) / if is_contiguous { HASHED_PER_DECODED } else { GATHERED_PER_DECODED })
            .ok()?;
        let key = decode_key(memory, registers, &texture, with_alpha);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let [width, height] = image_size(&texture);
        self.budget.spend(u64::from(width) * u64::from(height) * 4).ok()?;
        let mut decoded = texture.decode(memory, registers.clut());
        if !with_alpha {
            decoded.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        }
        let index = self.insert(decoded, key.location, &|| texture_extras(registers, &texture));
        self.known.insert(key, index);
        Some(index)
    }

    fn insert(&mut self, pixels: RgbaImage, location: TextureLocation, extras: &dyn Fn() -> Extras) -> usize {
        // Different textures may have the same pixels, so this looks for them again by content.
        let hash = hash_of(&(pixels.dimensions(), XxHash3_64::oneshot(pixels.as_raw())));
        let same = self.by_content.entry(hash).or_default();
        if let Some(&index) = same.iter().find(|&&index| self.images[index].pixels == pixels) {
            if let Some(locations) = self.locations.get_mut(index)
                && !locations.contains(&location)
            {
                locations.push(location);
            }
            return index;
        }
        let index = self.images.len();
        same.push(index);
        let image = Image { name: format!("texture_{index:02}"), pixels, extras: extras() };
        self.has_alpha.push(image.has_alpha());
        self.locations.push(vec![location]);
        self.images.push(image);
        index
    }
}

/// Combines an image with the sampler state in the registers.
pub(super) fn scene_texture(registers: &Registers, image: usize) -> SceneTexture {
    let wrap: TextureWrap = registers.get();
    let filter: TextureFilter = registers.get();
    let clamped = |clamp| if clamp { Wrap::Clamp } else { Wrap::Repeat };
    let minify = filter.minification;
    let has_mipmaps = minify.uses_mipmaps() && registers.get::<TextureMode>().max_level > 0;
    SceneTexture {
        image,
        wrap: [clamped(wrap.clamp_s), clamped(wrap.clamp_t)],
        magnify_linear: filter.magnify_linear,
        minify: Minify { linear: minify.is_linear(), mipmaps: has_mipmaps.then(|| minify.blends_levels()) },
    }
}

/// Computes factors to scale texture coordinates to the image, which may be smaller than the registers' size because
/// it holds only texels that exist.
pub(super) fn texcoord_scale(registers: &Registers) -> [f32; 2] {
    let texture = Texture::from_registers(registers, 0);
    let [width, height] = image_size(&texture);
    [texture.width() / width, texture.height() / height].map(to_f32)
}

/// Returns the image size for the current texture, to divide coordinates in through mode by.
pub(super) fn texture_size(registers: &Registers) -> [f32; 2] {
    image_size(&Texture::from_registers(registers, 0)).map(to_f32)
}

#[expect(clippy::cast_precision_loss, reason = "at most 32768")]
fn to_f32(texels: u32) -> f32 {
    texels as f32
}

fn image_size(texture: &Texture) -> [u32; 2] {
    [texture.width(), texture.height()].map(|size| size.min(crate::pipeline::texture::MAX_SIZE))
}

fn decode_key(memory: &Memory, registers: &Registers, texture: &Texture, with_alpha: bool) -> DecodeKey {
    let texture_registers =
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
    let palette = match texture.format.is_indexed() {
        true => hash_of(&(registers.argument(Opcode::CLUTFORMAT), registers.clut())),
        false => 0,
    };
    let palette_address = texture.format.is_indexed().then(|| palette::source(registers));
    let location = TextureLocation { texels: texture.address, palette: palette_address };
    DecodeKey { location, texture_registers, texels, palette, with_alpha }
}

/// Never store this hash, because the standard library may change it. It is compared only within a run.
fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn texture_extras(registers: &Registers, texture: &Texture) -> Extras {
    let mut extras = vec![
        ("format", Extra::text(texture.format)),
        ("address", Extra::text(texture.address)),
        ("width", Extra::Whole(texture.width().into())),
        ("height", Extra::Whole(texture.height().into())),
        ("row_bytes", Extra::Whole(texture.row_bytes.into())),
    ];
    if !texture.format.is_compressed() {
        extras.push(("swizzled", Extra::Flag(texture.swizzled)));
    }
    if texture.format.is_indexed() {
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
