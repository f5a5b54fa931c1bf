//! Geometry to write in place of a model's, whatever file it came from.
//!
//! # Invariants
//! Positions are those of the model at rest, as the Graphics Engine draws it. Indices lie inside their surface.

use thiserror::Error;

use super::error::FormatError;

/// Triangles that share a material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewSurface {
    /// Its name in errors: the mesh, and its number there.
    pub name: String,
    /// Which of the model's groups it may go to, by [`crate::model::Part::group`]; at least one.
    pub groups: Vec<usize>,
    /// The vertices.
    pub vertices: Vec<NewVertex>,
    /// Indices of three corners, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// A vertex. If the model has such a vertex, it keeps the parts missing here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewVertex {
    /// The position, at rest in the model's space.
    pub position: [f32; 3],
    /// The normal, of length 1.
    pub normal: Option<[f32; 3]>,
    /// Fractions of the texture, from its upper left corner.
    pub texcoord: Option<[f32; 2]>,
    /// Red, green, blue and alpha, as display values.
    pub color: Option<[u8; 4]>,
    /// Ids of bones, each once, with weights above 0 that add up to 1. Empty if it follows none.
    pub influences: Vec<(u32, f32)>,
}

/// A file with new geometry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenModel {
    /// The file's new bytes.
    pub bytes: Vec<u8>,
    /// The second file's new bytes, with lists and vertices, if the model has such a file.
    pub mesh_data: Option<Vec<u8>>,
    /// How each group changed that can be written.
    pub groups: Vec<WrittenGroup>,
}

/// How a group changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenGroup {
    /// Its mesh's index in the model.
    pub mesh: usize,
    /// Its index in the model before this change.
    pub group: usize,
    /// How it was written.
    pub change: GroupChange,
    /// Triangles before and after, without those that only join strips.
    pub triangles: [usize; 2],
    /// Vertices before and after.
    pub vertices: [usize; 2],
    /// The largest distance along an axis between a new vertex and its place in the file.
    pub largest_difference: f32,
}

/// How a group was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupChange {
    /// Its bytes are as they were.
    #[default]
    Unchanged,
    /// Its vertices were rounded anew, because the model reaches farther now.
    Rounded,
    /// Some vertices have other values; everything else is as it was.
    Vertices,
    /// Its list, vertices and indices are new. It became several groups if the number is above 1.
    Rebuilt(usize),
}

/// Why geometry cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{problem}", surface.as_ref().map(|name| format!("{name}: ")).unwrap_or_default())]
pub struct GeometryError {
    /// The surface at fault; `None` if a file is.
    pub surface: Option<String>,
    /// The reason.
    pub problem: GeometryProblem,
}

/// A reason why geometry cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GeometryProblem {
    /// Geometry of this kind of file cannot be written.
    #[error("geometry of {0} cannot be written")]
    Kind(String),
    /// The display lists are in a second file, which was not given.
    #[error("the model's lists and vertices are in a second file, which is missing")]
    SecondFile,
    /// The file with the new geometry is damaged.
    #[error("{0}")]
    Damaged(String),
    /// The file with the new geometry uses a feature that is not read.
    #[error("{0} are not read")]
    Unsupported(&'static str),
    /// There is nothing to write.
    #[error("it has no triangles")]
    NoTriangles,
    /// The model has no such material.
    #[error("the model has no material {name}: it has {known}")]
    NoMaterial {
        /// The name.
        name: String,
        /// Names of the model's materials.
        known: String,
    },
    /// The model has no such bone.
    #[error("the model has no bone {0}")]
    NoBone(String),
    /// A vertex needs bones, and has none.
    #[error("vertex {0} follows no bone, and what has its material in the model does")]
    NoWeights(u32),
    /// A vertex has bones, and the model cannot store them.
    #[error("vertex {0} follows a bone, and what has its material in the model follows none")]
    Rigid(u32),
    /// A vertex's weights do not add up to 1.
    #[error("the weights of vertex {vertex} add up to {sum}, not to 1")]
    WeightSum {
        /// The vertex's number.
        vertex: u32,
        /// The sum.
        sum: f32,
    },
    /// A triangle follows more bones than the Graphics Engine has bone matrices.
    #[error("a triangle follows {0} bones, and at most 8 fit into a draw")]
    ManyBones(usize),
    /// A vertex has an infinite or NaN value.
    #[error("vertex {0} is not finite")]
    NotFinite(u32),
    /// A vertex is so far away that all others would lose their shape.
    #[error(
        "vertex {vertex} is at {coordinate}, and the model reaches only to {reach}: the steps between its coordinates \
         would become too coarse"
    )]
    FarAway {
        /// The vertex's number.
        vertex: u32,
        /// The coordinate.
        coordinate: f32,
        /// The model's largest coordinate along this axis.
        reach: f32,
    },
    /// A texture coordinate cannot be stored.
    #[error("texture coordinate {coordinate} of vertex {vertex} is outside {min} to {max}")]
    Texcoord {
        /// The vertex's number.
        vertex: u32,
        /// The coordinate.
        coordinate: f32,
        /// The least that can be stored.
        min: f32,
        /// The most that can be stored.
        max: f32,
    },
    /// The model has more of something than its file can count.
    #[error("the model would have {count} {what}, and at most {most} fit")]
    TooMany {
        /// The items in question.
        what: &'static str,
        /// How many there would be.
        count: u64,
        /// How many fit.
        most: u64,
    },
    /// A group's data is shared with others, or drawn in an unusual way.
    #[error("group {0} of the model cannot be rebuilt: its list draws in several steps, or shares data")]
    NotStored(usize),
    /// The model is damaged.
    #[error("{0}")]
    Format(Box<FormatError>),
}

impl GeometryProblem {
    /// Returns a word for the kind of problem, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format(error) => error.code(),
            Self::Kind(_) => "nothing-to-do",
            Self::SecondFile | Self::NotStored(_) => "geometry-not-stored",
            Self::Damaged(_) | Self::Unsupported(_) => "not-geometry",
            _ => "geometry-unfit",
        }
    }

    /// Returns whether the model's file is at fault, rather than the file with the new geometry.
    #[must_use]
    pub const fn is_of_model(&self) -> bool {
        matches!(self, Self::Format(_) | Self::Kind(_) | Self::SecondFile | Self::NotStored(_))
    }

    /// Makes an error about a surface.
    #[must_use]
    pub fn of(self, surface: &str) -> GeometryError {
        GeometryError { surface: Some(surface.to_owned()), problem: self }
    }
}

impl From<GeometryProblem> for GeometryError {
    fn from(problem: GeometryProblem) -> Self {
        Self { surface: None, problem }
    }
}

/// Returns whether three corners differ, so that they can span a triangle.
pub(crate) fn has_distinct_corners<T: PartialEq>([a, b, c]: [T; 3]) -> bool {
    a != b && b != c && c != a
}
