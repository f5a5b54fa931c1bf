//! The neutral scene between draws and file formats: everything model files can express, independent of any format
//! and of the GE's registers.
//!
//! # Invariants
//! Numbers are finite, and all references exist. Parents come before their children. Names are unique among nodes,
//! meshes, materials and images each. Equal models give equal scenes, bit for bit. Colours are display values as in
//! the GE, from 0 to 1 or from 0 to 255, not linear light.

use image::RgbaImage;

use super::note::ExportNote;
use super::placement::Placement;
use crate::ge::note::Note;

/// A scene to write to a file: nodes with meshes, materials, skins, animations and cameras.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// A name to show to the user.
    pub name: String,
    /// Nodes, parents first.
    pub nodes: Vec<Node>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images with their sampler state.
    pub textures: Vec<Texture>,
    /// Images, all with different pixels.
    pub images: Vec<Image>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Scale and upward axis, for writers to apply to everything. The scene itself has y up.
    pub placement: Placement,
    /// Other facts from the source, without a field in this scene.
    #[doc(hidden)]
    pub extras: Extras,
    /// Everything this scene leaves out or changes.
    pub notes: Vec<ExportNote>,
    /// How many draws the run has, including draws that this scene lacks.
    pub draws: u64,
    /// Overrides that changed nothing in the run, as texts.
    pub unused_overrides: Vec<String>,
    /// Notes from the run.
    pub run_notes: Vec<Note>,
}

/// A transform relative to the parent, with an optional mesh or camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// Where this node is, relative to its parent.
    pub transform: Transform,
    /// Index of the mesh to show here.
    pub mesh: Option<usize>,
    /// Index of a skin to move the mesh. This node's own transform has no effect then.
    pub skin: Option<usize>,
    /// Index of a camera to place here.
    pub camera: Option<usize>,
    /// Other facts from the source.
    #[doc(hidden)]
    pub extras: Extras,
}

/// Scales first, then rotates, then translates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The translation.
    pub translation: [f32; 3],
    /// The rotation, as x, y, z and w of a unit quaternion.
    pub rotation: [f32; 4],
    /// The scale.
    pub scale: [f32; 3],
}

impl Default for Transform {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// Primitives for nodes to draw together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// The primitives in drawing order.
    pub primitives: Vec<Primitive>,
    /// A weight for each morph target. All primitives have the same number of targets.
    pub weights: Vec<f32>,
}

/// How to join vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topology {
    /// An index per point.
    Points,
    /// Two indices per line.
    Lines,
    /// Three indices per triangle, counter-clockwise seen from the front.
    #[default]
    Triangles,
}

/// Vertices and indices with a common material. Attribute lists are as long as `positions`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// How the indices join vertices.
    pub topology: Topology,
    /// Index of the material.
    pub material: usize,
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates. v grows downwards, and (0, 0) is the upper left corner.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green, blue and alpha, as display values from 0 to 255.
    pub colors: Vec<[u8; 4]>,
    /// For each vertex, which joints of the node's skin move it, starting with the greatest weight. Weights add up
    /// to 1.
    pub influences: Vec<Vec<Influence>>,
    /// Indices into the attribute lists.
    pub indices: Vec<u32>,
    /// Morph targets.
    pub targets: Vec<MorphTarget>,
    /// Other facts from the source.
    #[doc(hidden)]
    pub extras: Extras,
}

/// How strongly a joint moves a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Index into [`Skin::joints`].
    pub joint: u16,
    /// Greater than 0, at most 1.
    pub weight: f32,
}

/// A morph target: differences to add to a primitive's attributes. A list is empty if its attribute does not change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Differences to positions.
    pub positions: Vec<[f32; 3]>,
    /// Differences to normals.
    pub normals: Vec<[f32; 3]>,
    /// Differences to texture coordinates.
    pub texcoords: Vec<[f32; 2]>,
    /// This target's own colours. They are not differences, because these depend on the file's colour space.
    pub colors: Vec<[u8; 4]>,
}

