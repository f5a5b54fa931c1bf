//! Patches on their way to the screen: their pieces are divided and go on as strips, lines or points.

use super::Draw;
use crate::arithmetic::Real;
use crate::geometry::patch::Patch;
use crate::geometry::transform::Transform;
use crate::memory::Memory;
use crate::primitive::ScreenPrimitive;
use crate::vertex::Vertex;

impl Draw<'_> {
    pub(super) fn lower_patch<R: Real>(
        &self,
        patch: Patch,
        memory: &Memory,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let mut transform = Transform::<R>::new(self.registers);
        let control = self.control_points(memory, &mut transform);
        patch.tessellate(self.registers, &control, &mut |grid| {
            let mut vertices = Vec::new();
            transform.apply_all(&grid.vertices, &mut vertices);
            self.lower_primitives(&vertices, grid.assembled(self.primitive), out);
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
