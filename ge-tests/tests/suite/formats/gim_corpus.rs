//! Opens the GIM pictures in the corpus and the bundled pictures: sizes, formats and decoded pixels must equal an
//! independent parser's.
//!
//! For the corpus part, set `PSPGE_CORPUS` to the folder with `models/gim`. Without it these tests print a message
//! and use the bundled pictures alone.

use ge_tests::damage::{assert_located, count_parallel};
use ge_tests::generate::Random;
use ge_tests::{corpus, input, long_checks, mutate, sample};
use pspge::formats::{self, Content, Format, Request};
use pspge::ge::registers::texture::{PixelFormat, TexelFormat};
use pspge::model::Model;
use pspge::{RunSpec, View};

/// Returns each picture with its row in `counts.tsv`.
fn pictures() -> Vec<(Vec<String>, Vec<u8>)> {
    let Some(folder) = corpus::folder("models/gim") else { return Vec::new() };
    let table = String::from_utf8(corpus::read(&folder, "counts.tsv")).expect("text");
    let rows = table.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let rows: Vec<_> = rows.map(|row| (row.clone(), corpus::read(&folder, &row[0]))).collect();
    assert!(rows.len() >= 11, "files");
    rows
}

fn texel_format(name: &str) -> TexelFormat {
    match name {
        "5650" => TexelFormat::BGR5650,
        "5551" => TexelFormat::ABGR5551,
        "4444" => TexelFormat::ABGR4444,
        "8888" => TexelFormat::ABGR8888,
        "index4" => TexelFormat::CLUT4,
        "index8" => TexelFormat::CLUT8,
        "index16" => TexelFormat::CLUT16,
        "index32" => TexelFormat::CLUT32,
        "dxt1" => TexelFormat::DXT1,
        "dxt3" => TexelFormat::DXT3,
        "dxt5" => TexelFormat::DXT5,
        other => panic!("{other}"),
    }
}

fn palette(model: &Model) -> String {
    match model.textures[0].palette {
        None => "-".to_owned(),
        Some(palette) => {
            let format = match palette.format {
                PixelFormat::BGR5650 => "5650",
                PixelFormat::ABGR5551 => "5551",
                PixelFormat::ABGR4444 => "4444",
                _ => "8888",
            };
            format!("{format}x{}", palette.colors)
        }
    }
}

/// Decodes the first texture's blocks. To widen colours, this repeats their upper bits.
fn decode_dxt1(model: &Model) -> Vec<u8> {
    let texture = &model.textures[0];
    let [width, height] = [texture.width, texture.height].map(usize::from);
    let mut out = vec![0; width * height * 4];
    for block in 0..width * height / 16 {
        let at = texture.address.offset(u32::try_from(block * 8).expect("small"));
        let (indices, colors) = (model.memory.read_u32(at), model.memory.read_u32(at.offset(4)));
        let color = |word: u32| {
            let [red, green, blue] = [word >> 11 & 31, word >> 5 & 63, word & 31];
            [red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2, 255]
        };
        let (word, other) = (colors & 0xFFFF, colors >> 16);
        let (one, two) = (color(word), color(other));
        let mixed = |parts: [u32; 2]| {
            std::array::from_fn(|channel| {
                (one[channel] * parts[0] + two[channel] * parts[1]) / (parts[0] + parts[1])
            })
        };
        let rest = if word > other { [mixed([2, 1]), mixed([1, 2])] } else { [mixed([1, 1]), [0; 4]] };
        let palette = [one, two, rest[0], rest[1]];
        for texel in 0..16 {
            let (x, y) = (block % (width / 4) * 4 + texel % 4, block / (width / 4) * 4 + texel / 4);
            let color = palette[(indices >> (2 * texel) & 3) as usize];
            let start = (y * width + x) * 4;
            for (out, value) in out[start..start + 4].iter_mut().zip(color) {
                *out = u8::try_from(value).expect("8 bits");
            }
        }
    }
    out
}

#[test]
fn pixels_equal_those_of_an_independent_parser() {
    for (row, bytes) in pictures() {
        let [name, width, height, format, order, levels, frames, colors, crc] = row.as_slice() else {
            panic!("nine columns")
        };
        assert_eq!(formats::sniff(&bytes).map(Format::name), Some("gim"), "{name}: recognised");
        let model = input::model(&Request::new(name, &bytes));
        let texture = &model.textures[0];
        let facts = [texture.width.to_string(), texture.height.to_string(), palette(&model)];
        assert_eq!(facts, [width.clone(), height.clone(), colors.clone()], "{name}: size and palette");
        assert_eq!(texture.format, texel_format(format), "{name}: format");
        assert_eq!(texture.swizzled, order == "swizzled", "{name}: order");
        for (count, expected) in [("levels", levels), ("frames", frames)] {
            assert_eq!(model.info.extra(count), expected.parse().ok(), "{name}: {count}");
        }
        let pixels = texture.decode(&model.memory, 0);
        if texture.format == TexelFormat::DXT1 {
            // The parser widens block colours by repeating bits, the engine by zeros, as measured on a PSP.
            let widened = decode_dxt1(&model);
            assert_eq!(format!("{:08x}", crc32fast::hash(&widened)), *crc, "{name}: pixels");
            let apart = pixels.as_raw().iter().zip(&widened).map(|(one, other)| one.abs_diff(*other));
            assert!(apart.max() < Some(8), "{name}: the same but for the lowest bits");
        } else {
            assert_eq!(format!("{:08x}", crc32fast::hash(pixels.as_raw())), *crc, "{name}: pixels");
        }
        assert!(model.notes.is_empty(), "{name}: nothing is odd: {:?}", model.notes);
    }
}

