//! Writes a sequence of pictures as an animation: PNG, WebP or GIF.
//!
//! # Invariants
//! PNG and WebP hold exactly the pictures' samples. GIF has at most 256 colours in each picture, and its pixels are
//! opaque or not drawn. This compresses pictures as they come, so that long sequences need little memory.

use std::{fmt, io};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::DynamicImage;

use super::animated_png::AnimatedPng;
use super::picture_file::{PictureFileError, PictureFormat, PictureKind};
use super::png_compression::PngCompression;

/// An animation that repeats without end, to write picture by picture.
///
/// ```
/// use pspge::export::animation::Animation;
/// use pspge::export::picture_file::PictureFormat;
/// use pspge::image::DynamicImage;
///
/// let mut file = Animation::new(PictureFormat::Webp, 2, 30.0);
/// for _ in 0..2 {
///     file.add(&DynamicImage::new_rgb8(4, 4))?;
/// }
/// assert_eq!(&file.finish()?[8..12], b"WEBP");
/// # Ok::<(), pspge::export::picture_file::PictureFileError>(())
/// ```
#[derive(Debug)]
pub struct Animation(Kind);

#[derive(Debug)]
enum Kind {
    Png(Box<AnimatedPng>),
    Other(Box<OtherFile>),
}

/// A WebP or GIF file, as far as this has written it.
#[derive(Debug)]
struct OtherFile {
    pictures: Pictures,
    count: u32,
    rate: f32,
    added: u32,
    /// The size of all pictures; `None` before the first.
    size: Option<[u32; 2]>,
}

/// The pictures so far.
enum Pictures {
    /// Chunks, each with a picture.
    Webp(Vec<u8>),
    /// `None` before the first picture, and after a picture could not be written.
    Gif(Option<Encoder<Vec<u8>>>),
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").field("format", &self.format()).finish_non_exhaustive()
    }
}

impl Animation {
    /// Starts an animation with `count` pictures, shown at `rate` per second. Formats other than WebP and GIF give an
    /// animated PNG.
    #[must_use]
    pub fn new(format: PictureFormat, count: u32, rate: f32) -> Self {
        let pictures = match format {
            PictureFormat::Webp => Pictures::Webp(Vec::new()),
            PictureFormat::Gif => Pictures::Gif(None),
            _ => return Self(Kind::Png(Box::new(AnimatedPng::new(count, rate)))),
        };
        Self(Kind::Other(Box::new(OtherFile { pictures, count, rate, added: 0, size: None })))
    }

    /// Selects the PNG compression. Call this before the first picture.
    #[must_use]
    pub fn with_compression(self, compression: PngCompression) -> Self {
        Self(match self.0 {
            Kind::Png(file) => Kind::Png(Box::new(file.with_compression(compression))),
            other => other,
        })
    }

    /// Adds a picture. It must be as large as the first picture, and for PNG also have the same kind of samples.
    ///
    /// # Errors
    /// [`PictureFileError::Unsupported`] for samples that the format does not hold; [`PictureFileError::Encoder`] if the
    /// picture is empty, differs from the first, exceeds the announced count, or cannot be written.
    pub fn add(&mut self, picture: &DynamicImage) -> Result<(), PictureFileError> {
        match &mut self.0 {
            Kind::Png(file) => file.add(picture),
            Kind::Other(file) => file.add(picture),
        }
    }

    /// Completes the file and returns its bytes.
    ///
    /// # Errors
    /// [`PictureFileError::Encoder`] if pictures are missing, or adding an earlier picture failed.
    pub fn finish(self) -> Result<Vec<u8>, PictureFileError> {
        match self.0 {
            Kind::Png(file) => file.finish(),
            Kind::Other(file) => file.finish(),
        }
    }
}

impl OtherFile {
    fn failed(&self, message: &str) -> PictureFileError {
        PictureFileError::Encoder { format: self.pictures.format(), message: message.to_owned() }
    }

