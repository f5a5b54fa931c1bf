//! Entities and players after parsing: submeshes attached to bones.

use zerocopy::little_endian::{I16, U16};

use super::clips::AnimationData;
use crate::formats::core::error::Warnings;
use crate::model::Field;

/// A parsed model, ready to be lowered.
#[derive(Debug, Default)]
pub(super) struct ParsedModel {
    /// Where this model is in the file.
    pub(super) offset: u64,
    /// Metres per unit, for each axis.
    pub(super) unit: [f32; 3],
    pub(super) bones: Vec<Joint>,
    /// Submeshes for each level of detail.
    pub(super) levels: Vec<Vec<Mesh>>,
    pub(super) materials: Vec<Material>,
    pub(super) animation: AnimationData,
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
}

/// A bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    /// Its number in the file.
    pub(super) id: u32,
    /// Index of the parent.
    pub(super) parent: Option<usize>,
    /// Position relative to the parent.
    pub(super) offset: [i16; 3],
}

impl Joint {
    /// Numbers bones in file order, and gives each its parent.
    pub(super) fn list(offsets: &[[I16; 3]], parents: impl IntoIterator<Item = Option<usize>>) -> Vec<Self> {
        let offsets = offsets.iter().map(|offset| offset.map(I16::get));
        (0..).zip(offsets).zip(parents).map(|((id, offset), parent)| Self { id, parent, offset }).collect()
    }
}

/// Where a material's texels and colours are in video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub(super) page: u16,
    pub(super) clut: u16,
}

impl Material {
    pub(super) fn of(raw: &[U16; 2]) -> Self {
        let [page, clut] = raw.map(U16::get);
        Self { page, clut }
    }
}

/// A submesh. One that cannot be drawn has only a number, so that later submeshes keep theirs.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub(super) number: usize,
    /// Index of its bone; `None` in models without bones.
    pub(super) bone: Option<usize>,
    /// Multiply positions by two to this power.
    pub(super) scale: i8,
    /// Whether to hide this submesh at first.
    pub(super) hidden: bool,
    /// Which alternative this belongs to; `None` to draw it always.
    pub(super) alternative: Option<usize>,
    /// How many vertices have a weld code.
    pub(super) weld_codes: usize,
    pub(super) vertices: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    pub(super) triangles: usize,
    pub(super) quads: usize,
}

/// A vertex, with welds already resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vertex {
    pub(super) position: [i16; 3],
    pub(super) color: [u8; 3],
    /// Bone and scale exponent to transform its position with. A welded vertex takes both from the vertex it is
    /// welded to.
    pub(super) bone: Option<usize>,
    pub(super) scale: i8,
    pub(super) is_welded: bool,
}

/// A triangle, or a quad made of two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) corners: [Corner; 4],
    pub(super) is_quad: bool,
    pub(super) material: usize,
    /// Two bits with unknown meaning.
    pub(super) flags: u8,
}

/// A corner of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) vertex: usize,
    pub(super) uv: [u8; 2],
}

impl Face {
    /// Splits this face into triangles, counter-clockwise from outside. Source:
    /// [submeshes](crate::reference::formats::mml2#submeshes).
    pub(super) fn triangles(&self) -> impl Iterator<Item = [Corner; 3]> {
        let [a, b, c, d] = self.corners;
        std::iter::once([a, c, b]).chain(self.is_quad.then_some([b, c, d]))
    }
}

impl Mesh {
    /// Counts triangles. A quad counts as 2.
    pub(super) fn triangle_total(&self) -> u64 {
        (self.triangles as u64).saturating_add((self.quads as u64).saturating_mul(2))
    }
}
