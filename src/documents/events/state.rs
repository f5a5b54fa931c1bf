//! Describes the state at a draw, by topic.
//!
//! # Invariants
//! Everything but hashes is a function of the registers. Addresses are resolved, because drawing uses them
//! so; the raw words are in [`State::registers`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::documents::hashes::ContentHashes;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;

pub mod light;
pub mod matrices;
pub mod pixel;
pub mod surfaces;
pub mod texture;
pub mod vertex;

use light::{Lighting, Material};
use matrices::Matrices;
use pixel::{
    AlphaTestState, BlendState, ClearState, ColorTestState, DepthTestState, DitherState, FogState,
    LogicState, MaskState, StencilState,
};
use surfaces::{Buffer, DepthRange, Rectangle, Viewport};
use texture::{PaletteState, TextureState};
use vertex::{CullingState, MorphState, PatchState, ShadingState, VertexFormat};

/// The state at a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct State {
    /// The colour buffer.
    pub framebuffer: Buffer,
    /// The depth buffer.
    pub depth_buffer: Buffer,
    /// The viewport.
    pub viewport: Viewport,
    /// The scissor rectangle.
    pub scissor: Rectangle,
    /// The drawing region.
    pub region: Rectangle,
    /// The depth that is drawn.
    pub depth_range: DepthRange,
    /// Clear mode.
    pub clear: ClearState,
    /// The layout of vertices.
    pub vertex: VertexFormat,
    /// Morphing.
    pub morph: MorphState,
    /// Shading and antialiasing.
    pub shading: ShadingState,
    /// Face culling.
    pub culling: CullingState,
    /// Patches.
    pub patch: PatchState,
    /// The texture unit.
    pub texture: TextureState,
    /// The palette.
    pub palette: PaletteState,
    /// The material.
    pub material: Material,
    /// Lighting.
    pub lighting: Lighting,
    /// Fog.
    pub fog: FogState,
    /// The alpha test.
    pub alpha_test: AlphaTestState,
    /// The colour test.
    pub color_test: ColorTestState,
    /// The stencil test.
    pub stencil_test: StencilState,
    /// The depth test.
    pub depth_test: DepthTestState,
    /// Blending.
    pub blend: BlendState,
    /// Dithering.
    pub dither: DitherState,
    /// The logic operation.
    pub logic: LogicState,
    /// Write masks.
    pub mask: MaskState,
    /// The matrices.
    pub matrices: Matrices,
    /// The arguments, of 24 bits, of all registers that are not 0, by the name of their command.
    pub registers: BTreeMap<String, u32>,
}

impl State {
    /// Describes the state in the registers, with hashes for the data in use.
    #[must_use]
    pub fn of(memory: &Memory, registers: &Registers, hashes: &mut ContentHashes) -> Self {
        Self { registers: raw(registers), ..Self::of_topics(memory, registers, hashes) }
    }

    /// Describes the topics alone and leaves [`Self::registers`] empty.
    pub(crate) fn of_topics(memory: &Memory, registers: &Registers, hashes: &mut ContentHashes) -> Self {
        Self {
            framebuffer: Buffer::color(registers),
            depth_buffer: Buffer::depth(registers),
            viewport: Viewport::of(registers),
            scissor: Rectangle::of(registers, Opcode::SCISSOR1, Opcode::SCISSOR2),
            region: Rectangle::of(registers, Opcode::REGION1, Opcode::REGION2),
            depth_range: DepthRange::of(registers),
            clear: ClearState::of(registers),
            vertex: VertexFormat::of(registers),
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
            matrices: Matrices::of(registers),
            registers: BTreeMap::new(),
        }
    }
}

/// Returns all arguments except 0, by name.
fn raw(registers: &Registers) -> BTreeMap<String, u32> {
    let arguments = Opcode::all().map(|opcode| (opcode.name().to_owned(), registers.argument(opcode)));
    arguments.filter(|(_, argument)| *argument != 0).collect()
}
