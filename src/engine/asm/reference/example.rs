//! Examples in assembly text, to show how to write each command.

use crate::asm::text::describe;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldKind;

/// Arguments in examples for commands `first` to `last`, if their fields' kind does not suffice to choose an
/// argument. Names such as `vertices` stand for labels.
const ARGUMENTS: &[(Opcode, Opcode, &str)] = &[
    (Opcode::VADDR, Opcode::VADDR, "lo(vertices)"),
    (Opcode::IADDR, Opcode::IADDR, "lo(indices)"),
    (Opcode::PRIM, Opcode::PRIM, "primitive=TRIANGLES count=3"),
    (Opcode::BEZIER, Opcode::BEZIER, "u_count=4 v_count=4"),
    (Opcode::SPLINE, Opcode::SPLINE, "u_count=5 v_count=5 u_edge=CLOSE v_edge=CLOSE"),
    (Opcode::BBOX, Opcode::BBOX, "8"),
    (Opcode::JUMP, Opcode::CALL, "lo(target)"),
    (Opcode::END, Opcode::END, ""),
    (Opcode::SIGNAL, Opcode::SIGNAL, "behavior=HANDLER_CONTINUE value=1"),
    (Opcode::FINISH, Opcode::FINISH, ""),
    (Opcode::BASE, Opcode::BASE, "hi(vertices)"),
    (Opcode::VTYPE, Opcode::VTYPE, "texcoord=FLOAT color=ABGR8888 position=FLOAT"),
    (Opcode::OFFSETADDR, Opcode::OFFSETADDR, "data/256"),
    (Opcode::REGION1, Opcode::REGION1, "x=0 y=0"),
    (Opcode::REGION2, Opcode::REGION2, "x=479 y=271"),
    (Opcode::BONEMATRIXNUMBER, Opcode::BONEMATRIXNUMBER, "0"),
    (Opcode::BONEMATRIXDATA, Opcode::BONEMATRIXDATA, "1 0 0  0 1 0  0 0 1  0 0 0"),
    (Opcode::MORPHWEIGHT0, Opcode::MORPHWEIGHT7, "0.5"),
    (Opcode::PATCHDIVISION, Opcode::PATCHDIVISION, "u=16 v=16"),
    (Opcode::PATCHPRIM, Opcode::PATCHPRIM, "TRIANGLES"),
    (Opcode::WORLDMATRIXDATA, Opcode::WORLDMATRIXDATA, "1 0 0  0 1 0  0 0 1  0 0 0"),
    (Opcode::VIEWMATRIXDATA, Opcode::VIEWMATRIXDATA, "1 0 0  0 1 0  0 0 1  0 0 0"),
    (Opcode::PROJMATRIXDATA, Opcode::PROJMATRIXDATA, "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1"),
    (Opcode::TGENMATRIXDATA, Opcode::TGENMATRIXDATA, "1 0 0  0 1 0  0 0 1  0 0 0"),
    (Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTXSCALE, "240"),
    (Opcode::VIEWPORTYSCALE, Opcode::VIEWPORTYSCALE, "-136"),
    (Opcode::VIEWPORTZSCALE, Opcode::VIEWPORTZSCALE, "-32768"),
    (Opcode::VIEWPORTXCENTER, Opcode::VIEWPORTYCENTER, "2048"),
    (Opcode::VIEWPORTZCENTER, Opcode::VIEWPORTZCENTER, "32767"),
    (Opcode::TEXOFFSETU, Opcode::TEXOFFSETV, "0.5"),
    (Opcode::OFFSETX, Opcode::OFFSETX, "(2048-240)*16"),
    (Opcode::OFFSETY, Opcode::OFFSETY, "(2048-136)*16"),
    (Opcode::SHADEMODE, Opcode::SHADEMODE, "GOURAUD"),
    (Opcode::MATERIALUPDATE, Opcode::MATERIALUPDATE, "ambient=1 diffuse=1"),
    (Opcode::MATERIALALPHA, Opcode::MATERIALALPHA, "255"),
    (Opcode::MATERIALSPECULARCOEF, Opcode::MATERIALSPECULARCOEF, "12"),
    (Opcode::AMBIENTALPHA, Opcode::AMBIENTALPHA, "255"),
    (Opcode::LIGHTTYPE0, Opcode::LIGHTTYPE3, "computation=SPECULAR kind=POINT"),
    (Opcode::LKO0, Opcode::LKO3, "0.8"),
    (Opcode::CULL, Opcode::CULL, "CLOCKWISE"),
    (Opcode::FRAMEBUFPTR, Opcode::FRAMEBUFPTR, "0x088000"),
    (Opcode::FRAMEBUFWIDTH, Opcode::FRAMEBUFWIDTH, "width=512"),
    (Opcode::ZBUFPTR, Opcode::ZBUFPTR, "0x110000"),
    (Opcode::ZBUFWIDTH, Opcode::ZBUFWIDTH, "width=512"),
    (Opcode::TEXADDR0, Opcode::TEXADDR7, "lo(texture)"),
    (Opcode::TEXBUFWIDTH0, Opcode::TEXBUFWIDTH7, "width=128 high=hi(texture)"),
    (Opcode::CLUTADDR, Opcode::CLUTADDR, "lo(palette)"),
    (Opcode::CLUTADDRUPPER, Opcode::CLUTADDRUPPER, "hi(palette)"),
    (Opcode::TRANSFERSRC, Opcode::TRANSFERSRC, "lo(picture)"),
    (Opcode::TRANSFERSRCW, Opcode::TRANSFERSRCW, "width=512 high=hi(picture)"),
    (Opcode::TRANSFERDST, Opcode::TRANSFERDST, "lo(0x04000000)"),
    (Opcode::TRANSFERDSTW, Opcode::TRANSFERDSTW, "width=512 high=hi(0x04000000)"),
    (Opcode::TEXSIZE0, Opcode::TEXSIZE7, "width_log2=7 height_log2=6"),
    (Opcode::TEXMAPMODE, Opcode::TEXMAPMODE, "mode=MATRIX source=UV"),
    (Opcode::TEXSHADELS, Opcode::TEXSHADELS, "s_light=0 t_light=1"),
    (Opcode::TEXMODE, Opcode::TEXMODE, "swizzled=1 max_level=3"),
    (Opcode::TEXFORMAT, Opcode::TEXFORMAT, "CLUT8"),
    (Opcode::LOADCLUT, Opcode::LOADCLUT, "32"),
    (Opcode::CLUTFORMAT, Opcode::CLUTFORMAT, "format=ABGR8888 mask=0xff"),
    (Opcode::TEXFILTER, Opcode::TEXFILTER, "minification=LINEAR_MIPMAP_LINEAR magnify_linear=1"),
    (Opcode::TEXWRAP, Opcode::TEXWRAP, "clamp_s=1 clamp_t=1"),
    (Opcode::TEXLEVEL, Opcode::TEXLEVEL, "mode=AUTO bias=-8"),
    (Opcode::TEXFUNC, Opcode::TEXFUNC, "function=MODULATE use_alpha=1"),
    (Opcode::FOG1, Opcode::FOG1, "100"),
    (Opcode::FOG2, Opcode::FOG2, "0.01"),
    (Opcode::TEXLODSLOPE, Opcode::TEXLODSLOPE, "0.5"),
    (Opcode::FRAMEBUFPIXFORMAT, Opcode::FRAMEBUFPIXFORMAT, "ABGR8888"),
    (Opcode::CLEARMODE, Opcode::CLEARMODE, "enabled=1 color=1 stencil=1 depth=1"),
    (Opcode::SCISSOR1, Opcode::SCISSOR1, "x=0 y=0"),
    (Opcode::SCISSOR2, Opcode::SCISSOR2, "x=479 y=271"),
    (Opcode::MINZ, Opcode::MINZ, "0"),
    (Opcode::MAXZ, Opcode::MAXZ, "65535"),
    (Opcode::COLORTEST, Opcode::COLORTEST, "NOT_EQUAL"),
    (Opcode::COLORREF, Opcode::COLORREF, "#ff00ff"),
    (Opcode::COLORTESTMASK, Opcode::COLORTESTMASK, "#ffffff"),
    (Opcode::ALPHATEST, Opcode::ALPHATEST, "function=GREATER reference=0 mask=255"),
    (Opcode::STENCILTEST, Opcode::STENCILTEST, "function=EQUAL reference=1 mask=255"),
    (Opcode::STENCILOP, Opcode::STENCILOP, "stencil_fail=KEEP depth_fail=KEEP pass=REPLACE"),
    (Opcode::ZTEST, Opcode::ZTEST, "GREATER_EQUAL"),
    (Opcode::BLENDMODE, Opcode::BLENDMODE, "source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA"),
    (Opcode::DITH0, Opcode::DITH0, "x0=-4 x1=0 x2=-3 x3=1"),
    (Opcode::DITH1, Opcode::DITH1, "x0=2 x1=-2 x2=3 x3=-1"),
    (Opcode::DITH2, Opcode::DITH2, "x0=-3 x1=1 x2=-4 x3=0"),
    (Opcode::DITH3, Opcode::DITH3, "x0=3 x1=-1 x2=2 x3=-2"),
    (Opcode::LOGICOP, Opcode::LOGICOP, "XOR"),
    (Opcode::MASKRGB, Opcode::MASKRGB, "0x0000ff"),
    (Opcode::MASKALPHA, Opcode::MASKALPHA, "0xff"),
    (Opcode::TRANSFERSTART, Opcode::TRANSFERSTART, "BITS32"),
    (Opcode::TRANSFERSRCPOS, Opcode::TRANSFERSRCPOS, "x=0 y=0"),
    (Opcode::TRANSFERDSTPOS, Opcode::TRANSFERDSTPOS, "x=16 y=32"),
    (Opcode::TRANSFERSIZE, Opcode::TRANSFERSIZE, "x=64-1 y=64-1"),
    (Opcode::VSCX, Opcode::VSCX, "100*16"),
    (Opcode::VSCY, Opcode::VSCY, "50*16"),
    (Opcode::VSCZ, Opcode::VSCZ, "65535"),
    (Opcode::VAP, Opcode::VAP, "alpha=255 primitive=TRIANGLES shade=GOURAUD"),
    (Opcode::VFC, Opcode::VFC, "255"),
];

/// Returns a command with its value after reset.
pub(super) fn reset(opcode: Opcode) -> String {
    describe(Command::new(opcode, 0)).to_string()
}

/// Returns a line that uses this command.
pub(super) fn example(opcode: Opcode) -> String {
    let listed = ARGUMENTS.iter().find(|(first, last, _)| (*first..=*last).contains(&opcode));
    let arguments = listed.map_or_else(|| by_kind(opcode), |(.., arguments)| *arguments);
    format!("{opcode} {arguments}").trim_end().to_owned()
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
