//! Checks Birth by Sleep files in the corpus: counts against published counts, and decoded geometry, pixels and
//! curves against an independent decoder.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models/bbs`. Without it they print a message and pass.

use ge_tests::corpus::{self, read};
use ge_tests::{bbs_check, bbs_oracle, input};
use pspge::formats::{self, Content, File, Format, Request};
use pspge::ge::registers::texture::TexelFormat;
use pspge::model::{Animation, Bone, FileNoteKind, Skeleton, matrix};
use pspge::scene::render;
use std::collections::BTreeSet;
use std::path::Path;

/// Tolerance for sums of products of 16-bit floats, relative to the model's size.
const PRECISION: f64 = 1e-4;

/// Reads the rows in counts.tsv as (column, value) pairs.
fn rows(folder: &Path) -> Vec<Vec<(String, String)>> {
    let table = String::from_utf8(read(folder, "counts.tsv")).expect("text");
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = table.lines().map(cells);
    let names = lines.next().expect("a row of names");
    lines.map(|row| names.iter().cloned().zip(row).collect()).collect()
}

#[test]
fn counts_match_an_independent_parser() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    let rows = rows(&folder);
    assert!(rows.len() >= 6, "files");
    for row in rows {
        let cell = |column: &str| row.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value);
        let count = |column: &str| cell(column).parse::<usize>().ok();
        let name = cell("file");
        let bytes = read(&folder, name);
        let is_map = name.ends_with(".pmp");
        let format = if is_map { "pmp" } else { "bbs-pmo" };
        assert_eq!(formats::sniff(&bytes).map(Format::name), Some(format), "{name}: recognised");
        let model = input::model(&Request::new(name, &bytes));
        let info = &model.info;
        let version = if is_map { "0" } else { "3" };
        assert_eq!((info.format, info.version.as_deref()), (format, Some(version)), "{name}: version");
        let second = info.extra("second_pass_sections").and_then(|second| usize::try_from(second).ok());
        for (column, found) in [
            ("sections", Some(info.meshes)),
            ("second_list", second),
            ("vertices", Some(info.vertices)),
            ("triangles", Some(info.triangles)),
            ("bones", Some(info.bones)),
            ("animations", Some(model.animations.iter().filter(|animation| animation.keys > 0).count())),
        ] {
            assert_eq!(found, count(column), "{name}: {column}");
        }
        if is_map {
            // This column counts entries in the models' tables. The map's own table may have more.
            let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i])) as usize;
            let instances = usize::from(u16::from_le_bytes([bytes[0x10], bytes[0x11]]));
            let models: BTreeSet<usize> = (0..instances).map(|number| word(0x44 + number * 0x30)).collect();
            let entries: usize =
                models.iter().filter(|at| **at != 0).map(|at| usize::from(bytes[at + 8])).sum();
            assert_eq!(Some(entries), count("textures"), "{name}: textures");
        } else {
            assert_eq!(Some(info.textures), count("textures"), "{name}: textures");
            let [strips, padded] = bbs_oracle::strip_lists(&bytes, 0);
            assert_eq!(
                [Some(strips), Some(padded)],
                ["strip_lists", "padded_strip_lists"].map(count),
                "{name}"
            );
        }
        let odd = model
            .notes
            .iter()
            .filter(|note| !matches!(note.kind, FileNoteKind::HiddenParts | FileNoteKind::NotExpressed));
        assert_eq!(odd.count(), 0, "{name}: nothing is odd: {:?}", model.notes);
    }
}

#[test]
fn vertices_match_oracle() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for row in rows(&folder) {
        let name = &row[0].1;
        let bytes = read(&folder, name);
        let is_map = name.ends_with(".pmp");
        let oracle = if is_map { bbs_oracle::map(&bytes) } else { bbs_oracle::model(&bytes, 0, None) };
        bbs_check::assert_geometry(name, &input::model(&Request::new(name, &bytes)), &oracle, PRECISION);
    }
}

/// Ventus' eyes have a texture with 80x40 texels in 128x64, and its sections use only the part with texels.
#[test]
fn texture_coordinates_count_over_the_padded_size() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, texture, used) in [("p01ex00.pmo", 1, [0.625, 0.625]), ("h03ex00.pmo", 2, [1.0, 0.875])] {
        let bytes = read(&folder, name);
        let model = input::model(&Request::new(name, &bytes));
        let geometry = render::geometry(&model);
        let mut highest = [0.0_f32; 2];
        for draw in geometry.draws() {
            let part = model.part_at(draw.at).expect("a part");
            if part.texture == Some(texture) {
                for vertex in &draw.vertices {
                    highest = [0, 1].map(|axis| highest[axis].max(vertex.texcoord[axis]));
                }
            }
        }
        for axis in 0..2 {
            let filled = highest[axis] / used[axis];
            assert!((0.7..=1.0).contains(&filled), "{name}: {highest:?} of {used:?}");
        }
    }
}

