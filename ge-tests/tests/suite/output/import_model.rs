//! Imports exports of Monster Hunter models, unchanged and changed, and reads the results with the library and with a
//! decoder that shares no code with it.
//!
//! To use files from the corpus, too, set `PSPGE_CORPUS`.

use ge_tests::pmo_oracle::{self, OracleDraw};
use ge_tests::{corpus, input, sample};
use pspge::export::scene::{Influence, Primitive, Scene};
use pspge::export::{DrawFilter, Merge, Placement, RigMode, UpAxis, gltf, model_scene};
use pspge::formats::{self, Content, File, Opened, Request};
use pspge::import::{GeometryError, GroupChange, WrittenModel, import_model};

mod built;
mod damaged;
mod two_files;
mod validator;

/// A model with its companions.
struct Input {
    name: &'static str,
    bytes: Vec<u8>,
    skeleton: Option<Vec<u8>>,
}

impl Input {
    fn open(&self, bytes: &[u8]) -> Opened {
        let skeleton = self.skeleton.as_ref().map(|bytes| File { name: "skeleton.ahi", bytes });
        input::open(&Request { skeleton, ..Request::new(self.name, bytes) })
    }

    fn scene(&self, bytes: &[u8]) -> Scene {
        let Content::Model(model) = self.open(bytes).content else { panic!("{}: a model", self.name) };
        model_scene(&model, "model", &DrawFilter::default(), RigMode::Rigged)
    }

    fn import(&self, scene: &Scene) -> Result<WrittenModel, GeometryError> {
        self.import_glb(&gltf::write_glb(scene), scene.placement)
    }

    fn import_glb(&self, glb: &[u8], placement: Placement) -> Result<WrittenModel, GeometryError> {
        let file = File { name: self.name, bytes: &self.bytes };
        import_model(&self.open(&self.bytes), file, None, glb, placement)
    }

    /// Exports this model, changes the scene, and imports it.
    fn edit(&self, change: impl FnOnce(&mut Scene)) -> WrittenModel {
        let mut scene = self.scene(&self.bytes);
        change(&mut scene);
        self.import(&scene).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn fails(&self, change: impl FnOnce(&mut Scene)) -> String {
        let mut scene = self.scene(&self.bytes);
        change(&mut scene);
        self.import(&scene).expect_err("refused").to_string()
    }
}

/// Lists all models with writable geometry.
fn inputs() -> Vec<Input> {
    let mut inputs = vec![
        Input { name: "lampwing.pac", bytes: sample::read("lampwing.pac"), skeleton: None },
        Input {
            name: "lampwing.pmo",
            bytes: sample::read("lampwing.pmo"),
            skeleton: Some(sample::read("lampwing.ahi")),
        },
        Input { name: "lampwing.pmo", bytes: sample::read("lampwing.pmo"), skeleton: None },
        Input {
            name: "lampwing-102.pmo",
            bytes: sample::read("lampwing-102.pmo"),
            skeleton: Some(sample::read("lampwing-102.ahi")),
        },
        Input { name: "colors.pmo", bytes: built::colors(), skeleton: None },
    ];
    if let Some(folder) = corpus::folder("models/pmo") {
        for (name, skeleton) in [
            ("f_hair000_original.pac", None),
            ("f_hair215_bluguild.pac", None),
            ("fu_ground.pmo", None),
            ("fu_model.pac", None),
            ("fu_skinned_2mesh.pmo", None),
            ("fu_skinned_2mesh.pmo", Some("fu_6bones.ahi")),
            ("p3rd_skinned.pmo", None),
            ("p3rd_skinned.pmo", Some("p3rd_6bones.ahi")),
        ] {
            let skeleton = skeleton.map(|name| corpus::read(&folder, name));
            inputs.push(Input { name, bytes: corpus::read(&folder, name), skeleton });
        }
    }
    inputs
}

fn lampwing() -> Input {
    inputs().swap_remove(0)
}

/// Iterates over a scene's primitives.
fn primitives(scene: &mut Scene) -> impl Iterator<Item = &mut Primitive> {
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives)
}

