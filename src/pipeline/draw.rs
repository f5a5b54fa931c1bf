//! One draw: registers, counts and addresses, to be lowered as far as a sink needs.
//!
//! # Invariants
//! A [`Draw`] borrows everything and owns nothing. Calling a method twice gives the same answer.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::arithmetic::{Arithmetic, Hf16, Real};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::assemble::{Assembled, assemble, carried_vertices};
use crate::pipeline::geometry::clip_vertex::ClipVertex;
use crate::pipeline::geometry::patch::Patch;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::vertex::{LastAttributes, Vertex, VertexReader};

mod immediate;
mod index_dedup;
pub mod owned;
mod patch;
mod primitive_pipeline;
mod scratch;

pub use immediate::ImmediateDraw;

use index_dedup::IndexDedup;
use primitive_pipeline::PrimitivePipeline;
use scratch::LoweringScratch;

/// A vertex that a draw left over for a CONTINUE behind it, with the state it was drawn under.
#[derive(Clone, Debug)]
pub struct CarriedVertex {
    /// The decoded vertex.
    pub vertex: Vertex,
    /// The registers of its draw: it keeps its transformation whatever changes in between.
    pub registers: Arc<Registers>,
}

/// What one draw hands to the next.
#[derive(Clone, Debug, Default)]
pub struct CarriedState {
    /// Texture coordinates and normal for vertices without.
    pub last: LastAttributes,
    /// What primitive a CONTINUE goes on with.
    pub primitive: PrimitiveType,
    /// Vertices that it goes on from.
    pub vertices: ArrayVec<CarriedVertex, 2>,
    /// Whether a strip's next triangle winds the other way.
    pub reversed: bool,
}

/// A PRIM, BEZIER or SPLINE on its way to a sink.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The registers at the draw. Who needs them later keeps the [`Arc`].
    pub registers: &'a Arc<Registers>,
    /// Address of the command word.
    pub at: Address,
    /// The draw's number in the run, from 0.
    pub number: u64,
    /// What the command asks for; [`PrimitiveType::CONTINUE`] goes on with [`CarriedState::primitive`].
    pub primitive: PrimitiveType,
    /// The patch whose control points the vertices are. It becomes strips, lines or points; the primitive says which.
    pub patch: Option<Patch>,
    /// How many vertices the command brings.
    pub count: u32,
    /// Where vertices start.
    pub vertices: Address,
    /// Where indices start, if the vertex type has some.
    pub indices: Address,
    /// What earlier draws left.
    pub carried: &'a CarriedState,
}

impl<'a> Draw<'a> {
    /// The primitive that is drawn: that of the earlier draw for a CONTINUE.
    #[must_use]
    pub fn effective_primitive(&self) -> PrimitiveType {
        if self.continues() { self.carried.primitive } else { self.primitive }
    }

    fn continues(&self) -> bool {
        self.primitive == PrimitiveType::CONTINUE
    }

