//! Brings vertices to model space, by reading, morphing and skinning them.

use super::morph::Morph;
use super::skin::Skin;
use crate::ge::arithmetic::Real;
use crate::ge::arithmetic::simd::{Instructions, dispatch};
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::vertex::{Vertex, VertexReader};

/// Reads, morphs and skins a draw's vertices or control points.
#[derive(Clone, Debug)]
pub(crate) struct ModelVertices<R> {
    morph: Morph<R>,
    /// `None` without weights, and in through mode.
    skin: Option<Skin<R>>,
}

impl<R: Real> ModelVertices<R> {
    /// Loads the bones and the weights for morph frames.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Self {
        let through = registers.get::<VertexType>().through;
        Self { morph: Morph::new(registers), skin: Skin::new(registers).filter(|_| !through) }
    }

    /// Leaves normals as the vertices have them, to save work for draws that do not use any.
    #[must_use]
    pub(crate) fn without_normals(self) -> Self {
        Self { skin: self.skin.map(Skin::without_normals), ..self }
    }

    /// Reads the draw's `nth` vertex in model space.
    #[must_use]
    pub(crate) fn read(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        self.skinned(self.morph.vertex(reader, nth))
    }

    /// Reads the vertices with these indices and appends them to `out`.
    pub(crate) fn append(
        &self,
        reader: &VertexReader<'_>,
        indices: impl ExactSizeIterator<Item = u32> + Clone,
        out: &mut Vec<Vertex>,
    ) {
        let first = out.len();
        self.morph.append(reader, indices, out);
        self.skin_all(out.get_mut(first..).unwrap_or_default());
    }

    /// Reads the first `count` vertices, whatever their indices, and appends them to `out`.
    pub(crate) fn append_first(&self, reader: &VertexReader<'_>, count: u32, out: &mut Vec<Vertex>) {
        let first = out.len();
        self.morph.append_first(reader, count, out);
        self.skin_all(out.get_mut(first..).unwrap_or_default());
    }

    fn skin_all(&self, vertices: &mut [Vertex]) {
        if let Some(skin) = &self.skin {
            dispatch!(Instructions::Best, simd => skin.apply_all(simd, vertices));
        }
    }

    /// Skins a morphed vertex.
    #[must_use]
    pub(crate) fn skinned(&self, vertex: Vertex) -> Vertex {
        match &self.skin {
            Some(skin) => {
                let (position, normal) = skin.apply(&vertex);
                Vertex { position: position.map(R::to_f32), normal: normal.map(R::to_f32), ..vertex }
            }
            None => vertex,
        }
    }
}