/// Returns the corners of the first triangle with an area, because a change to it can be seen.
fn first_visible(primitive: &Primitive) -> [u32; 3] {
    let is_visible = |three: &&[u32]| {
        let [a, b, c] = [0, 1, 2].map(|at: usize| primitive.positions[three[at] as usize]);
        a != b && b != c && c != a
    };
    let three = primitive.indices.chunks_exact(3).find(is_visible).expect("a triangle");
    [three[0], three[1], three[2]]
}

/// Adds the back of this triangle, as a triangle that no model has.
fn add_back(primitive: &mut Primitive) {
    let [a, b, c] = first_visible(primitive);
    primitive.indices.extend([b, a, c]);
}

/// Returns the only or first PMO in a file.
fn pmo(bytes: &[u8]) -> &[u8] {
    let start = bytes.windows(4).position(|four| four == b"pmo\0").expect("a model");
    let size = u32::from_le_bytes(bytes[start + 8..start + 12].try_into().expect("four bytes"));
    &bytes[start..start + size as usize]
}

/// A corner as read by the independent decoder, with bones instead of palette slots.
#[derive(Clone, Debug)]
struct Corner {
    position: [f32; 3],
    uv: [f32; 2],
    normal: [f32; 3],
    color: [u8; 4],
    bones: Vec<(u8, f32)>,
}

#[derive(Clone, Debug)]
struct Triangle {
    group: usize,
    material: usize,
    corners: [Corner; 3],
}

fn corner(draw: &OracleDraw, number: usize) -> Corner {
    let weights = draw.weights.get(number).into_iter().flatten();
    let mut bones: Vec<(u8, f32)> = Vec::new();
    for (bone, weight) in draw.bones.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        match bones.iter_mut().find(|(known, _)| known == bone) {
            Some((_, known)) => *known += weight,
            None => bones.push((*bone, *weight)),
        }
    }
    bones.sort_by_key(|(bone, _)| *bone);
    Corner {
        position: draw.positions[number],
        uv: draw.uvs.get(number).copied().unwrap_or_default(),
        normal: draw.normals.get(number).map_or([0.0; 3], |normal| drawn(*normal, draw.scale)),
        color: draw.colors.get(number).copied().unwrap_or([255; 4]),
        bones,
    }
}

/// Returns a normal's direction under the matrix with the scale.
fn drawn(normal: [f32; 3], scale: [f32; 3]) -> [f32; 3] {
    let scaled = [0, 1, 2].map(|axis: usize| normal[axis] * scale[axis]);
    let length = scaled.iter().map(|part| part * part).sum::<f32>().sqrt();
    scaled.map(|part| if length > 0.0 { part / length } else { 0.0 })
}

/// Reads all triangles with an area, independently.
fn triangles(bytes: &[u8]) -> Vec<Triangle> {
    let draws = pmo_oracle::read(pmo(bytes), None);
    let mut triangles = Vec::new();
    for draw in &draws {
        let place = |corner: &usize| draw.positions[*corner];
        let is_visible =
            |[a, b, c]: &&[usize; 3]| place(a) != place(b) && place(b) != place(c) && place(c) != place(a);
        for &[a, b, c] in draw.triangles.iter().filter(is_visible) {
            let corners = [a, b, c].map(|number| corner(draw, number));
            triangles.push(Triangle { group: draw.group, material: draw.material, corners });
        }
    }
    triangles
}

/// Returns the size of a position's step along each axis.
fn steps(bytes: &[u8]) -> [f32; 3] {
    let draws = pmo_oracle::read(pmo(bytes), None);
    [0, 1, 2].map(|axis: usize| draws.iter().map(|draw| draw.scale[axis] / 32768.0).fold(0.0, f32::max))
}