/// The animation has to move the right bones of the model: Ventus must be on the ground, with his head above his
/// feet.
#[test]
fn animations_move_the_model_of_their_bones() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    let (bytes, motion) = (read(&folder, "p01ex00.pmo"), read(&folder, "test.pam"));
    let clip = read(&folder, "p03ex00021e-raw-clip.bin");
    let open = |name: &str, animations: &[u8]| {
        let animations = Some(File { name, bytes: animations });
        input::model(&Request { animations, ..Request::new("p01ex00.pmo", &bytes) })
    };
    let mut model = open("test.pam", &motion);
    assert!(model.notes.is_empty(), "they fit: {:?}", model.notes);
    for frame in [0.0, 20.0, 45.0, 70.0] {
        model.animate(0, frame);
        let geometry = render::geometry(&model);
        let heights =
            geometry.draws().iter().flat_map(|draw| &draw.vertices).map(|vertex| vertex.position[1]);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!(low.abs() < 0.05 && (1.5..1.8).contains(&high), "frame {frame}: from {low} to {high}");
    }
    let model = open("clip", &clip);
    let notes = ge_tests::note_text::texts(&model.notes);
    let count = "the animation moves 51 bones, the model has 53; they are matched by their numbers";
    assert!(notes.iter().any(|note| note.ends_with(count)), "{notes:?}");
    let [animation] = model.animations.as_slice() else { panic!("one animation") };
    assert_eq!((animation.frames, animation.keys), (32, 4127), "frames and keys");
}

/// The file permutes the palette for 8-bit textures, but not for 4-bit textures.
#[test]
fn decoded_pixels_match_file_bytes() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, format, width, height, notes) in [
        ("image-8bit-128-128.tm2", TexelFormat::CLUT8, 128, 128, 0),
        ("image-8bit-512-272.tm2", TexelFormat::CLUT8, 512, 272, 0),
        ("dummy-4bit-64-16.tm2", TexelFormat::CLUT4, 64, 16, 0),
        ("tt02.radar.tm2", TexelFormat::CLUT4, 512, 512, 2),
    ] {
        let bytes = read(&folder, name);
        let set = input::textures(&Request::new(name, &bytes));
        let [texture] = set.textures.as_slice() else { panic!("{name}: one picture") };
        assert_eq!((texture.format, texture.width, texture.height), (format, width, height), "{name}");
        assert_eq!(set.notes.len(), notes, "{name}: {:?}", set.notes);
        let picture = texture.decode(&set.memory, 0);
        let (width, height) = (usize::from(width), usize::from(height));
        let is_4bit = format == TexelFormat::CLUT4;
        let clut = 0x40 + if is_4bit { width * height / 2 } else { width * height };
        let entries = if is_4bit { 16 } else { 256 };
        let color =
            |entry: usize| -> [u8; 4] { std::array::from_fn(|channel| bytes[clut + entry * 4 + channel]) };
        let highest = (0..entries).map(|entry| color(entry)[3]).max().unwrap_or(0);
        for (pixel_number, pixel) in picture.pixels().enumerate() {
            let index = if is_4bit {
                usize::from(bytes[0x40 + pixel_number / 2] >> (pixel_number % 2 * 4) & 15)
            } else {
                let index = usize::from(bytes[0x40 + pixel_number]);
                // In every 32 entries, 8 to 15 and 16 to 23 are swapped.
                match index % 32 {
                    8..=15 => index + 8,
                    16..=23 => index - 8,
                    _ => index,
                }
            };
            let mut expected = color(index);
            if highest <= 0x80 {
                expected[3] = expected[3].saturating_mul(2);
            }
            assert_eq!(pixel.0, expected, "{name}: pixel {pixel_number}");
        }
    }
}

#[test]
fn animation_curves_match_oracle() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, at, title, counts) in [
        ("test.pam", 0x20, Some("OpenKHAnim"), [53, 90, 298, 10343]),
        ("p03ex00021e-raw-clip.bin", 0, None, [51, 32, 232, 4127]),
    ] {
        let bytes = read(&folder, name);
        assert_eq!(formats::sniff(&bytes).map(Format::name), Some("pam"), "{name}: recognised");
        let opened = input::open(&Request::new(name, &bytes));
        let Content::Animations(set) = opened.content else { panic!("{name}: animations") };
        let [animation] = set.animations.as_slice() else { panic!("{name}: one animation") };
        assert_eq!((animation.name.as_deref(), animation.frames_per_second), (title, Some(30.0)), "{name}");
        let frames = usize::try_from(animation.frames).expect("few");
        assert_eq!([set.bones, frames, animation.channels, animation.keys], counts, "{name}: counts");
        assert_curves(name, animation, &bytes, at, set.bones);
    }
}

fn assert_curves(name: &str, animation: &Animation, bytes: &[u8], at: usize, bones: usize) {
    let rest = matrix::translation([1.0, 2.0, 3.0]);
    let bones = (0..u32::try_from(bones).expect("few"))
        .map(|id| Bone { id, name: None, parent: None, local: rest })
        .collect();
    let skeleton = Skeleton::new(bones).expect("roots");
    for frame in [-3.0, 0.0, 0.25, 1.0, 17.5, 44.0, 88.75, 89.0, 200.0] {
        let found = animation.sampler.sample(&skeleton, frame);
        let values = bbs_oracle::clip_values(bytes, at, frame);
        assert_eq!(found.len(), values.len(), "bones");
        for (bone, (found, values)) in found.iter().zip(values).enumerate() {
            let value = |channel: usize, rest: f64| values[channel].unwrap_or(rest);
            let turn = bbs_oracle::euler([value(3, 0.0), value(4, 0.0), value(5, 0.0)]);
            let location = [value(0, 1.0), value(1, 2.0), value(2, 3.0)];
            for axis in 0..4 {
                for row in 0..3 {
                    let expected =
                        if axis == 3 { location[row] } else { turn[row][axis] * value(6 + axis, 1.0) };
                    let apart = (f64::from(found[axis * 3 + row]) - expected).abs();
                    let what = format!("{name}: frame {frame}, bone {bone}, axis {axis}, row {row}");
                    assert!(apart < 1e-5 * expected.abs().max(1.0), "{what}: {apart} off {expected}");
                }
            }
        }
    }
}
