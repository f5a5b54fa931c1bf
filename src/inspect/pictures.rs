//! Creates pictures from colour and depth buffers, textures, and memory in any format.

use std::fmt::Display;

use image::imageops::{self, FilterType};
use image::{DynamicImage, RgbaImage};

use crate::asset::Asset;
use crate::debug::memory::image::{ImageFormat, MemoryLayout, SIZE_MAX};
use crate::debug::session::Session;
use crate::formats::Content;
use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::CLUT_BYTES;
use crate::ge::registers::texture::TextureFormat;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::pipeline::texture::palette::Palette;
use crate::pipeline::texture::{Texture, content_hash};

use super::answer::{PictureAnswer, PixelBytes};
use super::error::InspectError;
use super::events::screen_info;
use super::request::{MemoryPicture, Moment, PaletteName, PictureSource};
use super::run::{Run, used_registers};

/// A picture with its description.
pub(super) type Picture = (PictureAnswer, DynamicImage);

impl PictureAnswer {
    /// Describes a whole picture whose rows follow each other, and which comes from no buffer.
    pub(super) fn new(image: &DynamicImage, format: impl Display) -> Self {
        let pixels = match image {
            DynamicImage::ImageLuma16(_) => PixelBytes::Depth16,
            _ => PixelBytes::Rgba8,
        };
        Self {
            width: image.width(),
            height: image.height(),
            pixels,
            address: None,
            stride: image.width(),
            format: format.to_string(),
            swizzled: false,
        }
    }
}

/// Returns a picture at a moment in a run, or at its end.
///
/// # Errors
/// Fails if the run has no such event, or if there is no such picture.
pub(super) fn picture(
    run: &Run,
    at: Option<Moment>,
    source: &PictureSource,
) -> Result<Picture, InspectError> {
    let at = at.unwrap_or_else(|| Moment { event: run.session().end(), after: false });
    match source {
        PictureSource::Screen => {
            let display =
                run.display().ok_or_else(|| InspectError::inapplicable("the run shows no buffer"))?;
            let screen = screen_info(run, display);
            let layout = MemoryLayout {
                size: [screen.width, screen.height],
                stride: screen.stride,
                ..MemoryLayout::new(screen.address, screen.format.into())
            };
            let session = run.at(at)?;
            Ok(of_layout(&layout, session.memory(), session.registers().clut()))
        }
        PictureSource::Color => {
            let color = ColorSurface::from_registers(&run.registers(at.event)?);
            let size = run.size_of(color);
            Ok(color_picture(color, size, run.at(at)?.memory()))
        }
        PictureSource::Depth => {
            let registers = run.registers(at.event)?;
            let size = run.size_of(ColorSurface::from_registers(&registers));
            Ok(depth_picture(DepthSurface::from_registers(&registers), size, run.at(at)?.memory()))
        }
        PictureSource::Texture { level } => texture_picture(&mut *run.at(at)?, *level),
        PictureSource::Memory(picture) => memory_picture(picture, &*run.at(at)?),
    }
}

/// Scales a picture down so that no side is longer than `most` pixels. If it `is_opaque`, its alpha is dropped.
pub(super) fn scaled((mut answer, image): Picture, most: u32, is_opaque: bool) -> Picture {
    let most = most.max(1);
    if answer.width <= most && answer.height <= most {
        return (answer, image);
    }
    let longest = u64::from(answer.width.max(answer.height)).max(1);
    let side = |side: u32| u32::try_from(u64::from(side) * u64::from(most) / longest).unwrap_or(1).max(1);
    (answer.width, answer.height) = (side(answer.width), side(answer.height));
    let image = match image {
        DynamicImage::ImageRgba8(image) => {
            let mut image = imageops::resize(&image, answer.width, answer.height, FilterType::Triangle);
            if is_opaque {
                image.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
            }
            DynamicImage::ImageRgba8(image)
        }
        other => other.resize_exact(answer.width, answer.height, FilterType::Nearest),
    };
    (answer, image)
}

/// Returns a picture's bytes in the form that [`PictureAnswer::pixels`] names.
pub(super) fn bytes(image: DynamicImage) -> Vec<u8> {
    match image {
        DynamicImage::ImageLuma16(image) => image.into_raw().into_iter().flat_map(u16::to_le_bytes).collect(),
        image => image.into_rgba8().into_raw(),
    }
}

fn color_picture(surface: ColorSurface, [width, height]: [u32; 2], memory: &Memory) -> Picture {
    let image = DynamicImage::ImageRgba8(surface.to_rgba_with_stencil(memory, width, height));
    let (address, stride) = (Some(Address::vram(surface.address)), surface.stride);
    (PictureAnswer { address, stride, ..PictureAnswer::new(&image, surface.format) }, image)
}

