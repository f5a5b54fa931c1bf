//! Lowers patches: each sub-patch is culled, tessellated, and drawn as strips, lines or points.

use super::Draw;
use super::primitive_pipeline::PrimitivePipeline;
use super::scratch::ScreenBuffers;
use super::scratch::VisibleSet;
use crate::ge::arithmetic::{Hf16, Real};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::geometry::morph::Morph;
use crate::pipeline::geometry::patch::{Patch, PatchCuller, PatchPositions};
use crate::pipeline::geometry::skin::Skin;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::vertex::{Vertex, VertexReader};

/// Morphs and skins control points.
struct ControlPoints<R> {
    morph: Morph<R>,
    skin: Option<Skin<R>>,
}

impl<R: Real> ControlPoints<R> {
    fn new(registers: &Registers) -> Self {
        let through = registers.get::<VertexType>().through;
        Self { morph: Morph::new(registers), skin: Skin::new(registers).filter(|_| !through) }
    }

    fn read(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        let vertex = self.morph.vertex(reader, nth);
        match &self.skin {
            Some(skin) => {
                let (position, normal) = skin.apply(&vertex);
                Vertex { position: position.map(R::to_f32), normal: normal.map(R::to_f32), ..vertex }
            }
            None => vertex,
        }
    }
}

impl Draw<'_> {
    pub(super) fn lower_patch<R: Real>(
        &self,
        patch: Patch,
        memory: &Memory,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let pipeline = PrimitivePipeline::<R>::of_patches(self.registers, self.primitive);
        let mut transform = Transform::<R>::new(self.registers, self.carried.zero_normal);
        let control = self.control_points::<R>(memory);
        // The tessellated vertices must not be skinned again.
        transform.take_skin();
        if pipeline.is_through() {
            patch.tessellate(self.registers, R::ARITHMETIC, &control, &mut |grid| {
                let mut vertices = Vec::new();
                transform.apply_all(&grid.vertices, &mut vertices);
                pipeline.lower_clip_vertices(&vertices, grid.assembled(self.primitive), out);
            });
            return;
        }
        let culler = PatchCuller::new(transform.to_clip(), pipeline.viewport());
        let mut positions = PatchPositions::default();
        let (mut on_screen, mut visible, mut vertices) = (Vec::new(), VisibleSet::default(), Vec::new());
        let mut buffers = ScreenBuffers::default();
        patch.sub_patches(self.registers, R::ARITHMETIC, &control, &mut |sub_patch| {
            if culler.hides(sub_patch.control_positions().into_iter().flatten()) {
                return;
            }
            sub_patch.positions(&mut positions);
            on_screen.clear();
            transform.patch_screen_positions(pipeline.viewport(), &positions, &mut on_screen);
            pipeline.select(&on_screen, sub_patch.assembled(self.primitive), &mut visible);
            if visible.is_empty() {
                return;
            }
            vertices.clear();
            sub_patch.vertices(&visible.used, &positions, &mut vertices);
            let used: Vec<&Vertex> = vertices.iter().collect();
            pipeline.finish(&transform, &visible, &used, &on_screen, &mut buffers, out);
        });
    }

    /// Reads, morphs and skins the control points.
    pub(crate) fn control_points<R: Real>(&self, memory: &Memory) -> Vec<Vertex> {
        let (reader, points) = (self.reader(memory), ControlPoints::<R>::new(self.registers));
        (0..self.count).map(|nth| points.read(&reader, nth)).collect()
    }

    /// Returns the normal that replaces (0, 0, 0) after this draw. Only Bezier patches change it.
    /// Source: [zero normals](crate::reference::ge::lighting#zero-normals).
    pub(super) fn zero_normal(&self, memory: &Memory) -> ZeroNormal {
        let Some(corner) = self.patch.and_then(Patch::last_corner) else { return self.carried.zero_normal };
        let reader = self.reader(memory);
        if reader.layout().vertex_type().position.bytes() == 0 {
            // Vertices without a position draw no patch.
            return self.carried.zero_normal;
        }
        let points = ControlPoints::<Hf16>::new(self.registers);
        let corner = corner.map(|nth| points.read(&reader, nth).position.map(Hf16::from_f32));
        ZeroNormal::of_corner(corner, self.registers.is_on(Opcode::PATCHFACING))
    }
}
