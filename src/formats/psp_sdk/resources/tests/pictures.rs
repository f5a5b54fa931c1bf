//! Tests pictures in common formats inside containers.

use image::codecs::gif::GifEncoder;
use image::{Delay, Frame};

use super::build::{Rco, Stored};
use super::*;

/// Picture kinds, by number.
const PNG: u16 = 0;
const JPEG: u16 = 1;
const TIFF: u16 = 2;
const GIF: u16 = 3;

/// A picture in two colours, without alpha.
fn picture() -> RgbaImage {
    RgbaImage::from_fn(16, 8, |x, _| if x < 8 { Rgba([200, 40, 8, 255]) } else { Rgba([16, 80, 240, 255]) })
}

fn encoded(format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let picture = image::DynamicImage::from(picture()).into_rgb8();
    picture.write_to(&mut out, format).expect("room");
    out.into_inner()
}

/// Builds an animated GIF with a frame in each grey.
fn gif(greys: &[u8], size: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = GifEncoder::new(&mut out);
    for &grey in greys {
        let picture = RgbaImage::from_pixel(size, size, Rgba([grey, grey, grey, 255]));
        let delay = Delay::from_numer_denom_ms(100, 1);
        encoder.encode_frame(Frame::from_parts(picture, 0, 0, delay)).expect("room");
    }
    drop(encoder);
    out
}

fn container(images: Vec<Stored>) -> Vec<u8> {
    Rco { images, ..Rco::default() }.bytes()
}

#[test]
fn pictures_of_all_kinds_are_read() {
    let kinds = [
        ("png", PNG, ImageFormat::Png),
        ("jpeg", JPEG, ImageFormat::Jpeg),
        ("tiff", TIFF, ImageFormat::Tiff),
        ("gif", GIF, ImageFormat::Gif),
    ];
    let mut images = Vec::new();
    for (name, kind, format) in kinds {
        images.push(Stored::plain(name, kind, &encoded(format)));
    }
    images.push(Stored::packed("packed", TIFF, &encoded(ImageFormat::Tiff)));
    let bytes = container(images);
    let set = textures(&bytes, None);
    let names: Vec<&str> = set.textures.iter().filter_map(|texture| texture.name.as_deref()).collect();
    assert_eq!(names, ["png", "jpeg", "tiff", "gif", "packed"], "all");
    for (number, texture) in set.textures.iter().enumerate() {
        assert_eq!(texture.index, number, "numbered in order");
        let (name, found) = (names[number], texture.decode(&set.memory, 0));
        assert_eq!(found.dimensions(), (16, 8), "{name}");
        // JPEG and GIF palettes lose some precision.
        let far = found.iter().zip(picture().iter()).map(|(one, other)| one.abs_diff(*other)).max();
        let most = if matches!(name, "jpeg" | "gif") { 12 } else { 0 };
        assert!(far <= Some(most), "{name}: {far:?}");
        let alone = textures(&bytes, Some(name));
        assert_eq!(alone.textures[0].decode(&alone.memory, 0), found, "{name} alone");
    }
    let kinds: Vec<String> = members(&bytes).into_iter().map(|member| member.1).collect();
    assert_eq!(kinds[..3], ["image, PNG", "image, JPEG", "image, TIFF"], "kinds");
}

#[test]
fn frames_of_a_gif_are_textures() {
    let bytes = container(vec![
        Stored::plain("lights", GIF, &gif(&[10, 120, 250], 8)),
        Stored::plain("last", 4, &bmp()),
    ]);
    let set = textures(&bytes, None);
    let found: Vec<(usize, &str, u8)> = set
        .textures
        .iter()
        .map(|texture| {
            let name = texture.name.as_deref().unwrap_or_default();
            (texture.index, name, texture.decode(&set.memory, 0)[(7, 3)].0[1])
        })
        .collect();
    let expected =
        [(0, "lights-frame0", 10), (1, "lights-frame1", 120), (2, "lights-frame2", 250), (3, "last", 8)];
    assert_eq!(found, expected, "all frames");
    // Damage costs only the frames after it.
    let mut cut = gif(&[10, 120, 250], 8);
    cut.truncate(cut.len() - 12);
    let bytes = container(vec![Stored::plain("cut", GIF, &cut)]);
    let opened = opened(&bytes, None, true).expect("opens");
    let notes = texts(opened.content.notes());
    let Content::Textures(set) = opened.content else { panic!("textures") };
    assert_eq!(set.textures.len(), 2, "{notes:?}");
    assert!(
        notes.iter().any(|note| note.contains("the first 2 frames of the picture are used")),
        "{notes:?}"
    );
}

/// Replaces each byte by several numbers, and cuts the file to many lengths.
#[test]
fn damaged_pictures_are_read_or_left_out() {
    let files =
        [(JPEG, encoded(ImageFormat::Jpeg)), (TIFF, encoded(ImageFormat::Tiff)), (GIF, gif(&[10, 250], 8))];
    let (mut read, mut refused) = (0, 0);
    for (kind, file) in files {
        let mut attempt = |bytes: &[u8], what: String| {
            let container = container(vec![Stored::plain("odd", kind, bytes)]);
            match opened(&container, Some("odd"), true) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(error.offset.is_some_and(|at| at < container.len() as u64), "{what}: {error}");
                    refused += 1;
                }
            }
        };
        for length in (1..file.len()).step_by(3) {
            attempt(&file[..length], format!("{kind} cut to {length}"));
        }
        for at in 0..file.len() {
            for value in [0, 0xFF, file[at] ^ 0x40] {
                let mut damaged = file.clone();
                damaged[at] = value;
                attempt(&damaged, format!("{kind}: {value:#x} at {at:#x}"));
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}

/// Small files may claim to be huge.
#[test]
fn huge_pictures_take_no_memory() {
    let mut wide = gif(&[1], 8);
    wide[6..10].copy_from_slice(&[0xFF; 4]);
    let mut tall = encoded(ImageFormat::Jpeg);
    let frame = tall.windows(2).position(|two| two == [0xFF, 0xC0]).expect("a frame");
    tall[frame + 5..frame + 9].copy_from_slice(&[0xFF; 4]);
    for (kind, file) in [(GIF, wide), (JPEG, tall)] {
        let bytes = container(vec![Stored::plain("huge", kind, &file)]);
        let error = opened(&bytes, Some("huge"), true).expect_err("too large");
        assert!(error.to_string().contains("the texture cannot be used: "), "{error}");
        assert!(notes(&bytes)[0].contains("member \"huge\" is left out"), "{:?}", notes(&bytes));
    }
}
