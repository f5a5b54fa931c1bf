//! Writes glTF 2.0: a single binary file, or JSON with a separate buffer and images.
//!
//! In glTF, colour factors and vertex colours are linear light, but scenes hold display values. This converts them
//! with the same curve a viewer uses for textures, so that products look as on the PSP. Vertex colours get 16 bits,
//! because this keeps all 256 display values distinct.
//!
//! # Invariants
//! The Khronos validator finds neither errors nor warnings in the output. Source: the glTF 2.0 specification and
//! `KHR_materials_unlit`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::placement::Placement;
use super::scene::{
    AlphaMode, Camera, Extra, Extras, Influence, Material, Mesh, Minify, Node, Primitive, Scene, Skin,
    Texture, Topology, Track, TrackValues, Transform, Wrap,
};
use super::{File, png};
use crate::ge::never::OrNever;

mod buffer;
mod schema;

use buffer::{BufferBuilder, BufferUsage};

/// Where to put the buffer and the images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BufferPlacement<'a> {
    /// Inside the same file.
    Embedded,
    /// In their own files, named after this stem.
    Separate(&'a str),
}

/// Writes a scene as a binary file, `.glb`.
#[must_use]
pub fn write_glb(scene: &Scene) -> Vec<u8> {
    let (root, mut data, _) = GltfWriter::write(scene, BufferPlacement::Embedded);
    let mut json = serde_json::to_vec(&root).or_never("glTF is JSON");
    json.resize(json.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    let has_binary = !data.is_empty();
    let mut header = b"glTF\x02\x00\x00\x00".to_vec();
    header.extend(word(20 + json.len() + if has_binary { 8 + data.len() } else { 0 }));
    header.extend(word(json.len()));
    header.extend_from_slice(b"JSON");
    header.append(&mut json);
    if has_binary {
        header.extend(word(data.len()));
        header.extend_from_slice(b"BIN\x00");
    }
    // This moves the data instead of copying it to a new buffer, because it may be large, and puts the header in
    // front.
    let length = data.len();
    data.resize(length + header.len(), 0);
    data.copy_within(..length, header.len());
    data[..header.len()].copy_from_slice(&header);
    data
}

/// Writes a scene as JSON with its files: `stem.gltf`, `stem.bin` and a PNG per image.
#[must_use]
pub fn write_gltf(scene: &Scene, stem: &str) -> Vec<File> {
    let (root, data, images) = GltfWriter::write(scene, BufferPlacement::Separate(stem));
    let mut json = serde_json::to_vec_pretty(&root).or_never("glTF is JSON");
    json.push(b'\n');
    let mut files = vec![File { name: format!("{stem}.gltf"), bytes: json }];
    if !data.is_empty() {
        files.push(File { name: format!("{stem}.bin"), bytes: data });
    }
    files.extend(images);
    files
}

struct GltfWriter<'a> {
    scene: &'a Scene,
    placement: BufferPlacement<'a>,
    data: BufferBuilder,
    root: schema::Root,
    files: Vec<File>,
    linear: Vec<u16>,
}

impl<'a> GltfWriter<'a> {
    fn write(scene: &'a Scene, placement: BufferPlacement<'a>) -> (schema::Root, Vec<u8>, Vec<File>) {
        let linear = (0..=255_u8).map(|value| to_u16(linear(f32::from(value) / 255.0))).collect();
        let mut writer = Self {
            scene,
            placement,
            data: BufferBuilder::default(),
            root: schema::Root::default(),
            files: Vec::new(),
            linear,
        };
        writer.root.asset =
            schema::Asset { version: "2.0", generator: concat!("pspge ", env!("CARGO_PKG_VERSION")) };
        writer.nodes();
        writer.root.meshes = scene.meshes.iter().map(|mesh| writer.mesh(mesh)).collect();
        writer.root.materials = scene.materials.iter().map(material).collect();
        if scene.materials.iter().any(|material| material.unlit) {
            writer.root.extensions_used.push("KHR_materials_unlit");
        }
        writer.textures();
        writer.root.skins = scene.skins.iter().map(|skin| writer.skin(skin)).collect();
        writer.animations();
        writer.buffers()
    }

    fn buffers(mut self) -> (schema::Root, Vec<u8>, Vec<File>) {
        let BufferBuilder { bytes, views, accessors, .. } = self.data;
        if !bytes.is_empty() {
            let uri = match self.placement {
                BufferPlacement::Embedded => None,
                BufferPlacement::Separate(stem) => Some(encode(&format!("{stem}.bin"))),
            };
            self.root.buffers.push(schema::Buffer { uri, byte_length: bytes.len() });
        }
        (self.root.buffer_views, self.root.accessors) = (views, accessors);
        (self.root, bytes, self.files)
    }

