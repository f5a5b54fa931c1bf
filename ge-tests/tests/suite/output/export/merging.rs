//! Compares merged scenes with their unmerged originals.

use ge_tests::{corpus, input, sample};
use pspge::export::scene::{AlphaMode, Extra, Node, Primitive, Scene};
use pspge::export::{DrawFilter, FrameSpace, Merge, RigMode, frame_scene, gltf, model_scene};
use pspge::model::Model;

use crate::output::export::expected::{every_model, models};
use crate::output::export::reader::GltfReading;

/// Describes every point, line and triangle with everything to decide how it looks and moves, sorted.
fn elements(scene: &Scene) -> Vec<String> {
    let mut elements: Vec<String> =
        drawn(scene).flat_map(|(node, one)| of_primitive(scene, node, one)).collect();
    elements.sort_unstable();
    elements
}

/// Iterates over all primitives with their nodes, in the file's order.
fn drawn(scene: &Scene) -> impl Iterator<Item = (&Node, &Primitive)> {
    scene.nodes.iter().flat_map(|node| {
        let mesh = node.mesh.map(|mesh| &scene.meshes[mesh]);
        mesh.into_iter().flat_map(|mesh| &mesh.primitives).map(move |primitive| (node, primitive))
    })
}

fn of_primitive(scene: &Scene, node: &Node, primitive: &Primitive) -> Vec<String> {
    let corners = match primitive.topology {
        pspge::export::scene::Topology::Points => 1,
        pspge::export::scene::Topology::Lines => 2,
        pspge::export::scene::Topology::Triangles => 3,
    };
    let parent = node.parent.map(|parent| &scene.nodes[parent].name);
    let skin = node.skin.map(|skin| &scene.skins[skin]);
    let weights = &scene.meshes[node.mesh.expect("a mesh")].weights;
    let joint = |joint: u16| {
        let skin = skin.expect("a skin");
        (
            &scene.nodes[skin.joints[usize::from(joint)]].name,
            skin.inverse_bind[usize::from(joint)].map(f32::to_bits),
        )
    };
    let vertex = |&index: &u32| {
        let index = index as usize;
        let moved = |at: [f32; 3]| {
            let by = node.transform.translation;
            [0, 1, 2].map(|axis: usize| (at[axis] + by[axis]).to_bits())
        };
        let influences: Vec<_> = primitive.influences.get(index).into_iter().flatten().collect();
        let influences: Vec<_> =
            influences.iter().map(|one| (joint(one.joint), one.weight.to_bits())).collect();
        let targets: Vec<_> = primitive
            .targets
            .iter()
            .map(|target| {
                let position = target.positions.get(index).map(|value| value.map(f32::to_bits));
                let normal = target.normals.get(index).map(|value| value.map(f32::to_bits));
                let texcoord = target.texcoords.get(index).map(|value| value.map(f32::to_bits));
                (position, normal, texcoord, target.colors.get(index))
            })
            .collect();
        format!(
            "{:?} {:?} {:?} {:?} {influences:?} {targets:?}",
            moved(primitive.positions[index]),
            primitive.normals.get(index).map(|value| value.map(f32::to_bits)),
            primitive.texcoords.get(index).map(|value| value.map(f32::to_bits)),
            primitive.colors.get(index),
        )
    };
    let element = |indices: &[u32]| {
        let vertices: Vec<String> = indices.iter().map(vertex).collect();
        format!(
            "{:?} {} {parent:?} {:?} {:?} {weights:?} {vertices:?}",
            primitive.topology, primitive.material, node.transform.rotation, node.transform.scale
        )
    };
    primitive.indices.chunks_exact(corners).map(element).collect()
}

/// Lists the blended elements in the file's order, because blending depends on it.
fn blended(scene: &Scene) -> Vec<String> {
    let blends = |one: &Primitive| scene.materials[one.material].alpha == AlphaMode::Blend;
    drawn(scene)
        .filter(|(_, one)| blends(one))
        .flat_map(|(node, one)| of_primitive(scene, node, one))
        .collect()
}

fn objects(scene: &Scene) -> usize {
    scene.nodes.iter().filter(|node| node.mesh.is_some()).count()
}

