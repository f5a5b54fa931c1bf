//! Loads a model's textures: GIM, TIM2, TGA, BMP, PNG, JPEG, TIFF or GIF, in the file or beside it.
//! Source: [GMO textures](crate::reference::formats::psp_sdk#gmo-textures).

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder, ImageDecoder, ImageFormat, ImageReader, RgbaImage, imageops};

use super::problem::GmoProblem;
use super::scene::Texture;
use crate::formats::bbs::tim2;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::slice::{File, FileSlice};
use crate::formats::psp_sdk::gim::{self, LoadedTexture};
use crate::ge::registers::texture::TexelFormat;
use crate::model::ModelTexture;
use crate::model::texture::LARGEST;

/// The largest picture to decode, along each side.
const SIDE_MAX: u32 = 4096;
/// The most memory for decoding, in bytes.
const DECODED_MAX: u64 = 128 << 20;
/// The most memory for a picture's frames, in bytes: far more than main memory has.
const FRAMES_MAX: usize = 128 << 20;
/// Endings for files beside the model, in the order in which the PSP's own program tries formats.
pub(super) const ENDINGS: [&str; 5] = ["gim", "tm2", "tga", "bmp", "png"];

/// Finds and loads textures.
pub(super) struct TextureLoader<'a, 'l> {
    pub(super) name: &'a str,
    /// Files beside the model, with their roles.
    pub(super) files: &'l [(FileRole, File<'a>)],
    pub(super) loader: &'l mut Loader,
    pub(super) warnings: &'l mut Warnings,
}

impl<'a> TextureLoader<'a, '_> {
    /// Loads a texture as number `index`. If it is missing or cannot be read, this adds a note and returns `None`.
    pub(super) fn load(&mut self, texture: &Texture<'_>, index: usize) -> Option<LoadedTexture> {
        let at = texture.at?;
        let label = texture.name.clone().or_else(|| texture.file_name.clone());
        if let Some(image) = texture.image {
            let loaded = self.read(self.name, image, index, label);
            return self.noted(at, loaded);
        }
        let wanted = texture.file_name.as_deref().unwrap_or_default();
        let Some((role, file)) = self.find(wanted) else {
            self.warnings.push(at.error(0, GmoProblem::MissingTexture(wanted.to_owned())));
            return None;
        };
        let view = FileSlice::whole(file, role).view("gmo");
        let loaded = self.read(file.name, view, index, label);
        self.noted(at, loaded)
    }

    fn noted(&mut self, at: View<'_>, loaded: Result<LoadedTexture, FormatError>) -> Option<LoadedTexture> {
        loaded
            .inspect_err(|error| {
                let problem = GmoProblem::BrokenTexture(error.kind.to_string());
                self.warnings.push(at.error(0, problem));
            })
            .ok()
    }

    /// Finds the file for a name: with the same name, or else with another ending. A single file that the user names
    /// fits any texture.
    fn find(&self, wanted: &str) -> Option<(FileRole, File<'a>)> {
        let wanted = base(wanted);
        let is = |name: &str| base(name).eq_ignore_ascii_case(wanted);
        let ending = |ending: &'static str| {
            move |(_, file): &&(FileRole, File<'_>)| {
                let (stem, own) = split(base(file.name));
                stem.eq_ignore_ascii_case(split(wanted).0) && own.eq_ignore_ascii_case(ending)
            }
        };
        let same = self.files.iter().find(|(_, file)| is(file.name));
        let similar = || ENDINGS.into_iter().find_map(|name| self.files.iter().find(ending(name)));
        let given = || self.files.iter().find(|(role, _)| *role == FileRole::Textures);
        same.or_else(similar).or_else(given).copied()
    }

    fn read(
        &mut self,
        file_name: &str,
        view: View<'_>,
        index: usize,
        name: Option<String>,
    ) -> Result<LoadedTexture, FormatError> {
        if gim::sniff(view.bytes()) {
            let found = gim::load_texture(view, file_name, (index, name), self.loader, self.warnings)?;
            if found.is_animated {
                self.warnings.push(view.error(0, GmoProblem::AnimatedTexture));
            }
            return Ok(found);
        }
        let texture = if tim2::sniff(view.bytes()) {
            let tim2 = tim2::read(view, 1)?;
            self.warnings.extend(&tim2.warnings);
            tim2.load(0, (index, name), file_name, self.loader, self.warnings)?
        } else {
            let format = image_format(view.bytes());
            Some(picture(view, format, (index, name), self.loader, self.warnings)?)
        };
        let texture = texture.ok_or_else(|| view.error(0, GmoProblem::Image))?;
        let commands = texture.commands(0);
        Ok(LoadedTexture { texture, commands, has_levels: false, is_animated: false })
    }
}

/// Recognises a picture in a common format by its first bytes.
pub(in crate::formats::psp_sdk) fn is_picture(start: &[u8]) -> bool {
    image_format(start) != ImageFormat::Tga
}

