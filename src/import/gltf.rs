//! Reads surfaces from a binary glTF file: triangles in the pose that a viewer shows.
//!
//! # Invariants
//! Any bytes give an error, or surfaces whose indices lie inside them. `gltf` checks the structure; accessor bounds
//! and types are checked here, before anything is read. Source: the glTF 2.0 specification.

use std::collections::HashMap;

use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Primitive, Semantic};
use serde_json::Value;

use super::matrix::{self, Matrix};
use crate::export::{Placement, UpAxis};
use crate::formats::core::geometry::{
    GeometryError, GeometryProblem, NewSurface, NewVertex, has_distinct_corners,
};
use crate::model::matrix::single;
use crate::model::skeleton::{cut_cycles, parents_first};

/// Models have far fewer vertices, nodes and accessors. Vertices need a limit even for a small file, because it may
/// show the same mesh many times.
const VERTICES_MAX: usize = 1 << 22;
const NODES_MAX: usize = 1 << 14;
/// A viewer shows weights as if their sum were 1, so the stored sum may be off only by rounding.
const WEIGHT_SUM_TOLERANCE: f64 = 0.02;
/// Smaller weights are left out, because they round to 0 when they are stored.
const WEIGHT_MIN: f64 = 1.0 / 512.0;

/// A primitive in a shown mesh.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) material: Option<String>,
    /// The names of its mesh and its node.
    pub(super) names: [Option<String>; 2],
    /// The group it was exported from, as its extras say.
    pub(super) group: Option<u64>,
    pub(super) surface: NewSurface,
}

/// Reads all primitives that the file's scene shows. `bones` maps node names to bone ids.
pub(super) fn read(
    bytes: &[u8],
    placement: Placement,
    bones: &HashMap<String, u32>,
) -> Result<Vec<Shown>, GeometryError> {
    let damaged = |problem: &str| GeometryProblem::Damaged(problem.to_owned());
    let length = bytes.get(8..12).and_then(|length| length.try_into().ok()).map_or(0, u32::from_le_bytes);
    if !bytes.starts_with(b"glTF") || length < 12 {
        return Err(damaged("it is no binary glTF file (.glb)").into());
    }
    let file = Gltf::from_slice(bytes).map_err(|error| damaged(&format!("no glTF file: {error}")))?;
    if file.document.nodes().count().max(file.document.accessors().count()) > NODES_MAX {
        return Err(damaged("it has too many nodes or accessors").into());
    }
    if file.document.buffers().any(|buffer| matches!(buffer.source(), gltf::buffer::Source::Uri(_))) {
        return Err(GeometryProblem::Unsupported("buffers in other files").into());
    }
    let nodes: Vec<Node<'_>> = file.document.nodes().collect();
    let mut reader = Reader {
        blob: file.blob.as_deref().unwrap_or_default(),
        placement,
        bones,
        worlds: Vec::new(),
        left: VERTICES_MAX,
    };
    reader.worlds = worlds(&nodes).ok_or_else(|| damaged("its nodes are no tree"))?;
    let mut is_shown = vec![false; nodes.len()];
    let scene = file.document.default_scene().or_else(|| file.document.scenes().next());
    let mut open: Vec<usize> = match &scene {
        Some(scene) => scene.nodes().map(|node| node.index()).collect(),
        None => (0..nodes.len()).collect(),
    };
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut is_shown[index], true) {
            open.extend(nodes[index].children().map(|child| child.index()));
        }
    }
    let mut shown = Vec::new();
    for node in nodes.iter().filter(|node| is_shown[node.index()]) {
        let Some(mesh) = node.mesh() else { continue };
        for primitive in mesh.primitives() {
            let name = mesh.name().or(node.name()).map_or_else(|| mesh.index().to_string(), str::to_owned);
            let name = format!("mesh {name}, primitive {}", primitive.index());
            let surface = reader.surface(&name, node, &primitive).map_err(|problem| problem.of(&name))?;
            let extras =
                primitive.extras().as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
            shown.push(Shown {
                material: primitive.material().name().map(str::to_owned),
                names: [mesh.name(), node.name()].map(|name| name.map(str::to_owned)),
                group: extras.and_then(|extras: Value| extras.get("group")?.as_u64()),
                surface,
            });
        }
    }
    if shown.iter().all(|shown| shown.surface.triangles.is_empty()) {
        return Err(GeometryProblem::NoTriangles.into());
    }
    Ok(shown)
}

