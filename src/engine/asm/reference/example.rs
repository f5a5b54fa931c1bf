//! Examples in assembly text, to show how to write each command.

use crate::asm::text::describe;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldKind;

/// Examples for commands whose fields' kind does not suffice to choose an argument. A command with number 0 stands for
/// its series, such as the eight texture addresses. Names such as `vertices` stand for labels.
const EXAMPLES: &str = "\
    VADDR lo(vertices) | IADDR lo(indices) | PRIM primitive=TRIANGLES count=3 | \
    BEZIER u_count=4 v_count=4 | SPLINE u_count=5 v_count=5 u_edge=CLOSE v_edge=CLOSE | BBOX 8 | \
    JUMP lo(target) | BJUMP lo(target) | CALL lo(target) | END | \
    SIGNAL behavior=HANDLER_CONTINUE value=1 | FINISH | BASE hi(vertices) | \
    VTYPE texcoord=FLOAT color=ABGR8888 position=FLOAT | OFFSETADDR data/256 | REGION1 x=0 y=0 | \
    REGION2 x=479 y=271 | BONEMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0 | MORPHWEIGHT0 0.5 | \
    PATCHDIVISION u=16 v=16 | PATCHPRIM TRIANGLES | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0 | \
    VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1 | \
    TGENMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0 | VIEWPORTXSCALE 240 | VIEWPORTYSCALE -136 | \
    VIEWPORTZSCALE -32768 | VIEWPORTXCENTER 2048 | VIEWPORTYCENTER 2048 | VIEWPORTZCENTER 32767 | \
    TEXOFFSETU 0.5 | TEXOFFSETV 0.5 | OFFSETX (2048-240)*16 | OFFSETY (2048-136)*16 | SHADEMODE GOURAUD | \
    MATERIALUPDATE ambient=1 diffuse=1 | MATERIALALPHA 255 | MATERIALSPECULARCOEF 12 | AMBIENTALPHA 255 | \
    LIGHTTYPE0 computation=SPECULAR kind=POINT | LKO0 0.8 | CULL CLOCKWISE | FRAMEBUFPTR 0x088000 | \
    FRAMEBUFWIDTH width=512 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | TEXADDR0 lo(texture) | \
    TEXBUFWIDTH0 width=128 high=hi(texture) | CLUTADDR lo(palette) | CLUTADDRUPPER hi(palette) | \
    TRANSFERSRC lo(picture) | TRANSFERSRCW width=512 high=hi(picture) | TRANSFERDST lo(0x04000000) | \
    TRANSFERDSTW width=512 high=hi(0x04000000) | TEXSIZE0 width_log2=7 height_log2=6 | \
    TEXMAPMODE mode=MATRIX source=UV | TEXSHADELS s_light=0 t_light=1 | TEXMODE swizzled=1 max_level=3 | \
    TEXFORMAT CLUT8 | LOADCLUT 32 | CLUTFORMAT format=ABGR8888 mask=0xff | \
    TEXFILTER minification=LINEAR_MIPMAP_LINEAR magnify_linear=1 | TEXWRAP clamp_s=1 clamp_t=1 | \
    TEXLEVEL mode=AUTO bias=-8 | TEXFUNC function=MODULATE use_alpha=1 | FOG1 100 | FOG2 0.01 | \
    TEXLODSLOPE 0.5 | FRAMEBUFPIXFORMAT ABGR8888 | CLEARMODE enabled=1 color=1 stencil=1 depth=1 | \
    SCISSOR1 x=0 y=0 | SCISSOR2 x=479 y=271 | MAXZ 65535 | COLORTEST NOT_EQUAL | COLORREF #ff00ff | \
    COLORTESTMASK #ffffff | ALPHATEST function=GREATER reference=0 mask=255 | \
    STENCILTEST function=EQUAL reference=1 mask=255 | \
    STENCILOP stencil_fail=KEEP depth_fail=KEEP pass=REPLACE | ZTEST GREATER_EQUAL | \
    BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA | DITH0 x0=-4 x1=0 x2=-3 x3=1 | \
    DITH1 x0=2 x1=-2 x2=3 x3=-1 | DITH2 x0=-3 x1=1 x2=-4 x3=0 | DITH3 x0=3 x1=-1 x2=2 x3=-2 | \
    LOGICOP XOR | MASKRGB 0x0000ff | MASKALPHA 0xff | TRANSFERSTART BITS32 | TRANSFERSRCPOS x=0 y=0 | \
    TRANSFERDSTPOS x=16 y=32 | TRANSFERSIZE x=64-1 y=64-1 | VSCX 100*16 | VSCY 50*16 | VSCZ 65535 | \
    VAP alpha=255 primitive=TRIANGLES shade=GOURAUD | VFC 255";

/// Returns a command with its value after reset.
pub(super) fn reset(opcode: Opcode) -> String {
    describe(Command::new(opcode, 0)).to_string()
}

/// Returns a line that uses this command.
pub(super) fn example(opcode: Opcode) -> String {
    let name = opcode.name();
    let first = format!("{}0", name.trim_end_matches(|last: char| last.is_ascii_digit()));
    let listed = arguments(name).or_else(|| arguments(&first));
    format!("{name} {}", listed.unwrap_or_else(|| by_kind(opcode))).trim_end().to_owned()
}

/// Returns the arguments in a command's example.
fn arguments(name: &str) -> Option<&'static str> {
    let mut examples = EXAMPLES.split('|').map(str::trim);
    examples.find_map(|example| {
        let (known, arguments) = example.split_once(' ').unwrap_or((example, ""));
        (known == name).then_some(arguments)
    })
}

/// Returns an argument to suit the first field's kind.
fn by_kind(opcode: Opcode) -> &'static str {
    match opcode.info().fields.first().map(|field| field.kind) {
        None => "",
        Some(FieldKind::Color) => "#ff8000",
        Some(FieldKind::Hexadecimal) => "0x0",
        Some(FieldKind::Float) => "1",
        Some(FieldKind::Unsigned | FieldKind::Signed) => "0",
        Some(FieldKind::Flag | FieldKind::Named(_)) => "1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::{AssemblyRequest, assemble_with};

    /// A misspelled name would never be looked up.
    #[test]
    fn examples_name_commands() {
        for text in EXAMPLES.split('|') {
            let name = text.split_whitespace().next().unwrap_or_default();
            assert!(Opcode::from_name(name).is_some(), "{text}");
        }
    }

    #[test]
    fn examples_assemble_to_their_command() {
        let labels = ["vertices", "indices", "target", "data", "texture", "palette", "picture"];
        let constants = labels.map(|label| (label, 0x0890_0000));
        for opcode in Opcode::all() {
            let text = example(opcode);
            let request = AssemblyRequest { constants: &constants, ..AssemblyRequest::new("", &text) };
            let image = assemble_with(&request).map(|assembly| assembly.program.image());
            let image = image.unwrap_or_else(|error| panic!("{text}: {error}")).expect("small");
            assert_eq!(image.get(3), Some(&opcode.code()), "{text}");
        }
    }
}
