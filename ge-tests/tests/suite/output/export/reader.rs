//! Reads glTF independently, to get triangles at rest and at any moment in an animation.
//!
//! This shares no code with the writer: the crate `gltf` reads the file, and the arithmetic here is double precision.

use gltf::animation::Interpolation;
use gltf::animation::util::ReadOutputs;
use gltf::mesh::Mode;

/// An affine matrix in columns: three axes and a translation.
type Matrix = [[f64; 3]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// Returns a number from the extras, for example on a node or a material.
pub(crate) fn number(extras: &gltf::json::Extras, name: &str) -> Option<u64> {
    field(extras, name)?.as_u64()
}

/// Returns an array of numbers from the extras; empty if absent.
pub(crate) fn numbers(extras: &gltf::json::Extras, name: &str) -> Vec<u64> {
    let found = field(extras, name);
    let list = found.as_ref().and_then(serde_json::Value::as_array);
    list.into_iter().flatten().filter_map(serde_json::Value::as_u64).collect()
}

/// Returns a string from the extras.
pub(crate) fn text(extras: &gltf::json::Extras, name: &str) -> Option<String> {
    field(extras, name)?.as_str().map(str::to_owned)
}

fn field(extras: &gltf::json::Extras, name: &str) -> Option<serde_json::Value> {
    let extras: serde_json::Value = serde_json::from_str(extras.as_ref()?.get()).expect("JSON");
    extras.get(name).cloned()
}

/// A triangle in scene space, counter-clockwise as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Triangle {
    pub(crate) corners: [[f64; 3]; 3],
    /// Normals with any length; 0 if absent.
    pub(crate) normals: [[f64; 3]; 3],
    pub(crate) texcoords: [[f32; 2]; 3],
    /// Tells which surface in the source this triangle comes from: a material number, or a draw's address.
    pub(crate) surface: usize,
}

/// A file after reading it.
pub(crate) struct GltfReading {
    pub(crate) file: gltf::Gltf,
}

/// A vertex in scene space.
#[derive(Clone, Copy, Default)]
struct Vertex {
    position: [f64; 3],
    normal: [f64; 3],
    texcoord: [f32; 2],
}

/// A node's transform during an animation.
#[derive(Clone, Copy)]
struct NodeTransform {
    translation: [f64; 3],
    rotation: [f64; 4],
    scale: [f64; 3],
}

