//! The parts of a GMO file after they were read: everything has a type, and references are indices.
//! Source: [GMO tree](crate::reference::formats::psp_sdk#gmo-tree).

use super::curve::Curve;
use crate::formats::core::cursor::View;
use crate::ge::registers::vertex::VertexType;
use crate::model::matrix::Affine;

/// A model of a file.
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

/// What a bone's scale applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScaleKind {
    /// Its children inherit it with the matrix.
    Matrix,
    /// Its children inherit it apart from the matrix.
    Apart,
    /// As [`Self::Apart`], but its own scale is divided out for its children.
    Own,
}

/// How a bone moves relative to its parent.
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

/// A bone, and what is drawn with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Bone {
    pub(super) name: Option<String>,
    pub(super) parent: Option<usize>,
    pub(super) placement: Placement,
    pub(super) is_hidden: bool,
    pub(super) morph_weights: Vec<f32>,
    pub(super) morph_index: Option<f32>,
    /// The bones that move the vertices; `None` for references that lead nowhere.
    pub(super) blend_bones: Vec<Option<usize>>,
    /// From the model's space to that of each blend bone.
    pub(super) blend_offsets: Vec<Affine>,
    pub(super) parts: Vec<usize>,
    /// Whether it is drawn after all others.
    pub(super) is_late: bool,
}

/// Scale and offset of quantised vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VertexOffset {
    /// For positions: scale and offset.
    pub(super) position: Option<[[f32; 3]; 2]>,
    /// For texture coordinates: scale and offset.
    pub(super) texcoord: Option<[[f32; 2]; 2]>,
}

impl VertexOffset {
    pub(super) const NONE: Self = Self { position: None, texcoord: None };

    /// Returns the part's own offsets, or those of the model for which it has none.
    pub(super) fn or(self, other: Self) -> Self {
        Self { position: self.position.or(other.position), texcoord: self.texcoord.or(other.texcoord) }
    }
}

impl Default for VertexOffset {
    fn default() -> Self {
        Self::NONE
    }
}

/// Meshes and the vertices that they share.
#[derive(Clone, Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) meshes: Vec<Mesh<'a>>,
    pub(super) arrays: Vec<Arrays<'a>>,
    pub(super) offset: VertexOffset,
}

/// Vertices as the GE reads them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrays<'a> {
    /// The layout, without an index format.
    pub(super) vertex_type: VertexType,
    /// Whether draws have lists of indices.
    pub(super) has_indices: bool,
    /// Vertices that are in the file.
    pub(super) count: u32,
    /// Bytes of a vertex with all its morph frames.
    pub(super) bytes: u32,
    pub(super) data: View<'a>,
}

/// A material and what is drawn with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh<'a> {
    pub(super) material: Option<usize>,
    /// For each weight of a vertex, the number of a blend bone; empty if they are in order.
    pub(super) subset: Vec<u32>,
    /// Divisions of patches in both directions.
    pub(super) subdivision: Option<[f32; 2]>,
    pub(super) states: Vec<(u32, bool)>,
    /// Corners around the mesh.
    pub(super) bounds: Option<[[f32; 3]; 8]>,
    pub(super) draws: Vec<Draw<'a>>,
}

/// Primitives of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw<'a> {
    pub(super) arrays: usize,
    pub(super) shape: Shape,
    pub(super) indices: Indices<'a>,
    /// Where the command is, for notes.
    pub(super) view: View<'a>,
}

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// This many primitives of a GE type, each with as many vertices.
    Primitives {
        /// The type, 0 to 6.
        kind: u8,
        /// Vertices of each.
        vertices: u32,
        /// Number of primitives.
        count: u32,
    },
    /// A B-spline patch of control points, with how its edges in u and v are closed.
    Spline {
        /// Control points in both directions.
        size: [u32; 2],
        /// Edges in both directions.
        edges: [u8; 2],
    },
    /// Bezier patches of control points.
    Bezier {
        /// Control points in both directions.
        size: [u32; 2],
    },
}

impl Shape {
    /// Returns how many vertices are drawn.
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
    /// Those that follow this one.
    From(u32),
    /// Those of a list of 16-bit numbers.
    List(View<'a>),
}

/// Colours and layers.
#[derive(Clone, Debug, Default)]
pub(super) struct Material {
    pub(super) states: Vec<(u32, bool)>,
    pub(super) colors: Colors,
    pub(super) layers: Vec<Layer>,
    /// How much it reflects, if it has the command.
    pub(super) reflection: Option<f32>,
}

/// The colours of a material: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colors {
    pub(super) diffuse: [f32; 4],
    pub(super) specular: [f32; 4],
    pub(super) shininess: f32,
    pub(super) emission: [f32; 4],
    /// `None` for the diffuse colour.
    pub(super) ambient: Option<[f32; 4]>,
}

impl Default for Colors {
    fn default() -> Self {
        Self { diffuse: [1.0; 4], specular: [0.0; 4], shininess: 0.0, emission: [0.0; 4], ambient: None }
    }
}

/// A texture of a material, drawn in a pass of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) texture: Option<usize>,
    /// The number of the material's command that the texture stands for.
    pub(super) map: u32,
    /// Operation, source and destination factor.
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

/// A texture in the file, or the name of its file.
#[derive(Clone, Debug, Default)]
pub(super) struct Texture<'a> {
    pub(super) name: Option<String>,
    pub(super) file_name: Option<String>,
    pub(super) image: Option<View<'a>>,
    /// Where it is in the file.
    pub(super) at: Option<View<'a>>,
}

/// An animation.
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

/// What a curve moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Bone(usize),
    Material(usize),
}

/// Leads a curve to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) target: Target,
    /// The number of the command whose arguments the curve replaces.
    pub(super) channel: u16,
    /// Number of a layer or of a morph weight.
    pub(super) index: u32,
    pub(super) curve: usize,
}
