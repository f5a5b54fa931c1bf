//! Damages model files: truncates them at every length, and replaces every word. Each must give a picture or an error
//! in a single line with an offset, in bounded time. Without `PSPGE_LONG_CHECKS`, about every sixth place has to do.
//!
//! For the corpus part, set `PSPGE_CORPUS`; the samples are always damaged.

use ge_tests::damage::{assert_located, count_parallel, random_word};
use ge_tests::{corpus, long_checks, sample};
use pspge::formats::{self, Content, Request};
use pspge::ge::limits::Limits;
use pspge::ge::overrides::Overrides;
use pspge::raster::RasterOptions;
use pspge::scene::camera::Camera;
use pspge::scene::render::ModelRenderer;

/// Returns a renderer for pictures small enough to draw thousands of them.
fn renderer() -> ModelRenderer {
    ModelRenderer {
        camera: Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 },
        width: 32,
        height: 18,
        background: [0; 4],
        options: RasterOptions::default(),
        limits: Limits::default(),
        overrides: Overrides::default(),
    }
}

/// Opens and draws a file; returns whether it could be opened.
fn survives(name: &str, bytes: &[u8]) -> bool {
    match formats::open(&Request::new(name, bytes)) {
        Ok(opened) => {
            if let Content::Model(model) = opened.content {
                let picture = renderer().render(&model, &mut |_| {});
                assert_eq!(picture.colors.dimensions(), (32, 18), "{name}: size of the picture");
            }
            true
        }
        Err(error) => {
            assert_located(name, &error, bytes.len());
            false
        }
    }
}

fn damage_every_length(name: &str, bytes: &[u8], step: usize) {
    let step = long_checks::step(step);
    let lengths = bytes.len().div_ceil(step);
    let opened = count_parallel(lengths, |number| survives(name, &bytes[..number * step]));
    assert!(opened < lengths, "{name}: short files are refused");
}

fn damage_every_word(name: &str, bytes: &[u8], step: usize) {
    damage_words(name, bytes, (0..bytes.len() / 4).step_by(long_checks::step(step)));
}

fn damage_words(name: &str, bytes: &[u8], words: impl IntoIterator<Item = usize>) {
    let words: Vec<usize> = words.into_iter().collect();
    let drawn = count_parallel(words.len() * 3, |number| {
        let (at, kind) = (words[number / 3] * 4, number % 3);
        let word = [0, u32::MAX, random_word(at)][kind];
        let mut damaged = bytes.to_vec();
        damaged[at..at + 4].copy_from_slice(&word.to_le_bytes());
        survives(name, &damaged)
    });
    assert!(drawn > 0, "{name}: some damaged files open");
}

#[test]
fn damaged_pmo_corpus_gives_pictures_or_errors() {
    let Some(folder) = corpus::folder("models/pmo") else { return };
    for name in ["fu_ground.pmo", "fu_skinned_2mesh.pmo", "p3rd_skinned.pmo"] {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, 1);
        damage_every_word(name, &bytes, 1);
    }
    let bytes = corpus::read(&folder, "fu_model.pac");
    damage_every_length("fu_model.pac", &bytes, 7);
    damage_every_word("fu_model.pac", &bytes, 3);
}

#[test]
fn damaged_msh_corpus_gives_pictures_or_errors() {
    let Some(folder) = corpus::folder("models/msh") else { return };
    for name in ["static_1node.msh", "colored_2nodes.msh", "tank_3nodes_anim.msh"] {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, 1);
        damage_every_word(name, &bytes, 2);
    }
}

