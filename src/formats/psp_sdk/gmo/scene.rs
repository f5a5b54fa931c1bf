//! A GMO file's parts after reading: everything has a type, and references are indices.
//! Source: [GMO tree](crate::reference::formats::psp_sdk#gmo-tree).

use super::curve::Curve;
use crate::formats::core::cursor::View;
use crate::ge::registers::vertex::VertexType;
use crate::model::matrix::Affine;

/// A model in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene<'a> {
    pub(super) bones: Vec<Bone>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture<'a>>,
    pub(super) motions: Vec<Motion>,
    pub(super) offset: VertexOffset,
}

/// How a bone turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rotation {
    /// Angles in radians around x, y and z: x first, then y, then z.
    XFirst([f32; 3]),
    /// Angles: z first, then x, then y.
    ZFirst([f32; 3]),
    /// A unit quaternion x, y, z, w.
    Quaternion([f32; 4]),
}

/// How children inherit a bone's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScaleKind {
    /// Its children inherit it with the matrix.
    Matrix,
    /// Its children inherit it apart from the matrix.
    Apart,
    /// As [`Self::Apart`], but divided out again for its children.
    Own,
}

/// How a bone is placed relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub(super) translation: [f32; 3],
    pub(super) rotation: Rotation,
    pub(super) scale: [f32; 3],
    pub(super) scale_kind: ScaleKind,
    pub(super) pivot: [f32; 3],
    /// Replaces translation, rotation and scale.
    pub(super) matrix: Option<Affine>,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            translation: [0.0; 3],
            rotation: Rotation::XFirst([0.0; 3]),
            scale: [1.0; 3],
            scale_kind: ScaleKind::Matrix,
            pivot: [0.0; 3],
            matrix: None,
        }
    }
}

/// A bone and the parts it draws.
#[derive(Clone, Debug, Default)]
pub(super) struct Bone {
    pub(super) name: Option<String>,
    pub(super) parent: Option<usize>,
    pub(super) placement: Placement,
    pub(super) is_hidden: bool,
    pub(super) morph_weights: Vec<f32>,
    pub(super) morph_index: Option<f32>,
    /// The bones that move its vertices; `None` for references that lead nowhere.
    pub(super) blend_bones: Vec<Option<usize>>,
    /// Maps model space to each blend bone's space.
    pub(super) blend_offsets: Vec<Affine>,
    pub(super) parts: Vec<usize>,
    /// Whether this is drawn after all others.
    pub(super) is_late: bool,
}

/// Scale and offset for quantised vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VertexOffset {
    /// For positions: scale and offset.
    pub(super) position: Option<[[f32; 3]; 2]>,
    /// For texture coordinates: scale and offset.
    pub(super) texcoord: Option<[[f32; 2]; 2]>,
}

impl VertexOffset {
    /// Returns the part's own offsets, and the model's if it has none.
    pub(super) fn or(self, other: Self) -> Self {
        Self { position: self.position.or(other.position), texcoord: self.texcoord.or(other.texcoord) }
    }
}

/// Meshes and the vertices they share.
#[derive(Clone, Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) meshes: Vec<Mesh<'a>>,
    pub(super) arrays: Vec<Arrays<'a>>,
    pub(super) offset: VertexOffset,
}

/// Vertices, as the GE reads them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrays<'a> {
    /// The layout, without an index format.
    pub(super) vertex_type: VertexType,
    /// Whether draws have index lists.
    pub(super) has_indices: bool,
    /// How many vertices are in the file.
    pub(super) count: u32,
    /// How many bytes a vertex takes with all its morph frames.
    pub(super) bytes: u32,
    pub(super) data: View<'a>,
}

/// A material and the draws that use it.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh<'a> {
    pub(super) material: Option<usize>,
    /// Which blend bone each vertex weight belongs to; empty if they are in order.
    pub(super) subset: Vec<u32>,
    /// How often to divide patches in u and v.
    pub(super) subdivision: Option<[f32; 2]>,
    pub(super) states: Vec<(u32, bool)>,
    /// Corners of a box around the mesh.
    pub(super) bounds: Option<[[f32; 3]; 8]>,
    pub(super) draws: Vec<Draw<'a>>,
}

