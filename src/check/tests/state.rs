//! Rules on state without effect.

use super::{CAMERA, CORNERS, DRAW, Row, TEXTURE, commands, with_data};
use crate::check::Rule;

/// A triangle for the camera, with normals.
const NORMALS: &str = "f: .s8 0 0 127 0 | .f32 -0.5 -0.5 0 | .s8 0 0 127 0 | .f32 0.5 -0.5 0
    .s8 0 0 127 0 | .f32 -0.5 0.5 0";

pub(super) fn rows() -> Vec<Row> {
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let seen = |state: &str| with_data(format!("{CAMERA} | {state} | {DRAW}"), CORNERS);
    let textured = |state: &str| commands(format!("{TEXTURE} | {state} | {DRAW}"));
    let normals = |state: &str| {
        let vertices = "VTYPE normal=BITS8 position=FLOAT | VADDR lo(f)";
        with_data(format!("{CAMERA} | {vertices} | {state} | {DRAW}"), NORMALS)
    };
    let colored = |state: &str| {
        let vertices = "LIGHTINGENABLE 1 | VTYPE color=ABGR8888 position=FLOAT | VADDR lo(f)";
        with_data(format!("{CAMERA} | {vertices} | {state} | {DRAW}"), NORMALS)
    };
    let light = "LIGHTENABLE0 1 | LDC0 #ffffff";
    let blend = "BLENDENABLE 1 | BLENDMODE source=FIXED destination=FIXED | BLENDFIXEDA #ffffff";
    vec![
        (Rule::FogWithoutEffect, draw("FOGENABLE 1"), seen("FOGENABLE 1")),
        (
            Rule::LightingWithoutEffect,
            draw(&format!("LIGHTINGENABLE 1 | {light}")),
            normals(&format!("LIGHTINGENABLE 1 | {light}")),
        ),
        (
            Rule::LightingWithoutLights,
            normals("LIGHTINGENABLE 1"),
            normals(&format!("LIGHTINGENABLE 1 | {light}")),
        ),
        (Rule::LightsWithoutLighting, seen(light), draw(light)),
        (
            Rule::LightingWithoutNormals,
            seen(&format!("LIGHTINGENABLE 1 | {light}")),
            normals(&format!("LIGHTINGENABLE 1 | {light}")),
        ),
        (Rule::BlendWithoutEffect, draw(blend), draw(&format!("{blend} | BLENDFIXEDB #010000"))),
        (
            Rule::TestWithoutEffect,
            draw("ALPHATESTENABLE 1 | ALPHATEST function=ALWAYS mask=255"),
            draw("ALPHATESTENABLE 1 | ALPHATEST function=EQUAL mask=255"),
        ),
        (
            Rule::TestWithoutEffect,
            draw("ZTESTENABLE 1 | ZTEST ALWAYS | ZWRITEDISABLE 1"),
            draw("ZTESTENABLE 1 | ZTEST ALWAYS"),
        ),
        (
            Rule::TextureWithoutCoordinates,
            textured("VTYPE position=BITS16 through=1 | VADDR lo(v)"),
            textured("NOP"),
        ),
        (Rule::CoordinatesWithoutTexture, textured("TEXENABLE 0"), textured("NOP")),
        (
            Rule::DitherWithoutEffect,
            draw("DITHERENABLE 1"),
            draw("DITHERENABLE 1 | FRAMEBUFPIXFORMAT BGR5650"),
        ),
        (
            Rule::AntialiasWithoutLines,
            draw("ANTIALIASENABLE 1"),
            commands("ANTIALIASENABLE 1 | PRIM primitive=LINES count=2"),
        ),
        (
            Rule::MipmapsWithoutLevels,
            textured("TEXFILTER minification=LINEAR_MIPMAP_LINEAR"),
            textured("TEXFILTER minification=LINEAR"),
        ),
        (
            Rule::LogicWithoutEffect,
            draw("LOGICOPENABLE 1 | LOGICOP COPY"),
            draw("LOGICOPENABLE 1 | LOGICOP XOR"),
        ),
        (Rule::ColorWithoutEffect, colored("NOP"), colored("MATERIALUPDATE ambient=1")),
        (Rule::NormalsWithoutEffect, normals("NOP"), normals(&format!("LIGHTINGENABLE 1 | {light}"))),
    ]
}
