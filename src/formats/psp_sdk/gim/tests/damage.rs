//! Tests odd and damaged files.

use super::build::{Image, LITTLE, palette, sequence, shades};
use super::{GimProblem, model, notes, refused, texels};
use crate::formats::{Request, open};

/// Returns a file with a 16x8 picture and a sequence. The image's data start at 0x40.
fn sample() -> Vec<u8> {
    let image = Image::new(5, [16, 8], (0..128).map(|pixel| pixel % 16).collect());
    let keys = sequence([0, 4, 1], &[(0x20, 1)], &[(0x10, 1, &[4, 0, 0, 16])]);
    let chunks = vec![image.chunk(4), palette(&shades(16)).chunk(5), LITTLE.chunk(6, &keys, &[])];
    LITTLE.file(&[chunks])
}

/// Replaces 16-bit numbers in the image's header.
fn changed(changes: &[(usize, u16)]) -> Vec<u8> {
    let mut bytes = sample();
    for (at, value) in changes {
        bytes[0x40 + at..0x42 + at].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

#[test]
fn odd_fields_are_noted_and_the_picture_is_the_same() {
    let good = texels(&model(&sample()), 0);
    for (changes, note) in [
        (&[(0x02, 3)][..], "the image refers to number 3"),
        (&[(0x06, 7)], "pixel order 7 does not exist"),
        (&[(0x0C, 4)], "format 5 has 8 bits a pixel, not 4"),
        (&[(0x04, 77)], "pixels of 8 bits are read as format 5"),
        (&[(0x0E, 0)], "rows aligned to 0 bytes and 1 rows do not fit"),
        (&[(0x20, 1)], "the data are given as 1 bytes"),
        (&[(0x28, 9)], "levels of type 9 are not known"),
        (&[(0x2C, 2)], "frames of type 2 are not known"),
        (&[(0x2A, 50)], "50 levels and frames are given, 4 have an offset"),
        (&[(0x2E, 50)], "50 levels and frames are given, 4 have an offset"),
        (&[(0x2A, 0), (0x2E, 0)], ""),
        (&[(0x00, 0x20)], ""),
    ] {
        let model = model(&changed(changes));
        assert_eq!(texels(&model, 0), good, "{changes:?}");
        let notes = notes(&model);
        assert!(note.is_empty() || notes.iter().any(|text| text.contains(note)), "{changes:?}: {notes:?}");
    }
}

#[test]
fn pictures_without_pixels_are_refused() {
    assert_eq!(refused(&changed(&[(0x08, 0)])), GimProblem::Empty { width: 0, height: 8 }, "no width");
    assert_eq!(refused(&changed(&[(0x04, 77), (0x0C, 3)])), GimProblem::Format(77), "no format");
    assert_eq!(
        refused(&changed(&[(0x08, 60000), (0x0A, 1)])),
        GimProblem::Cut { needed: 60000, available: 128 }
    );
    let image = Image::new(5, [16, 8], vec![0; 128]).chunk(4);
    assert_eq!(refused(&LITTLE.file(&[vec![image]])), GimProblem::NoPalette, "no palette");
    assert_eq!(refused(&LITTLE.file(&[])), GimProblem::NoPicture, "no picture");
    let image = Image::new(5, [4096, 1], vec![0; 4096]).chunk(4);
    let wide = LITTLE.file(&[vec![image, palette(&shades(4)).chunk(5)]]);
    assert_eq!(refused(&wide), GimProblem::TooWide(4096), "beyond TEXBUFWIDTH");
}

#[test]
fn a_broken_picture_leaves_the_others() {
    let good = vec![Image::new(5, [16, 1], vec![1; 16]).chunk(4), palette(&shades(4)).chunk(5)];
    let bad = vec![Image::new(5, [0, 1], vec![1; 16]).chunk(4), palette(&shades(4)).chunk(5)];
    let model = model(&LITTLE.file(&[bad, good]));
    assert_eq!(texels(&model, 0), vec![shades(4)[1]; 16], "the second picture");
    assert!(
        notes(&model)[0].contains("the image is left out: the picture has no pixels"),
        "{:?}",
        notes(&model)
    );
}

#[test]
fn cut_pixels_are_zero() {
    let image = Image::new(3, [4, 4], vec![77; 64]).chunk(4);
    let bytes = LITTLE.file(&[vec![image]]);
    // FileInfo follows the pixels; both are cut off.
    let end = bytes.windows(16).rposition(|window| window == [77; 16]).expect("pixels") + 16;
    let model = model(&bytes[..end - 16]);
    assert_eq!(texels(&model, 0)[..12], [[77; 4]; 12], "what is there");
    assert_eq!(texels(&model, 0)[12..], [[0; 4]; 4], "the last row");
    assert!(notes(&model).iter().any(|note| note.contains("missing pixels are zero")), "{:?}", notes(&model));
}

#[test]
fn unknown_chunks_and_trailing_bytes_are_noted() {
    let image = Image::new(3, [4, 1], vec![77; 16]).chunk(4);
    let mut bytes = LITTLE.file(&[vec![LITTLE.chunk(0x1234, &[1; 8], &[]), image]]);
    bytes.extend([0; 20]);
    let model = model(&bytes);
    assert_eq!(texels(&model, 0), [[77; 4]; 4], "drawn");
    let notes = notes(&model);
    assert!(notes.iter().any(|note| note.contains("the file chunk is given as")), "{notes:?}");
    assert!(notes.iter().any(|note| note.ends_with("chunk type 0x1234 is not known")), "{notes:?}");
    let info: Vec<_> = model.fields.iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
    let expected = [("source file", "a.tga"), ("user", "me"), ("date", "now"), ("tool", "pspge")];
    assert_eq!(info, expected, "strings");
}

#[test]
fn keys_that_never_end_are_noted() {
    let image = Image::new(3, [4, 1], vec![77; 16]).chunk(4);
    let keys = sequence([0, 4, 1], &[], &[(0x10, 1, &[5, 1, 6, 2])]);
    let model = model(&LITTLE.file(&[vec![image, LITTLE.chunk(6, &keys, &[])]]));
    assert!(notes(&model)[0].ends_with("the keys of parameter 0x10 do not end"), "{:?}", notes(&model));
}

/// Many overlapping frames cannot make reading slow.
#[test]
fn overlapping_frames_are_bounded() {
    let mut image = Image::new(5, [512, 512], vec![1; 512 * 512]);
    image.data = vec![image.data[0].clone()];
    let mut chunk = image.chunk(4);
    // The table covers the pixels, and each offset differs from its neighbours.
    let frames = 60_000_u16;
    chunk[16 + 0x2E..16 + 0x30].copy_from_slice(&frames.to_le_bytes());
    chunk[16 + 0x1C..16 + 0x20].copy_from_slice(&(0x40 + 512 * 512_u32).to_le_bytes());
    for (number, offset) in chunk[16 + 0x30..].chunks_exact_mut(4).enumerate() {
        offset.copy_from_slice(&u32::try_from(0x40 - number % 48).expect("small").to_le_bytes());
    }
    let bytes = LITTLE.file(&[vec![chunk, palette(&shades(4)).chunk(5)]]);
    let _ = open(&Request::new("picture.gim", &bytes));
}

#[test]
fn cut_and_changed_files_do_not_panic() {
    let good = sample();
    for length in 0..good.len() {
        let _ = open(&Request::new("picture.gim", &good[..length]));
    }
    for at in 0..good.len() - 4 {
        for value in [0_u32, u32::MAX, 0x8000_0000, 1, 28, 0x0100_0000] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if let Ok(opened) = open(&Request::new("picture.gim", &bytes)) {
                let crate::formats::Content::Model(mut model) = opened.content else { continue };
                for frame in [-1.0, 0.0, 2.5, 1e9, f64::NAN] {
                    for animation in 0..model.animations.len() {
                        model.animate(animation, frame);
                    }
                }
            }
        }
    }
}
