//! Rules on state that has no effect on a draw.

use crate::asm::text::describe;
use crate::check::context::DrawContext;
use crate::check::findings::Findings;
use crate::check::rule::Rule;
use crate::check::subject::Subject;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::{Color, LightType, MaterialUpdate};
use crate::ge::registers::pixel::{
    BlendEquation, BlendFactor, BlendMode, ColorComparison, ColorTest, Comparison, DepthTest, LogicOp,
    LogicOperation, MaskedTest, StencilOperations,
};
use crate::ge::registers::surface::FramebufferFormat;
use crate::ge::registers::texture::{
    MapMode, MapSource, PixelFormat, TextureFilter, TextureMap, TextureMode,
};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, PrimitiveType};

/// Checks a draw for state without effect.
pub(crate) fn check(context: &DrawContext<'_>, findings: &mut Findings) {
    let mut report = |rule: Rule, opcode: Opcode, text: &str| {
        let message = || format!("{} has no effect: {text}", describe(context.command(opcode)));
        findings.add(rule, [opcode.code().into(), 0], context.place, message);
    };
    if context.registers.is_on(Opcode::FOGENABLE) && (context.is_clear || context.is_through) {
        let mode = if context.is_clear { "clear mode has no fog" } else { "through mode has no fog" };
        report(Rule::FogWithoutEffect, Opcode::FOGENABLE, mode);
    }
    if context.is_clear {
        return;
    }
    lighting(context, &mut report);
    tests(context, &mut report);
    pixels(context, &mut report);
    texture(context, findings);
    attributes(context, findings);
}

/// Checks the switches of lights.
fn lighting(context: &DrawContext<'_>, report: &mut dyn FnMut(Rule, Opcode, &str)) {
    if matches!(context.subject, Subject::Immediate(_)) {
        // Immediate vertices are not lit, whatever the registers hold.
        return;
    }
    let on = |opcode| context.registers.is_on(opcode);
    let first_light = (0..4).map(|light| Opcode::LIGHTENABLE0.plus(light)).find(|opcode| on(*opcode));
    match (on(Opcode::LIGHTINGENABLE), first_light) {
        (true, _) if context.is_through => {
            report(Rule::LightingWithoutEffect, Opcode::LIGHTINGENABLE, "through mode has no lighting");
        }
        (true, None) => report(
            Rule::LightingWithoutLights,
            Opcode::LIGHTINGENABLE,
            "no light is on, so only ambient and emissive colours remain",
        ),
        (false, Some(light)) if !context.is_through => {
            report(Rule::LightsWithoutLighting, light, "LIGHTINGENABLE is 0");
        }
        _ => {}
    }
}

/// Checks for tests that let everything pass.
fn tests(context: &DrawContext<'_>, report: &mut dyn FnMut(Rule, Opcode, &str)) {
    let registers = context.registers;
    let on = |opcode| registers.is_on(opcode);
    let masked = |opcode| registers.view::<MaskedTest>(opcode).function;
    let rule = Rule::TestWithoutEffect;
    if on(Opcode::ALPHATESTENABLE) && masked(Opcode::ALPHATEST) == Comparison::ALWAYS {
        report(rule, Opcode::ALPHATESTENABLE, "the function in ALPHATEST is ALWAYS");
    }
    if on(Opcode::COLORTESTENABLE) && registers.get::<ColorTest>().function == ColorComparison::ALWAYS {
        report(rule, Opcode::COLORTESTENABLE, "the function in COLORTEST is ALWAYS");
    }
    let operations = registers.get::<StencilOperations>();
    let keeps = operations == StencilOperations::default();
    if on(Opcode::STENCILTESTENABLE) && masked(Opcode::STENCILTEST) == Comparison::ALWAYS && keeps {
        let text = "the function in STENCILTEST is ALWAYS, and STENCILOP keeps the stencil";
        report(rule, Opcode::STENCILTESTENABLE, text);
    }
    let depth = registers.get::<DepthTest>().function;
    if on(Opcode::ZTESTENABLE) && depth == Comparison::ALWAYS && on(Opcode::ZWRITEDISABLE) {
        let text = "the function in ZTEST is ALWAYS, and ZWRITEDISABLE is 1";
        report(rule, Opcode::ZTESTENABLE, text);
    }
}

/// Checks blending, logic operation, dither and antialiasing.
fn pixels(context: &DrawContext<'_>, report: &mut dyn FnMut(Rule, Opcode, &str)) {
    let registers = context.registers;
    let on = |opcode| registers.is_on(opcode);
    if on(Opcode::BLENDENABLE) && copies_source(context) {
        let text = "the factor of the source is 1 and that of the destination 0";
        report(Rule::BlendWithoutEffect, Opcode::BLENDENABLE, text);
    }
    if on(Opcode::LOGICOPENABLE) && registers.get::<LogicOp>().operation == LogicOperation::COPY {
        report(Rule::LogicWithoutEffect, Opcode::LOGICOPENABLE, "the operation in LOGICOP is COPY");
    }
    let format = registers.get::<FramebufferFormat>().format;
    if on(Opcode::DITHERENABLE) && format == PixelFormat::ABGR8888 {
        report(Rule::DitherWithoutEffect, Opcode::DITHERENABLE, "the framebuffer has format 8888");
    }
    let draws_lines = matches!(context.subject.primitive(), PrimitiveType::LINES | PrimitiveType::LINE_STRIP);
    if on(Opcode::ANTIALIASENABLE) && !draws_lines {
        report(Rule::AntialiasWithoutLines, Opcode::ANTIALIASENABLE, "only lines are antialiased");
    }
    let has_levels = registers.get::<TextureMode>().max_level > 0;
    let filter: TextureFilter = registers.get();
    if context.is_textured && filter.minification.uses_mipmaps() && !has_levels {
        let text = "the highest level in TEXMODE is 0";
        report(Rule::MipmapsWithoutLevels, Opcode::TEXFILTER, text);
    }
}

