//! A sink to collect everything a model file can hold about each draw: geometry, surface, texture and matrices.
//!
//! # Invariants
//! This never exceeds [`Limits::memory`] and [`Limits::decoded_bytes`]. Textures are decoded before their draw
//! changes memory.

use super::drawing_order::DrawingOrder;
use super::material::{Modulation, SurfaceState};
use super::scene::{AlphaMode, Texture};
use super::texture_images::{self, TextureImages};
use super::weld::FrameVertex;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::draw_set::DrawSet;
use crate::ge::float24::Float24;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::ge::registers::{Matrix, Registers};
use crate::model::matrix::Affine;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::Texture as Texels;
use crate::run::decode::{DecodedDraw, DecodedVertex, Space, Stored, decode_immediate, decode_into};
use crate::run::sink::Sink;

/// To compare the drawing order, a run may spend this many times the usual pixels.
const WRITE_BACK_FACTOR: u64 = 8;

/// Selects which draws to collect, and bounds their size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawFilter {
    /// The draws to collect, by number; `None` for all.
    pub draws: Option<DrawSet>,
    /// Whether to collect draws in through mode, too: 2D pictures, texts, menus.
    pub through: bool,
    /// Whether to find draws that rely on a frame's drawing order. It takes as long as drawing several frames.
    pub compares_order: bool,
    /// Bounds memory and decoded bytes.
    pub limits: Limits,
}

/// Everything kept about a draw.
#[derive(Clone, Debug)]
pub(super) struct CollectedDraw {
    pub(super) at: Address,
    pub(super) number: u64,
    /// Where the colour buffer starts.
    pub(super) target: u32,
    /// The primitives, as indices into the vertices in `frames`.
    pub(super) shape: DecodedDraw,
    /// An entry per morph frame; without morphing a single entry. If the morph weights do not add up to 1, another
    /// frame with only zeros takes the remaining weight.
    pub(super) frames: Vec<MorphFrame>,
    /// Skin weights by vertex; empty without them, or if they are not collected.
    pub(super) weights: Vec<[f32; 8]>,
    /// A weight for each entry in `frames`; empty without morphing.
    pub(super) morph_weights: Vec<f32>,
    pub(super) surface: usize,
    pub(super) texture: Option<usize>,
    pub(super) alpha: AlphaMode,
    pub(super) matrices: DrawMatrices,
}

/// A draw's vertices in a single morph frame.
#[derive(Clone, Debug, Default)]
pub(super) struct MorphFrame {
    /// Vertices in world space.
    pub(super) vertices: Vec<FrameVertex>,
    /// Positions and normals as stored, before WORLD and the bones; empty unless collected.
    pub(super) stored: Vec<Stored>,
}

/// The matrices in effect at a draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawMatrices {
    pub(super) world: Affine,
    pub(super) bones: [Affine; 8],
    pub(super) view: Affine,
    pub(super) projection: [f32; 16],
    /// Horizontal and vertical viewport scale.
    pub(super) viewport: [f32; 2],
    /// Where the middle of the viewport is on the screen.
    pub(super) center: [f32; 2],
}

/// How many draws were not collected, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SkippedDraws {
    pub(super) through: u64,
}

/// Collects draws, and passes them on to an inner sink.
#[derive(Clone, Debug)]
pub(super) struct Collector<S> {
    inner: S,
    filter: DrawFilter,
    /// Whether to collect stored positions, stored normals and skin weights, too.
    keep_stored: bool,
    /// Compares the drawing order, if present. For this the inner sink has to draw.
    pub(super) order: Option<Box<DrawingOrder>>,
    pub(super) draws: Vec<CollectedDraw>,
    pub(super) surfaces: Vec<SurfaceState>,
    pub(super) textures: Vec<Texture>,
    pub(super) texture_images: TextureImages,
    pub(super) skipped: SkippedDraws,
    memory: Budget,
}

impl<S: Sink> Collector<S> {
    pub(super) fn new(inner: S, filter: DrawFilter, keep_stored: bool) -> Self {
        Self {
            inner,
            filter,
            keep_stored,
            order: None,
            draws: Vec::new(),
            surfaces: Vec::new(),
            textures: Vec::new(),
            texture_images: TextureImages::default(),
            skipped: SkippedDraws::default(),
            memory: Budget::new(&Limits::default(), Limit::Memory),
        }
    }