impl GltfReading {
    /// Reads a `.glb` file.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self { file: gltf::Gltf::from_slice(bytes).unwrap_or_else(|error| panic!("not glTF: {error}")) }
    }

    fn blob(&self) -> &[u8] {
        self.file.blob.as_deref().unwrap_or_default()
    }

    /// Decodes an image's pixels.
    pub(crate) fn image(&self, number: usize) -> image::RgbaImage {
        let image = self.file.images().nth(number).expect("exists");
        let gltf::image::Source::View { view, mime_type } = image.source() else {
            panic!("an embedded image")
        };
        assert_eq!(mime_type, "image/png", "type");
        let bytes = &self.blob()[view.offset()..view.offset() + view.length()];
        image::load_from_memory(bytes).expect("a picture").into_rgba8()
    }

    /// Counts the vertices in all meshes.
    pub(crate) fn vertex_count(&self) -> usize {
        let primitives = self.file.meshes().flat_map(|mesh| mesh.primitives());
        primitives
            .map(|primitive| primitive.get(&gltf::Semantic::Positions).expect("positions").count())
            .sum()
    }

    /// Counts the triangles in all meshes.
    pub(crate) fn triangle_count(&self) -> usize {
        let primitives = self.file.meshes().flat_map(|mesh| mesh.primitives());
        let triangles = primitives.filter(|primitive| primitive.mode() == Mode::Triangles);
        triangles.map(|primitive| primitive.indices().expect("indices").count() / 3).sum()
    }

    /// Collects all triangles in the scene, at rest or at a time in an animation: its number and seconds.
    pub(crate) fn triangles(&self, moment: Option<(usize, f32)>) -> Vec<Triangle> {
        let world_matrices = self.world_matrices(moment);
        let mut triangles = Vec::new();
        let scene = self.file.default_scene().expect("a scene");
        let mut nodes: Vec<gltf::Node<'_>> = scene.nodes().collect();
        let mut visited = 0;
        while let Some(children) = nodes.get(visited).map(|node| node.children().collect::<Vec<_>>()) {
            nodes.extend(children);
            visited += 1;
        }
        nodes.sort_by_key(gltf::Node::index);
        for node in nodes {
            let Some(mesh) = node.mesh() else { continue };
            let joints = node.skin().map(|skin| self.joints(&skin, &world_matrices));
            let world = world_matrices[node.index()];
            for primitive in mesh.primitives().filter(|primitive| primitive.mode() == Mode::Triangles) {
                let weights = mesh.weights().unwrap_or_default();
                let vertices = self.vertices(&primitive, weights, &world, joints.as_deref());
                let surface = primitive.material().index().expect("a material");
                let reader = primitive.reader(|_| Some(self.blob()));
                let indices: Vec<u32> = reader.read_indices().expect("indices").into_u32().collect();
                for corner in indices.chunks_exact(3) {
                    let mut corners = [corner[0], corner[1], corner[2]].map(|index| index as usize);
                    // A mirroring node reverses the winding.
                    if joints.is_none() && determinant(&world) < 0.0 {
                        corners.swap(1, 2);
                    }
                    let vertex = |index: usize| vertices[index];
                    triangles.push(Triangle {
                        corners: corners.map(|index| vertex(index).position),
                        normals: corners.map(|index| vertex(index).normal),
                        texcoords: corners.map(|index| vertex(index).texcoord),
                        surface,
                    });
                }
            }
        }
        triangles
    }

    fn vertices(
        &self,
        primitive: &gltf::Primitive<'_>,
        weights: &[f32],
        world: &Matrix,
        joints: Option<&[Matrix]>,
    ) -> Vec<Vertex> {
        let reader = primitive.reader(|_| Some(self.blob()));
        let mut vertices: Vec<Vertex> = reader
            .read_positions()
            .expect("positions")
            .map(|position| Vertex { position: position.map(f64::from), ..Vertex::default() })
            .collect();
        for (vertex, normal) in vertices.iter_mut().zip(reader.read_normals().into_iter().flatten()) {
            vertex.normal = normal.map(f64::from);
        }
        let texcoords = reader.read_tex_coords(0).map(|texcoords| texcoords.into_f32());
        for (vertex, texcoord) in vertices.iter_mut().zip(texcoords.into_iter().flatten()) {
            vertex.texcoord = texcoord;
        }
        for ((positions, normals, _), weight) in reader.read_morph_targets().zip(weights) {
            let add = |to: &mut [f64; 3], moved: [f32; 3]| {
                for (to, moved) in to.iter_mut().zip(moved) {
                    *to += f64::from(moved) * f64::from(*weight);
                }
            };
            for (vertex, moved) in vertices.iter_mut().zip(positions.expect("morphed positions")) {
                add(&mut vertex.position, moved);
            }
            for (vertex, moved) in vertices.iter_mut().zip(normals.into_iter().flatten()) {
                add(&mut vertex.normal, moved);
            }
        }
        let matrices = match joints {
            Some(joints) => self.skin_matrices(primitive, joints, vertices.len()),
            None => vec![*world; vertices.len()],
        };
        for (vertex, matrix) in vertices.iter_mut().zip(&matrices) {
            vertex.position = apply(matrix, vertex.position);
            vertex.normal = apply_to_normal(matrix, vertex.normal);
        }
        vertices
    }

    /// Computes a matrix for each vertex in a skinned mesh.
    fn skin_matrices(&self, primitive: &gltf::Primitive<'_>, joints: &[Matrix], count: usize) -> Vec<Matrix> {
        let reader = primitive.reader(|_| Some(self.blob()));
        let mut sums = vec![[[0.0; 3]; 4]; count];
        let mut totals = vec![0.0; count];
        for set in 0..2 {
            let (Some(numbers), Some(shares)) = (reader.read_joints(set), reader.read_weights(set)) else {
                assert!(set > 0, "a skinned mesh has joints and weights");
                break;
            };
            for (vertex, (numbers, shares)) in numbers.into_u16().zip(shares.into_f32()).enumerate() {
                for (number, share) in numbers.into_iter().zip(shares).filter(|(_, share)| *share != 0.0) {
                    totals[vertex] += f64::from(share);
                    let joint = joints[usize::from(number)].as_flattened();
                    for (sum, element) in sums[vertex].as_flattened_mut().iter_mut().zip(joint) {
                        *sum += element * f64::from(share);
                    }
                }
            }
        }
        for total in totals {
            assert!((total - 1.0_f64).abs() < 1e-6, "weights add up to one: {total}");
        }
        sums
    }

    fn joints(&self, skin: &gltf::Skin<'_>, world_matrices: &[Matrix]) -> Vec<Matrix> {
        let reader = skin.reader(|_| Some(self.blob()));
        let binds = reader.read_inverse_bind_matrices().expect("inverse bind matrices");
        let joint = |(joint, bind): (gltf::Node<'_>, [[f32; 4]; 4])| {
            let bind = bind.map(|column| [column[0], column[1], column[2]].map(f64::from));
            multiply(&world_matrices[joint.index()], &bind)
        };
        skin.joints().zip(binds).map(joint).collect()
    }

    /// Computes all nodes' matrices in scene space.
    fn world_matrices(&self, moment: Option<(usize, f32)>) -> Vec<Matrix> {
        let mut transforms: Vec<NodeTransform> = self
            .file
            .nodes()
            .map(|node| {
                let (translation, rotation, scale) = node.transform().decomposed();
                let (translation, scale) = (translation.map(f64::from), scale.map(f64::from));
                NodeTransform { translation, rotation: rotation.map(f64::from), scale }
            })
            .collect();
        if let Some((animation, seconds)) = moment {
            let animation = self.file.animations().nth(animation).expect("exists");
            for channel in animation.channels() {
                self.apply_channel(&channel, seconds, &mut transforms[channel.target().node().index()]);
            }
        }
        let mut world_matrices = vec![IDENTITY; transforms.len()];
        let mut nodes: Vec<(gltf::Node<'_>, Matrix)> =
            self.file.default_scene().expect("a scene").nodes().map(|node| (node, IDENTITY)).collect();
        while let Some((node, parent)) = nodes.pop() {
            // A matrix is used as it is, because animations do not move such nodes.
            let own = match node.transform() {
                gltf::scene::Transform::Matrix { matrix } => {
                    matrix.map(|[x, y, z, _]| [x, y, z].map(f64::from))
                }
                gltf::scene::Transform::Decomposed { .. } => matrix(&transforms[node.index()]),
            };
            let world = multiply(&parent, &own);
            world_matrices[node.index()] = world;
            nodes.extend(node.children().map(|child| (child, world)));
        }
        world_matrices
    }

    fn apply_channel(
        &self,
        channel: &gltf::animation::Channel<'_>,
        seconds: f32,
        transform: &mut NodeTransform,
    ) {
        let reader = channel.reader(|_| Some(self.blob()));
        let times: Vec<f32> = reader.read_inputs().expect("times").collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "times rise");
        let next_key = times.partition_point(|time| *time <= seconds).clamp(1, times.len());
        let (from, to) = (next_key - 1, next_key.min(times.len() - 1));
        let span = f64::from(times[to]) - f64::from(times[from]);
        let mut share = if span > 0.0 { (f64::from(seconds) - f64::from(times[from])) / span } else { 0.0 };
        match channel.sampler().interpolation() {
            Interpolation::Linear => {}
            Interpolation::Step => share = 0.0,
            Interpolation::CubicSpline => panic!("cubic splines are never written"),
        }
        let share = share.clamp(0.0, 1.0);
        let mix = |a: f64, b: f64| a + (b - a) * share;
        let vector = |values: Vec<[f32; 3]>| -> [f64; 3] {
            assert_eq!(values.len(), times.len(), "a value for each time");
            [0, 1, 2].map(|axis| mix(f64::from(values[from][axis]), f64::from(values[to][axis])))
        };
        match reader.read_outputs().expect("values") {
            ReadOutputs::Translations(values) => transform.translation = vector(values.collect()),
            ReadOutputs::Scales(values) => transform.scale = vector(values.collect()),
            ReadOutputs::Rotations(values) => {
                let values: Vec<[f32; 4]> = values.into_f32().collect();
                assert_eq!(values.len(), times.len(), "a value for each time");
                transform.rotation = slerp(values[from].map(f64::from), values[to].map(f64::from), share);
            }
            ReadOutputs::MorphTargetWeights(_) => panic!("morph animations are never written"),
        }
    }
}