fn is_near(one: &Corner, other: &Corner, steps: [f32; 3]) -> bool {
    (0..3).all(|axis| (one.position[axis] - other.position[axis]).abs() <= steps[axis] * 1.001)
        && (0..2).all(|axis| (one.uv[axis] - other.uv[axis]).abs() < 1e-3)
        && (0..3).all(|axis| (one.normal[axis] - other.normal[axis]).abs() < 0.02)
        && one.color == other.color
        && one.bones.len() == other.bones.len()
        && one
            .bones
            .iter()
            .zip(&other.bones)
            .all(|(one, other)| one.0 == other.0 && (one.1 - other.1).abs() < 0.01)
}

/// Removes each old triangle from the new triangles, and returns the rest. The cyclic order of corners counts, but
/// not the first corner.
fn without(name: &str, mut new: Vec<Triangle>, old: &[Triangle], steps: [f32; 3]) -> Vec<Triangle> {
    for triangle in old {
        let is_it = |other: &Triangle| {
            other.material == triangle.material
                && (0..3).any(|turn| {
                    (0..3).all(|at| is_near(&triangle.corners[at], &other.corners[(at + turn) % 3], steps))
                })
        };
        let found = new.iter().position(is_it);
        new.swap_remove(found.unwrap_or_else(|| panic!("{name}: {triangle:?} is lost")));
    }
    new
}

/// Checks that a file opens without notes missing in the old file.
fn opens(input: &Input, written: &WrittenModel) {
    let texts = |opened: &Opened| -> Vec<String> {
        opened.content.notes().iter().map(|note| note.message.clone()).collect()
    };
    let (old, new) = (input.open(&input.bytes), input.open(&written.bytes));
    assert_eq!(texts(&old), texts(&new), "{}: no other notes", input.name);
    validator::check(input.name, pmo(&written.bytes));
}

#[test]
fn exports_come_back_to_the_byte() {
    let placements = [Placement::default(), Placement::new(0.01, UpAxis::Z).expect("a scale")];
    for input in inputs() {
        for merge in [Merge::None, Merge::Material, Merge::Object] {
            for placement in placements {
                let scene = Scene { placement, ..input.scene(&input.bytes).merged(merge) };
                let written = input.import(&scene).unwrap_or_else(|error| panic!("{}: {error}", input.name));
                let changed: Vec<_> =
                    written.groups.iter().filter(|group| group.change != GroupChange::Unchanged).collect();
                assert!(changed.is_empty(), "{} {merge:?} {placement:?}: {changed:?}", input.name);
                assert!(written.bytes == input.bytes, "{} {merge:?}: to the byte", input.name);
                assert!(!written.groups.is_empty(), "{}: groups", input.name);
            }
        }
    }
}

/// If each primitive gets another triangle, everything is made anew, and must draw the same apart from it.
#[test]
fn groups_made_anew_draw_the_same() {
    for input in inputs() {
        for merge in [Merge::None, Merge::Object] {
            let mut added = 0;
            let mut scene = input.scene(&input.bytes).merged(merge);
            for primitive in primitives(&mut scene) {
                add_back(primitive);
                added += 1;
            }
            let written = input.import(&scene).unwrap_or_else(|error| panic!("{}: {error}", input.name));
            let (old, new) = (triangles(&input.bytes), triangles(&written.bytes));
            assert_eq!(new.len(), old.len() + added, "{}: triangles", input.name);
            let rest = without(input.name, new, &old, steps(&input.bytes));
            // This adds the back of each primitive's first triangle.
            for triangle in &rest {
                let [a, b, c] = &triangle.corners;
                let back = Triangle { corners: [b.clone(), a.clone(), c.clone()], ..triangle.clone() };
                without(input.name, old.clone(), &[back], steps(&input.bytes));
            }
            opens(&input, &written);
            let rebuilt =
                written.groups.iter().filter(|group| matches!(group.change, GroupChange::Rebuilt(1))).count();
            assert!(
                rebuilt >= 1 && (merge == Merge::Object || rebuilt == added),
                "{}: {rebuilt}",
                input.name
            );
            // The written file must come back unchanged, too.
            let again = Input { bytes: written.bytes.clone(), ..input.clone_without_bytes() };
            let same = again.import(&again.scene(&again.bytes)).expect("imported");
            assert!(same.bytes == again.bytes, "{}: twice", input.name);
        }
    }
}