/// Primitives of a single kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw<'a> {
    pub(super) arrays: usize,
    pub(super) shape: Shape,
    pub(super) indices: Indices<'a>,
    /// Where the command is, for notes.
    pub(super) view: View<'a>,
}

/// The shape to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Primitives of a GE type, all with the same vertex count.
    Primitives {
        /// The type, 0 to 6.
        kind: u8,
        /// How many vertices each has.
        vertices: u32,
        /// How many primitives there are.
        count: u32,
    },
    /// A B-spline patch, with how its edges in u and v are closed.
    Spline {
        /// Control points in u and v.
        size: [u32; 2],
        /// Edge modes in u and v.
        edges: [u8; 2],
    },
    /// Bezier patches.
    Bezier {
        /// Control points in u and v.
        size: [u32; 2],
    },
}

impl Shape {
    /// Returns how many vertices this draws.
    pub(super) const fn vertices(self) -> u64 {
        match self {
            Self::Primitives { vertices, count, .. } => (vertices as u64).saturating_mul(count as u64),
            Self::Spline { size: [width, height], .. } | Self::Bezier { size: [width, height] } => {
                (width as u64).saturating_mul(height as u64)
            }
        }
    }
}

/// Which vertices to draw.
#[derive(Clone, Copy, Debug)]
pub(super) enum Indices<'a> {
    /// Those from this number on.
    From(u32),
    /// Those in a list of 16-bit numbers.
    List(View<'a>),
}

/// Render states, colours and layers for drawing meshes.
#[derive(Clone, Debug, Default)]
pub(super) struct Material {
    pub(super) states: Vec<(u32, bool)>,
    pub(super) colors: Colors,
    pub(super) layers: Vec<Layer>,
    /// How much this reflects, if it has the command.
    pub(super) reflection: Option<f32>,
}

/// A material's colours: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colors {
    pub(super) diffuse: [f32; 4],
    pub(super) specular: [f32; 4],
    pub(super) shininess: f32,
    pub(super) emission: [f32; 4],
    /// `None` to use the diffuse colour.
    pub(super) ambient: Option<[f32; 4]>,
}

impl Default for Colors {
    fn default() -> Self {
        Self { diffuse: [1.0; 4], specular: [0.0; 4], shininess: 0.0, emission: [0.0; 4], ambient: None }
    }
}

/// A texture on a material, drawn in its own pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) texture: Option<usize>,
    /// Which material property the texture gives, by the number of its command.
    pub(super) map: u32,
    /// Operation, source factor and destination factor.
    pub(super) blend: [u32; 3],
    /// Function and component.
    pub(super) function: Option<[u32; 2]>,
    /// Magnification and minification.
    pub(super) filter: Option<[u32; 2]>,
    /// Whether u and v are clamped.
    pub(super) wrap: Option<[u32; 2]>,
    /// Offset, then scale.
    pub(super) crop: [f32; 4],
}

/// A texture in the file, or the name of another file.
#[derive(Clone, Debug, Default)]
pub(super) struct Texture<'a> {
    pub(super) name: Option<String>,
    pub(super) file_name: Option<String>,
    pub(super) image: Option<View<'a>>,
    /// Where this texture's chunk is in the file.
    pub(super) at: Option<View<'a>>,
}

/// An animation: curves, and tracks to apply them.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    pub(super) name: Option<String>,
    /// First and last frame.
    pub(super) range: Option<[f32; 2]>,
    pub(super) rate: Option<f32>,
    pub(super) holds: bool,
    pub(super) tracks: Vec<Track>,
    pub(super) curves: Vec<Option<Curve>>,
}

/// The bone or material that a curve moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Bone(usize),
    Material(usize),
}

/// Applies a curve to a bone or material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) target: Target,
    /// Which command's arguments the curve replaces, by number.
    pub(super) channel: u16,
    /// Which layer or morph weight this moves.
    pub(super) index: u32,
    pub(super) curve: usize,
}
