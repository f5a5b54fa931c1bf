//! Writes Wavefront OBJ with MTL and PNG, for programs without glTF: meshes at rest with materials and textures.
//!
//! This format has no bones, animations or morph targets. Vertex colours follow the position, because many programs
//! expect them there. Source: the format's specification, appendix B1 of the Advanced Visualizer manual.

use std::io;

use super::scene::{AlphaMode, Material, Mesh, Node, Primitive, Scene, Topology, Wrap};
use super::text_writer::TextWriter;
use super::{File, decompose, png};
use crate::model::matrix::{Affine, IDENTITY, then, transform};

/// Returns all files for a scene: `stem.obj`, and the files from [`write_materials`].
#[must_use]
pub fn write(scene: &Scene, stem: &str) -> Vec<File> {
    let mut bytes = Vec::new();
    let written = write_geometry(scene, stem, &mut bytes);
    debug_assert!(written.is_ok(), "memory takes everything");
    let mut files = vec![File { name: format!("{stem}.obj"), bytes }];
    files.extend(write_materials(scene, stem));
    files
}

/// Writes `stem.obj` to `out` through a buffer. Use this for large scenes, because the text takes several times the
/// scene's memory.
///
/// # Errors
/// Returns the error from `out`.
#[doc(hidden)]
pub fn write_geometry(scene: &Scene, stem: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let mut text = TextWriter::new(out);
    geometry(scene, &library(stem), &mut text);
    text.finish()
}

/// Returns the files `stem.obj` refers to: `stem.mtl` and a PNG per image. Blanks in their names become `_`, because
/// a blank ends a name in this format.
#[doc(hidden)]
#[must_use]
pub fn write_materials(scene: &Scene, stem: &str) -> Vec<File> {
    let image_name = |image: usize| {
        let name = scene.images.get(image).map_or("", |image| image.name.as_str());
        one_word(&format!("{stem}_{name}.png"))
    };
    let mut bytes = Vec::new();
    let mut text = TextWriter::new(&mut bytes);
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

/// The next free position, texture coordinate and normal. This format counts from 1, over the whole file.
#[derive(Clone, Copy, Debug)]
struct NextIndices {
    position: usize,
    texcoord: usize,
    normal: usize,
}

fn geometry(scene: &Scene, library: &str, text: &mut TextWriter<'_>) {
    text.line(format_args!("# {}\nmtllib {library}", one_line(&scene.name)));
    let mut next = NextIndices { position: 1, texcoord: 1, normal: 1 };
    let mut worlds: Vec<Affine> = Vec::new();
    let has_colors = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|one| !one.colors.is_empty());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|parent| worlds.get(parent)).unwrap_or(&IDENTITY);
        let world = then(&decompose::matrix_of(&node.transform), parent);
        worlds.push(world);
        let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
        // A skinned mesh ignores its node's transform.
        let pose =
            if node.skin.is_some() { rest_pose(scene, node.skin, &worlds) } else { RestPose::Rigid(world) };
        add_mesh(text, scene, mesh, node, (&pose, has_colors), &mut next);
    }
}

/// How to move a mesh to its rest position.
enum RestPose {
    Rigid(Affine),
    /// For each joint, its matrix after its inverse bind matrix.
    Skinned(Vec<Affine>),
}

fn rest_pose(scene: &Scene, skin: Option<usize>, worlds: &[Affine]) -> RestPose {
    let Some(skin) = skin.and_then(|skin| scene.skins.get(skin)) else { return RestPose::Rigid(IDENTITY) };
    let joint = |(&joint, bind): (&usize, &[f32; 16])| {
        let mut matrix = IDENTITY;
        for (to, from) in matrix.chunks_exact_mut(3).zip(bind.chunks_exact(4)) {
            to.copy_from_slice(&from[..3]);
        }
        then(&matrix, &world_of(scene, joint, worlds))
    };
    RestPose::Skinned(skin.joints.iter().zip(&skin.inverse_bind).map(joint).collect())
}

fn world_of(scene: &Scene, node: usize, worlds: &[Affine]) -> Affine {
    if let Some(world) = worlds.get(node) {
        return *world;
    }
    // A joint may come after the mesh, so its matrix is not in `worlds` yet.
    let mut matrix = IDENTITY;
    let mut at = scene.nodes.get(node);
    while let Some(node) = at {
        matrix = then(&matrix, &decompose::matrix_of(&node.transform));
        at = node.parent.and_then(|parent| scene.nodes.get(parent));
    }
    matrix
}