    /// Vertices that an earlier draw left over for this one.
    #[must_use]
    pub fn carried_vertices(&self) -> &'a [CarriedVertex] {
        if self.continues() { &self.carried.vertices } else { &[] }
    }

    /// How many vertices take part, those left over included; for a patch, its control points.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.count.saturating_add(u32::from(u8::try_from(self.carried_vertices().len()).unwrap_or(0)))
    }

    /// A reader of the command's own vertices.
    #[must_use]
    pub fn reader<'m>(&self, memory: &'m Memory) -> VertexReader<'m> {
        VertexReader::new(memory, self.registers, self.vertices, self.indices, self.carried.last)
    }

    /// All vertices that take part, as their bytes say (first morph frame), those left over first.
    pub fn raw_vertices<'m>(&self, memory: &'m Memory) -> impl Iterator<Item = Vertex> + use<'a, 'm> {
        let reader = self.reader(memory);
        let own = (0..self.count).map(move |nth| reader.vertex(nth));
        self.carried_vertices().iter().map(|carried| carried.vertex).chain(own)
    }

    /// The primitives, by the numbers of the vertices that take part. Those of a patch come from
    /// [`Patch::tessellate`] instead.
    pub fn assembled(&self) -> impl Iterator<Item = Assembled> + use<> {
        assemble(self.effective_primitive(), self.total(), self.continues() && self.carried.reversed)
    }

    /// What the draw behind this one gets from it.
    #[must_use]
    pub fn carry(&self, memory: &Memory) -> CarriedState {
        // Nothing goes on from a patch, which is assumed.
        let primitive = if self.patch.is_some() { PrimitiveType::POINTS } else { self.effective_primitive() };
        let (numbers, reversed) =
            carried_vertices(primitive, self.total(), self.continues() && self.carried.reversed);
        let reader = self.reader(memory);
        let carried = self.carried_vertices();
        let vertices = numbers
            .into_iter()
            .map(|number| match carried.get(number as usize) {
                Some(vertex) => vertex.clone(),
                None => {
                    let own = number.saturating_sub(u32::from(u8::try_from(carried.len()).unwrap_or(0)));
                    CarriedVertex { vertex: reader.vertex(own), registers: Arc::clone(self.registers) }
                }
            })
            .collect();
        let last = match self.count.checked_sub(1) {
            Some(last) => {
                let vertex = reader.vertex(last);
                LastAttributes { texcoord: vertex.texcoord, normal: vertex.normal }
            }
            None => self.carried.last,
        };
        CarriedState { last, primitive, vertices, reversed }
    }

    /// Transforms, clips and culls the draw, and hands each primitive that is left to `out`.
    pub fn to_screen(&self, memory: &Memory, arithmetic: Arithmetic, out: &mut dyn FnMut(&ScreenPrimitive)) {
        match arithmetic {
            Arithmetic::Hardware => self.lower::<Hf16>(memory, out),
            Arithmetic::Single => self.lower::<f32>(memory, out),
        }
    }

    fn lower<R: Real>(&self, memory: &Memory, out: &mut dyn FnMut(&ScreenPrimitive)) {
        if self.reader(memory).layout().vertex_type().position.bytes() == 0 {
            // Vertices without a position draw nothing.
            return;
        }
        if let Some(patch) = self.patch {
            return self.lower_patch::<R>(patch, memory, out);
        }
        let pipeline = PrimitivePipeline::<R>::new(self.registers, self.effective_primitive());
        let transform = Transform::<R>::new(self.registers);
        let reader = self.reader(memory);
        if !self.carried_vertices().is_empty() {
            return pipeline.lower_clip_vertices(
                &self.clip_vertices(&transform, &reader),
                self.assembled(),
                out,
            );
        }
        if pipeline.is_through() {
            return pipeline.lower_merging_rectangles(
                &self.clip_vertices(&transform, &reader),
                self.assembled(),
                out,
            );
        }
        let dedup = IndexDedup::new(&reader, self.count);
        let mut scratch = LoweringScratch::take();
        match &dedup {
            Some(dedup) => {
                scratch.vertices.extend(dedup.first_uses.iter().map(|&nth| transform.read(&reader, nth)));
            }
            None => scratch.vertices.extend((0..self.count).map(|nth| transform.read(&reader, nth))),
        }
        if pipeline.starts_with_rectangle(&transform, &scratch.vertices, dedup.as_ref()) {
            scratch.give_back();
            return pipeline.lower_merging_rectangles(
                &self.clip_vertices(&transform, &reader),
                self.assembled(),
                out,
            );
        }
        let primitives = self.assembled();
        match &dedup {
            Some(dedup) => {
                let remap = |number: &mut u32| {
                    *number = dedup.remap.get(*number as usize).copied().unwrap_or(*number);
                };
                let primitives = primitives.map(|mut assembled| {
                    assembled.vertices.iter_mut().for_each(remap);
                    assembled
                });
                pipeline.lower_survivors(transform, &mut scratch, primitives, out);
            }
            None => pipeline.lower_survivors(transform, &mut scratch, primitives, out),
        }
        scratch.give_back();
    }

    fn clip_vertices<R: Real>(
        &self,
        transform: &Transform<R>,
        reader: &VertexReader<'_>,
    ) -> Vec<ClipVertex<R>> {
        let carried = self.carried_vertices().iter();
        let mut out: Vec<_> =
            carried.map(|carried| Transform::<R>::new(&carried.registers).apply(&carried.vertex)).collect();
        let vertices: Vec<_> = (0..self.count).map(|nth| transform.read(reader, nth)).collect();
        transform.apply_all(&vertices, &mut out);
        out
    }
}