/// The pixels in memory must be the file's own, to trace them back to it.
#[test]
fn pixels_are_copied_unchanged() {
    for (row, bytes) in pictures() {
        let model = input::model(&Request::new(&row[0], &bytes));
        let texture = &model.textures[0];
        let (_, offset) = model.source_of(texture.address).expect("from the file");
        assert_eq!(offset, texture.file_offset, "{}: its place", row[0]);
    }
}

/// Draws each picture from the front. The rectangle's mean colour has to be the texels' mean over the background.
#[test]
fn pictures_are_drawn_through_a_texture() {
    const BACKGROUND: [u8; 4] = [40, 80, 120, 0];
    for (row, bytes) in pictures() {
        let asset = pspge::open(&row[0], &bytes).expect("a picture");
        let model = asset.model().expect("a model");
        let texels = model.textures[0].decode(&model.memory, 0);
        let spec = RunSpec::default().view(View::Front).size(480, 272).background(BACKGROUND);
        let drawn = asset.render(&spec).expect("drawn");
        let mean = |colors: &mut dyn Iterator<Item = [f64; 3]>| {
            let (mut sum, mut count) = ([0.0; 3], 0.0);
            for color in colors {
                (0..3).for_each(|channel| sum[channel] += color[channel]);
                count += 1.0;
            }
            assert!(count > 0.0, "{}: something is drawn", row[0]);
            sum.map(|sum| sum / count)
        };
        let expected = mean(&mut texels.pixels().map(|texel| {
            let alpha = f64::from(texel.0[3]) / 255.0;
            [0, 1, 2].map(|channel| {
                f64::from(texel.0[channel]) * alpha + f64::from(BACKGROUND[channel]) * (1.0 - alpha)
            })
        }));
        let opaque = drawn.pixels().filter(|pixel| pixel.0[3] == 255);
        let found = mean(&mut opaque.map(|pixel| [0, 1, 2].map(|channel| f64::from(pixel.0[channel]))));
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 8.0, "{}: {found} for {expected}", row[0]);
        }
    }
}

/// Opens 150 damaged copies of each picture in the corpus and of the bundled picture, plays them and decodes their
/// textures; 300 in the long checks.
#[test]
fn damaged_copies_are_opened_or_refused() {
    let copies = if long_checks::are_wanted() { 300 } else { 150 };
    let mut files: Vec<(String, Vec<u8>)> =
        pictures().into_iter().map(|(row, bytes)| (row[0].clone(), bytes)).collect();
    files.push(("candle.gim".to_owned(), sample::read("candle.gim")));
    for (number, (name, bytes)) in files.iter().enumerate() {
        let other = &files[(number + 1) % files.len()].1;
        let opened = count_parallel(copies, |copy| {
            let mut random = Random::new(number as u64 * 1000 + copy as u64);
            let mut damaged = bytes.clone();
            mutate::damage(&mut random, &mut damaged, other);
            match formats::open(&Request::new(name, &damaged)) {
                Ok(opened) => {
                    if let Content::Model(mut model) = opened.content {
                        for animation in 0..model.animations.len() {
                            model.animate(animation, 1.5);
                        }
                        if let Some(texture) = model.textures.first() {
                            let _ = texture.decode(&model.memory, 0);
                        }
                    }
                    true
                }
                Err(error) => {
                    assert_located(name, &error, damaged.len());
                    assert!(error.kind.refusal().is_some(), "{name}, copy {copy}: {:?}", error.kind);
                    false
                }
            }
        });
        assert!(3 * opened > copies, "{name}: {opened} of {copies} open");
    }
}

/// The bundled pictures cover features missing in public files: frames, 16-bit palettes, levels, a sequence, several
/// pictures.
#[test]
fn the_sample_shows_every_picture() {
    let model = sample::open("candle.gim");
    let kinds: Vec<String> = model
        .textures
        .iter()
        .map(|texture| {
            let palette = texture.palette.map(|palette| format!(" {}", palette.format)).unwrap_or_default();
            let name = texture.name.as_deref().unwrap_or_default();
            format!("{name} {}x{} {}{palette}", texture.width, texture.height, texture.format)
        })
        .collect();
    let expected = [
        "picture0-frame0 40x56 CLUT8 ABGR4444",
        "picture0-frame1 40x56 CLUT8 ABGR4444",
        "picture0-frame2 40x56 CLUT8 ABGR4444",
        "picture0-frame3 40x56 CLUT8 ABGR4444",
        "picture1 64x32 CLUT4 ABGR5551",
        "picture2 32x32 BGR5650",
        "picture2-level1 16x16 BGR5650",
        "picture2-level2 8x8 BGR5650",
        "picture3 32x32 DXT5",
    ];
    assert_eq!(kinds, expected, "kinds");
    let pixels = |texture: usize| model.textures[texture].decode(&model.memory, 0);
    assert_ne!(pixels(0), pixels(1), "the flame flickers");
    let flame = pixels(0);
    assert_eq!(flame.get_pixel(0, 0).0[3], 0, "clear beside the flame");
    assert!(flame.get_pixel(20, 40).0[3] > 200, "opaque inside");
    let glow = pixels(8);
    assert!(glow.get_pixel(16, 16).0[3] > 200 && glow.get_pixel(0, 0).0[3] == 0, "brightest in the middle");
}
