//! Collects the geometry of draws instead of rasterizing it.
//!
//! Vertices are in world space, after morphing, skinning and WORLD, computed in IEEE single. A draw lists each
//! vertex only once, ordered by its index in memory. Patches are tessellated as in hardware, up to their vertices
//! in model space.

use crate::ge::arithmetic::{Arithmetic, Hf16};
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::VertexType;
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::bounds::Bounds;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::geometry::math::Affine;
use crate::pipeline::geometry::morph::Morph;
use crate::pipeline::geometry::patch::Patch;
use crate::pipeline::geometry::skin::Skin;
use crate::pipeline::geometry::texgen::TextureGenerator;
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::vertex::Vertex;
use crate::run::sink::Sink;

mod decoded;
mod immediate;

use decoded::keeps_clockwise;
pub use decoded::{DecodedDraw, DecodedVertex};
pub use immediate::decode_immediate;

/// Computes an upper bound for a draw's size in bytes, to charge it before decoding. Each index list has at most
/// three elements per vertex.
const fn decoded_bytes(vertices: u64) -> u64 {
    let each = (size_of::<DecodedVertex>() + 3 * size_of::<[u32; 3]>()) as u64;
    vertices.saturating_mul(each).saturating_add(size_of::<DecodedDraw>() as u64)
}

/// Collects every draw's geometry within [`Limits::memory`], to export or inspect it. Later draws are dropped.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Arithmetic, GeometrySink, Limits, NullObserver};
///
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let mut sink = GeometrySink::new();
/// pspge::replay(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, &Limits::default());
/// assert!(sink.draws().is_empty());
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GeometrySink {
    draws: Vec<DecodedDraw>,
    memory: Budget,
}

impl Default for GeometrySink {
    fn default() -> Self {
        Self::new()
    }
}

impl GeometrySink {
    /// Creates an empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self { draws: Vec::new(), memory: Budget::new(&Limits::default(), Limit::Memory) }
    }

    /// Returns how many bytes are charged against [`Limits::memory`] so far.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory.spent()
    }

    /// Returns the draws collected so far.
    #[must_use]
    pub fn draws(&self) -> &[DecodedDraw] {
        &self.draws
    }

    /// Returns vertex positions for all draws, except those in through mode, which have no place in world space.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        let transformed = self.draws.iter().filter(|draw| !draw.vertex_type.through);
        transformed.flat_map(|draw| draw.vertices.iter().map(|vertex| vertex.position))
    }

    /// Computes the box around [`Self::positions`], to frame the scene. `None` if no such position is finite.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.positions())
    }
}

impl Sink for GeometrySink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertices = draw.patch.map_or(draw.total(), |patch| patch.vertex_count(draw.registers));
        if self.memory.spend(decoded_bytes(vertices.into())).is_ok() {
            self.draws.push(decode(memory, draw));
        }
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        if self.memory.spend(decoded_bytes(draw.vertices.len() as u64)).is_ok() {
            self.draws.push(decode_immediate(draw));
        }
    }

    fn flush(&mut self, _: &mut Memory) {}

    fn begin(&mut self, _: &mut Memory, limits: &Limits) {
        self.memory = Budget::new(limits, Limit::Memory);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.memory.limit_hit()
    }
}

/// Selects the space for decoded positions and normals, and which texture coordinates to decode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// World space. If there is a texture matrix, texture coordinates stay as stored, because it applies per
    /// pixel.
    #[default]
    World,
    /// World space. If there is a texture matrix, it is applied per vertex, and the result is divided by q.
    WorldMapped,
    /// The space in which vertices are stored: after morphing, before skinning and WORLD. Patch vertices are
    /// skinned, because tessellation follows skinning.
    Vertices,
}

/// Decodes a draw in world space.
#[must_use]
pub fn decode(memory: &Memory, draw: &Draw<'_>) -> DecodedDraw {
    decode_in(memory, draw, Space::World)
}

#[must_use]
pub(crate) fn decode_in(memory: &Memory, draw: &Draw<'_>, space: Space) -> DecodedDraw {
    let mut vertices = Vec::new();
    let decoded = decode_into(memory, draw, space, &mut |decoded, _| vertices.push(decoded));
    DecodedDraw { vertices, ..decoded }
}

/// A position and a normal, as memory holds them before skinning.
#[doc(hidden)]
pub type Stored = [[f32; 3]; 2];

