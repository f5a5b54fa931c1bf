//! The neutral scene: everything that model files can express, independent of file formats and of the GE's
//! registers.
//!
//! # Invariants
//! Numbers are finite and all references exist. A node's parent precedes it. Names of nodes, meshes,
//! materials and images are each unique. Equal models give equal scenes, bit for bit. Colours are display
//! values as in the GE, from 0 to 1 or from 0 to 255, not linear light.

use image::RgbaImage;

use super::note::ExportNote;
use super::placement::Placement;
use crate::ge::note::Note;

/// A scene: nodes with meshes, materials, skins, animations and cameras.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Name of the scene.
    pub name: String,
    /// Nodes, parents first.
    pub nodes: Vec<Node>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images with their sampler state.
    pub textures: Vec<Texture>,
    /// Images; no two have the same pixels.
    pub images: Vec<Image>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// The scale and the upward axis that writers apply to everything. The scene itself has y up.
    pub placement: Placement,
    /// Other facts from the source.
    pub extras: Extras,
    /// Everything that the scene leaves out or changes.
    pub notes: Vec<ExportNote>,
    /// Number of draws that the run executed, in the scene or not.
    pub draws: u64,
    /// The texts of the run's overrides that have changed nothing.
    pub unused_overrides: Vec<String>,
    /// The notes of the run that drew the scene.
    pub run_notes: Vec<Note>,
}

/// A transform relative to the parent, with an optional mesh or camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// The node's transform.
    pub transform: Transform,
    /// Index of the node's mesh.
    pub mesh: Option<usize>,
    /// Index of the skin that moves the mesh. The node's own transform has no effect then.
    pub skin: Option<usize>,
    /// Index of the node's camera.
    pub camera: Option<usize>,
    /// Other facts from the source.
    pub extras: Extras,
}

/// Scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The translation.
    pub translation: [f32; 3],
    /// The rotation: x, y, z and w of a unit quaternion.
    pub rotation: [f32; 4],
    /// The scale.
    pub scale: [f32; 3],
}

impl Default for Transform {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// Primitives drawn by one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// The primitives in drawing order.
    pub primitives: Vec<Primitive>,
    /// The weight of each morph target. All primitives have the same number of targets.
    pub weights: Vec<f32>,
}

/// The elements that indices form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topology {
    /// One index per point.
    Points,
    /// Two indices per line.
    Lines,
    /// Three indices per triangle, counter-clockwise seen from the front.
    #[default]
    Triangles,
}

/// Vertices and indices of one material. Attribute lists are as long as `positions`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// The elements that the indices form.
    pub topology: Topology,
    /// Index of the material.
    pub material: usize,
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates; v grows downwards and (0, 0) is the upper left corner.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green, blue and alpha as display values from 0 to 255.
    pub colors: Vec<[u8; 4]>,
    /// For each vertex the joints of the node's skin, the greatest weight first. The weights add up to 1.
    pub influences: Vec<Vec<Influence>>,
    /// Indices into the attribute lists.
    pub indices: Vec<u32>,
    /// Morph targets.
    pub targets: Vec<MorphTarget>,
    /// Other facts from the source.
    pub extras: Extras,
}

/// The weight of a joint for a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Index into [`Skin::joints`].
    pub joint: u16,
    /// Weight, greater than 0, at most 1.
    pub weight: f32,
}

/// A morph target: differences to a primitive's attributes. A list is empty if its attribute does not change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Differences of positions.
    pub positions: Vec<[f32; 3]>,
    /// Differences of normals.
    pub normals: Vec<[f32; 3]>,
    /// Differences of texture coordinates.
    pub texcoords: Vec<[f32; 2]>,
    /// The target's own colours, because the difference depends on the colour space of the file.
    pub colors: Vec<[u8; 4]>,
}

/// The appearance of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Red, green, blue and alpha as display values from 0 to 1, multiplied with texture and vertex colour.
    pub color: [f32; 4],
    /// Emitted light, as display values from 0 to 1.
    pub emissive: [f32; 3],
    /// Index of the texture.
    pub texture: Option<usize>,
    /// The use of alpha.
    pub alpha: AlphaMode,
    /// Whether back faces are visible.
    pub double_sided: bool,
    /// Whether the colour is shown without lighting.
    pub unlit: bool,
    /// Other facts from the source: the state of the GE.
    pub extras: Extras,
}

