//! Describes a single draw by its registers, counts and addresses, so that each sink can lower it only as far as it
//! needs to.
//!
//! # Invariants
//! A [`Draw`] borrows all its data. Its methods are pure: calling them again returns the same result.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::pipeline::geometry::assemble::{Assembled, assemble, carried_vertices};
use crate::pipeline::geometry::clip_vertex::ClipVertex;
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::vertex::{LastAttributes, Vertex, VertexReader};

#[doc(hidden)]
pub mod census;
mod immediate;
mod index_dedup;
mod patch;
mod primitive_pipeline;
#[doc(hidden)]
pub mod primitive_record;
mod recording;
mod scratch;
mod selection;
mod transform_cache;
mod vertex_recording;
#[doc(hidden)]
pub mod vertex_stages;

pub use crate::pipeline::geometry::patch::Patch;
pub use immediate::ImmediateDraw;

use index_dedup::IndexDedup;
use primitive_pipeline::PrimitivePipeline;
use primitive_record::{NoPrimitiveRecorder, PrimitiveRecorder};
use scratch::{LoweringScratch, ThreadScratch};
use transform_cache::DrawTransform;

/// Why their count fits everywhere.
const FEW_CARRIED: &str = "a draw takes over at most a few vertices";

/// A vertex that a draw keeps for a following CONTINUE, together with the state for transforming it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct CarriedVertex {
    /// The vertex, already decoded, because its memory may change before the CONTINUE.
    pub vertex: Vertex,
    /// The registers at the time of reading this vertex, because later changes to matrices do not affect it
    /// (assumed).
    pub registers: Arc<Registers>,
}

/// The state that a draw hands to the next.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct CarriedState {
    /// Texture coordinates and normal for vertices whose type has none.
    pub last: LastAttributes,
    /// The normal to use in place of (0, 0, 0). A Bezier patch sets it for the draws after it.
    pub zero_normal: ZeroNormal,
    /// The primitive type for a CONTINUE.
    pub primitive: PrimitiveType,
    /// The vertices of an unfinished primitive, strip or fan. A CONTINUE appends its own vertices to these.
    pub vertices: ArrayVec<CarriedVertex, 2>,
    /// Whether the next triangle of a strip has the opposite winding.
    pub reversed: bool,
}

/// A PRIM, BEZIER or SPLINE command on its way to a sink.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Draw, Memory};
///
/// /// Prints the raw vertices of a draw, as a sink may do.
/// fn print_vertices(memory: &Memory, draw: &Draw<'_>) {
///     for vertex in draw.raw_vertices(memory) {
///         println!("{:?}", vertex.position);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The registers when this command runs.
    pub registers: &'a Registers,
    /// Where the command word is stored.
    pub at: Address,
    /// This draw's number in the run, from 0.
    pub number: u64,
    /// The command's primitive type. [`PrimitiveType::CONTINUE`] means [`CarriedState::primitive`].
    pub primitive: PrimitiveType,
    /// The patch, if the vertices are control points. `primitive` then says whether to draw it as strips, lines or
    /// points.
    pub patch: Option<Patch>,
    /// How many vertices this command itself has, without carried ones.
    pub count: u32,
    /// Where the vertex data starts.
    pub vertices: Address,
    /// Where the indices start. Used only if the vertex type has indices.
    pub indices: Address,
    /// The state left by earlier draws.
    #[doc(hidden)]
    pub carried: &'a CarriedState,
    /// Whether to draw triangles as their three edges, because the [`Overrides`](crate::ge::overrides::Overrides)
    /// ask for it.
    pub wireframe: bool,
    /// Whether to read texels from memory, bypassing the texture cache.
    pub uncached: bool,
    /// Whether the caller goes on without this draw's pixels. If not, it asks for them at once, so letting the draw
    /// wait does not pay.
    pub can_wait: bool,
}

impl<'a> Draw<'a> {
    /// Returns the primitive to draw. For a CONTINUE this is the earlier draw's primitive.
    #[must_use]
    pub fn effective_primitive(&self) -> PrimitiveType {
        if self.continues() { self.carried.primitive } else { self.primitive }
    }

    fn continues(&self) -> bool {
        self.primitive == PrimitiveType::CONTINUE
    }

