//! What entities and players have in common: meshes that hang on bones.

use super::clips::AnimationData;
use crate::formats::core::error::Warnings;
use crate::model::Field;

/// A model before it is put into memory.
#[derive(Debug, Default)]
pub(super) struct ParsedModel {
    /// Where it stands in the file.
    pub(super) offset: u64,
    /// Metres for each unit, along each axis.
    pub(super) unit: [f32; 3],
    pub(super) bones: Vec<Joint>,
    /// Meshes of each level of detail.
    pub(super) levels: Vec<Vec<Mesh>>,
    pub(super) materials: Vec<Material>,
    pub(super) animation: AnimationData,
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
}

/// A bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    /// Number in the file.
    pub(super) id: u32,
    /// As an index.
    pub(super) parent: Option<usize>,
    /// From the parent.
    pub(super) offset: [i16; 3],
}

/// A material: where in video memory its texels and colours are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub(super) page: u16,
    pub(super) clut: u16,
}

/// A submesh.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) number: usize,
    /// The bone it hangs on, as an index; `None` in models without bones.
    pub(super) bone: Option<usize>,
    /// Positions are multiplied by two to the power of this.
    pub(super) scale: i8,
    /// Whether it is hidden at first.
    pub(super) hidden: bool,
    /// Which of several alternatives it is part of; `None` where there are none.
    pub(super) alternative: Option<usize>,
    /// Vertices that keep their place for others, or take another's.
    pub(super) weld_codes: usize,
    pub(super) vertices: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    pub(super) triangles: usize,
    pub(super) quads: usize,
}

/// A vertex. Where it uses another's place, that is already found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vertex {
    pub(super) position: [i16; 3],
    pub(super) color: [u8; 3],
    /// The bone and the scale that its position is to be transformed with.
    pub(super) bone: Option<usize>,
    pub(super) scale: i8,
    pub(super) is_welded: bool,
}

/// A triangle, or a quad of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) corners: [Corner; 4],
    pub(super) is_quad: bool,
    pub(super) material: usize,
    /// Two bits of unknown meaning.
    pub(super) flags: u8,
}

/// A corner of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) vertex: usize,
    pub(super) uv: [u8; 2],
}

impl Face {
    /// Its triangles, counter-clockwise seen from outside. Source: the format document, §2.2.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [Corner; 3]> {
        let [a, b, c, d] = self.corners;
        std::iter::once([a, c, b]).chain(self.is_quad.then_some([b, c, d]))
    }
}

impl Mesh {
    /// Triangles, quads counted as two.
    pub(super) fn triangle_total(&self) -> u64 {
        (self.triangles as u64).saturating_add((self.quads as u64).saturating_mul(2))
    }
}
