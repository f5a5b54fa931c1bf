//! Exports files, reads them back with an independent reader, and compares them with decoded geometry: models at rest
//! and at moments in animations, and recorded frames.

mod compare;
mod drawing_order;
mod expected;
mod merging;
mod placement;
mod reader;
mod synthetic;
mod wavefront;

use std::collections::HashSet;

use compare::{same_attributes, unmatched, unmatched_by};
use expected::{every_model, largest_extent, models, triangles};
use ge_tests::{corpus, input, long_checks, sample};
use pspge::export::scene::{AlphaMode, Extra, Node, Scene};
use pspge::export::{DrawFilter, FrameSpace, RigMode, frame_scene, gltf as written, model_scene};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::ge::registers::Matrix;
use pspge::ge::registers::pixel::ClearMode;
use pspge::ge::registers::vertex::VertexType;
use pspge::model::Model;
use pspge::model::matrix::{IDENTITY, then};
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::run::decode::{DecodedDraw, decode};
use pspge::run::interpreter::Limits;
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};
use pspge::scene::render::geometry;
use reader::{self as reading, GltfReading, Triangle};

/// Tolerance relative to the model's size, because lists hold matrices cut to 16 bits.
const TOLERANCE: f64 = 1e-4;

fn rigged(model: &Model, name: &str) -> Scene {
    model_scene(model, name, &DrawFilter::default(), RigMode::Rigged)
}

/// Exports a model and compares everything in the file with the decoded model.
fn check(model: &Model, name: &str) -> GltfReading {
    let scene = rigged(model, name);
    let bytes = written::write_glb(&scene);
    assert_eq!(bytes, written::write_glb(&rigged(model, name)), "{name}: the same bytes twice");
    let reading = GltfReading::new(&bytes);
    let upright = model.up.upright().unwrap_or(IDENTITY);
    let draws = geometry(model);
    let expected = triangles(draws.draws(), &upright);
    let found = reading.triangles(None);
    let tolerance = TOLERANCE * largest_extent(&expected);
    assert_eq!(unmatched(&found, &expected, tolerance), (0, 0), "{name}: triangles at rest");
    let textured: Vec<bool> = reading
        .file
        .materials()
        .map(|material| material.pbr_metallic_roughness().base_color_texture().is_some())
        .collect();
    let agrees =
        |found: &Triangle, expected: &Triangle| same_attributes(found, expected, textured[found.surface]);
    let remaining = unmatched_by(&found, &expected, tolerance, &agrees);
    assert_eq!(remaining, (0, 0), "{name}: texture coordinates and normals at rest");

    check_counts(&reading, &scene, name);
    check_parts(&reading, model, name);
    // Welding removes vertices but must add none.
    let decoded: usize = draws.draws().iter().map(|draw| draw.vertices.len()).sum();
    assert!(reading.vertex_count() <= decoded, "{name}: no invented vertices");
    for mesh in &scene.meshes {
        for primitive in &mesh.primitives {
            let bits = |number: usize| {
                let normal = primitive.normals.get(number).map(|normal| normal.map(f32::to_bits));
                let texcoord = primitive.texcoords.get(number).map(|texcoord| texcoord.map(f32::to_bits));
                let influences = primitive.influences.get(number).map(|influences| {
                    influences.iter().map(|one| (one.joint, one.weight.to_bits())).collect::<Vec<_>>()
                });
                let position = primitive.positions[number].map(f32::to_bits);
                (position, normal, texcoord, primitive.colors.get(number), influences)
            };
            let distinct: HashSet<_> = (0..primitive.positions.len()).map(bits).collect();
            assert_eq!(distinct.len(), primitive.positions.len(), "{name}: no duplicate vertices");
        }
    }
    let skins: Vec<usize> = reading.file.skins().map(|skin| skin.joints().count()).collect();
    for (number, skin) in reading.file.skins().enumerate() {
        let joints: HashSet<usize> = skin.joints().map(|joint| joint.index()).collect();
        assert_eq!(joints.len(), skins[number], "{name}: joints of a skin are different nodes");
    }
    // The file holds only animations that move bones; a scrolling texture, for example, is left out.
    let animations = if model.skeleton.is_some() { model.animations.as_slice() } else { &[] };
    assert_eq!(reading.file.animations().count(), animations.len(), "{name}: animations");

    for (number, animation) in animations.iter().enumerate() {
        let last = animation.frames.max(1) - 1;
        for frame in [0, last / 2, last] {
            let mut posed = model.clone();
            posed.animate(number, f64::from(frame));
            let expected = triangles(geometry(&posed).draws(), &upright);
            let seconds = frame as f32 / animation.frames_per_second.unwrap_or(30.0);
            let found = reading.triangles(Some((number, seconds)));
            let mut remaining = unmatched(&found, &expected, tolerance);
            if !animation.sampler.commands(0.0).is_empty() {
                // Such an animation may hide parts, which this kind of file cannot express.
                remaining.0 = 0;
            }
            let what = animation.name.as_deref().unwrap_or("");
            assert_eq!(remaining, (0, 0), "{name}: animation {number} {what}, frame {frame} of {last}");
        }
    }
    reading
}

