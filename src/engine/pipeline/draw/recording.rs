//! Lowers a draw and records each primitive's fate.
//!
//! This path transforms every vertex in full and skips no sub-patch, because primitives that are not drawn need a
//! record too. The screen primitives are those of [`Draw::to_screen`].

use super::Draw;
use super::primitive_pipeline::PrimitivePipeline;
use super::primitive_record::{PrimitiveRecord, RecordCollector};
use crate::ge::arithmetic::{Arithmetic, Hf16, Real};
use crate::ge::memory::Memory;
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::primitive::ScreenPrimitive;

#[doc(hidden)]
impl Draw<'_> {
    /// Lowers this draw as [`Self::to_screen`] does, and passes a record for each primitive to `out`, even if it is
    /// dropped or culled. This is slower, because it computes vertices that drawing can skip.
    pub fn record_primitives(
        &self,
        memory: &Memory,
        arithmetic: Arithmetic,
        out: &mut dyn FnMut(&PrimitiveRecord),
    ) {
        match arithmetic {
            Arithmetic::Hardware => self.record_primitives_in::<Hf16>(memory, out),
            Arithmetic::Single => self.record_primitives_in::<f32>(memory, out),
        }
    }

    /// Passes each primitive that [`Self::to_screen`] would draw to `out`, with its number in list order.
    pub(crate) fn number_screen_primitives(
        &self,
        memory: &Memory,
        arithmetic: Arithmetic,
        out: &mut dyn FnMut(u32, &ScreenPrimitive),
    ) {
        self.record_primitives(memory, arithmetic, &mut |record| {
            record.drawn().for_each(|primitive| out(record.number, primitive));
        });
    }

    fn record_primitives_in<R: Real>(&self, memory: &Memory, out: &mut dyn FnMut(&PrimitiveRecord)) {
        let reader = self.reader(memory);
        if reader.layout().vertex_type().position.bytes() == 0 {
            return;
        }
        let mut recorder = RecordCollector::new(out);
        let transform = Transform::<R>::new(self.registers, self.carried.zero_normal);
        let mut vertices = Vec::new();
        if let Some(patch) = self.patch {
            let pipeline = PrimitivePipeline::<R>::of_patches(self.registers, self.primitive);
            let control = self.control_points::<R>(memory);
            patch.tessellate(self.registers, R::ARITHMETIC, &control, &mut |grid| {
                vertices.clear();
                transform.apply_all(&grid.vertices, &mut vertices);
                let primitives = grid.assembled(self.primitive);
                pipeline.lower_clip_vertices(&vertices, primitives, &mut recorder, &mut |_| {});
                recorder.skip_vertices(vertices.len());
            });
        } else {
            let pipeline = PrimitivePipeline::<R>::new(self.registers, self.effective_primitive());
            let mut model = Vec::new();
            self.append_vertices(&ModelVertices::<R>::new(self.registers), &reader, &mut model);
            let vertices = self.clip_vertices(&transform, &model);
            self.lower_transformed(&pipeline, &vertices, &mut recorder, &mut |_| {});
        }
        recorder.finish();
    }
}
