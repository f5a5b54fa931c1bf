//! Writes the GE state for a material: a pass for each layer, and another for colours without a layer.
//! Source: [GMO as GE state](crate::reference::formats::psp_sdk#gmo-as-ge-state).

use super::raw::command;
use super::scene::{Colors, Layer, Material, Mesh, VertexOffset};
use crate::formats::core::state_writer::{float, off, on, word};
use crate::formats::psp_sdk::gim::LoadedTexture;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::{Color, LightComputation, LightKind, LightMode, LightType, MaterialUpdate};
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode, Comparison, MaskedTest};
use crate::ge::registers::texture::{
    MapMode, MapSource, MinificationFilter, TextureFilter, TextureFunc, TextureFunction, TextureMap,
    TextureShade, TextureWrap,
};
use crate::ge::registers::transform::{Shade, ShadeMode};

/// Render state numbers.
mod state {
    pub(super) const LIGHTING: u32 = 0;
    pub(super) const TEXTURE: u32 = 2;
    pub(super) const CULL: u32 = 3;
    pub(super) const DEPTH_TEST: u32 = 4;
    pub(super) const DEPTH_WRITE: u32 = 5;
    pub(super) const ALPHA_TEST: u32 = 6;
    pub(super) const FLIPPED: u32 = 8;
    pub(super) const REVERSED: u32 = 9;
    pub(super) const MODULATE: u32 = 10;
    pub(super) const TEXTURE_ALPHA: u32 = 11;
    pub(super) const LINEAR: u32 = 12;
    pub(super) const LINEAR_LEVELS: u32 = 13;
    pub(super) const REPEAT: [u32; 2] = [14, 15];
}

/// The states of any model by default: all but the flipped front face and reversed normals.
const DEFAULT_STATES: u32 = 0xFCFF;
/// Ambient and directional light, which add up to full colour. They are fixed, because files contain no lights.
const AMBIENT: u8 = 0x60;
const DIFFUSE: u8 = 0x9F;
/// Used for meshes without a material, because no material has this number.
pub(super) const NO_MATERIAL: usize = usize::MAX;

/// How a pass draws a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// With only the material's colours.
    Plain,
    /// With a layer, by its number.
    Layer(usize),
    /// Adds the material's emission.
    Emission,
}

/// Returns a material's passes in order, and whether it reflects without a texture to reflect.
pub(super) fn passes(material: &Material) -> (Vec<Pass>, bool) {
    let has = |map: u16| material.layers.iter().any(|layer| layer.map == u32::from(map));
    let mut passes = Vec::new();
    if !has(command::DIFFUSE) {
        passes.push(Pass::Plain);
    }
    passes.extend((0..material.layers.len()).map(Pass::Layer));
    let emits = material.colors.emission.iter().take(3).any(|value| *value > 0.0);
    // A lit base adds the emission already, and this pass would add it again.
    if emits && !has(command::EMISSION) && !States::of(material, &Mesh::default()).is_on(state::LIGHTING) {
        passes.push(Pass::Emission);
    }
    let reflects = material.reflection.is_some_and(|amount| amount > 0.0);
    (passes, reflects && !has(command::REFLECTION))
}

/// Render states as bits: the defaults, changed by the material and then the mesh.
#[derive(Clone, Copy, Debug)]
struct States(u32);

impl States {
    fn of(material: &Material, mesh: &Mesh<'_>) -> Self {
        let states = material.states.iter().chain(&mesh.states);
        Self(states.fold(DEFAULT_STATES, |bits, (bit, value)| {
            let mask = 1_u32.wrapping_shl(*bit);
            if *value { bits | mask } else { bits & !mask }
        }))
    }

    const fn is_on(self, bit: u32) -> bool {
        self.0.wrapping_shr(bit) & 1 != 0
    }
}