/// Decodes a draw and passes its vertices to `out` in turn, each with its position and normal in
/// [`Space::Vertices`]. The returned draw has an empty vertex list.
#[doc(hidden)]
pub fn decode_into(
    memory: &Memory,
    draw: &Draw<'_>,
    space: Space,
    out: &mut dyn FnMut(DecodedVertex, Stored),
) -> DecodedDraw {
    if let Some(patch) = draw.patch {
        return decode_patch(memory, draw, patch, space, out);
    }
    let reader = draw.reader(memory);
    let carried = draw.carried_vertices();
    // Maps each vertex in the draw to its index in the list of distinct vertices.
    let mut slots = Vec::with_capacity(draw.total() as usize);
    // Carried vertices come from earlier draws, so each needs its own registers and has no index in this draw.
    for (slot, vertex) in (0..).zip(carried) {
        slots.push(slot);
        VertexDecoder::new(&vertex.registers, space, draw.carried.zero_normal).emit(
            None,
            &vertex.vertex,
            out,
        );
    }
    let space = VertexDecoder::new(draw.registers, space, draw.carried.zero_normal);
    let own = slots.len();
    slots.resize(draw.total() as usize, 0);
    let own = slots.split_at_mut(own).1;
    // Sort by index in memory, to decode only the first vertex for each index.
    let mut order: Vec<(u32, u32)> = (0..draw.count).map(|nth| (reader.index(nth), nth)).collect();
    order.sort_unstable();
    let mut next = u32::try_from(carried.len()).or_never("a draw takes over at most a few vertices");
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(index, nth)) = same.first() else { continue };
        space.emit(Some(index), &space.morph.vertex(&reader, nth), out);
        for (_, nth) in same {
            if let Some(slot) = own.get_mut(*nth as usize) {
                *slot = next;
            }
        }
        next += 1;
    }
    // Free this before the index lists grow, to save memory, because a draw can be large.
    drop(order);
    let slot = |number: u32| {
        slots.get(number as usize).copied().or_never("primitives are made of the draw's vertices")
    };
    let mut decoded = DecodedDraw::without_vertices(draw);
    let keeps_clockwise = keeps_clockwise(draw.registers);
    for assembled in draw.assembled() {
        decoded.add(&assembled, keeps_clockwise, slot);
    }
    decoded
}

/// Decodes a patch. Each subpatch outputs its own vertices with the surface's normals, already skinned and without
/// an index.
fn decode_patch(
    memory: &Memory,
    draw: &Draw<'_>,
    patch: Patch,
    space: Space,
    out: &mut dyn FnMut(DecodedVertex, Stored),
) -> DecodedDraw {
    let control = draw.control_points::<Hf16>(memory);
    let space =
        // Skinning happens before tessellation, so the control points need no further skinning.
        VertexDecoder { skin: None, ..VertexDecoder::new(draw.registers, space, draw.carried.zero_normal) };
    let keeps_clockwise = keeps_clockwise(draw.registers);
    let mut decoded = DecodedDraw::without_vertices(draw);
    let mut first = 0;
    patch.tessellate(draw.registers, Arithmetic::Hardware, &control, &mut |grid| {
        for vertex in &grid.vertices {
            space.emit(None, vertex, out);
        }
        for assembled in grid.assembled(draw.primitive) {
            decoded.add(&assembled, keeps_clockwise, |number| first + number);
        }
        first += u32::try_from(grid.vertices.len()).or_never("a grid has less than 2^32 vertices");
    });
    decoded
}

/// Decodes vertices into a [`Space`].
#[derive(Debug)]
struct VertexDecoder {
    space: Space,
    through: bool,
    morph: Morph<f32>,
    skin: Option<Skin<f32>>,
    world: Affine<f32>,
    texture: TextureGenerator<f32>,
    reverse_normals: bool,
}

impl VertexDecoder {
    fn new(registers: &Registers, space: Space, zero_normal: ZeroNormal) -> Self {
        Self {
            space,
            through: registers.get::<VertexType>().through,
            morph: Morph::new(registers),
            skin: Skin::new(registers),
            world: Affine::load(registers, Matrix::World),
            texture: TextureGenerator::new(registers, zero_normal),
            reverse_normals: registers.is_on(Opcode::REVERSENORMAL),
        }
    }

    /// Passes a decoded vertex to `out`, with its position and normal before skinning.
    fn emit(&self, index: Option<u32>, vertex: &Vertex, out: &mut dyn FnMut(DecodedVertex, Stored)) {
        let negate_normal = self.reverse_normals && !self.through;
        let normal = if negate_normal { vertex.normal.map(|component| -component) } else { vertex.normal };
        out(self.vertex(index, vertex), [vertex.position, normal]);
    }

    fn vertex(&self, index: Option<u32>, vertex: &Vertex) -> DecodedVertex {
        let decoded = DecodedVertex {
            index,
            position: vertex.position,
            normal: vertex.normal,
            texcoord: vertex.texcoord,
            color: vertex.color,
            weights: vertex.weights,
        };
        if self.through {
            return decoded;
        }
        let (position, normal) = match &self.skin {
            Some(skin) => skin.apply(vertex),
            None => (vertex.position, vertex.normal),
        };
        let texcoord = match &self.texture {
            per_vertex @ (TextureGenerator::Scaled { .. } | TextureGenerator::Environment { .. }) => {
                let [u, v, _] = per_vertex.of_vertex(position, normal, vertex.texcoord);
                [u, v]
            }
            per_pixel @ TextureGenerator::Matrix { .. } if self.space == Space::WorldMapped => {
                let [s, t, q] = per_pixel.of_vertex(position, normal, vertex.texcoord);
                [s / q, t / q]
            }
            // The matrix applies per pixel, so this vertex keeps its own coordinates.
            TextureGenerator::Matrix { .. } => vertex.texcoord,
        };
        let (position, normal) = match self.space {
            Space::Vertices => (vertex.position, vertex.normal),
            Space::World | Space::WorldMapped => {
                (self.world.transform_point(position), self.world.transform_direction(normal))
            }
        };
        DecodedVertex {
            position,
            normal: if self.reverse_normals { normal.map(|component| -component) } else { normal },
            texcoord,
            ..decoded
        }
    }
}