/// Compares a scene's counts, as printed by `pspge info`, with the file's.
fn check_counts(reading: &GltfReading, scene: &Scene, name: &str) {
    assert_eq!(reading.vertex_count(), scene.vertex_count(), "{name}: vertices");
    assert_eq!(reading.triangle_count(), scene.triangle_count(), "{name}: triangles");
    assert_eq!(reading.file.meshes().count(), scene.meshes.len(), "{name}: meshes");
    assert_eq!(reading.file.animations().count(), scene.animations.len(), "{name}: animations");
    let bones = reading.file.nodes().filter(|node| reading::number(node.extras(), "bone").is_some());
    assert_eq!(bones.count(), scene.bone_count(), "{name}: bones");
}

/// Checks that every primitive has the same material, group and texture as its first draw's part.
fn check_parts(reading: &GltfReading, model: &Model, name: &str) {
    for primitive in reading.file.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let extras = primitive.extras();
        let Some(group) = reading::number(extras, "group") else { continue };
        let at = reading::text(extras, "address").expect("the source address");
        let at = u32::from_str_radix(at.trim_start_matches("0x"), 16).expect("hexadecimal");
        let at = pspge::ge::address::Address::new(at);
        let mut parts = model.parts.iter().filter(|part| part.list.contains(&at));
        let part = parts.find(|part| part.group as u64 == group).unwrap_or_else(|| {
            panic!("{name}: the draw at {at} is not in group {group}");
        });
        assert_eq!(reading::number(extras, "material"), Some(part.material as u64), "{name}: at {at}");
        let material = primitive.material();
        let texture = material.pbr_metallic_roughness().base_color_texture();
        let called = material.name().expect("a name");
        let image = texture.as_ref().and_then(|info| info.texture().source().name().map(str::to_owned));
        let wanted = image.unwrap_or_else(|| format!("material_{}", part.material));
        assert!(called == wanted || called.starts_with(&format!("{wanted}_")), "{name}: {called} at {at}");
        let textures = texture.map(|info| reading::numbers(info.texture().source().extras(), "textures"));
        match (&textures, part.texture) {
            // Textures with equal content share an image, so its extras list them all.
            (Some(textures), Some(texture)) => {
                assert!(textures.contains(&(texture as u64)), "{name}: {textures:?} at {at}, not {texture}");
            }
            (None, Some(texture)) => panic!("{name}: no texture at {at}, not {texture}"),
            // For doubled colours, adapters add a white texture.
            (textures, None) => assert!(textures.iter().all(Vec::is_empty), "{name}: {textures:?} at {at}"),
        }
    }
}

#[test]
fn exported_samples_match_decoded_geometry() {
    let mut count = 0;
    for path in input::entries(&sample::folder()) {
        for (name, model) in models(&path) {
            let reading = check(&model, &name);
            count += 1;
            assert!(reading.file.meshes().count() > 0, "{name}: has meshes");
        }
    }
    assert!(count >= 3, "at least three samples");
}

#[test]
fn exported_sample_keeps_bones_and_textures() {
    let model = sample::open("lampwing.pac");
    let reading = check(&model, "lampwing");
    let bones = model.skeleton.as_ref().expect("bones").bones();
    let [skin] = &reading.file.skins().collect::<Vec<_>>()[..] else { panic!("one skin") };
    let names: Vec<String> = skin.joints().map(|joint| joint.name().unwrap_or_default().to_owned()).collect();
    for (bone, name) in bones.iter().zip(&names) {
        let expected = bone.name.clone().unwrap_or_else(|| format!("bone_{}", bone.id));
        assert_eq!(*name, expected, "joints are named after bones, in their order");
    }
    assert_eq!(names.len(), bones.len(), "all bones");
    let parents = |node: usize| {
        reading.file.nodes().find(|parent| parent.children().any(|child| child.index() == node))
    };
    for (bone, joint) in bones.iter().zip(skin.joints()) {
        let above = bone.parent.map(|parent| names[parent].clone()).unwrap_or("skeleton".to_owned());
        let parent = parents(joint.index()).and_then(|parent| parent.name().map(str::to_owned));
        assert_eq!(parent, Some(above), "parents are as in the file");
    }
    // Every image must be a whole texture in the model, without duplicates.
    let pictures: Vec<_> = model.textures.iter().map(|texture| texture.decode(&model.memory, 0)).collect();
    assert_eq!(reading.file.images().count(), pictures.len(), "all textures are used");
    for number in 0..pictures.len() {
        let mut image = reading.image(number);
        let is_opaque = image.pixels().all(|pixel| pixel.0[3] == 255);
        let matched = pictures.iter().any(|picture| {
            let mut picture = picture.clone();
            if is_opaque {
                picture.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
            }
            image::imageops::crop(&mut image, 0, 0, picture.width(), picture.height()).to_image() == picture
        });
        assert!(matched, "image {number} is a texture");
    }
}