fn add_mesh(
    text: &mut TextWriter<'_>,
    scene: &Scene,
    mesh: &Mesh,
    node: &Node,
    (pose, has_colors): (&RestPose, bool),
    next: &mut NextIndices,
) {
    text.line(format_args!("o {}", one_word(&node.name)));
    for primitive in &mesh.primitives {
        let count = primitive.positions.len();
        for number in 0..count {
            let position = rest_position(primitive, &mesh.weights, number, pose);
            add_vertex(text, scene.placement.position(position), primitive.colors.get(number), has_colors);
        }
        for [u, v] in &primitive.texcoords {
            // In this format v grows upwards.
            text.float_line("vt", &[*u, 1.0 - v]);
        }
        for (number, normal) in primitive.normals.iter().enumerate() {
            let mut matrix = rest_matrix(primitive, number, pose);
            matrix[9..].fill(0.0);
            text.float_line("vn", &scene.placement.turn(transform(&matrix, *normal)));
        }
        let material = scene.materials.get(primitive.material).map_or("none", |material| &material.name);
        text.line(format_args!("usemtl {}", one_word(material)));
        let (word, corners) = match primitive.topology {
            Topology::Triangles => ("f", 3),
            Topology::Lines => ("l", 2),
            Topology::Points => ("p", 1),
        };
        // A mirroring node reverses the winding.
        let mirrored = matches!(pose, RestPose::Rigid(world) if decompose::mirrors(world));
        for element in primitive.indices.chunks_exact(corners) {
            let place = |corner: usize| if mirrored && corners == 3 { 2 - corner } else { corner };
            let indices = (0..corners).map(|corner| element[place(corner)] as usize);
            text.index_line(word, indices.map(|index| corner(primitive, index, next)));
        }
        next.position += count;
        next.texcoord += primitive.texcoords.len();
        next.normal += primitive.normals.len();
    }
}

/// Writes a position. If any primitive in the scene has colours, all vertices get a colour, because many readers
/// need all or none.
fn add_vertex(text: &mut TextWriter<'_>, [x, y, z]: [f32; 3], color: Option<&[u8; 4]>, has_colors: bool) {
    match color {
        Some([red, green, blue, _]) => {
            let [red, green, blue] = [red, green, blue].map(|&channel| f32::from(channel) / 255.0);
            text.float_line("v", &[x, y, z, red, green, blue]);
        }
        None if has_colors => text.float_line("v", &[x, y, z, 1.0, 1.0, 1.0]),
        None => text.float_line("v", &[x, y, z]),
    }
}

/// Computes where a vertex is at rest.
fn rest_position(primitive: &Primitive, weights: &[f32], number: usize, pose: &RestPose) -> [f32; 3] {
    let mut position = primitive.positions[number];
    for (target, weight) in primitive.targets.iter().zip(weights) {
        if let Some(moved) = target.positions.get(number) {
            position = [0, 1, 2].map(|axis| position[axis] + moved[axis] * weight);
        }
    }
    transform(&rest_matrix(primitive, number, pose), position)
}

/// Computes a matrix to move a vertex to its rest position.
fn rest_matrix(primitive: &Primitive, number: usize, pose: &RestPose) -> Affine {
    let joints = match pose {
        RestPose::Rigid(world) => return *world,
        RestPose::Skinned(joints) => joints,
    };
    let Some(influences) = primitive.influences.get(number) else { return IDENTITY };
    let mut sum = [0.0; 12];
    for influence in influences {
        let joint = joints.get(usize::from(influence.joint)).unwrap_or(&IDENTITY);
        for (sum, corners_of) in sum.iter_mut().zip(joint) {
            *sum += corners_of * influence.weight;
        }
    }
    sum
}

/// Computes a corner's indices: position, texture coordinate, normal.
fn corner(primitive: &Primitive, index: usize, next: &NextIndices) -> [Option<usize>; 3] {
    let is_point = primitive.topology == Topology::Points;
    let has_texcoord = !primitive.texcoords.is_empty() && !is_point;
    // Lines and points have no normals.
    let has_normal = !primitive.normals.is_empty() && primitive.topology == Topology::Triangles;
    [
        Some(next.position + index),
        has_texcoord.then_some(next.texcoord + index),
        has_normal.then_some(next.normal + index),
    ]
}

fn materials(scene: &Scene, image_name: &dyn Fn(usize) -> String, text: &mut TextWriter<'_>) {
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
            // This format has a clamp option, but many readers take it for part of the file name.
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

/// Replaces blanks, because they end a name in this format.
#[doc(hidden)]
#[must_use]
pub fn one_word(name: &str) -> String {
    name.replace(|char: char| char.is_control() || char.is_whitespace(), "_")
}