/// Everything that a pass's state depends on.
pub(super) struct PassState<'a> {
    pub(super) material: &'a Material,
    pub(super) mesh: &'a Mesh<'a>,
    pub(super) pass: Pass,
    /// Whether an earlier pass draws this mesh.
    pub(super) is_later: bool,
    /// Whether the mesh's vertices have colours.
    pub(super) has_colors: bool,
    /// The layer's texture, if it is loaded.
    pub(super) texture: Option<&'a LoadedTexture>,
}

impl PassState<'_> {
    fn layer(&self) -> Option<&Layer> {
        match self.pass {
            Pass::Layer(number) => self.material.layers.get(number),
            _ => None,
        }
    }

    fn map(&self) -> u16 {
        let map = self.layer().map_or(command::DIFFUSE.into(), |layer| layer.map);
        if self.pass == Pass::Emission { command::EMISSION } else { u16::try_from(map).unwrap_or(0) }
    }

    /// Returns whether lights shine in this pass.
    pub(super) fn is_lit(&self) -> bool {
        let states = States::of(self.material, self.mesh);
        states.is_on(state::LIGHTING) && !matches!(self.map(), command::EMISSION | command::REFLECTION)
    }

    /// Returns how to derive this pass's colours from the material's.
    pub(super) fn color_use(&self) -> ColorUse {
        match self.map() {
            command::EMISSION => ColorUse::Emission,
            command::REFLECTION => ColorUse::Reflection(self.material.reflection.unwrap_or(1.0)),
            _ if self.is_lit() => ColorUse::Lit,
            _ => ColorUse::Unlit,
        }
    }

    /// Returns the blend factors that the engine cannot express.
    pub(super) fn lost_factors(&self) -> impl Iterator<Item = u32> {
        let [_, source, destination] = self.layer().map_or([0, 6, 7], |layer| layer.blend);
        let lost = |factor: u32, own: [u32; 2]| own.contains(&factor).then_some(factor);
        [lost(source, [2, 3]), lost(destination, [4, 5])].into_iter().flatten()
    }

    /// Returns all state except colours, texture and coordinates.
    pub(super) fn commands(&self) -> Vec<Command> {
        let states = States::of(self.material, self.mesh);
        let switch = |opcode, is_on: bool| Command::new(opcode, u32::from(is_on));
        let is_textured = self.texture.is_some() && states.is_on(state::TEXTURE);
        let is_reflection = self.map() == command::REFLECTION;
        let all = self.has_colors;
        let mut commands = vec![
            switch(Opcode::LIGHTINGENABLE, self.is_lit()),
            switch(Opcode::LIGHTENABLE0, self.is_lit()),
            switch(Opcode::TEXENABLE, is_textured),
            switch(Opcode::CULLENABLE, states.is_on(state::CULL)),
            switch(Opcode::CULL, states.is_on(state::FLIPPED)),
            switch(Opcode::ZTESTENABLE, states.is_on(state::DEPTH_TEST)),
            switch(Opcode::ZWRITEDISABLE, self.is_later || !states.is_on(state::DEPTH_WRITE)),
            switch(Opcode::ALPHATESTENABLE, states.is_on(state::ALPHA_TEST)),
            switch(Opcode::REVERSENORMAL, states.is_on(state::REVERSED)),
            word(MaterialUpdate { ambient: all, diffuse: all, specular: all }),
            word(LightMode { separate_specular: self.map() != command::SPECULAR }),
        ];
        commands.extend(self.blend());
        if is_textured {
            commands.extend(self.sampling(states));
            let map = TextureMap {
                mode: if is_reflection { MapMode::ENVIRONMENT } else { MapMode::UV },
                source: if is_reflection { MapSource::NORMAL } else { MapSource::POSITION },
            };
            commands.extend([word(map), word(TextureShade { s_light: 2, t_light: 3 })]);
        }
        commands
    }

    fn blend(&self) -> Vec<Command> {
        let [operation, source, destination] = self.layer().map_or([0, 6, 7], |layer| layer.blend);
        let adds = matches!(self.map(), command::SPECULAR | command::EMISSION | command::AMBIENT);
        let destination = if adds { 1 } else { destination };
        let factor = |number: u32, own: [BlendFactor; 2], other: [BlendFactor; 2]| match number {
            2 => own[0],
            3 => own[1],
            4 => other[0],
            5 => other[1],
            6 => BlendFactor::SOURCE_ALPHA,
            7 => BlendFactor::ONE_MINUS_SOURCE_ALPHA,
            8 => BlendFactor::DESTINATION_ALPHA,
            9 => BlendFactor::ONE_MINUS_DESTINATION_ALPHA,
            _ => BlendFactor::FIXED,
        };
        // An engine colour factor always means the other operand, so a colour cannot be its own factor.
        let colors = [BlendFactor::COLOR, BlendFactor::ONE_MINUS_COLOR];
        let fixed = |number: u32| if number == 1 { 0xFF_FFFF } else { 0 };
        let equation = BlendEquation::from_number(u8::try_from(operation.min(5)).unwrap_or(0));
        let mode = BlendMode {
            source: factor(source, colors, colors),
            destination: factor(destination, colors, colors),
            equation,
        };
        let mut commands = vec![word(mode)];
        if mode.source == BlendFactor::FIXED {
            commands.push(Command::new(Opcode::BLENDFIXEDA, fixed(source)));
        }
        if mode.destination == BlendFactor::FIXED {
            commands.push(Command::new(Opcode::BLENDFIXEDB, fixed(destination)));
        }
        commands
    }

    fn sampling(&self, states: States) -> Vec<Command> {
        let layer = self.layer();
        let number = |value: u32| u8::try_from(value.min(7)).unwrap_or(0);
        let function = match layer.and_then(|layer| layer.function) {
            Some([function, component]) => TextureFunc {
                function: TextureFunction::from_number(number(function)),
                use_alpha: component != 0,
                double: false,
            },
            None => TextureFunc {
                function: if states.is_on(state::MODULATE) {
                    TextureFunction::MODULATE
                } else {
                    TextureFunction::DECAL
                },
                use_alpha: states.is_on(state::TEXTURE_ALPHA),
                double: false,
            },
        };
        let has_levels = self.texture.is_some_and(|texture| texture.has_levels);
        let linear = states.is_on(state::LINEAR);
        let filter = match layer.and_then(|layer| layer.filter) {
            Some([magnification, minification]) => TextureFilter {
                // The engine numbers filters between levels from 4 on.
                minification: MinificationFilter::from_number(match number(minification) {
                    filter @ 0..=1 => filter,
                    filter => filter.saturating_add(2),
                }),
                magnify_linear: magnification != 0,
            },
            None => TextureFilter {
                minification: match (has_levels, linear, states.is_on(state::LINEAR_LEVELS)) {
                    (false, false, _) => MinificationFilter::NEAREST,
                    (false, true, _) => MinificationFilter::LINEAR,
                    (true, false, false) => MinificationFilter::NEAREST_MIPMAP_NEAREST,
                    (true, true, false) => MinificationFilter::LINEAR_MIPMAP_NEAREST,
                    (true, false, true) => MinificationFilter::NEAREST_MIPMAP_LINEAR,
                    (true, true, true) => MinificationFilter::LINEAR_MIPMAP_LINEAR,
                },
                magnify_linear: linear,
            },
        };
        let [clamp_s, clamp_t] = match layer.and_then(|layer| layer.wrap) {
            Some(wrap) => wrap.map(|clamps| clamps != 0),
            None => state::REPEAT.map(|bit| !states.is_on(bit)),
        };
        vec![word(function), word(filter), word(TextureWrap { clamp_s, clamp_t })]
    }
}