#[test]
fn exported_corpus_matches_decoded_geometry() {
    let Some(folder) = corpus::folder("models") else { return };
    let mut count = 0;
    for (name, model) in long_checks::sample(every_model(&folder), 0) {
        let scene = rigged(&model, &name);
        if scene.meshes.is_empty() {
            // This model has no triangles to export.
            assert!(geometry(&model).draws().iter().all(|draw| draw.triangles.is_empty()), "{name}");
            continue;
        }
        check(&model, &name);
        count += 1;
    }
    assert!(count >= long_checks::rounds(40), "only {count} models");
}

/// Keeps triangles from draws, transformed to view space by the VIEW matrix.
#[derive(Default)]
struct ViewSpace {
    triangles: Vec<Triangle>,
    world: Vec<DecodedDraw>,
}

impl Sink for ViewSpace {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let through = draw.registers.get::<VertexType>().through;
        if through || draw.registers.get::<ClearMode>().enabled {
            return;
        }
        let mut view = IDENTITY;
        for (element, value) in view.iter_mut().zip(draw.registers.matrix(Matrix::View)) {
            *element = value.to_f32();
        }
        let decoded = decode(memory, draw);
        self.triangles.extend(triangles(std::slice::from_ref(&decoded), &view));
        self.world.push(decoded);
    }

    fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

    fn flush(&mut self, _: &mut Memory) {}
}

#[test]
fn exported_frames_match_decoded_geometry() {
    let Some(folder) = corpus::folder("frames") else { return };
    for name in ["nova", "monster-hunter-3rd", "coded-arms", "need-for-speed-carbon"] {
        let bytes = corpus::read(&folder, &format!("{name}.ppdmp"));
        let open = || *input::frame_dump(name, &bytes).0;
        let mut sink = ViewSpace::default();
        replay::run(&mut open(), Arithmetic::Hardware, &mut sink, &mut NullObserver, &Limits::default());
        let export = |space| frame_scene(&mut open(), name, &DrawFilter::default(), space);
        let scene = export(FrameSpace::View);
        let reading = GltfReading::new(&written::write_glb(&scene));
        let found = reading.triangles(None);
        // Sprites are exported as triangles, but decoded as pairs. A mirrored view is mirrored back.
        let finite = |triangle: &&Triangle| triangle.corners.as_flattened().iter().all(|c| c.abs() < 1e30);
        let expected: Vec<Triangle> = sink.triangles.iter().filter(finite).copied().collect();
        assert!(expected.len() > 500, "{name}: enough triangles, {}", expected.len());
        let mirrored: Vec<Triangle> = expected
            .iter()
            .map(|triangle| {
                let mirror = |[x, y, z]: [f64; 3]| [x, y, -z];
                let (corners, normals) = (triangle.corners.map(mirror), triangle.normals.map(mirror));
                Triangle { corners, normals, ..*triangle }
            })
            .collect();
        // Positions must be bit-exact, however large the world is.
        let tolerance = 1e-9 * largest_extent(&expected);
        let missing = [&expected, &mirrored].map(|expected| unmatched(&found, expected, tolerance).1);
        assert_eq!(missing.into_iter().min(), Some(0), "{name}: triangles in view space");
        let textured = scene.materials.iter().filter(|material| material.texture.is_some()).count();
        assert!(textured * 2 > scene.materials.len(), "{name}: most materials have textures");
        assert!(!scene.cameras.is_empty(), "{name}: a camera");
        assert_eq!(
            scene.nodes.iter().filter(|node| node.mesh.is_some()).count(),
            scene.meshes.len(),
            "{name}"
        );

        let world = export(FrameSpace::Automatic);
        assert_eq!(world.triangle_count(), scene.triangle_count(), "{name}: the same in either space");
        let draws = "3-5,7,9-12".parse().expect("a set");
        let one = DrawFilter { draws: Some(draws), through: true, ..DrawFilter::default() };
        let some = frame_scene(&mut open(), name, &one, FrameSpace::View);
        let number = |node: &Node| match node.extras.iter().find(|(name, _)| *name == "draw") {
            Some((_, Extra::Whole(number))) => Some(*number),
            _ => None,
        };
        let numbers: Vec<u64> = some.nodes.iter().filter_map(number).collect();
        assert!(
            numbers.iter().all(|number| [3, 4, 5, 7, 9, 10, 11, 12].contains(number)),
            "{name}: {numbers:?}"
        );
        assert_eq!(some.draws, scene.draws, "{name}: the run is the same");
    }
}

