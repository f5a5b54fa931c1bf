//! Wavefront OBJ with MTL and PNG: shapes at rest, their materials and textures, for programs that read nothing else.
//!
//! Neither bones nor animations nor morph targets have a place there; vertex colours stand behind the position, as many
//! programs read them. Source: the format's specification, appendix B1 of the Advanced Visualizer manual.

use std::io;

use super::scene::{AlphaMode, Material, Mesh, Node, Primitive, Scene, Topology, Wrap};
use super::text::Text;
use super::{File, decompose, png};
use crate::model::matrix::{Affine, IDENTITY, then, transform};

/// The files of a scene: `stem.obj`, and those of [`write_materials`].
#[must_use]
pub fn write(scene: &Scene, stem: &str) -> Vec<File> {
    let mut bytes = Vec::new();
    let written = write_geometry(scene, stem, &mut bytes);
    debug_assert!(written.is_ok(), "memory takes everything");
    let mut files = vec![File { name: format!("{stem}.obj"), bytes }];
    files.extend(write_materials(scene, stem));
    files
}

/// Writes what is in `stem.obj`, piece by piece: the text takes several times the memory of the scene.
///
/// # Errors
/// What `out` says.
pub fn write_geometry(scene: &Scene, stem: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let mut text = Text::new(out);
    geometry(scene, &library(stem), &mut text);
    text.finish()
}

/// The files that `stem.obj` names: `stem.mtl`, and a PNG for each image, with `_` for blanks, at which names in the
/// format end.
#[must_use]
pub fn write_materials(scene: &Scene, stem: &str) -> Vec<File> {
    let image_name = |image: usize| {
        let name = scene.images.get(image).map_or("", |image| image.name.as_str());
        one_word(&format!("{stem}_{name}.png"))
    };
    let mut bytes = Vec::new();
    let mut text = Text::new(&mut bytes);
    materials(scene, &image_name, &mut text);
    let written = text.finish();
    debug_assert!(written.is_ok(), "memory takes everything");
    let mut files = vec![File { name: library(stem), bytes }];
    let images = scene.images.iter().enumerate();
    files.extend(images.map(|(number, image)| File { name: image_name(number), bytes: png(image) }));
    files
}

fn library(stem: &str) -> String {
    one_word(&format!("{stem}.mtl"))
}

/// Numbers of the next position, texture coordinate and normal; files count from 1.
#[derive(Clone, Copy, Debug)]
struct Next {
    position: usize,
    texcoord: usize,
    normal: usize,
}

fn geometry(scene: &Scene, library: &str, text: &mut Text<'_>) {
    text.line(format_args!("# {}\nmtllib {library}", one_line(&scene.name)));
    let mut next = Next { position: 1, texcoord: 1, normal: 1 };
    let mut worlds: Vec<Affine> = Vec::new();
    let colored = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|one| !one.colors.is_empty());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| worlds.get(parent)).unwrap_or(&IDENTITY);
        let world = then(&decompose::matrix_of(&node.transform), parent);
        worlds.push(world);
        let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
        // A skin puts the mesh where it belongs by itself.
        let world = if node.skin.is_some() { rest_of(scene, node.skin, &worlds) } else { Rest::Node(world) };
        add_mesh(text, scene, mesh, node, (&world, colored), &mut next);
    }
}

/// Where a mesh is at rest.
enum Rest {
    Node(Affine),
    /// The matrix of each joint, behind its inverse bind matrix.
    Skin(Vec<Affine>),
}

fn rest_of(scene: &Scene, skin: Option<usize>, worlds: &[Affine]) -> Rest {
    let Some(skin) = skin.and_then(|skin| scene.skins.get(skin)) else { return Rest::Node(IDENTITY) };
    let joint = |(&joint, bind): (&usize, &[f32; 16])| {
        let mut matrix = IDENTITY;
        for (to, from) in matrix.chunks_exact_mut(3).zip(bind.chunks_exact(4)) {
            to.copy_from_slice(&from[..3]);
        }
        then(&matrix, &world_of(scene, joint, worlds))
    };
    Rest::Skin(skin.joints.iter().zip(&skin.inverse_bind).map(joint).collect())
}

fn world_of(scene: &Scene, node: usize, worlds: &[Affine]) -> Affine {
    if let Some(world) = worlds.get(node) {
        return *world;
    }
    let mut matrix = IDENTITY;
    let mut at = scene.nodes.get(node);
    while let Some(node) = at {
        matrix = then(&matrix, &decompose::matrix_of(&node.transform));
        at = node.parent.and_then(|parent| scene.nodes.get(parent));
    }
    matrix
}