/// Returns whether blending only returns the source, because its factor is 1 and the destination's is 0.
fn copies_source(context: &DrawContext<'_>) -> bool {
    let BlendMode { source, destination, equation } = context.registers.get();
    let fixed = |factor: BlendFactor, opcode, value: u8| {
        let Color { rgb: Rgb(rgb) } = context.registers.view(opcode);
        factor.number() >= BlendFactor::FIXED.number() && rgb == [value; 3]
    };
    let is_sum = matches!(equation, BlendEquation::ADD | BlendEquation::SUBTRACT);
    is_sum && fixed(source, Opcode::BLENDFIXEDA, 255) && fixed(destination, Opcode::BLENDFIXEDB, 0)
}

/// Checks whether texturing and the vertex components fit together.
fn texture(context: &DrawContext<'_>, findings: &mut Findings) {
    if !context.reads_vertices() {
        return;
    }
    let map: TextureMap = context.registers.get();
    let needs_uv = context.is_through
        || match map.mode {
            MapMode::MATRIX => map.source == MapSource::UV,
            MapMode::ENVIRONMENT => false,
            _ => true,
        };
    let has_uv = context.vertex_type.texcoord != ComponentFormat::NONE;
    let vtype = || describe(context.command(Opcode::VTYPE));
    if context.is_textured && needs_uv && !has_uv {
        let message =
            || format!("TEXENABLE is 1, but the vertices have no texture coordinates ({})", vtype());
        findings.add(Rule::TextureWithoutCoordinates, [0; 2], context.place, message);
    }
    if !context.is_textured && has_uv {
        let message = || format!("the vertices have texture coordinates, but TEXENABLE is 0 ({})", vtype());
        findings.add(Rule::CoordinatesWithoutTexture, [0; 2], context.place, message);
    }
}

/// Checks whether lighting uses the normals and colours in the vertices.
fn attributes(context: &DrawContext<'_>, findings: &mut Findings) {
    let Subject::Draw(draw) = context.subject else { return };
    let registers = context.registers;
    let vtype = || describe(context.command(Opcode::VTYPE));
    let is_lit = registers.is_on(Opcode::LIGHTINGENABLE) && !context.is_through;
    let lights = (0..4).filter(|light| registers.is_on(Opcode::LIGHTENABLE0.plus(*light)));
    let has_normals = context.vertex_type.normal != ComponentFormat::NONE;
    // A patch generates normals for its surface, so it needs none in its vertices.
    if is_lit
        && !has_normals
        && draw.patch.is_none()
        && lights.clone().any(|light| uses_normals(context, light))
    {
        let message = || format!("LIGHTINGENABLE is 1, but the vertices have no normals ({})", vtype());
        findings.add(Rule::LightingWithoutNormals, [0; 2], context.place, message);
    }
    let map: TextureMap = registers.get();
    let maps_normals = context.is_textured
        && match map.mode {
            MapMode::MATRIX => matches!(map.source, MapSource::NORMAL | MapSource::NORMALIZED_NORMAL),
            MapMode::ENVIRONMENT => true,
            _ => false,
        };
    if has_normals && (context.is_through || !is_lit && !maps_normals) {
        let message = || format!("the vertices have normals, but LIGHTINGENABLE is 0 ({})", vtype());
        findings.add(Rule::NormalsWithoutEffect, [0; 2], context.place, message);
    }
    let has_colors = context.vertex_type.color != ColorFormat::NONE;
    if is_lit && has_colors && registers.get::<MaterialUpdate>() == MaterialUpdate::default() {
        let message = || format!("the vertices have colours, but MATERIALUPDATE is 0 ({})", vtype());
        findings.add(Rule::ColorWithoutEffect, [0; 2], context.place, message);
    }
}

/// Returns whether a light depends on normals: its diffuse or its specular colour is not black.
fn uses_normals(context: &DrawContext<'_>, light: u8) -> bool {
    let color = |opcode: Opcode| context.registers.argument(opcode.plus(light.saturating_mul(3))) != 0;
    let kind: LightType = context.registers.view(Opcode::LIGHTTYPE0.plus(light));
    let has_specular = kind.computation == crate::ge::registers::light::LightComputation::SPECULAR;
    color(Opcode::LDC0) || has_specular && color(Opcode::LSC0)
}
