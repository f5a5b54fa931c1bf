//! Tests the texture reader with generated files.

use super::*;
use crate::formats::core::error::FileRole;
use crate::formats::tests::texts;
use crate::formats::{Content, Request, open};
use crate::model::TextureSet;

/// Builds an image block. `pixels` is a byte count, `palette` a format and a colour count.
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
    // Format, buffer width for 8 texels, bytes for an 8 x 8 image.
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
        let cut = textures(&file(&[image(format, 8, 8, bytes - 1, None)])).expect("one row of blocks");
        assert_eq!((cut.textures[0].height, cut.notes.len()), (4, 1), "format {format}: half of it");
    }
}

#[test]
fn copies_unaligned_data() {
    // 17 bytes too many misalign the data after them.
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

/// Rows without room for padding cannot be swizzled. The GE still needs rows in multiples of 16 bytes.
#[test]
fn reads_plain_rows() {
    let set = textures(&file(&[image(4, 20, 3, 30, Some((1, 16)))])).expect("all pixels are present");
    let notes = [
        "at 0x2c: the rows are stored without padding, so they cannot be swizzled: they are read as plain rows",
        "at 0x2c: the image's sides are not powers of two; coordinates are scaled, and repeats show a gap",
    ];
    assert_eq!(texts(&set.notes), notes, "both");
    let texture = &set.textures[0];
    assert_eq!(
        (texture.padded_size(), texture.buffer_width, texture.swizzled),
        ([32, 4], 32, false),
        "layout"
    );
    for (at, byte) in [(0, 0), (9, 9), (10, 0), (16, 10), (32, 20), (41, 29), (42, 0)] {
        assert_eq!(set.memory.read_u8(texture.address.offset(at)), byte, "byte {at}");
    }
    // Portable 3rd's images with 68 x 68 and 132 x 64 texels.
    for (width, height, bytes, buffer_width) in [(68, 68, 2320, 96), (132, 64, 4224, 160)] {
        let set = textures(&file(&[image(4, width, height, bytes, Some((1, 16)))])).expect("an image");
        let texture = &set.textures[0];
        assert_eq!((texture.swizzled, texture.buffer_width), (false, buffer_width), "{width} x {height}");
    }
    let padded = textures(&file(&[image(4, 20, 3, 48, Some((1, 16)))])).expect("room for padding");
    assert!(padded.textures[0].swizzled, "pmo_export pads rows");
}

/// A swizzled image's last band may end with its last row.
#[test]
fn accepts_a_cut_last_band() {
    for (bytes, notes) in [(12 * 16, 1), (12 * 16 - 1, 2)] {
        let set = textures(&file(&[image(4, 32, 12, bytes, Some((1, 16)))])).expect("an image");
        assert_eq!(set.notes.len(), notes, "{bytes} bytes: {:?}", texts(&set.notes));
    }
    // With two blocks in a band, the second begins after the first's 8 rows.
    for (bytes, notes) in [(128 + 64, 2), (256 + 64, 2), (256 + 128 + 64, 1)] {
        let set = textures(&file(&[image(4, 64, 12, bytes, Some((1, 16)))])).expect("an image");
        assert_eq!(set.notes.len(), notes, "{bytes} bytes: {:?}", texts(&set.notes));
    }
}

#[test]
fn accepts_several_palettes() {
    let bytes = file(&[image(4, 32, 8, 128, Some((3, 48))), image(5, 16, 8, 128, Some((1, 256)))]);
    let set = textures(&bytes).expect("a good file");
    let palettes: Vec<_> = set.textures.iter().filter_map(|texture| texture.palette).collect();
    assert_eq!((palettes[0].count(), palettes[0].size), (3, 16), "three of 16");
    assert_eq!((palettes[1].count(), palettes[1].size), (1, 256), "one of 256");
}

/// Builds a file with an image, and replaces a word.
fn one_image(at: usize, value: u32) -> Vec<u8> {
    let mut bytes = file(&[image(5, 16, 8, 128, Some((0, 256)))]);
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

#[test]
fn errors_name_the_offset() {
    for (at, value, message) in [
        (0x20, 8, "at 0x20: a block of 8 bytes is smaller than its header or leaves the image"),
        (0x28, 11, "at 0x28: pixel format 11 does not exist"),
        (0x2C, 16, "at 0x2c: the image has no pixels"),
        (0x2C, 0xFFFF_FFFF, "at 0x2c: rows of 65536 texels are longer than the Graphics Engine supports"),
    ] {
        let (place, reason) = message.split_once(": ").expect("a place");
        let error = textures(&one_image(at, value)).expect_err(message).to_string();
        let refusal = format!("{place}: none of the 1 images can be read; the first cannot because {reason}");
        assert_eq!(error, refusal, "alone");
        // Next to another image it is left out.
        let mut two = one_image(at, value);
        two.extend_from_slice(&image(5, 16, 8, 128, Some((0, 256))));
        two[8] = 2;
        let set = textures(&two).expect("the second image");
        assert_eq!(set.textures.iter().map(|texture| texture.index).collect::<Vec<_>>(), [1], "{message}");
        let note = format!("{place}: image 0 is left out: {reason}");
        assert_eq!(texts(&set.notes), [note], "{message}");
    }
    let error = textures(&one_image(4, 0)).expect_err("another version");
    assert_eq!(error.to_string(), "at 0x0: not a TMH file of version 0.14", "version");
}

/// If fields contradict the content, they cost no image.
#[test]
fn warns_of_oddities() {
    for (at, value, message, height) in [
        (8usize, 0x7FFF_FFFFu32, "at 0x8: the header counts 2147483647 images, and 1 are found", 8),
        (
            16,
            15,
            "at 0x10: the image has 15 bytes according to its header, and 688 according to its blocks",
            8,
        ),
        (0x2C, 0xFFFF_0010, "at 0x20: the image needs 1048560 bytes of pixels, but its block has 128", 8),
        (0x2C, 0x000C_0010, "at 0x20: the image needs 192 bytes of pixels, but its block has 128", 8),
        (0x1C, 0, "at 0x1c: the image has a palette, and its header says that it has none", 8),
        (0xB8, 4, "at 0xb8: palette format 4 does not exist: the size of a colour decides", 8),
        (0xBC, 257, "at 0xbc: the header counts 257 colours, and the palette block has room for 256", 8),
        (0xBC, 0, "at 0xbc: the header counts 0 colours, and the palette block has room for 256", 8),
    ] {
        let set = textures(&one_image(at, value)).expect(message);
        assert!(texts(&set.notes).iter().any(|note| note == message), "{message}: {:?}", texts(&set.notes));
        let texture = &set.textures[0];
        assert_eq!(
            (texture.height, texture.palette.map(|palette| palette.colors)),
            (height, Some(256)),
            "{at:x}"
        );
    }
}

#[test]
fn survives_hostile_bytes() {
    let good = file(&[image(4, 20, 3, 30, Some((1, 16))), image(5, 16, 8, 128, Some((0, 256)))]);
    let check = |bytes: &[u8]| {
        let tmh = read(View::new(bytes, 0, "tmh", FileRole::Input))?;
        for image in tmh.images.iter().flatten() {
            let end = image.pixels + image.stored_bytes;
            assert!(end <= bytes.len() as u64, "pixels outside the file");
        }
        tmh.texture_set("sample")
    };
    assert_eq!(check(&good).map(|set| set.textures.len()), Ok(2), "the file is good");
    for length in 0..good.len() {
        match check(&good[..length]) {
            Ok(set) => assert!(length >= 12 && set.textures.len() < 2, "{length}: an image is cut off"),
            Err(error) => assert!(length < 100, "{length}: {error}"),
        }
    }
    let mut seed = 99u32;
    for at in 0..good.len() - 3 {
        for round in 0..8 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = [0, u32::MAX, 0x8000_0000].get(round).copied().unwrap_or(seed);
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let _ = check(&bytes);
        }
    }
}
