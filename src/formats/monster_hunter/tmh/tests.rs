//! Tests of the texture reader with generated files.

use super::*;
use crate::formats::core::error::FileRole;
use crate::formats::core::problem::Problem;
use crate::formats::tests::texts;
use crate::formats::{Content, Request, open};
use crate::model::TextureSet;

/// Builds an image block. `pixels` is a number of bytes, `palette` a format and a number of colours.
fn image(format: u32, width: u16, height: u16, pixels: usize, palette: Option<(u32, u32)>) -> Vec<u8> {
    let mut block = Vec::new();
    let words = |block: &mut Vec<u8>, values: &[u32]| {
        values.iter().for_each(|value| block.extend_from_slice(&value.to_le_bytes()));
    };
    let color_bytes = |format| if format == 3 { 4 } else { 2 };
    let colors = palette.map_or(0, |(format, count)| 16 + color_bytes(format) * count);
    let pixel_block = 16 + u32::try_from(pixels).expect("small");
    words(&mut block, &[16 + pixel_block + colors, 0, 0, u32::from(palette.is_some())]);
    words(&mut block, &[pixel_block, 1, format, u32::from(width) | u32::from(height) << 16]);
    block.extend((0..pixels).map(|i| i.to_le_bytes()[0]));
    if let Some((format, count)) = palette {
        words(&mut block, &[colors, 2, format, count]);
        block.extend((0..color_bytes(format) * count).map(|i| !i.to_le_bytes()[0]));
    }
    block
}

fn file(images: &[Vec<u8>]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&u32::try_from(images.len()).expect("few").to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    images.iter().for_each(|image| file.extend_from_slice(image));
    file
}

fn textures(file: &[u8]) -> Result<TextureSet, FormatError> {
    match open(&Request::new("sample", file))?.content {
        Content::Textures(set) => Ok(set),
        other => panic!("expected textures, found {other:?}"),
    }
}

#[test]
fn computes_the_layout_of_every_format() {
    // Format, buffer width of 8 texels, bytes of an 8 x 8 image.
    let layouts = [
        (0, 8, 128),
        (1, 8, 128),
        (2, 8, 128),
        (3, 8, 256),
        (4, 32, 128),
        (5, 16, 128),
        (6, 8, 128),
        (7, 8, 256),
    ];
    for (format, buffer_width, bytes) in layouts {
        let palette = matches!(format, 4..=7).then_some((3, 16));
        let set = textures(&file(&[image(format, 8, 8, bytes, palette)])).expect("a good file");
        let texture = &set.textures[0];
        assert_eq!(texture.buffer_width, buffer_width, "format {format}: row length");
        assert!(texture.swizzled && set.notes.is_empty(), "format {format}: {:?}", texts(&set.notes));
        assert_eq!(texture.palette.is_some(), palette.is_some(), "format {format}: palette");
        let short = textures(&file(&[image(format, 8, 8, 8, palette)]));
        assert!(short.is_err(), "format {format}: 8 bytes are not enough");
    }
    for (format, bytes) in [(8, 32), (9, 64), (10, 64)] {
        let set = textures(&file(&[image(format, 8, 8, bytes, None)])).expect("a good file");
        assert!(!set.textures[0].swizzled, "format {format}: compressed blocks are not swizzled");
        assert!(textures(&file(&[image(format, 8, 8, bytes - 1, None)])).is_err(), "format {format}");
    }
}

#[test]
fn copies_unaligned_data() {
    // 17 bytes too many misalign the data that follow.
    let first = image(5, 16, 8, 128 + 17, Some((0, 256)));
    let bytes = file(&[first.clone(), image(3, 4, 8, 128, None)]);
    let set = textures(&bytes).expect("a good file");
    let palette = set.textures[0].palette.expect("indexed");
    assert_eq!((palette.address.get() & 15, set.textures[1].address.get() & 15), (0, 0), "aligned");
    let offset = |address| set.sources.iter().find_map(|source| source.offset_of(address));
    assert_eq!(offset(palette.address), Some(16 + 32 + 145 + 16), "source of the palette");
    assert_eq!(offset(set.textures[1].address), Some(16 + first.len() as u64 + 32), "source of the pixels");
    assert_eq!(set.memory.read_u8(palette.address), 0xFF, "first colour");
}