    fn nodes(&mut self) {
        let scene = self.scene;
        let mut nodes: Vec<schema::Node> = scene.nodes.iter().map(node).collect();
        let mut roots = Vec::new();
        for (number, node) in scene.nodes.iter().enumerate() {
            match node.parent.and_then(|parent| nodes.get_mut(parent)) {
                Some(parent) => parent.children.push(number),
                None => roots.push(number),
            }
        }
        if !scene.placement.is_identity() {
            // A skinned mesh follows its joints, so transforms above its node have no effect.
            let is_skinned =
                |&number: &usize| scene.nodes.get(number).is_some_and(|node| node.skin.is_some());
            let (skinned, placed) = roots.into_iter().partition(is_skinned);
            nodes.push(placement_node(scene, placed));
            roots = skinned;
            roots.push(scene.nodes.len());
        }
        self.root.cameras = scene.cameras.iter().map(|one| camera(one, scene.placement)).collect();
        self.root.nodes = nodes;
        let mut scene_extras = table(&scene.extras);
        if !scene.notes.is_empty() {
            let notes: Vec<String> = scene.notes.iter().map(ToString::to_string).collect();
            scene_extras.insert("notes".to_owned(), notes.into());
        }
        let extras = (!scene_extras.is_empty()).then_some(Value::Object(scene_extras));
        self.root.scenes.push(schema::Scene { name: scene.name.clone(), nodes: roots, extras });
        self.root.scene = Some(0);
    }

    fn mesh(&mut self, mesh: &Mesh) -> schema::Mesh {
        let primitives = mesh.primitives.iter().map(|primitive| self.primitive(primitive)).collect();
        schema::Mesh { name: mesh.name.clone(), primitives, weights: mesh.weights.clone() }
    }

    fn primitive(&mut self, primitive: &Primitive) -> schema::Primitive {
        let mut attributes = BTreeMap::new();
        let mut add = |name: &str, accessor: usize| attributes.insert(name.to_owned(), accessor);
        add("POSITION", self.data.floats(&primitive.positions, BufferUsage::Vertices, true));
        if !primitive.normals.is_empty() {
            add("NORMAL", self.data.floats(&primitive.normals, BufferUsage::Vertices, false));
        }
        if !primitive.texcoords.is_empty() {
            add("TEXCOORD_0", self.data.floats(&primitive.texcoords, BufferUsage::Vertices, false));
        }
        if !primitive.colors.is_empty() {
            let colors: Vec<[u16; 4]> = primitive.colors.iter().map(|&color| self.color(color)).collect();
            add("COLOR_0", self.data.colors(&colors));
        }
        let influence_count = primitive.influences.iter().map(Vec::len).max().unwrap_or(0);
        // An attribute holds four joints, so a vertex with more of them needs several sets.
        for set in 0..influence_count.div_ceil(4) {
            let quad = |influences: &Vec<Influence>| -> [Influence; 4] {
                std::array::from_fn(|number| influences.get(4 * set + number).copied().unwrap_or_default())
            };
            let quads: Vec<[Influence; 4]> = primitive.influences.iter().map(quad).collect();
            let joints: Vec<[u16; 4]> = quads.iter().map(|quad| quad.map(|one| one.joint)).collect();
            let weights: Vec<[f32; 4]> = quads.iter().map(|quad| quad.map(|one| one.weight)).collect();
            add(&format!("JOINTS_{set}"), self.data.joints(&joints));
            add(&format!("WEIGHTS_{set}"), self.data.floats(&weights, BufferUsage::Vertices, false));
        }
        let targets = self.targets(primitive);
        schema::Primitive {
            attributes,
            indices: self.data.indices(&primitive.indices, primitive.positions.len()),
            material: primitive.material,
            mode: match primitive.topology {
                Topology::Points => 0,
                Topology::Lines => 1,
                Topology::Triangles => 4,
            },
            targets,
            extras: extras(&primitive.extras),
        }
    }

