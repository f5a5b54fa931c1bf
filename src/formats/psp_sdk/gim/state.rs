//! Writes the GE state to show a picture at a moment in its animation.
//! Source: [GIM as GE state](crate::reference::formats::psp_sdk#gim-as-ge-state).
//!
//! # Invariants
//! A picture has the same commands at any moment, and only their arguments differ, so that an animation can replace
//! them in the list.

use super::image::Plane;
use super::load::{LoadedImage, LoadedPicture};
use super::sequence::{Sequence, parameter};
use crate::formats::core::state_writer::{float, word};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Hex;
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode};
use crate::ge::registers::texture::{
    ClutAddress, ClutAddressUpper, ClutFormat, LevelMode, LoadClut, MinificationFilter, PixelFormat,
    TextureAddress, TextureBufferWidth, TextureFilter, TextureFormat, TextureFunc, TextureFunction,
    TextureLevel, TextureMode, TextureSize, TextureWrap,
};
use crate::model::texture;

/// The engine has no more mip levels than this.
const LEVELS_MAX: usize = 8;

/// A picture's parameters at a moment in its animation. `None` leaves the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moment {
    image: usize,
    plane: usize,
    /// The only level to draw; `None` for all mip levels.
    level: Option<usize>,
    frame: usize,
    palette: usize,
    palette_level: usize,
    palette_frame: usize,
    /// The part to show: its column, row, width and height in pixels; `None` for the picture's own.
    crop: [Option<f32>; 4],
    blend: Option<u8>,
    function: Option<u8>,
    component: Option<u8>,
    magnification: Option<u8>,
    minification: Option<u8>,
    wrap: [Option<u8>; 2],
}

impl Moment {
    /// Shows a frame without a sequence.
    pub(super) fn of_frame(frame: usize) -> Self {
        Self { frame, palette_frame: frame, ..Self::default() }
    }

    /// Evaluates a sequence at a frame.
    pub(super) fn of_sequence(sequence: &Sequence, frame: f64) -> Self {
        let value = |parameter: u16| sequence.value(parameter, frame);
        #[expect(clippy::cast_possible_truncation, reason = "values have 16 bits")]
        let single = |parameter: u16| value(parameter).map(|value| value as f32);
        // Neighbours are not blended, so a number between two selects the earlier.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 65535")]
        let number = |parameter: u16| value(parameter).map(|value| value.clamp(0.0, 65535.0) as usize);
        let index = |parameter: u16| number(parameter).unwrap_or(0);
        let small = |parameter: u16| number(parameter).map(|value| u8::try_from(value).unwrap_or(u8::MAX));
        let frame = index(parameter::FRAME);
        Self {
            image: index(parameter::IMAGE),
            plane: index(parameter::PLANE),
            level: number(parameter::LEVEL),
            frame,
            palette: index(parameter::PALETTE),
            palette_level: index(parameter::PALETTE_LEVEL),
            palette_frame: number(parameter::PALETTE_FRAME).unwrap_or(frame),
            crop: parameter::CROP.map(single),
            blend: small(parameter::BLEND),
            function: small(parameter::FUNCTION),
            component: small(parameter::COMPONENT),
            magnification: small(parameter::MAGNIFICATION),
            minification: small(parameter::MINIFICATION),
            wrap: parameter::WRAP.map(small),
        }
    }
}

/// Returns the base-2 logarithm of `size`, rounded up, at most 15.
fn log2_up(size: u16) -> u8 {
    texture::log2_up(size).min(15)
}

/// Returns the first level's size in texels: as it is, and padded to powers of two, as the engine counts.
fn sizes(image: &LoadedImage) -> [[f32; 2]; 2] {
    let level = image.frames.first().and_then(|levels| levels.first());
    let size = level.map_or([1; 2], |level| [level.width, level.height]);
    #[expect(clippy::cast_precision_loss, reason = "at most 32768")]
    let padded = size.map(|side| 1_u32.wrapping_shl(log2_up(side).into()) as f32);
    [size.map(f32::from), padded]
}

