//! Opens the GMO models in the corpus and the bundled model: counts must equal an independent parser's, and poses
//! those worked out by hand.
//!
//! For the corpus part, set `PSPGE_CORPUS` to the folder with `models/gmo`. Without it these tests print a message
//! and pass.

use std::collections::BTreeSet;

use ge_tests::damage::{assert_located, count_parallel};
use ge_tests::generate::Random;
use ge_tests::{corpus, input, long_checks, mutate, sample};
use pspge::documents::InfoDocument;
use pspge::formats::{self, Content, Format, Request};
use pspge::ge::limits::Limits;
use pspge::ge::opcode::Opcode;
use pspge::model::Model;
use pspge::scene::render;
use pspge::{RunSpec, View};

/// Returns each model with its row in `counts.tsv`.
fn models() -> Vec<(Vec<String>, Vec<u8>)> {
    let Some(folder) = corpus::folder("models/gmo") else { return Vec::new() };
    let table = String::from_utf8(corpus::read(&folder, "counts.tsv")).expect("text");
    let rows = table.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let rows: Vec<_> = rows.map(|row| (row.clone(), corpus::read(&folder, &row[0]))).collect();
    assert!(rows.len() >= 5, "files");
    rows
}

#[test]
fn counts_match_an_independent_parser() {
    for (row, bytes) in models() {
        let name = &row[0];
        assert_eq!(formats::sniff(&bytes).map(Format::name), Some("gmo"), "{name}: recognised");
        let model = input::model(&Request::new(name, &bytes));
        let info = &model.info;
        let extra = |name: &str| usize::try_from(info.extra(name).unwrap_or_default()).unwrap_or(usize::MAX);
        let found = [
            info.vertices,
            info.triangles,
            extra("lines"),
            info.bones,
            extra("parts"),
            info.materials,
            info.textures,
            model.animations.len(),
        ];
        let expected: Vec<usize> = row[1..].iter().map(|cell| cell.parse().expect("a number")).collect();
        assert_eq!(found.as_slice(), expected, "{name}: {row:?}");
    }
}

/// The only note has to be about the stray word that the converter leaves in Layer.
#[test]
fn only_the_stray_words_of_a_converter_are_noted() {
    for (row, bytes) in models() {
        let model = input::model(&Request::new(&row[0], &bytes));
        let is_converted = ["chips.gmo", "planets.gmo", "waves.gmo"].contains(&row[0].as_str());
        let texts: Vec<String> = model.notes.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), usize::from(is_converted), "{}: {texts:?}", row[0]);
        assert!(texts.iter().all(|text| text.contains("the list of chunks ends here")), "{texts:?}");
    }
}

/// The list must draw every vertex in the file with its own values.
#[test]
fn drawn_vertices_are_those_of_the_file() {
    for (row, bytes) in models() {
        let name = &row[0];
        let model = input::model(&Request::new(name, &bytes));
        let geometry = render::geometry(&model);
        let drawn: usize = geometry.draws().iter().map(|draw| draw.vertices.len()).sum();
        let passes = model.parts.len();
        let each: usize = row[1].parse().expect("a number");
        assert_eq!(drawn, each * passes, "{name}: {passes} passes");
        let positions: BTreeSet<[u32; 3]> = geometry
            .draws()
            .iter()
            .flat_map(|draw| &draw.vertices)
            .map(|vertex| vertex.position.map(f32::to_bits))
            .collect();
        assert!(positions.len() > 3, "{name}: different places");
    }
}

/// The strip has three rows with two vertices. At frame 15 the upper bone is turned by 90 degrees.
#[test]
fn skinned_strip_is_posed_as_worked_out_by_hand() {
    let Some(folder) = corpus::folder("models/gmo") else { return };
    let bytes = corpus::read(&folder, "skinned-strip.gmo");
    let mut model = input::model(&Request::new("skinned-strip.gmo", &bytes));
    let rest = positions(&model);
    let expected_rest =
        [[-0.5, 2.0], [0.5, 2.0], [-0.5, 1.0], [0.5, 1.0], [-0.5, 0.0], [0.5, 0.0]].map(|[x, y]| [x, y, 0.0]);
    for corner in expected_rest {
        assert!(rest.iter().any(|found| near(*found, corner)), "at rest: {corner:?} of {rest:?}");
    }
    model.animate(0, 15.0);
    let posed = positions(&model);
    for (from, to) in [
        ([-0.5, 2.0], [-1.0, 0.5]),
        ([0.5, 2.0], [-1.0, 1.5]),
        ([-0.5, 1.0], [-0.25, 0.75]),
        ([0.5, 1.0], [0.25, 1.25]),
        ([-0.5, 0.0], [-0.5, 0.0]),
        ([0.5, 0.0], [0.5, 0.0]),
    ] {
        let at = rest.iter().position(|found| near(*found, [from[0], from[1], 0.0])).expect("at rest");
        assert!(near(posed[at], [to[0], to[1], 0.0]), "{from:?} to {to:?}: {:?}", posed[at]);
    }
}