    /// Returns the vertices that an earlier draw kept for this draw.
    #[doc(hidden)]
    #[must_use]
    pub fn carried_vertices(&self) -> &'a [CarriedVertex] {
        if self.continues() { &self.carried.vertices } else { &[] }
    }

    /// Copies the state that this draw takes over, so that it can wait. Only a CONTINUE needs the vertices.
    pub(crate) fn taken_over(&self) -> CarriedState {
        let CarriedState { last, zero_normal, primitive, reversed, .. } = *self.carried;
        let vertices = self.carried_vertices().iter().cloned().collect();
        CarriedState { last, zero_normal, primitive, vertices, reversed }
    }

    /// Counts all vertices or control points, including carried ones.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.count.saturating_add(u32::try_from(self.carried_vertices().len()).or_never(FEW_CARRIED))
    }

    /// Creates a reader for this command's own vertices.
    #[must_use]
    pub fn reader<'m>(&self, memory: &'m Memory) -> VertexReader<'m> {
        VertexReader::new(memory, self.registers, self.vertices, self.indices, self.carried.last)
    }

    /// Copies this command's vertices and indices, as [`VertexReader::copy`] does. Data in VRAM cannot be copied,
    /// because earlier draws may still change it.
    pub(crate) fn copy_vertices(&self, memory: &Memory, copies: &mut Memory) -> Option<(Address, Address)> {
        let vertex_type: VertexType = self.registers.get();
        let reads_vram = vertex_type.reads_vram(self.vertices, self.indices);
        (!reads_vram).then(|| self.reader(memory).copy(self.count, copies)).flatten()
    }

    /// Iterates over all vertices, carried ones first, as decoded from memory (first morph frame).
    pub fn raw_vertices<'m>(&self, memory: &'m Memory) -> impl Iterator<Item = Vertex> + use<'a, 'm> {
        let reader = self.reader(memory);
        let own = (0..self.count).map(move |nth| reader.vertex(nth));
        self.carried_vertices().iter().map(|carried| carried.vertex).chain(own)
    }

    /// Iterates over the primitives as vertex numbers. For a patch use `Patch::tessellate` instead.
    #[doc(hidden)]
    pub fn assembled(&self) -> impl Iterator<Item = Assembled> + use<> {
        assemble(self.effective_primitive(), self.total(), self.continues() && self.carried.reversed)
    }

    /// Computes the state for the next draw.
    #[doc(hidden)]
    #[must_use]
    pub fn carry(&self, memory: &Memory) -> CarriedState {
        let mut next = CarriedState::default();
        self.carry_into(memory, &mut next);
        next
    }

    /// Computes the state for the next draw into `next`, to reuse memory that it already owns.
    pub(crate) fn carry_into(&self, memory: &Memory, next: &mut CarriedState) {
        // A patch cannot be continued (assumed).
        let primitive = if self.patch.is_some() { PrimitiveType::POINTS } else { self.effective_primitive() };
        let (numbers, reversed) =
            carried_vertices(primitive, self.total(), self.continues() && self.carried.reversed);
        let reader = self.reader(memory);
        let carried = self.carried_vertices();
        // The last vertex is often among the carried ones. This tells whether it is, to avoid decoding it twice.
        let keeps_last = numbers.last().is_some_and(|number| number.checked_add(1) == Some(self.total()));
        // Copying registers is costly, so a copy that `next` no longer needs serves again.
        let mut spare = next.vertices.drain(..).map(|kept| kept.registers).last();
        let mut own_registers = None;
        for number in numbers {
            next.vertices.push(match carried.get(number as usize) {
                Some(vertex) => vertex.clone(),
                None => {
                    let own = number.saturating_sub(u32::try_from(carried.len()).or_never(FEW_CARRIED));
                    let registers = own_registers.get_or_insert_with(|| copy(self.registers, spare.take()));
                    CarriedVertex { vertex: reader.vertex(own), registers: Arc::clone(registers) }
                }
            });
        }
        next.last = match self.count.checked_sub(1) {
            Some(last) => {
                let kept = next.vertices.last().filter(|_| keeps_last).map(|kept| kept.vertex);
                let vertex = kept.unwrap_or_else(|| reader.vertex(last));
                LastAttributes { texcoord: vertex.texcoord, normal: vertex.normal }
            }
            None => self.carried.last,
        };
        next.zero_normal = self.zero_normal(memory);
        (next.primitive, next.reversed) = (primitive, reversed);
    }

    /// Returns the last vertex's texture coordinates and normal, for later vertices without their own.
    pub(crate) fn last_attributes(&self, memory: &Memory) -> LastAttributes {
        let Some(last) = self.count.checked_sub(1) else { return self.carried.last };
        let vertex = self.reader(memory).vertex(last);
        LastAttributes { texcoord: vertex.texcoord, normal: vertex.normal }
    }

    /// Transforms, clips and culls this draw, and passes each surviving primitive to `out`.
    pub fn to_screen(&self, memory: &Memory, arithmetic: Arithmetic, out: &mut dyn FnMut(&ScreenPrimitive)) {
        let mut scratch = ThreadScratch::take();
        match arithmetic {
            Arithmetic::Hardware => self.lower(memory, &mut scratch.hardware, out),
            Arithmetic::Single => self.lower(memory, &mut scratch.single, out),
        }
        scratch.release();
    }

    fn lower<R: Real>(
        &self,
        memory: &Memory,
        scratch: &mut LoweringScratch<R>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let reader = self.reader(memory);
        if reader.layout().vertex_type().position.bytes() == 0 {
            // Without positions there is no pixel to draw.
            return;
        }
        let LoweringScratch { transforms, buffers } = scratch;
        let DrawTransform { source, transform } = transforms.get(self.registers, self.carried.zero_normal);
        if let Some(patch) = self.patch {
            let mut control = Vec::new();
            self.append_vertices(source, &reader, &mut control);
            return self.lower_patch(patch, transform, &control, buffers, out);
        }
        let pipeline = PrimitivePipeline::<R>::new(self.registers, self.effective_primitive());
        let vertices = &mut buffers.vertices;
        vertices.clear();
        let continues = !self.carried_vertices().is_empty();
        // These vertices are transformed in full: carried ones need their own matrices, and through mode has
        // no clip test that could save work.
        if continues || pipeline.is_through() {
            self.append_vertices(source, &reader, vertices);
            let vertices = self.clip_vertices(transform, vertices);
            return self.lower_transformed(&pipeline, &vertices, &mut NoPrimitiveRecorder, out);
        }
        let dedup = IndexDedup::new(&self.indices(&reader));
        match &dedup {
            Some(dedup) => source.append(&reader, dedup.distinct.iter().copied(), vertices),
            None => self.append_vertices(source, &reader, vertices),
        }
        // To merge a rectangle, this needs all corners in clip space, in list order. Distinct vertices have lost
        // that order, so this reads the vertices again.
        if pipeline.starts_with_rectangle(transform, vertices, dedup.as_ref()) {
            vertices.clear();
            self.append_vertices(source, &reader, vertices);
            let vertices = self.clip_vertices(transform, vertices);
            return self.lower_transformed(&pipeline, &vertices, &mut NoPrimitiveRecorder, out);
        }
        pipeline.lower_survivors(transform, buffers, self.count, dedup.as_ref(), out);
    }

    /// Lowers vertices that are already in clip space, carried ones first. Not for patches.
    fn lower_transformed<R: Real>(
        &self,
        pipeline: &PrimitivePipeline<'_, R>,
        vertices: &[ClipVertex<R>],
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        if self.carried_vertices().is_empty() {
            pipeline.lower_merging_rectangles(vertices, self.assembled(), recorder, out);
        } else {
            pipeline.lower_clip_vertices(vertices, self.assembled(), recorder, out);
        }
    }

    /// Reads the indices for the draw's own vertices. The list is empty if they have none.
    fn indices(&self, reader: &VertexReader<'_>) -> Vec<u32> {
        let count = if reader.is_indexed() { self.count } else { 0 };
        (0..count).map(|nth| reader.index(nth)).collect()
    }

    /// Reads the draw's own vertices in their order and appends them to `out`.
    fn append_vertices<R: Real>(
        &self,
        source: &ModelVertices<R>,
        reader: &VertexReader<'_>,
        out: &mut Vec<Vertex>,
    ) {
        if reader.is_indexed() {
            source.append(reader, self.indices(reader).iter().copied(), out);
        } else {
            source.append_first(reader, self.count, out);
        }
    }

    /// Transforms the carried vertices to clip space, each with its own registers, and then the draw's own
    /// vertices.
    fn clip_vertices<R: Real>(&self, transform: &Transform<R>, own: &[Vertex]) -> Vec<ClipVertex<R>> {
        let carried = self.carried_vertices().iter();
        let mut out: Vec<_> = carried
            .map(|CarriedVertex { vertex, registers }| {
                let vertex = ModelVertices::<R>::new(registers).skinned(*vertex);
                Transform::new(registers, self.carried.zero_normal).apply(&vertex)
            })
            .collect();
        transform.apply_all(own, &mut out);
        out
    }
}

/// Copies registers. If nothing else holds `spare`, this reuses its memory to save an allocation.
fn copy(registers: &Registers, spare: Option<Arc<Registers>>) -> Arc<Registers> {
    if let Some(mut copy) = spare
        && let Some(memory) = Arc::get_mut(&mut copy)
    {
        memory.clone_from(registers);
        return copy;
    }
    Arc::new(registers.clone())
}