/// The use of alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha has no effect.
    #[default]
    Opaque,
    /// Only alpha from this value on is drawn.
    Mask(f32),
    /// The surface is blended with the background.
    Blend,
}

/// An image with its sampler state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Index of the image.
    pub image: usize,
    /// Wrap modes along u and v.
    pub wrap: [Wrap; 2],
    /// Whether magnified texels are filtered linearly.
    pub magnify_linear: bool,
    /// Filter for minified texels.
    pub minify: Minify,
}

/// Texture coordinates outside 0 to 1. The GE has no mirrored repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The edge texels continue.
    Clamp,
}

/// Filter for minified texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minify {
    /// Whether texels are filtered linearly within a level.
    pub linear: bool,
    /// Mip levels: `None` uses only the first, `Some(true)` blends two, `Some(false)` takes the nearest.
    pub mipmaps: Option<bool>,
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Its name, valid as a file name.
    pub name: String,
    /// The pixels.
    pub pixels: RgbaImage,
    /// Other facts from the source.
    pub extras: Extras,
}

impl Image {
    /// Returns whether a pixel is not opaque.
    #[must_use]
    pub fn has_alpha(&self) -> bool {
        self.pixels.pixels().any(|pixel| pixel.0[3] != 255)
    }
}

/// The joints that move a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Index of the common ancestor of all joints.
    pub root: usize,
    /// Indices of the joints' nodes.
    pub joints: Vec<usize>,
    /// For each joint the matrix from mesh space to joint space, as four columns of four.
    pub inverse_bind: Vec<[f32; 16]>,
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// The animated properties.
    pub tracks: Vec<Track>,
    /// Other facts from the source.
    pub extras: Extras,
}

/// One property of a node over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Index of the node.
    pub node: usize,
    /// Times of the keys in seconds from the start, ascending.
    pub times: Vec<f32>,
    /// Whether a key holds until the next one. Otherwise values are interpolated linearly.
    pub stepped: bool,
    /// One value per key.
    pub values: TrackValues,
}

/// The values of a track.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackValues {
    /// [`Transform::translation`].
    Translation(Vec<[f32; 3]>),
    /// [`Transform::rotation`].
    Rotation(Vec<[f32; 4]>),
    /// [`Transform::scale`].
    Scale(Vec<[f32; 3]>),
}

/// A perspective camera. It looks along −z, with y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Vertical field of view in radians.
    pub field_of_view: f32,
    /// Width divided by height.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane; `None` for infinity.
    pub far: Option<f32>,
}

/// Named values that the scene has no field for, in a stable order.
pub type Extras = Vec<(&'static str, Extra)>;

/// Name of the extra that holds the id of a node's bone in the source file.
pub const BONE: &str = "bone";

/// The value of an extra.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// Text.
    Text(String),
    /// A non-negative integer.
    Whole(u64),
    /// A finite number.
    Real(f32),
    /// A truth value.
    Flag(bool),
    /// A list of values.
    List(Vec<Self>),
    /// Named values.
    Table(Extras),
}

impl Extra {
    /// Returns a text from a value's `Display` form.
    #[must_use]
    pub fn text(value: impl ToString) -> Self {
        Self::Text(value.to_string())
    }
}

impl Scene {
    /// Returns the number of vertices of all meshes. Each mesh counts once.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.primitives().map(|primitive| primitive.positions.len()).sum()
    }

    /// Returns the number of triangles of all meshes. Each mesh counts once.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let triangles = self.primitives().filter(|primitive| primitive.topology == Topology::Triangles);
        triangles.map(|primitive| primitive.indices.len() / 3).sum()
    }

    /// Returns the number of nodes that are bones. Bones of every instance of a skeleton count.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.extras.iter().any(|(name, _)| *name == BONE)).count()
    }

    fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }
}