/// Merges a scene in each way and compares. Returns how many objects there are: unmerged, by material, and as a
/// single object.
fn check(scene: &Scene, name: &str) -> [usize; 3] {
    assert_eq!(scene.clone().merged(Merge::None), *scene, "{name}: nothing to do");
    let expected = elements(scene);
    let order = blended(scene);
    let reading = GltfReading::new(&gltf::write_glb(scene));
    let at_rest = reading.triangles(None).len();
    let [material, object] = [Merge::Material, Merge::Object].map(|merge| {
        let merged = scene.clone().merged(merge);
        assert_eq!(elements(&merged), expected, "{name}: {merge:?}");
        assert_eq!(blended(&merged), order, "{name}: {merge:?}: the order of blended surfaces");
        assert_eq!(merged.materials, scene.materials, "{name}: {merge:?}");
        assert_eq!(
            (merged.vertex_count(), merged.bone_count()),
            (scene.vertex_count(), scene.bone_count()),
            "{name}"
        );
        for (number, node) in merged.nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| parent < number), "{name}: {merge:?}: parents first");
        }
        let animated = |scene: &Scene| -> Vec<String> {
            let tracks = scene.animations.iter().flat_map(|animation| &animation.tracks);
            tracks.map(|track| format!("{} {:?}", scene.nodes[track.node].name, track.values)).collect()
        };
        assert_eq!(animated(&merged), animated(scene), "{name}: {merge:?}: animations");
        let reading = GltfReading::new(&gltf::write_glb(&merged));
        assert_eq!(reading.triangles(None).len(), at_rest, "{name}: {merge:?}: an independent reader");
        let mut names: Vec<&String> = merged.nodes.iter().map(|node| &node.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), merged.nodes.len(), "{name}: {merge:?}: names are unique");
        objects(&merged)
    });
    [objects(scene), material, object]
}

fn check_model(model: &Model, name: &str) -> [usize; 3] {
    check(&model_scene(model, name, &DrawFilter::default(), RigMode::Rigged), name)
}

#[test]
fn merged_models_have_the_same_geometry() {
    let mut skinned = 0;
    for name in [
        "lampwing.pac",
        "lampwing-102.pmo",
        "anemone.pmdl",
        "rover.rlb",
        "reedling.arc",
        "beacon.gmo",
        "robot.bin",
    ] {
        for (name, model) in models(&sample::folder().join(name)) {
            let [none, material, object] = check_model(&model, &name);
            assert!(object <= none && material >= 1, "{name}: {none}, {material}, {object}");
            if name.starts_with("lampwing") {
                assert_eq!(object, 1, "{name}: one skin, one object");
                skinned += 1;
            }
        }
    }
    assert!(skinned >= 2, "models with a skin");
    let [none, _, object] = check_model(&super::synthetic::model(), "made");
    assert!(object > 0 && object <= none, "a model with morph targets, bones and instances");
}

#[test]
fn merged_models_of_games_have_the_same_geometry() {
    let Some(folder) = corpus::folder("models") else { return };
    let mut counts = Vec::new();
    for (name, model) in every_model(&folder) {
        counts.push((name.clone(), check_model(&model, &name)));
    }
    let (_, [none, _, object]) = counts.iter().max_by_key(|(_, [none, _, _])| *none).expect("models");
    assert!(object * 10 <= *none, "the model with most meshes: {none} become {object}");
}

#[test]
fn merged_frames_have_the_same_geometry() {
    let Some(folder) = corpus::folder("frames") else { return };
    for name in ["nova", "monster-hunter-3rd", "coded-arms"] {
        let bytes = corpus::read(&folder, &format!("{name}.ppdmp"));
        let filter = DrawFilter { through: true, ..DrawFilter::default() };
        let scene = frame_scene(&mut input::frame_dump(name, &bytes).0, name, &filter, FrameSpace::Automatic);
        let [none, material, object] = check(&scene, name);
        assert!(material < none && object <= material, "{name}: {none}, {material}, {object}");
        let merged = scene.merged(Merge::Material);
        let with_draws = |node: &&Node| node.extras.iter().any(|(name, _)| *name == "draws");
        let some = merged.nodes.iter().find(with_draws).expect("a merged object");
        let names_draws =
            some.extras.iter().any(|(_, value)| matches!(value, Extra::Text(text) if !text.is_empty()));
        assert!(names_draws && some.name.contains(" draw"), "{name}: {some:?}");
    }
}

/// A frame in screen space must have the screen's size, and no camera.
#[test]
fn screen_space_is_what_the_frame_shows() {
    let Some(folder) = corpus::folder("frames") else { return };
    let bytes = corpus::read(&folder, "monster-hunter-3rd.ppdmp");
    let open = || *input::frame_dump("frame", &bytes).0;
    let scene = frame_scene(&mut open(), "frame", &DrawFilter::default(), FrameSpace::Screen);
    let view = frame_scene(&mut open(), "frame", &DrawFilter::default(), FrameSpace::View);
    assert!(scene.cameras.is_empty() && !view.cameras.is_empty(), "a picture needs no camera");
    let on_screen = |[x, y, z]: &[f32; 3]| {
        (0.0..=480.0).contains(x) && (-272.0..=0.0).contains(y) && (-1000.0..=0.0).contains(z)
    };
    let positions: Vec<[f32; 3]> = drawn(&scene).flat_map(|(_, one)| one.positions.iter().copied()).collect();
    let visible = positions.iter().filter(|position| on_screen(position)).count();
    assert!(positions.len() > 1000 && visible * 2 > positions.len(), "{visible} of {}", positions.len());
    let [all, shown] = [&view, &scene].map(Scene::triangle_count);
    assert!(shown < all && shown * 4 > all, "what is behind the camera is cut: {shown} of {all}");
}