    fn add(&mut self, picture: &DynamicImage) -> Result<(), PictureFileError> {
        let kind = PictureKind::of(picture).ok_or_else(|| self.failed("samples of another kind"))?;
        self.pictures.format().check(kind)?;
        let size = [picture.width(), picture.height()];
        if *self.size.get_or_insert(size) != size {
            return Err(self.failed("the pictures differ in size"));
        }
        if size.contains(&0) {
            return Err(self.failed("the picture is empty"));
        }
        if self.added >= self.count {
            return Err(self.failed("more pictures than announced"));
        }
        match &mut self.pictures {
            Pictures::Webp(chunks) => {
                // A file with a single picture is a header of 12 bytes and a chunk with the picture.
                let file = PictureFormat::Webp.encode(picture)?;
                let picture = file.get(12..).unwrap_or_default();
                push_chunk(chunks, b"ANMF", &webp_frame(size, delay(self.added, self.rate, 1000), picture));
            }
            Pictures::Gif(file) => {
                let encoded = match file.take() {
                    None if self.added > 0 => return Err(self.failed("an earlier picture failed")),
                    encoder => add_to_gif(encoder, picture, kind, delay(self.added, self.rate, 100)),
                };
                let encoder = encoded.map_err(|error| self.failed(&error.to_string()))?;
                self.pictures = Pictures::Gif(Some(encoder));
            }
        }
        self.added += 1;
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, PictureFileError> {
        let Some(size) = self.size.filter(|_| self.added == self.count) else {
            return Err(self.failed("fewer pictures than announced"));
        };
        let failed = |error: EncodingError| PictureFileError::Encoder {
            format: PictureFormat::Gif,
            message: error.to_string(),
        };
        match self.pictures {
            Pictures::Webp(chunks) => Ok(webp(size, &chunks)),
            Pictures::Gif(Some(encoder)) => encoder.into_inner().map_err(failed),
            Pictures::Gif(None) => Err(failed(EncodingError::WriterNotFound)),
        }
    }
}

impl Pictures {
    const fn format(&self) -> PictureFormat {
        match self {
            Self::Webp(_) => PictureFormat::Webp,
            Self::Gif(..) => PictureFormat::Gif,
        }
    }
}

/// Adds a picture to a GIF file, or starts the file with it. The picture is shown for `delay` hundredths of a
/// second.
fn add_to_gif(
    encoder: Option<Encoder<Vec<u8>>>,
    picture: &DynamicImage,
    kind: PictureKind,
    delay: u32,
) -> Result<Encoder<Vec<u8>>, EncodingError> {
    /// How few pixels to choose the colours from: 1 takes the most and is best, 30 is fastest.
    const SPEED: i32 = 10;
    let too_large = |_| EncodingError::from(io::Error::other("the picture is too large"));
    let [width, height] = [picture.width(), picture.height()].map(u16::try_from);
    let (width, height) = (width.map_err(too_large)?, height.map_err(too_large)?);
    let mut encoder = match encoder {
        Some(encoder) => encoder,
        None => {
            let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            encoder
        }
    };
    let mut frame = Frame::from_rgba_speed(width, height, &mut picture.to_rgba8(), SPEED);
    frame.delay = u16::try_from(delay).unwrap_or(u16::MAX);
    if kind == PictureKind::ColorWithAlpha {
        // Otherwise the previous picture would show where this picture is transparent.
        frame.dispose = DisposalMethod::Background;
    }
    encoder.write_frame(&frame)?;
    Ok(encoder)
}

/// Computes how long to show picture `number`, in units of `1 / units` second. This takes the difference of rounded
/// times, so that rounding does not add up over many pictures.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn delay(number: u32, rate: f32, units: u32) -> u32 {
    let start = |number: f64| (number * f64::from(units) / f64::from(rate)).round() as u32;
    let number = f64::from(number);
    start(number + 1.0).saturating_sub(start(number)).max(1)
}

/// Puts picture chunks into a WebP file, as <https://developers.google.com/speed/webp/docs/riff_container> describes
/// it.
fn webp(size: [u32; 2], pictures: &[u8]) -> Vec<u8> {
    /// This file has an animation, and pixels with alpha.
    const FLAGS: u8 = 1 << 1 | 1 << 4;
    let mut chunks = b"WEBP".to_vec();
    push_chunk(&mut chunks, b"VP8X", &[&[FLAGS, 0, 0, 0][..], &webp_size(size)].concat());
    // The background colour, and 0: repeat without end.
    push_chunk(&mut chunks, b"ANIM", &[0; 6]);
    chunks.extend(pictures);
    let mut file = Vec::new();
    push_chunk(&mut file, b"RIFF", &chunks);
    file
}

