//! Reads PNG files to their end, so that damage is found with its offset.

use std::io::{Cursor, ErrorKind};

use png::{ColorType, DecodingError, Limits, Transformations};

use super::error::PictureError;
use super::picture::{Channels, Depth, Picture};
use super::picture_file::{MEMORY_MAX, PictureFile, check_size};

const NAME: &str = "PNG";

pub(super) fn read(bytes: &[u8]) -> Result<PictureFile, PictureError> {
    let mut file = Cursor::new(bytes);
    let result = decode(&mut file);
    result.map_err(|error| match error {
        Failure::Picture(error) => error,
        Failure::Decoding(error) => fault(&error, file.position()),
    })
}

/// Why a file could not be decoded.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error(transparent)]
    Decoding(#[from] DecodingError),
}

fn decode(file: &mut Cursor<&[u8]>) -> Result<PictureFile, Failure> {
    let memory = usize::try_from(MEMORY_MAX).unwrap_or(usize::MAX);
    let mut decoder = png::Decoder::new_with_limits(file, Limits { bytes: memory });
    let header = decoder.read_header_info()?;
    check_size(NAME, header.width, header.height)?;
    // This resolves palettes, transparent colours and samples with fewer than 8 bits; 16 bits stay.
    decoder.set_transformations(Transformations::EXPAND);
    // Text has no effect on the picture, and may be large.
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info()?;
    let (color, bits) = reader.output_color_type();
    let channels = match color {
        ColorType::Grayscale => Channels::Grey,
        ColorType::GrayscaleAlpha => Channels::GreyAlpha,
        ColorType::Rgb => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Indexed => {
            let cause = "its palette cannot be resolved".to_owned();
            return Err(PictureError::Unsupported { format: NAME, cause }.into());
        }
    };
    let memory_hit = PictureError::Memory { format: NAME, bytes: MEMORY_MAX };
    let size = reader.output_buffer_size().filter(|&size| size as u64 <= MEMORY_MAX).ok_or(memory_hit)?;
    let mut bytes = vec![0; size];
    reader.next_frame(&mut bytes)?;
    let info = reader.info();
    let mut notes = Vec::new();
    if let Some(frames) =
        info.animation_control.map(|control| control.num_frames).filter(|&frames| frames > 1)
    {
        notes.push(format!("an animation of {frames} pictures: only the first is compared"));
    }
    let size = [info.width, info.height];
    // Damage after the picture counts as damage to the file.
    reader.finish()?;
    let picture = match bits {
        png::BitDepth::Sixteen => {
            let words = bytes.as_chunks().0.iter().copied().map(u16::from_be_bytes).collect();
            Picture::new(size, channels, Depth::Sixteen, words)?
        }
        _ => Picture::from_bytes(size, channels, &bytes)?,
    };
    Ok(PictureFile { picture, format: NAME, notes })
}

/// Converts an error from the decoder, which had read the file up to `offset`.
fn fault(error: &DecodingError, offset: u64) -> PictureError {
    let cause = match error {
        DecodingError::LimitsExceeded => return PictureError::Memory { format: NAME, bytes: MEMORY_MAX },
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        error => format!("is damaged: {error}"),
    };
    PictureError::Damaged { format: NAME, offset: Some(offset), cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(color: ColorType, depth: png::BitDepth, width: u32, rows: &[u8], palette: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if palette {
            encoder.set_palette(vec![10, 20, 30, 40, 50, 60, 70, 80, 90]);
            encoder.set_trns(vec![255, 128]);
        }
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(rows).expect("the data");
        writer.finish().expect("the end");
        bytes
    }

    #[test]
    fn palettes_resolve_with_their_alpha() {
        let bytes = encode(ColorType::Indexed, png::BitDepth::Two, 3, &[0b0001_1000], true);
        let picture = read(&bytes).expect("a picture").picture;
        assert_eq!((picture.channels(), picture.depth()), (Channels::Rgba, Depth::Eight), "with alpha");
        let expected = [10, 20, 30, 255, 40, 50, 60, 128, 70, 80, 90, 255];
        assert_eq!(picture.samples(), expected, "the colours of the entries");
    }

    #[test]
    fn few_bits_scale_to_eight() {
        let bytes = encode(ColorType::Grayscale, png::BitDepth::Four, 2, &[0x5f], false);
        let picture = read(&bytes).expect("a picture").picture;
        assert_eq!((picture.channels(), picture.samples()), (Channels::Grey, [0x55, 0xff].as_slice()));
    }

    #[test]
    fn sixteen_bits_stay() {
        let bytes = encode(ColorType::GrayscaleAlpha, png::BitDepth::Sixteen, 1, &[1, 2, 3, 4], false);
        let picture = read(&bytes).expect("a picture").picture;
        assert_eq!(
            (picture.channels(), picture.samples()),
            (Channels::GreyAlpha, [0x0102, 0x0304].as_slice())
        );
    }

    #[test]
    fn cut_files_tell_where() {
        let bytes = encode(ColorType::Rgb, png::BitDepth::Eight, 2, &[1, 2, 3, 4, 5, 6], false);
        for length in 8..bytes.len() {
            let error = read(&bytes[..length]).expect_err("cut off");
            let offset = Some(length as u64);
            let cause = "is cut off".to_owned();
            assert_eq!(error, PictureError::Damaged { format: NAME, offset, cause }, "{length} bytes");
        }
        let error = read(&bytes[..40]).expect_err("cut off");
        assert_eq!(error.to_string(), "at 0x28: looks like PNG, but is cut off");
    }

    #[test]
    fn damaged_data_tells_where() {
        let mut bytes = encode(ColorType::Rgb, png::BitDepth::Eight, 2, &[1, 2, 3, 4, 5, 6], false);
        let data = bytes.windows(4).position(|name| name == b"IDAT").expect("image data");
        bytes[data + 9] ^= 0x40;
        let Err(PictureError::Damaged { offset: Some(offset), .. }) = read(&bytes) else {
            panic!("damaged data are read")
        };
        assert!(
            (data as u64..=bytes.len() as u64).contains(&offset),
            "{offset} is before the data at {data}"
        );
    }

    #[test]
    fn every_damaged_byte_is_harmless() {
        let bytes = encode(ColorType::Indexed, png::BitDepth::Two, 3, &[0b0001_1000], true);
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[position] ^= 1 << bit;
                // This tests only that it returns; some bits have no effect.
                let _ = read(&damaged);
            }
        }
    }

    #[test]
    fn huge_headers_are_errors() {
        let mut bytes = encode(ColorType::Rgb, png::BitDepth::Eight, 2, &[1, 2, 3, 4, 5, 6], false);
        bytes[16..24].copy_from_slice(&[0, 0, 0x40, 1, 0, 0, 0, 1]);
        let checksum = crc32fast::hash(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
        let error = read(&bytes).expect_err("too wide");
        assert!(matches!(error, PictureError::TooLarge { width: 16385, height: 1, .. }), "{error}");
    }
}