/// How to derive a pass's colours from the material's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColorUse {
    /// All colours, because lights shine.
    Lit,
    /// Only the ambient colour.
    Unlit,
    /// Only the emission.
    Emission,
    /// White, as much as the material reflects.
    Reflection(f32),
}

/// Returns the commands to set a pass's colours. Their count never changes, so that an animation can replace them.
pub(super) fn color_commands(colors: &Colors, color_use: ColorUse) -> [Command; 6] {
    let byte = |value: f32| {
        let scaled = (value.clamp(0.0, 1.0) * 255.0).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255; NaN is 0")]
        let byte = scaled as u8;
        byte
    };
    let color = |[red, green, blue, _]: [f32; 4]| Color { rgb: Rgb([red, green, blue].map(byte)) };
    let ambient = match color_use {
        ColorUse::Lit | ColorUse::Unlit => colors.ambient.unwrap_or(colors.diffuse),
        ColorUse::Emission => colors.emission,
        ColorUse::Reflection(amount) => [1.0, 1.0, 1.0, amount],
    };
    [
        color(ambient).to(Opcode::MATERIALAMBIENT),
        Command::new(Opcode::MATERIALALPHA, byte(ambient[3]).into()),
        color(colors.diffuse).to(Opcode::MATERIALDIFFUSE),
        color(colors.specular).to(Opcode::MATERIALSPECULAR),
        color(colors.emission).to(Opcode::MATERIALEMISSIVE),
        float(Opcode::MATERIALSPECULARCOEF, colors.shininess),
    ]
}

