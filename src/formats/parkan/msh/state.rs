//! GE state for an MSH model's lists. Source: [coordinates](crate::reference::formats::parkan#coordinates),
//! [as GE state](crate::reference::formats::parkan#as-ge-state).

use crate::formats::core::state_writer::{float, off, on, word};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::{Color, LightComputation, LightKind, LightType};
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode, Comparison, MaskedTest};
use crate::ge::registers::texture::{TextureFunc, TextureFunction};
use crate::ge::registers::transform::{Shade, ShadeMode};

/// Returns commands to set the initial state for all slots. Culling is off, because the winding of faces is unknown.
pub(super) fn defaults(lit: bool) -> Vec<Command> {
    let blend = BlendMode {
        source: BlendFactor::SOURCE_ALPHA,
        destination: BlendFactor::ONE_MINUS_SOURCE_ALPHA,
        equation: BlendEquation::ADD,
    };
    let function = TextureFunc { function: TextureFunction::MODULATE, use_alpha: true, double: false };
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    let mut commands = vec![
        Command::new(Opcode::LIGHTINGENABLE, lit.into()),
        on(Opcode::DEPTHCLAMPENABLE),
        off(Opcode::CULLENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        on(Opcode::ALPHATESTENABLE),
        on(Opcode::ZTESTENABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::REVERSENORMAL),
        off(Opcode::TEXMAPMODE),
        off(Opcode::TEXOFFSETU),
        off(Opcode::TEXOFFSETV),
        off(Opcode::TEXWRAP),
        off(Opcode::TEXLEVEL),
        off(Opcode::ZWRITEDISABLE),
        word(Shade { mode: ShadeMode::GOURAUD }),
        word(blend),
        word(function),
        alpha.to(Opcode::ALPHATEST),
    ];
    if lit {
        let light = LightType { computation: LightComputation::DIFFUSE, kind: LightKind::DIRECTIONAL };
        let gray = |level| Color { rgb: Rgb([level; 3]) };
        commands.extend([
            on(Opcode::LIGHTENABLE0),
            off(Opcode::LIGHTENABLE1),
            off(Opcode::LIGHTENABLE2),
            off(Opcode::LIGHTENABLE3),
            off(Opcode::LIGHTMODE),
            gray(AMBIENT).to(Opcode::AMBIENTCOLOR),
            Command::new(Opcode::AMBIENTALPHA, 0xFF),
            light.to(Opcode::LIGHTTYPE0),
            gray(0).to(Opcode::LAC0),
            gray(DIFFUSE).to(Opcode::LDC0),
            gray(0).to(Opcode::LSC0),
            // The light comes from above, in front and left, near the default camera.
            float(Opcode::LX0, 0.5),
            float(Opcode::LX0.plus(1), 0.75),
            float(Opcode::LX0.plus(2), 1.0),
        ]);
    }
    commands
}

/// Levels for ambient and directional light, which add up to full colour. Models contain no lights, because the
/// game's lights belong to its world.
const AMBIENT: u8 = 0x60;
const DIFFUSE: u8 = 0x9F;

/// Returns commands to scale texture coordinates.
pub(super) fn scale_commands([u, v]: [f32; 2]) -> [Command; 2] {
    [float(Opcode::TEXSCALEU, u), float(Opcode::TEXSCALEV, v)]
}
