//! Reads Wavefront files back with an independent reader, to compare them with decoded geometry: positions, normals,
//! texture coordinates, materials and pictures.

use std::io::Cursor;

use ge_tests::{corpus, input, long_checks, sample};
use image::RgbaImage;
use pspge::export::scene::Scene;
use pspge::export::{DrawFilter, File, RigMode, model_scene, obj};
use pspge::model::Model;
use pspge::model::matrix::IDENTITY;
use pspge::scene::render::geometry;

use crate::output::export::compare::{same_attributes, unmatched_by};
use crate::output::export::expected::{every_model, largest_extent, models, triangles};
use crate::output::export::reader::Triangle;
use crate::output::export::synthetic;

/// A file after reading it.
struct ObjReading {
    triangles: Vec<Triangle>,
    materials: Vec<tobj::Material>,
    files: Vec<File>,
}

impl ObjReading {
    fn new(model: &Model, stem: &str) -> Self {
        Self::of_scene(&model_scene(model, stem, &DrawFilter::default(), RigMode::Static), stem)
    }

    fn of_scene(scene: &Scene, stem: &str) -> Self {
        let files = obj::write(scene, stem);
        let text = bytes_of(&files, &format!("{stem}.obj"));
        let options = tobj::LoadOptions { ignore_lines: true, ignore_points: true, ..Default::default() };
        let (models, materials) = tobj::load_obj_buf(&mut Cursor::new(text), &options, |path| {
            let name = path.to_str().expect("text");
            tobj::load_mtl_buf(&mut Cursor::new(bytes_of(&files, name)))
        })
        .unwrap_or_else(|error| panic!("{stem}: {error}"));
        let triangles = models.iter().flat_map(|model| triangles_of(&model.mesh, stem)).collect();
        let materials = materials.unwrap_or_else(|error| panic!("{stem}: {error}"));
        Self { triangles, materials, files }
    }

    /// Returns the picture named by a material.
    fn picture(&self, material: usize) -> Option<RgbaImage> {
        let name = self.materials[material].diffuse_texture.as_ref()?;
        let bytes = bytes_of(&self.files, name);
        Some(image::load_from_memory(bytes).expect("a picture").into_rgba8())
    }
}

/// Writes a scene to files, and reads its triangles back.
pub(crate) fn triangles_in_files(scene: &Scene) -> Vec<Triangle> {
    ObjReading::of_scene(scene, "scene").triangles
}

fn bytes_of<'a>(files: &'a [File], name: &str) -> &'a [u8] {
    let file = files.iter().find(|file| file.name == name);
    &file.unwrap_or_else(|| panic!("{name} is not among the files")).bytes
}

fn triangles_of(mesh: &tobj::Mesh, name: &str) -> Vec<Triangle> {
    assert!(mesh.face_arities.is_empty(), "{name}: triangles only");
    let three = |list: &[f32], index: u32| -> [f64; 3] {
        [0, 1, 2].map(|axis: usize| f64::from(list[3 * index as usize + axis]))
    };
    (0..mesh.indices.len() / 3)
        .map(|number| {
            let corners = [0, 1, 2].map(|corner: usize| 3 * number + corner);
            let normal = |corner: usize| {
                mesh.normal_indices.get(corner).map_or([0.0; 3], |&index| three(&mesh.normals, index))
            };
            let texcoord = |corner: usize| {
                mesh.texcoord_indices.get(corner).map_or([0.0; 2], |&index| {
                    let [u, v] = [0, 1].map(|axis: usize| mesh.texcoords[2 * index as usize + axis]);
                    // In this format v points up.
                    [u, 1.0 - v]
                })
            };
            Triangle {
                corners: corners.map(|corner| three(&mesh.positions, mesh.indices[corner])),
                normals: corners.map(normal),
                texcoords: corners.map(texcoord),
                surface: mesh.material_id.unwrap_or_else(|| panic!("{name}: no material")),
            }
        })
        .collect()
}