fn depth_picture(surface: DepthSurface, [width, height]: [u32; 2], memory: &Memory) -> Picture {
    let width = if surface.stride == 0 { width } else { width.min(surface.stride) };
    let image = DynamicImage::ImageLuma16(surface.to_gray(memory, width, height));
    let (address, stride) = (Some(surface.view_address()), surface.stride);
    (PictureAnswer { address, stride, ..PictureAnswer::new(&image, ImageFormat::Depth16) }, image)
}

/// Decodes a texture level for the session's next event.
fn texture_picture(session: &mut Session, level: u32) -> Result<Picture, InspectError> {
    let registers = &used_registers(session);
    let count = content_hash::levels(registers).count();
    let number = u8::try_from(level).ok().filter(|level| usize::from(*level) < count);
    let number = number
        .ok_or_else(|| InspectError::inapplicable(format!("the texture has {count} levels, from 0 on")))?;
    let texture = Texture::from_registers(registers, number);
    let (memory, clut) = (session.memory(), registers.clut());
    let image = RgbaImage::from_fn(texture.width(), texture.height(), |x, y| {
        image::Rgba(texture.texel(memory, clut, x, y))
    });
    let image = DynamicImage::ImageRgba8(image);
    let (address, swizzled) = (Some(texture.address), texture.swizzled);
    Ok((PictureAnswer { address, swizzled, ..PictureAnswer::new(&image, texture.format) }, image))
}

/// Decodes a texture as a texture file or a model stores it.
///
/// # Errors
/// Fails if the file has no such texture, or the texture no such palette.
pub(super) fn stored_texture(asset: &Asset, number: usize, palette: u32) -> Result<Picture, InspectError> {
    let (memory, textures) = match asset.content() {
        Some(Content::Model(model)) => (&model.memory, model.textures.as_slice()),
        Some(Content::Textures(set)) => (&set.memory, set.textures.as_slice()),
        _ => return Err(InspectError::inapplicable("the file stores no textures")),
    };
    let texture = textures.get(number);
    let texture = texture.ok_or_else(|| {
        InspectError::inapplicable(format!("the file has {} textures, from 0 on", textures.len()))
    })?;
    let palettes = texture.palette.map_or(1, |palette| palette.count());
    if palette >= palettes {
        return Err(InspectError::inapplicable(format!("the texture has {palettes} palettes, from 0 on")));
    }
    let image = DynamicImage::ImageRgba8(texture.decode(memory, palette));
    let swizzled = texture.swizzled;
    Ok((PictureAnswer { swizzled, ..PictureAnswer::new(&image, texture.format) }, image))
}

/// Returns the address for a number typed into a page. Numbers below the size of VRAM are offsets in VRAM.
pub(super) fn address(number: u32) -> Address {
    if number < VRAM_SIZE { Address::vram(number) } else { Address::new(number) }
}

fn memory_picture(picture: &MemoryPicture, session: &Session) -> Result<Picture, InspectError> {
    let format = picture.format.parse::<ImageFormat>().map_err(InspectError::inapplicable)?;
    let sides = 1..=SIZE_MAX;
    if !sides.contains(&picture.width) || !sides.contains(&picture.height) {
        return Err(InspectError::inapplicable(format!("a picture has 1 to {SIZE_MAX} columns and rows")));
    }
    let registers = session.registers();
    let mut layout = MemoryLayout::new(address(picture.address), format);
    layout.size = [picture.width, picture.height];
    layout.stride = picture.stride;
    layout.is_swizzled = picture.swizzled;
    let mut colors = *registers.clut();
    match picture.palette {
        Some(PaletteName { address: start, format }) => {
            layout.palette.format = format;
            colors = [0; CLUT_BYTES];
            let length = (256 * color::bytes(format) as usize).min(CLUT_BYTES);
            if let Some(colors) = colors.get_mut(..length) {
                session.memory().read(address(start), colors);
            }
        }
        None => {
            let texels = registers.get::<TextureFormat>().format;
            layout.palette = Palette::from_registers(registers, texels, 0);
        }
    }
    Ok(of_layout(&layout, session.memory(), &colors))
}

fn of_layout(layout: &MemoryLayout, memory: &Memory, clut: &[u8; CLUT_BYTES]) -> Picture {
    let image = layout.picture(memory, clut);
    let answer = PictureAnswer::new(&image, layout.format);
    let stride = if layout.stride == 0 { answer.stride } else { layout.stride };
    (PictureAnswer { address: Some(layout.address), stride, swizzled: layout.is_swizzled, ..answer }, image)
}

/// Computes a value for each pixel in a buffer. Returns the largest value, the sum, and all values as bytes.
pub(super) fn of_map([width, height]: [u32; 2], value: impl Fn(u32, u32) -> u32) -> (u32, u64, Vec<u8>) {
    let (mut largest, mut total, mut bytes) = (0_u32, 0_u64, Vec::new());
    for y in 0..height {
        for x in 0..width {
            let value = value(x, y);
            largest = largest.max(value);
            total = total.saturating_add(value.into());
            bytes.extend(value.to_le_bytes());
        }
    }
    (largest, total, bytes)
}