impl Input {
    fn clone_without_bytes(&self) -> Self {
        Self { name: self.name, bytes: Vec::new(), skeleton: self.skeleton.clone() }
    }
}

#[test]
fn a_moved_vertex_changes_its_bytes_only() {
    for input in inputs() {
        let step = steps(&input.bytes);
        let axis = (0..3).max_by(|a, b| step[*a].total_cmp(&step[*b])).expect("an axis");
        let mut wanted = [0.0; 3];
        let written = input.edit(|scene| {
            let primitive = primitives(scene).next().expect("a primitive");
            // This moves the vertex towards the middle, to keep the scale.
            let position = &mut primitive.positions[0];
            let old = *position;
            position[axis] -= 300.0 * step[axis] * position[axis].signum();
            wanted = *position;
            for other in &mut primitive.positions {
                if *other == old {
                    *other = wanted;
                }
            }
        });
        let differing = input.bytes.iter().zip(&written.bytes).filter(|(old, new)| old != new).count();
        assert_eq!(written.bytes.len(), input.bytes.len(), "{}: the same size", input.name);
        let changed: Vec<_> =
            written.groups.iter().filter(|group| group.change != GroupChange::Unchanged).collect();
        let [group] = changed.as_slice() else { panic!("{}: {changed:?}", input.name) };
        assert_eq!(group.change, GroupChange::Vertices, "{}", input.name);
        // Each vertex in this place has two bytes for this axis.
        assert!((1..=32).contains(&differing), "{}: {differing} bytes", input.name);
        let moved = |triangle: &Triangle| {
            triangle.corners.iter().any(|corner| {
                (0..3).all(|axis| (corner.position[axis] - wanted[axis]).abs() <= step[axis] * 1.001)
            })
        };
        assert!(triangles(&written.bytes).iter().any(moved), "{}: it is there", input.name);
        assert!(group.largest_difference <= step.iter().copied().fold(0.0, f32::max), "{}", input.name);
        opens(&input, &written);
    }
}

#[test]
fn recoloured_vertices_change_their_colors_only() {
    let input = Input { name: "colors.pmo", bytes: built::colors(), skeleton: None };
    let written = input.edit(|scene| {
        primitives(scene).next().expect("a primitive").colors[1] = [1, 2, 253, 128];
    });
    let differing = input.bytes.iter().zip(&written.bytes).filter(|(old, new)| old != new).count();
    assert_eq!((written.bytes.len(), differing), (input.bytes.len(), 4), "four channels");
    let colors: Vec<[u8; 4]> = triangles(&written.bytes)
        .iter()
        .flat_map(|triangle| &triangle.corners)
        .map(|corner| corner.color)
        .collect();
    assert!(colors.contains(&[1, 2, 253, 128]), "{colors:?}");
}

#[test]
fn removed_triangles_are_gone() {
    for input in inputs() {
        let old = triangles(&input.bytes);
        let written = input.edit(|scene| {
            let primitive = primitives(scene).next().expect("a primitive");
            primitive.indices.truncate(3);
        });
        let new = triangles(&written.bytes);
        assert!(new.len() < old.len() || old.len() <= 2, "{}: {} of {}", input.name, new.len(), old.len());
        let rest = without(input.name, old, &new, steps(&input.bytes));
        let group = rest.first().map(|triangle| triangle.group);
        assert!(rest.iter().all(|triangle| Some(triangle.group) == group), "{}: of one group", input.name);
        opens(&input, &written);
    }
}