fn add_mesh(
    text: &mut Text<'_>,
    scene: &Scene,
    mesh: &Mesh,
    node: &Node,
    (rest, colored): (&Rest, bool),
    next: &mut Next,
) {
    text.line(format_args!("o {}", one_word(&node.name)));
    for primitive in &mesh.primitives {
        let count = primitive.positions.len();
        for number in 0..count {
            add_vertex(text, primitive, &mesh.weights, number, (rest, colored));
        }
        for [u, v] in &primitive.texcoords {
            // The format's v grows upwards.
            text.numbers("vt", &[*u, 1.0 - v]);
        }
        for (number, normal) in primitive.normals.iter().enumerate() {
            let mut matrix = place(primitive, number, rest);
            matrix[9..].fill(0.0);
            text.numbers("vn", &transform(&matrix, *normal));
        }
        let material = scene.materials.get(primitive.material).map_or("none", |material| &material.name);
        text.line(format_args!("usemtl {}", one_word(material)));
        let (word, corners) = match primitive.topology {
            Topology::Triangles => ("f", 3),
            Topology::Lines => ("l", 2),
            Topology::Points => ("p", 1),
        };
        // A node that mirrors turns triangles round.
        let mirrored = matches!(rest, Rest::Node(world) if decompose::mirrors(world));
        for element in primitive.indices.chunks_exact(corners) {
            let place = |place: usize| if mirrored && corners == 3 { 2 - place } else { place };
            let numbers = (0..corners).map(|corner| element[place(corner)] as usize);
            text.groups(word, numbers.map(|index| corner(primitive, index, next)));
        }
        next.position += count;
        next.texcoord += primitive.texcoords.len();
        next.normal += primitive.normals.len();
    }
}

/// A position, with a colour where any in the file has one: many readers take all or none.
fn add_vertex(
    text: &mut Text<'_>,
    primitive: &Primitive,
    weights: &[f32],
    number: usize,
    (rest, colored): (&Rest, bool),
) {
    let mut position = primitive.positions[number];
    for (target, weight) in primitive.targets.iter().zip(weights) {
        if let Some(moved) = target.positions.get(number) {
            position = [0, 1, 2].map(|axis| position[axis] + moved[axis] * weight);
        }
    }
    let [x, y, z] = transform(&place(primitive, number, rest), position);
    match primitive.colors.get(number) {
        Some([red, green, blue, _]) => {
            let [red, green, blue] = [red, green, blue].map(|&channel| f32::from(channel) / 255.0);
            text.numbers("v", &[x, y, z, red, green, blue]);
        }
        None if colored => text.numbers("v", &[x, y, z, 1.0, 1.0, 1.0]),
        None => text.numbers("v", &[x, y, z]),
    }
}

/// The matrix that puts a vertex where it rests.
fn place(primitive: &Primitive, number: usize, rest: &Rest) -> Affine {
    let joints = match rest {
        Rest::Node(world) => return *world,
        Rest::Skin(joints) => joints,
    };
    let Some(influences) = primitive.influences.get(number) else { return IDENTITY };
    let mut sum = [0.0; 12];
    for influence in influences {
        let joint = joints.get(usize::from(influence.joint)).unwrap_or(&IDENTITY);
        for (sum, element) in sum.iter_mut().zip(joint) {
            *sum += element * influence.weight;
        }
    }
    sum
}

/// The numbers of a corner: position, texture coordinates, normal.
fn corner(primitive: &Primitive, index: usize, next: &Next) -> [Option<usize>; 3] {
    let is_point = primitive.topology == Topology::Points;
    let has_texcoord = !primitive.texcoords.is_empty() && !is_point;
    // Lines and points know no normals.
    let has_normal = !primitive.normals.is_empty() && primitive.topology == Topology::Triangles;
    [
        Some(next.position + index),
        has_texcoord.then_some(next.texcoord + index),
        has_normal.then_some(next.normal + index),
    ]
}

fn materials(scene: &Scene, image_name: &dyn Fn(usize) -> String, text: &mut Text<'_>) {
    for material in &scene.materials {
        let Material { name, color: [red, green, blue, alpha], emissive, texture, .. } = material;
        text.line(format_args!("newmtl {}", one_word(name)));
        text.line(format_args!("Ka 0 0 0\nKd {red} {green} {blue}\nKs 0 0 0"));
        if *emissive != [0.0; 3] {
            let [red, green, blue] = emissive;
            text.line(format_args!("Ke {red} {green} {blue}"));
        }
        text.line(format_args!("d {alpha}\nillum {}", if material.unlit { 0 } else { 1 }));
        if let Some(texture) = texture.and_then(|texture| scene.textures.get(texture)) {
            let file = image_name(texture.image);
            // The format has an option for it, which many readers take for a part of the file's name.
            if texture.wrap.contains(&Wrap::Clamp) {
                let [u, v] =
                    texture.wrap.map(|wrap| if wrap == Wrap::Clamp { "clamped" } else { "repeated" });
                text.line(format_args!("# beyond the texture's edges: u {u}, v {v}"));
            }
            text.line(format_args!("map_Kd {file}"));
            let has_alpha = scene.images.get(texture.image).is_some_and(super::scene::Image::has_alpha);
            if has_alpha && material.alpha != AlphaMode::Opaque {
                text.line(format_args!("map_d {file}"));
            }
        }
        text.line(format_args!(""));
    }
}

fn one_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// Names end at a blank.
fn one_word(name: &str) -> String {
    name.replace(|char: char| char.is_control() || char.is_whitespace(), "_")
}
