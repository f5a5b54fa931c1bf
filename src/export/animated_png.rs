//! Writes animated PNG: a sequence of pictures in the same file.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use image::DynamicImage;
use png::{BitDepth, ColorType, Encoder, EncodingError, Writer};

use super::picture_file::{PictureFileError, PictureFormat, PictureKind};
use super::png_compression::PngCompression;

/// Writes an animated PNG that repeats without end. Programs without animation support show its first picture. A
/// sequence with a single picture becomes a plain PNG.
///
/// ```
/// use pspge::export::animated_png::AnimatedPng;
/// use pspge::image::DynamicImage;
///
/// let mut file = AnimatedPng::new(2, 30.0);
/// for _ in 0..2 {
///     file.add(&DynamicImage::new_rgb8(4, 4))?;
/// }
/// let bytes = file.finish()?;
/// assert_eq!(&bytes[1..4], b"PNG");
/// # Ok::<(), pspge::export::picture_file::PictureFileError>(())
/// ```
pub struct AnimatedPng {
    count: u32,
    delay: [u16; 2],
    compression: PngCompression,
    bytes: SharedBytes,
    state: State,
    added: u32,
}

/// How far the file is written.
enum State {
    /// No picture was added yet.
    Empty,
    /// The header has the first picture's size and kind.
    Header(Box<Writer<SharedBytes>>, [u32; 2], PictureKind),
    /// Writing failed.
    Failed,
}

/// Shares the file's bytes with the encoder, because it does not give them back.
#[derive(Clone, Debug, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for AnimatedPng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, delay, added, .. } = self;
        f.debug_struct("AnimatedPng")
            .field("count", count)
            .field("delay", delay)
            .field("added", added)
            .finish_non_exhaustive()
    }
}

impl AnimatedPng {
    /// Creates a file for `count` pictures, to show `rate` of them per second.
    #[must_use]
    pub fn new(count: u32, rate: f32) -> Self {
        Self {
            count,
            delay: delay(rate),
            compression: PngCompression::default(),
            bytes: SharedBytes::default(),
            state: State::Empty,
            added: 0,
        }
    }

    /// Selects the compression. Call this before the first picture.
    #[must_use]
    pub fn with_compression(self, compression: PngCompression) -> Self {
        Self { compression, ..self }
    }

    /// Adds a picture. Size and kind of samples must be the same as in the first picture.
    ///
    /// # Errors
    /// [`PictureFileError::Unsupported`] for samples that PNG does not hold; [`PictureFileError::Encoder`] if the
    /// picture is empty, differs from the first, exceeds the announced count, or cannot be written.
    pub fn add(&mut self, picture: &DynamicImage) -> Result<(), PictureFileError> {
        let size = [picture.width(), picture.height()];
        let kind = PictureKind::of(picture).ok_or_else(|| failed("samples of another kind"))?;
        PictureFormat::Apng.check(kind)?;
        if self.added >= self.count {
            return Err(failed("more pictures than announced"));
        }
        // An early return leaves the file unusable, so this counts as failed until the end.
        let mut writer = match std::mem::replace(&mut self.state, State::Failed) {
            State::Empty => Box::new(self.header(size, kind)?),
            State::Header(writer, first, kind_of_first) if (first, kind_of_first) == (size, kind) => writer,
            State::Header(..) => return Err(failed("the pictures differ in size or samples")),
            State::Failed => return Err(failed("an earlier picture failed")),
        };
        match picture {
            DynamicImage::ImageLuma16(depth) => {
                // PNG stores the high byte first.
                let bytes: Vec<u8> = depth.as_raw().iter().flat_map(|depth| depth.to_be_bytes()).collect();
                writer.write_image_data(&bytes)
            }
            picture => writer.write_image_data(picture.as_bytes()),
        }
        .map_err(|error| encoder_failed(&error))?;
        self.state = State::Header(writer, size, kind);
        self.added += 1;
        Ok(())
    }