fn slerp(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    let along: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let b = if along < 0.0 { b.map(|part| -part) } else { b };
    let angle = along.abs().min(1.0).acos();
    let (from, to) = if angle < 1e-9 {
        (1.0 - share, share)
    } else {
        (libm::sin((1.0 - share) * angle) / libm::sin(angle), libm::sin(share * angle) / libm::sin(angle))
    };
    [0, 1, 2, 3].map(|i: usize| a[i] * from + b[i] * to)
}

fn matrix(transform: &NodeTransform) -> Matrix {
    let [x, y, z, w] = transform.rotation;
    let axes = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let scaled = |axis: usize| axes[axis].map(|element| element * transform.scale[axis]);
    [scaled(0), scaled(1), scaled(2), transform.translation]
}

pub(crate) fn apply(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| matrix[0][i] * x + matrix[1][i] * y + matrix[2][i] * z + matrix[3][i])
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut linear = *a;
    linear[3] = [0.0; 3];
    [apply(&linear, b[0]), apply(&linear, b[1]), apply(&linear, b[2]), apply(a, b[3])]
}

fn determinant([a, b, c, _]: &Matrix) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Transforms a normal by the inverse transpose; the length is arbitrary.
fn apply_to_normal(matrix: &Matrix, normal: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = *matrix;
    let side = determinant(matrix).signum();
    let [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)];
    [0, 1, 2].map(|i: usize| side * (a[i] * normal[0] + b[i] * normal[1] + c[i] * normal[2]))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
