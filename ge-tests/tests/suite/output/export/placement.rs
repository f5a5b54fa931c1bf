//! Compares scaled and turned files with plain files: every corner, normal and camera, at rest and in animations.
//! This computes the expected places in double precision.

use ge_tests::{corpus, input, long_checks, sample};
use gltf::camera::Projection;
use pspge::export::scene::Scene;
use pspge::export::{
    DrawFilter, FrameSpace, Placement, RigMode, UpAxis, frame_scene, gltf as written, model_scene,
};
use pspge::model::Model;

use crate::output::export::expected::{every_model, largest_extent, models};
use crate::output::export::reader::{GltfReading, Triangle};
use crate::output::export::wavefront::triangles_in_files;

/// Computes where a point belongs.
fn placed([x, y, z]: [f64; 3], scale: f64, up: UpAxis) -> [f64; 3] {
    let turned = match up {
        UpAxis::Y => [x, y, z],
        UpAxis::Z => [x, -z, y],
    };
    turned.map(|coordinate| coordinate * scale)
}

/// Compares triangles in their order. Files hold single precision.
fn compare(found: &[Triangle], plain: &[Triangle], scale: f64, up: UpAxis, name: &str) {
    assert_eq!(found.len(), plain.len(), "{name}: triangles");
    let tolerance = 2e-7 * largest_extent(plain) * scale;
    for (found, plain) in found.iter().zip(plain) {
        for corner in 0..3 {
            let expected = placed(plain.corners[corner], scale, up);
            let off = (0..3).map(|axis| (found.corners[corner][axis] - expected[axis]).abs());
            let off = off.fold(0.0, f64::max);
            assert!(off <= tolerance, "{name}: {:?} is not {expected:?}", found.corners[corner]);
            // Nodes may scale normals, too, so this compares their directions.
            let length = |vector: [f64; 3]| vector.iter().map(|part| part * part).sum::<f64>().sqrt();
            let (size, before) = (length(found.normals[corner]), length(plain.normals[corner]));
            let expected = placed(plain.normals[corner], 1.0, up);
            for (found, expected) in found.normals[corner].iter().zip(expected) {
                let off = found * before - expected * size;
                assert!(off.abs() <= 1e-5 * size * before, "{name}: a normal");
            }
        }
        assert_eq!(found.texcoords, plain.texcoords, "{name}: texture coordinates");
    }
}

const PLACEMENTS: [(f64, UpAxis); 4] =
    [(0.01, UpAxis::Y), (1.0, UpAxis::Z), (0.01, UpAxis::Z), (1000.0, UpAxis::Z)];

fn with_placement(scene: &Scene, scale: f64, up: UpAxis) -> Scene {
    Scene { placement: Placement::new(scale, up).expect("a scale"), ..scene.clone() }
}

fn check_model(name: &str, model: &Model, placements: &[(f64, UpAxis)]) {
    let scene = model_scene(model, name, &DrawFilter::default(), RigMode::Rigged);
    if scene.meshes.is_empty() {
        return;
    }
    let plain = GltfReading::new(&written::write_glb(&scene));
    let moments: Vec<Option<(usize, f32)>> = match scene.animations.first() {
        Some(animation) => {
            let last =
                animation.tracks.iter().filter_map(|track| track.times.last()).copied().fold(0.0, f32::max);
            vec![None, Some((0, last / 2.0))]
        }
        None => vec![None],
    };
    for &(scale, up) in placements {
        let name = format!("{name}, {scale} times, {up:?} up");
        let found = GltfReading::new(&written::write_glb(&with_placement(&scene, scale, up)));
        for moment in &moments {
            compare(&found.triangles(*moment), &plain.triangles(*moment), scale, up, &name);
        }
        let file_scene = found.file.default_scene().expect("a scene");
        // Skinned meshes follow their joints, so only other nodes count.
        let roots: Vec<String> = file_scene
            .nodes()
            .filter(|node| node.skin().is_none())
            .filter_map(|node| node.name().map(str::to_owned))
            .collect();
        assert_eq!(roots, ["placement"], "{name}: one root");
    }
    let still = model_scene(model, name, &DrawFilter::default(), RigMode::Static);
    let plain = triangles_in_files(&still);
    for &(scale, up) in placements {
        let found = triangles_in_files(&with_placement(&still, scale, up));
        compare(&found, &plain, scale, up, &format!("{name}, Wavefront, {scale} times, {up:?} up"));
    }
}

#[test]
fn placed_samples_are_scaled_and_turned() {
    let found: Vec<_> = input::entries(&sample::folder()).iter().flat_map(|path| models(path)).collect();
    assert!(found.len() >= 3, "samples");
    for (name, model) in &found {
        check_model(name, model, &PLACEMENTS);
    }
}

#[test]
fn placed_corpus_is_scaled_and_turned() {
    let Some(folder) = corpus::folder("models") else { return };
    for (name, model) in long_checks::sample(every_model(&folder), 0) {
        check_model(&name, &model, &[(0.01, UpAxis::Z)]);
    }
}

#[test]
fn placed_frames_keep_their_cameras() {
    let Some(folder) = corpus::folder("frames") else { return };
    let bytes = corpus::read(&folder, "nova.ppdmp");
    let mut capture = *input::frame_dump("nova", &bytes).0;
    let scene = frame_scene(&mut capture, "nova", &DrawFilter::default(), FrameSpace::Automatic);
    let plain = GltfReading::new(&written::write_glb(&scene));
    let planes = |reading: &GltfReading| {
        let camera = reading.file.cameras().next().expect("a camera");
        let Projection::Perspective(lens) = camera.projection() else { panic!("a perspective camera") };
        (lens.znear(), lens.zfar().expect("a far plane"), lens.yfov())
    };
    let (near, far, angle) = planes(&plain);
    for (scale, up) in PLACEMENTS {
        let found = GltfReading::new(&written::write_glb(&with_placement(&scene, scale, up)));
        compare(&found.triangles(None), &plain.triangles(None), scale, up, "nova");
        let (found_near, found_far, found_angle) = planes(&found);
        for (found, plain) in [(found_near, near), (found_far, far)] {
            let expected = f64::from(plain) * scale;
            let off = (f64::from(found) - expected).abs();
            assert!(off <= 1e-7 * expected, "a plane at {found} is not at {expected}");
        }
        assert_eq!(found_angle, angle, "the field of view stays");
    }
}