/// Loads a picture in a common format as a texture, with this number and name. A GIF gives a texture for each frame.
/// Formats that [`is_picture`] does not know give none.
pub(in crate::formats::psp_sdk) fn load_picture(
    view: View<'_>,
    (index, name): (usize, &str),
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<Vec<ModelTexture>, FormatError> {
    match image_format(view.bytes()) {
        ImageFormat::Tga => Ok(Vec::new()),
        ImageFormat::Gif => {
            let frames = frames(view, warnings)?;
            let is_animated = frames.len() > 1;
            let load = |(frame, picture): (usize, RgbaImage)| {
                let name = if is_animated { format!("{name}-frame{frame}") } else { name.to_owned() };
                place(picture, view, (index.saturating_add(frame), Some(name)), loader, warnings)
            };
            frames.into_iter().enumerate().map(load).collect()
        }
        format => Ok(vec![picture(view, format, (index, Some(name.to_owned())), loader, warnings)?]),
    }
}

/// Decodes a GIF's frames, each as a whole picture. Damage after the first costs the rest.
fn frames(view: View<'_>, warnings: &mut Warnings) -> Result<Vec<RgbaImage>, FormatError> {
    let broken = |error: image::ImageError| view.error(0, GmoProblem::BrokenTexture(error.to_string()));
    let mut decoder = GifDecoder::new(Cursor::new(view.bytes())).map_err(broken)?;
    decoder.set_limits(limits()).map_err(broken)?;
    let mut frames = Vec::new();
    let mut left = FRAMES_MAX;
    for frame in decoder.into_frames() {
        let picture = match frame {
            Ok(frame) => frame.into_buffer(),
            Err(error) if frames.is_empty() => return Err(broken(error)),
            Err(error) => {
                let (kept, reason) = (frames.len(), error.to_string());
                warnings.push(view.error(0, GmoProblem::Frames { kept, reason }));
                break;
            }
        };
        let Some(rest) = left.checked_sub(picture.as_raw().len()) else {
            if frames.is_empty() {
                return Err(view.error(0, GmoProblem::Image));
            }
            let reason = format!("together they have more than {} MiB", FRAMES_MAX >> 20);
            warnings.push(view.error(0, GmoProblem::Frames { kept: frames.len(), reason }));
            break;
        };
        left = rest;
        frames.push(picture);
    }
    if frames.is_empty() { Err(view.error(0, GmoProblem::Image)) } else { Ok(frames) }
}

/// Returns the limits for decoders, so that small files cannot ask for much memory.
fn limits() -> image::Limits {
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(DECODED_MAX);
    limits
}

/// Decodes a picture in a common format.
fn picture(
    view: View<'_>,
    format: ImageFormat,
    label: (usize, Option<String>),
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<ModelTexture, FormatError> {
    let mut reader = ImageReader::with_format(Cursor::new(view.bytes()), format);
    reader.limits(limits());
    let unreadable = |error: image::ImageError| match format {
        // Anything may begin like a TGA, so its errors mean little.
        ImageFormat::Tga => view.error(0, GmoProblem::Image),
        _ => view.error(0, GmoProblem::BrokenTexture(error.to_string())),
    };
    let picture = reader.decode().map_err(unreadable)?.into_rgba8();
    place(picture, view, label, loader, warnings)
}

/// Puts a decoded picture into memory as a texture, scaled down if it is larger than any.
fn place(
    mut picture: RgbaImage,
    view: View<'_>,
    (index, name): (usize, Option<String>),
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<ModelTexture, FormatError> {
    let (width, height) = picture.dimensions();
    if width == 0 || height == 0 {
        return Err(view.error(0, GmoProblem::Image));
    }
    if width.max(height) > LARGEST.into() {
        warnings.push(view.error(0, GmoProblem::TooLarge { width, height }));
        let side = |side: u32| {
            side.saturating_mul(LARGEST.into()).checked_div(width.max(height)).unwrap_or(1).max(1)
        };
        picture = imageops::thumbnail(&picture, side(width), side(height));
    }
    let [width, height] =
        [picture.width(), picture.height()].map(|side| u16::try_from(side).unwrap_or(LARGEST));
    let buffer_width = width.next_power_of_two().max(4);
    let texels = padded(&picture, buffer_width.into(), height.next_power_of_two().into());
    Ok(ModelTexture {
        index,
        name,
        width,
        height,
        format: TexelFormat::ABGR8888,
        swizzled: false,
        buffer_width,
        address: loader.store(view, 0, &texels)?,
        file_offset: view.file_offset(0),
        palette: None,
        storage: None,
    })
}

/// Repeats the last column and row, so that filtering at the edge blends in no other colours.
fn padded(picture: &RgbaImage, width: u32, height: u32) -> Vec<u8> {
    let (right, bottom) = (picture.width().saturating_sub(1), picture.height().saturating_sub(1));
    let row = |y: u32| (0..width).flat_map(move |x| picture.get_pixel(x.min(right), y.min(bottom)).0);
    (0..height).flat_map(row).collect()
}

/// Recognises a picture by its first bytes. A TGA has none to tell, so it is the answer for all others.
fn image_format(bytes: &[u8]) -> ImageFormat {
    let starts: [(&[u8], ImageFormat); 6] = [
        (b"BM", ImageFormat::Bmp),
        (b"\x89PNG", ImageFormat::Png),
        (b"\xFF\xD8\xFF", ImageFormat::Jpeg),
        (b"II*\0", ImageFormat::Tiff),
        (b"MM\0*", ImageFormat::Tiff),
        (b"GIF8", ImageFormat::Gif),
    ];
    let found = starts.into_iter().find(|(start, _)| bytes.starts_with(start));
    found.map_or(ImageFormat::Tga, |(_, format)| format)
}

/// Strips folders from a path, with the separators of any system.
pub(super) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Splits a name at its ending.
pub(super) fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}
