//! A sink that keeps of each draw what a file of a model can use: geometry, surface, texture, matrices.
//!
//! # Invariants
//! Bounded by [`Limits::memory`] and [`Limits::decoded_bytes`]. Textures are read before the draw changes memory.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::material::Surface;
use super::picture::{self, Pictures};
use super::scene::Texture;
use super::weld::Look;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::ge::registers::{Matrix, Registers};
use crate::model::matrix::Affine;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::texture::Texture as Texels;
use crate::run::decode::{DecodedDraw, DecodedVertex, Space, Stored, decode_immediate, decode_into};
use crate::run::sink::Sink;

/// Which draws are kept, and how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawFilter {
    /// Numbers of draws in the run; `None` for all.
    pub draws: Option<RangeInclusive<u64>>,
    /// Draws in through mode, too: flat pictures, texts, menus.
    pub through: bool,
    /// How much may be kept.
    pub limits: Limits,
}

/// What one draw left.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) at: Address,
    pub(super) number: u64,
    /// What the vertices make; the vertices themselves are in the frames.
    pub(super) shape: DecodedDraw,
    /// The morph frames; one where nothing morphs. Of a last one beyond those of the vertices nothing is added.
    pub(super) frames: Vec<Frame>,
    /// The weights of each vertex; empty where they have none or nobody asks for them.
    pub(super) weights: Vec<[f32; 8]>,
    /// How much of each frame was drawn.
    pub(super) morph: Vec<f32>,
    pub(super) surface: usize,
    pub(super) texture: Option<usize>,
    pub(super) matrices: Matrices,
}

/// A draw's vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// In world space.
    pub(super) looks: Vec<Look>,
    /// Positions and normals as the vertices say; empty where nobody asks for them.
    pub(super) stored: Vec<Stored>,
}

/// The matrices of a draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrices {
    pub(super) world: Affine,
    pub(super) bones: [Affine; 8],
    pub(super) view: Affine,
    pub(super) projection: [f32; 16],
    /// Horizontal and vertical scale.
    pub(super) viewport: [f32; 2],
}

/// What was left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) through: u64,
}

/// Keeps draws, and hands them on.
#[derive(Clone, Debug)]
pub(super) struct Collector<S> {
    inner: S,
    selection: DrawFilter,
    /// Keep vertices as they are, beside those in world space, and their weights.
    raw: bool,
    pub(super) draws: Vec<Drawn>,
    pub(super) surfaces: Vec<Surface>,
    pub(super) textures: Vec<Texture>,
    pub(super) pictures: Pictures,
    pub(super) left_out: LeftOut,
    memory: Budget,
}

impl<S: Sink> Collector<S> {
    pub(super) fn new(inner: S, selection: DrawFilter, raw: bool) -> Self {
        Self {
            inner,
            selection,
            raw,
            draws: Vec::new(),
            surfaces: Vec::new(),
            textures: Vec::new(),
            pictures: Pictures::default(),
            left_out: LeftOut::default(),
            memory: Budget::new(&Limits::default(), Limit::Memory),
        }
    }

    /// Whether a draw is to be kept; counts it where it is not.
    fn wants(&mut self, registers: &Registers, through: bool, number: u64, price: u64) -> bool {
        let selected = self.selection.draws.as_ref().is_none_or(|range| range.contains(&number));
        if !selected || registers.get::<ClearMode>().enabled {
            return false;
        }
        if through && !self.selection.through {
            self.left_out.through += 1;
            return false;
        }
        self.memory.spend(price).is_ok()
    }

    fn keep(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        is_patch: bool,
        (shape, frames, weights): (DecodedDraw, Vec<Frame>, Vec<[f32; 8]>),
        morph: Vec<f32>,
    ) {
        if shape.triangles.is_empty() && shape.pairs.is_empty() && shape.points.is_empty() {
            return;
        }
        let surface = Surface::new(registers, shape.primitive, is_patch);
        let texture =
            surface.textured.then(|| self.texture(memory, registers, surface.texture_alpha)).flatten();
        let mut drawn = Drawn {
            at: shape.at,
            number: shape.number,
            shape,
            frames,
            weights,
            morph,
            surface: place(&mut self.surfaces, surface),
            texture,
            matrices: Matrices::new(registers),
        };
        if drawn.texture.is_some() {
            scale_coordinates(&mut drawn, registers);
        }
        self.draws.push(drawn);
    }