impl LoadedPicture {
    /// Returns the image shown at this moment. Numbers too high select the last.
    fn image(&self, moment: &Moment) -> Option<&LoadedImage> {
        self.images.get(moment.image.min(self.images.len().saturating_sub(1)))
    }

    /// Returns the first image's size in pixels.
    pub(super) fn size(&self) -> [f32; 2] {
        self.images.first().map_or([1.0; 2], |image| sizes(image)[0])
    }

    /// Counts the frames to show without a sequence.
    pub(super) fn count_frames(&self) -> usize {
        self.images.first().map_or(1, LoadedImage::count_frames)
    }

    /// Returns the commands to select the texture, with all its levels and its palette.
    pub(super) fn texture(&self, moment: &Moment) -> Vec<Command> {
        let Some(image) = self.image(moment) else { return Vec::new() };
        let levels = image
            .frames
            .get(moment.frame.checked_rem(image.frames.len()).unwrap_or(0))
            .map_or(&[][..], Vec::as_slice);
        // Without mip levels, each level is a picture of its own.
        let levels = match moment.level {
            Some(level) if !image.has_mipmaps => {
                levels.get(level.min(levels.len().saturating_sub(1))..).unwrap_or_default()
            }
            _ => levels,
        };
        let drawn = if image.has_mipmaps { levels.len().clamp(1, LEVELS_MAX) } else { 1 };
        let palette = image.palettes.get(moment.palette.min(image.palettes.len().saturating_sub(1)));
        let mode = TextureMode {
            swizzled: image.is_swizzled,
            palette_per_level: palette.is_some_and(|palette| palette.is_per_level),
            max_level: u8::try_from(drawn.saturating_sub(1)).unwrap_or(7),
        };
        let mut commands = vec![word(mode), word(TextureFormat { format: image.format })];
        // Set as many levels as any image or frame has, so that the commands stay the same.
        let most = self.images.iter().map(|image| if image.has_mipmaps { image.levels() } else { 1 });
        let most = most.max().unwrap_or(1).clamp(1, LEVELS_MAX);
        for (number, index) in (0_u8..).zip(0..most) {
            let Some(level) = levels.get(index.min(drawn.saturating_sub(1))) else { continue };
            let address = level.address.get();
            let width = TextureBufferWidth { width: level.buffer_width, high: Hex(address >> 24) };
            let size = TextureSize { width_log2: log2_up(level.width), height_log2: log2_up(level.height) };
            commands.extend([
                TextureAddress { address: Hex(address) }.to(Opcode::TEXADDR0.plus(number)),
                width.to(Opcode::TEXBUFWIDTH0.plus(number)),
                size.to(Opcode::TEXSIZE0.plus(number)),
            ]);
        }
        if self.images.iter().any(|image| !image.palettes.is_empty()) {
            commands.extend(self.palette(image, moment));
        }
        commands.push(Command::new(Opcode::TEXFLUSH, 0));
        commands
    }

    /// Returns the commands to load the palette.
    fn palette(&self, image: &LoadedImage, moment: &Moment) -> [Command; 4] {
        // Direct colours need no palette, but another image's is loaded to keep the commands the same.
        let palettes = if image.palettes.is_empty() {
            self.images.iter().find_map(|image| image.palettes.first())
        } else {
            None
        };
        let last = image.palettes.len().saturating_sub(1);
        let palette = image.palettes.get(moment.palette.min(last)).or(palettes);
        let plane = image.planes.get(moment.plane.min(image.planes.len().saturating_sub(1)));
        let Plane { shift, mask } = plane.copied().unwrap_or(Plane { shift: 0, mask: 0xFF });
        let format = palette.map_or(PixelFormat::ABGR8888, |palette| palette.format);
        let address = palette.and_then(|palette| {
            let frame = moment.palette_frame.checked_rem(palette.frames.len())?;
            let levels = palette.frames.get(frame)?;
            levels.get(moment.palette_level.min(levels.len().saturating_sub(1))).copied()
        });
        let address = address.map_or(0, |address| address.get());
        let blocks = palette.map_or(0, super::load::LoadedPalette::blocks);
        [
            word(ClutFormat { format, shift, mask: Hex(mask & 0xFF), start: 0 }),
            word(ClutAddress { address: Hex(address) }),
            word(ClutAddressUpper { high: Hex(address >> 24) }),
            word(LoadClut { blocks }),
        ]
    }

