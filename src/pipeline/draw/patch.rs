//! Lowers patches: each sub-patch is culled, tessellated, and drawn as strips, lines or points.

use super::Draw;
use super::primitive_pipeline::PrimitivePipeline;
use super::scratch::ScreenBuffers;
use super::scratch::VisibleSet;
use crate::ge::arithmetic::Real;
use crate::ge::memory::Memory;
use crate::pipeline::geometry::patch::{Patch, PatchCuller, PatchPositions};
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::vertex::Vertex;

impl Draw<'_> {
    pub(super) fn lower_patch<R: Real>(
        &self,
        patch: Patch,
        memory: &Memory,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let pipeline = PrimitivePipeline::<R>::of_patches(self.registers, self.primitive);
        let mut transform = Transform::<R>::new(self.registers, self.carried.zero_normal);
        let control = self.control_points(memory, &mut transform);
        if pipeline.is_through() {
            patch.tessellate(self.registers, &control, &mut |grid| {
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
        patch.sub_patches(self.registers, &control, &mut |sub_patch| {
            if culler.hides(sub_patch.control_positions()) {
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
            sub_patch.vertices(&visible.used, &mut vertices);
            let used: Vec<&Vertex> = vertices.iter().collect();
            pipeline.finish(&transform, &visible, &used, &on_screen, &mut buffers, out);
        });
    }

    /// Reads, morphs and skins the control points. Takes the skin out of `transform`, so that the tessellated
    /// vertices are not skinned again.
    pub(crate) fn control_points<R: Real>(
        &self,
        memory: &Memory,
        transform: &mut Transform<R>,
    ) -> Vec<Vertex> {
        let reader = self.reader(memory);
        let skin = transform.take_skin();
        let skinned = |vertex: Vertex| match &skin {
            Some(skin) => {
                let (position, normal) = skin.apply(&vertex);
                Vertex { position: position.map(R::to_f32), normal: normal.map(R::to_f32), ..vertex }
            }
            None => vertex,
        };
        (0..self.count).map(|nth| skinned(transform.read(&reader, nth))).collect()
    }
}