    /// Completes the file and returns its bytes.
    ///
    /// # Errors
    /// [`PictureFileError::Encoder`] if pictures are missing, or adding an earlier picture failed.
    pub fn finish(self) -> Result<Vec<u8>, PictureFileError> {
        match self.state {
            State::Header(writer, ..) if self.added == self.count => {
                writer.finish().map_err(|error| encoder_failed(&error))?;
            }
            State::Failed => return Err(failed("an earlier picture failed")),
            State::Header(..) | State::Empty => return Err(failed("fewer pictures than announced")),
        }
        Ok(std::mem::take(&mut *self.bytes.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn header(
        &self,
        [width, height]: [u32; 2],
        kind: PictureKind,
    ) -> Result<Writer<SharedBytes>, PictureFileError> {
        let mut encoder = Encoder::new(self.bytes.clone(), width, height);
        let (color, depth) = match kind {
            PictureKind::Color => (ColorType::Rgb, BitDepth::Eight),
            PictureKind::ColorWithAlpha => (ColorType::Rgba, BitDepth::Eight),
            PictureKind::Gray8 => (ColorType::Grayscale, BitDepth::Eight),
            PictureKind::Gray16 => (ColorType::Grayscale, BitDepth::Sixteen),
        };
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.set_compression(self.compression.of_animation());
        if self.count > 1 {
            let [numerator, denominator] = self.delay;
            let animated = encoder
                .set_animated(self.count, 0)
                .and_then(|()| encoder.set_frame_delay(numerator, denominator));
            animated.map_err(|error| encoder_failed(&error))?;
        }
        encoder.write_header().map_err(|error| encoder_failed(&error))
    }
}

fn failed(message: &str) -> PictureFileError {
    PictureFileError::Encoder { format: PictureFormat::Apng, message: message.to_owned() }
}

fn encoder_failed(error: &EncodingError) -> PictureFileError {
    failed(&error.to_string())
}

/// Converts a rate to the time per picture, as a fraction of a second. This is exact if the rate is a whole number
/// or a simple fraction, else in milliseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn delay(rate: f32) -> [u16; 2] {
    /// Largest denominator to try for a rate, such as 2 for 15/2 pictures per second.
    const LARGEST: u16 = 60;
    let is_whole = |number: f32| number.fract() == 0.0 && (1.0..=f32::from(u16::MAX)).contains(&number);
    let exact = (1..=LARGEST).find(|numerator| is_whole(rate * f32::from(*numerator)));
    match exact {
        Some(numerator) => [numerator, (rate * f32::from(numerator)) as u16],
        None => [(1000.0 / rate).round().max(1.0) as u16, 1000],
    }
}

#[cfg(test)]
mod tests {
    use image::codecs::png::PngDecoder;
    use image::{AnimationDecoder, ImageBuffer, Luma, Rgba, RgbaImage};

    use super::*;

    fn file(pictures: &[DynamicImage], count: u32, rate: f32) -> Result<Vec<u8>, PictureFileError> {
        let mut file = AnimatedPng::new(count, rate);
        for picture in pictures {
            file.add(picture)?;
        }
        file.finish()
    }

    fn picture(value: u8) -> DynamicImage {
        DynamicImage::ImageRgba8(RgbaImage::from_pixel(3, 2, Rgba([value, 0, 255, value])))
    }

    #[test]
    fn all_pictures_are_in_the_file() {
        let pictures = [picture(1), picture(0), picture(200)];
        let bytes = file(&pictures, 3, 20.0).expect("a file");
        let decoder = PngDecoder::new(io::Cursor::new(&bytes)).expect("PNG").apng().expect("animated");
        let frames = decoder.into_frames().collect_frames().expect("frames");
        assert_eq!(frames.len(), 3, "frames");
        for (frame, picture) in frames.iter().zip(&pictures) {
            assert_eq!(frame.buffer(), &picture.to_rgba8(), "pixels");
            assert_eq!(frame.delay().numer_denom_ms(), (50, 1), "a twentieth of a second");
        }
    }

    #[test]
    fn depth_keeps_its_bits() {
        let depth = DynamicImage::ImageLuma16(ImageBuffer::from_pixel(2, 2, Luma([0x1234])));
        for (pictures, count) in [(vec![depth.clone()], 1), (vec![depth.clone(), depth.clone()], 2)] {
            let bytes = file(&pictures, count, 30.0).expect("a file");
            let read = image::load_from_memory(&bytes).expect("PNG");
            assert_eq!(read.into_luma16(), depth.to_luma16(), "{count} pictures");
            let is_animated = bytes.windows(4).any(|chunk| chunk == b"acTL");
            assert_eq!(is_animated, count > 1, "one picture is a plain PNG");
        }
    }

    #[test]
    fn delays_are_fractions_of_a_second() {
        for (rate, expected) in [
            (30.0, [1, 30]),
            (7.5, [2, 15]),
            (59.94, [50, 2997]),
            (31.415_9, [32, 1000]),
            (0.01, [u16::MAX, 1000]),
            (1e9, [1, 1000]),
        ] {
            assert_eq!(delay(rate), expected, "{rate} pictures per second");
        }
    }

    #[test]
    fn wrong_sequences_are_errors() {
        let other = DynamicImage::new_rgba8(3, 3);
        assert!(file(&[picture(0)], 2, 30.0).is_err(), "one is missing");
        assert!(file(&[picture(0), picture(0)], 1, 30.0).is_err(), "one too many");
        assert!(file(&[picture(0), other], 2, 30.0).is_err(), "another size");
        assert!(file(&[picture(0), DynamicImage::new_rgb8(3, 2)], 2, 30.0).is_err(), "other samples");
        assert!(file(&[DynamicImage::new_rgb8(0, 2)], 1, 30.0).is_err(), "empty");
        assert!(file(&[], 0, 30.0).is_err(), "no picture");
    }
}
