//! Writes a sequence of pictures as an animation: PNG, WebP or GIF.
//!
//! # Invariants
//! PNG and WebP hold exactly the pictures' samples. GIF has 256 colours in each picture at most, and pixels are opaque or
//! not drawn.

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, DynamicImage, Frame, RgbaImage};

use super::animated_png::AnimatedPng;
use super::picture_file::{PictureFileError, PictureFormat, PictureKind};
use super::png_compression::PngCompression;

/// An animation that repeats without end, to be written picture by picture.
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
    /// Pictures are compressed as they come.
    Png(Box<AnimatedPng>),
    /// Pictures, compressed if the format allows it, until all are there.
    Other { format: PictureFormat, count: u32, rate: f32, pictures: Vec<Stored> },
}

/// A picture of a WebP or GIF file.
#[derive(Debug)]
enum Stored {
    /// A chunk of a WebP file: `VP8L`, its length and its bytes.
    Webp {
        chunk: Vec<u8>,
        size: [u32; 2],
    },
    Gif(RgbaImage),
}

impl Animation {
    /// Starts an animation with `count` pictures, shown at `rate` per second. Formats other than WebP and GIF give an
    /// animated PNG.
    #[must_use]
    pub fn new(format: PictureFormat, count: u32, rate: f32) -> Self {
        Self(match format {
            PictureFormat::Webp | PictureFormat::Gif => {
                Kind::Other { format, count, rate, pictures: Vec::new() }
            }
            _ => Kind::Png(Box::new(AnimatedPng::new(count, rate))),
        })
    }

    /// Selects the compression of PNG. Call this before the first picture.
    #[must_use]
    pub fn with_compression(self, compression: PngCompression) -> Self {
        Self(match self.0 {
            Kind::Png(file) => Kind::Png(Box::new(file.with_compression(compression))),
            other => other,
        })
    }

    /// Adds a picture. Its size must be that of the first picture, and for PNG also its kind of samples.
    ///
    /// # Errors
    /// [`PictureFileError::Unsupported`] for samples that the format does not hold; [`PictureFileError::Encoder`] if the
    /// picture is empty, differs from the first, exceeds the announced count, or cannot be written.
    pub fn add(&mut self, picture: &DynamicImage) -> Result<(), PictureFileError> {
        let (format, count, pictures) = match &mut self.0 {
            Kind::Png(file) => return file.add(picture),
            Kind::Other { format, count, pictures, .. } => (*format, *count as usize, pictures),
        };
        let failed = |message: &str| PictureFileError::Encoder { format, message: message.to_owned() };
        let kind = PictureKind::of(picture).ok_or_else(|| failed("samples of another kind"))?;
        format.check(kind)?;
        let size = [picture.width(), picture.height()];
        if pictures.first().is_some_and(|first| first.size() != size) {
            return Err(failed("the pictures differ in size"));
        }
        if pictures.len() >= count {
            return Err(failed("more pictures than announced"));
        }
        pictures.push(if format == PictureFormat::Gif {
            if size.iter().any(|side| !(1..=u32::from(u16::MAX)).contains(side)) {
                return Err(failed("the picture is empty or too large"));
            }
            Stored::Gif(picture.to_rgba8())
        } else {
            // A file with a single picture is a header of 12 bytes and this chunk.
            let mut chunk = format.encode(picture)?;
            chunk.drain(..chunk.len().min(12));
            Stored::Webp { chunk, size }
        });
        Ok(())
    }

    /// Completes the file and returns its bytes.
    ///
    /// # Errors
    /// [`PictureFileError::Encoder`] if pictures are missing, or cannot be written.
    pub fn finish(self) -> Result<Vec<u8>, PictureFileError> {
        let (format, count, rate, pictures) = match self.0 {
            Kind::Png(file) => return file.finish(),
            Kind::Other { format, count, rate, pictures } => (format, count, rate, pictures),
        };
        let failed = |message: String| PictureFileError::Encoder { format, message };
        if pictures.is_empty() || pictures.len() != count as usize {
            return Err(failed("fewer pictures than announced".to_owned()));
        }
        if format == PictureFormat::Webp {
            return Ok(webp(&pictures, rate));
        }
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new(&mut bytes);
        let encoded = encoder.set_repeat(Repeat::Infinite).and_then(|()| {
            let delays = delays(rate, 100);
            encoder.encode_frames(pictures.into_iter().zip(delays).filter_map(|(picture, delay)| {
                let Stored::Gif(picture) = picture else { return None };
                let delay = Delay::from_numer_denom_ms(delay.saturating_mul(10), 1);
                Some(Frame::from_parts(picture, 0, 0, delay))
            }))
        });
        drop(encoder);
        encoded.map_err(|error| failed(error.to_string()))?;
        Ok(bytes)
    }
}

impl Stored {
    fn size(&self) -> [u32; 2] {
        match self {
            Self::Webp { size, .. } => *size,
            Self::Gif(picture) => [picture.width(), picture.height()],
        }
    }
}

/// Lists the times of pictures in units of `1 / units` second. Rounding does not add up over many pictures.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn delays(rate: f32, units: u32) -> impl Iterator<Item = u32> {
    let end = move |number: u32| (f64::from(number) * f64::from(units) / f64::from(rate)).round() as u32;
    (0..).map(move |number: u32| end(number + 1).saturating_sub(end(number)).max(1))
}

/// Puts pictures into a WebP file, as <https://developers.google.com/speed/webp/docs/riff_container> describes it.
fn webp(pictures: &[Stored], rate: f32) -> Vec<u8> {
    /// The file has an animation, and pixels with alpha.
    const FLAGS: u8 = 1 << 1 | 1 << 4;
    /// A picture replaces the one before, alpha included.
    const NO_BLEND: u8 = 1 << 1;
    let size = |[width, height]: [u32; 2]| {
        let [a, b, c, _] = width.saturating_sub(1).to_le_bytes();
        let [d, e, f, _] = height.saturating_sub(1).to_le_bytes();
        [a, b, c, d, e, f]
    };
    let mut chunks = Vec::new();
    let first = pictures.first().map_or([1, 1], Stored::size);
    push_chunk(&mut chunks, b"VP8X", &[&[FLAGS, 0, 0, 0][..], &size(first)].concat());
    // The background colour, and 0: repeat without end.
    push_chunk(&mut chunks, b"ANIM", &[0; 6]);
    for (picture, delay) in pictures.iter().zip(delays(rate, 1000)) {
        let Stored::Webp { chunk, size: this } = picture else { continue };
        let [a, b, c, _] = delay.min(0xFF_FFFF).to_le_bytes();
        let frame = [&[0; 6][..], &size(*this), &[a, b, c, NO_BLEND], chunk].concat();
        push_chunk(&mut chunks, b"ANMF", &frame);
    }
    let mut file = Vec::new();
    push_chunk(&mut file, b"RIFF", &[&b"WEBP"[..], &chunks].concat());
    file
}

/// Appends a chunk of a RIFF file: name, length and bytes, padded to an even number.
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
    use image::{AnimationDecoder, Rgba};

    use super::*;

    /// A picture with these many colours, some of them not opaque.
    fn picture(seed: u8, alpha: u8) -> DynamicImage {
        DynamicImage::ImageRgba8(RgbaImage::from_fn(7, 5, |x, y| {
            let [x, y] = [x, y].map(|at| u8::try_from(at * 30).unwrap_or(0));
            Rgba([x, y, seed, if x > y { 255 } else { alpha }])
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
                    // GIF keeps no colour where it is transparent.
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