#[test]
fn larger_models_get_a_larger_scale() {
    for input in inputs() {
        let factor = 3.0;
        let written = input.edit(|scene| {
            for primitive in primitives(scene) {
                for position in &mut primitive.positions {
                    *position = position.map(|coordinate| coordinate * factor);
                }
            }
        });
        let step = steps(&written.bytes);
        let old_step = steps(&input.bytes);
        for axis in 0..3 {
            assert!(step[axis] <= old_step[axis] * factor * 1.001, "{}: no larger than needed", input.name);
        }
        let mut old = triangles(&input.bytes);
        for corner in old.iter_mut().flat_map(|triangle| &mut triangle.corners) {
            corner.position = corner.position.map(|coordinate| coordinate * factor);
        }
        let rest = without(input.name, triangles(&written.bytes), &old, step);
        assert!(rest.is_empty(), "{}: {} more", input.name, rest.len());
        opens(&input, &written);
        assert!(
            written.groups.iter().all(|group| group.change == GroupChange::Vertices),
            "{:?}",
            written.groups
        );
    }
}

/// Gives the corners of single triangles to other bones.
fn rebind(primitive: &mut Primitive, joints: &[u16]) {
    for (triangle, joint) in primitive.indices.chunks_exact(3).zip(joints).map(|(a, b)| (a.to_vec(), *b)) {
        for corner in triangle {
            primitive.influences[corner as usize] = vec![Influence { joint, weight: 1.0 }];
        }
    }
}

#[test]
fn other_bones_get_their_own_matrices() {
    for input in inputs() {
        let bones = |bytes: &[u8]| -> Vec<u8> {
            let mut bones: Vec<u8> = triangles(bytes)
                .iter()
                .flat_map(|triangle| &triangle.corners)
                .flat_map(|corner| corner.bones.iter().map(|(bone, _)| *bone))
                .collect();
            bones.sort_unstable();
            bones.dedup();
            bones
        };
        let mut scene = input.scene(&input.bytes);
        let Some(skin) = scene.skins.first() else { continue };
        let count = u16::try_from(skin.joints.len()).expect("few joints");
        let joints: Vec<u16> = (0..count).collect();
        let primitive = primitives(&mut scene).max_by_key(|primitive| primitive.indices.len()).expect("one");
        // To change them alone, give each triangle its own corners.
        let indices = primitive.indices.clone();
        let pick = |corner: &u32| *corner as usize;
        primitive.positions = indices.iter().map(|corner| primitive.positions[pick(corner)]).collect();
        primitive.normals =
            indices.iter().filter_map(|corner| primitive.normals.get(pick(corner)).copied()).collect();
        primitive.texcoords =
            indices.iter().filter_map(|corner| primitive.texcoords.get(pick(corner)).copied()).collect();
        primitive.influences =
            indices.iter().map(|corner| primitive.influences[pick(corner)].clone()).collect();
        primitive.indices = (0..).take(indices.len()).collect();
        rebind(primitive, &joints);
        let bound = primitive.indices.len() / 3;
        let written = input.import(&scene).unwrap_or_else(|error| panic!("{}: {error}", input.name));
        assert_eq!(triangles(&written.bytes).len(), triangles(&input.bytes).len(), "{}", input.name);
        let most = written.groups.iter().map(|group| match group.change {
            GroupChange::Rebuilt(parts) => parts,
            _ => 1,
        });
        let needed = usize::from(count).min(bound).div_ceil(8);
        assert!(most.max().unwrap_or(0) >= needed, "{}: {needed} groups for {count} bones", input.name);
        let after = bones(&written.bytes);
        assert!(after.len() >= usize::from(count).min(bound), "{}: {after:?}", input.name);
        // Other groups' triangles must follow the same bones as before.
        let changed: Vec<usize> = written
            .groups
            .iter()
            .filter(|group| group.change != GroupChange::Unchanged)
            .map(|group| group.group)
            .collect();
        let mut others = triangles(&input.bytes);
        others.retain(|triangle| !changed.contains(&triangle.group));
        without(input.name, triangles(&written.bytes), &others, steps(&input.bytes));
        opens(&input, &written);
    }
}