/// How a surface looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Red, green, blue and alpha, as display values from 0 to 1. Multiply texture and vertex colours with this.
    pub color: [f32; 4],
    /// Light that this surface emits, as display values from 0 to 1.
    pub emissive: [f32; 3],
    /// Index of the texture.
    pub texture: Option<usize>,
    /// Whether to test or blend by alpha.
    pub alpha: AlphaMode,
    /// Whether back faces are visible.
    pub double_sided: bool,
    /// Whether to show the colour without lighting.
    pub unlit: bool,
    /// Other facts from the source, such as GE state that no field holds.
    #[doc(hidden)]
    pub extras: Extras,
}

/// How to use alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha has no effect.
    #[default]
    Opaque,
    /// Draw a pixel only if its alpha reaches this value.
    Mask(f32),
    /// Blend this surface with everything behind it.
    Blend,
}

/// An image with its sampler state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Index of the image.
    pub image: usize,
    /// Wrap modes along u and v.
    pub wrap: [Wrap; 2],
    /// Whether to filter magnified texels linearly.
    pub magnify_linear: bool,
    /// How to filter minified texels.
    pub minify: Minify,
}

/// How to sample outside 0 to 1. The GE has no mirrored repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The edge texels continue.
    Clamp,
}

/// How to filter minified texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minify {
    /// Whether to filter texels linearly within a level.
    pub linear: bool,
    /// How to use mip levels: `None` takes only the first, `Some(true)` blends two, `Some(false)` takes the nearest.
    pub mipmaps: Option<bool>,
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Its name, also valid as a file name.
    pub name: String,
    /// The pixels.
    pub pixels: RgbaImage,
    /// Other facts from the source.
    #[doc(hidden)]
    pub extras: Extras,
}

impl Image {
    /// Returns whether any pixel is transparent.
    #[must_use]
    pub fn has_alpha(&self) -> bool {
        self.pixels.pixels().any(|pixel| pixel.0[3] != 255)
    }
}

/// Joints to move a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Index of a common ancestor for all joints.
    pub root: usize,
    /// Indices of nodes to use as joints.
    pub joints: Vec<usize>,
    /// For each joint, the matrix from mesh space to joint space, as four columns of four.
    pub inverse_bind: Vec<[f32; 16]>,
}

/// How nodes move over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// The animated properties.
    pub tracks: Vec<Track>,
    /// Other facts from the source.
    #[doc(hidden)]
    pub extras: Extras,
}

/// A single property over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Index of the node to move.
    pub node: usize,
    /// Key times in seconds from the start, ascending.
    pub times: Vec<f32>,
    /// Whether to hold each key until the next. Otherwise interpolate linearly.
    pub stepped: bool,
    /// A value per key.
    pub values: TrackValues,
}

/// Which property to animate, with a value per key.
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
    /// Distance to the near plane.
    pub near: f32,
    /// Distance to the far plane; `None` for infinity.
    pub far: Option<f32>,
}

/// Named values without a field in the scene, in a stable order.
#[doc(hidden)]
pub type Extras = Vec<(&'static str, Extra)>;

/// Extra with the bone's id in the source file, for nodes that are bones.
#[doc(hidden)]
pub const BONE: &str = "bone";

/// The value of an extra.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
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
    /// Converts a value to text by its `Display` form.
    #[must_use]
    pub fn text(value: impl ToString) -> Self {
        Self::Text(value.to_string())
    }
}

impl Scene {
    /// Counts vertices. A mesh counts once, however often nodes use it.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.primitives().map(|primitive| primitive.positions.len()).sum()
    }

    /// Counts triangles. A mesh counts once, however often nodes use it.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let triangles = self.primitives().filter(|primitive| primitive.topology == Topology::Triangles);
        triangles.map(|primitive| primitive.indices.len() / 3).sum()
    }

    /// Counts the nodes that are bones, in every instance of a skeleton.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.extras.iter().any(|(name, _)| *name == BONE)).count()
    }

    fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }
}