#[test]
fn exported_synthetic_model_matches_decoded_geometry() {
    let model = synthetic::model();
    let reading = check_morphing(&model, "made");
    let names: Vec<&str> = reading.file.nodes().filter_map(|node| node.name()).collect();
    for name in ["root", "leaning", "sheared", "mirror", "leaning_scale", "sheared_scale", "skeleton"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    assert!(!names.contains(&"root_scale"), "a single node is enough for this bone");
    let copies: Vec<_> = reading
        .file
        .nodes()
        .filter(|node| node.name().is_some_and(|name| name.starts_with("mesh_1")))
        .collect();
    let meshes: HashSet<_> = copies.iter().filter_map(|node| node.mesh().map(|mesh| mesh.index())).collect();
    assert_eq!((copies.len(), meshes.len()), (2, 1), "two bones carry the same mesh");
    let morphs = reading.file.meshes().find(|mesh| mesh.weights().is_some()).expect("a morphing mesh");
    assert_eq!(morphs.weights(), Some(&[0.5, 0.25][..]), "the second frame, and the remainder to one");
    let halves: Vec<_> = reading
        .file
        .meshes()
        .filter(|mesh| mesh.name() == Some("mesh_9"))
        .flat_map(|mesh| mesh.primitives().collect::<Vec<_>>())
        .map(|primitive| (primitive.material().name().map(str::to_owned), primitive.extras().clone()))
        .collect();
    let [(first, one), (second, other)] = &halves[..] else { panic!("one CALL, two parts: {halves:?}") };
    assert_eq!([first, second].map(|name| name.as_deref()), [Some("material_1"), Some("material_2")]);
    assert_ne!(reading::number(one, "group"), reading::number(other, "group"), "separate groups");
}

/// Does the same as [`check`] for a morphing model, whose vertices are not welded.
fn check_morphing(model: &Model, name: &str) -> GltfReading {
    let bytes = written::write_glb(&rigged(model, name));
    let reading = GltfReading::new(&bytes);
    check_counts(&reading, &rigged(model, name), name);
    check_parts(&reading, model, name);
    let expected = triangles(geometry(model).draws(), &IDENTITY);
    let tolerance = TOLERANCE * largest_extent(&expected);
    assert_eq!(unmatched(&reading.triangles(None), &expected, tolerance), (0, 0), "{name}: at rest");
    for frame in 0..synthetic::FRAMES {
        let mut posed = model.clone();
        posed.animate(0, f64::from(frame));
        let expected = triangles(geometry(&posed).draws(), &IDENTITY);
        let found = reading.triangles(Some((0, frame as f32 / synthetic::SPEED)));
        assert_eq!(unmatched(&found, &expected, tolerance), (0, 0), "{name}: frame {frame}");
    }
    reading
}

/// This guards against a comparison that accepts everything.
#[test]
fn comparison_detects_moved_reversed_and_missing_triangles() {
    let model = sample::open("lampwing.pac");
    let expected = triangles(geometry(&model).draws(), &IDENTITY);
    let moved = triangles(
        geometry(&model).draws(),
        &then(&IDENTITY, &pspge::model::matrix::translation([1.0, 0.0, 0.0])),
    );
    let turned: Vec<Triangle> = expected
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.corners;
            Triangle { corners: [b, a, c], ..*triangle }
        })
        .collect();
    let tolerance = TOLERANCE * largest_extent(&expected);
    assert_eq!(unmatched(&expected, &expected, tolerance), (0, 0), "equal");
    assert!(unmatched(&moved, &expected, tolerance).1 > expected.len() / 2, "moved");
    assert!(unmatched(&turned, &expected, tolerance).1 > expected.len() / 2, "reversed");
    assert_eq!(unmatched(&expected[1..], &expected, tolerance), (0, 1), "one is missing");
}

#[test]
fn opaque_materials_export_as_opaque() {
    let scene = rigged(&sample::open("lampwing.pac"), "lampwing");
    let count = |wanted: fn(&AlphaMode) -> bool| {
        scene.materials.iter().filter(|material| wanted(&material.alpha)).count()
    };
    assert!(
        count(|mode| *mode == AlphaMode::Opaque) > 0,
        "at least one opaque material: {:?}",
        scene.materials
    );
}