    /// Starts to compare the drawing order, if the filter asks for it.
    pub(super) fn with_order(self) -> Self {
        Self { order: self.filter.compares_order.then(Box::default), ..self }
    }

    /// Adds a draw to the comparison.
    fn compare_order(&mut self, memory: &mut Memory, draw: &Draw<'_>, blends: bool) {
        if let Some(order) = &mut self.order {
            order.add(memory, draw, blends, |memory| self.inner.flush(memory));
        }
    }

    /// Tells the comparison about a draw left out, because it may change the depth buffer.
    fn skip_order(&mut self, registers: &Registers) {
        if let Some(order) = &mut self.order {
            order.skip(registers);
        }
    }

    /// Decides whether to collect this draw, and counts it if not.
    fn accepts(&mut self, registers: &Registers, through: bool, number: u64, memory_cost: u64) -> bool {
        let selected = self.filter.draws.as_ref().is_none_or(|draws| draws.contains(number));
        if !selected || registers.get::<ClearMode>().enabled {
            return false;
        }
        if through && !self.filter.through {
            self.skipped.through += 1;
            return false;
        }
        self.memory.spend(memory_cost).is_ok()
    }

    fn push_draw(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        is_patch: bool,
        (shape, frames, weights): (DecodedDraw, Vec<MorphFrame>, Vec<[f32; 8]>),
        morph_weights: Vec<f32>,
    ) -> Option<AlphaMode> {
        if shape.triangles.is_empty() && shape.pairs.is_empty() && shape.points.is_empty() {
            return None;
        }
        let surface = SurfaceState::new(registers, shape.primitive, is_patch);
        let texture =
            surface.textured.then(|| self.texture(memory, registers, surface.texture_alpha)).flatten();
        let alpha = surface.alpha_mode(self.is_transparent(&surface, texture, &frames));
        let mut collected = CollectedDraw {
            at: shape.at,
            number: shape.number,
            target: ColorSurface::from_registers(registers).address,
            shape,
            frames,
            weights,
            morph_weights,
            surface: intern(&mut self.surfaces, surface),
            texture,
            alpha,
            matrices: DrawMatrices::new(registers),
        };
        if collected.texture.is_some() {
            normalize_texcoords(&mut collected, registers);
        }
        self.draws.push(collected);
        Some(alpha)
    }

    /// Returns whether any part of a draw is not opaque: texture, constant colour or vertices.
    fn is_transparent(&self, surface: &SurfaceState, texture: Option<usize>, frames: &[MorphFrame]) -> bool {
        let image = texture.and_then(|texture| self.textures.get(texture)).map(|texture| texture.image);
        let has_alpha = image.and_then(|image| self.texture_images.has_alpha.get(image)).copied();
        let mut vertices = frames.iter().flat_map(|frame| &frame.vertices);
        has_alpha.unwrap_or(false)
            || surface.modulation != Modulation::None
                && (surface.color[3] < 255
                    || surface.vertex_colors && vertices.any(|vertex| vertex.color[3] < 255))
    }

    /// Decodes a draw's vertices, once for each morph frame.
    fn decode(
        &self,
        memory: &Memory,
        draw: &Draw<'_>,
        frame_count: usize,
    ) -> (DecodedDraw, Vec<MorphFrame>, Vec<[f32; 8]>) {
        let has_weights = self.keep_stored && draw.registers.get::<VertexType>().weights() > 0;
        let mut weights = Vec::new();
        let mut shape = None;
        let mut frames = Vec::with_capacity(frame_count);
        for number in 0..frame_count {
            // The GE would sum the frames, so this gives all the weight to a single frame.
            let registers = (frame_count > 1).then(|| isolate_morph_frame(draw.registers, number));
            let draw = Draw { registers: registers.as_ref().unwrap_or(draw.registers), ..*draw };
            let mut frame = MorphFrame::default();
            let decoded = decode_into(memory, &draw, Space::WorldMapped, &mut |vertex, stored| {
                frame.vertices.push(FrameVertex::from(&vertex));
                if self.keep_stored {
                    frame.stored.push(stored);
                }
                if number == 0 && has_weights {
                    weights.push(vertex.weights);
                }
            });
            frames.push(frame);
            shape.get_or_insert(decoded);
        }
        let shape = shape.unwrap_or_else(|| DecodedDraw::without_vertices(draw));
        (shape, frames, weights)
    }