fn near(one: [f32; 3], other: [f32; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-3)
}

fn positions(model: &Model) -> Vec<[f32; 3]> {
    render::geometry(model)
        .draws()
        .iter()
        .flat_map(|draw| draw.vertices.iter().map(|vertex| vertex.position))
        .collect()
}

/// The bundled model uses most of this format's features, to show whether they work together.
#[test]
fn the_sample_has_every_feature() {
    let bytes = sample::read("beacon.gmo");
    let model = input::model(&Request::new("beacon.gmo", &bytes));
    let texts: Vec<String> = model.notes.iter().map(ToString::to_string).collect();
    assert_eq!(texts, Vec::<String>::new(), "nothing is odd");
    for (counter, least) in [
        ("lines", 3),
        ("lists", 1),
        ("strips", 2),
        ("fans", 1),
        ("patches", 1),
        ("indexed", 3),
        ("weights", 4),
        ("morph_frames", 2),
        ("blend_bones", 4),
        ("curves_constant", 1),
        ("curves_linear", 3),
        ("curves_hermite", 1),
        ("curves_cubic", 1),
        ("curves_spherical", 1),
        ("curves_half", 1),
    ] {
        let found = model.info.extra(counter).unwrap_or_default();
        assert!(found >= least, "{counter}: {found}");
    }
    let document = InfoDocument::of_opened(
        "beacon.gmo",
        &bytes,
        &formats::open(&Request::new("beacon.gmo", &bytes)).expect("good"),
        &Limits::default(),
    );
    assert_eq!(document.textures, Some(2), "two GIM pictures");
    // The second group's bone comes last, and its pass adds light.
    let last = model.parts.last().expect("parts");
    let words: Vec<u32> =
        (0..200).map(|word| model.memory.read_u32(last.call.offset((word * 4_u32).wrapping_neg()))).collect();
    let blend = words.iter().find(|word| **word >> 24 == u32::from(Opcode::BLENDMODE.code()));
    assert_eq!(blend.map(|word| word & 0xFFF), Some(0x0A2), "added at the end");
}

/// The flag has to move, and the tower has to keep still.
#[test]
fn the_sample_moves() {
    let mut model = sample::open("beacon.gmo");
    let before = positions(&model);
    let mut moved = BTreeSet::new();
    for frame in [4.0, 8.0, 20.0, 33.0] {
        model.animate(0, frame);
        let after = positions(&model);
        assert_eq!(after.len(), before.len(), "frame {frame}: the same vertices");
        let apart = |(one, other): (&[f32; 3], &[f32; 3])| !near(*one, *other);
        moved.insert(before.iter().zip(&after).filter(|pair| apart(*pair)).count());
        assert!(after.iter().flatten().all(|value| value.is_finite() && value.abs() < 10.0), "frame {frame}");
    }
    assert!(
        moved.iter().all(|count| (8..before.len() - 60).contains(count)),
        "{moved:?} of {}",
        before.len()
    );
}

/// Draws the sample from several sides: each picture must have many colours, and no two may be the same.
#[test]
fn the_sample_is_drawn() {
    let bytes = sample::read("beacon.gmo");
    let asset = pspge::open("beacon.gmo", &bytes).expect("a model");
    let mut seen = BTreeSet::new();
    for view in [View::Front, View::Left, View::Back, View::Top] {
        let picture = asset.render(&RunSpec::default().view(view)).expect("drawn");
        let colors: BTreeSet<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
        assert!(colors.len() > 200, "{view:?}: {} colours", colors.len());
        assert!(seen.insert(picture.into_raw()), "{view:?}: another picture");
    }
}

/// Opens 150 damaged copies of each file, to pose and draw them; 300 in the long checks.
#[test]
fn damaged_copies_are_opened_or_refused() {
    let copies = if long_checks::are_wanted() { 300 } else { 150 };
    let mut files: Vec<(String, Vec<u8>)> =
        models().into_iter().map(|(row, bytes)| (row[0].clone(), bytes)).collect();
    files.push(("beacon.gmo".to_owned(), sample::read("beacon.gmo")));
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
                            model.animate(animation, 3.5);
                        }
                        let _ = render::geometry(&model);
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