/// Returns each node's matrix to the scene; `None` if nodes have several parents or form a cycle.
fn worlds(nodes: &[Node<'_>]) -> Option<Vec<Matrix>> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for node in nodes {
        for child in node.children() {
            if parents.get_mut(child.index())?.replace(node.index()).is_some() {
                return None;
            }
        }
    }
    if cut_cycles(&mut parents).iter().any(|&(_, is_cut)| is_cut) {
        return None;
    }
    let mut worlds: Vec<Matrix> =
        nodes.iter().map(|node| node.transform().matrix().map(|column| column.map(f64::from))).collect();
    for node in parents_first(&parents) {
        if let Some(parent) = parents[node] {
            worlds[node] = matrix::times(&worlds[parent], &worlds[node]);
        }
    }
    Some(worlds)
}

struct Reader<'a> {
    blob: &'a [u8],
    placement: Placement,
    bones: &'a HashMap<String, u32>,
    worlds: Vec<Matrix>,
    /// How many more vertices may be read.
    left: usize,
}

/// Four joints for each vertex, and their weights.
type JointSet = (Vec<[f64; 4]>, Vec<[f64; 4]>);

/// A skin's joints: the bone for each, and the matrix by which it moves vertices.
struct Joints {
    bones: Vec<(Option<u32>, String)>,
    matrices: Vec<Matrix>,
}

