//! The neutral scene: what files of models can say, by names of their own and without the engine's registers.
//!
//! # Invariants
//! Numbers are finite and all references exist. A node's parent stands before it. Names of nodes, meshes, materials and
//! images are unique among their kind. The same model gives the same scene, bit for bit.
//! Colours are as the engine holds them: display values, 0 to 1 or 0 to 255, not linear light.

use image::RgbaImage;

/// Meshes with materials, nodes that place them, skins, and what moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Name of the whole.
    pub name: String,
    /// Nodes, parents first.
    pub nodes: Vec<Node>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images with how they are sampled.
    pub textures: Vec<Texture>,
    /// Pictures; no two have the same content.
    pub images: Vec<Image>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Movements.
    pub animations: Vec<Animation>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// What the source says beyond that.
    pub extras: Extras,
    /// What the user should know: what could not be expressed.
    pub notes: Vec<String>,
}

/// A place, relative to its parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// The node it hangs on; `None` for a root.
    pub parent: Option<usize>,
    /// Where it is.
    pub transform: Transform,
    /// The mesh that is drawn here.
    pub mesh: Option<usize>,
    /// The skin that moves the mesh. The node's own place does not count then.
    pub skin: Option<usize>,
    /// The camera that stands here.
    pub camera: Option<usize>,
    /// What else is known.
    pub extras: Extras,
}

/// Scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The move.
    pub translation: [f32; 3],
    /// The turn: x, y, z and w of a quaternion of length 1.
    pub rotation: [f32; 4],
    /// The scale.
    pub scale: [f32; 3],
}

impl Default for Transform {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// Primitives that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// What is drawn, in order.
    pub primitives: Vec<Primitive>,
    /// How much of each morph target is added; as many as each primitive has targets.
    pub weights: Vec<f32>,
}

/// What indices make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topology {
    /// Each index a point.
    Points,
    /// Each two a line.
    Lines,
    /// Each three a triangle, counter-clockwise as seen from its front.
    #[default]
    Triangles,
}

/// Vertices and indices of one material. Lists are as long as `positions`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// What the indices make.
    pub topology: Topology,
    /// Number of the material.
    pub material: usize,
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals of length 1.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates; v grows downwards, (0, 0) is the upper left corner.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green, blue and alpha, each 0 to 255 as displayed.
    pub colors: Vec<[u8; 4]>,
    /// Joints of the node's skin with their weights, which add up to 1; the greatest weight first.
    pub influences: Vec<Vec<Influence>>,
    /// Places in `positions`.
    pub indices: Vec<u32>,
    /// Morph targets: what is added.
    pub targets: Vec<Target>,
    /// What else is known.
    pub extras: Extras,
}

/// How much of a vertex follows a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Place in [`Skin::joints`].
    pub joint: u16,
    /// Share, above 0 to 1.
    pub weight: f32,
}

/// Differences to a primitive's attributes; empty where nothing differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// Of positions.
    pub positions: Vec<[f32; 3]>,
    /// Of normals.
    pub normals: Vec<[f32; 3]>,
    /// Of texture coordinates.
    pub texcoords: Vec<[f32; 2]>,
    /// The target's own colours; the difference depends on the colour space of the file.
    pub colors: Vec<[u8; 4]>,
}

/// What a surface looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Red, green, blue and alpha, 0 to 1 as displayed; multiplied with texture and vertex colour.
    pub color: [f32; 4],
    /// Light that comes out by itself.
    pub emissive: [f32; 3],
    /// Number of the texture.
    pub texture: Option<usize>,
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Seen from behind, too.
    pub double_sided: bool,
    /// Shown in its own colours, without light.
    pub unlit: bool,
    /// What else is known: state of the engine.
    pub extras: Extras,
}

/// What alpha does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Alpha from here on is drawn, the rest is not.
    Mask(f32),
    /// The surface is blended with what is behind it.
    Blend,
}

/// An image and how it is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Number of the image.
    pub image: usize,
    /// What happens beyond the edges, along u and v.
    pub wrap: [Wrap; 2],
    /// Texels are blended where they are larger than pixels.
    pub magnify_linear: bool,
    /// How texels are chosen where they are smaller than pixels.
    pub minify: Minify,
}

/// What happens beyond a texture's edge. The engine cannot mirror.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// It starts over.
    #[default]
    Repeat,
    /// Its last texels go on.
    Clamp,
}

/// How texels are chosen where they are smaller than pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minify {
    /// Texels are blended.
    pub linear: bool,
    /// Smaller copies are used: `Some(true)` blends two of them.
    pub mipmaps: Option<bool>,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Its name, fit for a file.
    pub name: String,
    /// The pixels.
    pub pixels: RgbaImage,
    /// What else is known.
    pub extras: Extras,
}

impl Image {
    /// Whether a pixel is not opaque.
    #[must_use]
    pub fn has_alpha(&self) -> bool {
        self.pixels.pixels().any(|pixel| pixel.0[3] != 255)
    }
}

/// Joints that move a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// The node above all joints.
    pub root: usize,
    /// Nodes.
    pub joints: Vec<usize>,
    /// For each joint the matrix from the mesh's space to the joint's, in columns of four.
    pub inverse_bind: Vec<[f32; 16]>,
}

/// A movement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// What changes.
    pub tracks: Vec<Track>,
    /// What else is known.
    pub extras: Extras,
}

/// One property of a node over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The node.
    pub node: usize,
    /// Seconds from the start, rising.
    pub times: Vec<f32>,
    /// Whether a key holds until the next, instead of leading over to it.
    pub steps: bool,
    /// A value for each time.
    pub values: Values,
}

/// The values of a track.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// [`Transform::translation`].
    Translation(Vec<[f32; 3]>),
    /// [`Transform::rotation`].
    Rotation(Vec<[f32; 4]>),
    /// [`Transform::scale`].
    Scale(Vec<[f32; 3]>),
}

/// A camera. It looks along −z, y is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Height of the field of view in radians.
    pub field_of_view: f32,
    /// Width over height.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane; `None` for infinity.
    pub far: Option<f32>,
}

/// Names with values that the scene itself has no place for, in a stable order.
pub type Extras = Vec<(&'static str, Extra)>;

/// The extra that tells which bone of the file a node is, by id.
pub const BONE: &str = "bone";

/// A value without a place of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// Text.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number; finite.
    Real(f32),
    /// Yes or no.
    Flag(bool),
    /// Several.
    List(Vec<Self>),
    /// Named ones.
    Table(Extras),
}

impl Extra {
    /// A name or other text.
    #[must_use]
    pub fn text(value: impl ToString) -> Self {
        Self::Text(value.to_string())
    }
}

impl Scene {
    /// How many vertices all meshes have, each mesh counted once.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.primitives().map(|primitive| primitive.positions.len()).sum()
    }

    /// How many triangles all meshes have, each mesh counted once.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let triangles = self.primitives().filter(|primitive| primitive.topology == Topology::Triangles);
        triangles.map(|primitive| primitive.indices.len() / 3).sum()
    }

    /// How many nodes are bones. Where bones are there several times, as under copies of a model, each copy's count.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.extras.iter().any(|(name, _)| *name == BONE)).count()
    }

    fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }
}
