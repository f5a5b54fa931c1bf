//! Birth by Sleep files of the corpus: counts against the published ones, and decoded geometry, pixels and
//! curves against an independent decoder.
//!
//! Needs `PSPGE_CORPUS`, the folder that holds `models/bbs`. Without it the tests print a message and pass.

use ge_tests::corpus::{self, read};
use ge_tests::{bbs_check, bbs_oracle, input};
use pspge::formats::{self, Content, Format, Request};
use pspge::ge::registers::texture::TexelFormat;
use pspge::model::{Bone, Skeleton, matrix};

/// According to the corpus's README: one section of 16 strips of 34 vertices, one texture.
#[test]
fn counts_match_published_ones() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, format, version, instances) in
        [("bbs-dummy.pmo", "bbs-pmo", "3", None), ("bbs-testmap.pmp", "pmp", "0", Some(1))]
    {
        let bytes = read(&folder, name);
        assert_eq!(formats::sniff(&bytes).map(Format::name), Some(format), "{name}: recognised");
        let model = input::model(&Request::new(name, &bytes));
        let info = &model.info;
        assert_eq!((info.format, info.version.as_deref()), (format, Some(version)), "{name}: version");
        let counts = [info.meshes, info.draws, info.vertices, info.triangles, info.textures, info.bones];
        assert_eq!(counts, [1, 16, 544, 512, 1, 0], "{name}: counts");
        assert_eq!(info.extra("strips"), Some(16), "{name}: strips");
        assert_eq!(info.extra("instances"), instances, "{name}: instances");
        assert_eq!(info.extra("second_pass_sections"), Some(0), "{name}: second mesh list");
        assert!(model.notes.is_empty(), "{name}: no notes: {:?}", model.notes);
        let texture = &model.textures[0];
        assert_eq!(texture.name.as_deref(), Some("Dummy_tex02"), "{name}: the texture's name");
        assert_eq!((texture.format, texture.width, texture.height), (TexelFormat::CLUT8, 512, 512), "{name}");
    }
}

#[test]
fn vertices_match_oracle() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    let bytes = read(&folder, "bbs-dummy.pmo");
    let oracle = bbs_oracle::model(&bytes, 0, None);
    assert_eq!(oracle.iter().map(|draw| draw.triangles.len()).sum::<usize>(), 512, "triangles");
    bbs_check::assert_geometry(
        "bbs-dummy.pmo",
        &input::model(&Request::new("bbs-dummy.pmo", &bytes)),
        &oracle,
        0.0,
    );
    let bytes = read(&folder, "bbs-testmap.pmp");
    let map = bbs_oracle::map(&bytes);
    assert_eq!(map, oracle, "the map places the same model at its origin");
    bbs_check::assert_geometry(
        "bbs-testmap.pmp",
        &input::model(&Request::new("bbs-testmap.pmp", &bytes)),
        &map,
        0.0,
    );
}

/// The file permutes the palette of 8-bit textures, but not that of 4-bit textures.
#[test]
fn decoded_pixels_match_file_bytes() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, format, width, height, notes) in [
        ("image-8bit-128-128.tm2", TexelFormat::CLUT8, 128, 128, 0),
        ("image-8bit-512-272.tm2", TexelFormat::CLUT8, 512, 272, 1),
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
                // Entries 8 to 15 and 16 to 23 of every 32 are swapped.
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
    let bytes = read(&folder, "test.pam");
    let opened = input::open(&Request::new("test.pam", &bytes));
    let Content::Animations(set) = opened.content else { panic!("a PAM file") };
    let [animation] = set.animations.as_slice() else { panic!("one animation") };
    assert_eq!((set.bones, animation.name.as_deref()), (53, Some("OpenKHAnim")), "bones and name");
    assert_eq!((animation.frames, animation.frames_per_second), (90, Some(30.0)), "frames");
    assert_eq!((animation.channels, animation.keys), (298, 10343), "channels and keys");

    let rest = matrix::translation([1.0, 2.0, 3.0]);
    let bones = (0..53).map(|id| Bone { id, name: None, parent: None, local: rest }).collect();
    let skeleton = Skeleton::new(bones).expect("roots");
    for frame in [-3.0, 0.0, 0.25, 1.0, 17.5, 44.0, 88.75, 89.0, 200.0] {
        let found = animation.sampler.sample(&skeleton, frame);
        let values = bbs_oracle::pam_values(&bytes, 0, frame);
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
                    let what = format!("frame {frame}, bone {bone}, axis {axis}, row {row}");
                    assert!(apart < 1e-5 * expected.abs().max(1.0), "{what}: {apart} off {expected}");
                }
            }
        }
    }
}