    /// Writes morph targets, all with the same attributes because some viewers need this.
    fn targets(&mut self, primitive: &Primitive) -> Vec<BTreeMap<String, usize>> {
        let targets = &primitive.targets;
        let any_texcoords = targets.iter().any(|target| !target.texcoords.is_empty());
        let any_colors = targets.iter().any(|target| !target.colors.is_empty());
        let count = primitive.positions.len();
        let write = |target: &super::scene::MorphTarget, writer: &mut Self| {
            let mut attributes = BTreeMap::new();
            let mut add = |name: &str, accessor: usize| attributes.insert(name.to_owned(), accessor);
            add("POSITION", writer.data.floats(&target.positions, BufferUsage::Vertices, true));
            if !target.normals.is_empty() {
                add("NORMAL", writer.data.floats(&target.normals, BufferUsage::Vertices, false));
            }
            if any_texcoords {
                let unmoved = vec![[0.0; 2]; count];
                let changes = if target.texcoords.is_empty() { &unmoved } else { &target.texcoords };
                add("TEXCOORD_0", writer.data.floats(changes, BufferUsage::Vertices, false));
            }
            if any_colors {
                // Viewers add these changes in linear light, so both colours are converted before the subtraction.
                let base = &primitive.colors;
                let own = if target.colors.is_empty() { base } else { &target.colors };
                let change = |(own, base): (&[u8; 4], &[u8; 4])| {
                    let (own, base) = (writer.color(*own), writer.color(*base));
                    [0, 1, 2, 3].map(|i: usize| (f32::from(own[i]) - f32::from(base[i])) / 65535.0)
                };
                let changes: Vec<[f32; 4]> = own.iter().zip(base).map(change).collect();
                add("COLOR_0", writer.data.floats(&changes, BufferUsage::Vertices, false));
            }
            attributes
        };
        targets.iter().map(|target| write(target, self)).collect()
    }

    /// Converts a display colour to linear light. Alpha is linear already.
    fn color(&self, [red, green, blue, alpha]: [u8; 4]) -> [u16; 4] {
        let light = |value: u8| self.linear.get(usize::from(value)).copied().unwrap_or(u16::MAX);
        [light(red), light(green), light(blue), u16::from(alpha) * 257]
    }

    fn textures(&mut self) {
        for (number, image) in self.scene.images.iter().enumerate() {
            let bytes = png(image);
            let mut entry = schema::Image {
                name: image.name.clone(),
                extras: extras(&image.extras),
                ..Default::default()
            };
            match self.placement {
                BufferPlacement::Embedded => {
                    entry.buffer_view = Some(self.data.file(&bytes));
                    entry.mime_type = Some("image/png");
                }
                BufferPlacement::Separate(stem) => {
                    let name = format!("{stem}_{}.png", image.name);
                    entry.uri = Some(encode(&name));
                    self.files.push(File { name, bytes });
                }
            }
            debug_assert_eq!(number, self.root.images.len(), "images keep their numbers");
            self.root.images.push(entry);
        }
        for texture in &self.scene.textures {
            let sampler = sampler(texture);
            // Many textures have the same settings, so they share a sampler.
            let known = self.root.samplers.iter().position(|known| *known == sampler);
            let sampler = known.unwrap_or_else(|| {
                self.root.samplers.push(sampler);
                self.root.samplers.len() - 1
            });
            self.root.textures.push(schema::Texture { sampler, source: texture.image });
        }
    }

    fn skin(&mut self, skin: &Skin) -> schema::Skin {
        schema::Skin {
            name: skin.name.clone(),
            inverse_bind_matrices: self.data.matrices(&skin.inverse_bind),
            skeleton: skin.root,
            joints: skin.joints.clone(),
        }
    }

    fn animations(&mut self) {
        for animation in &self.scene.animations {
            let mut samplers = Vec::new();
            let mut channels = Vec::new();
            for Track { node, times, stepped, values } in &animation.tracks {
                let input = self.data.scalars(times);
                let (path, output) = match values {
                    TrackValues::Translation(values) => {
                        ("translation", self.data.floats(values, BufferUsage::Other, false))
                    }
                    TrackValues::Rotation(values) => {
                        ("rotation", self.data.floats(values, BufferUsage::Other, false))
                    }
                    TrackValues::Scale(values) => {
                        ("scale", self.data.floats(values, BufferUsage::Other, false))
                    }
                };
                let target = schema::ChannelTarget { node: *node, path };
                channels.push(schema::Channel { sampler: samplers.len(), target });
                let interpolation = if *stepped { "STEP" } else { "LINEAR" };
                samplers.push(schema::AnimationSampler { input, interpolation, output });
            }
            let extras = extras(&animation.extras);
            let name = animation.name.clone();
            self.root.animations.push(schema::Animation { name, channels, samplers, extras });
        }
    }
}

