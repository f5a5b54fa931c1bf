//! The names that homebrew knows: functions and constants of libgu, the graphics library of the public pspsdk.
//!
//! Most programs never write a command themselves. So [`find`](super::reference::find) leads from a function to the commands
//! that it sends, and assembly text may use the constants.

use super::similar::closest_names;
use crate::ge::opcode::Opcode;

/// A function of libgu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuFunction {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters.
    pub parameters: &'static str,
    /// The names of the commands that it sends. Those for light 0, level 0 or frame 0 mean the others, too.
    commands: &'static str,
}

impl GuFunction {
    /// Finds a function by its name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = FUNCTIONS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        found.map(|&(name, parameters, commands)| Self { name, parameters, commands })
    }

    /// Returns the commands that it sends.
    pub fn commands(&self) -> impl Iterator<Item = Opcode> + use<> {
        self.commands.split(' ').filter_map(Opcode::from_name)
    }
}

/// Returns the value of a constant such as `GU_LINEAR`.
pub(super) fn constant(name: &str) -> Option<i64> {
    let name = name.strip_prefix("GU_")?;
    let (_, value) = constants().find(|(known, _)| *known == name)?;
    value.parse().ok()
}

/// Lists the constants: name and value.
fn constants() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONSTANTS.iter().flat_map(|line| line.split(' ')).filter_map(|entry| entry.split_once('='))
}

/// Finds the constant that is most similar to a name that starts as one.
pub(super) fn similar_constant(name: &str) -> Option<String> {
    let name = name.strip_prefix("GU_")?;
    let known = closest_names(name, constants().map(|(known, _)| known));
    known.first().map(|known| format!("GU_{known}"))
}

/// The constants with their values, without the prefix of all.
const CONSTANTS: &[&str] = &[
    // Primitives.
    "POINTS=0 LINES=1 LINE_STRIP=2 TRIANGLES=3 TRIANGLE_STRIP=4 TRIANGLE_FAN=5 SPRITES=6",
    // Vertex types, as bits of VTYPE.
    "TEXTURE_8BIT=1 TEXTURE_16BIT=2 TEXTURE_32BITF=3 COLOR_5650=16 COLOR_5551=20 COLOR_4444=24",
    "COLOR_8888=28 NORMAL_8BIT=32 NORMAL_16BIT=64 NORMAL_32BITF=96 VERTEX_8BIT=128 VERTEX_16BIT=256",
    "VERTEX_32BITF=384 WEIGHT_8BIT=512 WEIGHT_16BIT=1024 WEIGHT_32BITF=1536 INDEX_8BIT=2048",
    "INDEX_16BIT=4096 TRANSFORM_3D=0 TRANSFORM_2D=8388608",
    // Pixels and texels.
    "PSM_5650=0 PSM_5551=1 PSM_4444=2 PSM_8888=3 PSM_T4=4 PSM_T8=5 PSM_T16=6 PSM_T32=7 PSM_DXT1=8",
    "PSM_DXT3=9 PSM_DXT5=10",
    // Edges of splines.
    "FILL_FILL=0 OPEN_FILL=1 FILL_OPEN=2 OPEN_OPEN=3",
    // Shading and winding.
    "FLAT=0 SMOOTH=1 CW=0 CCW=1",
    // Logic operations.
    "CLEAR=0 AND=1 AND_REVERSE=2 COPY=3 AND_INVERTED=4 NOOP=5 XOR=6 OR=7 NOR=8 EQUIV=9 INVERTED=10",
    "OR_REVERSE=11 COPY_INVERTED=12 OR_INVERTED=13 NAND=14 SET=15",
    // Texture filters.
    "NEAREST=0 LINEAR=1 NEAREST_MIPMAP_NEAREST=4 LINEAR_MIPMAP_NEAREST=5 NEAREST_MIPMAP_LINEAR=6",
    "LINEAR_MIPMAP_LINEAR=7",
    // Texture coordinates.
    "TEXTURE_COORDS=0 TEXTURE_MATRIX=1 ENVIRONMENT_MAP=2 POSITION=0 UV=1 NORMALIZED_NORMAL=2 NORMAL=3",
    "REPEAT=0 CLAMP=1",
    // Texture levels.
    "TEXTURE_AUTO=0 TEXTURE_CONST=1 TEXTURE_SLOPE=2",
    // Texture functions.
    "TFX_MODULATE=0 TFX_DECAL=1 TFX_BLEND=2 TFX_REPLACE=3 TFX_ADD=4 TCC_RGB=0 TCC_RGBA=1",
    // Comparisons.
    "NEVER=0 ALWAYS=1 EQUAL=2 NOTEQUAL=3 LESS=4 LEQUAL=5 GREATER=6 GEQUAL=7",
    // Blending.
    "ADD=0 SUBTRACT=1 REVERSE_SUBTRACT=2 MIN=3 MAX=4 ABS=5 SRC_COLOR=0 ONE_MINUS_SRC_COLOR=1",
    "SRC_ALPHA=2 ONE_MINUS_SRC_ALPHA=3 DST_COLOR=0 ONE_MINUS_DST_COLOR=1 DST_ALPHA=4",
    "ONE_MINUS_DST_ALPHA=5 FIX=10",
    // Stencil operations.
    "KEEP=0 ZERO=1 REPLACE=2 INVERT=3 INCR=4 DECR=5",
    // Lights.
    "DIRECTIONAL=0 POINTLIGHT=1 SPOTLIGHT=2 AMBIENT=1 DIFFUSE=2 AMBIENT_AND_DIFFUSE=3 SPECULAR=4",
    "DIFFUSE_AND_SPECULAR=6 UNKNOWN_LIGHT_COMPONENT=8 SINGLE_COLOR=0 SEPARATE_SPECULAR_COLOR=1",
];

