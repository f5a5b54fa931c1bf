//! Reads picture files.

use std::io::Cursor;

use image::error::{ImageError, LimitErrorKind};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::error::PictureError;
use super::picture::Picture;
use super::picture_file::{MEMORY_MAX, PictureFile, check_size};
use super::read_png;

/// The formats to read, with their names.
const FORMATS: &[(ImageFormat, &str)] = &[
    (ImageFormat::Png, "PNG"),
    (ImageFormat::Bmp, "BMP"),
    (ImageFormat::Jpeg, "JPEG"),
    (ImageFormat::Pnm, "PNM"),
    (ImageFormat::Qoi, "QOI"),
    (ImageFormat::WebP, "WebP"),
];
const TGA: (ImageFormat, &str) = (ImageFormat::Tga, "TGA");

/// Returns true if [`read`] would try to read these bytes, judged by how they start. TGA files have no such start
/// and are recognised by the extension in their name.
#[must_use]
pub fn is_picture(name: &str, bytes: &[u8]) -> bool {
    recognise(name, bytes).is_some()
}

/// Reads a picture: PNG, BMP, JPEG, PNM (PBM, PGM, PPM, PAM), QOI, TGA or WebP. The content tells the format, except
/// that TGA needs the extension in `name`.
///
/// Samples with fewer than 8 bits are scaled to 8, palettes are resolved, and 16 bits are kept. For an animation,
/// the first picture is read. PNG files are read to their end, so that damage after the picture is found, too.
///
/// # Errors
/// [`PictureError::UnknownFormat`] for other files; [`PictureError::Damaged`] with the offset, for PNG, up to which
/// the file could be read; [`PictureError::Unsupported`] for rare variants of the formats;
/// [`PictureError::TooLarge`] and [`PictureError::Memory`] for more than 16384 pixels on a side, 2^26 pixels in all,
/// or a gigabyte of memory.
///
/// ```
/// use pspge::compare::{self, Channels};
///
/// let file = compare::read("pixel.ppm", b"P6 1 1 255 \x10\x20\x30")?;
/// assert_eq!((file.format, file.picture.channels()), ("PNM", Channels::Rgb));
/// assert_eq!(file.picture.pixel(0, 0), Some([0x10, 0x20, 0x30, 0xff]));
/// # Ok::<(), compare::PictureError>(())
/// ```
pub fn read(name: &str, bytes: &[u8]) -> Result<PictureFile, PictureError> {
    match recognise(name, bytes).ok_or(PictureError::UnknownFormat)? {
        (ImageFormat::Png, _) => read_png::read(bytes),
        (format, format_name) => read_other(format, format_name, bytes),
    }
}

fn recognise(name: &str, bytes: &[u8]) -> Option<(ImageFormat, &'static str)> {
    let by_content = image::guess_format(bytes).ok();
    let known = by_content.and_then(|format| FORMATS.iter().find(|(known, _)| *known == format).copied());
    let has_extension = name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("tga"));
    known.or((by_content.is_none() && has_extension).then_some(TGA))
}

/// Reads a picture other than PNG.
fn read_other(format: ImageFormat, name: &'static str, bytes: &[u8]) -> Result<PictureFile, PictureError> {
    let failed = |error| fault(name, error);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_MAX);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let decoder = reader.into_decoder().map_err(failed)?;
    let (width, height) = decoder.dimensions();
    check_size(name, width, height)?;
    // `from_decoder` does not charge its result against the limits, so this does it first.
    limits.reserve(decoder.total_bytes()).map_err(failed)?;
    let image = DynamicImage::from_decoder(decoder).map_err(failed)?;
    let mut notes = Vec::new();
    if is_animated_webp(format, bytes) {
        notes.push("an animation: only its first picture is compared".to_owned());
    }
    Ok(PictureFile { picture: Picture::from_image(image)?, format: name, notes })
}

/// Returns true for WebP files with the animation flag in their header.
fn is_animated_webp(format: ImageFormat, bytes: &[u8]) -> bool {
    let has_flag = || bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 2 != 0);
    format == ImageFormat::WebP && has_flag()
}