    /// The vertices of a draw, in as many frames.
    fn decode(
        &self,
        memory: &Memory,
        draw: &Draw<'_>,
        frames: usize,
    ) -> (DecodedDraw, Vec<Frame>, Vec<[f32; 8]>) {
        let has_weights = self.raw && draw.registers.get::<VertexType>().weights() > 0;
        let mut weights = Vec::new();
        let mut shape = None;
        let mut kept = Vec::with_capacity(frames);
        for number in 0..frames {
            let registers = (frames > 1).then(|| Arc::new(only_frame(draw.registers, number)));
            let draw = Draw { registers: registers.as_ref().unwrap_or(draw.registers), ..*draw };
            let mut frame = Frame::default();
            let decoded = decode_into(memory, &draw, Space::WorldMapped, &mut |vertex, stored| {
                frame.looks.push(Look::from(&vertex));
                if self.raw {
                    frame.stored.push(stored);
                }
                if number == 0 && has_weights {
                    weights.push(vertex.weights);
                }
            });
            kept.push(frame);
            shape.get_or_insert(decoded);
        }
        let shape = shape.unwrap_or_else(|| DecodedDraw::without_vertices(draw));
        (shape, kept, weights)
    }

    fn texture(&mut self, memory: &mut Memory, registers: &Registers, with_alpha: bool) -> Option<usize> {
        // What was drawn before may be the texture.
        let texels = Texels::from_registers(registers, 0);
        self.inner.flush_for_read(memory, texels.address, texels.bytes());
        let image = self.pictures.add(memory, registers, with_alpha)?;
        Some(place(&mut self.textures, picture::sampled(registers, image)))
    }
}

impl<S: Sink> Sink for Collector<S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertex_type: VertexType = draw.registers.get();
        if vertex_type.position != ComponentFormat::NONE
            && self.wants(draw.registers, vertex_type.through, draw.number, price(draw, self.raw))
        {
            let morph = morph_shares(draw.registers, vertex_type.morph_frames());
            let decoded = self.decode(memory, draw, morph.len().max(1));
            self.keep(memory, draw.registers, draw.patch.is_some(), decoded, morph);
        }
        self.inner.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        // Their vertices are on the screen, whatever VTYPE says.
        let price = (draw.vertices.len() as u64).saturating_mul(VERTEX + PLACES + TRIANGLE);
        if self.wants(draw.registers, true, draw.number, price.saturating_add(DRAW)) {
            let mut shape = decode_immediate(draw);
            let vertices = std::mem::take(&mut shape.vertices);
            let frame = Frame { looks: vertices.iter().map(Look::from).collect(), stored: Vec::new() };
            self.keep(memory, draw.registers, false, (shape, vec![frame], Vec::new()), Vec::new());
        }
        self.inner.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.inner.flush(memory);
    }

    fn begin(&mut self, limits: &Limits) {
        self.memory = Budget::new(limits, Limit::Memory);
        self.pictures.begin(limits);
        self.inner.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.memory.limit_hit().or_else(|| self.pictures.limit_hit()).or_else(|| self.inner.limit_hit())
    }
}

impl From<&DecodedVertex> for Look {
    fn from(vertex: &DecodedVertex) -> Self {
        let DecodedVertex { position, normal, texcoord, color, .. } = *vertex;
        Self { position, normal, texcoord, color }
    }
}

/// Bytes that a vertex takes in a morph frame: in a draw, and in a primitive or, with wider colours, in a file.
const VERTEX: u64 = 2 * size_of::<Look>() as u64 + 12;
/// Bytes that it takes besides: where it went, and its place in the table of those that are known.
const PLACES: u64 = 4 + 16;
/// Bytes of its weights: as they are, and in as many lists of influences as there are at once.
const WEIGHTS: u64 = size_of::<[f32; 8]>() as u64 + 2 * 64;
/// Bytes of a triangle, in a draw and in a primitive.
const TRIANGLE: u64 = 2 * size_of::<[u32; 3]>() as u64;
/// Bytes of a draw without vertices.
const DRAW: u64 = size_of::<Drawn>() as u64;