impl Reader<'_> {
    fn surface(
        &mut self,
        name: &str,
        node: &Node<'_>,
        primitive: &Primitive<'_>,
    ) -> Result<NewSurface, GeometryProblem> {
        let get = |semantic: Semantic| primitive.get(&semantic);
        let positions: Vec<[f64; 3]> = match get(Semantic::Positions) {
            Some(accessor) => self.elements(&accessor, &[Dimensions::Vec3])?,
            None => Vec::new(),
        };
        let count = positions.len();
        let read = |semantic: Semantic, dimensions: &[Dimensions]| {
            let elements =
                get(semantic).map(|accessor| self.elements::<4>(&accessor, dimensions)).transpose()?;
            match elements {
                Some(elements) if elements.len() != count => {
                    Err(GeometryProblem::Damaged("its attributes have different lengths".to_owned()))
                }
                elements => Ok(elements),
            }
        };
        let normals = read(Semantic::Normals, &[Dimensions::Vec3])?;
        let texcoords = read(Semantic::TexCoords(0), &[Dimensions::Vec2])?;
        let colors = read(Semantic::Colors(0), &[Dimensions::Vec3, Dimensions::Vec4])?;
        let has_alpha =
            get(Semantic::Colors(0)).is_some_and(|accessor| accessor.dimensions() == Dimensions::Vec4);
        let joints = match node.skin() {
            Some(skin) => Some(self.joints(&skin)?),
            None => None,
        };
        let mut sets: Vec<JointSet> = Vec::new();
        for set in 0..2 {
            let joints = read(Semantic::Joints(set), &[Dimensions::Vec4])?;
            let weights = read(Semantic::Weights(set), &[Dimensions::Vec4])?;
            sets.extend(joints.zip(weights));
        }
        let triangles = self.triangles(primitive, count)?;
        self.left = self.left.checked_sub(count).ok_or(GeometryProblem::TooMany {
            what: "vertices",
            count: VERTICES_MAX as u64 + 1,
            most: VERTICES_MAX as u64,
        })?;
        let own = self.worlds[node.index()];
        let (mut vertices, mut flips) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for number in 0..count {
            let vertex = u32::try_from(number).unwrap_or(u32::MAX);
            let (matrix, influences) = match &joints {
                Some(joints) => joints.of(&sets, number, vertex)?,
                None => (own, Vec::new()),
            };
            let position = self.back(matrix::point(&matrix, positions[number]), true);
            let normal = normals.as_ref().map(|normals| {
                let [x, y, z, _] = normals[number];
                unit(self.back(matrix::normal(&matrix, [x, y, z]), false))
            });
            let texcoord = texcoords.as_ref().map(|texcoords| [texcoords[number][0], texcoords[number][1]]);
            let color = colors.as_ref().map(|colors| {
                let [red, green, blue, alpha] = colors[number];
                let alpha = if has_alpha { alpha } else { 1.0 };
                [display(red), display(green), display(blue), byte(alpha)]
            });
            let numbers = position.iter().chain(normal.iter().flatten()).chain(texcoord.iter().flatten());
            if !numbers.into_iter().all(|number| number.is_finite() && number.abs() < f64::from(f32::MAX)) {
                return Err(GeometryProblem::NotFinite(vertex));
            }
            flips.push(matrix::mirrors(&matrix));
            vertices.push(NewVertex {
                position: position.map(single),
                normal: normal.map(|normal| normal.map(single)),
                texcoord: texcoord.map(|texcoord| texcoord.map(single)),
                color,
                influences,
            });
        }
        let turn = |[a, b, c]: [u32; 3]| if flips[a as usize] { [b, a, c] } else { [a, b, c] };
        let triangles = triangles.into_iter().map(turn).collect();
        Ok(NewSurface { name: name.to_owned(), groups: Vec::new(), vertices, triangles })
    }

    /// Reverses the export's placement. Lengths are scaled only for positions.
    fn back(&self, [x, y, z]: [f64; 3], is_position: bool) -> [f64; 3] {
        let turned = match self.placement.up() {
            UpAxis::Y => [x, y, z],
            UpAxis::Z => [x, z, -y],
        };
        if is_position { turned.map(|coordinate| coordinate / self.placement.scale()) } else { turned }
    }

    fn joints(&self, skin: &gltf::Skin<'_>) -> Result<Joints, GeometryProblem> {
        let mut joints = Joints { bones: Vec::new(), matrices: Vec::new() };
        let inverse: Option<Vec<[f64; 16]>> = match skin.inverse_bind_matrices() {
            Some(accessor) => Some(self.elements(&accessor, &[Dimensions::Mat4])?),
            None => None,
        };
        for (number, joint) in skin.joints().enumerate() {
            let name = joint.name().unwrap_or_default().to_owned();
            let inverse = inverse.as_ref().map(|all| all.get(number).map(matrix::of_columns));
            let Some(inverse) = inverse.unwrap_or(Some(matrix::IDENTITY)) else {
                return Err(GeometryProblem::Damaged("its skin lacks matrices".to_owned()));
            };
            joints.matrices.push(matrix::times(&self.worlds[joint.index()], &inverse));
            joints.bones.push((self.bones.get(&name).copied(), name));
        }
        Ok(joints)
    }

    /// Reads the corners of a primitive's triangles. This drops triangles that use a vertex twice.
    fn triangles(&self, primitive: &Primitive<'_>, count: usize) -> Result<Vec<[u32; 3]>, GeometryProblem> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let corners: Vec<u32> = match primitive.indices() {
            Some(accessor) => {
                let elements: Vec<[f64; 1]> = self.elements(&accessor, &[Dimensions::Scalar])?;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, and is checked below"
                )]
                let corners = elements.into_iter().map(|[element]| element as u32).collect();
                corners
            }
            None => (0..count).collect(),
        };
        if corners.iter().any(|corner| *corner >= count) {
            return Err(GeometryProblem::Damaged("an index is outside its vertices".to_owned()));
        }
        let three = |three: &[u32]| [three[0], three[1], three[2]];
        let triangles: Vec<[u32; 3]> = match primitive.mode() {
            Mode::Triangles => corners.chunks_exact(3).map(three).collect(),
            Mode::TriangleStrip => {
                let numbered = corners.windows(3).map(three).enumerate();
                numbered
                    .map(|(number, [a, b, c])| if number % 2 == 0 { [a, b, c] } else { [b, a, c] })
                    .collect()
            }
            Mode::TriangleFan => {
                let first = corners.first().copied().unwrap_or(0);
                corners.windows(2).skip(1).map(|two| [first, two[0], two[1]]).collect()
            }
            _ => return Err(GeometryProblem::Unsupported("points and lines")),
        };
        Ok(triangles.into_iter().filter(|triangle| has_distinct_corners(*triangle)).collect())
    }

    /// Reads an accessor's elements. Missing components are 0.
    fn elements<const N: usize>(
        &self,
        accessor: &Accessor<'_>,
        dimensions: &[Dimensions],
    ) -> Result<Vec<[f64; N]>, GeometryProblem> {
        let damaged = |problem: &str| GeometryProblem::Damaged(problem.to_owned());
        if !dimensions.contains(&accessor.dimensions()) {
            return Err(damaged("an attribute has the wrong type"));
        }
        if accessor.sparse().is_some() {
            return Err(GeometryProblem::Unsupported("sparse accessors"));
        }
        if accessor.count() == 0 {
            return Ok(Vec::new());
        }
        let Some(view) = accessor.view() else { return Err(damaged("an accessor has no bytes")) };
        let size = accessor.size();
        let stride = view.stride().unwrap_or(size).max(size);
        let bytes = view
            .offset()
            .checked_add(view.length())
            .and_then(|end| self.blob.get(view.offset()..end))
            .and_then(|bytes| bytes.get(accessor.offset()..));
        let needed =
            accessor.count().saturating_sub(1).checked_mul(stride).and_then(|most| most.checked_add(size));
        let Some(bytes) = bytes.filter(|bytes| needed.is_some_and(|needed| needed <= bytes.len())) else {
            return Err(damaged("an accessor is outside its buffer"));
        };
        let components = accessor.dimensions().multiplicity().min(N);
        let width = accessor.data_type().size();
        let element = |number: usize| {
            let mut element = [0.0; N];
            for (component, value) in element.iter_mut().take(components).enumerate() {
                let at = number * stride + component * width;
                let found = bytes.get(at..at + width).unwrap_or_default();
                *value = number_of(accessor.data_type(), found, accessor.normalized());
            }
            element
        };
        Ok((0..accessor.count()).map(element).collect())
    }
}