/// The switches, with the registers that libgu treats as such.
const SWITCHES: &str = "LIGHTINGENABLE LIGHTENABLE0 LIGHTENABLE1 LIGHTENABLE2 LIGHTENABLE3 DEPTHCLAMPENABLE CULLENABLE \
    TEXENABLE FOGENABLE DITHERENABLE BLENDENABLE ALPHATESTENABLE ZTESTENABLE STENCILTESTENABLE \
    ANTIALIASENABLE PATCHCULLENABLE COLORTESTENABLE LOGICOPENABLE SCISSOR1 SCISSOR2 REVERSENORMAL \
    PATCHFACING TEXFUNC";

/// The functions in the order of their names: name, parameters, commands.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("sceGuAlphaFunc", "func, value, mask", "ALPHATEST"),
    ("sceGuAmbient", "color", "AMBIENTCOLOR AMBIENTALPHA"),
    ("sceGuAmbientColor", "color", "MATERIALAMBIENT MATERIALALPHA"),
    ("sceGuBeginObject", "vtype, count, indices, vertices", "VTYPE BASE IADDR VADDR BBOX BJUMP"),
    ("sceGuBlendFunc", "op, src, dst, srcfix, dstfix", "BLENDMODE BLENDFIXEDA BLENDFIXEDB"),
    ("sceGuBoneMatrix", "index, matrix", "BONEMATRIXNUMBER BONEMATRIXDATA"),
    ("sceGuCallList", "list", "BASE CALL"),
    ("sceGuClear", "flags", "CLEARMODE VTYPE BASE VADDR PRIM"),
    ("sceGuClutLoad", "num_blocks, cbp", "CLUTADDR CLUTADDRUPPER LOADCLUT"),
    ("sceGuClutMode", "cpsm, shift, mask, csa", "CLUTFORMAT"),
    ("sceGuColor", "color", "MATERIALAMBIENT MATERIALDIFFUSE MATERIALSPECULAR MATERIALALPHA"),
    ("sceGuColorFunc", "func, color, mask", "COLORTEST COLORREF COLORTESTMASK"),
    ("sceGuColorMaterial", "components", "MATERIALUPDATE"),
    (
        "sceGuCopyImage",
        "psm, sx, sy, width, height, srcw, src, dx, dy, destw, dest",
        "TRANSFERSRC TRANSFERSRCW TRANSFERSRCPOS TRANSFERDST TRANSFERDSTW TRANSFERDSTPOS TRANSFERSIZE TRANSFERSTART",
    ),
    ("sceGuDepthBuffer", "zbp, zbw", "ZBUFPTR ZBUFWIDTH"),
    ("sceGuDepthFunc", "function", "ZTEST"),
    ("sceGuDepthMask", "mask", "ZWRITEDISABLE"),
    ("sceGuDepthOffset", "offset", "VIEWPORTZSCALE VIEWPORTZCENTER MINZ MAXZ"),
    ("sceGuDepthRange", "near, far", "VIEWPORTZSCALE VIEWPORTZCENTER MINZ MAXZ"),
    ("sceGuDisable", "state", SWITCHES),
    ("sceGuDispBuffer", "width, height, dispbp, dispbw", "REGION1 REGION2"),
    ("sceGuDrawArray", "prim, vtype, count, indices, vertices", "VTYPE BASE IADDR VADDR PRIM"),
    (
        "sceGuDrawArrayN",
        "primitive_type, vertex_type, count, a3, indices, vertices",
        "VTYPE BASE IADDR VADDR PRIM",
    ),
    ("sceGuDrawBezier", "vertex_type, ucount, vcount, indices, vertices", "VTYPE BASE IADDR VADDR BEZIER"),
    ("sceGuDrawBuffer", "psm, fbp, fbw", "FRAMEBUFPIXFORMAT FRAMEBUFPTR FRAMEBUFWIDTH"),
    ("sceGuDrawBufferList", "psm, fbp, fbw", "FRAMEBUFPIXFORMAT FRAMEBUFPTR FRAMEBUFWIDTH"),
    (
        "sceGuDrawSpline",
        "vertex_type, ucount, vcount, uedge, vedge, indices, vertices",
        "VTYPE BASE IADDR VADDR SPLINE",
    ),
    ("sceGuEnable", "state", SWITCHES),
    ("sceGuEndObject", "", "BASE BJUMP"),
    ("sceGuFinish", "", "FINISH END"),
    ("sceGuFog", "near, far, color", "FOGCOLOR FOG1 FOG2"),
    ("sceGuFrontFace", "order", "CULL"),
    ("sceGuLight", "light, type, components, position", "LX0 LY0 LZ0 LIGHTTYPE0"),
    ("sceGuLightAtt", "light, atten0, atten1, atten2", "LKA0 LKB0 LKC0"),
    ("sceGuLightColor", "light, component, color", "LAC0 LDC0 LSC0"),
    ("sceGuLightMode", "mode", "LIGHTMODE"),
    ("sceGuLightSpot", "light, direction, exponent, cutoff", "LKS0 LKO0 LDX0 LDY0 LDZ0"),
    ("sceGuLogicalOp", "op", "LOGICOP"),
    ("sceGuMaterial", "mode, color", "MATERIALAMBIENT MATERIALALPHA MATERIALDIFFUSE MATERIALSPECULAR"),
    (
        "sceGuModelColor",
        "emissive, ambient, diffuse, specular",
        "MATERIALEMISSIVE MATERIALAMBIENT MATERIALDIFFUSE MATERIALSPECULAR",
    ),
    ("sceGuMorphWeight", "index, weight", "MORPHWEIGHT0"),
    ("sceGuOffset", "x, y", "OFFSETX OFFSETY"),
    ("sceGuPatchDivide", "ulevel, vlevel", "PATCHDIVISION"),
    ("sceGuPatchFrontFace", "mode", "PATCHFACING"),
    ("sceGuPatchPrim", "prim", "PATCHPRIM"),
    ("sceGuPixelMask", "mask", "MASKRGB MASKALPHA"),
    ("sceGuScissor", "x, y, w, h", "SCISSOR1 SCISSOR2"),
    ("sceGuSetDither", "matrix", "DITH0 DITH1 DITH2 DITH3"),
    (
        "sceGuSetMatrix",
        "type, matrix",
        "WORLDMATRIXNUMBER WORLDMATRIXDATA VIEWMATRIXNUMBER VIEWMATRIXDATA PROJMATRIXNUMBER PROJMATRIXDATA TGENMATRIXNUMBER TGENMATRIXDATA",
    ),
    ("sceGuShadeModel", "mode", "SHADEMODE"),
    ("sceGuSignal", "behavior, signal", "SIGNAL END"),
    ("sceGuSpecular", "power", "MATERIALSPECULARCOEF"),
    ("sceGuStencilFunc", "func, ref, mask", "STENCILTEST"),
    ("sceGuStencilOp", "fail, zfail, zpass", "STENCILOP"),
    ("sceGuTexEnvColor", "color", "TEXENVCOLOR"),
    ("sceGuTexFilter", "min, mag", "TEXFILTER"),
    ("sceGuTexFlush", "", "TEXFLUSH"),
    ("sceGuTexFunc", "tfx, tcc", "TEXFUNC"),
    ("sceGuTexImage", "mipmap, width, height, tbw, tbp", "TEXADDR0 TEXBUFWIDTH0 TEXSIZE0 TEXFLUSH"),
    ("sceGuTexLevelMode", "mode, bias", "TEXLEVEL"),
    ("sceGuTexMapMode", "mode, lu, lv", "TEXMAPMODE TEXSHADELS"),
    ("sceGuTexMode", "tpsm, maxmips, a2, swizzle", "TEXMODE TEXFORMAT TEXFLUSH"),
    ("sceGuTexOffset", "u, v", "TEXOFFSETU TEXOFFSETV"),
    ("sceGuTexProjMapMode", "mode", "TEXMAPMODE"),
    ("sceGuTexScale", "u, v", "TEXSCALEU TEXSCALEV"),
    ("sceGuTexSlope", "slope", "TEXLODSLOPE"),
    ("sceGuTexSync", "", "TEXSYNC"),
    ("sceGuTexWrap", "u, v", "TEXWRAP"),
    (
        "sceGuViewport",
        "cx, cy, width, height",
        "VIEWPORTXSCALE VIEWPORTYSCALE VIEWPORTXCENTER VIEWPORTYCENTER",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::asm::reference::{Found, find};
    use crate::ge::command::Command;

    #[test]
    fn functions_lead_to_their_commands() {
        for (name, _, commands) in FUNCTIONS {
            let function = GuFunction::from_name(name).expect("a function");
            assert_eq!(function.commands().count(), commands.split(' ').count(), "{name}: all exist");
        }
        assert!(FUNCTIONS.is_sorted_by_key(|(name, ..)| name), "in order");
        assert!(constants().all(|(name, _)| constant(&format!("GU_{name}")).is_some()), "numbers");
        assert_eq!(find("sceGuTexFilter"), Found::One(Opcode::TEXFILTER), "one command");
        let fog = vec![Opcode::FOGCOLOR, Opcode::FOG1, Opcode::FOG2];
        assert_eq!(find("scegufog"), Found::Several(fog), "several, in any case");
    }

    #[test]
    fn constants_are_numbers_of_assembly_text() {
        let word = |text: &str| {
            let program = assemble(text).unwrap_or_else(|errors| panic!("{}", errors.report()));
            Command::from_word(program.capture().memory.read_u32(program.entry)).argument()
        };
        for (libgu, own) in [
            ("ZTEST GU_GEQUAL", "ZTEST GREATER_EQUAL"),
            (
                "TEXFILTER minification=GU_LINEAR_MIPMAP_LINEAR magnify_linear=GU_LINEAR",
                "TEXFILTER minification=7 magnify_linear=1",
            ),
            ("TEXFORMAT GU_PSM_T8", "TEXFORMAT CLUT8"),
            ("PRIM primitive=GU_SPRITES count=2", "PRIM primitive=RECTANGLES count=2"),
            ("SHADEMODE GU_SMOOTH", "SHADEMODE GOURAUD"),
        ] {
            assert_eq!(word(libgu), word(own), "{libgu}");
        }
        assert_eq!(word(".set GU_FLAT 1\nSHADEMODE GU_FLAT"), 1, "a name of the text comes first");
        let errors = assemble("FRAMEBUFPTR GU_GEQAL").expect_err("no constant");
        assert!(errors.report().to_string().contains("GU_GEQUAL"), "{}", errors.report());
    }
}
