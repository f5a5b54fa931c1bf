//! The state at a draw, by topic.

use crate::documents::hashes::ContentHashes;
use crate::documents::state::light::{Lighting, Material};
use crate::documents::state::pixel::{
    AlphaTestState, BlendState, ClearState, ColorTestState, DepthTestState, DitherState, FogState,
    LogicState, MaskState, StencilState,
};
use crate::documents::state::surfaces::{Buffer, DepthRange, Rectangle, Viewport};
use crate::documents::state::texture::{PaletteState, TextureState};
use crate::documents::state::vertex::{CullingState, MorphState, PatchState, ShadingState, VertexFormat};
use crate::ge::float::Float;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// The state at a draw: that of documents without raw registers and bone matrices.
#[derive(Clone, Debug)]
pub(in crate::table) struct DrawState {
    pub(super) framebuffer: Buffer,
    pub(super) depth_buffer: Buffer,
    pub(super) viewport: Viewport,
    pub(super) scissor: Rectangle,
    pub(super) region: Rectangle,
    pub(super) depth_range: DepthRange,
    pub(super) clear: ClearState,
    pub(super) vertex: VertexFormat,
    pub(super) morph: MorphState,
    pub(super) shading: ShadingState,
    pub(super) culling: CullingState,
    pub(super) patch: PatchState,
    pub(super) texture: TextureState,
    pub(super) palette: PaletteState,
    pub(super) material: Material,
    pub(super) lighting: Lighting,
    pub(super) fog: FogState,
    pub(super) alpha_test: AlphaTestState,
    pub(super) color_test: ColorTestState,
    pub(super) stencil_test: StencilState,
    pub(super) depth_test: DepthTestState,
    pub(super) blend: BlendState,
    pub(super) dither: DitherState,
    pub(super) logic: LogicState,
    pub(super) mask: MaskState,
    pub(super) world: Vec<Float>,
    pub(super) view: Vec<Float>,
    pub(super) projection: Vec<Float>,
}

impl DrawState {
    /// Describes the state in registers. Hashes are of the bytes that memory has now.
    pub(super) fn of(memory: &Memory, registers: &Registers, hashes: &mut ContentHashes) -> Self {
        let vertex = VertexFormat::of(registers);
        let matrix = |matrix| {
            let elements = if vertex.through { &[] } else { registers.matrix(matrix) };
            elements.iter().copied().map(Float::from).collect()
        };
        Self {
            framebuffer: Buffer::color(registers),
            depth_buffer: Buffer::depth(registers),
            viewport: Viewport::of(registers),
            scissor: Rectangle::of(registers, Opcode::SCISSOR1, Opcode::SCISSOR2),
            region: Rectangle::of(registers, Opcode::REGION1, Opcode::REGION2),
            depth_range: DepthRange::of(registers),
            clear: ClearState::of(registers),
            morph: MorphState::of(registers),
            shading: ShadingState::of(registers),
            culling: CullingState::of(registers),
            patch: PatchState::of(registers),
            texture: TextureState::of(memory, registers, hashes),
            palette: PaletteState::of(registers, hashes),
            material: Material::of(registers),
            lighting: Lighting::of(registers),
            fog: FogState::of(registers),
            alpha_test: AlphaTestState::of(registers),
            color_test: ColorTestState::of(registers),
            stencil_test: StencilState::of(registers),
            depth_test: DepthTestState::of(registers),
            blend: BlendState::of(registers),
            dither: DitherState::of(registers),
            logic: LogicState::of(registers),
            mask: MaskState::of(registers),
            world: matrix(Matrix::World),
            view: matrix(Matrix::View),
            projection: matrix(Matrix::Projection),
            vertex,
        }
    }

    /// Returns a matrix, or `None` if vertices are not transformed.
    pub(super) fn transformed<'a>(&self, matrix: &'a [Float]) -> Option<&'a [Float]> {
        (!self.vertex.through).then_some(matrix)
    }
}
