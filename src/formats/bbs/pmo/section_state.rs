//! Sets the GE state for sections: texture, blending, colour and culling.
//!
//! # Invariants
//! A list starts with unknown state, so that it does not depend on earlier commands. [`defaults`] sets the state
//! shared by all sections. Source: [as GE state](crate::reference::formats::bbs#as-ge-state).

use super::section::{Blend, Section};
use crate::formats::bbs::options::CLOCKWISE_FRONT;
use crate::formats::bbs::scroll::Scroll;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::state_writer::{StateWriter, float, off, on, word};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::Color;
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode, Comparison, MaskedTest};
use crate::ge::registers::texture::{
    MinificationFilter, TexelFormat, TextureFilter, TextureFunc, TextureFunction,
};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::model::ModelTexture;

/// Leaves a texture unchanged: with doubling, 0x80 in red, green and blue means 1.
const WHITE: [u8; 4] = [0x80, 0x80, 0x80, 0xFF];

/// Stores a white texture for untextured sections, because the GE doubles colours only with texturing on.
pub(in crate::formats::bbs) fn white_texture(
    view: View<'_>,
    loader: &mut Loader,
) -> Result<ModelTexture, FormatError> {
    Ok(ModelTexture {
        index: usize::MAX,
        name: None,
        width: 1,
        height: 1,
        format: TexelFormat::ABGR8888,
        swizzled: false,
        buffer_width: 4,
        address: loader.store(view, 0, &[0xFF; 16])?,
        file_offset: 0,
        palette: None,
        storage: None,
    })
}

/// Writes the state for sections into a list.
#[derive(Debug)]
pub(in crate::formats::bbs) struct SectionStateWriter<'a> {
    textures: &'a [ModelTexture],
    white: &'a ModelTexture,
    /// The texture index and speed for which the offset registers are set.
    scrolling: Option<(usize, [u32; 2])>,
    /// Keeps depth writes off, as for a sky.
    is_sky: bool,
}

impl<'a> SectionStateWriter<'a> {
    /// Creates a writer for a list, which starts with unknown state.
    pub(in crate::formats::bbs) fn new(
        textures: &'a [ModelTexture],
        white: &'a ModelTexture,
        is_sky: bool,
    ) -> Self {
        Self { textures, white, scrolling: None, is_sky }
    }

    /// Writes a section's state. `texture` holds its texture number and scroll speed.
    pub(in crate::formats::bbs) fn write<K: Copy + PartialEq>(
        &mut self,
        state: &mut StateWriter<K>,
        section: &Section<'_>,
        texture: Option<(usize, [f32; 2])>,
        scrolls: &mut Vec<Scroll>,
    ) {
        let attribute = section.attribute;
        let blend = attribute.blend();
        let is_blended = blend != Blend::Opaque;
        let switch = |opcode, on: bool| Command::new(opcode, u32::from(on));
        state.set(switch(Opcode::CULLENABLE, !attribute.is_two_sided()));
        state.set(switch(Opcode::BLENDENABLE, is_blended));
        if let Some(mode) = blend_mode(blend) {
            state.set(word(mode));
            if mode.destination == BlendFactor::FIXED {
                state.set(Command::new(Opcode::BLENDFIXEDB, 0x00FF_FFFF));
            }
        }
        let tested = attribute.uses_texture_alpha() && !is_blended;
        state.set(switch(Opcode::ALPHATESTENABLE, tested));
        state.set(switch(Opcode::ZWRITEDISABLE, is_blended || self.is_sky));
        let [red, green, blue, alpha] = section.color.unwrap_or(WHITE);
        state.set(Color { rgb: Rgb([red, green, blue]) }.to(Opcode::MATERIALAMBIENT));
        state.set(Command::new(Opcode::MATERIALALPHA, u32::from(alpha)));
        // This modulates with doubling, because vertex colours are stored with 0x80 as full brightness.
        let use_alpha = attribute.uses_texture_alpha() || is_blended;
        let function = TextureFunc { function: TextureFunction::MODULATE, use_alpha, double: true };
        state.set(word(function));
        self.texture(state, texture, scrolls);
    }

    /// Writes the texture and its offset.
    fn texture<K: Copy + PartialEq>(
        &mut self,
        state: &mut StateWriter<K>,
        texture: Option<(usize, [f32; 2])>,
        scrolls: &mut Vec<Scroll>,
    ) {
        let found = texture.and_then(|(number, speed)| Some((self.textures.get(number)?, speed)));
        let (texture, speed) = found.unwrap_or((self.white, [0.0; 2]));
        state.texture(texture);
        let moves = speed != [0.0; 2];
        let movement = moves.then_some((texture.index, speed.map(f32::to_bits)));
        // A patch to the earlier commands moves this section too.
        if moves && self.scrolling == movement {
            return;
        }
        self.scrolling = movement;
        for (opcode, speed) in [(Opcode::TEXOFFSETU, speed[0]), (Opcode::TEXOFFSETV, speed[1])] {
            if speed == 0.0 {
                state.set(float(opcode, 0.0));
                continue;
            }
            scrolls.push(Scroll { at: state.here(), speed });
            // Each frame patches this word, so the register's value is unknown afterwards.
            state.push_all([float(opcode, 0.0)]);
            state.forget(opcode);
        }
    }
}

/// Converts a blend mode to BLENDMODE's argument; `None` for opaque sections.
fn blend_mode(blend: Blend) -> Option<BlendMode> {
    let mode = |destination, equation| BlendMode { source: BlendFactor::SOURCE_ALPHA, destination, equation };
    match blend {
        Blend::Opaque => None,
        Blend::SemiTransparent => Some(mode(BlendFactor::ONE_MINUS_SOURCE_ALPHA, BlendEquation::ADD)),
        Blend::Additive => Some(mode(BlendFactor::FIXED, BlendEquation::ADD)),
        Blend::Subtractive => Some(mode(BlendFactor::FIXED, BlendEquation::REVERSE_SUBTRACT)),
    }
}

/// Computes CULL's argument: counter-clockwise fronts, as in all known models. The parse option and mirroring each
/// reverse it.
pub(in crate::formats::bbs) fn face_order(options: ParseOptions<'_>, is_mirrored: bool) -> u32 {
    u32::from(options.has(CLOCKWISE_FRONT) != is_mirrored)
}

/// Lists the state shared by all sections.
pub(in crate::formats::bbs) fn defaults() -> Vec<Command> {
    let filter = TextureFilter { minification: MinificationFilter::LINEAR, magnify_linear: true };
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    vec![
        off(Opcode::LIGHTINGENABLE),
        on(Opcode::DEPTHCLAMPENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        on(Opcode::TEXENABLE),
        on(Opcode::ZTESTENABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::REVERSENORMAL),
        off(Opcode::MATERIALUPDATE),
        off(Opcode::TEXMAPMODE),
        off(Opcode::TEXWRAP),
        off(Opcode::TEXLEVEL),
        // Coordinates count over the padded texture, as on the GE.
        float(Opcode::TEXSCALEU, 1.0),
        float(Opcode::TEXSCALEV, 1.0),
        word(Shade { mode: ShadeMode::GOURAUD }),
        word(filter),
        alpha.to(Opcode::ALPHATEST),
    ]
}
