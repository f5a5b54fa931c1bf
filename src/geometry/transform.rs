//! Model space to clip space. Source: `ge-reference.md` §5.1.
//!
//! WORLD, VIEW and PROJ are concatenated once per draw, (world · view) · projection, and each vertex takes one
//! matrix product ("model A" there). The order of the two concatenations is not known: the hardware tests have an
//! identity VIEW.

use super::ClipVertex;
use super::math::{Affine, Projective, convert};
use super::morph::Morph;
use super::skin::Skin;
use super::texgen::TextureGenerator;
use crate::arithmetic::Real;
use crate::registers::vertex::VertexType;
use crate::registers::{Matrix, Registers};
use crate::vertex::{Vertex, VertexReader};

/// Everything that turns one draw's vertices into clip space.
#[derive(Clone, Debug)]
pub struct Transform<R> {
    through: bool,
    morph: Morph<R>,
    skin: Option<Skin<R>>,
    to_clip: Projective<R>,
    texture: TextureGenerator<R>,
}

impl<R: Real> Transform<R> {
    /// The transformation that the registers describe.
    #[must_use]
    pub fn new(registers: &Registers) -> Self {
        let world = Affine::load(registers, Matrix::World);
        let world_view = world.then(&Affine::load(registers, Matrix::View));
        Self {
            through: registers.get::<VertexType>().through,
            morph: Morph::new(registers),
            skin: Skin::new(registers),
            to_clip: world_view.then_project(&Projective::load(registers)),
            texture: TextureGenerator::new(registers),
        }
    }

    /// Reads and morphs the `nth` vertex of the draw.
    #[must_use]
    pub fn read(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        self.morph.vertex(reader, nth)
    }

    /// A morphed vertex in clip space.
    #[must_use]
    pub fn apply(&self, vertex: &Vertex) -> ClipVertex<R> {
        if self.through {
            let [x, y, z] = convert(vertex.position);
            let [u, v] = convert(vertex.texcoord);
            return ClipVertex {
                position: [x, y, z, R::ONE],
                texture: [u, v, R::ONE],
                fog: R::ONE,
                color: vertex.color,
                secondary: [0; 3],
            };
        }
        let (position, normal) = match &self.skin {
            Some(skin) => skin.apply(vertex),
            None => (convert(vertex.position), convert(vertex.normal)),
        };
        ClipVertex {
            position: self.to_clip.transform_point(position),
            texture: self.texture.coordinates(position, normal, convert(vertex.texcoord)),
            fog: R::ONE,
            color: vertex.color,
            secondary: [0; 3],
        }
    }
}
