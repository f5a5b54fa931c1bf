//! Writes pictures as PNG files.

use png::{BitDepth, ColorType, Encoder, EncodingError};

use super::error::CompareError;
use super::picture::{Channels, Depth, Picture};

impl Picture {
    /// Encodes this picture as PNG, at its depth.
    ///
    /// # Errors
    /// [`CompareError::Encoding`] if the encoder refuses, for example more than 2^31 bytes.
    pub fn to_png(&self) -> Result<Vec<u8>, CompareError> {
        encode(std::slice::from_ref(self), None)
    }
}

/// Encodes pictures as an animated PNG that repeats forever. Programs without support for animations show the first
/// picture. All pictures need the same size, depth and channels.
///
/// Each picture is shown for this number of `milliseconds`.
///
/// # Errors
/// [`CompareError::Encoding`] if the pictures are not alike, or if there are none.
///
/// ```
/// use pspge::compare::{self, Channels, Depth, Picture};
///
/// let grey = |value| Picture::new([1, 1], Channels::Grey, Depth::Eight, vec![value]);
/// let apng = compare::to_apng(&[grey(0)?, grey(255)?], 500)?;
/// assert!(compare::read("flip.apng", &apng)?.notes[0].starts_with("an animation of 2 pictures"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_apng(pictures: &[Picture], milliseconds: u16) -> Result<Vec<u8>, CompareError> {
    encode(pictures, Some(milliseconds))
}

fn encode(pictures: &[Picture], delay: Option<u16>) -> Result<Vec<u8>, CompareError> {
    let refused = |cause: &str| CompareError::Encoding(cause.to_owned());
    let first = pictures.first().ok_or_else(|| refused("no pictures"))?;
    let layout = |picture: &Picture| (picture.size(), picture.channels(), picture.depth());
    if pictures.iter().any(|picture| layout(picture) != layout(first)) {
        return Err(refused("the pictures have different sizes, depths or channels"));
    }
    write(first, pictures, delay).map_err(|error| refused(&error.to_string()))
}

fn write(first: &Picture, pictures: &[Picture], delay: Option<u16>) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let [width, height] = first.size();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(match first.channels() {
        Channels::Grey => ColorType::Grayscale,
        Channels::GreyAlpha => ColorType::GrayscaleAlpha,
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
    });
    encoder.set_depth(match first.depth() {
        Depth::Eight => BitDepth::Eight,
        Depth::Sixteen => BitDepth::Sixteen,
    });
    if let Some(milliseconds) = delay {
        encoder.set_animated(u32::try_from(pictures.len()).unwrap_or(u32::MAX), 0)?;
        encoder.set_frame_delay(milliseconds, 1000)?;
    }
    let mut writer = encoder.write_header()?;
    for picture in pictures {
        writer.write_image_data(&sample_bytes(picture))?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn sample_bytes(picture: &Picture) -> Vec<u8> {
    let samples = picture.samples().iter();
    match picture.depth() {
        // A picture at this depth has no larger samples.
        Depth::Eight => samples.map(|&sample| u8::try_from(sample).unwrap_or(u8::MAX)).collect(),
        Depth::Sixteen => samples.flat_map(|sample| sample.to_be_bytes()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    #[test]
    fn every_layout_survives_a_round_trip() {
        for channels in [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba] {
            for depth in [Depth::Eight, Depth::Sixteen] {
                let count = u16::try_from(6 * channels.count()).expect("few samples");
                let samples = (0..count).map(|index| depth.max_value() - index * 3).collect();
                let picture = Picture::new([3, 2], channels, depth, samples).expect("six pixels");
                let file = read("a.png", &picture.to_png().expect("encodes")).expect("decodes");
                assert_eq!(file.picture, picture, "{channels:?} {depth:?}");
                assert!(file.notes.is_empty(), "one picture");
            }
        }
    }

    #[test]
    fn animations_need_pictures_that_are_alike() {
        let grey = |size: [u32; 2]| {
            let count = (size[0] * size[1]) as usize;
            Picture::new(size, Channels::Grey, Depth::Eight, vec![0; count]).expect("a picture")
        };
        assert!(to_apng(&[], 1).is_err(), "none");
        assert!(to_apng(&[grey([1, 1]), grey([2, 1])], 1).is_err(), "two sizes");
        assert!(to_apng(&[grey([2, 1]), grey([2, 1])], 0).is_ok(), "alike");
    }
}