/// Returns whether a picture shows this texture from the model, possibly padded to powers of two, and opaque if alpha
/// is unused.
fn shows(picture: &RgbaImage, texture: &RgbaImage) -> bool {
    let within = picture.width() >= texture.width() && picture.height() >= texture.height();
    let is_opaque = picture.pixels().all(|pixel| pixel.0[3] == 255);
    within
        && texture.enumerate_pixels().all(|(x, y, texel)| {
            let pixel = picture.get_pixel(x, y).0;
            pixel[..3] == texel.0[..3] && (is_opaque || pixel[3] == texel.0[3])
        })
}

fn check(model: &Model, name: &str) {
    let reading = ObjReading::new(model, name);
    let expected = triangles(geometry(model).draws(), &model.up.upright().unwrap_or(IDENTITY));
    // For each material, this tells whether its picture shows each texture in the model.
    let textures: Vec<RgbaImage> =
        model.textures.iter().map(|texture| texture.decode(&model.memory, 0)).collect();
    let shown: Vec<Option<Vec<bool>>> = (0..reading.materials.len())
        .map(|material| {
            let picture = reading.picture(material)?;
            Some(textures.iter().map(|texture| shows(&picture, texture)).collect())
        })
        .collect();
    let texture_of = |draw: usize| {
        let at = pspge::ge::address::Address::new(u32::try_from(draw).expect("an address"));
        model.part_at(at).and_then(|part| part.texture)
    };
    // Such an animation may show other textures than the part's first.
    let changes = model.animations.iter().any(|animation| !animation.sampler.commands(0.0).is_empty());
    let agrees = |found: &Triangle, expected: &Triangle| {
        let textured = changes
            || match (texture_of(expected.surface), &shown[found.surface]) {
                (Some(texture), Some(shown)) => shown[texture],
                (Some(_), None) => false,
                (None, _) => true,
            };
        textured && same_attributes(found, expected, shown[found.surface].is_some())
    };
    let tolerance = 1e-6 * largest_extent(&expected);
    let remaining = unmatched_by(&reading.triangles, &expected, tolerance, &agrees);
    assert_eq!(remaining, (0, 0), "{name}: of {} triangles", expected.len());
    for file in reading.files.iter().filter(|file| file.name.ends_with(".png")) {
        image::load_from_memory(&file.bytes).unwrap_or_else(|error| panic!("{}: {error}", file.name));
    }
}

#[test]
fn wavefront_samples_match_decoded_geometry() {
    for path in input::entries(&sample::folder()) {
        for (name, mut model) in models(&path) {
            let name = name.replace('#', " member ");
            check(&model, &name.replace(' ', "_"));
            if let Some(last) = model.animations.first().map(|animation| animation.frames.max(1) - 1) {
                model.animate(0, f64::from(last / 2));
                check(&model, &format!("{}_moved", name.replace(' ', "_")));
            }
        }
    }
    check(&synthetic::model(), "made");
}

#[test]
fn wavefront_corpus_matches_decoded_geometry() {
    let Some(folder) = corpus::folder("models") else { return };
    let models = long_checks::sample(every_model(&folder), 2);
    let count = models.map(|(name, model)| check(&model, &name.replace('#', "_"))).count();
    assert!(count as u64 >= long_checks::rounds(40), "only {count} models");
}

/// Names in this format end at blanks, so the writer has to replace them.
#[test]
fn file_names_with_blanks_are_replaced() {
    let model = sample::open("lampwing.pac");
    let scene = model_scene(&model, "two words", &DrawFilter::default(), RigMode::Static);
    let files = obj::write(&scene, "two words");
    let text = std::str::from_utf8(bytes_of(&files, "two words.obj")).expect("text");
    let library = text.lines().find_map(|line| line.strip_prefix("mtllib ")).expect("materials");
    let materials = std::str::from_utf8(bytes_of(&files, library)).expect("text");
    let pictures: Vec<&str> = materials.lines().filter_map(|line| line.strip_prefix("map_Kd ")).collect();
    assert!(!pictures.is_empty(), "textures");
    for picture in pictures {
        assert!(!picture.contains(' ') && !bytes_of(&files, picture).is_empty(), "{picture}");
    }
}