/// Truncates at every 16th byte, or at 4,096 places of a long archive, and replaces words in steps: large steps in
/// image data, small steps in the tables at the front. The short checks truncate at an eighth of these places, and
/// replace every ninth of these words at the front.
#[test]
fn damaged_mml2_archives_give_content_or_errors() {
    let Some(folder) = corpus::folder("models/mml2") else { return };
    let (places, least, stride) = if long_checks::are_wanted() { (4096, 16, 1) } else { (512, 64, 9) };
    for (name, steps) in [
        ("DEMO.BIN", [24, 2]),
        ("wpn_PL00R02.BIN", [48, 4]),
        ("PL00P000.BIN", [96, 2]),
        ("ST0305.BIN", [960, 16]),
        ("cut-ST1701.BIN", [960, 16]),
        ("flutter-ST05T.BIN", [960, 16]),
    ] {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, bytes.len().div_ceil(places).max(least));
        let [step, head] = steps;
        damage_every_word(name, &bytes, step);
        // This damages the front in small steps, because the tables are there.
        let front = bytes.len().min(0x800) / 4 / head;
        for at in (0..front).step_by(stride).map(|place| place * head * 4) {
            for word in [0, u32::MAX, 0x8000_0000, 4, random_word(at)] {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&word.to_le_bytes());
                survives(name, &damaged);
            }
        }
    }
}

/// No texel value is invalid, so large steps are enough for texels.
#[test]
fn damaged_bbs_corpus_gives_content_or_errors() {
    let Some(folder) = corpus::folder("models/bbs") else { return };
    for (name, tables) in [("bbs-dummy.pmo", 0x340), ("bbs-testmap.pmp", 0x3D0), ("test.pam", 0x400)] {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        let lengths = (0..bytes.len()).step_by(16).filter(|length| *length < 0x2600 || length % 0x400 == 0);
        let lengths: Vec<usize> = lengths.collect();
        let opened = count_parallel(lengths.len(), |number| survives(name, &bytes[..lengths[number]]));
        assert!(opened < lengths.len(), "{name}: short files are refused");
        damage_every_word(name, &bytes[..], 0x200);
        damage_words(name, &bytes, (0..tables / 4).chain(0x2300 / 4..0x23B0 / 4));
    }
    for name in ["dummy-4bit-64-16.tm2", "image-8bit-128-128.tm2", "image-8bit-512-272.tm2", "tt02.radar.tm2"]
    {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, (bytes.len() / 0x400).next_multiple_of(16).max(16));
        damage_words(name, &bytes, 0..0x50 / 4);
    }
}

/// Tests a sample of offsets, because the whole file would take minutes.
#[test]
fn damaged_samples_give_content_or_errors() {
    for name in [
        "lampwing.pac",
        "lampwing.pmo",
        "lampwing-102.pmo",
        "lampwing.tmh",
        "lampwing.ahi",
        "lampwing-102.ahi",
        "lampwing.bin",
        "lampwing-102.bin",
        "reedling.arc",
        "reedling.pmp",
        "reedling.pam",
        "reedling.bon",
        "swatches.tm2",
        "rover.rlb",
        "rover-colors.msh",
        "rover-24.msh",
        "rover-hull.texm",
        "candle.gim",
        "beacon.gmo",
        "harbour.rco",
    ] {
        let bytes = sample::read(name);
        let step = bytes.len() / 150;
        damage_every_length(name, &bytes, step.max(1));
        damage_every_word(name, &bytes, (step / 4).max(1));
    }
}

#[test]
fn damaged_pmdl_corpus_gives_pictures_or_errors() {
    let Some(folder) = corpus::folder("models/pmdl") else { return };
    for name in [
        "par0_gen_be32_uv2.pmdl",
        "par0_gen_le64.pmdl",
        "par0_gx_be32.pmdl",
        "par1_gen_le64.pmdl",
        "par1_gx_be32.pmdl",
        "par2_gen_le32.pmdl",
    ] {
        let bytes = corpus::read(&folder, name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, 16);
        damage_every_word(name, &bytes, 3);
    }
}

/// Tests the header closely, because the rest depends on it, and samples the rest.
#[test]
fn damaged_pmdl_samples_give_pictures_or_errors() {
    for name in ["anemone.pmdl", "anemone-gx.pmdl", "orchard.pmdl", "orchard-collision.pmdl"] {
        let bytes = sample::read(name);
        assert!(survives(name, &bytes), "{name}: the undamaged file opens");
        damage_every_length(name, &bytes, 128);
        damage_every_word(name, &bytes, 19);
        for at in (0..0x200).step_by(4) {
            for word in [1, 0x0100_0000, 0x7FFF_FFFF] {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
                survives(name, &damaged);
            }
        }
    }
}