/// Converts an error from the `image` crate.
fn fault(format: &'static str, error: ImageError) -> PictureError {
    match error {
        ImageError::Unsupported(error) => PictureError::Unsupported { format, cause: error.to_string() },
        ImageError::Limits(error) if error.kind() == LimitErrorKind::InsufficientMemory => {
            PictureError::Memory { format, bytes: MEMORY_MAX }
        }
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            PictureError::Damaged { format, offset: None, cause: "is cut off".to_owned() }
        }
        error => PictureError::Damaged { format, offset: None, cause: format!("is damaged: {error}") },
    }
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Channels, Depth};
    use super::*;

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("encodes");
        bytes.into_inner()
    }

    fn pattern() -> DynamicImage {
        let pixel =
            |x: u32, y: u32| image::Rgb([x, y, x * y].map(|value| u8::try_from(value * 9).expect("small")));
        DynamicImage::ImageRgb8(image::RgbImage::from_fn(5, 4, pixel))
    }

    #[test]
    fn lossless_formats_give_the_same_picture() {
        let expected = Picture::from_image(pattern()).expect("a picture");
        for (format, name) in [
            (ImageFormat::Png, "PNG"),
            (ImageFormat::Bmp, "BMP"),
            (ImageFormat::Pnm, "PNM"),
            (ImageFormat::Qoi, "QOI"),
            (ImageFormat::WebP, "WebP"),
            (ImageFormat::Tga, "TGA"),
        ] {
            let bytes = encoded(&pattern(), format);
            let file_name = format!("picture.{}", name.to_lowercase());
            assert!(is_picture(&file_name, &bytes), "{name}");
            let file = read(&file_name, &bytes).expect(name);
            assert_eq!((file.format, &file.picture), (name, &expected));
            assert!(file.notes.is_empty(), "{name}");
        }
    }

    #[test]
    fn jpeg_is_read() {
        let grey = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(8, 8, image::Luma([77])));
        let file = read("a.jpg", &encoded(&grey, ImageFormat::Jpeg)).expect("a picture");
        assert_eq!(
            (file.format, file.picture.size(), file.picture.channels()),
            ("JPEG", [8, 8], Channels::Grey)
        );
    }

    #[test]
    fn deep_pnm_keeps_16_bits() {
        let file = read("a.pgm", b"P5 2 1 65535 \x12\x34\xff\xff").expect("a picture");
        assert_eq!(
            (file.picture.depth(), file.picture.samples()),
            (Depth::Sixteen, [0x1234, 0xffff].as_slice())
        );
    }

    #[test]
    fn other_files_are_no_pictures() {
        for (name, bytes) in [("a.png", b"dear diary".as_slice()), ("a.gif", b"GIF89a..."), ("a", b"")] {
            assert!(!is_picture(name, bytes), "{name}");
            assert_eq!(read(name, bytes), Err(PictureError::UnknownFormat), "{name}");
        }
    }

    #[test]
    fn cut_files_are_errors() {
        for (format, name) in [
            (ImageFormat::Bmp, "a.bmp"),
            (ImageFormat::Pnm, "a.ppm"),
            (ImageFormat::Qoi, "a.qoi"),
            (ImageFormat::WebP, "a.webp"),
            (ImageFormat::Tga, "a.tga"),
        ] {
            let bytes = encoded(&pattern(), format);
            for length in 0..bytes.len() {
                assert!(
                    read(name, &bytes[..length]).is_err(),
                    "{name} cut to {length} of {} bytes",
                    bytes.len()
                );
            }
        }
    }

    #[test]
    fn every_damaged_byte_is_harmless() {
        for (format, name) in [
            (ImageFormat::Bmp, "a.bmp"),
            (ImageFormat::Jpeg, "a.jpg"),
            (ImageFormat::Pnm, "a.ppm"),
            (ImageFormat::Qoi, "a.qoi"),
            (ImageFormat::WebP, "a.webp"),
            (ImageFormat::Tga, "a.tga"),
        ] {
            let bytes = encoded(&pattern(), format);
            for position in 0..bytes.len() {
                for damage in [0x01, 0x10, 0x80, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[position] ^= damage;
                    // This tests only that it returns; damaged samples are samples, too.
                    let _ = read(name, &damaged);
                }
            }
        }
    }

    #[test]
    fn huge_headers_are_errors() {
        let error = read("a.ppm", b"P6 60000 60000 255 ").expect_err("too large");
        assert!(matches!(error, PictureError::TooLarge { width: 60000, height: 60000, .. }), "{error}");
        let mut bmp = encoded(&pattern(), ImageFormat::Bmp);
        bmp[18..22].copy_from_slice(&0x7fff_ffff_i32.to_le_bytes());
        assert!(read("a.bmp", &bmp).is_err(), "a width of 2^31-1");
    }
}