#[test]
fn containers_keep_their_other_members() {
    for input in inputs().into_iter().filter(|input| input.name.ends_with(".pac")) {
        let written = input.edit(|scene| {
            for primitive in primitives(scene) {
                let indices = primitive.indices.clone();
                // This adds many more triangles: the backs of all.
                primitive
                    .indices
                    .extend(indices.chunks_exact(3).flat_map(|three| [three[1], three[0], three[2]]));
            }
        });
        assert!(written.bytes.len() > input.bytes.len() || input.bytes.len() % 2048 == 0, "{}", input.name);
        assert_eq!(
            input.bytes.len() % 2048 == 0,
            written.bytes.len() % 2048 == 0,
            "{}: still whole blocks",
            input.name
        );
        let (old, new) = (input.open(&input.bytes), input.open(&written.bytes));
        let mut count = 0;
        for (old, new) in old.members.iter().zip(&new.members) {
            let slice = |bytes: &[u8], member: &formats::Member| {
                let at = |offset: u64| usize::try_from(offset).expect("in the file");
                bytes[at(member.offset)..at(member.offset + member.length)].to_vec()
            };
            if old.format.is_some_and(|format| format.name() == "pmo") {
                continue;
            }
            assert_eq!(new.offset % 4, 0, "{}: aligned", input.name);
            assert!(slice(&input.bytes, old) == slice(&written.bytes, new), "{}: {}", input.name, old.index);
            count += 1;
        }
        assert!(count > 0 && old.members.len() == new.members.len(), "{}: members", input.name);
    }
}

#[test]
fn what_the_game_cannot_have_is_refused() {
    let input = lampwing();
    for (what, change, expected) in [
        (
            "material",
            Box::new(|scene: &mut Scene| scene.materials[0].name = "lamp".to_owned())
                as Box<dyn FnOnce(&mut Scene)>,
            "the model has no material lamp: it has ",
        ),
        (
            "triangles",
            Box::new(|scene| primitives(scene).for_each(|one| one.indices.clear())),
            "it has no triangles",
        ),
        (
            "bone",
            Box::new(|scene| {
                for node in scene.skins[0].joints.clone() {
                    scene.nodes[node].name.push('x');
                }
            }),
            "the model has no bone ",
        ),
        (
            "weights",
            Box::new(|scene| primitives(scene).next().expect("one").influences[0][0].weight = 0.5),
            "the weights of vertex ",
        ),
        (
            "no weights",
            Box::new(|scene| {
                let primitive = primitives(scene).next().expect("one");
                primitive.positions[0] = [0.5, 0.25, 0.125];
                add_back(primitive);
                for node in &mut scene.nodes {
                    node.skin = None;
                }
            }),
            "follows no bone, and what has its material in the model does",
        ),
        (
            "far away",
            Box::new(|scene| primitives(scene).next().expect("one").positions[0][1] = 1e7),
            "the steps between its coordinates would become too coarse",
        ),
        (
            "not finite",
            Box::new(|scene| primitives(scene).next().expect("one").positions[0][1] = f32::NAN),
            "vertex 0 is not finite",
        ),
        (
            "texture coordinates",
            Box::new(|scene| {
                let primitive = primitives(scene).next().expect("one");
                let [corner, ..] = first_visible(primitive);
                primitive.texcoords[corner as usize] = [7.5, 0.0];
            }),
            " is outside 0 to ",
        ),
    ] {
        let error = input.fails(change);
        assert!(error.contains(expected), "{what}: {error}");
        let names_surface = what == "triangles" || error.starts_with("mesh mesh_");
        assert!(names_surface, "{what}: {error}");
    }
    let glb = gltf::write_glb(&input.scene(&input.bytes));
    for (name, problem) in
        [("reedling.pmo", "a Birth by Sleep model"), ("lampwing.tmh", "a file of textures")]
    {
        let bytes = sample::read(name);
        let opened = input::open(&Request::new(name, &bytes));
        let file = File { name, bytes: &bytes };
        let error = import_model(&opened, file, None, &glb, Placement::default());
        let error = error.expect_err("another format").to_string();
        assert!(error.contains(problem) || error.contains("no material"), "{name}: {error}");
    }
}
