//! The table of libgu's functions: parameters, and the commands sent by a call.
//!
//! A function has several rows if its commands depend on a parameter. A parameter is `name`, `name:kind`, or
//! `name=VALUE` if this row is only for this value. The kind is a constant group, or a name known to
//! [`Kind`](super::form::Kind). State that the call sends without taking it follows after `;`.
//!
//! Commands are separated by `|`. `LX0+light*3` is the register for a light, `DATA*12` twelve commands. An argument
//! has parts such as `8.4=mask>>24`: a parameter's bits from 24 on, in the 4 bits from bit 8 on; without a width,
//! all bits up to 23. `f=` stands for a float, `.2` for a vector's or matrix's third element. Bits outside are 0.
//! Commands after `?` are sent only if their parameter is not 0, together with those after `&`. A row that starts
//! with `=` only names its commands, because the call depends on more than these words tell. A row that starts with
//! `~` sends the same as another call, which is printed instead.
//!
//! Source: the public pspsdk, `src/gu`, commit e62057d.

use std::sync::LazyLock;

/// A function: name, parameters, commands.
pub(super) type Row = (&'static str, &'static str, &'static str);

/// The functions, sorted by name.
pub(super) static FUNCTIONS: LazyLock<Vec<Row>> = LazyLock::new(|| TABLE.lines().filter_map(row).collect());

/// Reads a line of the table.
fn row(line: &'static str) -> Option<Row> {
    let (name, rest) = line.split_once('(')?;
    let (parameters, commands) = rest.split_once(')')?;
    Some((name, parameters, commands.trim_start()))
}

/// A line for each row: name, parameters in parentheses, commands. The second row of sceGuScissor is for earlier
/// versions, which left the region alone.
const TABLE: &str = "\
sceGuAlphaFunc(func:compare, value, mask:hex) ALPHATEST 0.8=func 8.8=value 16=mask
sceGuAmbient(color:hex) AMBIENTCOLOR 0=color | AMBIENTALPHA 0.8=color>>24
sceGuAmbientColor(color:hex) MATERIALAMBIENT 0=color | MATERIALALPHA 0.8=color>>24
sceGuBeginObject(vtype:vtype, count, indices:pointer, vertices:pointer; end:pointer) \
    ?VTYPE 0=vtype | ?BASE 16.4=indices>>24 & IADDR 0=indices | \
    ?BASE 16.4=vertices>>24 & VADDR 0=vertices | BBOX 0=count | BASE 16.4=end>>24 | BJUMP 0=end
sceGuBlendFunc(op:blend, src:source, dst:destination, srcfix:hex, dstfix:hex) \
    BLENDMODE 0.4=src 4.4=dst 8=op | BLENDFIXEDA 0=srcfix | BLENDFIXEDB 0=dstfix
sceGuBoneMatrix(index:index8, matrix:matrix3) BONEMATRIXNUMBER 0=index*12 | BONEMATRIXDATA*12 f=matrix
sceGuBreak(mode)
sceGuCallList(list:pointer) BASE 16.4=list>>24 | CALL 0=list
sceGuCallList(list:pointer) SIGNAL 0.16=list>>16 16=17 | END 0.16=list
sceGuClear(flags:flags clear; after:pointer, vertices:pointer, count) \
    ?BASE 16.4=after>>24 & JUMP 0=after | CLEARMODE 0.8=1 8.3=flags | VTYPE 0=8388892 | \
    BASE 16.4=vertices>>24 | VADDR 0=vertices | PRIM 0.16=count 16=6 | CLEARMODE
sceGuClearColor(color)
sceGuClearDepth(depth)
sceGuClearStencil(stencil)
sceGuClutLoad(num_blocks, cbp:pointer) CLUTADDR 0=cbp | CLUTADDRUPPER 16.4=cbp>>24 | LOADCLUT 0=num_blocks
sceGuClutMode(cpsm:psm, shift, mask:hex, csa) CLUTFORMAT 0.2=cpsm 2.6=shift 8.8=mask 16=csa
sceGuColor(color:hex) \
    MATERIALAMBIENT 0=color | MATERIALALPHA 0.8=color>>24 | MATERIALDIFFUSE 0=color | \
    MATERIALSPECULAR 0=color
sceGuColorFunc(func:compare, color:hex, mask:hex) \
    COLORTEST 0.2=func | COLORREF 0=color | COLORTESTMASK 0=mask
sceGuColorMaterial(components:flags light) MATERIALUPDATE 0=components
sceGuCopyImage(psm=GU_PSM_8888, sx, sy, width, height, srcw, src:pointer, dx, dy, destw, dest:pointer) \
    TRANSFERSRC 0=src | TRANSFERSRCW 0.16=srcw 16=src>>24 | TRANSFERSRCPOS 0.10=sx 10=sy | \
    TRANSFERDST 0=dest | TRANSFERDSTW 0.16=destw 16=dest>>24 | TRANSFERDSTPOS 0.10=dx 10=dy | \
    TRANSFERSIZE 0.10=width-1 10=height-1 | TRANSFERSTART 0=1
sceGuCopyImage(psm=GU_PSM_5650, sx, sy, width, height, srcw, src:pointer, dx, dy, destw, dest:pointer) \
    TRANSFERSRC 0=src | TRANSFERSRCW 0.16=srcw 16=src>>24 | TRANSFERSRCPOS 0.10=sx 10=sy | \
    TRANSFERDST 0=dest | TRANSFERDSTW 0.16=destw 16=dest>>24 | TRANSFERDSTPOS 0.10=dx 10=dy | \
    TRANSFERSIZE 0.10=width-1 10=height-1 | TRANSFERSTART
sceGuDepthBuffer(zbp:pointer, zbw) ZBUFPTR 0=zbp | ZBUFWIDTH 0.16=zbw 16=zbp>>24
sceGuDepthFunc(function:compare) ZTEST 0=function
sceGuDepthMask(mask:bool) ZWRITEDISABLE 0=mask
sceGuDepthOffset(offset) =VIEWPORTZSCALE | VIEWPORTZCENTER | MINZ | MAXZ
sceGuDepthRange(near, far; scale:float, center:float, low, high) \
    VIEWPORTZSCALE f=scale | VIEWPORTZCENTER f=center | MINZ 0=low | MAXZ 0=high
sceGuDispBuffer(width, height, dispbp, dispbw) =REGION1 | REGION2
sceGuDrawArray(prim:primitive, vtype:vtype, count, indices:pointer, vertices:pointer) \
    ?VTYPE 0=vtype | ?BASE 16.4=indices>>24 & IADDR 0=indices | \
    ?BASE 16.4=vertices>>24 & VADDR 0=vertices | PRIM 0.16=count 16=prim
sceGuDrawArrayN(primitive_type, vertex_type, vcount, primcount, indices, vertices) \
    =VTYPE | BASE | IADDR | VADDR | PRIM
sceGuDrawBezier(vertex_type:vtype, ucount, vcount, indices:pointer, vertices:pointer) \
    ?VTYPE 0=vertex_type | ?BASE 16.4=indices>>24 & IADDR 0=indices | \
    ?BASE 16.4=vertices>>24 & VADDR 0=vertices | BEZIER 0.8=ucount 8=vcount
sceGuDrawBuffer(psm:psm, fbp:pointer, fbw; zbp:pointer, zbw) \
    FRAMEBUFPIXFORMAT 0=psm | FRAMEBUFPTR 0=fbp | FRAMEBUFWIDTH 0.16=fbw 16=fbp>>24 | ZBUFPTR 0=zbp | \
    ZBUFWIDTH 0.16=zbw 16=zbp>>24
sceGuDrawBufferList(psm:psm, fbp:pointer, fbw) \
    FRAMEBUFPIXFORMAT 0=psm | FRAMEBUFPTR 0=fbp | FRAMEBUFWIDTH 0.16=fbw 16=fbp>>24
sceGuDrawSpline(vertex_type:vtype, ucount, vcount, uedge:edge, vedge:edge, indices:pointer, \
    vertices:pointer) \
    ?VTYPE 0=vertex_type | ?BASE 16.4=indices>>24 & IADDR 0=indices | \
    ?BASE 16.4=vertices>>24 & VADDR 0=vertices | SPLINE 0.8=ucount 8.8=vcount 16.2=uedge 18=vedge
sceGuEndObject() =BASE | BJUMP
sceGuFinish() FINISH | END
sceGuFinish() RET
sceGuFinishId(id) FINISH 0.16=id | END
sceGuFog(near:float, far:float, color:hex; scale:float) FOGCOLOR 0=color | FOG1 f=far | FOG2 f=scale
sceGuFrontFace(order=GU_CW) CULL 0=1
sceGuFrontFace(order=GU_CCW) CULL
sceGuGetMemory(size) =BASE | JUMP
sceGuLight(light:index4, type:light-type, components=GU_AMBIENT_AND_DIFFUSE, position:vector) \
    LX0+light*3 f=position.0 | LY0+light*3 f=position.1 | LZ0+light*3 f=position.2 | \
    LIGHTTYPE0+light 8.2=type
sceGuLight(light:index4, type:light-type, components=GU_DIFFUSE_AND_SPECULAR, position:vector) \
    LX0+light*3 f=position.0 | LY0+light*3 f=position.1 | LZ0+light*3 f=position.2 | \
    LIGHTTYPE0+light 0.8=1 8.2=type
sceGuLight(light:index4, type:light-type, components=GU_POWERED_DIFFUSE, position:vector) \
    LX0+light*3 f=position.0 | LY0+light*3 f=position.1 | LZ0+light*3 f=position.2 | \
    LIGHTTYPE0+light 0.8=2 8.2=type
sceGuLightAtt(light:index4, atten0:float, atten1:float, atten2:float) \
    LKA0+light*3 f=atten0 | LKB0+light*3 f=atten1 | LKC0+light*3 f=atten2
sceGuLightColor(light:index4, component=GU_AMBIENT, color:hex) LAC0+light*3 0=color
sceGuLightColor(light:index4, component=GU_DIFFUSE, color:hex) LDC0+light*3 0=color
sceGuLightColor(light:index4, component=GU_SPECULAR, color:hex) LSC0+light*3 0=color
sceGuLightColor(light:index4, component=GU_AMBIENT_AND_DIFFUSE, color:hex) \
    LAC0+light*3 0=color | LDC0+light*3 0=color
sceGuLightColor(light:index4, component=GU_DIFFUSE_AND_SPECULAR, color:hex) \
    LDC0+light*3 0=color | LSC0+light*3 0=color
sceGuLightMode(mode:light-mode) LIGHTMODE 0=mode
sceGuLightSpot(light:index4, direction:vector, exponent:float, cutoff:float) \
    LKS0+light f=exponent | LKO0+light f=cutoff | LDX0+light*3 f=direction.0 | \
    LDY0+light*3 f=direction.1 | LDZ0+light*3 f=direction.2
sceGuLogicalOp(op:logic) LOGICOP 0.4=op
sceGuMaterial(mode=GU_AMBIENT, color:hex) ~MATERIALAMBIENT 0=color | MATERIALALPHA 0.8=color>>24
sceGuMaterial(mode=GU_DIFFUSE, color:hex) MATERIALDIFFUSE 0=color
sceGuMaterial(mode=GU_SPECULAR, color:hex) MATERIALSPECULAR 0=color
sceGuMaterial(mode=GU_AMBIENT | GU_DIFFUSE, color:hex) \
    MATERIALAMBIENT 0=color | MATERIALALPHA 0.8=color>>24 | MATERIALDIFFUSE 0=color
sceGuMaterial(mode=GU_AMBIENT | GU_SPECULAR, color:hex) \
    MATERIALAMBIENT 0=color | MATERIALALPHA 0.8=color>>24 | MATERIALSPECULAR 0=color
sceGuMaterial(mode=GU_DIFFUSE | GU_SPECULAR, color:hex) MATERIALDIFFUSE 0=color | MATERIALSPECULAR 0=color
sceGuModelColor(emissive:hex, ambient:hex, diffuse:hex, specular:hex) \
    MATERIALEMISSIVE 0=emissive | MATERIALDIFFUSE 0=diffuse | MATERIALAMBIENT 0=ambient | \
    MATERIALSPECULAR 0=specular
sceGuMorphWeight(index:index8, weight:float) MORPHWEIGHT0+index f=weight
sceGuOffset(x, y) OFFSETX 4=x | OFFSETY 4=y
sceGuPatchDivide(ulevel, vlevel) PATCHDIVISION 0.8=ulevel 8=vlevel
sceGuPatchFrontFace(mode:winding) PATCHFACING 0=mode
sceGuPatchPrim(prim=GU_TRIANGLE_STRIP) PATCHPRIM
sceGuPatchPrim(prim=GU_LINE_STRIP) PATCHPRIM 0=1
sceGuPatchPrim(prim=GU_POINTS) PATCHPRIM 0=2
sceGuPixelMask(mask:hex) MASKRGB 0=mask | MASKALPHA 0.8=mask>>24
sceGuScissor(x, y, w, h; right, bottom) \
    SCISSOR1 0.10=x 10=y | SCISSOR2 0.10=right 10=bottom | REGION1 | REGION2 0.10=right 10=bottom
sceGuScissor(x, y, w, h; right, bottom) SCISSOR1 0.10=x 10=y | SCISSOR2 0.10=right 10=bottom
sceGuSendCommandf(cmd, argument)
sceGuSendCommandi(cmd, argument)
sceGuSetDither(matrix:dither) \
    DITH0 0.4=matrix.0 4.4=matrix.1 8.4=matrix.2 12.4=matrix.3 | \
    DITH1 0.4=matrix.4 4.4=matrix.5 8.4=matrix.6 12.4=matrix.7 | \
    DITH2 0.4=matrix.8 4.4=matrix.9 8.4=matrix.10 12.4=matrix.11 | \
    DITH3 0.4=matrix.12 4.4=matrix.13 8.4=matrix.14 12.4=matrix.15
sceGuSetMatrix(type=GU_PROJECTION, matrix:matrix4) PROJMATRIXNUMBER | PROJMATRIXDATA*16 f=matrix
sceGuSetMatrix(type=GU_VIEW, matrix:matrix3) VIEWMATRIXNUMBER | VIEWMATRIXDATA*12 f=matrix
sceGuSetMatrix(type=GU_MODEL, matrix:matrix3) WORLDMATRIXNUMBER | WORLDMATRIXDATA*12 f=matrix
sceGuSetMatrix(type=GU_TEXTURE, matrix:matrix3) TGENMATRIXNUMBER | TGENMATRIXDATA*12 f=matrix
sceGuShadeModel(mode:shading) SHADEMODE 0=mode
sceGuSignal(mode:signal, id) SIGNAL 0.16=id 16=mode | END
sceGuSignal(mode=GU_SIGNAL_PAUSE, id) SIGNAL 0.16=id 16=3 | END | FINISH | END
sceGuSpecular(power:float) MATERIALSPECULARCOEF f=power
sceGuStencilFunc(func:compare, ref, mask:hex) STENCILTEST 0.8=func 8.8=ref 16=mask
sceGuStencilOp(fail:stencil, zfail:stencil, zpass:stencil) STENCILOP 0.8=fail 8.8=zfail 16=zpass
sceGuTexEnvColor(color:hex) TEXENVCOLOR 0=color
sceGuTexFilter(min:filter, mag:filter) TEXFILTER 0.8=min 8=mag
sceGuTexFlush() TEXFLUSH
sceGuTexFunc(tfx:effect, tcc:component; fragment_2x:bool) TEXFUNC 0.8=tfx 8.8=tcc 16=fragment_2x
sceGuTexImage(mipmap:index8, width, height, tbw, tbp:pointer) \
    TEXADDR0+mipmap 0=tbp | TEXBUFWIDTH0+mipmap 0.16=tbw 16.4=tbp>>24 | \
    TEXSIZE0+mipmap 0.8=log2width 8=log2height | TEXFLUSH
sceGuTexLevelMode(mode:level, bias:bias) TEXLEVEL 0.16=mode 16=bias
sceGuTexMapMode(mode:map-mode, lu, lv; projection:projection) \
    TEXMAPMODE 0.8=mode 8=projection | TEXSHADELS 0.8=lv 8=lu
sceGuTexMode(tpsm:psm, maxmips, mc:bool, swizzle:bool) \
    TEXMODE 0.8=swizzle 8.8=mc 16=maxmips | TEXFORMAT 0=tpsm | TEXFLUSH
sceGuTexOffset(u:float, v:float) TEXOFFSETU f=u | TEXOFFSETV f=v
sceGuTexProjMapMode(mode:projection; map_mode:map-mode) TEXMAPMODE 0.8=map_mode 8=mode
sceGuTexScale(u:float, v:float) TEXSCALEU f=u | TEXSCALEV f=v
sceGuTexSlope(slope:float) TEXLODSLOPE f=slope
sceGuTexSync() TEXSYNC
sceGuTexWrap(u:wrap, v:wrap) TEXWRAP 0.8=u 8=v
sceGuViewport(cx, cy, width, height) \
    VIEWPORTXSCALE f=width/2 | VIEWPORTYSCALE f=height/-2 | VIEWPORTXCENTER f=cx | VIEWPORTYCENTER f=cy
";

/// The states for sceGuEnable and sceGuDisable: the parameter, and the commands as in [`FUNCTIONS`], with `@` for 1
/// or 0.
pub(super) const STATES: &[(&str, &str)] = &[
    ("state=GU_ALPHA_TEST", "ALPHATESTENABLE 0=@"),
    ("state=GU_DEPTH_TEST", "ZTESTENABLE 0=@"),
    ("state=GU_SCISSOR_TEST", "=SCISSOR1 | SCISSOR2 | REGION1 | REGION2"),
    ("state=GU_STENCIL_TEST", "STENCILTESTENABLE 0=@"),
    ("state=GU_BLEND", "BLENDENABLE 0=@"),
    ("state=GU_CULL_FACE", "CULLENABLE 0=@"),
    ("state=GU_DITHER", "DITHERENABLE 0=@"),
    ("state=GU_FOG", "FOGENABLE 0=@"),
    ("state=GU_CLIP_PLANES", "DEPTHCLAMPENABLE 0=@"),
    ("state=GU_TEXTURE_2D", "TEXENABLE 0=@"),
    ("state=GU_LIGHTING", "LIGHTINGENABLE 0=@"),
    ("state=GU_LIGHT0", "LIGHTENABLE0 0=@"),
    ("state=GU_LIGHT1", "LIGHTENABLE1 0=@"),
    ("state=GU_LIGHT2", "LIGHTENABLE2 0=@"),
    ("state=GU_LIGHT3", "LIGHTENABLE3 0=@"),
    ("state=GU_LINE_SMOOTH", "ANTIALIASENABLE 0=@"),
    ("state=GU_PATCH_CULL_FACE", "PATCHCULLENABLE 0=@"),
    ("state=GU_COLOR_TEST", "COLORTESTENABLE 0=@"),
    ("state=GU_COLOR_LOGIC_OP", "LOGICOPENABLE 0=@"),
    ("state=GU_FACE_NORMAL_REVERSE", "REVERSENORMAL 0=@"),
    ("state=GU_PATCH_FACE", "~PATCHFACING 0=@"),
    ("state=GU_FRAGMENT_2X", "=TEXFUNC"),
];
