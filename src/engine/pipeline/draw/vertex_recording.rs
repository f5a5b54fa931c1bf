//! Transforms vertices a second time, to show their values at each stage.

use super::Draw;
use super::vertex_stages::{SourceVertex, VertexSpaces, VertexStages};
use crate::ge::arithmetic::{Arithmetic, Hf16, Real};
use crate::ge::memory::Memory;
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::geometry::math::{Affine, convert};
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::viewport::Viewport;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::vertex::Vertex;

#[doc(hidden)]
impl Draw<'_> {
    /// Passes this draw's vertices or control points to `out`, carried ones first.
    pub fn source_vertices(
        &self,
        memory: &Memory,
        arithmetic: Arithmetic,
        out: &mut dyn FnMut(&SourceVertex),
    ) {
        match arithmetic {
            Arithmetic::Hardware => self.source_vertices_in::<Hf16>(memory, out),
            Arithmetic::Single => self.source_vertices_in::<f32>(memory, out),
        }
    }

    /// Passes each vertex's stages to `out`, carried ones first. For a patch this visits the vertices in each
    /// sub-patch, in the same order as
    /// [`PrimitiveRecord::vertices`](super::primitive_record::PrimitiveRecord::vertices).
    pub fn vertex_stages(&self, memory: &Memory, arithmetic: Arithmetic, out: &mut dyn FnMut(&VertexStages)) {
        match arithmetic {
            Arithmetic::Hardware => self.vertex_stages_in::<Hf16>(memory, out),
            Arithmetic::Single => self.vertex_stages_in::<f32>(memory, out),
        }
    }

    fn source_vertices_in<R: Real>(&self, memory: &Memory, out: &mut dyn FnMut(&SourceVertex)) {
        for carried in self.carried_vertices() {
            let model = ModelVertices::<R>::new(&carried.registers).skinned(carried.vertex);
            out(&SourceVertex { place: None, frames: vec![carried.vertex], model });
        }
        let reader = self.reader(memory);
        let models = ModelVertices::<R>::new(self.registers);
        let count = reader.layout().vertex_type().morph_frames().min(8);
        for nth in 0..self.count {
            let index = reader.index(nth);
            let frames = reader.frames(index, |frame| (0..count).map(frame).collect());
            let place = Some((index, reader.address(nth)));
            out(&SourceVertex { place, frames, model: models.read(&reader, nth) });
        }
    }

    fn vertex_stages_in<R: Real>(&self, memory: &Memory, out: &mut dyn FnMut(&VertexStages)) {
        let reader = self.reader(memory);
        if reader.layout().vertex_type().position.bytes() == 0 {
            return;
        }
        let viewport = Viewport::<R>::new(self.registers);
        let stages = StageTransform::<R>::new(self.registers, self.carried.zero_normal);
        if let Some(patch) = self.patch {
            let control = self.control_points::<R>(memory);
            patch.tessellate(self.registers, R::ARITHMETIC, &control, &mut |grid| {
                grid.vertices.iter().for_each(|vertex| out(&stages.apply(vertex, &viewport)));
            });
            return;
        }
        for carried in self.carried_vertices() {
            // A carried vertex keeps its own draw's matrices.
            let model = ModelVertices::<R>::new(&carried.registers).skinned(carried.vertex);
            let stages = StageTransform::<R>::new(&carried.registers, self.carried.zero_normal);
            out(&stages.apply(&model, &viewport));
        }
        let mut models = Vec::new();
        self.append_vertices(&ModelVertices::<R>::new(self.registers), &reader, &mut models);
        models.iter().for_each(|vertex| out(&stages.apply(vertex, &viewport)));
    }
}

/// A draw's transform. This keeps the matrix products separately to show each space.
struct StageTransform<R> {
    world: Affine<R>,
    world_view: Affine<R>,
    transform: Transform<R>,
}

impl<R: Real> StageTransform<R> {
    fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
        let world = Affine::load(registers, Matrix::World);
        let world_view = world.then(&Affine::load(registers, Matrix::View));
        Self { world, world_view, transform: Transform::new(registers, zero_normal) }
    }

    fn apply(&self, vertex: &Vertex, viewport: &Viewport<R>) -> VertexStages {
        let clip = self.transform.apply(vertex);
        let projected = viewport.project(&clip);
        let position = convert(vertex.position);
        let spaces = (!viewport.is_through()).then(|| VertexSpaces {
            world: self.world.transform_point(position).map(R::to_f32),
            view: self.world_view.transform_point(position).map(R::to_f32),
            clip: clip.position.map(R::to_f32),
        });
        VertexStages { model: Some(*vertex), spaces, screen: projected.vertex, outcode: projected.outcode }
    }
}
