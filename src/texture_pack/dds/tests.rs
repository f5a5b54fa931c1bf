//! Tests with DDS files built here.

use image::Rgba;

use super::*;
use crate::ge::limits::Limit;

/// Builds a file. `format` holds the pixel format's 32 bytes without its size, `long` a second header.
fn dds([width, height]: [u32; 2], levels: u32, format: [u32; 7], long: Option<u32>, data: &[u8]) -> Vec<u8> {
    let mut words = vec![0x2053_4444, 124, 0x1007, height, width, 0, 0, levels];
    words.resize(19, 0);
    words.push(32);
    words.extend(format);
    words.extend([0x1000, 0, 0, 0, 0]);
    if let Some(number) = long {
        words.extend([number, 3, 0, 1, 0]);
    }
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend(data);
    file
}

const RGBA: [u32; 7] = [0x41, 0, 32, 0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000];

fn coded(code: &[u8; 4]) -> [u32; 7] {
    [4, u32::from_le_bytes(*code), 0, 0, 0, 0, 0]
}

fn levels(file: &[u8]) -> Vec<PackPicture> {
    read(file, &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn problem(file: &[u8]) -> String {
    read(file, &Limits::default()).expect_err("refused").to_string()
}

#[test]
fn masked_pixels_are_read() {
    let pixels = [1, 2, 3, 4, 5, 6, 7, 8];
    let found = levels(&dds([2, 1], 1, RGBA, None, &pixels));
    assert_eq!(found[0].pixels.as_raw(), &pixels, "as they are");
    assert!(found[0].has_alpha, "alpha");
    let swapped = [0x41, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
    assert_eq!(levels(&dds([1, 1], 1, swapped, None, &[1, 2, 3, 4]))[0].pixels[(0, 0)], Rgba([3, 2, 1, 4]));
    // The alpha mask counts only with its flag.
    let opaque = [0x40, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
    let found = levels(&dds([1, 1], 1, opaque, None, &[1, 2, 3, 4]));
    assert_eq!((found[0].pixels[(0, 0)], found[0].has_alpha), (Rgba([3, 2, 1, 255]), false), "opaque");
    let narrow = [0x40, 0, 16, 0xF800, 0x7E0, 0x1F, 0];
    let found = levels(&dds([2, 1], 1, narrow, None, &[0x00, 0xF8, 0xFF, 0x07]));
    assert_eq!(found[0].pixels.as_raw(), &[255, 0, 0, 255, 0, 255, 255, 255], "of 16 bits");
    let grey = [0x2_0000, 0, 8, 0xFF, 0, 0, 0];
    assert_eq!(levels(&dds([1, 1], 1, grey, None, &[7]))[0].pixels[(0, 0)], Rgba([7, 7, 7, 255]), "grey");
    for (number, expected) in
        [(28, [1, 2, 3, 4]), (87, [3, 2, 1, 4]), (88, [3, 2, 1, 255]), (115, [34, 17, 0, 0])]
    {
        let found = levels(&dds([1, 1], 1, coded(b"DX10"), Some(number), &[0x10, 0x02, 3, 4]));
        let expected =
            if number == 115 { expected } else { expected.map(|part| if part == 1 { 0x10 } else { part }) };
        assert_eq!(found[0].pixels[(0, 0)], Rgba(expected), "number {number}");
    }
}

/// Blocks in a single colour, in every format.
#[test]
fn blocks_are_read() {
    // Two equal colours: red, and half alpha.
    let color = [0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0];
    let bc2 = [[0x88; 8], color].concat();
    let bc3 = [[0x80, 0x80, 0, 0, 0, 0, 0, 0], color].concat();
    // Mode 5: red 127 of 127 for both ends, alpha 128.
    let mut bits: u128 = 1 << 5;
    let mut at = 8;
    for (value, width) in [(127, 7), (127, 7), (0, 28), (128, 8), (128, 8)] {
        bits |= value << at;
        at += width;
    }
    let bc7 = bits.to_le_bytes().to_vec();
    for (code, number, block, expected) in [
        (b"DXT1", 71, color.to_vec(), [255, 0, 0, 255]),
        (b"DXT3", 74, bc2, [255, 0, 0, 136]),
        (b"DXT5", 77, bc3, [255, 0, 0, 128]),
        (b"DX10", 98, bc7, [255, 0, 0, 128]),
    ] {
        // Six pixels across take two blocks, the last of which is cut.
        let data = [block.clone(), block].concat();
        let mut files = vec![dds([6, 3], 1, coded(b"DX10"), Some(number), &data)];
        if code != b"DX10" {
            files.push(dds([6, 3], 1, coded(code), None, &data));
        }
        for file in files {
            let found = levels(&file);
            assert_eq!(found[0].pixels.dimensions(), (6, 3), "{number}");
            assert!(found[0].pixels.pixels().all(|pixel| pixel.0 == expected), "{number}: {:?}", found[0]);
            assert_eq!(found[0].has_alpha, expected[3] < 255, "{number}");
        }
    }
    // If the larger colour comes last, the fourth index is transparent.
    let cutout = levels(&dds([4, 4], 1, coded(b"DXT1"), None, &[0, 0, 0, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF]));
    assert!(cutout[0].has_alpha && cutout[0].pixels[(0, 0)].0[3] == 0, "transparent");
}

#[test]
fn levels_follow_one_another() {
    let data: Vec<u8> = (0..4 * (8 + 2 + 1)).collect();
    let found = levels(&dds([4, 2], 3, RGBA, None, &data));
    let sizes: Vec<(u32, u32)> = found.iter().map(|level| level.pixels.dimensions()).collect();
    assert_eq!(sizes, [(4, 2), (2, 1), (1, 1)], "halves");
    assert_eq!(found[1].pixels.as_raw(), &data[32..40], "the second");
    // More levels than this size allows.
    assert_eq!(levels(&dds([4, 2], u32::MAX, RGBA, None, &data)).len(), 3, "down to one pixel");
}

#[test]
fn what_is_not_read_is_named() {
    for (number, name) in [(80, "BC4"), (83, "BC5"), (95, "BC6H"), (2, "pixels of DXGI format 2")] {
        let text = problem(&dds([4, 4], 1, coded(b"DX10"), Some(number), &[0; 64]));
        assert_eq!(text, format!("DDS with {name} is not supported"), "{number}");
    }
    assert_eq!(
        problem(&dds([4, 4], 1, coded(b"ATI2"), None, &[])),
        "DDS with pixels \"ATI2\" is not supported"
    );
    assert_eq!(
        problem(&dds([4, 4], 1, [2, 0, 8, 0, 0, 0, 0xFF], None, &[])),
        "DDS with alpha alone is not supported"
    );
    let mut cube = dds([4, 4], 1, RGBA, None, &[0; 64]);
    cube[113] = 2;
    assert_eq!(problem(&cube), "DDS with a cube map is not supported");
    let cut = dds([4, 4], 1, RGBA, None, &[0; 60]);
    assert_eq!(problem(&cut), "at 0x80: level 0 needs 64 bytes, 60 are left");
    assert_eq!(problem(&cut[..100]), "at 0x70: the header ends here");
    let limits = Limits::default().with(Limit::DecodedBytes, 63);
    let text = read(&dds([4, 4], 1, RGBA, None, &[0; 64]), &limits).expect_err("limited").to_string();
    assert_eq!(text, "more than the limit of 63 decoded bytes");
    let huge = dds([1 << 20, 4], 1, coded(b"DXT1"), None, &[0; 64]);
    assert!(problem(&huge).contains("1048576x4 pixels"), "{}", problem(&huge));
}

#[test]
fn damaged_files_are_read_or_refused() {
    let files = [
        dds([8, 8], 4, coded(b"DXT5"), None, &[0x5A; 144]),
        dds([5, 3], 1, coded(b"DX10"), Some(98), &[0xC3; 32]),
        dds([4, 4], 3, RGBA, None, &[7; 84]),
    ];
    let (mut found, mut refused) = (0, 0);
    for file in &files {
        let mut attempt = |file: &[u8]| match read(file, &Limits::default()) {
            Ok(levels) => found += levels.len(),
            Err(_) => refused += 1,
        };
        (0..file.len()).for_each(|length| attempt(&file[..length]));
        for at in 0..file.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = value;
                attempt(&damaged);
            }
        }
    }
    assert!(found > 1000 && refused > 300, "{found} found, {refused} refused");
}
