//! Describes the state at a draw, by topic.
//!
//! # Invariants
//! Everything but hashes is a function of the registers. Addresses are resolved, because drawing uses them so;
//! [`State::registers`] has the raw words.

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

/// The state at a draw: how vertices become primitives, pixels and stored colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct State {
    /// The colour buffer to draw to.
    pub framebuffer: Buffer,
    /// The depth buffer to test and write.
    pub depth_buffer: Buffer,
    /// The viewport, to get from clip space to the screen.
    pub viewport: Viewport,
    /// The scissor rectangle: nothing is drawn outside.
    pub scissor: Rectangle,
    /// The drawing region: nothing is drawn outside, and its upper left corner moves what is inside.
    pub region: Rectangle,
    /// Which depths are drawn.
    pub depth_range: DepthRange,
    /// Clear mode, for draws that fill buffers.
    pub clear: ClearState,
    /// How vertices lie in memory.
    pub vertex: VertexFormat,
    /// The weights to mix morph frames.
    pub morph: MorphState,
    /// Shading and antialiasing.
    pub shading: ShadingState,
    /// Which faces are culled.
    pub culling: CullingState,
    /// How patches are divided.
    pub patch: PatchState,
    /// The texture unit.
    pub texture: TextureState,
    /// The palette, to colour indexed texels.
    pub palette: PaletteState,
    /// The material, to light vertices.
    pub material: Material,
    /// Lighting.
    pub lighting: Lighting,
    /// Fog.
    pub fog: FogState,
    /// The alpha test on fragments.
    pub alpha_test: AlphaTestState,
    /// The colour test on fragments.
    pub color_test: ColorTestState,
    /// The stencil test and its operations.
    pub stencil_test: StencilState,
    /// The depth test.
    pub depth_test: DepthTestState,
    /// How fragments blend with the framebuffer.
    pub blend: BlendState,
    /// Dithering.
    pub dither: DitherState,
    /// The logic operation.
    pub logic: LogicState,
    /// Which framebuffer bits are protected from writes.
    pub mask: MaskState,
    /// The matrices to transform vertices and texture coordinates.
    pub matrices: Matrices,
    /// The 24-bit arguments in all registers that are not 0, by command name.
    pub registers: BTreeMap<String, u32>,
}

impl State {
    /// Describes the state set by the registers, with hashes for the data in use.
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

fn raw(registers: &Registers) -> BTreeMap<String, u32> {
    let arguments = Opcode::all().map(|opcode| (opcode.name().to_owned(), registers.argument(opcode)));
    arguments.filter(|(_, argument)| *argument != 0).collect()
}