    /// Returns all commands that depend on the moment.
    pub(super) fn commands(&self, moment: &Moment) -> Vec<Command> {
        let mut commands = self.texture(moment);
        let [size, padded] = self.image(moment).map_or([[1.0; 2]; 2], sizes);
        let [left, top, width, height] = moment.crop;
        let [across, down] = padded;
        let wrap = |axis: usize| {
            // Clamp a padded axis, because other texels lie between the picture's edge and the next power of two.
            let is_padded = size.get(axis) != padded.get(axis);
            moment.wrap.get(axis).copied().flatten().map_or(is_padded, |wrap| wrap != 0)
        };
        let has_levels = self.image(moment).is_some_and(|image| image.has_mipmaps && image.levels() > 1);
        let minification = match moment.minification {
            Some(filter) => MinificationFilter::from_number(filter),
            None if has_levels => MinificationFilter::LINEAR_MIPMAP_LINEAR,
            None => MinificationFilter::LINEAR,
        };
        let function = TextureFunc {
            function: moment.function.map_or(TextureFunction::REPLACE, TextureFunction::from_number),
            use_alpha: moment.component.is_none_or(|component| component != 0),
            double: false,
        };
        let level = match moment.level.filter(|_| has_levels) {
            // The bias counts sixteenths of a level.
            Some(level) => TextureLevel {
                mode: LevelMode::CONST,
                bias: i8::try_from(level.min(7).saturating_mul(16)).unwrap_or(112),
            },
            None => TextureLevel { mode: LevelMode::AUTO, bias: 0 },
        };
        commands.extend([
            float(Opcode::TEXSCALEU, width.unwrap_or(size[0]) / across),
            float(Opcode::TEXSCALEV, height.unwrap_or(size[1]) / down),
            float(Opcode::TEXOFFSETU, left.unwrap_or(0.0) / across),
            float(Opcode::TEXOFFSETV, top.unwrap_or(0.0) / down),
            word(TextureWrap { clamp_s: wrap(0), clamp_t: wrap(1) }),
            word(TextureFilter {
                minification,
                magnify_linear: moment.magnification.is_none_or(|filter| filter != 0),
            }),
            word(function),
            word(level),
            Command::new(Opcode::BLENDENABLE, u32::from(moment.blend != Some(0))),
            word(blend_mode(moment.blend.unwrap_or(1))),
        ]);
        commands
    }
}

impl LoadedImage {
    pub(super) fn levels(&self) -> usize {
        self.frames.first().map_or(1, Vec::len)
    }
}

/// Converts a sequence's blend mode. The factor FIXED is white here.
fn blend_mode(mode: u8) -> BlendMode {
    let (destination, equation) = match mode {
        2 => (BlendFactor::FIXED, BlendEquation::ADD),
        3 => (BlendFactor::FIXED, BlendEquation::REVERSE_SUBTRACT),
        4 => (BlendFactor::FIXED, BlendEquation::MIN),
        5 => (BlendFactor::FIXED, BlendEquation::MAX),
        6 => (BlendFactor::FIXED, BlendEquation::ABSOLUTE_DIFFERENCE),
        _ => (BlendFactor::ONE_MINUS_SOURCE_ALPHA, BlendEquation::ADD),
    };
    BlendMode { source: BlendFactor::SOURCE_ALPHA, destination, equation }
}