impl Joints {
    /// Returns the matrix that moves a vertex, and the vertex's bones with their weights. Each bone occurs once.
    fn of(
        &self,
        sets: &[JointSet],
        number: usize,
        vertex: u32,
    ) -> Result<(Matrix, Vec<(u32, f32)>), GeometryProblem> {
        let pairs = sets.iter().flat_map(|(joints, weights)| joints[number].into_iter().zip(weights[number]));
        let all: Vec<(f64, f64)> = pairs.filter(|(_, weight)| *weight != 0.0).collect();
        let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
        if !((sum - 1.0).abs() <= WEIGHT_SUM_TOLERANCE && all.iter().all(|(_, weight)| *weight > 0.0)) {
            return Err(GeometryProblem::WeightSum { vertex, sum: single(sum) });
        }
        let mut blend = [[0.0; 4]; 4];
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for (joint, weight) in all {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
            let joint = joint as usize;
            let Some(matrix) = self.matrices.get(joint) else {
                return Err(GeometryProblem::Damaged(format!("its skin has no joint {joint}")));
            };
            for (blended, value) in blend.iter_mut().flatten().zip(matrix.iter().flatten()) {
                *blended += value * weight / sum;
            }
            if weight < WEIGHT_MIN {
                continue;
            }
            let (bone, name) = &self.bones[joint];
            let Some(bone) = *bone else { return Err(GeometryProblem::NoBone(name.clone())) };
            match shares.iter_mut().find(|(known, _)| *known == bone) {
                Some((_, share)) => *share += weight,
                None => shares.push((bone, weight)),
            }
        }
        let kept: f64 = shares.iter().map(|(_, share)| share).sum();
        Ok((blend, shares.into_iter().map(|(bone, share)| (bone, single(share / kept))).collect()))
    }
}

/// Reads a component, and scales it to 0 to 1, or -1 to 1 if signed, if the accessor is normalised.
fn number_of(kind: DataType, bytes: &[u8], is_normalized: bool) -> f64 {
    let (value, most) = match (kind, bytes) {
        (DataType::I8, &[a]) => (f64::from(i8::from_le_bytes([a])), 127.0),
        (DataType::U8, &[a]) => (f64::from(a), 255.0),
        (DataType::I16, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
        (DataType::U16, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
        (DataType::U32, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), 1.0),
        (DataType::F32, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 1.0),
        _ => (0.0, 1.0),
    };
    if is_normalized { (value / most).max(-1.0) } else { value }
}

/// Converts linear light to a display value. Source: IEC 61966-2-1 (sRGB).
fn display(light: f64) -> u8 {
    byte(if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
fn byte(value: f64) -> u8 {
    (value * 255.0).round().clamp(0.0, 255.0) as u8
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = vector.iter().map(|coordinate| coordinate * coordinate).sum::<f64>().sqrt();
    vector.map(|coordinate| if length > 0.0 { coordinate / length } else { 0.0 })
}
