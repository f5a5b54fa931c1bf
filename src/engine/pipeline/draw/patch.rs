//! Lowers patches. Each sub-patch is culled, then tessellated, then drawn as strips, lines or points.

use super::Draw;
use super::primitive_pipeline::PrimitivePipeline;
use super::primitive_record::NoPrimitiveRecorder;
use super::scratch::LoweringBuffers;
use crate::ge::arithmetic::{Hf16, Real};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::patch::{Patch, PatchCuller, PatchPositions};
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::vertex::Vertex;

impl Draw<'_> {
    /// Lowers a patch with these control points.
    pub(super) fn lower_patch<R: Real>(
        &self,
        patch: Patch,
        transform: &Transform<R>,
        control: &[Vertex],
        buffers: &mut LoweringBuffers,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let pipeline = PrimitivePipeline::<R>::of_patches(self.registers, self.primitive);
        // Through mode knows no view volume to cull against, so this tessellates every sub-patch in full.
        if pipeline.is_through() {
            patch.tessellate(self.registers, R::ARITHMETIC, control, &mut |grid| {
                let mut vertices = Vec::new();
                transform.apply_all(&grid.vertices, &mut vertices);
                let recorder = &mut NoPrimitiveRecorder;
                pipeline.lower_clip_vertices(&vertices, grid.assembled(self.primitive), recorder, out);
            });
            return;
        }
        let culler = PatchCuller::new(transform.to_clip(), pipeline.viewport());
        let mut positions = PatchPositions::default();
        let LoweringBuffers { vertices, positions: on_screen, visible, screen_vertices } = buffers;
        patch.sub_patches(self.registers, R::ARITHMETIC, control, &mut |sub_patch| {
            // Control points bound their surface. If all are beyond the same plane, tessellation would be wasted.
            if culler.hides(sub_patch.control_positions().into_iter().flatten()) {
                return;
            }
            sub_patch.positions(&mut positions);
            transform.patch_screen_positions(pipeline.viewport(), &positions, on_screen);
            let mut selection = pipeline.selection(on_screen, visible);
            if self.primitive == PrimitiveType::TRIANGLE_STRIP {
                for strip in sub_patch.strips() {
                    selection.add_strip(strip, sub_patch.is_reversed());
                }
            } else {
                selection.add(sub_patch.assembled(self.primitive));
            }
            if !selection.finish() {
                return;
            }
            // Attributes are computed only now, and only for vertices that a surviving primitive uses.
            vertices.clear();
            sub_patch.vertices(&visible.used, &positions, vertices);
            pipeline.finish(transform, visible, |slot| vertices.get(slot), on_screen, screen_vertices, out);
        });
    }

    /// Reads, morphs and skins this draw's control points.
    pub(crate) fn control_points<R: Real>(&self, memory: &Memory) -> Vec<Vertex> {
        let mut points = Vec::new();
        self.append_vertices(&ModelVertices::<R>::new(self.registers), &self.reader(memory), &mut points);
        points
    }

    /// Returns the normal to use in place of (0, 0, 0) after this draw. Only Bezier patches change it.
    /// Source: [zero normals](crate::reference::ge::lighting#zero-normals).
    pub(super) fn zero_normal(&self, memory: &Memory) -> ZeroNormal {
        let Some(corner) = self.patch.and_then(Patch::last_corner) else { return self.carried.zero_normal };
        let reader = self.reader(memory);
        if reader.layout().vertex_type().position.bytes() == 0 {
            // Without positions nothing draws this patch, so it changes nothing.
            return self.carried.zero_normal;
        }
        let points = ModelVertices::<Hf16>::new(self.registers);
        let corner = corner.map(|nth| points.read(&reader, nth).position.map(Hf16::from_f32));
        ZeroNormal::of_corner(corner, self.registers.is_on(Opcode::PATCHFACING))
    }
}