/// Scale and offset for texture coordinates, before the layer's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coordinates {
    /// Scales from the picture's size to the size that the engine counts.
    pub(super) texture: [f32; 2],
    /// For quantised vertices.
    pub(super) vertices: VertexOffset,
}

/// Returns the commands for texture coordinates. They apply the scale and offset of vertices first, then the
/// layer's, then the texture's.
pub(super) fn coordinate_commands(coordinates: Coordinates, [u, v, across, down]: [f32; 4]) -> [Command; 4] {
    let [scale, offset] = coordinates.vertices.texcoord.unwrap_or([[1.0; 2], [0.0; 2]]);
    let [texture_u, texture_v] = coordinates.texture;
    [
        float(Opcode::TEXSCALEU, texture_u * across * scale[0]),
        float(Opcode::TEXSCALEV, texture_v * down * scale[1]),
        float(Opcode::TEXOFFSETU, texture_u * (offset[0] * across + u)),
        float(Opcode::TEXOFFSETV, texture_v * (offset[1] * down + v)),
    ]
}

/// Returns the state that all passes share, with the light.
pub(super) fn defaults() -> Vec<Command> {
    let light = LightType { computation: LightComputation::SPECULAR, kind: LightKind::DIRECTIONAL };
    let gray = |level| Color { rgb: Rgb([level; 3]) };
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    let mut commands = vec![
        Command::new(Opcode::OFFSETADDR, 0),
        on(Opcode::DEPTHCLAMPENABLE),
        on(Opcode::BLENDENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::TEXMAPMODE),
        off(Opcode::TEXLEVEL),
        off(Opcode::PATCHFACING),
        off(Opcode::PATCHPRIM),
        word(Shade { mode: ShadeMode::GOURAUD }),
        alpha.to(Opcode::ALPHATEST),
        off(Opcode::LIGHTENABLE1),
        off(Opcode::LIGHTENABLE2),
        off(Opcode::LIGHTENABLE3),
        gray(AMBIENT).to(Opcode::AMBIENTCOLOR),
        Command::new(Opcode::AMBIENTALPHA, 0xFF),
        light.to(Opcode::LIGHTTYPE0),
        gray(0).to(Opcode::LAC0),
        gray(DIFFUSE).to(Opcode::LDC0),
        gray(DIFFUSE).to(Opcode::LSC0),
    ];
    // The light comes from above, in front and left. Lights 2 and 3 only give the axes for reflections: right, and
    // down, because texture coordinates grow downwards.
    for (first, direction) in
        [(Opcode::LX0, [0.5, 0.75, 1.0]), (Opcode::LX2, [1.0, 0.0, 0.0]), (Opcode::LX3, [0.0, -1.0, 0.0])]
    {
        commands.extend((0_u8..).zip(direction).map(|(axis, value)| float(first.plus(axis), value)));
    }
    commands
}