    fn texture(&mut self, memory: &mut Memory, registers: &Registers, with_alpha: bool) -> Option<usize> {
        // An earlier draw may have rendered this texture, so it has to be written first.
        let texels = Texels::from_registers(registers, 0);
        self.inner.flush_for_read(memory, texels.address, texels.bytes());
        let image = self.texture_images.add(memory, registers, with_alpha)?;
        Some(intern(&mut self.textures, texture_images::scene_texture(registers, image)))
    }
}

impl<S: Sink> Sink for Collector<S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertex_type: VertexType = draw.registers.get();
        if vertex_type.position != ComponentFormat::NONE
            && self.accepts(
                draw.registers,
                vertex_type.through,
                draw.number,
                memory_cost(draw, self.keep_stored),
            )
        {
            let morph_weights = morph_weights(draw.registers, vertex_type.morph_frames());
            let decoded = self.decode(memory, draw, morph_weights.len().max(1));
            let alpha = self.push_draw(memory, draw.registers, draw.patch.is_some(), decoded, morph_weights);
            // Draws in through mode lie in layers of their own, so their order is not compared.
            match alpha.filter(|_| !vertex_type.through) {
                Some(alpha) => self.compare_order(memory, draw, alpha == AlphaMode::Blend),
                None => self.skip_order(draw.registers),
            }
        } else if draw.registers.get::<ClearMode>().enabled {
            // A clear has nothing to export, but it covers everything drawn before.
            self.compare_order(memory, draw, false);
        } else {
            self.skip_order(draw.registers);
        }
        self.inner.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        // Immediate vertices are in screen space, whatever VTYPE says.
        let memory_cost =
            (draw.vertices.len() as u64).saturating_mul(VERTEX_BYTES + WELD_BYTES + TRIANGLE_BYTES);
        if self.accepts(draw.registers, true, draw.number, memory_cost.saturating_add(DRAW_BYTES)) {
            let mut shape = decode_immediate(draw);
            let vertices = std::mem::take(&mut shape.vertices);
            let frame =
                MorphFrame { vertices: vertices.iter().map(FrameVertex::from).collect(), stored: Vec::new() };
            self.push_draw(memory, draw.registers, false, (shape, vec![frame], Vec::new()), Vec::new());
        }
        self.skip_order(draw.registers);
        self.inner.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        if let Some(order) = &mut self.order {
            order.changed();
        }
        self.inner.flush(memory);
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        self.inner.flush_for_read(memory, start, length);
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        if let Some(order) = &mut self.order {
            order.written(start, length);
        }
        self.inner.flush_for_write(memory, start, length);
    }

    fn flush_textures(&mut self) {
        self.inner.flush_textures();
    }

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        self.memory = Budget::new(limits, Limit::Memory);
        self.texture_images.begin(limits);
        if let Some(order) = &mut self.order {
            order.begin(limits);
            // To compare the order, the depth buffer is written back between draws, which costs as much as pixels.
            let pixels = limits.pixels.saturating_mul(WRITE_BACK_FACTOR);
            self.inner.begin(memory, &limits.with(Limit::Pixels, pixels));
            return;
        }
        self.inner.begin(memory, limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.memory.limit_hit().or_else(|| self.texture_images.limit_hit()).or_else(|| self.inner.limit_hit())
    }
}

impl From<&DecodedVertex> for FrameVertex {
    fn from(vertex: &DecodedVertex) -> Self {
        let DecodedVertex { position, normal, texcoord, color, .. } = *vertex;
        Self { position, normal, texcoord, color }
    }
}

/// Bytes per vertex and morph frame: in a draw, and in a primitive or, with wider colours, in a file.
const VERTEX_BYTES: u64 = 2 * size_of::<FrameVertex>() as u64 + 12;
/// Bytes per vertex to weld it: its welded index, and its entry in the table of known vertices.
const WELD_BYTES: u64 = 4 + 16;
/// Bytes for a vertex's skin weights: as decoded, and as influences. Both exist at the same time.
const WEIGHT_BYTES: u64 = size_of::<[f32; 8]>() as u64 + 2 * 64;
/// Bytes for a triangle, in a draw and in a primitive.
const TRIANGLE_BYTES: u64 = 2 * size_of::<[u32; 3]>() as u64;
/// Bytes for a draw without vertices.
const DRAW_BYTES: u64 = size_of::<CollectedDraw>() as u64;