/// Describes a picture in a WebP file, to show for some milliseconds.
fn webp_frame(size: [u32; 2], milliseconds: u32, picture: &[u8]) -> Vec<u8> {
    /// A picture replaces the previous picture, alpha included.
    const NO_BLEND: u8 = 1 << 1;
    let [a, b, c, _] = milliseconds.min(0xFF_FFFF).to_le_bytes();
    [&[0; 6][..], &webp_size(size), &[a, b, c, NO_BLEND], picture].concat()
}

/// Writes width and height, each less 1 and with 24 bits.
fn webp_size(size: [u32; 2]) -> [u8; 6] {
    let [[a, b, c, _], [d, e, f, _]] = size.map(|side| side.saturating_sub(1).to_le_bytes());
    [a, b, c, d, e, f]
}

/// Appends a RIFF chunk: name, length and bytes, padded to an even number.
fn push_chunk(out: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) {
    out.extend(name);
    out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(bytes);
    if bytes.len() % 2 == 1 {
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::codecs::gif::GifDecoder;
    use image::codecs::webp::WebPDecoder;
    use image::{AnimationDecoder, Frame, Rgba, RgbaImage};

    use super::*;

    /// A picture whose opaque part depends on this seed.
    fn picture(seed: u8, alpha: u8) -> DynamicImage {
        DynamicImage::ImageRgba8(RgbaImage::from_fn(7, 5, |x, y| {
            let [x, y] = [x, y].map(|at| u8::try_from(at * 30).unwrap_or(0));
            Rgba([x, y, seed, if x > y.saturating_add(seed) / 2 { 255 } else { alpha }])
        }))
    }

    fn file(format: PictureFormat, pictures: &[DynamicImage]) -> Result<Vec<u8>, PictureFileError> {
        let mut file = Animation::new(format, u32::try_from(pictures.len()).unwrap_or(0), 30.0);
        pictures.iter().try_for_each(|picture| file.add(picture))?;
        file.finish()
    }

    fn frames(format: PictureFormat, bytes: &[u8]) -> Vec<Frame> {
        let bytes = Cursor::new(bytes);
        let frames = match format {
            PictureFormat::Webp => WebPDecoder::new(bytes).expect("WebP").into_frames().collect_frames(),
            _ => GifDecoder::new(bytes).expect("GIF").into_frames().collect_frames(),
        };
        frames.expect("frames")
    }

    #[test]
    fn pictures_and_their_times_are_in_the_file() {
        for (format, alpha) in [(PictureFormat::Webp, 77), (PictureFormat::Gif, 0)] {
            let pictures = [0, 90, 200].map(|seed| picture(seed, alpha));
            let bytes = file(format, &pictures).expect("a file");
            let found = frames(format, &bytes);
            assert_eq!(found.len(), 3, "{format}");
            let mut time = 0;
            for (frame, picture) in found.iter().zip(&pictures) {
                for (found, expected) in frame.buffer().pixels().zip(picture.to_rgba8().pixels()) {
                    // GIF keeps no colour for transparent pixels.
                    let is_equal = found == expected || found.0[3] == 0 && expected.0[3] == 0;
                    assert!(is_equal, "{format}: {found:?} instead of {expected:?}");
                }
                let (numerator, denominator) = frame.delay().numer_denom_ms();
                time += numerator / denominator;
            }
            assert_eq!(time, 100, "{format}: three pictures at 30 per second");
        }
    }

    #[test]
    fn a_file_may_hold_one_picture() {
        for format in [PictureFormat::Webp, PictureFormat::Gif] {
            let bytes = file(format, &[picture(1, 255)]).expect("a file");
            assert_eq!(frames(format, &bytes).len(), 1, "{format}");
        }
    }

    #[test]
    fn wrong_sequences_are_errors() {
        for format in [PictureFormat::Webp, PictureFormat::Gif, PictureFormat::Apng] {
            let other = DynamicImage::new_rgba8(3, 3);
            assert!(file(format, &[picture(0, 9), other]).is_err(), "{format}: another size");
            assert!(file(format, &[]).is_err(), "{format}: no picture");
            assert!(file(format, &[DynamicImage::new_rgb8(0, 2)]).is_err(), "{format}: empty");
            let mut short = Animation::new(format, 2, 30.0);
            short.add(&picture(0, 9)).expect("the first");
            assert!(short.finish().is_err(), "{format}: one is missing");
            let mut long = Animation::new(format, 1, 30.0);
            long.add(&picture(0, 9)).expect("the first");
            assert!(long.add(&picture(0, 9)).is_err(), "{format}: one too many");
        }
    }
}