/// Builds a root node to place the scene. It uses a matrix because this is exact, unlike a quaternion.
fn placement_node(scene: &Scene, children: Vec<usize>) -> schema::Node {
    let mut name = "placement".to_owned();
    while scene.nodes.iter().any(|node| node.name == name) {
        name.push('_');
    }
    let affine = scene.placement.matrix();
    let mut matrix = [0.0; 16];
    for (to, from) in matrix.chunks_exact_mut(4).zip(affine.chunks_exact(3)) {
        to[..3].copy_from_slice(from);
    }
    matrix[15] = 1.0;
    schema::Node { name, children, matrix: Some(matrix), ..schema::Node::default() }
}

/// Converts a camera. Scaling its node would not scale its planes, so this scales them here.
fn camera(camera: &Camera, placement: Placement) -> schema::Camera {
    let near = placement.length(camera.near).max(f32::MIN_POSITIVE);
    let perspective = schema::Perspective {
        aspect_ratio: camera.aspect,
        yfov: camera.field_of_view,
        znear: near,
        zfar: camera.far.map(|far| placement.length(far)).filter(|far| *far > near),
    };
    schema::Camera { projection: "perspective", perspective }
}

fn node(node: &Node) -> schema::Node {
    let Transform { translation, rotation, scale } = node.transform;
    let rest = Transform::default();
    schema::Node {
        name: node.name.clone(),
        children: Vec::new(),
        matrix: None,
        translation: (translation != rest.translation).then_some(translation),
        rotation: (rotation != rest.rotation).then_some(rotation),
        scale: (scale != rest.scale).then_some(scale),
        mesh: node.mesh,
        skin: node.skin,
        camera: node.camera,
        extras: extras(&node.extras),
    }
}

fn material(material: &Material) -> schema::Material {
    let [red, green, blue, alpha] = material.color;
    let texture = material.texture.map(|index| schema::TextureReference { index });
    let is_emissive = material.emissive != [0.0; 3];
    let (alpha_mode, alpha_cutoff) = match material.alpha {
        AlphaMode::Opaque => (None, None),
        AlphaMode::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
        AlphaMode::Blend => (Some("BLEND"), None),
    };
    schema::Material {
        name: material.name.clone(),
        pbr_metallic_roughness: schema::MetallicRoughness {
            base_color_factor: [linear(red), linear(green), linear(blue), alpha],
            base_color_texture: texture,
            metallic_factor: 0.0,
            roughness_factor: 1.0,
        },
        emissive_factor: is_emissive.then(|| material.emissive.map(linear)),
        // In the GE the texture is multiplied with all light, including emitted light.
        emissive_texture: texture.filter(|_| is_emissive),
        alpha_mode,
        alpha_cutoff,
        double_sided: material.double_sided,
        extensions: material.unlit.then(schema::MaterialExtensions::default),
        extras: extras(&material.extras),
    }
}

const fn sampler(texture: &Texture) -> schema::Sampler {
    const fn wrap(wrap: Wrap) -> u32 {
        match wrap {
            Wrap::Repeat => 10497,
            Wrap::Clamp => 33071,
        }
    }
    let Minify { linear, mipmaps } = texture.minify;
    let [wrap_s, wrap_t] = [wrap(texture.wrap[0]), wrap(texture.wrap[1])];
    // These are OpenGL's numbers, which glTF uses.
    schema::Sampler {
        mag_filter: if texture.magnify_linear { 9729 } else { 9728 },
        min_filter: match (linear, mipmaps) {
            (false, None) => 9728,
            (true, None) => 9729,
            (false, Some(false)) => 9984,
            (true, Some(false)) => 9985,
            (false, Some(true)) => 9986,
            (true, Some(true)) => 9987,
        },
        wrap_s,
        wrap_t,
    }
}

/// Converts a display value from 0 to 1 to linear light. Source: IEC 61966-2-1 (sRGB).
#[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
fn linear(display: f32) -> f32 {
    let value = f64::from(display);
    let light = if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
    light as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 1, and conversions saturate"
)]
fn to_u16(value: f32) -> u16 {
    (value * 65535.0 + 0.5) as u16
}

fn extras(extras: &Extras) -> Option<Value> {
    (!extras.is_empty()).then(|| Value::Object(table(extras)))
}

fn table(extras: &Extras) -> Map<String, Value> {
    extras.iter().map(|(name, value)| ((*name).to_owned(), json(value))).collect()
}

fn json(extra: &Extra) -> Value {
    match extra {
        Extra::Text(text) => text.clone().into(),
        Extra::Whole(number) => (*number).into(),
        Extra::Real(number) => f64::from(*number).into(),
        Extra::Flag(flag) => (*flag).into(),
        Extra::List(list) => list.iter().map(json).collect(),
        Extra::Table(extras) => Value::Object(table(extras)),
    }
}

/// Percent-encodes reserved bytes, to use a file name as a relative URI.
fn encode(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
