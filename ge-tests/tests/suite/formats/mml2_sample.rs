//! Checks the sample archive for Mega Man Legends 2, a robot, because it combines features that no public file has
//! together.

use std::collections::BTreeMap;

use ge_tests::input::{self, model};
use ge_tests::sample;
use pspge::formats::{Request, Selection};
use pspge::scene::render::geometry;

fn bytes() -> Vec<u8> {
    sample::read("robot.bin")
}

#[test]
fn counts_match_what_the_generator_wrote() {
    let bytes = bytes();
    let opened = input::open(&Request::new("robot.bin", &bytes));
    let counts: BTreeMap<&str, u64> =
        opened.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    for (name, expected) in [
        ("sections", 4),
        ("terminators", 1),
        ("type_12", 1),
        ("images", 2),
        ("palettes", 3),
        ("lz_tims", 1),
        ("entities", 3),
        ("skeletal", 2),
        ("submeshes_lod0", 19),
        ("tri_total_lod0", 224),
        ("tri_total_lod1", 152),
        ("tri_total_lod2", 152),
        ("hidden_submeshes", 2),
        ("weld_vertices", 16),
        ("flagged_faces", 12),
        ("keysets", 6),
        ("clips", 4),
        ("clips_absent", 2),
    ] {
        assert_eq!(counts[name], expected, "{name}");
    }
}

#[test]
fn selection_picks_hidden_submeshes_and_levels_of_detail() {
    let bytes = bytes();
    let request = Request::new("robot.bin", &bytes);
    let meshes = |selection| model(&Request { selection, ..request }).info.meshes;
    let triangles = |selection| model(&Request { selection, ..request }).info.triangles;
    let hidden = Selection { hidden: true, ..Selection::default() };
    assert_eq!((meshes(Selection::default()), meshes(hidden)), (8, 9), "the hat is hidden at first");
    let level = |level_of_detail| triangles(Selection { level_of_detail, ..hidden });
    assert_eq!([level(0), level(1), level(2), level(9)], [108, 72, 72, 72], "boxes, then octahedra");
}

/// In every pose, the forearm's upper ring must be the upper arm's lower ring; four of its vertices have two weights.
#[test]
fn welded_vertices_stay_together_in_motion() {
    let bytes = bytes();
    let mut model = model(&Request::new("robot.bin", &bytes));
    for frame in [0.0, 2.0, 5.0] {
        model.animate(0, frame);
        let geometry = geometry(&model);
        let positions = |mesh: usize| -> Vec<[f32; 3]> {
            let draws = geometry.draws().iter();
            let draws = draws.filter(|draw| model.part_at(draw.at).is_some_and(|part| part.mesh == mesh));
            draws.flat_map(|draw| draw.vertices.iter().map(|vertex| vertex.position)).collect()
        };
        let (upper, fore) = (positions(2), positions(3));
        let near = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
        let mut shared: Vec<[f32; 3]> = Vec::new();
        for vertex in fore.iter().filter(|vertex| upper.iter().any(|other| near(vertex, other))) {
            if !shared.iter().any(|known| near(known, vertex)) {
                shared.push(*vertex);
            }
        }
        assert_eq!(shared.len(), 4, "frame {frame}: the elbow's four corners");
    }
    let part = model.parts.iter().find(|part| part.mesh == 3).expect("the forearm");
    assert_eq!((part.weights, part.palette[..2].to_vec()), (2, vec![Some(3), Some(2)]), "two bones");
}

/// Tries frames between two poses, a clip that loops to its second frame, and a clip that stops.
#[test]
fn clips_loop_or_stop_at_their_end() {
    let bytes = bytes();
    let model = model(&Request::new("robot.bin", &bytes));
    let names: Vec<&str> =
        model.animations.iter().filter_map(|animation| animation.name.as_deref()).collect();
    assert_eq!(names, ["clip:1", "clip:2"], "clip 0 is absent");
    let skeleton = model.skeleton.as_ref().expect("bones");
    let swing = &model.animations[0];
    assert_eq!(swing.frames, 10, "one frame lasts four ticks");
    let height = |frame: f64| swing.sampler.sample(skeleton, frame)[0][10];
    // The body sinks by 20 units of 0.00125 metres in four steps, then rises in two.
    for (frame, sunk) in
        [(0.0, 0.0), (1.0, 5.0), (2.9, 10.0), (3.0, 15.0), (4.0, 20.0), (7.5, 20.0), (8.0, 10.0)]
    {
        let expected = (300.0 - sunk) * 0.00125;
        assert!((height(frame) - expected).abs() < 1e-5, "frame {frame}: {} for {expected}", height(frame));
    }
    assert_eq!(height(10.0).to_bits(), height(1.0).to_bits(), "loops to the second frame");
    assert_eq!(height(-3.0).to_bits(), height(0.0).to_bits(), "stays at the first frame before the start");
    let still = &model.animations[1];
    assert_eq!(
        still.sampler.sample(skeleton, 99.0),
        still.sampler.sample(skeleton, 0.0),
        "stays at the last pose"
    );
}

/// Two images share a place in VRAM, so each material must use the image in its palette's group. A material without
/// palette has no texture.
#[test]
fn images_use_the_palette_of_their_group() {
    let bytes = bytes();
    let colors = |member: &str| {
        let model = model(&Request { member: Some(member), ..Request::new("robot.bin", &bytes) });
        let pictures = model.textures.iter().map(|texture| texture.decode(&model.memory, 0));
        let pixels: Vec<[u8; 4]> = pictures.map(|picture| picture.get_pixel(0, 0).0).collect();
        let missing =
            model.notes.iter().filter(|note| note.message.contains("drawn without a texture")).count();
        (pixels, missing, model.parts.iter().map(|part| part.texture).max().flatten())
    };
    // This expects texel 9 from the first image in red and in brass, and texel 4 from the second in grey.
    assert_eq!(colors("0"), (vec![[123, 49, 41, 255], [140, 107, 41, 255]], 0, Some(1)), "robot");
    assert_eq!(colors("1"), (vec![[8, 8, 8, 255]], 1, Some(0)), "its copy");
    assert_eq!(colors("2"), (vec![], 0, None), "the gem has only vertex colours");
}