/// 20 texels of 4 bits in rows without padding.
#[test]
fn pads_rows_and_warns() {
    let set = textures(&file(&[image(4, 20, 3, 30, Some((1, 16)))])).expect("all pixels are present");
    let notes = [
        "at 0x20: the image needs 128 bytes of pixels, but its block has 30",
        "at 0x2c: the image's sides are not powers of two; coordinates are scaled, and repeats show a gap",
    ];
    assert_eq!(texts(&set.notes), notes, "both");
    let texture = &set.textures[0];
    assert_eq!(texture.padded_size(), [32, 4], "the engine's size");
    assert_eq!(set.memory.read_u8(texture.address.offset(29)), 29, "last byte of the file's pixels");
    assert_eq!(set.memory.read_u8(texture.address.offset(30)), 0, "zero padding");
}

#[test]
fn accepts_several_palettes() {
    let bytes = file(&[image(4, 32, 8, 128, Some((3, 48))), image(5, 16, 8, 128, Some((1, 256)))]);
    let set = textures(&bytes).expect("a good file");
    let palettes: Vec<_> = set.textures.iter().filter_map(|texture| texture.palette).collect();
    assert_eq!((palettes[0].count(), palettes[0].size), (3, 16), "three of 16");
    assert_eq!((palettes[1].count(), palettes[1].size), (1, 256), "one of 256");
}

#[test]
fn errors_name_the_offset() {
    let good = file(&[image(5, 16, 8, 128, Some((0, 256)))]);
    for (at, value, message) in [
        (4usize, 0u32, "at 0x0: not a TMH file of version 0.14"),
        (8, 0x7FFF_FFFF, "at 0x8: 2147483647 images do not fit into a file of this size"),
        (16, 15, "at 0x10: a block of 15 bytes is smaller than its header"),
        (0x20, 8, "at 0x20: a block of 8 bytes is smaller than its header"),
        (0x28, 11, "at 0x28: pixel format 11 does not exist"),
        (0x2C, 16, "at 0x2c: the image has no pixels"),
        (0x2C, 0xFFFF_FFFF, "at 0x2c: rows of 65536 texels are longer than the Graphics Engine supports"),
        (0x2C, 0xFFFF_0010, "at 0x20: the image needs 1048560 bytes of pixels, but its block has 128"),
        (0x1C, 0, "at 0x1c: the image has indexed pixels but no palette"),
        (0xB8, 4, "at 0xb8: palette format 4 does not exist"),
        (0xBC, 257, "at 0xbc: 257 colours do not fit into the palette block"),
        (0xBC, 0, "at 0xbc: 0 colours do not fit into the palette block"),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = textures(&bytes).expect_err(message);
        assert_eq!(error.to_string(), message, "word at {at:#x}");
    }
}

#[test]
fn survives_hostile_bytes() {
    let good = file(&[image(4, 20, 3, 30, Some((1, 16))), image(5, 16, 8, 128, Some((0, 256)))]);
    let check = |bytes: &[u8]| read(View::new(bytes, 0, "tmh", FileRole::Input)).map(|tmh| tmh.len());
    assert_eq!(check(&good), Ok(2), "the file is good");
    for length in 0..good.len() {
        let error = check(&good[..length]).expect_err("cut off");
        let is_own = error.problem_as::<TmhProblem>().is_some();
        assert!(is_own || matches!(error.kind, Problem::Truncated { .. }), "{length}: {error}");
    }
    let mut seed = 99u32;
    for at in 0..good.len() - 3 {
        for round in 0..8 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = [0, u32::MAX, 0x8000_0000].get(round).copied().unwrap_or(seed);
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if let Ok(tmh) = read(View::new(&bytes, 0, "tmh", FileRole::Input)) {
                for image in &tmh.images {
                    let end = image.pixels + image.stored_bytes;
                    assert!(end <= bytes.len() as u64, "word at {at:#x}: pixels outside the file");
                }
            }
        }
    }
}
