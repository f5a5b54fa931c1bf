//! Patches on their way to the screen: their pieces are divided and go on as strips, lines or points.

use super::Draw;
use super::lower::Lowering;
use super::workspace::Buffers;
use super::workspace::Selection;
use crate::ge::arithmetic::Real;
use crate::ge::memory::Memory;
use crate::pipeline::geometry::patch::{Patch, Positions, Sight};
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
        let lowering = Lowering::<R>::of_patches(self.registers, self.primitive);
        let mut transform = Transform::<R>::new(self.registers);
        let control = self.control_points(memory, &mut transform);
        if lowering.is_through() {
            patch.tessellate(self.registers, &control, &mut |grid| {
                let mut vertices = Vec::new();
                transform.apply_all(&grid.vertices, &mut vertices);
                lowering.any(&vertices, grid.assembled(self.primitive), out);
            });
            return;
        }
        let sight = Sight::new(transform.to_clip(), lowering.viewport());
        let mut positions = Positions::default();
        let (mut places, mut selection, mut vertices) = (Vec::new(), Selection::default(), Vec::new());
        let mut buffers = Buffers::default();
        patch.pieces(self.registers, &control, &mut |piece| {
            if sight.is_never_seen(piece.control()) {
                return;
            }
            piece.positions(&mut positions);
            places.clear();
            transform.place_positions(lowering.viewport(), &positions, &mut places);
            lowering.select(&places, piece.assembled(self.primitive), &mut selection);
            if selection.is_empty() {
                return;
            }
            vertices.clear();
            piece.vertices(&selection.used, &mut vertices);
            let used: Vec<&Vertex> = vertices.iter().collect();
            lowering.finish(&transform, &selection, &used, &places, &mut buffers, out);
        });
    }

    /// Control points, morphed and skinned. What comes of them is not skinned again.
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