/// Estimates how much memory a draw takes until a file holds it.
fn memory_cost(draw: &Draw<'_>, keep_stored: bool) -> u64 {
    let vertex_type: VertexType = draw.registers.get();
    // A strip has at most 1 triangle per vertex, a patch 2.
    let (vertices, triangle_bytes) = match draw.patch {
        Some(patch) => (patch.vertex_count(draw.registers), 2 * TRIANGLE_BYTES),
        None => (draw.total(), TRIANGLE_BYTES),
    };
    let frames = match vertex_type.morph_frames() as u64 {
        1 => 1,
        // Another frame may take the remaining weight.
        frames => frames + 1,
    };
    let stored = if keep_stored { size_of::<Stored>() as u64 } else { 0 };
    let weights = if keep_stored && vertex_type.weights() > 0 { WEIGHT_BYTES } else { 0 };
    let vertex_bytes = frames * (VERTEX_BYTES + stored) + WELD_BYTES + weights + triangle_bytes;
    u64::from(vertices).saturating_mul(vertex_bytes).saturating_add(DRAW_BYTES)
}

impl DrawMatrices {
    fn new(registers: &Registers) -> Self {
        let affine = |matrix| floats(registers.matrix(matrix));
        let bones = registers.matrix(Matrix::Bone);
        Self {
            world: affine(Matrix::World),
            bones: [0, 1, 2, 3, 4, 5, 6, 7].map(|bone| floats(bones.get(12 * bone..).unwrap_or(&[]))),
            view: affine(Matrix::View),
            projection: floats(registers.matrix(Matrix::Projection)),
            viewport: [Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTYSCALE].map(|opcode| registers.float(opcode)),
            center: [(Opcode::VIEWPORTXCENTER, Opcode::OFFSETX), (Opcode::VIEWPORTYCENTER, Opcode::OFFSETY)]
                // Offsets have four fractional bits.
                .map(|(center, offset)| {
                    registers.float(center) - (registers.argument(offset) & 0xFFFF) as f32 / 16.0
                }),
        }
    }
}

fn floats<const N: usize>(memory: &[Float24]) -> [f32; N] {
    let mut out = [0.0; N];
    for (element, value) in out.iter_mut().zip(memory) {
        *element = value.to_f32();
    }
    out
}

/// Computes a weight for each morph frame; empty without morphing. The GE sums weighted frames. A model file instead
/// adds differences to the first frame, which is the same only if the weights add up to 1. So another frame, with
/// only zeros, takes the remaining weight. Source: [morphing](crate::reference::ge::vertices#morphing).
fn morph_weights(registers: &Registers, frames: usize) -> Vec<f32> {
    if frames < 2 {
        return Vec::new();
    }
    let weight = |number: u8| registers.float(Opcode::MORPHWEIGHT0.plus(number));
    let finite = |weight: f32| if weight.is_finite() { weight } else { 0.0 };
    let mut weights: Vec<f32> = (0..8).map(weight).map(finite).take(frames).collect();
    let rest = 1.0 - weights.iter().sum::<f32>();
    if rest.abs() > 1e-6 {
        weights.push(rest);
    }
    weights
}

/// Copies the registers, but gives a single morph frame all the weight.
fn isolate_morph_frame(registers: &Registers, frame: usize) -> Registers {
    let mut registers = registers.clone();
    let frames = registers.get::<VertexType>().morph_frames();
    for (number, opcode) in (0..8).map(|number| Opcode::MORPHWEIGHT0.plus(number)).enumerate().take(frames) {
        let weight = if number == frame { 1.0 } else { 0.0 };
        registers.write(Command::new(opcode, Float24::from_f32(weight).to_bits()));
    }
    registers
}

/// Scales texture coordinates to fractions of the image. In through mode they are texels, otherwise fractions of the
/// texture size in the registers.
fn normalize_texcoords(collected: &mut CollectedDraw, registers: &Registers) {
    let texels = texture_images::texture_size(registers).map(f32::recip);
    let scale = texture_images::texcoord_scale(registers);
    let factors = if collected.shape.vertex_type.through { texels } else { scale };
    for vertex in collected.frames.iter_mut().flat_map(|frame| &mut frame.vertices) {
        let [u, v] = vertex.texcoord;
        vertex.texcoord = [u * factors[0], v * factors[1]];
    }
}

/// Finds a value in a list, or appends it. Returns its index.
pub(super) fn intern<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    // This searches backwards, because most repeated values were used shortly before.
    if let Some(found) = list.iter().rposition(|known| *known == value) {
        return found;
    }
    list.push(value);
    list.len() - 1
}