/// Bytes that a draw takes until it is in a file.
fn price(draw: &Draw<'_>, raw: bool) -> u64 {
    let vertex_type: VertexType = draw.registers.get();
    // A vertex of a strip is the last one of a triangle at most, one of a patch of two.
    let (vertices, elements) = match draw.patch {
        Some(patch) => (patch.vertex_count(draw.registers), 2 * TRIANGLE),
        None => (draw.total(), TRIANGLE),
    };
    let frames = match vertex_type.morph_frames() as u64 {
        1 => 1,
        // What is left of the shares takes one more.
        frames => frames + 1,
    };
    let stored = if raw { size_of::<Stored>() as u64 } else { 0 };
    let weights = if raw && vertex_type.weights() > 0 { WEIGHTS } else { 0 };
    let each = frames * (VERTEX + stored) + PLACES + weights + elements;
    u64::from(vertices).saturating_mul(each).saturating_add(DRAW)
}

impl Matrices {
    fn new(registers: &Registers) -> Self {
        let affine = |matrix| elements(registers.matrix(matrix));
        let bones = registers.matrix(Matrix::Bone);
        Self {
            world: affine(Matrix::World),
            bones: [0, 1, 2, 3, 4, 5, 6, 7].map(|bone| elements(bones.get(12 * bone..).unwrap_or(&[]))),
            view: affine(Matrix::View),
            projection: elements(registers.matrix(Matrix::Projection)),
            viewport: [Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTYSCALE].map(|opcode| registers.float(opcode)),
        }
    }
}

fn elements<const N: usize>(memory: &[Float24]) -> [f32; N] {
    let mut out = [0.0; N];
    for (element, value) in out.iter_mut().zip(memory) {
        *element = value.to_f32();
    }
    out
}

/// How much of each morph frame is drawn; nothing where there is one only. The engine adds up whole frames, while a file
/// mixes them: where the shares do not add up to one, the rest is a frame of which nothing is added.
fn morph_shares(registers: &Registers, frames: usize) -> Vec<f32> {
    if frames < 2 {
        return Vec::new();
    }
    let share = |number: u8| registers.float(Opcode::MORPHWEIGHT0.plus(number));
    let finite = |share: f32| if share.is_finite() { share } else { 0.0 };
    let mut shares: Vec<f32> = (0..8).map(share).map(finite).take(frames).collect();
    let rest = 1.0 - shares.iter().sum::<f32>();
    if rest.abs() > 1e-6 {
        shares.push(rest);
    }
    shares
}

/// The registers with weights that leave one morph frame as it is, or none.
fn only_frame(registers: &Registers, frame: usize) -> Registers {
    let mut registers = registers.clone();
    let frames = registers.get::<VertexType>().morph_frames();
    for (number, opcode) in (0..8).map(|number| Opcode::MORPHWEIGHT0.plus(number)).enumerate().take(frames) {
        let weight = if number == frame { 1.0 } else { 0.0 };
        registers.write(Command::new(opcode, Float24::from_f32(weight).to_bits()));
    }
    registers
}

/// Texels and fractions of the registers' size become fractions of the picture.
fn scale_coordinates(drawn: &mut Drawn, registers: &Registers) {
    let texels = picture::texels(registers).map(f32::recip);
    let scale = picture::coordinate_scale(registers);
    let factors = if drawn.shape.vertex_type.through { texels } else { scale };
    for look in drawn.frames.iter_mut().flat_map(|frame| &mut frame.looks) {
        let [u, v] = look.texcoord;
        look.texcoord = [u * factors[0], v * factors[1]];
    }
}

/// The place of a value in a list of distinct ones.
pub(super) fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    // What repeats was mostly used a short while ago.
    if let Some(found) = list.iter().rposition(|known| *known == value) {
        return found;
    }
    list.push(value);
    list.len() - 1
}
